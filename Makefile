# One command for each habit. What takes more than a line is a script in scripts/ or Benchmarks/.
# One scratch path for each flavour of build, so that none throws away what another has built.

DIR ?= .
ARGS ?=
T ?= $(sort $(patsubst Fuzz/Fuzz%,%,$(wildcard Fuzz/Fuzz*)))
TIME ?= 60
HOURS ?= 100
SEED ?= $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')

LIBRARIES = libsqlite3-dev libssl-dev libxml2-dev zlib1g-dev pkg-config
TESTERS = litmus python3 python3-venv
BROWSER = chromium fonts-dejavu-core fonts-noto-cjk
NETWORKS = avahi-daemon avahi-utils libavahi-compat-libdnssd1 dbus iproute2 nftables \
	libminiupnpc-dev miniupnpc miniupnpd-nftables systemd zbar-tools curl nginx-light
PARSERS = h11 httptools kosoku
DRIVE_CLIENTS = cadaver curl davfs2 davix dbus fuse3 gvfs gvfs-backends libglib2.0-bin libxml2-utils rclone
DRIVE_PEERS = apache2 libnginx-mod-http-dav-ext nginx-light
INSTRUMENTS = nginx-light wrk valgrind strace curl slowhttptest

CHECK = --explicit-target-dependency-import-check error
RELEASE = swift build -c release --scratch-path .build-release
FORMATTED = Package.swift $(wildcard Sources Tests Examples Fuzz Benchmarks)

.PHONY: $(shell sed -nE 's/^([a-z-]+):.*/\1/p' $(firstword $(MAKEFILE_LIST)))
.NOTPARALLEL:

help: ## lists the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

serve: deps ## shares DIR (default: this folder); ARGS are passed on to `wharf serve`
	$(RELEASE) --product wharf
	@exec .build-release/release/wharf serve $(ARGS) "$$DIR"
export DIR

test: deps-test ## builds and runs the tests with warnings as errors, then the linter
	@scripts/test $(CHECK)

build: deps ## builds as `make test` does, without running
	WHARF_CI=1 swift build --build-tests $(CHECK)

release: deps ## builds for release; a warning is an error
	WHARF_CI=1 $(RELEASE) $(CHECK)

lint: ## checks the format
	swift format lint --strict --parallel -r $(FORMATTED)

format: ## formats in place
	swift format -i --parallel -r $(FORMATTED)

conformance: deps-test ## other projects' suites, against the conformance server
	$(RELEASE) --product conformance-server
	python3 Conformance/run.py $(ARGS)

litmus: deps-test ## the suite for WebDAV that Debian has, against wharf serve
	$(RELEASE) --product wharf
	python3 Conformance/litmus.py

differential: deps-test ## a million mutated requests beside two strict parsers
	$(RELEASE) --product conformance-server
	python3 Conformance/differential.py --count 1000000 $(ARGS)

slow: deps-bench release ## slow clients: others are served, the slow ones closed in time
	python3 Conformance/slow.py

receiving: deps-bench release ## full disks, limits, hostile forms and kills while files are received
	python3 Conformance/receiving.py $(ARGS)

uploads: deps-bench ## uploads that go on: clauses over raw sockets, real clients of tus, kills, cut connections
	$(RELEASE) --product wharf
	@scripts/clients tuspy aiotus
	python3 Conformance/resumable.py $(ARGS)
	.build-clients/bin/python Conformance/tus_clients.py

bench-uploads: deps-bench release ## 1 GiB by tus beside a raw PUT
	python3 Benchmarks/uploads.py $(ARGS)

bench-receive: deps-bench release ## 1 GiB received beside nginx
	python3 Benchmarks/receive.py $(ARGS)

bench-download: deps-bench release ## 1 GiB downloaded beside nginx
	python3 Benchmarks/download.py $(ARGS)

logins: deps-bench ## real clients log in with Basic and Digest
	$(RELEASE) --product conformance-server
	@scripts/install python3-venv curl
	@scripts/clients requests httpx aiohttp
	python3 Conformance/logins.py --all --python .build-clients/bin/python

sending: deps-bench ## wharf upload against real servers, bad networks and kills
	$(RELEASE) --product wharf
	@scripts/install nodejs golang-go python3-venv
	@scripts/clients flask aiohttp tuspyserver uvicorn aiohttp-tus
	python3 Conformance/upload_client.py $(ARGS)

bench-send: deps-bench release ## 1 GiB sent by wharf upload beside curl
	python3 Benchmarks/upload_client.py $(ARGS)

websocket: deps-test ## Autobahn's cases against both ends of a WebSocket, and real clients
	$(RELEASE) --product conformance-server
	@scripts/clients kosoku websockets aiohttp
	.build-clients/bin/python Conformance/websocket.py --all $(ARGS)
	.build-clients/bin/python Conformance/websocket_clients.py
	.build-clients/bin/python Conformance/blip_probe.py

bench-websocket: deps-bench release ## echoes over a WebSocket
	python3 Benchmarks/websocket.py $(ARGS)

bench-blip: deps-bench release ## BLIP between two of ours, and beside go-blip with ARGS="--peer PROGRAM"
	python3 Benchmarks/blip.py $(ARGS)

tls: deps-bench ## scanners, real clients and misuse, over TLS
	$(RELEASE) --product conformance-server
	$(RELEASE) --product wharf
	@scripts/install testssl.sh openssl nodejs default-jdk-headless chromium libnss3-tools python3-venv
	@scripts/clients sslyze
	python3 Conformance/tls_misuse.py
	python3 Conformance/tls_memory.py
	python3 Conformance/tls_clients.py
	python3 Conformance/tls_scanners.py
	python3 Conformance/tls_calls.py

bench-tls: deps-bench release ## TLS beside nginx: requests, handshakes, a download
	@scripts/install openssl
	python3 Benchmarks/tls.py $(ARGS)

webdav-fight: release ## clients fight over files of a drive that is killed on the way
	python3 Conformance/webdav_fight.py $(ARGS)

webdav-clients: release ## cadaver, davfs2, rclone, GNOME's gio, davix, curl, Python's libraries use a drive
	@scripts/install python3-venv $(DRIVE_CLIENTS)
	@scripts/clients webdavclient3 webdav4 easywebdav
	python3 Conformance/webdav_clients.py $(ARGS)

bench-webdav: deps-bench release ## a drive beside nginx's and Apache's
	@scripts/install $(DRIVE_PEERS)
	python3 Benchmarks/webdav.py $(ARGS)

bench: deps-bench release ## nginx beside ours: requests/s, CPU, latency, files
	python3 Benchmarks/bench.py

bench-multipart: deps-bench release ## forms beside other parsers: MiB for each second of CPU
	@scripts/install golang-go python3-venv
	@scripts/clients python-multipart
	PYTHON=.build-clients/bin/python python3 Benchmarks/multipart.py $(ARGS)

ceilings: deps-bench release ## instructions, allocations and system calls a request
	python3 Benchmarks/ceilings.py

access: deps-bench release ## CPU of an access log and a login, beside a bare hello
	python3 Benchmarks/access.py $(ARGS)

idle: deps-bench release ## memory of 10,000 idle connections
	python3 Benchmarks/idle.py

drain: deps-bench release ## SIGTERM under load: no request fails
	python3 Benchmarks/drain.py

discovery: deps-bench release ## Bonjour, a router, passed sockets, in network namespaces (root)
	@scripts/install $(NETWORKS)
	WHARF_CI=1 swift build --traits PortMapping --scratch-path .build-mapping --product wharf
	python3 Conformance/discovery.py $(ARGS)

browser: deps-browser release ## a browser looks at lists, and uses the page as people do
	python3 Conformance/browser.py
	@scripts/clients axe-playwright-python
	.build-clients/bin/python Conformance/page.py $(ARGS)

browsers: deps-browser release ## Firefox and WebKitGTK use the page, too
	@scripts/install firefox-esr webkit2gtk-driver xvfb xauth
	@scripts/clients marionette_driver selenium
	xvfb-run -a .build-clients/bin/python Conformance/page_others.py

archives: deps-browser release ## zip archives of 5 GiB and of 70,000 files, and the memory that they take
	python3 Conformance/archives.py

fuzz: deps ## fuzzes T (default: each target in Fuzz/) for TIME seconds each
	@scripts/fuzz "$(TIME)" $(T)

simulate: deps ## HOURS virtual hours (default: 100) and failing calls, from another SEED each time
	WHARF_FIRST_SEED=$(SEED) WHARF_SIMULATED_HOURS=$(HOURS) \
		swift test --disable-xctest --no-parallel --filter 'SimulatedHours|FaultCall|FaultAccept'

sanitize: deps ## runs the tests under the thread and the address sanitizer
	@scripts/sanitize thread
	@scripts/sanitize address

verify: deps-bench ## everything else: what is run before a part is called done
	@scripts/verify

ios: ## builds the library for the iOS simulator (on a Mac)
	swift build --target Wharf --scratch-path .build-ios --triple arm64-apple-ios18.0-simulator \
		--sdk "$$(xcrun --sdk iphonesimulator --show-sdk-path)"

deps:
	@scripts/install $(LIBRARIES)

deps-test:
	@scripts/install $(LIBRARIES) $(TESTERS) $(BROWSER)
	@scripts/python-packages $(PARSERS)

deps-bench:
	@scripts/install $(LIBRARIES) $(TESTERS) $(INSTRUMENTS)

deps-browser:
	@scripts/install $(LIBRARIES) $(BROWSER) python3 python3-venv unzip

clean: ## removes what was built
	rm -rf .build .build-*
