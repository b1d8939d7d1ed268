import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct WriteTurnsTests {
  /// Each line of a script is an event and, behind it, what the turns answer.
  @Test(arguments: [
    "threads that flush together share a batch": """
    flush a      wait
    next a       write a
    flush b      wait
    flush c      wait
    next b       wait
    written      -
    next a       leave
    next c       write b c
    flush d      wait, yielding
    written      -
    next b       leave
    next c       leave
    next d       write d
    """,
    "a batch ends at 2,000 errors": """
    flush a      wait
    flush B      wait
    flush c      wait
    next c       write a B
    written      -
    next c       write c
    """,
    "batches and visits alternate": """
    flush a      wait
    next a       write a
    flush b      wait
    want
    visit        no
    written      -
    next b       wait
    visit        yes
    want
    flush c      wait
    next b       wait
    end visit
    visit        no
    next c       write b c
    written      -
    visit        yes
    """,
    "visits follow each other while no thread waits for a digest": """
    record a     leave
    want
    want
    visit        yes
    visit        no
    end visit
    visit        yes
    """,
    "a thread that gives up lets batches go on": """
    flush a      wait
    next a       write a
    want
    flush b      wait
    written      -
    next b       wait
    give up
    next b       write b
    """,
    "a busy file releases threads, and keeps digests until a write succeeds": """
    flush a      wait
    flush b      wait
    next a       write a b
    flush c      wait, yielding
    busy         -
    next a       leave kept
    next b       leave kept
    next c       leave kept
    flush d      leave kept
    want
    visit        yes
    take         a b c d
    written      -
    end visit
    flush e      wait, yielding
    next e       write e
    """,
    "what was written before the file was busy is done": """
    flush a      wait
    flush b      wait
    next b       write a b
    busy after 1 -
    next a       leave
    next b       leave kept
    want
    visit        yes
    take         b
    """,
    "a digest that waits for a busy file is reported once": """
    record a     leave
    flush b      wait
    next b       write a b
    busy         -
    next b       leave kept
    record c     leave
    unreported   kept a, kept c
    unreported   -
    """,
    "a failed digest is reported by its thread, or else by the one that writes": """
    record a     leave
    flush b      wait
    next b       write a b
    failed       lost a
    next b       leave lost
    """,
    "digests that no thread waits for have limited room": """
    record a     leave
    flush b      wait
    record c     leave
    record d     leave
    record e     leave
    record f     lose overflow
    next b       write a b c d e
    record f     lose overflow
    written      -
    record f     leave
    """,
    "released digests count toward that limit, too": """
    flush a      wait
    flush b      wait
    flush c      wait
    next a       write a b c
    flush d      wait, yielding
    busy         -
    flush e      lose overflow
    """,
    "a suspended queue keeps digests, and lets threads go": """
    flush a      wait
    next a       write a
    want
    flush b      wait
    written      -
    visit        yes
    suspend      yes
    next b       leave
    flush c      leave
    end visit
    resume
    flush d      wait
    next d       write b c d
    """,
    "a suspension ends what was busy": """
    flush a      wait
    next a       write a
    busy         -
    suspend      yes
    unreported   -
    resume
    flush b      wait
    """,
    "a closed queue refuses digests, and cannot be suspended or opened again": """
    close
    flush a      lose closed
    suspend      no
    resume
    record a     lose closed
    """,
    "what a closed queue cannot write is removed": """
    flush a      wait
    record b     leave
    want
    visit        no
    next a       write a b
    written      -
    record c     leave
    flush d      wait, yielding
    visit        yes
    close
    take         c d
    busy         -
    next d       leave kept
    remove       c d
    flush e      lose closed
    take         -
    """,
  ])
  func `events and answers`(name: String, script: String) {
    var turns = ScriptedTurns()
    let lines = script.split(separator: "\n").map { line in
      let event = line.prefix(13).trimmingCharacters(in: .whitespaces)
      let answer = turns.answer(event)
      let padding = String(repeating: " ", count: max(0, 13 - event.count))
      return answer.isEmpty ? event : event + padding + answer
    }
    #expect(lines.joined(separator: "\n") == script)
  }

  /// Threads that flush, and threads that visit, in any order.
  @Test(arguments: 0..<UInt64(40))
  func `no thread waits for ever, and neither kind passes the other twice`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var turns = ScriptedTurns(maximumBytes: .max)
    var flushing: [String] = []
    var (visitors, kinds) = (0, "")
    for step in 0..<3_000 {
      let isEnding = step > 2_900
      switch (Int.random(in: 0..<6, using: &random), turns.turns.turn) {
      case (0, _) where flushing.count < 4 && !isEnding:
        flushing.append("d\(step)")
        #expect(turns.answer("flush d\(step)").hasPrefix("wait"))
      case (1, _) where visitors < 3 && !isEnding:
        visitors += 1
        _ = turns.answer("want")
      case (2, _):
        let isAwaited = turns.turns.waiting.contains(where: \.isAwaited)
        if visitors > 0, turns.answer("visit") == "yes" {
          visitors -= 1
          kinds += isAwaited ? "V" : "v"
        }
      case (3...4, _):
        guard let digest = flushing.randomElement(using: &random) else { continue }
        let answer = turns.answer("next \(digest)")
        if answer == "leave" { flushing.removeAll { $0 == digest } }
        if answer.hasPrefix("write") { kinds += visitors == 0 ? "b" : "B" }
      case (_, .taken(.batch)): _ = turns.answer("written")
      case (_, .taken(.visit)): _ = turns.answer("end visit")
      default: continue
      }
    }
    #expect(kinds.count > 200)
    #expect(flushing.isEmpty && visitors == 0)
    // A capital has passed a thread that wanted the other kind.
    for pair in ["bB", "BB", "vV", "VV"] { #expect(!kinds.contains(pair)) }
  }
}

/// Turns, with events and answers as text.
private struct ScriptedTurns {
  private(set) var turns: WriteTurns
  private var digests: [String: PendingWrite] = [:]
  private var batch: [PendingWrite] = []

  /// - Parameter maximumBytes: by default those of four digests.
  init(maximumBytes: Int = 4_000) {
    turns = WriteTurns(maximumBytes: maximumBytes)
  }

  mutating func answer(_ event: String) -> String {
    let words = event.split(separator: " ").map(String.init)
    let name = words.last ?? ""
    let error = DigestStoreError(.busy, "locked")
    switch words[0] {
    case "flush", "record":
      let digest = Self.digest(name)
      digests[name] = digest
      switch turns.submit(digest, waits: words[0] == "flush") {
      case .wait(let yields): return yields ? "wait, yielding" : "wait"
      case .leave(let reason): return text("leave", reason)
      case .lose(let code): return "lose \(code.rawValue)"
      }
    case "next":
      guard let digest = digests[name] else { return "unknown" }
      switch turns.next(for: digest) {
      case nil: return "wait"
      case .write(let batch)?:
        self.batch = batch
        return text("write", batch)
      case .leave(let reason)?: return text("leave", reason)
      }
    case "take":
      batch = turns.takeBatch()
      return text(nil, batch)
    case "written": return finish(WriteTurns.Attempt(errors: batch.map { _ in nil }))
    case "failed": return finish(WriteTurns.Attempt(errors: batch.map { _ in error }))
    case "busy":
      let errors = [DigestStoreError?](repeating: nil, count: Int(name) ?? 0)
      return finish(WriteTurns.Attempt(errors: errors, busyError: error))
    case "unreported": return text(turns.takeUnreported())
    case "remove": return text(nil, turns.removeUnawaited())
    case "visit": return turns.beginVisit() ? "yes" : "no"
    case "suspend": return turns.suspend() ? "yes" : "no"
    case "want": turns.wantVisit()
    case "give": turns.giveUpVisit()
    case "end": turns.endVisit()
    case "resume": turns.resume()
    case "close": turns.close()
    default: return "unknown"
    }
    return ""
  }

  private mutating func finish(_ attempt: WriteTurns.Attempt) -> String {
    defer { batch = [] }
    return text(turns.finish(batch, attempt))
  }

  /// A digest whose model is its name. One with a capital has as many errors as a batch may have.
  private static func digest(_ name: String) -> PendingWrite {
    var record = DigestRecord.make(model: name, .novel("villa"))
    if name == name.uppercased() {
      record.errors = Array(repeating: record.errors[0], count: WriteTurns.maximumBatch)
    }
    return PendingWrite(record, of: ErrorDigest(entries: []))
  }

  private func text(_ word: String?, _ digests: [PendingWrite]) -> String {
    let names = digests.map(\.record.model)
    return names.isEmpty ? "-" : ([word].compactMap { $0 } + names).joined(separator: " ")
  }

  private func text(_ word: String, _ reason: WriteError?) -> String {
    reason.map { $0.isKept ? "\(word) kept" : "\(word) lost" } ?? word
  }

  private func text(_ unwritten: [WriteTurns.Unwritten]) -> String {
    let texts = unwritten.map { text("", $0.reason).dropFirst() + " " + $0.digest.record.model }
    return texts.isEmpty ? "-" : texts.joined(separator: ", ")
  }
}
