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
      uniqueKeysWithValues: rows.map { (String($0[3]), (String($0[0]), String($0[2]))) })
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
