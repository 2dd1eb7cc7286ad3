"""multipart_peer.py FILE BOUNDARY PIECE-SIZE: the same with python-multipart."""
import sys
import time

from python_multipart.multipart import MultipartParser

body = open(sys.argv[1], "rb").read()
size = int(sys.argv[3])
pieces = [body[start : start + size] for start in range(0, len(body), size)]
count = 0


def on_part_data(data, start, end):
    global count
    count += end - start


start = time.process_time()
parser = MultipartParser(sys.argv[2].encode(), {"on_part_data": on_part_data})
for piece in pieces:
    parser.write(piece)
parser.finalize()
print(time.process_time() - start, count)
