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
  typealias Line = (time: Int64, event: Event, answer: String, next: Int64?)

  private static let scripts: [String: [Line]] = [
    "a thread starts with the first task, and waits for others": [
      (0, .request([.fold, .evict]), "startThread", 0),
      (0, .request(.checkpoint), "wakeThread", 0),
      (0, .request(.checkpoint), "nothing", 0),
      (1, .began, "", 0),
      (2, .next, "perform checkpoint fold evict", nil),
      (2, .next, "wait", nil),
      (3, .request(.fold), "wakeThread", 3),
    ],
    "without tasks there is no thread": [
      (0, .request([]), "nothing", nil), (0, .next, "wait", nil),
    ],
    "digests of a second are folded together": [
      (0, .request(.foldSoon), "startThread", 1_000),
      (1, .began, "", 1_000),
      (1, .next, "wait", 1_000),
      (999, .request(.foldSoon), "nothing", 1_000),
      (1_000, .next, "perform fold evict", nil),
      (1_001, .request(.foldSoon), "wakeThread", 2_001),
    ],
    "decodes wait three seconds for a digest, and a task that is due now does not": [
      (0, .request(.writeSoon), "startThread", 3_000),
      (5, .request(.checkpoint), "wakeThread", 5),
      (5, .next, "perform checkpoint", 3_000),
      (3_000, .next, "perform write", nil),
    ],
    "each failure to write doubles the wait for the next attempt, up to four seconds": [
      (0, .didNotWrite, "", 250),
      (250, .next, "perform write", nil),
      (250, .didNotWrite, "", 750),
      (750, .didNotWrite, "", 1_750),
      (1_750, .didNotWrite, "", 3_750),
      (3_750, .didNotWrite, "", 7_750),
      (7_750, .didNotWrite, "", 11_750),
      (11_750, .next, "perform write", nil),
      (11_750, .wrote, "", nil),
      (12_000, .didNotWrite, "", 12_250),
    ],
    "a thread that is stopped writes what waits, and ends": [
      (0, .request(.foldSoon), "startThread", 1_000),
      (0, .began, "", 1_000),
      (1, .stop, "", 1),
      (1, .next, "perform write", 1_000),
      (1, .request(.checkpoint), "nothing", 1),
      (1, .next, "perform checkpoint", 1_000),
      (1, .next, "end", 1_000),
      (2, .request(.fold), "nothing", 2),
    ],
    "it does not end while the file is busy": [
      (0, .request(.write), "startThread", 0),
      (0, .stop, "", 0),
      (0, .nextWhileBusy, "perform write", nil),
      (0, .didNotWrite, "", 250),
      (1, .nextWhileBusy, "wait", 250),
      (250, .nextWhileBusy, "perform write", nil),
      (250, .wrote, "", nil),
      (250, .next, "end", nil),
    ],
    "without a thread, whoever wanted it performs all tasks, and the next one tries again": [
      (0, .request(.foldSoon), "startThread", 1_000),
      (0, .request(.write), "wakeThread", 0),
      (1, .failed, "write fold evict", nil),
      (2, .request(.write), "startThread", 2),
    ],
  ]

  @Test(arguments: scripts)
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
