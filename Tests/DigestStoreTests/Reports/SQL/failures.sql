-- Without a filter

SELECT folded FROM store;

CREATE TEMP TABLE temporary_0 ("context" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER, "first_seen" INTEGER, "last_seen" INTEGER);

INSERT INTO temporary_0 WITH new AS MATERIALIZED (
  SELECT context, failure, sum(times) AS occurrences, count(DISTINCT id) AS digests,
    min(recorded_at) AS first_seen, max(recorded_at) AS last_seen
  FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2
)
SELECT * FROM new UNION ALL
SELECT 0, failure, sum(occurrences), sum(digests), min(first_seen), max(last_seen)
FROM new GROUP BY 2;

CREATE INDEX temp.key_of_temporary_0 ON temporary_0 (failure, context);

CREATE TEMP TABLE temporary_1 ("failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_1 WITH  counts AS (SELECT failure, occurrences, digests FROM total
WHERE context = 0 AND failure NOT IN (SELECT failure FROM temporary_0) AND true
  AND true
UNION ALL
SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM total WHERE context = 0 AND true AND failure IN (SELECT failure FROM temporary_0) AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM temporary_0 WHERE context = 0 AND true AND failure IN (SELECT failure FROM temporary_0) AND true) AS t GROUP BY 1) SELECT c.failure AS failure, c.occurrences AS occurrences, c.digests AS digests FROM counts AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey')
;

CREATE INDEX temp.key_of_temporary_1 ON temporary_1 (failure);

WITH times AS (SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM (SELECT failure, first_seen, last_seen
FROM total
WHERE context = 0 AND failure IN (SELECT failure FROM temporary_1) UNION ALL SELECT failure, first_seen, last_seen
FROM temporary_0
WHERE context = 0 AND failure IN (SELECT failure FROM temporary_1)) AS t GROUP BY 1),
releases AS (
  SELECT failure, min(nullif(release, '(other releases)')) AS release
  FROM (SELECT s.failure AS failure, x.release AS release
FROM times AS s
CROSS JOIN (
  SELECT failure, first_seen, CAST(context AS bigint) AS context FROM total
  WHERE failure IN (SELECT failure FROM temporary_1)
) AS t ON t.failure = s.failure AND t.first_seen = s.first_seen
CROSS JOIN context AS x ON x.id = t.context
WHERE true
UNION ALL
SELECT s.failure AS failure, x.release AS release
FROM times AS s
CROSS JOIN (
  SELECT failure, first_seen, CAST(context AS bigint) AS context FROM temporary_0
  WHERE failure IN (SELECT failure FROM temporary_1)
) AS t ON t.failure = s.failure AND t.first_seen = s.first_seen
CROSS JOIN context AS x ON x.id = t.context
WHERE true) AS r GROUP BY 1
),
shown AS (
  SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests,
    min(first_seen) AS first_seen, max(last_seen) AS last_seen, min(release) AS release
  FROM (
    SELECT failure, occurrences, digests, NULL AS first_seen, NULL AS last_seen,
      NULL AS release
    FROM temporary_1 AS c
    UNION ALL SELECT failure, 0, 0, first_seen, last_seen, NULL FROM times
    UNION ALL SELECT failure, 0, 0, NULL, NULL, release FROM releases
  ) AS s
  GROUP BY 1
)
SELECT f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type, f.found_type, f.found_value, m.name, c.occurrences, c.digests, c.first_seen, c.last_seen,
  coalesce(c.release, '(other releases)'), c.failure
FROM shown AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
-- ClickHouse looks up no rows of a join.
WHERE f.id IN (SELECT failure FROM temporary_1)
ORDER BY c.occurrences DESC, m.name, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST;

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 24
  AND (start BETWEEN 16223 AND 2932896 OR span = 24 AND start = -1);

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 1
  AND (start BETWEEN 489888 AND 489911 OR span = 24 AND start = -1);

CREATE TEMP TABLE temporary_2 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_2 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 1763596800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 1763596800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o CROSS JOIN failure AS f ON f.id = o.failure
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey') GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, model;

SELECT  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context = 0 AND start >= 0
  AND start < 20412 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_2 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

SELECT sum(digests) FROM decodes WHERE span = 24 AND context = 0 AND start = -1;

CREATE TEMP TABLE temporary_3 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_3 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 253402300800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 253402300800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o CROSS JOIN failure AS f ON f.id = o.failure
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey') GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, model;

SELECT m.name,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context = 0 AND start >= -1
  AND start < 2932897 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_3 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

-- With a release, in a window

SELECT folded FROM store;

CREATE TEMP TABLE temporary_0 ("context" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER, "first_seen" INTEGER, "last_seen" INTEGER);

INSERT INTO temporary_0 WITH new AS MATERIALIZED (
  SELECT context, failure, sum(times) AS occurrences, count(DISTINCT id) AS digests,
    min(recorded_at) AS first_seen, max(recorded_at) AS last_seen
  FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2
)
SELECT * FROM new UNION ALL
SELECT 0, failure, sum(occurrences), sum(digests), min(first_seen), max(last_seen)
FROM new GROUP BY 2;

CREATE INDEX temp.key_of_temporary_0 ON temporary_0 (failure, context);

SELECT (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 1 AND context = 0 AND start >= 20413 * 24 AND start < (20413 + 1) * 24
) = (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 24 AND context = 0 AND start = 20413
);

SELECT (
  SELECT count(*) FROM digest
  WHERE recorded_at >= 489928 * 3600000 AND recorded_at < (489928 + 1) * 3600000
    AND CAST(id AS bigint) <= (SELECT folded FROM store)
) = (
  SELECT coalesce(sum(digests), 0) FROM decodes
  WHERE span = 1 AND context = 0 AND start = 489928
);

SELECT (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 1 AND context = 0 AND start >= 20417 * 24 AND start < (20417 + 1) * 24
) = (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 24 AND context = 0 AND start = 20417
);

SELECT (
  SELECT count(*) FROM digest
  WHERE recorded_at >= 490008 * 3600000 AND recorded_at < (490008 + 1) * 3600000
    AND CAST(id AS bigint) <= (SELECT folded FROM store)
) = (
  SELECT coalesce(sum(digests), 0) FROM decodes
  WHERE span = 1 AND context = 0 AND start = 490008
);

CREATE TEMP TABLE temporary_1 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_1 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763744001234 AND CAST(d.recorded_at AS bigint) < 1764032000567 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r
UNION ALL
SELECT context, start, failure, occurrences, digests
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.recorded_at >= 1763744001234 AND d.recorded_at < 1763744400000 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r
UNION ALL
SELECT context, start, failure, occurrences, digests
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.recorded_at >= 1764028800000 AND d.recorded_at < 1764032000567 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

CREATE TEMP TABLE temporary_2 ("failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_2 WITH  counts AS (SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489929
  AND start < 489936 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_1 WHERE true) AS c GROUP BY 1) SELECT c.failure AS failure, c.occurrences AS occurrences, c.digests AS digests FROM counts AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey')
;

CREATE INDEX temp.key_of_temporary_2 ON temporary_2 (failure);

WITH times AS (SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM (SELECT failure, first_seen, last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r
WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (SELECT failure FROM temporary_2) UNION ALL SELECT failure, first_seen, last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM temporary_0) AS r
WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (SELECT failure FROM temporary_2)) AS t GROUP BY 1),
releases AS (
  SELECT failure, min(nullif(release, '(other releases)')) AS release
  FROM (SELECT s.failure AS failure, x.release AS release
FROM times AS s
CROSS JOIN (
  SELECT failure, first_seen, CAST(context AS bigint) AS context FROM total
  WHERE failure IN (SELECT failure FROM temporary_2)
) AS t ON t.failure = s.failure AND t.first_seen = s.first_seen
CROSS JOIN context AS x ON x.id = t.context
WHERE x.id IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2'))))
UNION ALL
SELECT s.failure AS failure, x.release AS release
FROM times AS s
CROSS JOIN (
  SELECT failure, first_seen, CAST(context AS bigint) AS context FROM temporary_0
  WHERE failure IN (SELECT failure FROM temporary_2)
) AS t ON t.failure = s.failure AND t.first_seen = s.first_seen
CROSS JOIN context AS x ON x.id = t.context
WHERE x.id IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2'))))) AS r GROUP BY 1
),
shown AS (
  SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests,
    min(first_seen) AS first_seen, max(last_seen) AS last_seen, min(release) AS release
  FROM (
    SELECT failure, occurrences, digests, NULL AS first_seen, NULL AS last_seen,
      NULL AS release
    FROM temporary_2 AS c
    UNION ALL SELECT failure, 0, 0, first_seen, last_seen, NULL FROM times
    UNION ALL SELECT failure, 0, 0, NULL, NULL, release FROM releases
  ) AS s
  GROUP BY 1
)
SELECT f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type, f.found_type, f.found_value, m.name, c.occurrences, c.digests, c.first_seen, c.last_seen,
  coalesce(c.release, '(other releases)'), c.failure
FROM shown AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
-- ClickHouse looks up no rows of a join.
WHERE f.id IN (SELECT failure FROM temporary_2)
ORDER BY c.occurrences DESC, m.name, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST;

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 24
  AND (start BETWEEN 16223 AND 2932896 OR span = 24 AND start = -1);

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 1
  AND (start BETWEEN 489888 AND 489911 OR span = 24 AND start = -1);

CREATE TEMP TABLE temporary_3 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_3 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763740800000 AND CAST(d.recorded_at AS bigint) < 1764032400000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763740800000 AND CAST(d.recorded_at AS bigint) < 1764032400000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o CROSS JOIN failure AS f ON f.id = o.failure
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey') GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, model;

SELECT m.name,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489928
  AND start < 489936 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 490008
  AND start < 490009 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_3 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

CREATE TEMP TABLE temporary_4 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_4 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763740800000 AND CAST(d.recorded_at AS bigint) < 1764032400000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

SELECT c.failure, '', sum(c.digests)
FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489928
  AND start < 489936 AND failure IN (SELECT failure FROM temporary_2)
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND failure IN (SELECT failure FROM temporary_2)
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 490008
  AND start < 490009 AND failure IN (SELECT failure FROM temporary_2)
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_4 WHERE failure IN (SELECT failure FROM temporary_2)) AS c  GROUP BY 1, 2;
