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
    [
      "top-failures", "--release", "4.1.0", "--release", "4.10.0", "--release", "9", "--no-release",
    ],
    [
      "top-failures", "--model", "App.L*", "--model", "App.Home", "--kind", "unknownNovelValue",
      "--kind", "typeMismatch",
    ],
    ["models", "--release", "4.1.0", "--release", "4.2.0", "--since", "2025-10-12"],
    ["new", "--release", "4.2.0", "--release", "4.10.0"],
    ["trend", "--by", "day", "--group", "release", "--release", "4.2.0", "--no-release"],
    ["models", "--format", "ndjson"],
    ["models", "--release", "4.2.0"],
    ["trend", "--by", "day"],
    ["trend", "--by", "hour", "--group", "value", "--format", "csv"],
    ["trend", "--by", "week", "--group", "release", "--format", "json"],
    ["trend", "--group", "model"],
    ["metrics"],
    ["metrics", "--release", "4.1.0", "--no-release", "--model", "App.L*"],
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
        "push", database.url(), "--name", "\(machine)", "--store",
        files.path("\(machine).sqlite"))
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

  /// Every report, and what its options besides the filters are.
  private static let filtered: [[String]] = [
    ["top-novel-values"], ["top-novel-values", "--limit", "2"], ["top-failures"], ["models"],
    ["trend", "--by", "day"], ["trend", "--by", "week", "--group", "value"],
    ["trend", "--by", "day", "--group", "release"], ["new", "--since", "2025-10-14T00:00:00Z"],
    ["diff", "2025-10-09..2025-10-14", "2025-10-14..2025-10-20"],
    ["check", "--max-occurrences", "3", "--max-new-novel-values", "3"], ["report"],
  ]

  /// Every filter, alone, repeated and with others.
  private static let filters: [[String]] = [
    ["--model", "App.Listing"], ["--model", "App.L*", "--model", "App.Account"],
    ["--path", "items[].kind"], ["--path", "items[].o*", "--path", "items[].kind"],
    ["--kind", "unknownNovelValue"], ["--kind", "dataCorrupted"],
    ["--kind", "unknownNovelValue", "--kind", "dataCorrupted"],
    ["--kind", "typeMismatch", "--kind", "dataCorrupted"],
    ["--value", "villa"], ["--value", "y*", "--value", "villa"],
    ["--release", "4.2.0"], ["--release", "4.2.0", "--release", "4.10.0"],
    ["--release", "4.1.0", "--no-release"],
    ["--kind", "unknownNovelValue", "--path", "items[].kind", "--since", "2025-10-12"],
    ["--kind", "dataCorrupted", "--value", "villa", "--release", "4.2.0", "--model", "App.*"],
  ]

  /// A digest in which several failures may have the same novel value, in any order.
  private static func digest(
    _ number: Int, of machine: Int, using random: inout SeededGenerator
  ) -> [String: Any] {
    func one<Value>(of values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }
    // A value at `kind` fails for two types, and one at `other` in two ways.
    let failures = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let (path, kind, type) = one(of: [
        ("kind", "unknownNovelValue", "App.A"), ("kind", "unknownNovelValue", "App.B"),
        ("other", "unknownNovelValue", "App.A"), ("other", "dataCorrupted", "App.A"),
        ("price", "typeMismatch", "Int"),
      ])
      var failure = [
        "path": "items[\(Int.random(in: 0..<3, using: &random))].\(path)", "kind": kind,
        "expectedType": type,
      ]
      if path != "price" {
        failure["novelValue"] = one(of: ["villa", "yurt", "yacht"])
        failure["novelValueType"] = "String"
      }
      return failure
    }
    let (day, hour) = (
      Int.random(in: 10..<20, using: &random), Int.random(in: 10..<24, using: &random)
    )
    var object: [String: Any] = [
      "id": "\(machine)-\(number)", "recordedAt": "2025-10-\(day)T\(hour):20:00Z",
      "model": one(of: ["App.Listing", "App.Account"]), "failures": failures,
    ]
    object["release"] = one(of: ["4.1.0", "4.2.0", "4.10.0", nil])
    return object
  }

  @Test func `every filter of every report on a fleet is that on one store`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(11)
    for machine in 0..<3 {
      let digests = (0..<60).map { Digest(Self.digest($0, of: machine, using: &random)) }
      try files.add(digests, to: "\(machine).sqlite")
      try files.add(digests, to: "all.sqlite")
      let result = try Tool.run(
        "push", database.url(), "--name", "\(machine)", "--store",
        files.path("\(machine).sqlite"))
      try #require(result.status == 0, "\(result.error)")
    }

    // A fleet says where it would take digests to answer; then it is like a file that has none.
    try FileManager.default.copyItem(
      atPath: files.path("all.sqlite"), toPath: files.path("counts.sqlite"))
    try #require(
      Tool.run("prune", "--max-age", "1h", "--store", files.path("counts.sqlite")).status == 0)

    for report in Self.filtered {
      for filter in Self.filters where report[0] != "diff" || !filter.contains("--since") {
        let options = report + filter
        var fleet = try Tool.run(options + ["--store", database.url()])
        let hasAnswer = !(fleet.output + fleet.error).contains("digests are unknown for models")
        let store = files.path(hasAnswer ? "all.sqlite" : "counts.sqlite")
        var file = try Tool.run(options + ["--store", store])
        // Only the page names its store and the time at which it was made, and only a file says that it
        // has evicted digests.
        fleet.output = fleet.output.replacing(database.display, with: store)
          .replacing(/<p>Made .*<\/p>/, with: "")
        file.output = file.output.replacing(/<p>Made .*<\/p>/, with: "")
          .replacing(/.*\(evicted.*\n/, with: "")
        file.error = file.error.replacing(/.*\(evicted.*\n/, with: "")
        #expect(fleet == file, "\(options)")
        if report == ["top-novel-values"] || report == ["models"] {
          // Not the sums, but what each store has sent.
          #expect(
            try Tool.run(options + ["--store", database.url(), "--source", "*"]) == file,
            "\(options)")
        }
        #expect([0, 1].contains(file.status), "\(options) \(file)")
      }
    }
  }

  @Test func `a filter may have hundreds of long names`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(31)
    try files.add((0..<20).map { Digest(Self.digest($0, of: 0, using: &random)) }, to: "a.sqlite")
    try #require(Tool.run("push", database.url(), "--store", files.path("a.sqlite")).status == 0)
    let names = (0..<499).map { "\($0)" + String(repeating: "'\\é", count: 200) } + ["villa"]
    let filter = names.flatMap { ["--value", $0] }

    for report in [["top-novel-values"], ["trend", "--group", "path"]] {
      try expectEqual(report + filter, database, files.path("a.sqlite"))
    }
  }

  /// Reports whose rows a limit selects.
  private static let limited: [[String]] = [
    ["top-novel-values"], ["top-failures"], ["top-novel-values", "--kind", "dataCorrupted"],
    ["top-failures", "--path", "*[].*", "--since", "2025-10-12T05:00:00Z"],
    ["new", "--since", "2025-10-14T00:00:00Z"], ["new", "--release", "4.2.0"],
    ["new", "--failures", "--since", "2025-10-14T00:00:00Z"],
    ["diff", "4.1.0", "4.2.0"], ["diff", "--failures", "4.1.0", "4.2.0"],
    ["trend", "--by", "day", "--group", "value", "--format", "csv"],
    ["trend", "--group", "path", "--kind", "unknownNovelValue", "--format", "csv"],
    ["trend", "--by", "week", "--group", "kind"], ["models", "--release", "4.2.0"], ["report"],
  ]

  @Test func `a limit selects the same of many equally frequent rows as on one store`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(23)
    for machine in 0..<2 {
      // Nearly all failures differ, so most occur once.
      let digests = (0..<60).map { number in
        var digest = Self.digest(number, of: machine, using: &random)
        let failures = (digest["failures"] as? [[String: String]] ?? []).map { failure in
          var failure = failure
          failure["expectedType"] = [nil, "App.A", "App.B"][Int.random(in: 0..<3, using: &random)]
          if failure["novelValue"] != nil {
            failure["novelValue"] = "é\(Int.random(in: 0..<30, using: &random))"
            failure["novelValueType"] =
              [nil, "Int", "String"][Int.random(in: 0..<3, using: &random)]
          }
          return failure
        }
        digest["failures"] = failures
        return Digest(digest)
      }
      try files.add(digests, to: "all.sqlite")
      // Counts of the first push grow with the second.
      for some in [digests.prefix(40), digests.dropFirst(40)] {
        try files.add(Array(some), to: "\(machine).sqlite")
        try #require(
          Tool.run(
            "push", database.url(), "--name", "\(machine)", "--store",
            files.path("\(machine).sqlite")
          ).status == 0)
      }
    }

    for report in Self.limited {
      for limit in [0, 1, 2, 3, 7, 20, .max] where report != ["report"] || limit > 0 {
        try expectEqual(report + ["--limit", "\(limit)"], database, files.path("all.sqlite"))
      }
    }
  }

  /// Runs a report on all stores of a fleet, also by their names, and compares it with that on a file.
  private func expectEqual(_ report: [String], _ database: Database, _ store: String) throws {
    var file = try Tool.run(report + ["--store", store])
    file.output = file.output.replacing(/<p>Made .*<\/p>/, with: "")
    for sources in [[], ["--source", "*"]] {
      var fleet = try Tool.run(report + ["--store", database.url()] + sources)
      fleet.output = fleet.output.replacing(database.display, with: store)
        .replacing(/<p>Made .*<\/p>/, with: "")
      #expect(fleet == file, "\(report) \(sources)")
    }
  }

  @Test func `the most frequent of many rows are those of one store, while counts grow`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(29)
    for push in 0..<4 {
      // A few of the 900 values are frequent, others in every push.
      let digests = (0..<60).map { number in
        let failures = (0..<30).map { _ in
          let rank = Double.random(in: 0..<1, using: &random)
          let shift = push / 2 * Int.random(in: 0..<3, using: &random)
          let value = Int(900 * rank * rank * rank) + shift
          return [
            "path": "items[].kind", "kind": "unknownNovelValue", "novelValue": "\(value)",
            "novelValueType": "String",
          ]
        }
        return Digest([
          "id": "\(push)-\(number)", "recordedAt": "2025-10-\(10 + push * 2)T05:20:00Z",
          "model": "App.Listing", "release": "4.\(push % 3).0", "failures": failures,
        ])
      }
      try files.add(digests, to: "all.sqlite")
      let machine = "\(push % 2)"
      try files.add(digests, to: "\(machine).sqlite")
      let pushed = try Tool.run(
        "push", database.url(), "--name", machine, "--store", files.path("\(machine).sqlite"))
      try #require(pushed.status == 0, "\(pushed)")
    }

    for report in [
      ["top-novel-values"], ["top-failures"], ["top-failures", "--since", "2025-10-12T00:00:00Z"],
      ["top-failures", "--release", "4.1.0"], ["new", "--since", "2025-10-13T00:00:00Z"],
      ["new", "--release", "4.2.0"], ["diff", "4.0.0", "4.1.0"], ["report"],
    ] {
      for limit in [1, 3, 20] {
        try expectEqual(report + ["--limit", "\(limit)"], database, files.path("all.sqlite"))
      }
    }
  }

  @Test func `no report reads the names of failures that it does not show`() throws {
    let files = try Files()
    let database = try Database()
    let length = 180
    let digests = (0..<1_500).map { number in
      Digest([
        "id": "\(number)", "recordedAt": "2025-10-\(10 + number % 10)T10:00:00Z",
        "model": "App.Listing", "release": "4.\(number % 2).0",
        "failures": [
          [
            "path": "path\(number)" + String(repeating: "x", count: length),
            "kind": "unknownNovelValue", "novelValueType": "String",
            "novelValue": "value\(number)" + String(repeating: "y", count: length),
          ]
        ],
      ])
    }
    try files.add(digests, to: "a.sqlite")
    try #require(Tool.run("push", database.url(), "--store", files.path("a.sqlite")).status == 0)

    for report in [
      ["top-failures", "--limit", "3"], ["top-novel-values", "--limit", "3"], ["models"],
      ["top-failures", "--limit", "3", "--value", "value*"],
      ["new", "--release", "4.1.0", "--limit", "3"], ["diff", "4.0.0", "4.1.0", "--limit", "3"],
      ["trend", "--group", "path", "--limit", "3"], ["trend", "--group", "kind"], ["metrics"],
      ["report", "--limit", "3"], ["check", "--max-occurrences", "1"],
    ] {
      let (result, traffic) = try CutProxy.run(.never) { proxy in
        try Tool.run(report + ["--store", database.url(through: proxy)])
      }
      #expect(result.status < 2, "\(report) \(result)")
      #expect(traffic.bytes < digests.count * 2 * length, "\(report)")
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
            "digest-query: --source selects stores of a fleet: name a fleet with --store "
            + "URL, or leave it out\n"))
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

  /// The ends of a window on 11 October 2025, and the note on it; nil for none.
  private static let windows: [(since: String?, until: String?, note: String?)] = [
    ("05:00", nil, nil), (nil, "06:00", nil), ("04:00", "07:00", nil), (nil, nil, nil),
    ("05:40", nil, "since 2025-10-11T05:00:00.000Z"),
    (nil, "05:10", "until 2025-10-11T06:00:00.000Z"),
    ("05:00", "05:30", "since 2025-10-11T05:00:00.000Z until 2025-10-11T06:00:00.000Z"),
    ("04:59", "05:30", "since 2025-10-11T04:00:00.000Z until 2025-10-11T06:00:00.000Z"),
  ]

  @Test func `a window is one of whole hours, and one note says so where that makes it another`()
    throws
  {
    let files = try Files()
    let database = try Database()
    try files.add([Digest.at("2025-10-11T05:20:00Z")], to: "a.sqlite")
    try #require(
      Tool.run("push", database.url(), "--store", files.path("a.sqlite")).status == 0)

    for window in Self.windows {
      let options =
        (window.since.map { ["--since", "2025-10-11T\($0):00Z"] } ?? [])
        + (window.until.map { ["--until", "2025-10-11T\($0):00Z"] } ?? [])
      for report in [
        ["check", "--max-occurrences", "1", "--max-new-novel-values", "1"], ["models"],
        ["top-failures"], ["trend", "--by", "hour"],
        ["report", "--output", files.path("report.html")],
      ] {
        let result = try Tool.run(report + options + ["--store", database.url()])
        #expect(result.status == 0, "\(report)")
        #expect(
          result.error
            == (window.note.map { "digest-query: a fleet counts whole hours: \($0)\n" } ?? ""),
          "\(report) \(window)")
      }
    }
  }

  @Test func `hours that were pruned are gone, and a note says that`() throws {
    let files = try Files()
    let database = try Database()
    try files.add([Digest.at("2025-10-11T05:20:00Z")], to: "a.sqlite")
    try #require(
      Tool.run("push", database.url(), "--store", files.path("a.sqlite")).status == 0)
    try #require(Tool.run("prune", "--max-age", "1d", "--store", database.url()).status == 0)
    #expect(
      try Tool.run("models", "--since", "2025-10-11T05:00:00Z", "--store", database.url()).error
        == "digest-query: window widened: counted since "
        + "2025-10-11T00:00:00.000Z, because finer counts have been deleted\n")
  }

  @Test func `what only digests can tell is refused, for a fleet counts without them`() throws {
    let files = try Files()
    let database = try Database()
    let kinds = [("unknownNovelValue", "A"), ("dataCorrupted", "A"), ("dataCorrupted", "B")]
    let digest = Digest([
      "recordedAt": "2025-10-11T05:20:00Z", "model": "App.Listing",
      "failures": kinds.map {
        [
          "path": "kind", "kind": $0.0, "expectedType": $0.1, "novelValue": "villa",
          "novelValueType": "String",
        ]
      },
    ])
    try files.add([digest], to: "a.sqlite")
    try #require(
      Tool.run("push", database.url(), "--store", files.path("a.sqlite")).status == 0)
    #expect(
      try Tool.run("top-novel-values", "--kind", "dataCorrupted", "--store", database.url())
        == Tool.Result(
          status: 65, output: "",
          error:
            "digest-query: a fleet has counts, and only digests could tell how many of them have a "
            + "novel value with this kind; count failures, or leave the kind out\n"))
  }

  @Test func `a trend by minute is refused, for a fleet has none`() throws {
    let files = try Files()
    let database = try Database()
    for digests in [[], [Digest.at("2025-10-11T05:20:00Z")]] {
      try files.add(digests, to: "a.sqlite")
      try #require(
        Tool.run("push", database.url(), "--store", files.path("a.sqlite")).status == 0)
      #expect(
        try Tool.run("trend", "--by", "minute", "--store", database.url())
          == Tool.Result(
            status: 64, output: "",
            error:
              "digest-query: a fleet has counts of hours, and none of minutes; take hours\n"))
    }
  }

  @Test(arguments: [["verify"], ["doctor"], ["import", "-"], ["merge", "a.sqlite"]])
  func `a question about a file says that a fleet is none`(command: [String]) throws {
    let url = "postgresql://nobody@127.0.0.1:1/none"
    #expect(
      try Tool.run(command + ["--store", url])
        == Tool.Result(
          status: 64, output: "",
          error:
            "digest-query: this command needs a store file, not a fleet: name a file with "
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
