import Foundation
import Testing

@testable import DigestStore

struct VerificationTests {
  @Test(arguments: [
    ("UPDATE total SET occurrences = 9", "1 total differs from the sum of its days"),
    ("UPDATE total SET occurrences = 9 WHERE context = 0", "from the sum of its contexts"),
    ("UPDATE total SET last_seen = last_seen - 1", "1 total has later first or earlier last"),
    ("UPDATE total SET first_seen = first_seen - 1", "1 total has first times of no digest"),
    ("UPDATE total SET last_seen = last_seen + 1", "1 total has last times of no digest"),
    ("UPDATE total SET first_seen = 1 WHERE context = 0", "1 total has other times than its"),
    ("UPDATE total SET last_seen = last_seen + 1 WHERE context = 0", "1 total has other times"),
    ("DELETE FROM total", "1 total differs from the sum of its days"),
    ("DELETE FROM tally WHERE span = 24", "2 counts of days differ from their hours"),
    ("DELETE FROM tally WHERE span = 1", "1 count is missing"),
    ("DELETE FROM decodes WHERE span = 24 AND context = 0", "1 count of all contexts differs"),
    ("UPDATE decodes SET failed = 999 WHERE span = 1", "1 hour whose decodes disagree with"),
    ("UPDATE decodes SET digests = digests + 1 WHERE span = 24", "2 counts of days differ"),
    ("DELETE FROM decodes WHERE span = 1 AND context > 0", "1 count of all contexts differs"),
    ("UPDATE digest SET model = 2 WHERE id = 7", "A row of digest refers to no row of model"),
    ("UPDATE digest SET context = 99 WHERE id = 7", "A row of digest refers to no row of context"),
    ("UPDATE digest SET errors = '[[1' WHERE id = 7", "1 digest cannot be read"),
    ("UPDATE digest SET errors = '{\"0\":[1]}' WHERE id = 7", "1 digest cannot be read"),
    ("UPDATE digest SET errors = '[]' WHERE id = 7", "1 count differs from a recount"),
    ("UPDATE digest SET errors = '[[1,null,2]]' WHERE id = 7", "1 count differs from a recount"),
    ("UPDATE digest SET errors = '[[99]]' WHERE id = 7", "1 error is of no known failure"),
    ("UPDATE digest SET recorded_at = 1 WHERE id = 7", "1 digest is missing, and no loss"),
    ("DELETE FROM digest WHERE id = 7", "1 digest is missing, and no loss says so"),
    ("UPDATE tally SET occurrences = -1 WHERE span = 1", "2 rows of tally have numbers that no"),
    ("UPDATE tally SET failure = 99 WHERE span = 24", "2 rows of tally refer to no failure"),
  ])
  func `a file that was tampered with is reported`(_ change: String, _ problem: String) throws {
    let temporary = try TemporaryStore()
    try temporary.store.appendAll((0..<1_000).map { _ in .make() })
    try temporary.foldAll()
    #expect(try temporary.store.verify().problems == [])

    try temporary.execute(change)

    let problems = try temporary.store.verify().problems
    #expect(problems.contains { $0.contains(problem) }, "\(problems)")
  }
}
