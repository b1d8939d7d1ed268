import Testing

struct RenamesTests {
  private func sandbox(unknownKey: String = "unknownKey") throws -> Sandbox {
    try Sandbox(
      importing: (0..<3).map { index in
        Digest(
          release: index == 0 ? "4.1.0" : "4.2.0", recordedAt: "2026-11-20T10:00:0\(index).000Z",
          failures: [
            .error("keyNotFound", at: "items[\(index)].name", expected: "String"),
            .error(unknownKey, at: "items[\(index)].\u{1B}title", found: ("string", "Loft")),
          ])
      })
  }

  @Test func `renames are listed with both keys, digests, times and the first release`() throws {
    let sandbox = try sandbox()
    let columns =
      "model,old_path,new_path,digests,share,was_there,first_seen,last_seen,first_release"
    #expect(
      try sandbox.run("renames --format csv")
        == Outcome(lines: [
          columns,
          #"App.Listing,items[].name,"items[][""\u001btitle""]",3,,,2026-11-20T10:00:00.000Z,"#
            + "2026-11-20T10:00:02.000Z,4.1.0",
        ]))
    #expect(
      try sandbox.run(
        "renames --release 4.2.0 --path *.name --format csv --columns digests,first_release"
      ).lines.last == "2,4.2.0")
    let decodes =
      Digest.decodes(9, at: "2026-11-20T09:00:00Z") + Digest.decodes(4, release: "4.2.0")
    try sandbox.load(decodes)
    #expect(
      try sandbox.run("renames --format csv --columns digests,share,was_there").lines.last
        == "3,0.1875,true")
  }

  @Test func `a store without unknown keys says what to configure`() throws {
    let outcome = try sandbox(unknownKey: "typeMismatch").run("renames --format csv")
    #expect(outcome.lines.count == 1)
    #expect(
      outcome.notes == [
        "nothing found that matches",
        "the store has no missing or no unknown keys; set reportsMissingKeys and reportsUnknownKeys of "
          + "its configuration",
      ])
  }
}
