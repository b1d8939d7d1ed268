/// The privileges of a role in a fleet. The owner of the tables has all privileges.
enum FleetRole {
  /// Reads everything.
  case reader

  /// Pushes. ``FleetSchema`` limits it to the rows of its own stores.
  case writer

  /// The statements, up to the name of the role.
  fileprivate var grants: [String] {
    switch self {
    case .reader:
      ["GRANT USAGE ON SCHEMA digests TO", "GRANT SELECT ON ALL TABLES IN SCHEMA digests TO"]
    case .writer:
      [
        "GRANT USAGE ON SCHEMA digests TO",
        "GRANT SELECT ON digests.fleet, digests.release TO",
        // Not the role or the identity of a store.
        """
        GRANT SELECT, INSERT (identity, name), UPDATE (name, revision, last_digest, \
        last_recorded_at, last_moment, digests_through, coarse_before, occurrences, digests, \
        last_pushed_at) ON digests.source TO
        """,
        """
        GRANT SELECT, INSERT ON digests.source_numbers, digests.pack, digests.growth, \
        digests.failure_tally, digests.model_tally, digests.decode_tally, digests.loss TO
        """,
        // UPDATE by column and no DELETE: with either on a whole table, a role may lock it in any mode.
        "GRANT UPDATE (mark, cells) ON digests.pack TO",
        "GRANT UPDATE (cells) ON digests.growth TO",
        """
        GRANT UPDATE (occurrences, digests, shared_digests, first_seen, last_seen) \
        ON digests.failure_tally TO
        """,
        """
        GRANT UPDATE (occurrences, digests, first_seen, last_seen) ON digests.model_tally TO
        """,
        "GRANT UPDATE (decodes) ON digests.decode_tally TO",
        "GRANT UPDATE (digests, occurrences, note) ON digests.loss TO",
        "GRANT SELECT, INSERT ON digests.push TO",
        // Not SELECT.
        "GRANT INSERT ON digests.digest_page TO",
        "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA digests TO",
      ]
    }
  }
}

extension PostgreSQLConnection {
  /// - Parameter name: the name of a role, not quoted.
  func grant(_ role: FleetRole, to name: String) throws {
    for statement in role.grants { try run("\(statement) \(name.quotedAsName)") }
  }
}

extension String {
  /// The text as a quoted identifier. By scalars, as a quotation mark may precede a combining mark.
  var quotedAsName: String {
    var name = "\"".unicodeScalars
    for scalar in unicodeScalars {
      if scalar == "\"" { name.append(scalar) }
      name.append(scalar)
    }
    return String(name) + "\""
  }
}
