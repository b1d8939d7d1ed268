import Foundation
import Testing

/// A fleet in a file.
struct FleetTests {
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    try sandbox.load(Drift.lines.prefix(2).joined(separator: "\n"), into: "a.sqlite")
    try sandbox.load(Drift.lines.dropFirst(2).joined(separator: "\n"), into: "b.sqlite")
    _ = try sandbox.run("fleet init fleet.sqlite")
    return sandbox
  }

  /// The identities of the sources and their numbers of errors, by their numbers of digests.
  private func sources(
    _ sandbox: Sandbox
  ) throws -> [String: (identity: String, occurrences: String)] {
    let rows = try sandbox.run("fleet sources --store fleet.sqlite --format csv")
      .lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    return Dictionary(
      uniqueKeysWithValues: rows.map { (String($0[4]), (String($0[1]), String($0[3]))) })
  }

  @Test func `a fleet reports what one store with all digests reports`() throws {
    let sandbox = try sandbox()
    for (store, digests, periods) in [("a.sqlite", 2, 2), ("b.sqlite", 3, 6)] {
      for (digests, periods) in [(digests, periods), (0, 0)] {
        #expect(
          try sandbox.run("push fleet.sqlite --store \(store)")
            == Outcome(lines: [
              "\(store): pushed \(digests) digests and the counts of \(periods) periods"
            ]))
      }
    }
    try sandbox.load(Drift.ndjson)
    for report in [
      "top-novel-values", "top-failures --since 2026-11-20T10:30:00Z", "models",
      "trend --by hour --since 2026-11-20 --until 2026-11-23", "new --release 4.3.0",
      "diff 4.2.0 4.3.0", "metrics",
    ] {
      let all = try sandbox.run(report)
      #expect(all.stdout.isEmpty == false)
      #expect(try sandbox.run("\(report) --store fleet.sqlite") == all)
    }
    #expect(try sandbox.run("verify --store fleet.sqlite").status == 0)
  }

  @Test func `a store is forgotten with its counts and digests`() throws {
    let sandbox = try sandbox()
    for store in ["a.sqlite", "b.sqlite"] {
      _ = try sandbox.run("push fleet.sqlite --store \(store)")
    }
    let (a, occurrences) = try #require(try sources(sandbox)["2"])
    #expect(
      try sandbox.run("fleet forget \(a) --store fleet.sqlite")
        == Outcome(lines: ["\(a): forgot \(occurrences) occurrences"]))
    #expect(try sources(sandbox).keys.sorted() == ["3"])
    for report in ["models", "top-novel-values", "metrics"] {
      let left = try sandbox.run("\(report) --store b.sqlite")
      #expect(try sandbox.run("\(report) --store fleet.sqlite") == left)
    }
    #expect(
      try sandbox.run("fleet forget \(a) --store fleet.sqlite")
        == .failure(65, "no source \(a); digest-query fleet sources lists them"))
  }

  @Test func `a store is forgotten by its name if no other has that`() throws {
    let sandbox = try sandbox()
    for name in ["a", "b"] {
      _ = try sandbox.run("push fleet.sqlite \(name).sqlite --name web")
    }
    #expect(
      try sandbox.run("fleet forget web --store fleet.sqlite")
        == .failure(
          65,
          "2 sources are named web: name one by its identity, as digest-query fleet sources lists it"
        ))
    _ = try sandbox.run("push fleet.sqlite b.sqlite --name web-b")
    let outcome = try sandbox.run("fleet forget web-b --store fleet.sqlite")
    #expect(outcome.status == 0 && outcome.stdout.hasPrefix("web-b: forgot "))
    #expect(
      try sandbox.run("fleet sources --store fleet.sqlite --format csv --columns name").lines
        == ["name", "web"])
  }

  @Test func `a report says which server has a value`() throws {
    let sandbox = try sandbox()
    for name in ["a", "b"] {
      _ = try sandbox.run("push fleet.sqlite \(name).sqlite --name web-\(name)")
    }
    func run(_ command: String) throws -> Outcome {
      try sandbox.run("\(command) --store fleet.sqlite")
    }
    let names = try run("fleet sources --format csv --columns name").lines
    #expect(names == ["name", "web-a", "web-b"])
    #expect(
      try run("models --by source --value tower --format csv --columns source,occurrences").lines
        == ["source,occurrences", "web-b,2"])
    #expect(
      try run("trend --by week --group source --value castle --format csv").lines
        == [
          "start,source,occurrences,partial", "2026-11-16T00:00:00.000Z,web-a,1,false",
          "2026-11-16T00:00:00.000Z,web-b,1,false",
        ])
    for report in [
      "top-failures", "models", "metrics", "digests --format csv --columns recorded_at",
    ] {
      let expected = try sandbox.run("\(report) --store a.sqlite")
      #expect(try run("\(report) --source web-a").stdout == expected.stdout)
    }
    #expect(try run("export --source web-a").lines.count == 2)
    #expect(
      try run("check --max-new 0 --source web-c")
        == .failure(
          66,
          "nothing was checked: the store has no source web-c; did you mean web-a or web-b? To "
            + "count 0, add --allow-empty"))
    #expect(
      try sandbox.run("push fleet.sqlite a.sqlite --name ''")
        == .usage("push", "--name is empty: name the store"))
  }

  @Test func `a push without a name takes that of the host`() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("push fleet.sqlite a.sqlite")
    let host = try sandbox.runShell("uname -n").lines
    #expect(
      try sandbox.run("fleet sources --store fleet.sqlite --format csv --columns name").lines
        == ["name"] + host)
  }

  @Test(arguments: ["push fleet.sqlite", "fleet sources", "fleet forget a"])
  func `a mistyped path makes no file`(command: String) throws {
    let sandbox = try sandbox()
    let files = try sandbox.files()
    #expect(try sandbox.run("\(command) --store nix.sqlite") == .noStore("nix.sqlite"))
    #expect(try sandbox.files() == files)
  }

  @Test func `a fleet that is there already stays`() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("push fleet.sqlite --store a.sqlite")
    let before = try sandbox.run("export --store fleet.sqlite")
    #expect(try sandbox.run("fleet init fleet.sqlite") == Outcome())
    #expect(try sandbox.run("export --store fleet.sqlite") == before)
  }
}
