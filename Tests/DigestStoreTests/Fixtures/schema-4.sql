PRAGMA application_id = 1145525076;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE store (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- 32 random hexadecimal digits. The id of a digest is made of it, of the digest's number
  -- and of its moment, which tells two digests apart that got the same number because the
  -- file was copied, restored, or lost its end in a power cut.
  identity TEXT NOT NULL,
  -- The last digest that the tallies contain.
  folded_through INTEGER NOT NULL
, evicted_through INTEGER NOT NULL DEFAULT 0, coarse_before INTEGER NOT NULL DEFAULT 0, models_since INTEGER NOT NULL DEFAULT 0, models_through INTEGER
  CHECK (models_through = folded_through)) STRICT;
INSERT INTO store VALUES(1,'a939fe9030203d3e74279568c0e0a1c0',2,0,0,0,2);
CREATE TABLE model (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO model VALUES(1,'App.Listing');
CREATE TABLE release (
  id INTEGER PRIMARY KEY,
  name TEXT UNIQUE
) STRICT;
INSERT INTO "release" VALUES(0,NULL);
INSERT INTO "release" VALUES(1,'4.1.0');
CREATE TABLE failure (
  id INTEGER PRIMARY KEY,
  model_id INTEGER NOT NULL REFERENCES model,
  -- The pattern: items[].kind
  coding_path TEXT NOT NULL,
  -- The pattern as a format for printf, a %s for each index or key: items[%s].kind
  path_format TEXT NOT NULL,
  kind TEXT NOT NULL,
  expected_type TEXT,
  novel_value TEXT,
  value_type TEXT,
  -- Of its first occurrence; one that has another message keeps its own.
  message TEXT,
  -- The first failure of the same novel value: what novel values are grouped by.
  value_id INTEGER REFERENCES failure
, found_type TEXT, found_value ANY, found_default INTEGER) STRICT;
INSERT INTO failure VALUES(1,1,'items[].kind','items[%s].kind','unknownNovelValue','App.Kind','villa','String','Unknown novel value "villa"',1,'string',1,1);
INSERT INTO failure VALUES(2,1,'items[].kind','items[%s].kind','unknownNovelValue','App.Kind','yurt','String','Unknown novel value "yurt"',2,'string',1,0);
INSERT INTO failure VALUES(3,1,'attrs.*','attrs%s','typeMismatch','Int',NULL,NULL,'Expected to decode Int but found a string instead.',NULL,'string','12 m',1);
CREATE TABLE digest (
  id INTEGER PRIMARY KEY,
  recorded_at INTEGER NOT NULL,
  model_id INTEGER NOT NULL REFERENCES model,
  release_id INTEGER NOT NULL REFERENCES release,
  -- JSON: [[failure, index or key…, {"m": message}?]…]
  entries TEXT NOT NULL,
  -- JSON, where a digest has more than it could hold: [[failure, count]…]
  omissions TEXT
, says_found INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO digest VALUES(1,1795168800123,1,1,'[[1,3],[2,4]]',NULL,1);
INSERT INTO digest VALUES(2,1795174200000,1,0,'[[3,"[\"x.y\"]"],[3,".b",{"m":"Expected to decode Int but found an array instead.","t":"array"}],[3,".c",{"t":null}],[2,4,{"t":"string","f":1}]]','[[1,2]]',1);
CREATE TABLE foreign_digest (
  digest_id INTEGER PRIMARY KEY REFERENCES digest,
  external_id TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO foreign_digest VALUES(1,'far-1');
INSERT INTO foreign_digest VALUES(2,'far-2');
CREATE TABLE hour (
  hour INTEGER PRIMARY KEY,
  first_digest_id INTEGER NOT NULL,
  last_digest_id INTEGER NOT NULL
) STRICT;
INSERT INTO hour VALUES(498658,1,1);
INSERT INTO hour VALUES(498659,2,2);
CREATE TABLE loss (
  reason TEXT NOT NULL,
  hour INTEGER NOT NULL,
  digests INTEGER NOT NULL,
  occurrences INTEGER NOT NULL,
  PRIMARY KEY (reason, hour)
) STRICT, WITHOUT ROWID;
CREATE TABLE lifetime (
  failure_id INTEGER PRIMARY KEY REFERENCES failure,
  occurrences INTEGER NOT NULL,
  digests INTEGER NOT NULL,
  -- Those of the digests in which an earlier failure has the same novel value: without them
  -- the digests of a novel value's failures add up to the digests of the value.
  shared_digests INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL
) STRICT;
INSERT INTO lifetime VALUES(1,3,2,0,1795168800123,1795174200000);
INSERT INTO lifetime VALUES(2,2,2,0,1795168800123,1795174200000);
INSERT INTO lifetime VALUES(3,3,1,0,1795174200000,1795174200000);
CREATE TABLE period (
  id INTEGER PRIMARY KEY,
  -- The length of the period in hours: 1, 24, or 0 for all time.
  span INTEGER NOT NULL,
  -- Its first hour since 1970; 0 for all time.
  start INTEGER NOT NULL,
  release_id INTEGER NOT NULL REFERENCES release,
  -- The cells of its failures, in the order of these; the type CellEncoder says how.
  cells BLOB NOT NULL
) STRICT;
INSERT INTO period VALUES(1,0,0,0,X'0504c072b8f8a10104c072b8f8a1010506c072b8f8a101');
INSERT INTO period VALUES(2,0,0,1,X'047b0d66f8a101047b0d66f8a101');
INSERT INTO period VALUES(3,1,498658,1,X'047b0000047b0000');
INSERT INTO period VALUES(4,1,498659,0,X'050440771b0440771b050640771b');
INSERT INTO period VALUES(5,24,498648,0,X'0504c0b6770204c0b677020506c0b67702');
INSERT INTO period VALUES(6,24,498648,1,X'047b512502047b512502');
CREATE TABLE loss_note (
  reason TEXT NOT NULL,
  hour INTEGER NOT NULL,
  note TEXT NOT NULL,
  PRIMARY KEY (reason, hour)
) STRICT, WITHOUT ROWID;
CREATE TABLE model_period (
  id INTEGER PRIMARY KEY,
  span INTEGER NOT NULL,
  start INTEGER NOT NULL,
  release_id INTEGER NOT NULL REFERENCES release,
  cells BLOB NOT NULL
) STRICT;
INSERT INTO model_period VALUES(1,1,498658,1,X'05047b0000');
INSERT INTO model_period VALUES(2,1,498659,0,X'050c40771b');
INSERT INTO model_period VALUES(3,24,498648,0,X'050cc0b67702');
INSERT INTO model_period VALUES(4,24,498648,1,X'05047b512502');
INSERT INTO model_period VALUES(5,0,0,0,X'050cc072b8f8a101');
INSERT INTO model_period VALUES(6,0,0,1,X'05047b0d66f8a101');
CREATE UNIQUE INDEX failure_identity ON failure (
  model_id, coding_path, ifnull(novel_value, 0), ifnull(value_type, 0), kind,
  ifnull(expected_type, 0)
);
CREATE VIEW novel_values AS
SELECT m.name AS model, f.coding_path, f.novel_value, f.value_type,
  sum(c.occurrences) AS occurrences, sum(c.digests - c.shared_digests) AS digests,
  strftime('%Y-%m-%dT%H:%M:%fZ', min(c.first_seen) / 1000.0, 'unixepoch') AS first_seen,
  strftime('%Y-%m-%dT%H:%M:%fZ', max(c.last_seen) / 1000.0, 'unixepoch') AS last_seen
FROM counts AS c
JOIN failure AS f ON f.id = c.failure_id
JOIN model AS m ON m.id = f.model_id
WHERE f.value_id IS NOT NULL
GROUP BY f.value_id;
CREATE VIEW failures AS
SELECT f.id, m.name AS model, f.coding_path, f.kind, f.expected_type, f.novel_value,
  f.value_type, sum(c.occurrences) AS occurrences, sum(c.digests) AS digests,
  strftime('%Y-%m-%dT%H:%M:%fZ', min(c.first_seen) / 1000.0, 'unixepoch') AS first_seen,
  strftime('%Y-%m-%dT%H:%M:%fZ', max(c.last_seen) / 1000.0, 'unixepoch') AS last_seen,
  f.found_type,
  iif(typeof(f.found_value) = 'integer', f.novel_value, f.found_value) AS found_value
FROM counts AS c
JOIN failure AS f ON f.id = c.failure_id
JOIN model AS m ON m.id = f.model_id
GROUP BY f.id;
CREATE VIEW occurrences AS
WITH digit (value) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9))
SELECT
  ifnull(x.external_id, s.identity || '-' || d.id || '-' || d.recorded_at) AS digest_id,
  strftime('%Y-%m-%dT%H:%M:%fZ', d.recorded_at / 1000.0, 'unixepoch') AS recorded_at,
  r.name AS release, m.name AS model,
  -- Of an empty format, the whole document's, printf makes null.
  ifnull(printf(f.path_format,
      (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 1),
      (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 2),
      (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 3),
      (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 4),
      (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 5),
      (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 6),
      (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 7),
      (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 8)), '') AS coding_path,
  f.kind, f.expected_type,
  f.novel_value, f.value_type,
  CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 'm')
    THEN (SELECT o.value FROM json_each(own.value) AS o WHERE o.key = 'm')
    ELSE f.message END AS message,
  CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 't')
    THEN (SELECT o.value FROM json_each(own.value) AS o WHERE o.key = 't')
    WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 'f')
      OR (d.says_found AND f.found_default) THEN f.found_type
    END AS found_type,
  CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key IN ('t', 'f'))
    THEN (SELECT iif(o.type = 'integer', f.novel_value, o.value)
      FROM json_each(own.value) AS o WHERE o.key = 'f')
    WHEN d.says_found AND f.found_default
    THEN iif(typeof(f.found_value) = 'integer', f.novel_value, f.found_value)
    END AS found_value
FROM digest AS d
CROSS JOIN json_each(d.entries) AS e
CROSS JOIN json_each(e.value) AS a ON a.key = 0
CROSS JOIN failure AS f ON f.id = a.value
CROSS JOIN model AS m ON m.id = f.model_id
CROSS JOIN release AS r ON r.id = d.release_id
CROSS JOIN store AS s
LEFT JOIN foreign_digest AS x ON x.digest_id = d.id
LEFT JOIN json_each(e.value) AS own ON own.type = 'object'
UNION ALL
SELECT
  ifnull(x.external_id, s.identity || '-' || d.id || '-' || d.recorded_at) AS digest_id,
  strftime('%Y-%m-%dT%H:%M:%fZ', d.recorded_at / 1000.0, 'unixepoch') AS recorded_at,
  r.name AS release, m.name AS model, f.coding_path, f.kind, f.expected_type,
  f.novel_value, f.value_type,
  CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 'm')
    THEN (SELECT o.value FROM json_each(own.value) AS o WHERE o.key = 'm')
    ELSE f.message END AS message,
  CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 't')
    THEN (SELECT o.value FROM json_each(own.value) AS o WHERE o.key = 't')
    WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 'f')
      OR (0 AND f.found_default) THEN f.found_type
    END AS found_type,
  CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key IN ('t', 'f'))
    THEN (SELECT iif(o.type = 'integer', f.novel_value, o.value)
      FROM json_each(own.value) AS o WHERE o.key = 'f')
    WHEN 0 AND f.found_default
    THEN iif(typeof(f.found_value) = 'integer', f.novel_value, f.found_value)
    END AS found_value
FROM digest AS d
CROSS JOIN json_each(d.omissions) AS o
CROSS JOIN json_each(o.value) AS a ON a.key = 0
CROSS JOIN json_each(o.value) AS n ON n.key = 1
CROSS JOIN failure AS f ON f.id = a.value
CROSS JOIN model AS m ON m.id = f.model_id
CROSS JOIN release AS r ON r.id = d.release_id
CROSS JOIN store AS s
LEFT JOIN foreign_digest AS x ON x.digest_id = d.id
LEFT JOIN json_each(o.value) AS own ON own.type = 'object'
CROSS JOIN digit AS d7 ON d7.value * 10000000 < n.value
CROSS JOIN digit AS d6 ON d7.value * 10000000 + d6.value * 1000000 < n.value
CROSS JOIN digit AS d5
  ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 < n.value
CROSS JOIN digit AS d4
  ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 + d4.value * 10000
    < n.value
CROSS JOIN digit AS d3
  ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 + d4.value * 10000
    + d3.value * 1000 < n.value
CROSS JOIN digit AS d2
  ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 + d4.value * 10000
    + d3.value * 1000 + d2.value * 100 < n.value
CROSS JOIN digit AS d1
  ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 + d4.value * 10000
    + d3.value * 1000 + d2.value * 100 + d1.value * 10 < n.value
CROSS JOIN digit AS d0
  ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 + d4.value * 10000
    + d3.value * 1000 + d2.value * 100 + d1.value * 10 + d0.value < n.value
WHERE d.omissions IS NOT NULL
;
CREATE INDEX period_start ON period (span, start, release_id);
CREATE VIEW losses AS
SELECT l.reason, strftime('%Y-%m-%dT%H:%M:%fZ', l.hour * 3600, 'unixepoch') AS hour,
  l.digests, l.occurrences, n.note
FROM loss AS l
LEFT JOIN loss_note AS n ON n.reason = l.reason AND n.hour = l.hour;
CREATE INDEX failure_not_first ON failure (value_id) WHERE value_id IS NOT id;
CREATE VIEW counts AS
SELECT failure_id, occurrences, digests, shared_digests, first_seen, last_seen
FROM lifetime
UNION ALL
SELECT failure_id, occurrences, 1,
  value_id IS NOT NULL AND row_number() OVER (
    PARTITION BY digest_id, value_id ORDER BY failure_id) > 1,
  recorded_at, recorded_at
FROM (
  SELECT h.digest_id, h.recorded_at, h.failure_id, f.value_id,
    sum(h.occurrences) AS occurrences
  FROM (
    SELECT d.id AS digest_id, d.recorded_at, a.value AS failure_id, 1 AS occurrences
    FROM digest AS d, json_each(d.entries) AS e, json_each(e.value) AS a
    WHERE d.id > (SELECT folded_through FROM store) AND a.key = 0
    UNION ALL
    SELECT d.id, d.recorded_at, a.value,
      (SELECT n.value FROM json_each(o.value) AS n WHERE n.key = 1)
    FROM digest AS d, json_each(d.omissions) AS o, json_each(o.value) AS a
    WHERE d.id > (SELECT folded_through FROM store) AND d.omissions IS NOT NULL
      AND a.key = 0
  ) AS h
  JOIN failure AS f ON f.id = h.failure_id
  GROUP BY h.digest_id, h.failure_id
);
CREATE INDEX model_period_start ON model_period (span, start, release_id);
CREATE INDEX failure_overflow ON failure (id) WHERE value_type IS NULL AND expected_type IS NULL AND (novel_value = '(other values)' OR coding_path = '["(other paths)"]');
COMMIT;
PRAGMA user_version = 4;
