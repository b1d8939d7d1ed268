import DigestStore
import ResilientPlatform

extension DigestStore.OverviewTrend {
  /// The length of a period, as in `day` and `6 weeks`.
  var period: String {
    unitsPerPeriod == 1 ? unit.rawValue : "\(unitsPerPeriod) \(unit.rawValue)s"
  }

  /// The name of a period, as in `2026-11-20` and `week from 2026-11-16`.
  func name(ofPeriod index: Int) -> String {
    switch unit {
    case .minute, .hour: starts[index].minute
    case .day: starts[index].day
    case .week: "\(period) from \(starts[index].day)"
    }
  }

  /// The first period with the most errors; nil without errors.
  var peak: (period: String, occurrences: Int)? {
    guard let most = occurrences.compactMap(\.self).max(), most > 0,
      let index = occurrences.firstIndex(of: most)
    else { return nil }
    return (name(ofPeriod: index), most)
  }

  /// Short names for as many periods as fit on a phone.
  var labels: [(index: Int, text: String)] {
    if weeks > 3 * 52 { return years }
    let most = weeks > 52 ? 4 : 6
    let steps: [Int] =
      switch unit {
      case .minute: [1, 2, 5, 10, 15, 30, 60]
      case .hour: [1, 2, 3, 6, 12, 24]
      case .day: [1, 2, 3, 7, 14, 28]
      case .week: [1, 2, 4, 8, 13, 26]
      }
    let step = steps.first { starts.count <= most * $0 } ?? (starts.count + most - 1) / most
    return starts.indices.compactMap { index in
      // Counts from a full hour or from midnight, and days and weeks from the first.
      let seconds = Int(starts[index].timeIntervalSince1970)
      let number = unit == .minute ? seconds / 60 : unit == .hour ? seconds / 3_600 : index
      return number % step == 0 ? (index, label(ofPeriod: index)) : nil
    }
  }

  /// The first periods of some years.
  private var years: [(index: Int, text: String)] {
    let texts = starts.map { String($0.day.prefix(4)) }
    let firsts = texts.indices.dropFirst().filter { texts[$0] != texts[$0 - 1] }
    let step = (firsts.count + 5) / 6
    return firsts.enumerated().filter { $0.offset % step == 0 }.map { ($1, texts[$1]) }
  }

  private var weeks: Int { unit == .week ? starts.count * unitsPerPeriod : 0 }

  /// `06:00`, or `20 Nov` at midnight, or `Nov 2026` for a long time.
  private func label(ofPeriod index: Int) -> String {
    let text = starts[index].minute
    let time = text.suffix(5)
    if unit == .minute || unit == .hour, time != "00:00" { return String(time) }
    let month = Int(text.dropFirst(5).prefix(2)).map { Self.months[($0 + 11) % 12] } ?? ""
    if weeks > 52 { return "\(month) \(text.prefix(4))" }
    return "\(Int(text.dropFirst(8).prefix(2)) ?? 0) \(month)"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
