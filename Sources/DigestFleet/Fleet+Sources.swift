#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A store that pushes, and how far it has come.
package struct FleetSource: Sendable, Hashable {
  /// By what people know it.
  package let name: String

  /// 32 hexadecimal digits, which tell it from all others.
  package let identity: String
  package let occurrences: Int
  package let digests: Int

  /// When the last digest was recorded that has arrived; nil where none has.
  package let lastRecordedAt: Date?

  /// When it last pushed.
  package let lastPushedAt: Date

  /// For how many seconds nothing has come of it, by the server's clock.
  package let lag: Double

  /// The role that pushes it.
  package let role: String
}

extension Fleet {
  /// The stores that push, those first of which nothing has come for the longest.
  ///
  /// - Parameter glob: the name of the wanted ones, as in ``store(at:of:)``; nil for all.
  package func sources(named glob: String? = nil) throws -> [FleetSource] {
    try connection.mappingErrors {
      try checkVersion()
      let ids = try glob.map { PostgreSQLValue.integers(try self.ids(ofSources: $0)) }
      return try connection.run(
        """
        SELECT name, identity, occurrences, digests, last_moment,
          floor(extract(epoch FROM last_pushed_at) * 1000)::bigint,
          floor(extract(epoch FROM now() - last_pushed_at) * 1000)::bigint, role::text
        FROM digests.source
        WHERE $1::bigint[] IS NULL OR id = ANY ($1)
        ORDER BY last_pushed_at, name COLLATE "C", identity
        """, [ids ?? .text(nil)]
      ).map { row in
        FleetSource(
          name: FleetText.decode(row.text(0) ?? ""),
          identity: row.text(1) ?? "",
          occurrences: Int(row.integer(2)),
          digests: Int(row.integer(3)),
          lastRecordedAt: row.integer(4) > 0 ? Date(milliseconds: row.integer(4)) : nil,
          lastPushedAt: Date(milliseconds: row.integer(5)),
          lag: Double(row.integer(6)) / 1_000,
          role: row.text(7) ?? ""
        )
      }
    }
  }
}
