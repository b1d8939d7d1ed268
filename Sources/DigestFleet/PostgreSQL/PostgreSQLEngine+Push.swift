import DigestStore

/// A push is one transaction.
extension PostgreSQLEngine {
  func prepare(_ sources: [(source: KnownSource, counted: Int64)]) throws {}

  func endPush(_ sources: [PushedSource]) throws {
    for source in sources {
      try execute(
        """
        UPDATE source
        SET name = :name, counted = :counted, counted_at = :counted_at, pushed_at = :pushed_at
        WHERE id = :id
        """,
        [
          ":name": .text(source.name), ":counted": .integer(source.counted),
          ":counted_at": .integer(source.countedAt), ":pushed_at": .integer(source.pushedAt),
          ":id": .integer(source.known.id),
        ])
    }
  }

  func forSomeRows(
    of table: String, atMost rows: Int64?, _ body: (_ condition: String) throws -> Void
  ) throws {
    try body("true")
  }

  // Triggers keep the last number and context 0.
  func addedDigests() throws {}

  func addingUp(
    _ table: CountTable, where condition: String, _ replace: () throws -> Void
  ) throws {
    try replace()
  }
}
