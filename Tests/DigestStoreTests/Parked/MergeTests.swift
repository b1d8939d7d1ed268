import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct MergeTests {
  private struct Place {
    let folder: TemporaryFolder
    func path(_ name: String) -> String { folder.url.appending(path: name).path }

    init() throws { folder = try TemporaryFolder() }

    func make(_ name: String, _ records: [DigestRecord]) throws {
      let store = try DigestStore(path: path(name))
      try store.appendAll(records)
      try store.close()
    }

    func files() throws -> [String] {
      try folder.url.storeFiles()
    }

    func execute(_ sql: String, in name: String) throws {
      let connection = try Connection(path: path(name), mode: .readWrite)
      try connection.execute(sql)
      try connection.emptyLog()
    }
  }

  private func export(_ path: String) throws -> [String] {
    try DigestReader(path: path).lines()
  }

  @Test(arguments: 0..<6)
  func `a merge gives the store that an import of the exports gives`(seed: UInt64) throws {
    let place = try Place()
    var records = (0..<3).map { RandomRecords.make(700, seed: 10 * seed + $0) }
    for index in stride(from: 0, to: 700, by: 5) { records[0][index].id = "d-\(index)" }
    let names = ["a", "b", "c"]
    for (name, records) in zip(names, records) { try place.make(name, records) }
    let imported = try TemporaryStore()
    for name in names {
      _ = try imported.store.importText(export(place.path(name)).joined(separator: "\n"))
    }

    let summaries = try DigestStore.mergeStores(
      at: names.map(place.path), intoStoreAt: place.path("all"))

    #expect(summaries.map(\.added) == [700, 700, 700])
    #expect(summaries.map(\.known) == [0, 0, 0])
    #expect(summaries.map(\.path) == names.map(place.path))
    let merged = try DigestReader(path: place.path("all"))
    #expect(try merged.lines() == imported.store.lines())
    #expect(try merged.novelValues() == imported.store.novelValues())
    #expect(try merged.failures() == imported.store.failures())
    #expect(try merged.verify().isSound)
  }

  /// Everything that a line can have, and what no app would send.
  @Test func `merged digests are unchanged`() throws {
    let place = try Place()
    var dictionary = FailureRecord.mismatch(at: "", message: nil)
    dictionary.path = ErrorDigest.Path([.key("attrs"), .dictionaryKey("x.y"), .index(1)])
    var deep = FailureRecord.mismatch(at: "", message: "deep")
    deep.path = ErrorDigest.Path((0..<12).map { .index($0) })
    let hostile = "\0\u{1b}[31m\"\\\u{2028}\n%s👩‍👩‍👧‍👦"
    var empty = DigestRecord.make(release: hostile)
    empty.entries = []
    try place.make(
      "a",
      [
        .make(release: "4.2.0", .novel("villa", found: .string("villa")), dictionary, deep),
        .make(.novel(hostile, at: "items[0].kind", found: .string(hostile))), empty,
        .make(
          model: hostile, .novel("", at: "a", found: .null), .mismatch(at: "a[1]", found: .array),
          omissions: [
            (.novel("villa", at: "items[].kind"), 12),
            (.novel("villa", at: "items[].kind", found: .string("other")), 1),
          ]),
        .make(id: "id " + hostile, at: .latest, .mismatch(at: "", message: "")),
      ])

    _ = try DigestStore.mergeStores(at: [place.path("a")], intoStoreAt: place.path("b"))

    #expect(try export(place.path("b")) == export(place.path("a")))
    #expect(try place.files() == ["a", "b"])
  }

  @Test func `merging twice, or where it comes from, changes nothing`() throws {
    let place = try Place()
    try place.make("a", RandomRecords.make(30, seed: 1))
    try place.make("b", RandomRecords.make(20, seed: 2))
    let first = try export(place.path("a")) + export(place.path("b"))

    _ = try DigestStore.mergeStores(at: [place.path("b")], intoStoreAt: place.path("a"))
    let again = try DigestStore.mergeStores(
      at: [place.path("b"), place.path("b")], intoStoreAt: place.path("a"))
    let home = try DigestStore.mergeStores(at: [place.path("a")], intoStoreAt: place.path("b"))

    #expect(again.map(\.known) == [20, 20])
    #expect(again.map(\.added) == [0, 0])
    #expect(home.map(\.added) == [30])
    #expect(home.map(\.known) == [20])
    #expect(try export(place.path("a")) == first)
  }

  @Test func `a copy that has continued by itself adds its new digests`() throws {
    let place = try Place()
    try place.make("a", RandomRecords.make(10, seed: 1))
    try FileManager.default.copyItem(atPath: place.path("a"), toPath: place.path("b"))
    for (name, milliseconds) in [("a", 1), ("b", 2)] as [(String, Int64)] {
      let store = try DigestStore(path: place.path(name))
      try store.append(.make(at: Moment(milliseconds: milliseconds)))
      try store.close()
    }
    let summary = try DigestStore.mergeStores(
      at: [place.path("b")], intoStoreAt: place.path("a"))
    #expect(summary.map(\.added) == [1])
    #expect(try export(place.path("a")).count == 12)
  }

  @Test func `the latest digests of a running app are merged too`() throws {
    let place = try Place()
    let temporary = try TemporaryStore()
    try temporary.store.append(.make(), .make())
    #expect(try temporary.files().contains("digests.sqlite-wal"))

    let summary = try DigestStore.mergeStores(
      at: [temporary.path], intoStoreAt: place.path("a"))

    #expect(summary.map(\.added) == [2])
    try temporary.store.append(.make())
    #expect(try temporary.store.verify().digests == 3)
  }

  @Test func `evicted digests of a store are reported, and not counted`() throws {
    let place = try Place()
    let old = Moment(milliseconds: 3_600_000)
    let temporary = try TemporaryStore(.init(maximumAge: .seconds(86_400)))
    let now = Moment(Date())
    try temporary.store.append(.make(at: old), .make(at: now), .make(at: old))
    _ = try temporary.store.prune()

    let summary = try #require(
      try DigestStore.mergeStores(at: [temporary.path], intoStoreAt: place.path("a")).first)

    #expect(summary.added == 1)
    #expect(summary.losses.map(\.reason) == [DigestStore.Loss.Reason.evicted])
    #expect(summary.losses.map(\.digests) == [2])
    #expect(try summary.losses == temporary.store.losses())
    #expect(try DigestReader(path: place.path("a")).losses().isEmpty)
  }

  @Test func `a large store comes in many steps, between which others write`() throws {
    let place = try Place()
    let count = Addition.largestWhole + 500
    var records = RandomRecords.make(500, seed: 3)
    while records.count < count { records += records.prefix(count - records.count) }
    try place.make("a", records)
    try place.make("b", [.make()])
    let other = try DigestStore(path: place.path("b"))
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      for _ in 0..<50 { try? other.append(.make()) }
    }
    let summary = try DigestStore.mergeStores(at: [place.path("a")], intoStoreAt: place.path("b"))
    group.wait()
    #expect(summary.map(\.added) == [count])
    #expect(try other.verify().digests == count + 51)
    #expect(try other.verify().isSound)
  }
}

/// What is refused, before anything is written.
extension MergeTests {
  private static let damages = [
    ("PRAGMA user_version = 99", DigestStoreError.Code.newerStore),
    ("PRAGMA application_id = 1", .notAStore),
  ]

  @Test(arguments: damages)
  func `a store with something in it that none can have stops the merge before it begins`(
    sql: String,
    code: DigestStoreError.Code
  ) throws {
    let place = try Place()
    for name in ["a", "b", "all"] { try place.make(name, [.make(), .make(), .make()]) }
    try place.execute(sql, in: "b")
    let before = try export(place.path("all"))

    let error = #expect(throws: DigestStoreError.self) {
      try DigestStore.mergeStores(
        at: [place.path("a"), place.path("b")], intoStoreAt: place.path("all"))
    }

    #expect(error?.code == code)
    #expect(error?.description.hasPrefix(place.path("b")) == true)
    #expect(try export(place.path("all")) == before)
    #expect(try place.files() == ["a", "all", "b"])
    #expect(throws: DigestStoreError.self) {
      try DigestStore.mergeStores(
        at: [place.path("a"), place.path("b")], intoStoreAt: place.path("new"))
    }
    #expect(try place.files() == ["a", "all", "b"])
  }

  private static let unreadable: [(sql: String, problems: [String])] = [
    (
      "UPDATE digest SET entries = '[[' WHERE id = 3",
      ["digest 3: the entries cannot be read"]
    ),
    (
      "UPDATE failure SET kind = 'nonsense'",
      (1...3).map {
        "digest \($0): failures[0].kind is none of keyNotFound, valueNotFound, typeMismatch, "
          + "dataCorrupted, unknownNovelValue, converted, unknownKey, other"
      }
    ),
    (
      "UPDATE failure SET coding_path = '[', path_format = '['",
      (1...3).map { "digest \($0): failures[0].path is no path such as items[3].kind" }
    ),
    ("UPDATE model SET name = ''", (1...3).map { "digest \($0): model is empty" }),
    (
      "UPDATE digest SET recorded_at = -1 WHERE id = 2",
      ["digest 2: recordedAt is not between the years 1970 and 9999"]
    ),
    (
      "UPDATE digest SET omissions = '[[1,999999999999]]' WHERE id = 3",
      ["digest 3: failures[1].count is not between 1 and 100000000"]
    ),
  ]

  @Test(arguments: unreadable)
  func `a digest that no store can have is skipped, and the others are merged`(
    sql: String,
    problems: [String]
  ) throws {
    let place = try Place()
    for name in ["a", "b"] { try place.make(name, [.make(), .make(), .make()]) }
    try place.execute(sql, in: "b")

    let summaries = try DigestStore.mergeStores(
      at: [place.path("a"), place.path("b")], intoStoreAt: place.path("all"))

    #expect(summaries.map(\.added) == [3, 3 - problems.count])
    #expect(summaries.map(\.unreadable) == [0, problems.count])
    #expect(summaries.map(\.problems) == [[], problems])
    #expect(try place.files() == ["a", "all", "b"])
  }

  @Test func `a store is not merged into itself, whatever it is called`() throws {
    let place = try Place()
    try place.make("a", [.make()])
    try place.make("b", [.make()])
    try FileManager.default.createSymbolicLink(
      atPath: place.path("link"), withDestinationPath: "a")
    for name in ["a", "link"] {
      let error = #expect(throws: DigestStoreError.self) {
        try DigestStore.mergeStores(
          at: [place.path("b"), place.path(name)], intoStoreAt: place.path("a"))
      }
      #expect(
        error?.description
          == "\(place.path(name)) is the store itself; name another one to merge into it")
    }
    #expect(try export(place.path("a")).count == 1)
  }

  @Test func `a store that is not there is no empty one`() throws {
    let place = try Place()
    let error = #expect(throws: DigestStoreError.self) {
      try DigestStore.mergeStores(at: [place.path("a")], intoStoreAt: place.path("b"))
    }
    #expect(error?.code == .noSuchStore)
    #expect(try place.files() == [])
  }
}
