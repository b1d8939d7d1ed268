#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Date {
  /// The minute in UTC, as in `2026-11-20 10:00`.
  var minute: String {
    let text = iso8601
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
  }

  /// The day in UTC, as in `2026-11-20`.
  var day: String { String(iso8601.prefix(10)) }

  /// The minute for people, and the millisecond for programs.
  var html: HTML { #"<time datetime="\#(iso8601)">\#(minute)</time>"# }
}
