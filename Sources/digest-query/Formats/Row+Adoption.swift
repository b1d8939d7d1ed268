import DigestStore
import ResilientDecoding
import ResilientPlatform

/// The decodes of a day by apps with and without a failure.
struct AdoptedDay {
  let failure: DigestStore.FailureCount
  let day: DigestStore.Adoption.Day
}

extension AdoptedDay: Row {
  static var columns: [Column<Self>] { columns(.fraction("share") { $0.day.share }) }

  static var tableColumns: [Column<Self>] {
    columns(.decimal("share_%") { $0.day.share.map { ($0 * 1_000).rounded() / 10 } })
  }

  private static func columns(_ share: Column<Self>) -> [Column<Self>] {
    [
      .text("day") { $0.day.start.day },
      .text("model", cut: .front) { $0.failure.model },
      .text("coding_path", cut: .middle) { $0.failure.codingPath },
      .text("kind") { $0.failure.kind.rawValue }.dropped(at: 1),
      .text("novel_value") { $0.failure.novelValue }.omittedIfEmpty,
      .number("decodes") { $0.day.decodes },
      .number("unaffected") { $0.day.unaffected },
      share,
    ]
  }
}

extension DigestStore.Adoption {
  /// Which releases know the value, and how many of the latest decodes are theirs.
  var sentence: String {
    let name = "\(failure.codingPath) \(failure.novelValue ?? failure.kind.rawValue)"
    guard let last = days.last, let share = last.share else {
      return "\(failure.model) \(name): no decodes match since it was first seen"
    }
    let percent = ((share * 1_000).rounded() / 10).decimal
    let who = releases.isEmpty ? "" : " (\(releases.joined(separator: ", ")))"
    return
      "\(failure.model) \(name): \(percent)% of the decodes of \(last.start.day) are by releases "
      + "that never reported it\(who)"
  }
}
