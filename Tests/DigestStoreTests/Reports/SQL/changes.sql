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

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 24
  AND (start BETWEEN 16223 AND 2932896 OR span = 24 AND start = -1);

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 1
  AND (start BETWEEN 489888 AND 489911 OR span = 24 AND start = -1);

CREATE TEMP TABLE temporary_1 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_1 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
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
FROM temporary_1 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

SELECT sum(digests) FROM decodes WHERE span = 24 AND context = 0 AND start = -1;

CREATE TEMP TABLE temporary_2 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_2 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
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
FROM temporary_2 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

WITH sums AS (
  SELECT failure, sum(before) AS before, sum(after) AS after,
    sum(digests_before) AS digests_before, sum(digests_after) AS digests_after
  FROM (SELECT failure, occurrences AS before, 0 AS after, 0 AS digests_before, 0 AS digests_after FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM total WHERE context = 0 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_0 WHERE true) AS c
UNION ALL
SELECT failure, 0 AS before, 0 AS after, digests AS digests_before, 0 AS digests_after FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM total WHERE context = 0 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_0 WHERE true) AS c
UNION ALL
SELECT failure, 0, occurrences, 0, 0 FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM total WHERE context = 0 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_0 WHERE true) AS c
UNION ALL
SELECT failure, 0, 0, 0, digests FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM total WHERE context = 0 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_0 WHERE true) AS c) AS sides GROUP BY 1
),
decodes_before AS (SELECT model, sum(decodes) AS decodes
FROM (SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context = 0 AND start >= -1
  AND start < 2932897 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_2 WHERE true) AS d GROUP BY 1),
decodes_after AS (SELECT model, sum(decodes) AS decodes
FROM (SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context = 0 AND start >= -1
  AND start < 2932897 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_2 WHERE true) AS d GROUP BY 1),
chosen AS (
  SELECT f.id AS id, m.name AS model,
    CASE WHEN f.kind NOT IN ('converted', 'missingKey', 'unknownKey') THEN s.before ELSE 0 END AS before, CASE WHEN f.kind NOT IN ('converted', 'missingKey', 'unknownKey') THEN s.after ELSE 0 END AS after,
    CASE WHEN s.digests_before > 0 OR s.before = 0 THEN
      CASE WHEN f.kind NOT IN ('converted', 'missingKey', 'unknownKey') THEN CAST(s.digests_before AS double precision) ELSE 0 END / CAST(nullif(b.decodes, 0) AS double precision)
      END AS rate_before,
    CASE WHEN s.digests_after > 0 OR s.after = 0 THEN
      CASE WHEN f.kind NOT IN ('converted', 'missingKey', 'unknownKey') THEN CAST(s.digests_after AS double precision) ELSE 0 END / CAST(nullif(a.decodes, 0) AS double precision)
      END AS rate_after,
    a.decodes AS decodes
  FROM sums AS s CROSS JOIN failure AS f ON f.id = s.failure
  CROSS JOIN model AS m ON m.id = f.model
  LEFT JOIN decodes_before AS b ON b.model = f.model
  LEFT JOIN decodes_after AS a ON a.model = f.model
),
differing AS (
  SELECT id, model, before, after, rate_before, rate_after,
    abs(coalesce(
      (rate_after - rate_before) * decodes, CAST(after - before AS double precision)))
      AS difference,
    CASE WHEN rate_before IS NULL OR rate_after IS NULL
      THEN CASE WHEN CAST(before AS double precision) > 0 AND CAST(after AS double precision) > 0 AND CAST(before AS double precision) < CAST(after AS double precision) * 1.000999999998999
  AND CAST(after AS double precision) < CAST(before AS double precision) * 1.000999999998999 THEN 1 ELSE 0 END
      ELSE CASE WHEN rate_before > 0 AND rate_after > 0 AND rate_before < rate_after * 1.000999999998999
  AND rate_after < rate_before * 1.000999999998999 THEN 1 ELSE 0 END END AS is_same
  FROM chosen WHERE before > 0 OR after > 0
)
SELECT f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type, f.found_type, f.found_value, c.model, c.before, c.after, c.rate_before, c.rate_after, c.is_same
FROM differing AS c CROSS JOIN failure AS f ON f.id = c.id
WHERE c.difference > 0
ORDER BY c.is_same, c.difference DESC, c.model, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST
;

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

CREATE TEMP TABLE temporary_0 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_0 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 1763744001234 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
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
  WHERE d.recorded_at >= 1763740800000 AND d.recorded_at < 1763744001234 AND CAST(d.id AS bigint) <= (SELECT folded FROM store) AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 24
  AND (start BETWEEN 16223 AND 2932896 OR span = 24 AND start = -1);

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 1
  AND (start BETWEEN 489888 AND 489911 OR span = 24 AND start = -1);

CREATE TEMP TABLE temporary_1 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_1 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
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
FROM temporary_1 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

CREATE TEMP TABLE temporary_2 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_2 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
FROM (SELECT context, start, model, decodes, digests, failed, occurrences
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, model, count(*) AS decodes,
  count(*) AS digests, 0 AS failed, 0 AS occurrences
FROM digest AS d WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 1763744400000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999 GROUP BY 1, 2, 3
UNION ALL
SELECT 0, recorded_at / 3600000, o.model, 0, 0, count(DISTINCT o.id),
  sum(o.times)
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 1763744400000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
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
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 0
  AND start < 20413 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489912
  AND start < 489929 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_2 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

CREATE TEMP TABLE temporary_3 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_3 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
FROM (SELECT context, start, failure, occurrences, digests
FROM (SELECT 0 AS context, recorded_at / 3600000 AS start, failure, sum(times) AS occurrences,
  count(DISTINCT id) AS digests
FROM (SELECT * FROM (
  SELECT d.id, d.recorded_at, d.model, d.context, iif(e.type = 'array', e.value ->> 0, NULL) AS failure, iif(e.type = 'array', ifnull(e.value ->> 2, 1), NULL) AS times
  FROM digest AS d CROSS JOIN json_each(iif((substr(d.errors, 1, 1) = '[' AND json_valid(d.errors)), d.errors, '[]')) AS e
  WHERE d.id > (SELECT folded FROM store) AND CAST(d.recorded_at AS bigint) >= 0 AND CAST(d.recorded_at AS bigint) < 1763744400000 AND d.context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN 0 AND 253402300799999
  LIMIT -1
)
WHERE typeof(failure) = 'integer' AND typeof(times) = 'integer' AND times BETWEEN 1 AND 100000000) AS o GROUP BY 1, 2, 3) AS r) AS h
GROUP BY context, start, failure;

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

CREATE TEMP TABLE temporary_4 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_4 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
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

CREATE TEMP TABLE temporary_5 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_5 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
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
FROM temporary_5 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;

CREATE TEMP TABLE temporary_6 ("context" INTEGER, "start" INTEGER, "failure" INTEGER, "occurrences" INTEGER, "digests" INTEGER);

INSERT INTO temporary_6 SELECT context, start, failure, sum(occurrences) AS occurrences, sum(digests) AS digests
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

WITH sums AS (
  SELECT failure, sum(before) AS before, sum(after) AS after,
    sum(digests_before) AS digests_before, sum(digests_after) AS digests_after
  FROM (SELECT failure, occurrences AS before, 0 AS after, 0 AS digests_before, 0 AS digests_after FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 0
  AND start < 20413 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489912
  AND start < 489928 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_0 WHERE true) AS c
UNION ALL
SELECT failure, 0 AS before, 0 AS after, digests AS digests_before, 0 AS digests_after FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 0
  AND start < 20413 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM tally
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489912
  AND start < 489929 AND true
UNION ALL
SELECT failure, 0 AS context, 0 AS start, occurrences, digests
FROM temporary_3 WHERE true) AS c
UNION ALL
SELECT failure, 0, occurrences, 0, 0 FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
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
FROM temporary_4 WHERE true) AS c
UNION ALL
SELECT failure, 0, 0, 0, digests FROM (SELECT failure, 0 AS context, 0 AS start, occurrences, digests
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
FROM temporary_6 WHERE true) AS c) AS sides GROUP BY 1
),
decodes_before AS (SELECT model, sum(decodes) AS decodes
FROM (SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 0
  AND start < 20413 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 1 AND context IN (SELECT id FROM context WHERE (release <> '' AND (release IN ('4.2')))) AND start >= 489912
  AND start < 489929 AND true
UNION ALL
SELECT model, 0 AS context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_2 WHERE true) AS d GROUP BY 1),
decodes_after AS (SELECT model, sum(decodes) AS decodes
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
FROM temporary_5 WHERE true) AS d GROUP BY 1),
chosen AS (
  SELECT f.id AS id, m.name AS model,
    CASE WHEN f.kind NOT IN ('converted', 'missingKey', 'unknownKey') THEN s.before ELSE 0 END AS before, CASE WHEN f.kind NOT IN ('converted', 'missingKey', 'unknownKey') THEN s.after ELSE 0 END AS after,
    CASE WHEN s.digests_before > 0 OR s.before = 0 THEN
      CASE WHEN f.kind NOT IN ('converted', 'missingKey', 'unknownKey') THEN CAST(s.digests_before AS double precision) ELSE 0 END / CAST(nullif(b.decodes, 0) AS double precision)
      END AS rate_before,
    CASE WHEN s.digests_after > 0 OR s.after = 0 THEN
      CASE WHEN f.kind NOT IN ('converted', 'missingKey', 'unknownKey') THEN CAST(s.digests_after AS double precision) ELSE 0 END / CAST(nullif(a.decodes, 0) AS double precision)
      END AS rate_after,
    a.decodes AS decodes
  FROM sums AS s CROSS JOIN failure AS f ON f.id = s.failure
  CROSS JOIN model AS m ON m.id = f.model
  LEFT JOIN decodes_before AS b ON b.model = f.model
  LEFT JOIN decodes_after AS a ON a.model = f.model
),
differing AS (
  SELECT id, model, before, after, rate_before, rate_after,
    abs(coalesce(
      (rate_after - rate_before) * decodes, CAST(after - before AS double precision)))
      AS difference,
    CASE WHEN rate_before IS NULL OR rate_after IS NULL
      THEN CASE WHEN CAST(before AS double precision) > 0 AND CAST(after AS double precision) > 0 AND CAST(before AS double precision) < CAST(after AS double precision) * 1.000999999998999
  AND CAST(after AS double precision) < CAST(before AS double precision) * 1.000999999998999 THEN 1 ELSE 0 END
      ELSE CASE WHEN rate_before > 0 AND rate_after > 0 AND rate_before < rate_after * 1.000999999998999
  AND rate_after < rate_before * 1.000999999998999 THEN 1 ELSE 0 END END AS is_same
  FROM chosen WHERE before > 0 OR after > 0
)
SELECT f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type, f.found_type, f.found_value, c.model, c.before, c.after, c.rate_before, c.rate_after, c.is_same
FROM differing AS c CROSS JOIN failure AS f ON f.id = c.id
WHERE c.difference > 0
ORDER BY c.is_same, c.difference DESC, c.model, f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, f.value_type NULLS FIRST, f.found_type NULLS FIRST
;
