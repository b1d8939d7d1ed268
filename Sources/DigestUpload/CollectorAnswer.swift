import Foundation
import ResilientPlatform

/// What a collector answers to a part.
struct CollectorAnswer: Decodable, Hashable {
  let added: Int
  let known: Int

  private struct Failure: Decodable {
    let error: String
  }

  /// The longest text of a collector to repeat, in characters.
  private static let maximumLength = 300

  /// Reads an answer.
  ///
  /// - Parameter now: the time from which the collector may say when to try again.
  init(_ response: URLResponse?, _ data: Data, now: Date) throws {
    guard let response = response as? HTTPURLResponse else {
      throw UploadError(.noCollector, "this is not the answer of a collector; check the address")
    }
    let status = response.statusCode
    if status == 200 {
      guard let answer = try? JSONDecoder().decode(Self.self, from: data) else {
        throw UploadError(
          .noCollector,
          "something else than a collector has answered; check the address and the network")
      }
      self = answer
      return
    }
    let text = (try? JSONDecoder().decode(Failure.self, from: data))?.error
    let said = text.map { ": \($0.prefix(Self.maximumLength))" } ?? ""
    let wait = response.value(forHTTPHeaderField: "Retry-After").flatMap {
      Self.seconds($0, now: now)
    }
    switch status {
    case 300..<400:
      let target = response.value(forHTTPHeaderField: "Location") ?? "another address"
      throw UploadError(
        .noCollector, "the collector has moved to \(target.prefix(Self.maximumLength)); send there")
    case 401, 403: throw UploadError(.refusedToken, "the collector refuses the token\(said)")
    case 404, 405:
      throw UploadError(.noCollector, "there is no collector at this address; check it")
    case 408, 425, 429, 500...:
      throw UploadError(.busy, "the collector answers \(status)\(said)", retryAfter: wait)
    case 413:
      throw UploadError(
        .refusedPart, "the part is too large: let the proxy take bodies of at least 4 MiB\(said)")
    default: throw UploadError(.refusedPart, "the collector refuses the part (\(status))\(said)")
    }
  }

  /// Reads a number of seconds, or a date (RFC 9110, section 10.2.3).
  private static func seconds(_ text: String, now: Date) -> Int? {
    if let seconds = Int(text) { return max(0, seconds) }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.date(from: text).map { max(0, Int($0.timeIntervalSince(now).rounded(.up))) }
  }
}
