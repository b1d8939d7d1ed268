import Testing

@testable import DigestFleet
@testable import DigestStore

/// The tables of PostgreSQL are a file that `psql` runs, too, so it repeats what the code says.
struct FleetSQLTests {
  /// The file, with one space for each line break and indentation.
  private static let sql = String(decoding: PackageResources.fleet_sql, as: UTF8.self)
    .split(whereSeparator: \.isWhitespace).joined(separator: " ")

  @Test(arguments: [
    "VALUE BETWEEN 0 AND \(Int64.maximumCount)",
    StoredFailure.isOfBody("failure.found_type"),
    ErrorKinds.condition("failure.kind"),
  ])
  func `the file has what the code says`(condition: String) {
    #expect(Self.sql.contains(condition))
  }

  @Test(arguments: ["\\(", "{{", ":'", "%s"])
  func `nothing in the file is filled in`(placeholder: String) {
    #expect(!Self.sql.contains(placeholder))
  }

  @Test(arguments: CountTable.allCases.map(\.name))
  func `each table of counts has its sums, its policy and its readers`(table: String) {
    for text in [
      "CREATE TABLE \(table) (", "AFTER INSERT ON \(table) ", "AFTER DELETE ON \(table) ",
      "ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;", "CREATE POLICY pushes ON \(table) ",
    ] {
      #expect(Self.sql.contains(text))
    }
  }
}
