/// The names of models and releases, of which few are used again and again.
struct DigestNames: Sendable {
  private var models = GenerationCache<String>(limit: 1 << 18) { $0.utf8.count + 100 }
  private var releases = GenerationCache<String?>(limit: 1 << 18) { ($0?.utf8.count ?? 0) + 100 }

  mutating func model(_ id: Int64, _ connection: Connection) throws -> String {
    try models.value(id) { try Self.name(id, in: "model", connection) ?? "" }
  }

  /// The name of a release; nil where none was given.
  mutating func release(_ id: Int64, _ connection: Connection) throws -> String? {
    try releases.value(id) { try Self.name(id, in: "release", connection) }
  }

  private static func name(
    _ id: Int64,
    in table: String,
    _ connection: Connection
  ) throws -> String? {
    try Statement(connection, "SELECT name FROM \(table) WHERE id = ?")
      .firstRow([.integer(id)]) { $0.text(at: 0) } ?? nil
  }
}

extension StoredDigest {
  /// The id under which it leaves a store.
  func externalID(_ identity: String) -> String {
    // Put together by hand: an interpolation takes three times as long.
    foreignID ?? identity + "-" + String(id) + "-" + String(recordedAt.milliseconds)
  }
}
