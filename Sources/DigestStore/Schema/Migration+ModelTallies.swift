extension Migration {
  /// Schema 4: tallies of digests by model, and an index for what stands for many.
  ///
  /// Tallies of failures cannot tell how many digests have an error of a model: a digest with three
  /// failures is in three of them.
  static let modelTallies = Migration(
    version: 4,
    sql: """
      -- Models by hour, day and all time, of each release: like the table period, but that a cell's
      -- number is the model's. Its digests are those that have at least one error.
      CREATE TABLE model_period (
        id INTEGER PRIMARY KEY,
        span INTEGER NOT NULL,
        start INTEGER NOT NULL,
        release_id INTEGER NOT NULL REFERENCES release,
        cells BLOB NOT NULL
      ) STRICT;
      CREATE INDEX model_period_start ON model_period (span, start, release_id);

      -- Hours since 1970: of the hours before it some digests were gone when counting by model
      -- began, so that it has less than there were.
      ALTER TABLE store ADD COLUMN models_since INTEGER NOT NULL DEFAULT 0;
      UPDATE store SET models_since = (
        SELECT ifnull(max(hour) + 1, 0) FROM loss WHERE reason = 'evicted');

      -- The last digest whose model is counted: the last one that is folded. A process of an older
      -- version that has the file open knows nothing of it, so that it fails to fold, and leaves
      -- that to one that counts models too.
      ALTER TABLE store ADD COLUMN models_through INTEGER
        CHECK (models_through = folded_through);
      UPDATE store SET models_through = folded_through;

      -- Whether one of few failures stands for many is asked with every report.
      CREATE INDEX failure_overflow ON failure (id) WHERE \(Overflow.failureCondition);
      """,
    finish: countModels
  )

  /// How many digests are added up in memory.
  private static let batch = 20_000

  /// Counts the models of the digests that there are and that are in the other tallies.
  @Sendable private static func countModels(_ connection: Connection) throws {
    let values = try FailureValues(connection)
    let table = try PeriodTable(connection, .models)
    let digests = try Statement(
      connection,
      """
      SELECT \(DigestCounts.columns) FROM digest
      WHERE id <= (SELECT folded_through FROM store)
      ORDER BY id
      """
    )
    var counts = DigestCounts()
    var tallies: [Tally] = []
    var budget = Int.max
    while try digests.step() {
      _ = counts.read(digests, values)
      guard let model = counts.model else { continue }
      let hour = model.first / Moment.hour
      tallies.append(Tally(release: digests.integer(at: 1), start: hour, cell: model))
      guard tallies.count >= batch else { continue }
      try table.add(tallies, budget: &budget)
      tallies = []
    }
    try table.add(tallies, budget: &budget)
  }
}
