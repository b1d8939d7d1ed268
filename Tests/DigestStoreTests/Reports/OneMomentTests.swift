import Foundation
import Testing

@testable import DigestStore

struct OneMomentTests {
  @Test func `reports of one moment agree while others write`() throws {
    let temporary = try TemporaryStore(holding: .make(), .make())
    let reader = try DigestReader(path: temporary.path)

    let answers = try reader.atOneMoment {
      let before = try reader.answers()
      try temporary.store.append(.make(model: "App.Other"))
      try temporary.foldAll()
      try temporary.execute("INSERT INTO loss VALUES (1, 'overflow', 2, 3, NULL)")
      return (before, try reader.answers())
    }

    #expect(answers.0 == answers.1)
    #expect(try reader.models().map(\.model).contains("App.Other"))
    #expect(try reader.losses().map(\.reason) == ["overflow"])
    #expect(try reader.answers() == temporary.store.answers())
  }

  @Test func `a moment ends with an error of its closure`() throws {
    let temporary = try TemporaryStore(holding: .make())
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
    let temporary = try TemporaryStore(holding: .make())
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
