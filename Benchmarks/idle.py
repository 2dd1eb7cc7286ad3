#!/usr/bin/env python3
"""What an idle kept connection costs in memory, and whether it is given back.

Opens N connections, asks one request on each, and reads the server's Private_Dirty before and
after; closes them all, and does it again. Ends with 1 if a figure is above its threshold.
"""

import argparse
import socket
import sys
import time

import harness

BYTES_EACH_MAX = 3 * 1024
GROWTH_MAX = 1 << 20  # of the second round over the first
SOURCE_COUNT = 16  # addresses 127.0.0.2 and on: each has ports of its own


def ask(connection, message):
    connection.sendall(message)
    harness.read_response(connection)


def open_all(port, path, count):
    message = harness.request(path, port)
    connections = []
    for index in range(count):
        connection = socket.socket()
        connection.settimeout(10)
        connection.bind((f"127.0.0.{2 + index % SOURCE_COUNT}", 0))
        connection.connect(("127.0.0.1", port))
        ask(connection, message)
        connections.append(connection)
    return connections


def wait_for_descriptors(server, count, seconds=30):
    """Until the server has closed what its clients have closed."""
    deadline = time.monotonic() + seconds
    while server.descriptor_count() > count:
        if time.monotonic() > deadline:
            harness.fail(f"{server.descriptor_count() - count} descriptors have stayed open")
        time.sleep(0.1)


def settled(server):
    """Private_Dirty once it has stopped changing."""
    last = -1
    for _ in range(50):
        now = server.private_dirty()
        if now == last:
            return now
        last = now
        time.sleep(0.2)
    return last


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--path", default="/plaintext")
    parser.add_argument("--server", default=f"{harness.CONFORMANCE_SERVER} --max-connections 16000",
                        help="the command, with {port}")
    options = parser.parse_args()

    harness.raise_descriptor_limit(options.count + 256)
    with harness.Server(options.server) as server:
        # What the first requests of all set up is no cost of a connection.
        harness.keep_asking(server.port, options.path, 8, 50)
        time.sleep(0.5)
        descriptors = server.descriptor_count()
        start = settled(server)
        rounds = []
        for _ in range(2):
            connections = open_all(server.port, options.path, options.count)
            open_count = server.descriptor_count() - descriptors
            if open_count < options.count:
                harness.fail(f"only {open_count} of {options.count} connections are open")
            rounds.append(settled(server))
            harness.say(f"{options.count} open: {rounds[-1] / 1024:,.0f} KiB")
            for connection in connections:
                connection.close()
            wait_for_descriptors(server, descriptors)
        harness.keep_asking(server.port, options.path, 1, 1)
        end = settled(server)

    each = (rounds[0] - start) / options.count
    growth = rounds[1] - rounds[0]
    print(f"{options.count:,} idle kept connections, Private_Dirty. {harness.machine()}.\n")
    print("| figure | measured | at most | met |\n|---|---|---|---|")
    print(f"| KiB a connection | {each / 1024:.2f} | {BYTES_EACH_MAX / 1024:g} | "
          f"{'yes' if each <= BYTES_EACH_MAX else 'NO'} |")
    print(f"| KiB that a second round adds | {growth / 1024:,.0f} | {GROWTH_MAX // 1024:,} | "
          f"{'yes' if growth <= GROWTH_MAX else 'NO'} |")
    print(f"\nBefore {start / 1024:,.0f} KiB, first round {rounds[0] / 1024:,.0f}, "
          f"second {rounds[1] / 1024:,.0f}, all closed {end / 1024:,.0f}.")
    if each > BYTES_EACH_MAX or growth > GROWTH_MAX:
        harness.fail("Above the threshold.")


if __name__ == "__main__":
    sys.exit(main())
