-- Questions to a store in DuckDB, which reads the file in place: duckdb < duckdb.sql
--
-- DuckDB takes every column of a view for text, so counts are cast. Times are ISO 8601 in UTC, which sorts
-- as text.

ATTACH 'digests.sqlite' AS store (TYPE sqlite, READ_ONLY);

-- values: which unknown enum values does the backend send?
SELECT model, coding_path, novel_value, value_type, CAST(occurrences AS BIGINT) AS occurrences,
  CAST(digests AS BIGINT) AS digests, first_seen, last_seen
FROM store.novel_values
ORDER BY 5 DESC, model, coding_path, novel_value;

-- rates: which share of each model's decodes has an error?
SELECT model, sum(CAST(occurrences AS BIGINT)) AS occurrences,
  sum(CAST(failed AS BIGINT)) AS digests, sum(CAST(decodes AS BIGINT)) AS decodes,
  sum(CAST(failed AS BIGINT)) / sum(CAST(decodes AS BIGINT)) AS rate
FROM store.decodes_by_day
GROUP BY model
ORDER BY 2 DESC, model;

-- days: how many errors came on each day?
SELECT start, sum(CAST(occurrences AS BIGINT)) AS occurrences
FROM store.decodes_by_day
GROUP BY start
ORDER BY start;

-- new: what first occurred in the last week of the store?
SELECT model, coding_path, kind, novel_value, CAST(occurrences AS BIGINT) AS occurrences, first_seen
FROM store.failures
WHERE kind NOT IN ('converted', 'missingKey', 'unknownKey')
  AND first_seen >= (
    SELECT strftime(CAST(max(last_seen) AS TIMESTAMP) - INTERVAL 7 DAY, '%Y-%m-%dT%H:%M:%S.%gZ')
    FROM store.failures)
ORDER BY 5 DESC, model, coding_path, novel_value;

-- parquet: a copy of the daily counts for other tools.
COPY (SELECT * FROM store.counts_by_day) TO 'counts_by_day.parquet' (FORMAT parquet);
