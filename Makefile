# make demo      see what a drifting backend looks like
# make test      formatting, no warnings, the tests in debug and in release
# make interop   the same cases through the decoders of other packages: Yams, XMLCoder
# make sanitize  the tests of the libraries under ThreadSanitizer
# make bench     decoding against plain Decodable; ARGS='--filter nests --rounds 50' for less or more

QUERY = swift run --quiet digest-query

.PHONY: demo test interop sanitize bench setup

demo: setup
	@rm -f digests.sqlite digests.sqlite-wal digests.sqlite-shm
	@swift build --quiet
	@swift run --quiet DriftingFeed
	@printf '\n$$ digest-query top-novel-values\n\n'
	@$(QUERY) top-novel-values
	@$(QUERY) top-failures --format csv > drift.csv
	@printf '\n$$ digest-query top-failures --format csv > drift.csv\n\n'
	@cat drift.csv
	@printf '\nNow try: %s --help\n' '$(QUERY)'

test: setup
	@Scripts/check

# A package of its own, so that no user of the library resolves those packages.
interop:
	@swift test --package-path Tests/Interop

sanitize: setup
	@swift test --sanitize thread --scratch-path .build-thread \
	  --filter 'ResilientDecodingTests|DigestStoreTests'

bench: setup
	@swift run --quiet --package-path Benchmarks --configuration release Benchmarks $(ARGS)

# SQLite's headers, where they are missing.
setup:
	@Scripts/setup
