# make demo        see what a drifting backend looks like
# make demo-collector  apps that upload, their collector, and what is wrong
# make test        formatting, no warnings, the tests
# make examples    the examples of the manual, of README and of the articles: they compile and run, and print
#                  what is shown
# make test-app-size  what the library adds to the size of an app is no more than it was
# make test-release  the libraries' tests, optimized, under AddressSanitizer
# make test-long   the libraries' tests in their long form: more random cases, and every report and push by
#                  filter and window, ten times as large, in steps of SQLite
# make test-crafted  every command on files with a crafted row, each row by itself: minutes; CRAFTED=some for
#                  every third
# make docs        the documentation, into .build/docs; no link leads nowhere
# make interop     the same cases through the decoders of other packages: Yams, XMLCoder
# make recipes     examples with swift-log, swift-metrics, Hummingbird, URLSession and OpenAPI: builds and tests them
# make properties  random models and payloads; PROPERTY_CASES=100000 PROPERTY_SEED=1 for others
# make fuzz        arbitrary bytes into a model of every wrapper; FUZZ_SECONDS=600 for longer
# make sanitize-thread  the libraries' tests under ThreadSanitizer; make sanitize-sharing for only the suites
#                  in which threads or processes share state; make sanitize for test-release, too
# make test-browser  a page of digest-query report in Chromium, which Debian's package is installed for
#                  where there is none: what runs, sorts, loads and fits; pictures in .build-browser
# make pictures    draws the pictures of README anew from the demo, in Chromium
# make test-sql-tools  the questions of Recipes/SQL in Datasette and DuckDB, which pip installs, against
#                  the reports
# make test-spec   what digest-query spec writes against the schemas of others, which pip installs:
#                  SARIF and JUnit; and documents in YAML
# make test-fleet  fleets in PostgreSQL, which Debian's package is installed for where there is none, and
#                  in two versions of ClickHouse, which pip installs
# make test-server  digest-query serve: hostile clients, uploads while it is killed, reports over HTTP
# make test-apple-sqlite  the store's tests on SQLite as an iOS simulator has it, which is built from Debian's
#                  source; FILTER='\.SizeLimit' for less
# make test-small-stack  the libraries' tests on threads of 512 KiB, as Apple's systems have them
# make test-own-file  an app that reads, copies and moves its own file beside other programs; OWN_FILE_ROUNDS=100
# make torture     processes killed and the power cut while stores are written; TORTURE_SECONDS=600
# make bench       decoding against plain Decodable, the store against SQLite in C, GRDB and DuckDB;
#                  ARGS='--filter nests --rounds 50' for less or more
# make bench-app   what the library adds to the size of an app, and to the time in which models compile
# make bench-store the store alone, up to ten million occurrences, which takes minutes to fill the
#                  first time; OCCURRENCES='30000 1000000' for fewer
# make bench-fleet fleets in a file, in PostgreSQL and in ClickHouse; FLEET_STORES=10 FLEET_FAILURES=10000
# make api-breakage  the public API against that of the last tag
# make install     digest-query, its manual and its completions, below PREFIX=/usr/local, with
#                  TRAITS=PostgreSQL,ClickHouse for fleets on a server; make uninstall

# Those of make test, so that nothing is built again.
TEST_FLAGS = $$(Scripts/test-flags)

QUERY = swift run --quiet digest-query

PROPERTY_CASES ?= 50000
PROPERTY_SEED ?= $(shell date +%s)
FUZZ_SECONDS ?= 60
OWN_FILE_ROUNDS ?= 20
CRAFTED ?= all
TORTURE_SECONDS ?= 600
TORTURE_SEED ?= $(shell date +%s)
PREFIX ?= /usr/local
TRAITS ?=
OCCURRENCES ?= 30000 1000000 10000000

.PHONY: demo demo-collector test examples test-release test-app-size test-long test-crafted test-apple-sqlite test-small-stack test-own-file docs interop recipes properties fuzz sanitize sanitize-thread sanitize-sharing test-browser pictures test-sql-tools test-spec test-fleet test-server torture bench bench-app bench-store bench-fleet bench-setup api-breakage install uninstall setup

demo: setup
	@rm -f digests.sqlite digests.sqlite-wal digests.sqlite-shm
	@swift build --quiet
	@swift run --quiet DriftingFeed
	@printf '\n$$ digest-query summary --since 7d\n\n'
	@$(QUERY) summary --since 7d
	@printf '\n$$ digest-query top-novel-values\n\n'
	@$(QUERY) top-novel-values
	@$(QUERY) top-failures --format csv > drift.csv
	@printf '\n$$ digest-query top-failures --format csv > drift.csv\n\n'
	@cat drift.csv
	@printf '\nNow try: %s --help\n' '$(QUERY)'

demo-collector: setup
	@Scripts/demo-collector

test: setup
	@Scripts/check

# Built for debugging, because one example prints what only such a build has.
examples: setup
	@swift build --quiet --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors
	@Scripts/check-manual "$$(swift build --show-bin-path)/digest-query"
	@swift Scripts/check-examples.swift "$$(swift build --show-bin-path)"

# Leak detection is off: Swift's runtime and Foundation never free some of their memory. Without the suites that
# take minutes and compare counts, which SQLite makes.
test-release: setup
	@ASAN_OPTIONS=detect_leaks=0 PROPERTY_CASES=1000 TMPDIR=$$(Scripts/test-directory) \
	  swift test --package-path Tests/Portable --scratch-path .build-address \
	  --configuration release --sanitize address -Xswiftc -enable-testing --skip '$(COUNTING)'

COUNTING = (CraftedNumber|Digests|EvictedTime|Eviction|ExactCounts|ExactModels|Filter|FilteredCounts|LinearTime|$\
  Overview|PushCost|PushStep|RandomRetention|Renames|SourcePush|Trend|Window)Tests/

test-app-size:
	@Benchmarks/Scripts/app --check

test-long: setup
	@LONG_TESTS=1 TMPDIR=$$(Scripts/test-directory) swift test $(TEST_FLAGS) \
	  --filter '^(ResilientDecoding|ResilientDocuments|DigestStore)Tests\.'

test-crafted: setup
	@CRAFTED=$(CRAFTED) swift test $(TEST_FLAGS) --filter 'DigestQueryTests\.CraftedFileTests/'

test-apple-sqlite: setup
	@Scripts/test-apple-sqlite

# A thread has by default the stack that the process may have.
test-small-stack: setup
	@swift build --quiet --build-tests --explicit-target-dependency-import-check error \
	  -Xswiftc -warnings-as-errors -Xswiftc -enable-testing
	@bundle=$$(swift build --show-bin-path)/ResilientDecodingPackageTests.xctest; ulimit -s 512; \
	  TMPDIR=$$(Scripts/test-directory) "$$bundle" --testing-library swift-testing \
	  --filter '^(ResilientDecodingTests|ResilientDocumentsTests|DigestStoreTests)\.'

# A single round of it is part of make test.
test-own-file: setup
	@OWN_FILE_ROUNDS=$(OWN_FILE_ROUNDS) TMPDIR=$$(Scripts/test-directory) \
	  swift test $(TEST_FLAGS) --filter 'DigestQueryTests\.OwnFileTests/'

docs: setup
	@Scripts/docs

# A package of its own, so that no user of the library resolves those packages.
interop:
	@swift test --package-path Tests/Interop

# Another one. The first build takes some minutes, most of them for Hummingbird.
recipes: setup
	@swift test --package-path Recipes

# In a release build, which gets through twice as many.
properties: setup
	@echo 'PROPERTY_SEED=$(PROPERTY_SEED) PROPERTY_CASES=$(PROPERTY_CASES)'
	@PROPERTY_SEED=$(PROPERTY_SEED) PROPERTY_CASES=$(PROPERTY_CASES) \
	  swift test --configuration release -Xswiftc -enable-testing --filter PropertyTests

fuzz:
	@Scripts/fuzz $(FUZZ_SECONDS)

# The suites in which threads or processes share state, and those of what only a build for debugging has.
SHARING = (AsyncRecording|Checkpoint|ConfigurationClosure|DecodableDocument|DecodeCounts|DecodeState|$\
  DecodingOutcome.*|DigestStore|ErrorDigestCollector|ErrorSinkObserver|Exit|Import|LockFault|Log|$\
  Maintenance|Migrator|MovedFile|MovedFileProcesses|OpenFileFault|PersistentErrorReporter|Progress|$\
  Quarantine|Recording|ReportedEntry|ReportedKeys|ResilientDecodingErrorReporter|$\
  ResilientDecodingErrorReporterAsync|ResilientDecodingErrorReporterCollecting|WriteFailure|$\
  WriteQueue)Tests/
SANITIZED ?= .

sanitize: sanitize-thread test-release

sanitize-thread: setup
	@PROPERTY_CASES=500 TMPDIR=$$(Scripts/test-directory) \
	  swift test --package-path Tests/Portable --scratch-path .build-thread --sanitize thread \
	  --filter '(ResilientDecoding|ResilientDocuments|DigestStore)(Process)?Tests\.$(SANITIZED)'

sanitize-sharing: SANITIZED = $(SHARING)
sanitize-sharing: sanitize-thread

test-browser: setup
	@Scripts/test-browser

pictures: setup
	@Scripts/pictures

test-sql-tools: setup
	@Scripts/test-sql-tools

test-spec: setup
	@Scripts/test-spec

test-fleet: setup
	@Scripts/test-fleet

test-server: setup
	@Scripts/test-server

# A seed repeats the random choices, not the instants at which a process really dies.
torture: setup
	@swift build --quiet --package-path Torture --configuration release -Xswiftc -warnings-as-errors
	@Torture/.build/release/Torture --seconds $(TORTURE_SECONDS) --seed $(TORTURE_SEED)

BENCH = Benchmarks/.build/release

bench: bench-setup
	@$(BENCH)/Benchmarks $(ARGS)
	@$(BENCH)/StoreBenchmarks $(ARGS)
	@Benchmarks/Scripts/app

bench-app: setup
	@Benchmarks/Scripts/app

bench-store: bench-setup
	@$(BENCH)/StoreBenchmarks --occurrences $(OCCURRENCES) $(ARGS)

bench-fleet: setup
	@Benchmarks/Scripts/fleet

bench-setup: setup
	@Scripts/build-tool > /dev/null
	@swift build --quiet --configuration release --package-path Benchmarks
	@Benchmarks/Scripts/duckdb

api-breakage: setup
	@Scripts/api-breakage

install: setup
	@TRAITS='$(TRAITS)' Scripts/install '$(PREFIX)'

uninstall:
	@cd '$(DESTDIR)$(PREFIX)' && rm -f bin/digest-query share/man/man1/digest-query.1 \
	  share/man/man1/digest-query-*.1 share/bash-completion/completions/digest-query \
	  share/zsh/site-functions/_digest-query share/fish/vendor_completions.d/digest-query.fish

# SQLite's headers, where they are missing.
setup:
	@Scripts/setup
