import ResilientPlatform
import Testing

@testable import DigestStore

struct MaintenancePlanTests {
  private typealias Tasks = MaintenanceTasks

  enum Event {
    case request(MaintenanceTasks)
    case began, failed, stop

    /// The thread asks what to do; while digests wait for a busy file or not.
    case next
    case nextWhileBusy

    /// An attempt to write has ended.
    case wrote
    case didNotWrite
  }

  /// An event at a time in milliseconds, the answer, and when the thread wakes up next.
  struct Line {
    let time: Int64
    let event: Event
    let answer: String
    let next: Int64?

    init(_ time: Int64, _ event: Event, _ answer: String, next: Int64? = nil) {
      (self.time, self.event, self.answer, self.next) = (time, event, answer, next)
    }
  }

  @Test(arguments: [
    (
      "a thread starts with the first task, and waits for others",
      [
        Line(0, .request([.fold, .evict]), "startThread", next: 0),
        Line(0, .request(.checkpoint), "wakeThread", next: 0),
        Line(0, .request(.checkpoint), "nothing", next: 0),
        Line(1, .began, "", next: 0),
        Line(2, .next, "perform checkpoint fold evict"),
        Line(2, .next, "wait"),
        Line(3, .request(.fold), "wakeThread", next: 3),
      ]
    ),
    (
      "without tasks there is no thread",
      [Line(0, .request([]), "nothing"), Line(0, .next, "wait")]
    ),
    (
      "digests of a second are folded together",
      [
        Line(0, .request(.foldSoon), "startThread", next: 1_000),
        Line(1, .began, "", next: 1_000),
        Line(1, .next, "wait", next: 1_000),
        Line(999, .request(.foldSoon), "nothing", next: 1_000),
        Line(1_000, .next, "perform fold evict"),
        Line(1_001, .request(.foldSoon), "wakeThread", next: 2_001),
      ]
    ),
    (
      "decodes wait three seconds for a digest, and a task that is due now does not",
      [
        Line(0, .request(.writeSoon), "startThread", next: 3_000),
        Line(5, .request(.checkpoint), "wakeThread", next: 5),
        Line(5, .next, "perform checkpoint", next: 3_000),
        Line(3_000, .next, "perform write"),
      ]
    ),
    (
      "each failure to write doubles the wait for the next attempt, up to four seconds",
      [
        Line(0, .didNotWrite, "", next: 250),
        Line(250, .next, "perform write"),
        Line(250, .didNotWrite, "", next: 750),
        Line(750, .didNotWrite, "", next: 1_750),
        Line(1_750, .didNotWrite, "", next: 3_750),
        Line(3_750, .didNotWrite, "", next: 7_750),
        Line(7_750, .didNotWrite, "", next: 11_750),
        Line(11_750, .next, "perform write"),
        Line(11_750, .wrote, ""),
        Line(12_000, .didNotWrite, "", next: 12_250),
      ]
    ),
    (
      "a thread that is stopped writes what waits, and ends",
      [
        Line(0, .request(.foldSoon), "startThread", next: 1_000),
        Line(0, .began, "", next: 1_000),
        Line(1, .stop, "", next: 1),
        Line(1, .next, "perform write", next: 1_000),
        Line(1, .request(.checkpoint), "nothing", next: 1),
        Line(1, .next, "perform checkpoint", next: 1_000),
        Line(1, .next, "end", next: 1_000),
        Line(2, .request(.fold), "nothing", next: 2),
      ]
    ),
    (
      "it does not end while the file is busy",
      [
        Line(0, .request(.write), "startThread", next: 0),
        Line(0, .stop, "", next: 0),
        Line(0, .nextWhileBusy, "perform write"),
        Line(0, .didNotWrite, "", next: 250),
        Line(1, .nextWhileBusy, "wait", next: 250),
        Line(250, .nextWhileBusy, "perform write"),
        Line(250, .wrote, ""),
        Line(250, .next, "end"),
      ]
    ),
    (
      "without a thread, whoever wanted it performs all tasks, and the next one tries again",
      [
        Line(0, .request(.foldSoon), "startThread", next: 1_000),
        Line(0, .request(.write), "wakeThread", next: 0),
        Line(1, .failed, "write fold evict"),
        Line(2, .request(.write), "startThread", next: 2),
      ]
    ),
  ])
  func `events and answers`(name: String, lines: [Line]) {
    let start = ContinuousClock.now
    var plan = MaintenancePlan()
    for (index, line) in lines.enumerated() {
      let now = start + .milliseconds(line.time)
      let answer = Self.answer(of: &plan, line.event, at: now)
      #expect(answer == line.answer, "line \(index)")
      #expect(plan.nextTime == line.next.map { start + .milliseconds($0) }, "line \(index)")
    }
  }

  @Test func `a thread does not wait for its own end`() {
    var plan = MaintenancePlan()
    #expect(plan.hasEnded(for: pthread_self()))
    _ = plan.request(.write, at: .now)
    #expect(!plan.hasEnded(for: pthread_self()))
    plan.threadBegan(pthread_self())
    #expect(plan.hasEnded(for: pthread_self()))
  }

  private static func answer(
    of plan: inout MaintenancePlan, _ event: Event, at now: ContinuousClock.Instant
  ) -> String {
    switch event {
    case .request(let tasks): return "\(plan.request(tasks, at: now))"
    case .began: plan.threadBegan(pthread_self())
    case .failed: return text(plan.threadFailed())
    case .stop: plan.stop(at: now)
    case .next: return text(plan.next(at: now, isBusy: false))
    case .nextWhileBusy: return text(plan.next(at: now, isBusy: true))
    case .wrote: plan.attempted(hasFailed: false, at: now)
    case .didNotWrite: plan.attempted(hasFailed: true, at: now)
    }
    return ""
  }

  private static func text(_ work: MaintenancePlan.Work?) -> String {
    switch work {
    case nil: "wait"
    case .end?: "end"
    case .perform(let tasks)?: "perform \(text(tasks))"
    }
  }

  private static func text(_ tasks: MaintenanceTasks) -> String {
    let names: [(MaintenanceTasks, String)] = [
      (.write, "write"), (.checkpoint, "checkpoint"), (.fold, "fold"), (.evict, "evict"),
    ]
    return names.filter { tasks.contains($0.0) }.map(\.1).joined(separator: " ")
  }
}
