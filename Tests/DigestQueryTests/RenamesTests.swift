import Testing

struct RenamesTests {
  private func sandbox(unknownKey: String = "unknownKey") throws -> Sandbox {
    let digests = (0..<3).map { index -> Digest in
      var digest = Digest("d-\(index)", recordedAt: "2026-11-20T10:00:0\(index).000Z")
      digest.release = index == 0 ? "4.1.0" : "4.2.0"
      digest.failures = [
        Digest.Failure(
          path: "items[\(index)].name", kind: "keyNotFound", novelValue: nil, novelValueType: nil,
          expectedType: "String"),
        Digest.Failure(
          path: "items[\(index)].\u{1B}title", kind: unknownKey, novelValue: nil,
          novelValueType: nil, foundType: "string", foundValue: "Loft"),
      ]
      return digest
    }
    return try Sandbox(importing: digests.ndjson)
  }

  @Test func `renames are listed with both keys, digests, times and the first release`() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("renames", "--format", "csv")
        == Outcome(
          stdout: """
            model,old_path,new_path,digests,first_seen,last_seen,first_release,old_digests,new_digests,share
            App.Listing,items[].name,"items[][""\\u001btitle""]",3,2026-11-20T10:00:00.000Z,2026-11-20T10:00:02.000Z,4.1.0,3,3,1

            """))
    #expect(
      try sandbox.run("renames", "--release", "4.2.0", "--path", "*.name", "--format", "ndjson")
        .stdout
        == #"{"model": "App.Listing", "old_path": "items[].name", "#
        + #""new_path": "items[][\"\\u001btitle\"]", "digests": 2, "#
        + #""first_seen": "2026-11-20T10:00:01.000Z", "last_seen": "2026-11-20T10:00:02.000Z", "#
        + #""first_release": "4.2.0", "old_digests": 2, "new_digests": 2, "share": 1}"# + "\n")
  }

  @Test func `a store without unknown keys says what to configure`() throws {
    #expect(
      try sandbox(unknownKey: "typeMismatch").run("renames", "--format", "csv")
        == Outcome(
          stdout: "model,old_path,new_path,digests,first_seen,last_seen,first_release,old_digests,"
            + "new_digests,share\n",
          stderr: """
            digest-query: nothing found that matches
            digest-query: the store has no missing or no unknown keys; set reportsMissingKeys and \
            reportsUnknownKeys of its configuration

            """))
  }

  @Test(arguments: [["--kind", "unknownKey"], ["--value", "villa"]])
  func `a filter for kinds or novel values is refused`(filter: [String]) throws {
    #expect(
      try Sandbox().run(["renames"] + filter)
        == .failure(
          64,
          "leave out --kind and --value: a rename has neither; see digest-query renames --help"))
  }
}
