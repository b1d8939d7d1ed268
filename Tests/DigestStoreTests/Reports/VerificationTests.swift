import Foundation
import Testing

@testable import DigestStore

struct VerificationTests {
  @Test(arguments: [
    ("UPDATE lifetime SET occurrences = occurrences + 1", "1 counts differ"),
    ("UPDATE lifetime SET last_seen = last_seen + 1", "1 counts differ"),
    ("DELETE FROM lifetime", "1 counts are missing"),
    ("DELETE FROM period WHERE span = 24", "1 counts are missing"),
    ("DELETE FROM period WHERE span = 1", "1 counts are missing"),
    ("UPDATE period SET cells = x'ff' WHERE span = 24", "1 packed counts cannot be read"),
    ("DELETE FROM model_period WHERE span = 24", "1 counts are missing"),
    ("DELETE FROM model_period WHERE span = 1", "1 counts are missing"),
    ("DELETE FROM model_period WHERE span = 0", "1 counts are missing"),
    ("UPDATE model_period SET cells = x'ff' WHERE span = 1", "2 packed counts cannot be read"),
    (
      "INSERT INTO model_period SELECT NULL, 1, start, 0, cells FROM model_period WHERE span = 1",
      "3 counts differ"
    ),
    ("UPDATE digest SET model_id = 2 WHERE id = 7", "1 counts differ"),
    ("UPDATE period SET start = start + 1 WHERE span = 1", "3 counts differ"),
    ("UPDATE digest SET entries = '[[1' WHERE id = 7", "1 digests cannot be read"),
    ("UPDATE digest SET recorded_at = recorded_at + 1 WHERE id = 7", "2 counts differ"),
    ("DELETE FROM digest WHERE id = 7", "2 counts differ"),
    ("UPDATE store SET folded_through = 0", "2 counts differ from a recount"),
    ("UPDATE digest SET entries = '[[99]]' WHERE id = 7", "1 entries are of no known failure"),
    ("DELETE FROM hour", "1 hours do not know where their digests are"),
    ("UPDATE failure SET value_id = NULL", "1 failures belong to another novel value"),
    ("UPDATE digest SET model_id = 99 WHERE id = 7", "A row of digest refers to no row of model"),
  ])
  func `a file that was tampered with is reported`(_ change: String, _ problem: String) throws {
    let temporary = try TemporaryStore()
    try temporary.store.write { writer in
      for _ in 0..<1_000 { try writer.append(.make()) }
    }
    #expect(try temporary.store.verify().problems == [])

    try temporary.execute(change)

    let problems = try temporary.store.verify().problems
    #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
  }
}
