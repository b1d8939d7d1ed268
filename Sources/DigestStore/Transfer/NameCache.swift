/// The names of models and releases, of which few are used again and again.
struct NameCache: Sendable {
  private var models = GenerationCache<String>(limit: 1 << 18) { $0.utf8.count + 100 }
  private var releases = GenerationCache<String?>(limit: 1 << 18) { ($0?.utf8.count ?? 0) + 100 }

  /// The name of a model.
  ///
  /// - Throws: ``UnreadableRow`` where there is no model of this number.
  mutating func model(_ id: Int64, _ connection: Connection) throws -> String {
    try models.value(id) { try Self.name(id, in: "model", connection) ?? "" }
  }

  /// The name of a release; nil where none was given.
  ///
  /// - Throws: ``UnreadableRow`` where there is no release of this number.
  mutating func release(_ id: Int64, _ connection: Connection) throws -> String? {
    try releases.value(id) { try Self.name(id, in: "release", connection) }
  }

  private static func name(
    _ id: Int64,
    in table: String,
    _ connection: Connection
  ) throws -> String? {
    let find = try Statement(connection, "SELECT name FROM \(table) WHERE id = ?")
    guard let name = try find.firstRow([.integer(id)], { $0.text(at: 0) }) else {
      throw UnreadableRow("it refers to no \(table)")
    }
    return name
  }
}

extension StoredDigest {
  /// The id under which it leaves a store.
  func externalID(_ identity: String) -> String {
    // Put together by hand: an interpolation takes three times as long.
    foreignID ?? identity + "-" + String(id) + "-" + String(recordedAt.milliseconds)
  }
}
