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

CREATE TEMP TABLE temporary_1 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_1 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
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

SELECT id FROM source WHERE pushing <> 0;

SELECT s.identity,
  CASE WHEN s.id NOT IN (0) THEN 1 ELSE 0 END,
  c.occurrences, c.digests, c.decodes, c.last_seen, nullif(s.name, ''),
  nullif(s.pushed_at, 0)
FROM (
  SELECT source, sum(occurrences) AS occurrences, sum(digests) AS digests,
    sum(decodes) AS decodes, max(last_seen) AS last_seen
  FROM (
    SELECT x.source, t.occurrences, 0 AS digests, 0 AS decodes, t.last_seen
    FROM (SELECT failure, context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r WHERE context IN (SELECT id FROM context) AND true AND true
UNION ALL
SELECT failure, context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM temporary_0) AS r WHERE context IN (SELECT id FROM context) AND true AND true) AS t
    CROSS JOIN context AS x ON x.id = t.context CROSS JOIN failure AS f ON f.id = t.failure
    WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey')
    UNION ALL
    SELECT x.source, 0, d.digests, d.decodes, NULL
    FROM (SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context) AND start >= -1
  AND start < 2932897 AND true
UNION ALL
SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_1 WHERE true) AS d CROSS JOIN context AS x ON x.id = d.context
    UNION ALL
    SELECT id, 0, 0, 0, NULL FROM source
  ) AS r
  GROUP BY 1
) AS c
CROSS JOIN source AS s ON s.id = c.source
-- A fleet records nothing itself, and of a source that was forgotten only the id is left.
WHERE c.decodes > 0 OR s.pushed_at > 0 OR s.id IN (0)
ORDER BY nullif(s.pushed_at, 0) NULLS LAST, s.identity;

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

CREATE TEMP TABLE temporary_1 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_1 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
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

SELECT id FROM source WHERE pushing <> 0;

SELECT s.identity,
  CASE WHEN s.id NOT IN (0) THEN 1 ELSE 0 END,
  c.occurrences, c.digests, c.decodes, c.last_seen, nullif(s.name, ''),
  nullif(s.pushed_at, 0)
FROM (
  SELECT source, sum(occurrences) AS occurrences, sum(digests) AS digests,
    sum(decodes) AS decodes, max(last_seen) AS last_seen
  FROM (
    SELECT x.source, t.occurrences, 0 AS digests, 0 AS decodes, t.last_seen
    FROM (SELECT failure, context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM total) AS r WHERE context IN (SELECT id FROM context) AND true AND true
UNION ALL
SELECT failure, context, occurrences, digests, first_seen,
  last_seen
FROM (SELECT context, CAST(failure AS bigint) AS failure, occurrences, digests, first_seen, last_seen FROM temporary_0) AS r WHERE context IN (SELECT id FROM context) AND true AND true) AS t
    CROSS JOIN context AS x ON x.id = t.context CROSS JOIN failure AS f ON f.id = t.failure
    WHERE f.kind NOT IN ('converted', 'missingKey', 'unknownKey')
    UNION ALL
    SELECT x.source, 0, d.digests, d.decodes, NULL
    FROM (SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM decodes
WHERE span = 24 AND context IN (SELECT id FROM context) AND start >= -1
  AND start < 2932897 AND true
UNION ALL
SELECT model, context, 0 AS start, decodes, digests, failed, occurrences
FROM temporary_1 WHERE true) AS d CROSS JOIN context AS x ON x.id = d.context
    UNION ALL
    SELECT id, 0, 0, 0, NULL FROM source
  ) AS r
  GROUP BY 1
) AS c
CROSS JOIN source AS s ON s.id = c.source
-- A fleet records nothing itself, and of a source that was forgotten only the id is left.
WHERE c.decodes > 0 OR s.pushed_at > 0 OR s.id IN (0)
ORDER BY nullif(s.pushed_at, 0) NULLS LAST, s.identity;
