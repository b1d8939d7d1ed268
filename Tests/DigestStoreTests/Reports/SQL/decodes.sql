-- Without a filter

SELECT folded FROM store;

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 24
  AND (start BETWEEN 16223 AND 2932896 OR span = 24 AND start = -1);

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 1
  AND (start BETWEEN 489888 AND 489911 OR span = 24 AND start = -1);

CREATE TEMP TABLE temporary_0 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_0 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
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
FROM temporary_0 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1;

SELECT sum(digests) FROM decodes WHERE span = 24 AND context = 0 AND start = -1;

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

-- With a release, in a window

SELECT folded FROM store;

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 24
  AND (start BETWEEN 16223 AND 2932896 OR span = 24 AND start = -1);

SELECT min(start) FROM decodes
WHERE context = 0 AND decodes > digests AND span = 1
  AND (start BETWEEN 489888 AND 489911 OR span = 24 AND start = -1);

SELECT (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 1 AND context = 0 AND start >= 20413 * 24 AND start < (20413 + 1) * 24
) = (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 24 AND context = 0 AND start = 20413
);

SELECT (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 1 AND context = 0 AND start >= 20417 * 24 AND start < (20417 + 1) * 24
) = (
  SELECT coalesce(sum(decodes), 0) FROM decodes
  WHERE span = 24 AND context = 0 AND start = 20417
);

CREATE TEMP TABLE temporary_0 ("context" INTEGER, "start" INTEGER, "model" INTEGER, "decodes" INTEGER, "digests" INTEGER, "failed" INTEGER, "occurrences" INTEGER);

INSERT INTO temporary_0 SELECT context, start, model, sum(decodes) AS decodes, sum(digests) AS digests, sum(failed) AS failed, sum(occurrences) AS occurrences
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
FROM temporary_0 WHERE true) AS r) AS c
CROSS JOIN model AS m ON m.id = c.model 
WHERE true GROUP BY 1, 2;
