-- Without a filter

SELECT folded FROM store;

CREATE TEMP TABLE temporary_0 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_0 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 253402300800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

SELECT f.id, m.name, f.coding_path, f.kind, (f.kind IN ('keyNotFound', 'missingKey', 'unknownKey')), c.digests
FROM (SELECT failure, sum(digests) AS digests FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM total WHERE context = 0 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'missingKey', 'unknownKey')))
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_0 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'missingKey', 'unknownKey')))) AS t GROUP BY 1) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model;

CREATE TEMP TABLE temporary_1 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_1 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
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
FROM temporary_1 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

SELECT  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context = 0 AND start >= -1
  AND start < 2932897 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_1 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

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

CREATE TEMP TABLE temporary_3 ("context" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER, "first_seen" INTEGER, "last_seen" INTEGER);

INSERT INTO temporary_3 WITH new AS MATERIALIZED (
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

CREATE INDEX temp.key_of_temporary_3 ON temporary_3 (failure, context);

WITH counts AS (
  SELECT r.failure AS failure, '' AS part,
    sum(r.occurrences) AS occurrences, min(r.first_seen) AS first_seen,
    max(r.last_seen) AS last_seen
  FROM (SELECT failure, context, occurrences, digests, first_seen, last_seen, 1 AS counted
FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM total WHERE context = 0 AND true AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM temporary_3 WHERE context = 0 AND true AND true) AS t) AS r 
  GROUP BY 1, 2 HAVING sum(r.counted) > 0
)
SELECT m.name, c.part, sum(c.occurrences), count(*),
  sum(CASE WHEN f.novel_value IS NOT NULL THEN 1 ELSE 0 END), min(c.first_seen), max(c.last_seen)
FROM counts AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey')
GROUP BY 1, 2;

SELECT min(t.first_seen), max(t.last_seen) FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM total WHERE context = 0 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other'))) AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM temporary_3 WHERE context = 0 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other'))) AND true) AS t
CROSS JOIN failure AS f ON f.id = t.failure CROSS JOIN model AS m ON m.id = f.model
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other'));

SELECT max(d.start) FROM decodes AS d CROSS JOIN model AS m ON m.id = d.model
WHERE d.context = 0 AND d.span = 1 AND d.start BETWEEN 0 AND 70389527
  AND d.decodes > digests AND true;

SELECT failure, min(first_seen) FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM total WHERE context = 0 AND true AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM temporary_3 WHERE context = 0 AND true AND true) AS t
WHERE first_seen < 1763424000000 GROUP BY 1;

SELECT DISTINCT failure FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM total WHERE context = 0 AND true AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM temporary_3 WHERE context = 0 AND true AND true) AS t
WHERE first_seen < 1401667200000;

CREATE TEMP TABLE temporary_4 ("failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_4 WITH  counts AS (SELECT failure, occurrences, digests FROM total
WHERE context = 0 AND failure NOT IN (SELECT failure FROM temporary_3) AND true
  AND true
UNION ALL
SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM total WHERE context = 0 AND true AND failure IN (SELECT failure FROM temporary_3) AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM temporary_3 WHERE context = 0 AND true AND failure IN (SELECT failure FROM temporary_3) AND true) AS t GROUP BY 1) SELECT c.failure AS failure, c.occurrences AS occurrences, c.digests AS digests FROM counts AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey')
;

CREATE INDEX temp.key_of_temporary_4 ON temporary_4 (failure);

WITH times AS (SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM (SELECT failure, first_seen, last_seen
FROM total
WHERE context = 0 AND failure IN (SELECT failure FROM temporary_4) UNION ALL SELECT failure, first_seen, last_seen
FROM temporary_3
WHERE context = 0 AND failure IN (SELECT failure FROM temporary_4)) AS t GROUP BY 1),

shown AS (
  SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests,
    min(first_seen) AS first_seen, max(last_seen) AS last_seen, min(release) AS release
  FROM (
    SELECT failure, occurrences, digests, NULL AS first_seen, NULL AS last_seen,
      NULL AS release
    FROM temporary_4 AS c
    UNION ALL SELECT failure, 0, 0, first_seen, last_seen, NULL FROM times
    
  ) AS s
  GROUP BY 1
)
SELECT f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type, f.found_type, f.found_value, m.name, c.occurrences, c.digests, c.first_seen, c.last_seen,
  '', c.failure
FROM shown AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
-- ClickHouse looks up no rows of a join.
WHERE f.id IN (SELECT failure FROM temporary_4)
ORDER BY c.occurrences DESC, m.name, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST;

CREATE TEMP TABLE temporary_5 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_5 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763424000000 AND CAST(d.recorded_at AS bigint) < 1764028800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

SELECT failure, sum(occurrences), sum(digests)
FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context = 0 AND start >= 20410
  AND start < 20417 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_5 WHERE true) AS c GROUP BY 1;

CREATE TEMP TABLE temporary_6 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_6 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763424000000 AND CAST(d.recorded_at AS bigint) < 1763596800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763424000000 AND CAST(d.recorded_at AS bigint) < 1763596800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
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
WHERE span = 24 AND context = 0 AND start >= 20410
  AND start < 20412 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_6 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

CREATE TEMP TABLE temporary_7 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_7 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763424000000 AND CAST(d.recorded_at AS bigint) < 1764028800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763424000000 AND CAST(d.recorded_at AS bigint) < 1764028800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
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
WHERE span = 24 AND context = 0 AND start >= 20410
  AND start < 20417 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_7 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

SELECT DISTINCT hour / 24 FROM loss
WHERE reason = 'undated' AND hour BETWEEN 489840 AND 489984;

CREATE TEMP TABLE temporary_8 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_8 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1762819200000 AND CAST(d.recorded_at AS bigint) < 1763424000000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

SELECT failure, sum(occurrences), sum(digests)
FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context = 0 AND start >= 20403
  AND start < 20410 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_8 WHERE true) AS c GROUP BY 1;

CREATE TEMP TABLE temporary_9 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_9 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1762819200000 AND CAST(d.recorded_at AS bigint) < 1763424000000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1762819200000 AND CAST(d.recorded_at AS bigint) < 1763424000000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
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
WHERE span = 24 AND context = 0 AND start >= 20403
  AND start < 20410 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_9 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

SELECT DISTINCT hour / 24 FROM loss
WHERE reason = 'undated' AND hour BETWEEN 489672 AND 489816;

CREATE TEMP TABLE temporary_10 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_10 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1762819200000 AND CAST(d.recorded_at AS bigint) < 1763596800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1762819200000 AND CAST(d.recorded_at AS bigint) < 1763596800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
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
WHERE span = 24 AND context = 0 AND start >= 20403
  AND start < 20412 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_10 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

CREATE TEMP TABLE temporary_11 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_11 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1762819200000 AND CAST(d.recorded_at AS bigint) < 1764028800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1762819200000 AND CAST(d.recorded_at AS bigint) < 1764028800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
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
WHERE span = 24 AND context = 0 AND start >= 20403
  AND start < 20417 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_11 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

SELECT m.name,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, 0 AS context, start * 3600000 / 3600000 * 3600000 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context = 0 AND start >= 489672
  AND start < 490008 AND true
UNION ALL
SELECT model, 0 AS context, start * 3600000 / 3600000 * 3600000 AS start, decodes, digests, failed, occurrences
FROM temporary_11 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

CREATE TEMP TABLE temporary_12 ("failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_12 WITH  counts AS (SELECT failure, occurrences, digests FROM total
WHERE context = 0 AND failure NOT IN (SELECT failure FROM temporary_3) AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('missingKey')))
  AND true
UNION ALL
SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM total WHERE context = 0 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('missingKey'))) AND failure IN (SELECT failure FROM temporary_3) AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM temporary_3 WHERE context = 0 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('missingKey'))) AND failure IN (SELECT failure FROM temporary_3) AND true) AS t GROUP BY 1) SELECT c.failure AS failure, c.occurrences AS occurrences, c.digests AS digests FROM counts AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
WHERE (f.kind IN ('missingKey'))
;

CREATE INDEX temp.key_of_temporary_12 ON temporary_12 (failure);

WITH times AS (SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM (SELECT failure, first_seen, last_seen
FROM total
WHERE context = 0 AND failure IN (SELECT failure FROM temporary_12) UNION ALL SELECT failure, first_seen, last_seen
FROM temporary_3
WHERE context = 0 AND failure IN (SELECT failure FROM temporary_12)) AS t GROUP BY 1),

shown AS (
  SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests,
    min(first_seen) AS first_seen, max(last_seen) AS last_seen, min(release) AS release
  FROM (
    SELECT failure, occurrences, digests, NULL AS first_seen, NULL AS last_seen,
      NULL AS release
    FROM temporary_12 AS c
    UNION ALL SELECT failure, 0, 0, first_seen, last_seen, NULL FROM times
    
  ) AS s
  GROUP BY 1
)
SELECT f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type, f.found_type, f.found_value, m.name, c.occurrences, c.digests, c.first_seen, c.last_seen,
  '', c.failure
FROM shown AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
-- ClickHouse looks up no rows of a join.
WHERE f.id IN (SELECT failure FROM temporary_12)
ORDER BY c.occurrences DESC, m.name, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST;

SELECT m.name,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, 0 AS context, start * 86400000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context = 0 AND start >= 0
  AND start < 2932897 AND true
UNION ALL
SELECT model, 0 AS context, start * 3600000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM temporary_1 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

SELECT (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 1 AND context = 0 AND start >= 20412 * 24 AND start < (20412 + 1) * 24
) = (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 24 AND context = 0 AND start = 20412
);

SELECT (
  SELECT count(*) FROM digest
  WHERE recorded_at >= 489888 * 3600000 AND recorded_at < (489888 + 1) * 3600000
    AND CAST(id AS bigint) <= (SELECT folded FROM store)
) = (
  SELECT coalesce(sum(digests), 0) FROM decodes
  WHERE span = 1 AND context = 0 AND start = 489888
);

SELECT (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 1 AND context = 0 AND start >= 20416 * 24 AND start < (20416 + 1) * 24
) = (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 24 AND context = 0 AND start = 20416
);

SELECT (
  SELECT count(*) FROM digest
  WHERE recorded_at >= 489987 * 3600000 AND recorded_at < (489987 + 1) * 3600000
    AND CAST(id AS bigint) <= (SELECT folded FROM store)
) = (
  SELECT coalesce(sum(digests), 0) FROM decodes
  WHERE span = 1 AND context = 0 AND start = 489987
);

SELECT DISTINCT hour / 24 FROM loss
WHERE reason = 'undated' AND hour BETWEEN 489888 AND 489984;

CREATE TEMP TABLE temporary_13 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_13 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT context AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 253402300800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT context, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
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

SELECT m.name, x.release, x.environment, x.operation, CASE WHEN o.name <> '' THEN o.name ELSE o.identity END,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context) AND start >= -1
  AND start < 2932897 AND true
UNION ALL
SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_13 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model CROSS JOIN context AS x ON x.id = c.context CROSS JOIN source AS o ON o.id = x.source
WHERE true GROUP BY 1, 2, 3, 4, 5, 6;

CREATE TEMP TABLE temporary_14 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_14 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT context AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 253402300800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

SELECT c.failure, x.release, x.environment, x.operation, CASE WHEN o.name <> '' THEN o.name ELSE o.identity END,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, context, 0 AS start, occurrences, digests
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r WHERE context IN (SELECT id FROM context) AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM temporary_14 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model CROSS JOIN context AS x ON x.id = c.context CROSS JOIN source AS o ON o.id = x.source
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')) GROUP BY 1, 2, 3, 4, 5, 6 LIMIT 200001;

SELECT c.failure, x.release, x.environment, x.operation, CASE WHEN o.name <> '' THEN o.name ELSE o.identity END,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, context, start * 86400000 / 86400000 * 86400000 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context) AND start >= 0
  AND start < 2932897 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')))
UNION ALL
SELECT failure, context, start * 3600000 / 86400000 * 86400000 AS start, occurrences, digests
FROM temporary_14 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model CROSS JOIN context AS x ON x.id = c.context CROSS JOIN source AS o ON o.id = x.source
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')) GROUP BY 1, 2, 3, 4, 5, 6 LIMIT 200001;

SELECT c.failure, x.release, x.environment, x.operation, CASE WHEN o.name <> '' THEN o.name ELSE o.identity END,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, context, 0 AS start, occurrences, digests
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r WHERE context IN (SELECT id FROM context) AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM temporary_14 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model CROSS JOIN context AS x ON x.id = c.context CROSS JOIN source AS o ON o.id = x.source
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')) GROUP BY 1, 2, 3, 4, 5, 6;

SELECT c.failure,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, 0 AS context, start * 86400000 / 86400000 * 86400000 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context = 0 AND start >= 0
  AND start < 2932897 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')))
UNION ALL
SELECT failure, 0 AS context, start * 3600000 / 86400000 * 86400000 AS start, occurrences, digests
FROM temporary_0 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model 
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')) GROUP BY 1, 2;

SELECT c.failure, x.operation,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, context, 0 AS start, occurrences, digests
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r WHERE context IN (SELECT id FROM context) AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM temporary_14 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model CROSS JOIN context AS x ON x.id = c.context
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')) GROUP BY 1, 2, 3;

CREATE TEMP TABLE temporary_15 ("failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_15 WITH  counts AS (SELECT failure, occurrences, digests FROM total
WHERE context = 0 AND failure NOT IN (SELECT failure FROM temporary_3) AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]')))
  AND true
UNION ALL
SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM total WHERE context = 0 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]'))) AND failure IN (SELECT failure FROM temporary_3) AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM temporary_3 WHERE context = 0 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]'))) AND failure IN (SELECT failure FROM temporary_3) AND true) AS t GROUP BY 1) SELECT c.failure AS failure, c.occurrences AS occurrences, c.digests AS digests FROM counts AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]'))
ORDER BY c.occurrences DESC, m.name, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST LIMIT 16;

CREATE INDEX temp.key_of_temporary_15 ON temporary_15 (failure);

WITH times AS (SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM (SELECT failure, first_seen, last_seen
FROM total
WHERE context = 0 AND failure IN (SELECT failure FROM temporary_15) UNION ALL SELECT failure, first_seen, last_seen
FROM temporary_3
WHERE context = 0 AND failure IN (SELECT failure FROM temporary_15)) AS t GROUP BY 1),
releases AS (
  SELECT failure, min(nullif(release, '(other releases)')) AS release
  FROM (SELECT s.failure AS failure, x.release AS release
FROM times AS s
CROSS JOIN (
  SELECT failure, first_seen, CAST(context AS bigint) AS context FROM total
  WHERE failure IN (SELECT failure FROM temporary_15)
) AS t ON t.failure = s.failure AND t.first_seen = s.first_seen
CROSS JOIN context AS x ON x.id = t.context
WHERE true
UNION ALL
SELECT s.failure AS failure, x.release AS release
FROM times AS s
CROSS JOIN (
  SELECT failure, first_seen, CAST(context AS bigint) AS context FROM temporary_3
  WHERE failure IN (SELECT failure FROM temporary_15)
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
    FROM temporary_15 AS c
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
WHERE f.id IN (SELECT failure FROM temporary_15)
ORDER BY c.occurrences DESC, m.name, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST;

SELECT DISTINCT t.failure, x.release
FROM (SELECT failure, context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT CAST(context AS bigint) AS context, failure, occurrences, digests, first_seen, last_seen FROM total) AS r WHERE context IN (SELECT id FROM context) AND true AND failure IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]'))
UNION ALL
SELECT failure, context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT CAST(context AS bigint) AS context, failure, occurrences, digests, first_seen, last_seen FROM temporary_3) AS r WHERE context IN (SELECT id FROM context) AND true AND failure IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]'))) AS t
CROSS JOIN context AS x ON x.id = t.context;

CREATE TEMP TABLE temporary_16 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_16 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT context AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763596800000 AND CAST(d.recorded_at AS bigint) < 253402300800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT context, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763596800000 AND CAST(d.recorded_at AS bigint) < 253402300800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o CROSS JOIN failure AS f ON f.id = o.failure
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey') GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, model;

SELECT m.name, x.release,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, context, start * 86400000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context) AND start >= 20412
  AND start < 2932897 AND true
UNION ALL
SELECT model, context, start * 3600000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM temporary_16 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model CROSS JOIN context AS x ON x.id = c.context
WHERE true GROUP BY 1, 2, 3;

SELECT f.id, f.message FROM failure AS f WHERE f.id IN (SELECT value FROM json_each('[9,4,1,12,11,5,10,8,7,2,16,6,15,3,14,13]'));

SELECT  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, 0 AS context, start * 86400000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context = 0 AND start >= 0
  AND start < 2932897 AND true
UNION ALL
SELECT model, 0 AS context, start * 3600000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM temporary_1 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

CREATE TEMP TABLE temporary_17 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_17 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT context AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 1763600399999 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT context, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 1763600399999 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o CROSS JOIN failure AS f ON f.id = o.failure
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey') GROUP BY 1, 2, 3) AS r
UNION ALL
SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT context AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.recorded_at >= 1763596800000 AND d.recorded_at < 1763600399999 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT context, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.recorded_at >= 1763596800000 AND d.recorded_at < 1763600399999 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o CROSS JOIN failure AS f ON f.id = o.failure
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey') GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, model;

SELECT x.release,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context) AND start >= 0
  AND start < 20412 AND true
UNION ALL
SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_17 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model CROSS JOIN context AS x ON x.id = c.context
WHERE true GROUP BY 1, 2;

SELECT x.release,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, context, start * 86400000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context) AND start >= 0
  AND start < 2932897 AND true
UNION ALL
SELECT model, context, start * 3600000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM temporary_13 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model CROSS JOIN context AS x ON x.id = c.context
WHERE true GROUP BY 1, 2;

SELECT max(start) FROM (
  SELECT start FROM (
    SELECT start, decodes FROM decodes
    WHERE span = 24 AND context = 0 AND start BETWEEN 20403 AND 20416
    UNION ALL
    SELECT start / 24, -decodes FROM decodes
    WHERE span = 1 AND context = 0 AND start BETWEEN 20403 * 24 AND 20416 * 24 + 23
  ) AS d
  -- Hours without their day belong to deleted counts.
  GROUP BY 1 HAVING sum(decodes) <> 0 AND max(decodes) > 0
  UNION ALL
  SELECT hour / 24 FROM loss
  WHERE reason = 'undated' AND hour BETWEEN 20403 * 24 AND 20416 * 24 + 23
) AS days;

SELECT DISTINCT hour / 24 FROM loss
WHERE reason = 'undated' AND hour BETWEEN 489672 AND 489984;

SELECT f.kind,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context = 0 AND start >= 20410
  AND start < 20417 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('converted', 'missingKey', 'unknownKey')))
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_5 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('converted', 'missingKey', 'unknownKey')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model 
WHERE (f.kind IN ('converted', 'missingKey', 'unknownKey')) GROUP BY 1, 2;

SELECT f.kind,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM total WHERE context = 0 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('converted', 'missingKey', 'unknownKey')))
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_0 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('converted', 'missingKey', 'unknownKey')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model 
WHERE (f.kind IN ('converted', 'missingKey', 'unknownKey')) GROUP BY 1, 2;

-- With a release, in a window

SELECT folded FROM store;

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

CREATE TEMP TABLE temporary_0 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_0 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
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

SELECT f.id, m.name, f.coding_path, f.kind, (f.kind IN ('keyNotFound', 'missingKey', 'unknownKey')), c.digests
FROM (SELECT failure, sum(digests) AS digests FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489929
  AND start < 489936 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'missingKey', 'unknownKey')))
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'missingKey', 'unknownKey')))
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_0 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'missingKey', 'unknownKey')))) AS t GROUP BY 1) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model;

CREATE TEMP TABLE temporary_1 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_1 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763744001234 AND CAST(d.recorded_at AS bigint) < 1764032000567 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763744001234 AND CAST(d.recorded_at AS bigint) < 1764032000567 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o CROSS JOIN failure AS f ON f.id = o.failure
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey') GROUP BY 1, 2, 3) AS r
UNION ALL
SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.recorded_at >= 1763744001234 AND d.recorded_at < 1763744400000 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.recorded_at >= 1763744001234 AND d.recorded_at < 1763744400000 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o CROSS JOIN failure AS f ON f.id = o.failure
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey') GROUP BY 1, 2, 3) AS r
UNION ALL
SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.recorded_at >= 1764028800000 AND d.recorded_at < 1764032000567 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.recorded_at >= 1764028800000 AND d.recorded_at < 1764032000567 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
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
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489929
  AND start < 489936 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_1 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

SELECT  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489929
  AND start < 489936 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_1 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

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
FROM temporary_2 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

CREATE TEMP TABLE temporary_3 ("context" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER, "first_seen" INTEGER, "last_seen" INTEGER);

INSERT INTO temporary_3 WITH new AS MATERIALIZED (
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

CREATE INDEX temp.key_of_temporary_3 ON temporary_3 (failure, context);

WITH counts AS (
  SELECT r.failure AS failure, '' AS part,
    sum(r.occurrences) AS occurrences, min(r.first_seen) AS first_seen,
    max(r.last_seen) AS last_seen
  FROM (WITH in_window AS MATERIALIZED (
  SELECT failure, context, sum(occurrences) AS occurrences, sum(digests) AS digests
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
FROM temporary_0 WHERE true) AS c GROUP BY 1, 2
)
SELECT failure, context, occurrences, digests, NULL AS first_seen, NULL AS last_seen,
  1 AS counted
FROM in_window
UNION ALL
SELECT failure, context, 0, 0, first_seen, last_seen, 0
FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND true AND failure IN (SELECT failure FROM in_window)
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM temporary_3) AS r WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND true AND failure IN (SELECT failure FROM in_window)) AS t) AS r 
  GROUP BY 1, 2 HAVING sum(r.counted) > 0
)
SELECT m.name, c.part, sum(c.occurrences), count(*),
  sum(CASE WHEN f.novel_value IS NOT NULL THEN 1 ELSE 0 END), min(c.first_seen), max(c.last_seen)
FROM counts AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey')
GROUP BY 1, 2;

SELECT max(d.start) FROM decodes AS d CROSS JOIN model AS m ON m.id = d.model
WHERE d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.span = 1 AND d.start BETWEEN 0 AND 70389527
  AND d.decodes > digests AND true;

SELECT failure, min(first_seen) FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM total WHERE context = 0 AND true AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM temporary_3 WHERE context = 0 AND true AND true) AS t
WHERE first_seen < 1763744001234 GROUP BY 1;

SELECT DISTINCT failure FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM total WHERE context = 0 AND true AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM temporary_3 WHERE context = 0 AND true AND true) AS t
WHERE first_seen < 1401667200000;

SELECT failure, sum(occurrences), sum(digests)
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
FROM temporary_0 WHERE true) AS c GROUP BY 1;

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
  AND start < 489936 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 490008
  AND start < 490009 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_4 WHERE true) AS c  GROUP BY 1, 2;

SELECT DISTINCT hour / 24 FROM loss
WHERE reason = 'undated' AND hour BETWEEN 489912 AND 490008;

SELECT (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 1 AND context = 0 AND start >= 20410 * 24 AND start < (20410 + 1) * 24
) = (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 24 AND context = 0 AND start = 20410
);

CREATE TEMP TABLE temporary_5 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_5 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763452800000 AND CAST(d.recorded_at AS bigint) < 1763740800000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

SELECT failure, sum(occurrences), sum(digests)
FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489848
  AND start < 489864 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20411
  AND start < 20413 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489912
  AND start < 489928 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_5 WHERE true) AS c GROUP BY 1;

CREATE TEMP TABLE temporary_6 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_6 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763452800000 AND CAST(d.recorded_at AS bigint) < 1763596800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763452800000 AND CAST(d.recorded_at AS bigint) < 1763596800000 AND true AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
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
WHERE span = 1 AND context = 0 AND start >= 489848
  AND start < 489864 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context = 0 AND start >= 20411
  AND start < 20412 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_6 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

CREATE TEMP TABLE temporary_7 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_7 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763452800000 AND CAST(d.recorded_at AS bigint) < 1763740800000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763452800000 AND CAST(d.recorded_at AS bigint) < 1763740800000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
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
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489848
  AND start < 489864 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20411
  AND start < 20413 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489912
  AND start < 489928 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_7 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

SELECT DISTINCT hour / 24 FROM loss
WHERE reason = 'undated' AND hour BETWEEN 489840 AND 489912;

CREATE TEMP TABLE temporary_8 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_8 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763452800000 AND CAST(d.recorded_at AS bigint) < 1764032400000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763452800000 AND CAST(d.recorded_at AS bigint) < 1764032400000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
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
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489848
  AND start < 489864 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20411
  AND start < 20417 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 490008
  AND start < 490009 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_8 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

SELECT m.name,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, 0 AS context, start * 3600000 / 3600000 * 3600000 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489848
  AND start < 490009 AND true
UNION ALL
SELECT model, 0 AS context, start * 3600000 / 3600000 * 3600000 AS start, decodes, digests, failed, occurrences
FROM temporary_8 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

CREATE TEMP TABLE temporary_9 ("failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_9 WITH  counts AS (SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND true AND true AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM temporary_3) AS r WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND true AND true AND true) AS t GROUP BY 1) SELECT c.failure AS failure, c.occurrences AS occurrences, c.digests AS digests FROM counts AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey')
;

CREATE INDEX temp.key_of_temporary_9 ON temporary_9 (failure);

WITH times AS (SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM (SELECT failure, first_seen, last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r
WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (SELECT failure FROM temporary_9) UNION ALL SELECT failure, first_seen, last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM temporary_3) AS r
WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (SELECT failure FROM temporary_9)) AS t GROUP BY 1),

shown AS (
  SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests,
    min(first_seen) AS first_seen, max(last_seen) AS last_seen, min(release) AS release
  FROM (
    SELECT failure, occurrences, digests, NULL AS first_seen, NULL AS last_seen,
      NULL AS release
    FROM temporary_9 AS c
    UNION ALL SELECT failure, 0, 0, first_seen, last_seen, NULL FROM times
    
  ) AS s
  GROUP BY 1
)
SELECT f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type, f.found_type, f.found_value, m.name, c.occurrences, c.digests, c.first_seen, c.last_seen,
  '', c.failure
FROM shown AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
-- ClickHouse looks up no rows of a join.
WHERE f.id IN (SELECT failure FROM temporary_9)
ORDER BY c.occurrences DESC, m.name, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST;

CREATE TEMP TABLE temporary_10 ("failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_10 WITH  counts AS (SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('missingKey'))) AND true AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM temporary_3) AS r WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('missingKey'))) AND true AND true) AS t GROUP BY 1) SELECT c.failure AS failure, c.occurrences AS occurrences, c.digests AS digests FROM counts AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
WHERE (f.kind IN ('missingKey'))
;

CREATE INDEX temp.key_of_temporary_10 ON temporary_10 (failure);

WITH times AS (SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM (SELECT failure, first_seen, last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r
WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (SELECT failure FROM temporary_10) UNION ALL SELECT failure, first_seen, last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM temporary_3) AS r
WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (SELECT failure FROM temporary_10)) AS t GROUP BY 1),

shown AS (
  SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests,
    min(first_seen) AS first_seen, max(last_seen) AS last_seen, min(release) AS release
  FROM (
    SELECT failure, occurrences, digests, NULL AS first_seen, NULL AS last_seen,
      NULL AS release
    FROM temporary_10 AS c
    UNION ALL SELECT failure, 0, 0, first_seen, last_seen, NULL FROM times
    
  ) AS s
  GROUP BY 1
)
SELECT f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type, f.found_type, f.found_value, m.name, c.occurrences, c.digests, c.first_seen, c.last_seen,
  '', c.failure
FROM shown AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
-- ClickHouse looks up no rows of a join.
WHERE f.id IN (SELECT failure FROM temporary_10)
ORDER BY c.occurrences DESC, m.name, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST;

SELECT max(start) FROM (
  SELECT start FROM (
    SELECT start, decodes FROM decodes
    WHERE span = 24 AND context = 0 AND start BETWEEN 20413 AND 20417
    UNION ALL
    SELECT start / 24, -decodes FROM decodes
    WHERE span = 1 AND context = 0 AND start BETWEEN 20413 * 24 AND 20417 * 24 + 23
  ) AS d
  -- Hours without their day belong to deleted counts.
  GROUP BY 1 HAVING sum(decodes) <> 0 AND max(decodes) > 0
  UNION ALL
  SELECT hour / 24 FROM loss
  WHERE reason = 'undated' AND hour BETWEEN 20413 * 24 AND 20417 * 24 + 23
) AS days;

CREATE TEMP TABLE temporary_11 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_11 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT context AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763740800000 AND CAST(d.recorded_at AS bigint) < 1764032400000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT context, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
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

SELECT m.name, x.release, x.environment, x.operation, CASE WHEN o.name <> '' THEN o.name ELSE o.identity END,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489928
  AND start < 489936 AND true
UNION ALL
SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND true
UNION ALL
SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 490008
  AND start < 490009 AND true
UNION ALL
SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_11 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model CROSS JOIN context AS x ON x.id = c.context CROSS JOIN source AS o ON o.id = x.source
WHERE true GROUP BY 1, 2, 3, 4, 5, 6;

CREATE TEMP TABLE temporary_12 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_12 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT context AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
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
FROM (SELECT context AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
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
FROM (SELECT context AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.recorded_at >= 1764028800000 AND d.recorded_at < 1764032000567 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

SELECT c.failure, x.release, x.environment, x.operation, CASE WHEN o.name <> '' THEN o.name ELSE o.identity END,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489929
  AND start < 489936 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM temporary_12 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model CROSS JOIN context AS x ON x.id = c.context CROSS JOIN source AS o ON o.id = x.source
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')) GROUP BY 1, 2, 3, 4, 5, 6 LIMIT 200001;

SELECT c.failure, x.release, x.environment, x.operation, CASE WHEN o.name <> '' THEN o.name ELSE o.identity END,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, context, start * 3600000 / 3600000 * 3600000 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489929
  AND start < 490008 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, context, start * 3600000 / 3600000 * 3600000 AS start, occurrences, digests
FROM temporary_12 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model CROSS JOIN context AS x ON x.id = c.context CROSS JOIN source AS o ON o.id = x.source
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')) GROUP BY 1, 2, 3, 4, 5, 6 LIMIT 200001;

CREATE TEMP TABLE temporary_13 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_13 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT context AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763740800000 AND CAST(d.recorded_at AS bigint) < 1764032400000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

SELECT c.failure, x.release, x.environment, x.operation, CASE WHEN o.name <> '' THEN o.name ELSE o.identity END,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489928
  AND start < 489936 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 490008
  AND start < 490009 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM temporary_13 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model CROSS JOIN context AS x ON x.id = c.context CROSS JOIN source AS o ON o.id = x.source
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')) GROUP BY 1, 2, 3, 4, 5, 6;

SELECT c.failure,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, 0 AS context, start * 3600000 / 3600000 * 3600000 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489929
  AND start < 490008 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, 0 AS context, start * 3600000 / 3600000 * 3600000 AS start, occurrences, digests
FROM temporary_0 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model 
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')) GROUP BY 1, 2;

SELECT c.failure, x.operation,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489929
  AND start < 489936 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM temporary_12 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model CROSS JOIN context AS x ON x.id = c.context
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')) GROUP BY 1, 2, 3;

CREATE TEMP TABLE temporary_14 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_14 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT context AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 1763452800000 AND CAST(d.recorded_at AS bigint) < 1763740800000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

SELECT c.failure, x.operation,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489848
  AND start < 489864 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20411
  AND start < 20413 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489912
  AND start < 489928 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))
UNION ALL
SELECT failure, context, 0 AS start, occurrences, digests
FROM temporary_14 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model CROSS JOIN context AS x ON x.id = c.context
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]')) GROUP BY 1, 2, 3;

CREATE TEMP TABLE temporary_15 ("failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_15 WITH  counts AS (SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]'))) AND true AND true
UNION ALL
SELECT failure, 0 AS context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM temporary_3) AS r WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]'))) AND true AND true) AS t GROUP BY 1) SELECT c.failure AS failure, c.occurrences AS occurrences, c.digests AS digests FROM counts AS c CROSS JOIN failure AS f ON f.id = c.failure
CROSS JOIN model AS m ON m.id = f.model
WHERE (f.kind IN ('keyNotFound', 'valueNotFound', 'typeMismatch', 'dataCorrupted', 'unknownNovelValue', 'converted', 'missingKey', 'unknownKey', 'other')) AND f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]'))
ORDER BY c.occurrences DESC, m.name, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST LIMIT 16;

CREATE INDEX temp.key_of_temporary_15 ON temporary_15 (failure);

WITH times AS (SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM (SELECT failure, first_seen, last_seen
FROM (SELECT CAST(context AS bigint) AS context, failure, occurrences, digests, first_seen, last_seen FROM total) AS r
WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (SELECT failure FROM temporary_15) UNION ALL SELECT failure, first_seen, last_seen
FROM (SELECT CAST(context AS bigint) AS context, failure, occurrences, digests, first_seen, last_seen FROM temporary_3) AS r
WHERE context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND failure IN (SELECT failure FROM temporary_15)) AS t GROUP BY 1),
releases AS (
  SELECT failure, min(nullif(release, '(other releases)')) AS release
  FROM (SELECT s.failure AS failure, x.release AS release
FROM times AS s
CROSS JOIN (
  SELECT failure, first_seen, CAST(context AS bigint) AS context FROM total
  WHERE failure IN (SELECT failure FROM temporary_15)
) AS t ON t.failure = s.failure AND t.first_seen = s.first_seen
CROSS JOIN context AS x ON x.id = t.context
WHERE x.id IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2'))))
UNION ALL
SELECT s.failure AS failure, x.release AS release
FROM times AS s
CROSS JOIN (
  SELECT failure, first_seen, CAST(context AS bigint) AS context FROM temporary_3
  WHERE failure IN (SELECT failure FROM temporary_15)
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
    FROM temporary_15 AS c
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
WHERE f.id IN (SELECT failure FROM temporary_15)
ORDER BY c.occurrences DESC, m.name, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST;

SELECT DISTINCT t.failure, x.release
FROM (SELECT failure, context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT CAST(context AS bigint) AS context, failure, occurrences, digests, first_seen, last_seen FROM total) AS r WHERE context IN (SELECT id FROM context) AND true AND failure IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]'))
UNION ALL
SELECT failure, context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT CAST(context AS bigint) AS context, failure, occurrences, digests, first_seen, last_seen FROM temporary_3) AS r WHERE context IN (SELECT id FROM context) AND true AND failure IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]'))) AS t
CROSS JOIN context AS x ON x.id = t.context;

SELECT m.name, x.release,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, context, start * 3600000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489928
  AND start < 489936 AND true
UNION ALL
SELECT model, context, start * 86400000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND true
UNION ALL
SELECT model, context, start * 3600000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 490008
  AND start < 490009 AND true
UNION ALL
SELECT model, context, start * 3600000 / 86400000 * 86400000 AS start, decodes, digests, failed, occurrences
FROM temporary_11 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model CROSS JOIN context AS x ON x.id = c.context
WHERE true GROUP BY 1, 2, 3;

SELECT f.id, f.message FROM failure AS f WHERE f.id IN (SELECT value FROM json_each('[4,1,5,9,12,2,8,14,15,7,11,6,10,13,16,3]'));

SELECT  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, 0 AS context, start * 3600000 / 3600000 * 3600000 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489929
  AND start < 490008 AND true
UNION ALL
SELECT model, 0 AS context, start * 3600000 / 3600000 * 3600000 AS start, decodes, digests, failed, occurrences
FROM temporary_1 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

CREATE TEMP TABLE temporary_16 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_16 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT context AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 1763744001234 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT context, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 1763744001234 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o CROSS JOIN failure AS f ON f.id = o.failure
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey') GROUP BY 1, 2, 3) AS r
UNION ALL
SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT context AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.recorded_at >= 1763740800000 AND d.recorded_at < 1763744001234 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT context, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.recorded_at >= 1763740800000 AND d.recorded_at < 1763744001234 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o CROSS JOIN failure AS f ON f.id = o.failure
WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey') GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, model;

SELECT x.release,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 0
  AND start < 20413 AND true
UNION ALL
SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489912
  AND start < 489928 AND true
UNION ALL
SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_16 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model CROSS JOIN context AS x ON x.id = c.context
WHERE true GROUP BY 1, 2;

SELECT x.release,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
  FROM (SELECT model, context, start * 3600000 / 3600000 * 3600000 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489928
  AND start < 490009 AND true
UNION ALL
SELECT model, context, start * 3600000 / 3600000 * 3600000 AS start, decodes, digests, failed, occurrences
FROM temporary_11 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model CROSS JOIN context AS x ON x.id = c.context
WHERE true GROUP BY 1, 2;

SELECT max(start) FROM (
  SELECT start FROM (
    SELECT start, decodes FROM decodes
    WHERE span = 24 AND context = 0 AND start BETWEEN 20410 AND 20416
    UNION ALL
    SELECT start / 24, -decodes FROM decodes
    WHERE span = 1 AND context = 0 AND start BETWEEN 20410 * 24 AND 20416 * 24 + 23
  ) AS d
  -- Hours without their day belong to deleted counts.
  GROUP BY 1 HAVING sum(decodes) <> 0 AND max(decodes) > 0
  UNION ALL
  SELECT hour / 24 FROM loss
  WHERE reason = 'undated' AND hour BETWEEN 20410 * 24 AND 20416 * 24 + 23
) AS days;

SELECT DISTINCT hour / 24 FROM loss
WHERE reason = 'undated' AND hour BETWEEN 489840 AND 489984;

SELECT f.kind,  c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
FROM (
  SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
  FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489929
  AND start < 489936 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('converted', 'missingKey', 'unknownKey')))
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 20414
  AND start < 20417 AND failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('converted', 'missingKey', 'unknownKey')))
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_0 WHERE failure IN (
  SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
  WHERE (f.kind IN ('converted', 'missingKey', 'unknownKey')))) AS r) AS c
CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model 
WHERE (f.kind IN ('converted', 'missingKey', 'unknownKey')) GROUP BY 1, 2;
