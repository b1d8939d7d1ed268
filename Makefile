# make demo   see what a drifting backend looks like
# make test   all that CI runs

QUERY = swift run --quiet digest-query

.PHONY: demo test setup

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

# SQLite's headers, where they are missing.
setup:
	@Scripts/setup
