import Testing

/// Rows of failures, novel values and models.
struct TopFailuresTests {
  @Test(arguments: ["", "--limit 2", "--help"])
  func `top is a short name of top-novel-values`(options: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run("top \(options)") == sandbox.run("top-novel-values \(options)"))
  }

  @Test func `the order ends with kind and expected type`() throws {
    let errors = [("other", "B"), ("dataCorrupted", "B"), ("other", "A"), ("other", nil)]
    let digest = Digest(failures: errors.map { .error($0, expected: $1) })
    #expect(
      try Sandbox(importing: [digest]).run("top-failures --format csv --columns kind,expected_type")
        .lines.dropFirst() == ["dataCorrupted,B", "other,", "other,A", "other,B"])
  }

  @Test func `a failure of the whole document has an empty path`() throws {
    let digest = Digest(failures: [.error("dataCorrupted", at: "")])
    #expect(
      try Sandbox(importing: [digest]).run("top-failures --format csv --columns coding_path").lines
        == ["coding_path", #""""#])
  }

  @Test(arguments: [
    ("top-novel-values --kind typeMismatch", true),
    ("top-novel-values --release 4.2.0 --kind dataCorrupted", true),
    ("top-novel-values --kind valueNotFound", false), ("top-novel-values --value nothing*", false),
  ])
  func `errors of a kind without novel values are found elsewhere`(
    command: String, isSaid: Bool
  ) throws {
    let notes = try Sandbox(importing: Drift.ndjson).run(command).notes
    #expect(notes.contains("no error of this kind has a novel value; see top-failures") == isSaid)
  }

  @Test func `unknown numbers are empty, and a note says why`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.run("models --format csv --path items[].kind")
    #expect(outcome.lines[1].hasPrefix("App.Listing,5,,,3,2,"), "\(outcome)")
    #expect(
      outcome.notes == [
        "digests are unknown for models of which several failures match, but not all; choose one "
          + "failure, or whole models"
      ])
  }
}
