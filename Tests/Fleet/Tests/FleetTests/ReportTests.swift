import Foundation
import Testing

/// A fleet answers as one file does that has the digests of all stores.
struct ReportTests {
  static let reports: [[String]] = [
    ["top-novel-values", "--format", "json"],
    ["top-novel-values", "--limit", "3"],
    ["top-novel-values", "--as", "swift"],
    ["top-failures", "--format", "csv"],
    ["top-failures", "--kind", "typeMismatch"],
    ["top-failures", "--model", "App.L*", "--path", "items[].*", "--format", "tsv"],
    ["models", "--format", "ndjson"],
    ["models", "--release", "4.2.0"],
    ["trend", "--by", "day"],
    ["trend", "--by", "hour", "--group", "value", "--format", "csv"],
    ["trend", "--by", "week", "--group", "release", "--format", "json"],
    ["trend", "--group", "model"],
    ["new", "--release", "4.10.0"],
    ["new", "--since", "2025-10-14T00:00:00Z"],
    ["diff", "4.1.0", "4.2.0"],
    ["check", "--max-occurrences", "10"],
    ["check", "--max-new-novel-values", "0", "--release", "4.10.0"],
    ["top-novel-values", "--since", "2025-10-11T05:00:00Z", "--until", "2025-10-16T21:00:00Z"],
    ["models", "--since", "2025-10-11T05:00:00Z", "--until", "2025-10-11T09:00:00Z"],
    ["top-failures", "--since", "2025-10-12", "--release", "4.1.0", "--format", "markdown"],
    ["report", "--since", "2025-10-12"],
  ]

  @Test func `every report on a fleet is that on one store with the digests of all`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(7)
    for machine in 0..<3 {
      let digests = (0..<400).map { Digest.random($0, of: machine, using: &random) }
      try files.add(digests, to: "\(machine).sqlite")
      try files.add(digests, to: "all.sqlite")
      let result = try Tool.run(
        "push", database.url(), "--store", files.path("\(machine).sqlite"))
      try #require(result.status == 0, "\(result.error)")
    }

    for report in Self.reports {
      var file = try Tool.run(report + ["--store", files.path("all.sqlite")])
      var fleet = try Tool.run(report + ["--store", database.url()])
      // Only the page says where its answer comes from, and when.
      fleet.output = fleet.output.replacing(database.display, with: files.path("all.sqlite"))
      file.output = file.output.replacing(/<p>Made .*<\/p>/, with: "")
      fleet.output = fleet.output.replacing(/<p>Made .*<\/p>/, with: "")
      #expect(fleet == file, "\(report)")
    }
  }

  @Test func `the stores of a name are asked alone`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(17)
    for (machine, name) in ["web-1", "web-2", "web_3", "job-1"].enumerated() {
      let digests = (0..<200).map { Digest.random($0, of: machine, using: &random) }
      try files.add(digests, to: "\(machine).sqlite")
      if machine < 2 { try files.add(digests, to: "webs.sqlite") }
      try #require(
        Tool.run(
          "push", database.url(), "--store", files.path("\(machine).sqlite"), "--name", name
        ).status == 0)
    }

    for report in Self.reports where report.first != "report" {
      for (name, store) in [("web-?", "webs"), ("job*", "3"), ("web_3", "2")] {
        let file = try Tool.run(report + ["--store", files.path("\(store).sqlite")])
        let fleet = try Tool.run(report + ["--store", database.url(), "--source", name])
        #expect(fleet == file, "\(report) \(name)")
      }
    }
    #expect(
      try Tool.run("models", "--store", database.url(), "--source", "db")
        == Tool.Result(
          status: 66, output: "",
          error:
            "digest-query: \(database.display) has no store of that name; digest-query sources "
            + "lists those that there are\n"))
    #expect(
      try Tool.run("models", "--store", files.path("0.sqlite"), "--source", "web-1")
        == Tool.Result(
          status: 64, output: "",
          error:
            "digest-query: --source chooses among the stores of a fleet: name one with --store "
            + "postgresql://, or leave it out\n"))
  }

  @Test func `wildcards are scalars, whatever follows them`() throws {
    let files = try Files()
    let database = try Database()
    let names = ["50%\u{301}", "500\u{301}", "a_\u{301}", "ab\u{301}", "a\\\u{301}", "e\u{301}"]
    for (number, name) in names.enumerated() {
      let store = "\(number).sqlite"
      try files.add([Digest.at("2025-10-11T05:20:00Z")], to: store)
      try #require(
        Tool.run("push", database.url(), "--store", files.path(store), "--name", name).status == 0)
    }
    // The pattern, and how many names it stands for.
    for (glob, count) in [
      ("50%\u{301}", 1), ("a_\u{301}", 1), ("a\\\u{301}", 1), ("a?\u{301}", 3), ("*\u{301}", 6),
      ("e?", 1), ("5*\u{301}", 2),
    ] {
      let rows = try Tool.run(
        "sources", "--source", glob, "--store", database.url(), "--format", "csv")
      #expect(rows.output.split(separator: "\n").count == count + 1, "\(glob) \(rows)")
    }
  }

  @Test func `a window is told to the hour, and that it is`() throws {
    let files = try Files()
    let database = try Database()
    try files.add([Digest.at("2025-10-11T05:20:00Z")], to: "a.sqlite")
    try #require(
      Tool.run("push", database.url(), "--store", files.path("a.sqlite")).status == 0)

    let result = try Tool.run(
      "check", "--max-occurrences", "0", "--since", "2025-10-11T05:40:00Z", "--store",
      database.url())

    #expect(result.status == 1)
    #expect(result.error.contains("counted since 2025-10-11T05:00:00.000Z"))
  }

  @Test(arguments: [["verify"], ["doctor"], ["import", "-"], ["merge", "a.sqlite"]])
  func `what is about a file says that a fleet is none`(command: [String]) throws {
    let url = "postgresql://nobody@127.0.0.1:1/none"
    #expect(
      try Tool.run(command + ["--store", url])
        == Tool.Result(
          status: 64, output: "",
          error:
            "digest-query: this needs the file of a store, and a fleet is none: name a file with "
            + "--store PATH\n"))
  }
}

extension Digest {
  /// A digest of one novel value.
  static func at(_ moment: String, id: String = UUID().uuidString, value: String = "villa")
    -> Digest
  {
    Digest([
      "id": id, "recordedAt": moment, "model": "App.Listing", "release": "4.2.0",
      "failures": [
        [
          "path": "kind", "kind": "unknownNovelValue", "novelValue": value,
          "novelValueType": "String",
        ]
      ],
    ])
  }
}
