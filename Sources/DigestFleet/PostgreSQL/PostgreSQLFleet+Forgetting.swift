import DigestStore

extension PostgreSQLFleet {
  /// Counts that a prune has added to the sums of all stores stay there: nothing says reliably which of
  /// them are the store's, because a role may rewrite what its stores have sent.
  func forget(_ source: String) throws -> ForgottenSource {
    try connection.mappingErrors(needing: nil) {
      try checkOwner()
      try checkVersion()
      return try connection.repeating {
        try connection.transaction {
          // Excludes prunes.
          try connection.run("SELECT 1 FROM digests.fleet FOR UPDATE")
          let name = PostgreSQLValue.text(FleetText.encode(source))
          let found = try sources("name = $1 OR identity = $1", [name])
          let forgotten = try FleetSource.only(of: found, named: source, in: self.name)
          // Excludes pushes of the store.
          let row = try connection.run(
            "SELECT id FROM digests.source WHERE identity = $1 FOR UPDATE",
            [.text(forgotten.identity)]
          ).first
          let counted = try row.map { try remove($0.integer(0)) } ?? 0
          return ForgottenSource(
            source: forgotten, remaining: max(0, forgotten.occurrences - Int(counted)))
        }
      }
    }
  }

  /// - Returns: how many errors were counted for the store alone.
  private func remove(_ source: Int64) throws -> Int64 {
    let id = [PostgreSQLValue.integer(source)]
    let counted = try connection.run(
      """
      SELECT \(FleetViews.sum("occurrences")) FROM digests.model_tally
      WHERE source_id = $1 AND span = 0
      """, id
    ).first?.integer(0)
    for table in [
      "growth", "failure_tally", "model_tally", "decode_tally", "pack", "source_numbers", "loss",
      "push", "digest_page",
    ] {
      try connection.run("DELETE FROM digests.\(table) WHERE source_id = $1", id)
    }
    try connection.run("DELETE FROM digests.source WHERE id = $1", id)
    return counted ?? 0
  }
}
