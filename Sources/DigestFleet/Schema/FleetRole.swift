#if PostgreSQL
  /// What someone may do in a fleet.
  enum FleetRole {
    /// Asks.
    case reader

    /// Pushes, asks and prunes.
    case writer

    /// What comes before the name of a role.
    fileprivate var grants: [String] {
      switch self {
      case .reader: Self.asking
      case .writer:
        Self.asking + [
          """
          GRANT INSERT, UPDATE ON digests.source, digests.model, digests.release, digests.failure, \
          digests.source_numbers, digests.pack, digests.failure_tally, \
          digests.model_tally, digests.growth, digests.digest_page, digests.loss TO
          """,
          """
          GRANT DELETE ON digests.pack, digests.growth, digests.model_tally, digests.digest_page TO
          """,
          "GRANT UPDATE (first_hour) ON digests.fleet TO",
        ]
      }
    }

    private static let asking = [
      "GRANT USAGE ON SCHEMA digests TO",
      "GRANT SELECT ON ALL TABLES IN SCHEMA digests TO",
    ]

    /// Who may do what, but for the owner; the names are quoted.
    static func granted(on connection: PostgreSQLConnection) throws -> [(FleetRole, String)] {
      try connection.run(
        """
        SELECT a.grantee::regrole::text, bool_or(a.privilege_type = 'UPDATE')::int
        FROM pg_class AS c, aclexplode(c.relacl) AS a
        WHERE c.oid = 'digests.source'::regclass AND a.grantee NOT IN (0, c.relowner)
        GROUP BY a.grantee
        """
      ).map { ($0.integer(1) != 0 ? .writer : .reader, $0.text(0) ?? "") }
    }
  }

  extension PostgreSQLConnection {
    /// - Parameter name: of a role, quoted as a name.
    func grant(_ role: FleetRole, to name: String) throws {
      for statement in role.grants { try run("\(statement) \(name)") }
    }

    /// Whether a role may do what it was granted.
    ///
    /// - Parameter name: of the role, as it is.
    func hasGranted(_ role: FleetRole, to name: String) throws -> Bool {
      try run(
        """
        SELECT (has_schema_privilege($1, 'digests', 'USAGE')
          AND has_table_privilege($1, 'digests.growth', $2))::int
        """, [.text(name), .text(role == .writer ? "DELETE" : "SELECT")]
      ).first?.integer(0) == 1
    }
  }
#endif
