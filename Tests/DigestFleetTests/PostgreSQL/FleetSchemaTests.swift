import Testing

@testable import DigestFleet

struct FleetSchemaTests {
  /// A version 2 that does not exist.
  private static let migrations = ["CREATE SCHEMA digests;", "ALTER TABLE digests.source …;"]

  private static let end = "UPDATE digests.fleet SET version = 2;"

  @Test(
    arguments: [
      (0, "CREATE SCHEMA digests;\nALTER TABLE digests.source …;\n\(end)"),
      (1, "ALTER TABLE digests.source …;\n\(end)"), (2, ""), (3, nil), (-1, nil), (.max, nil),
    ] as [(Int64, String?)])
  func `older tables get the migrations that they lack, and newer ones are refused`(
    version: Int64, expected: String?
  ) {
    #expect(FleetSchema.migration(from: version, by: Self.migrations) == expected)
  }

  @Test func `the tables that init makes are current`() throws {
    #expect(FleetSchema.version == 1)
    let sql = try #require(FleetSchema.migration(from: 0))
    #expect(
      sql.contains("CREATE TABLE digests.fleet") && sql.contains("CREATE VIEW digests.sources"))
    #expect(sql.hasSuffix("UPDATE digests.fleet SET version = 1;"))
    #expect(FleetSchema.migration(from: 1) == "")
    #expect(FleetSchema.migration(from: 2) == nil)
  }
}
