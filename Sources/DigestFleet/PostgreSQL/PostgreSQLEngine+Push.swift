import DigestStore

/// A push is one transaction.
extension PostgreSQLEngine {
  func prepare(_ sources: [(source: KnownSource, counted: Int64)]) throws {}

  func endPush(_ sources: [(source: KnownSource, counted: Int64, countedAt: Int64)]) throws {
    for (source, counted, countedAt) in sources {
      try execute(
        "UPDATE source SET counted = :counted, counted_at = :at WHERE id = :id",
        [":counted": .integer(counted), ":at": .integer(countedAt), ":id": .integer(source.id)])
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
