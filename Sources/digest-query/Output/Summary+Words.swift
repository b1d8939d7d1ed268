import DigestStore
import ResilientPlatform

extension DigestStore.SummarySection {
  var meaning: String {
    switch self {
    case .new: "never seen before the window"
    case .regressed: "resolved, and seen again"
    case .growing: "in a larger share of decodes than in the window before"
    case .vanished: "a missing key that the app does not require, new or growing"
    case .ongoing: "about as frequent as before, or less"
    case .over: "not seen any more, in so many decodes that five more were to be expected"
    }
  }

  /// The failures of the section, in the first sentence.
  func counted(_ count: Int) -> String {
    self == .vanished
      ? count.counting("vanished key") : "\(count.grouped) \(rawValue)"
  }
}

extension DigestStore.Summary {
  /// The answer in a sentence.
  ///
  /// - Parameters:
  ///   - newest: when the newest decode before the end of the window was recorded.
  ///   - isFiltered: whether only some errors were looked for.
  func sentence(newest: Date?, isFiltered: Bool) -> String {
    let since = "since \(window.lowerBound.minute)"
    guard !totals.isEmpty else {
      return decided.isEmpty
        ? silence(since, newest, isFiltered)
        : "Nothing is open \(since): all failures are ignored or resolved\(rates)."
    }
    let bad: [DigestStore.SummarySection] = [.new, .regressed, .growing, .vanished]
    var counts = bad.compactMap { section in
      totals[section].map { section.counted($0) }
    }
    if counts.isEmpty { counts = ["nothing new or growing"] }
    if overCount > 0 { counts.append("\(overCount.grouped) over") }
    let what = counts.joined(separator: ", ")
    let first =
      hasPast || decodesBefore != nil
      ? "" : " Nothing is older than this window, so all failures are new."
    return "\(what.prefix(1).uppercased())\(what.dropFirst()) \(since)\(rates).\(first)"
  }

  /// The answer if there are no failures.
  private func silence(_ since: String, _ newest: Date?, _ isFiltered: Bool) -> String {
    let errors = isFiltered ? "No matching errors" : "No errors"
    if let decodes = decodes?.decodes, decodes > 0 {
      return "\(errors) in \(decodes.grouped) decode\(decodes == 1 ? "" : "s") \(since)."
    }
    guard let newest else {
      return "Nothing was decoded \(since), or ever: is this the right store?"
    }
    return newest < window.lowerBound
      ? "Nothing was decoded \(since); the last decode was at \(newest.minute)."
      : "\(errors) \(since)."
  }

  private var rates: String {
    guard let decodes else {
      return "; there are no rates, because decodes were not counted"
    }
    // Of several failures that are not all, the digests are unknown.
    guard let rate = decodes.rate else { return "" }
    let before = decodesBefore?.rate.map { " (\($0.percent) \(windowBefore))" } ?? ""
    let noun = decodes.decodes == 1 ? "decode" : "decodes"
    return "; \(rate.percent) of \(decodes.decodes.grouped) \(noun) affected\(before)"
  }

  private var windowBefore: String {
    let minutes = Int(
      (window.upperBound.timeIntervalSince(window.lowerBound) / 60).rounded())
    let hours = (minutes + 30) / 60
    switch hours {
    case 0: return "in the \(minutes.counting("minute")) before"
    case 24: return "the day before"
    case 168: return "the week before"
    case ..<48: return "in the \(hours.counting("hour")) before"
    default: return "in the \((hours / 24).counting("day")) before"
    }
  }
}
