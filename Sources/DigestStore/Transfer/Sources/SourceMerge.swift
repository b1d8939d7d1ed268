/// Merges the counts and digests of a store into another one, in one transaction.
///
/// The store is attached as `s`. Temporary tables map its ids to those of this store.
struct SourceMerge {
  private let writer: Writer
  private let source: MergeSource
  private var connection: Connection { writer.connection }

  init(_ writer: Writer, _ source: MergeSource) {
    self.writer = writer
    self.source = source
  }

  /// - Returns: the number of digests added.
  func run() throws -> Int {
    try Statement(connection, "ATTACH ? AS s").run([.text(source.uri)])
    defer {
      // The connection may be closed already.
      for table in Self.temporaryTables {
        try? connection.execute("DROP TABLE IF EXISTS temp.\(table)")
      }
      try? connection.execute("DETACH s")
    }
    return try writer.transaction {
      // Other processes may have recorded since the digests here were folded.
      while try writer.fold.foldBatch() > 0 {}
      try mapSources()
      try mapNames()
      try readNewDigests()
      for table in MergedTable.all { try read(table) }
      try replaceTotals()
      try choosePeriods()
      for table in MergedTable.all where table.hasPeriods { try replacePeriods(table) }
      for table in MergedTable.all where table.hasUndated { try replaceUndated(table) }
      let added = try addDigests()
      try connection.execute(
        """
        UPDATE source SET counted = i.counted, counted_at = i.counted_at
        FROM in_source AS i WHERE i.ours = source.id
        """)
      writer.names.forget()
      return added
    }
  }

  private static let temporaryTables =
    MergedTable.all.map(\.incoming) + [
      "in_source", "in_context", "in_model", "in_failure", "in_occurrence", "in_period",
      "in_change",
    ]
}

extension SourceMerge {
  /// The sources that the other store has as a whole: itself, and those that were merged into it.
  ///
  /// What was imported into it digest by digest is only a part of its source, and is merged as its
  /// own.
  private func mapSources() throws {
    try connection.execute(
      """
      CREATE TEMP TABLE in_source AS
      SELECT o.id AS theirs, o.identity, o.id = 1 AS is_own,
        iif(o.id = 1, (SELECT max(ifnull((SELECT max(id) FROM s.digest), 0), folded) FROM s.store),
          o.counted) AS counted,
        iif(o.id = 1, 0, o.counted_at) AS counted_at, NULL AS ours, NULL AS before, NULL AS is_partial
      FROM s.source AS o WHERE o.id = 1 OR o.counted > 0;
      UPDATE in_source SET counted_at = ifnull(
        (SELECT recorded_at FROM s.digest WHERE id = counted AND source IS NULL), 0)
      WHERE is_own;
      """)
    try checkCoverage()
    try connection.execute(
      """
      -- Our own digests that come back, and sources of which we have more.
      DELETE FROM in_source WHERE identity = (SELECT identity FROM main.store)
        OR counted < \(Self.seen("in_source.identity"));
      INSERT INTO source (identity, counted, counted_at, evicted)
      SELECT identity, 0, 0, 0 FROM in_source WHERE true ON CONFLICT DO NOTHING;
      UPDATE in_source SET (ours, before) = (
        SELECT id, counted FROM main.source WHERE identity = in_source.identity);
      -- Whether digests of the source were imported, perhaps under limits.
      UPDATE in_source SET is_partial = before = 0 OR before < \(Self.seen("in_source.identity"));
      """)
  }

  /// The largest number of a digest that this store has of a source.
  private static func seen(_ identity: String) -> String {
    """
    ifnull((
      SELECT max(o.counted, o.evicted, ifnull(
        (SELECT max(number) FROM main.digest WHERE source = o.id), 0))
      FROM main.source AS o WHERE o.identity = \(identity)), 0)
    """
  }

  /// Checks that the other store has all that this one has of it.
  private func checkCoverage() throws {
    let found = try connection.rows(
      """
      SELECT i.counted < \(Self.seen("i.identity")),
        o.counted > 0 AND o.counted_at > 0 AND ifnull(o.counted_at <> (
          SELECT recorded_at FROM s.digest WHERE id = o.counted AND source IS NULL), false)
      FROM in_source AS i JOIN main.source AS o ON o.identity = i.identity
      WHERE i.is_own AND o.id <> 1
      """
    ) { (isOlder: $0.integer(at: 0) != 0, isOther: $0.integer(at: 1) != 0) }.first
    let isOtherCopy =
      try connection.integer(
        """
        SELECT i.counted > (SELECT max(folded, ifnull((SELECT max(id) FROM main.digest), 0))
            FROM main.store)
          OR ifnull((
            SELECT t.recorded_at <> o.recorded_at FROM s.digest AS t JOIN main.digest AS o USING (id)
            WHERE t.id = i.counted), false)
        FROM in_source AS i
        WHERE i.is_own AND i.identity = (SELECT identity FROM main.store)
        """) == 1
    let problem = found ?? (false, isOtherCopy)
    guard problem.isOlder || problem.isOther else { return }
    throw DigestStoreError(
      .invalidInput,
      problem.isOlder
        ? "\(source.path): more of this store was merged before than it has, so it is an older copy, "
          + "such as a restored backup; merge the current file"
        : "\(source.path): this is a copy of a store that was merged before, and both were written "
          + "since; import its export instead")
  }

  /// Adds the names of the other store, and maps their ids.
  private func mapNames() throws {
    try connection.execute(
      """
      INSERT INTO main.model (name) SELECT name FROM s.model WHERE true ON CONFLICT DO NOTHING;
      CREATE TEMP TABLE in_model (theirs INTEGER PRIMARY KEY, ours);
      INSERT INTO in_model
      SELECT t.id, o.id FROM s.model AS t JOIN main.model AS o ON o.name = t.name;

      CREATE TEMP TABLE in_context (theirs INTEGER PRIMARY KEY, ours, source, release, environment,
        operation);
      INSERT INTO in_context
      SELECT c.id, NULL, i.ours, c.release, c.environment, c.operation
      FROM s.context AS c JOIN s.source AS o ON o.id = c.source
      JOIN in_source AS i ON i.theirs = iif(o.counted > 0, o.id, 1);
      INSERT INTO main.context (source, release, environment, operation)
      SELECT source, release, environment, operation FROM in_context
      WHERE true ON CONFLICT DO NOTHING;
      UPDATE in_context SET ours = (
        SELECT id FROM main.context AS c
        WHERE c.source = in_context.source AND c.release = in_context.release
          AND c.environment = in_context.environment AND c.operation = in_context.operation);

      INSERT INTO main.failure (key, model, coding_path, kind, expected_type, novel_value,
        value_type, message, found_type, found_value, sampled_at)
      SELECT f.key, m.ours, f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type,
        f.message, f.found_type, f.found_value, f.sampled_at
      FROM s.failure AS f JOIN in_model AS m ON m.theirs = f.model
      WHERE true ON CONFLICT DO NOTHING;
      CREATE TEMP TABLE in_failure (theirs INTEGER PRIMARY KEY, ours);
      INSERT INTO in_failure
      SELECT t.id, o.id FROM s.failure AS t JOIN main.failure AS o ON o.key = t.key;
      """)
  }

  /// Reads the occurrences of the digests that the other store has not counted yet.
  private func readNewDigests() throws {
    try connection.execute(
      """
      CREATE TEMP TABLE in_occurrence AS
      SELECT o.id AS digest, o.recorded_at, o.model, o.context, o.failure, f.kind, o.times
      FROM (\(OccurrenceRows.sql(where: "d.id > (SELECT folded FROM s.store)", from: "s.digest"))) AS o
      CROSS JOIN s.failure AS f ON f.id = o.failure;
      """)
  }

  /// Adds the digests that are not here yet, as counted ones.
  private func addDigests() throws -> Int {
    let last = try writer.lastDigest()
    try connection.execute(
      """
      -- An import may have changed what the source still has.
      DELETE FROM main.digest AS d
      WHERE source IN (SELECT ours FROM in_source WHERE is_partial)
        AND number > (SELECT before FROM in_source WHERE ours = d.source)
        AND EXISTS (
          SELECT 1 FROM in_source AS i CROSS JOIN s.digest AS t
          WHERE i.ours = d.source
            AND iif(i.is_own, t.id = d.number AND t.source IS NULL,
              t.source = i.theirs AND t.number = d.number));
      INSERT INTO main.digest (id, recorded_at, model, context, source, number, errors)
      SELECT \(last) + row_number() OVER (ORDER BY id), recorded_at, model, context, source, number,
        errors
      FROM (
        SELECT d.id, d.recorded_at, m.ours AS model, c.ours AS context, c.source,
          -- A digest of a source that is here as a whole has its number there.
          iif(o.is_own, d.id, d.number) AS number,
          (SELECT json_group_array(json_replace(value, '$[0]', ours)) FROM (
            SELECT e.value, f.ours FROM json_each(\(OccurrenceRows.errors())) AS e
            CROSS JOIN in_failure AS f ON f.theirs = \(OccurrenceRows.failure()) ORDER BY e.key)
          ) AS errors,
          json_array_length(\(OccurrenceRows.errors())) AS length
        FROM s.digest AS d
        CROSS JOIN in_model AS m ON m.theirs = d.model
        CROSS JOIN in_context AS c ON c.theirs = d.context
        CROSS JOIN in_source AS o ON o.ours = c.source
        WHERE \(OccurrenceRows.isSound) AND \(OccurrenceRows.isArray("d.errors"))
      ) AS n
      -- A digest of which an error refers to no failure cannot be read.
      WHERE json_array_length(errors) = length AND number BETWEEN 1 AND \(Int64.max - 1)
        AND number > (SELECT evicted FROM main.source WHERE id = n.source)
        AND NOT EXISTS (
          SELECT 1 FROM main.digest AS k WHERE k.source = n.source AND k.number = n.number)
      """)
    let added = connection.changes
    try connection.execute(
      """
      INSERT INTO hour
      SELECT recorded_at / \(Moment.hour), min(id), max(id) FROM main.digest
      WHERE id > \(last) GROUP BY 1
      ON CONFLICT DO UPDATE SET
        first = min(first, excluded.first), last = max(last, excluded.last);
      UPDATE store SET folded = max(folded, \(last) + \(added));
      """)
    return Int(clamping: added)
  }
}

extension SourceMerge {
  private static let maximum = Int64.maximumCount

  private func list(_ columns: [String], _ format: (String) -> String = { $0 }) -> String {
    columns.map(format).joined(separator: ", ")
  }

  /// Reads the rows of the other store, with our ids.
  private func read(_ table: MergedTable) throws {
    let key = table.key.map { $0 == table.ids.column ? "i.ours AS \($0)" : "r.\($0)" }
    let counts = table.counts.map { "min(sum(max(r.\($0), 0)), \(Self.maximum)) AS \($0)" }
    let times = zip(["min", "max"], table.times).map { "\($0)(r.\($1)) AS \($1)" }
    try connection.execute(
      """
      CREATE TEMP TABLE \(table.incoming) AS
      SELECT c.ours AS context, \(list(key + counts + times))
      FROM (\(table.rows)) AS r
      CROSS JOIN in_context AS c ON c.theirs = r.context
      CROSS JOIN \(table.ids.table) AS i ON i.theirs = r.\(table.ids.column)
      GROUP BY c.ours, \(list(table.key) { $0 == table.ids.column ? "i.ours" : "r.\($0)" })
      """)
  }

  /// Chooses the hours and days whose counts are replaced: those that changed, or of which digests
  /// were imported.
  ///
  /// If the other store has fewer digests of one, it has deleted its counts and begun again. Then
  /// ours stay.
  private func choosePeriods() throws {
    let sums = "SELECT span, context, start, sum(decodes) AS decodes, sum(digests) AS digests"
    try connection.execute(
      """
      CREATE TEMP TABLE in_period AS
      SELECT n.span, n.context, n.start
      FROM (\(sums) FROM in_decodes WHERE start >= 0 GROUP BY 1, 2, 3) AS n
      LEFT JOIN (
        \(sums) FROM main.decodes WHERE context IN (SELECT ours FROM in_context) AND start >= 0
        GROUP BY 1, 2, 3
      ) AS o USING (span, context, start)
      WHERE n.digests >= ifnull(o.digests, 0) AND n.decodes >= ifnull(o.decodes, 0)
        AND (o.digests IS NULL OR n.digests > o.digests OR n.decodes > o.decodes OR n.context IN (
          SELECT c.ours FROM in_context AS c JOIN in_source AS i ON i.ours = c.source
          WHERE i.is_partial))
      """)
  }

  /// Replaces the counts of the chosen periods, and adds up those of context 0 again.
  private func replacePeriods(_ table: MergedTable) throws {
    let columns = list(["context"] + table.key + table.counts)
    try connection.execute(
      """
      DELETE FROM main.\(table.name)
      WHERE (span, context, start) IN (SELECT span, context, start FROM in_period);
      INSERT INTO main.\(table.name) (\(columns))
      SELECT \(columns) FROM \(table.incoming)
      WHERE (span, context, start) IN (SELECT span, context, start FROM in_period);

      DELETE FROM main.\(table.name)
      WHERE (span, context, start) IN (SELECT span, 0, start FROM in_period);
      INSERT INTO main.\(table.name) (\(columns))
      SELECT 0, \(list(table.key)), \(list(table.counts) { "min(sum(\($0)), \(Self.maximum))" })
      FROM main.\(table.name)
      WHERE (span, context, start) IN (
        SELECT p.span, c.id, p.start
        FROM (SELECT DISTINCT span, start FROM in_period) AS p CROSS JOIN main.context AS c)
      GROUP BY span, start, \(list(table.undatedKey));
      """)
  }

  /// Replaces the totals, and adds the difference to context 0, which also has the totals of contexts
  /// that were deleted.
  private func replaceTotals() throws {
    // Of a context whose totals were deleted here, context 0 has them already.
    let contexts = """
      SELECT context FROM in_total AS n GROUP BY 1
      HAVING EXISTS (SELECT 1 FROM main.total AS o WHERE o.context = n.context)
        OR NOT EXISTS (
          SELECT 1 FROM main.decodes AS o
          WHERE o.span = 24 AND o.context = n.context AND o.failed > 0)
      """
    let counts = "occurrences, digests, first_seen, last_seen"
    try connection.execute(
      """
      DELETE FROM in_total WHERE context NOT IN (\(contexts));
      CREATE TEMP TABLE in_change AS
      SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests,
        min(first_seen) AS first_seen, max(last_seen) AS last_seen
      FROM (
        SELECT failure, \(counts) FROM in_total
        UNION ALL
        SELECT failure, -occurrences, -digests, first_seen, last_seen FROM main.total
        WHERE context IN (SELECT context FROM in_total)
      ) GROUP BY 1;
      DELETE FROM main.total WHERE context IN (SELECT context FROM in_total);
      INSERT INTO main.total (context, failure, \(counts))
      SELECT context, failure, \(counts) FROM in_total;
      INSERT INTO main.total (context, failure, \(counts))
      SELECT 0, failure, \(counts) FROM in_change WHERE true
      ON CONFLICT DO UPDATE SET
        occurrences = min(occurrences + excluded.occurrences, \(Self.maximum)),
        digests = min(digests + excluded.digests, \(Self.maximum)),
        first_seen = min(first_seen, excluded.first_seen),
        last_seen = max(last_seen, excluded.last_seen);
      DELETE FROM main.total
      WHERE context = 0 AND occurrences <= 0 AND failure IN (SELECT failure FROM in_change);
      """)
  }

  /// Replaces the sums of the days that have no counts here: what the other store has of all time,
  /// without the days that have counts.
  private func replaceUndated(_ table: MergedTable) throws {
    let columns = list(["span", "context", "start"] + table.undatedKey + table.counts)
    let contexts = "context IN (SELECT context FROM \(table.incoming))"
    try connection.execute(
      """
      DELETE FROM main.\(table.name) WHERE span = 24 AND start = -1 AND \(contexts);
      INSERT INTO main.\(table.name) (\(columns))
      SELECT 24, context, -1, \(list(table.undatedKey)), \(list(table.counts) { "max(0, sum(\($0)))" })
      FROM (
        SELECT context, \(list(table.undatedKey + table.counts)) FROM \(table.incoming)
        WHERE span = 24
        UNION ALL
        SELECT context, \(list(table.undatedKey)), \(list(table.counts) { "-\($0)" })
        FROM main.\(table.name) WHERE span = 24 AND start >= 0 AND \(contexts)
      )
      GROUP BY context, \(list(table.undatedKey)) HAVING sum(\(table.counts[0])) > 0;

      DELETE FROM main.\(table.name) WHERE span = 24 AND start = -1 AND context = 0;
      INSERT INTO main.\(table.name) (\(columns))
      SELECT 24, 0, -1, \(list(table.undatedKey)), \(list(table.counts) { "sum(\($0))" })
      FROM main.\(table.name)
      WHERE span = 24 AND start = -1 AND context IN (SELECT id FROM main.context)
      GROUP BY \(list(table.undatedKey));
      """)
  }
}
