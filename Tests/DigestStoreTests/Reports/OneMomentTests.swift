import Foundation
import Testing

@testable import DigestStore

struct OneMomentTests {
  /// All that a report and its notes ask for.
  private func ask(_ store: DigestReader) throws -> [String] {
    [
      "\(try store.novelValues())", "\(try store.failures())", "\(try store.models())",
      "\(try store.totals())", "\(try store.occurrences())", "\(try store.losses())",
      "\(try store.reachedLimits())", "\(try store.overview(limit: 5))",
      "\(try store.trend(by: .day))",
      "\(try store.countedWindow(matching: DigestFilter()))", "\(try store.names(of: .model))",
      "\(try store.digests(limit: 9))",
    ]
  }

  @Test func `reports of one moment agree while others write`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make(), .make())
    let reader = try DigestReader(path: temporary.path)

    let answers = try reader.atOneMoment {
      let before = try ask(reader)
      try temporary.store.append(.make(model: "App.Other"))
      try temporary.foldAll()
      try temporary.execute("INSERT INTO loss VALUES (1, 'overflow', 2, 3, NULL)")
      return (before, try ask(reader))
    }

    #expect(answers.0 == answers.1)
    #expect(try reader.models().map(\.model).contains("App.Other"))
    #expect(try reader.losses().map(\.reason) == ["overflow"])
    #expect(try ask(reader) == ask(temporary.store))
  }

  @Test func `a moment ends with an error of its closure`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    let reader = try DigestReader(path: temporary.path)

    #expect(throws: DigestStoreError.self) {
      try reader.atOneMoment {
        _ = try reader.totals()
        throw DigestStoreError(.invalidInput, "this is not asked for")
      }
    }
    try temporary.store.append(.make())
    #expect(try reader.totals().digests == 2)
  }

  @Test func `a file that is moved away meanwhile is read to the end of the moment`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    try temporary.store.close()
    let reader = try DigestReader(path: temporary.path)

    let counts = try reader.atOneMoment {
      let before = try reader.occurrences()
      try FileManager.default.moveItem(atPath: temporary.path, toPath: temporary.path + ".moved")
      try DigestStore(path: temporary.path).append(.make(), .make())
      return [before, try reader.occurrences()]
    }

    #expect(counts == [1, 1])
    #expect(try reader.occurrences() == 2)
  }
}
