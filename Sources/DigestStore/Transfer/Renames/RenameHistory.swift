import ResilientPlatform

/// How often keys were missing and unknown in all digests and decodes of their releases, whatever
/// the window: a rename needs a time before which the old key was there.
struct RenameHistory: Sendable {
  /// The digests with a key in one context.
  private struct Digests {
    var count: Int64 = 0
    var first = Moment.latest
  }

  /// A model in a context.
  private struct Place: Hashable {
    let model: Int64
    let context: Int64
  }

  private var models: [RenameKeys.Key: Int64] = [:]
  private var digests: [RenameKeys.Key: [Int64: Digests]] = [:]

  /// The number of decodes; of digests, if the app does not count decodes.
  private var decodes: [Place: Int64] = [:]

  /// The first hour that ends after a decode without errors.
  private var firstCleanHour: [Place: Int64] = [:]
  private var firstDigest: [Place: Moment] = [:]

  init() {}

  /// - Parameters:
  ///   - connection: a snapshot, see ``Engine/reading(_:)``.
  ///   - keys: the keys, with their models, by the ids of their failures.
  init(_ connection: any Engine, _ keys: [Int64: (model: Int64, key: RenameKeys.Key)]) throws {
    guard !keys.isEmpty else { return }
    for (model, key) in keys.values { models[key] = model }
    let totals = try Totals(connection, DigestFilter(), splitsContexts: true)
    try connection.forEachRow(
      """
      SELECT failure, context, sum(digests), min(first_seen)
      FROM (\(totals.sql(where: "failure IN (\(Self.list(keys.keys)))"))) AS t GROUP BY 1, 2
      """, totals.values
    ) { row in
      guard let key = keys[row.integer(at: 0)]?.key else { return true }
      var digests = digests[key]?[row.integer(at: 1)] ?? Digests()
      digests.count = digests.count.adding(count: row.count(at: 2))
      digests.first = min(digests.first, row.moment(at: 3))
      self.digests[key, default: [:]][row.integer(at: 1)] = digests
      return true
    }
    let models = Self.list(Set(models.values))
    try connection.forEachRow(
      """
      SELECT f.model, t.context, min(t.first_seen)
      FROM (\(totals.sql())) AS t CROSS JOIN failure AS f ON f.id = t.failure
      WHERE f.model IN (\(models)) GROUP BY 1, 2
      """, totals.values
    ) { row in
      firstDigest[Place(model: row.integer(at: 0), context: row.integer(at: 1))] = row.moment(at: 2)
      return true
    }
    let rows = try Counts(
      connection, of: .models, DigestFilter(), in: TimeWindow(since: nil, until: nil),
      by: [.context])
    try connection.forEachRow(
      """
      SELECT model, context, sum(decodes) FROM (\(rows.sql)) AS r
      WHERE model IN (\(models)) GROUP BY 1, 2
      """, rows.values
    ) { row in
      decodes[Place(model: row.integer(at: 0), context: row.integer(at: 1))] = row.count(at: 2)
      return true
    }
    // A day counts from its last hour, because the decode may be in any of its hours. The sum of
    // deleted days ends below 0.
    try connection.forEachRow(
      """
      SELECT model, context, min(start * span + span - 1) FROM decodes
      WHERE decodes > digests AND model IN (\(models)) GROUP BY 1, 2
      """, [:]
    ) { row in
      firstCleanHour[Place(model: row.integer(at: 0), context: row.integer(at: 1))] =
        row.integer(at: 2)
      return true
    }
  }

  private static func list(_ ids: some Collection<Int64>) -> String {
    ids.sorted().map(String.init).joined(separator: ",")
  }

  /// The time from the first digest with one key to the first with the other, in milliseconds.
  func gap(_ old: RenameKeys.Key, _ new: RenameKeys.Key) -> Int64 {
    func first(_ key: RenameKeys.Key) -> Int64 {
      digests[key]?.values.map(\.first).min()?.milliseconds ?? 0
    }
    return abs(first(old) - first(new))
  }

  /// Whether payloads had the old key before, and have the new key instead since then.
  ///
  /// The second is the correlation of the two (the phi coefficient) in the releases that know the
  /// old key. It is 0 if the old key has never been there, if the new one has always been, and for
  /// keys that have nothing to do with each other.
  ///
  /// - Parameter share: the share of the digests with the new key that lack the old one.
  func isRename(_ old: RenameKeys.Key, _ new: RenameKeys.Key, share: Double) -> Bool {
    guard let model = models[old], let contexts = digests[old] else { return false }
    // An optional key may be missing in the first decode by chance, but then the new one is not
    // there.
    let wasThere = contexts.contains { context, digests in
      guard let first = self.digests[new]?[context]?.first else { return false }
      let place = Place(model: model, context: context)
      let beginning = max(first, digests.first)
      return firstDigest[place].map { $0 < beginning } == true
        // Within an hour the order is unknown.
        || firstCleanHour[place].map { $0 < beginning.hour } == true
    }
    guard wasThere else { return false }
    var (all, lacking, having) = (0.0, 0.0, 0.0)
    for (context, digests) in contexts {
      let decodes = max(decodes[Place(model: model, context: context)] ?? 0, digests.count)
      all += Double(decodes)
      lacking += Double(digests.count)
      having += Double(min(decodes, self.digests[new]?[context]?.count ?? 0))
    }
    let variance = lacking * (all - lacking) * having * (all - having)
    guard variance > 0 else { return false }
    let correlation = (all * having * share - lacking * having) / variance.squareRoot()
    return correlation >= RenameCounts.minimumShare
  }
}
