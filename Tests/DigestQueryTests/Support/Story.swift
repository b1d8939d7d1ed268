import Foundation

/// Two weeks of an app, up to the beginning of the 29th of November 2026, with eight faults in it, and noise.
///
/// In each hour 40 documents are decoded: 10 orders, 20 feeds and 10 profiles. Release 4.3.0 has
/// half of them from the 25th on.
enum Story {
  static let hours = 14 * 24

  /// The beginning of the last day, and of the one before.
  static let lastDay = hours - 24
  static let dayBefore = hours - 48

  /// The decision on one of the faults.
  static let triage = #"{"value": "castle", "state": "ignored", "reason": "known"}"#

  static let ndjson: String = (0..<hours).flatMap(lines).joined()

  private static func time(_ hour: Int, _ minute: Int = 0) -> String {
    let day = 15 + hour / 24
    return String(format: "2026-11-%02d", day) + String(format: "T%02d:%02d:00Z", hour % 24, minute)
  }

  private struct Fault: Sendable {
    let model: String
    let operation: String
    let failure: Digest.Failure
    var release: String?

    /// Whether the fault is in the document of a number in an hour.
    let isIn: @Sendable (_ hour: Int, _ document: Int) -> Bool
  }

  private static let orders = ("App.Orders", "GET /orders", 10)
  private static let feed = ("App.Feed", "GET /feed", 20)
  private static let profile = ("App.Profile", "GET /me", 10)

  private static let faults = [
    // Noise: the same share of decodes all the time.
    Fault(
      model: "App.Feed", operation: "GET /feed",
      failure: .novel("sauna", at: "items[].amenities[]", expected: "App.Amenity")
    ) { $1 == 3 },
    // A new case: 1 of 10 orders on the last day.
    Fault(
      model: "App.Orders", operation: "GET /orders",
      failure: .novel("refunding", at: "orders[].status", expected: "App.Status")
    ) { $0 >= lastDay && $1 == 1 },
    // A renamed key, in each profile of the last day.
    Fault(
      model: "App.Profile", operation: "GET /me", failure: .error("missingKey", at: "address.zip")
    ) { hour, _ in hour >= lastDay },
    Fault(
      model: "App.Profile", operation: "GET /me",
      failure: .error("unknownKey", at: "address.postal_code")
    ) { hour, _ in hour >= lastDay },
    // A price as text, in a quarter of the feeds of the last twelve hours.
    Fault(
      model: "App.Feed", operation: "GET /feed",
      failure: .error(
        "typeMismatch", at: "items[].price", expected: "Swift.Double", found: ("string", "12.50"))
    ) { $0 >= hours - 12 && $1 % 4 == 0 },
    // Bodies of HTML, in an hour of the last day.
    Fault(
      model: "App.Orders", operation: "GET /orders",
      failure: .error("dataCorrupted", at: "", expected: "App.Orders", found: ("html", nil))
    ) { hour, document in hour == hours - 6 && document < 5 },
    // A fault of one release.
    Fault(
      model: "App.Profile", operation: "GET /me",
      failure: .novel("gold", at: "badge", expected: "App.Badge"), release: "4.3.0"
    ) { $0 >= 10 * 24 && $1 == 2 },
    // A fault of one operation, three times as frequent on the last day.
    Fault(
      model: "App.Feed", operation: "GET /search",
      failure: .novel("ev_charger", at: "items[].amenities[]", expected: "App.Amenity")
    ) { $0 >= lastDay ? $1 < 3 : $1 == 5 },
    // One that ends at noon of the day before.
    Fault(
      model: "App.Orders", operation: "GET /orders",
      failure: .error("valueNotFound", at: "orders[].total", expected: "Swift.Double")
    ) { $0 < dayBefore + 12 && $1 == 7 },
    // One that was decided.
    Fault(
      model: "App.Feed", operation: "GET /feed",
      failure: .novel("castle", at: "items[].kind", expected: "App.Kind")
    ) { $1 == 11 },
  ]

  private static func lines(_ hour: Int) -> [String] {
    [orders, feed, profile].flatMap { model, operation, documents in
      var clean = ["4.2.0": 0, "4.3.0": 0]
      var lines: [String] = []
      for document in 0..<documents {
        let release = hour >= 10 * 24 && document.isMultiple(of: 2) ? "4.3.0" : "4.2.0"
        let found = faults.filter {
          $0.model == model && $0.release ?? release == release && $0.isIn(hour, document)
        }
        guard let first = found.first else {
          clean[release, default: 0] += 1
          continue
        }
        lines.append(
          Digest(
            model: model, release: release, recordedAt: time(hour, document),
            operation: first.operation, failures: found.map(\.failure)
          ).line)
      }
      return lines
        + clean.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map { release, count in
          Digest.decodes(
            count, of: model, at: time(hour), release: release, operation: operation)
        }
    }
  }
}
