import ArgumentParser
import DigestStore
import ResilientPlatform

/// One side of a comparison: a release or a period.
struct DiffSide {
  let text: String

  /// The period; nil if the text is the name of a release.
  let period: Period?

  /// A window of time; nil for an open end.
  struct Period {
    let since: Time?
    let until: Time?
  }

  /// The filter of this side.
  ///
  /// - Parameter filter: the filter of both sides.
  func filter(narrowing filter: DigestFilter, before now: Date) -> DigestFilter {
    var filter = filter
    if let period {
      filter.since = period.since?.date(before: now)
      filter.until = period.until?.date(before: now)
    } else {
      filter.releases = [text]
    }
    return filter
  }
}

extension DiffSide {
  /// Reads `FROM..TO` as a period, and anything else as the name of a release.
  ///
  /// - Throws: a `ValidationError` with examples.
  init(argument: String) throws {
    text = argument
    guard let dots = argument.firstRange(of: "..") else {
      guard !argument.isEmpty else { throw Self.invalid }
      period = nil
      return
    }
    let since = try Self.time(argument[..<dots.lowerBound])
    let until = try Self.time(argument[dots.upperBound...])
    let now = Date()
    if let since, let until, since.date(before: now) >= until.date(before: now) {
      throw ValidationError("the older time comes first")
    }
    period = Period(since: since, until: until)
  }

  private static func time(_ text: Substring) throws -> Time? {
    do {
      return text.isEmpty ? nil : try Time(argument: String(text))
    } catch is ValidationError {
      throw invalid
    }
  }

  private static let invalid = ValidationError(
    "write a release such as 4.2.0, or a period such as 14d..7d, 7d.. or 2026-11-01..2026-11-08")
}

extension DiffSide.Period {
  /// The length in seconds, to the millisecond; up to now if the end is open.
  ///
  /// - Returns: nil if the beginning is open.
  func length(before now: Date) -> Double? {
    guard let since = since?.date(before: now) else { return nil }
    let length = (until?.date(before: now) ?? now).timeIntervalSince(since)
    return length > 0 ? (length * 1_000).rounded() / 1_000 : nil
  }
}
