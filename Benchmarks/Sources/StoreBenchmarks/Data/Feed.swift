import Foundation
import ResilientDecoding

/// The model to decode: items, three of which have an unknown value.
struct Feed: Decodable {
  static let fields = ["kind", "status", "amenity", "currency", "channel"]

  @Resilient var items: [Item]

  struct Item: Decodable {
    @Resilient var kind: Known?
    @Resilient var status: Known?
    @Resilient var amenity: Known?
    @Resilient var currency: Known?
    @Resilient var channel: Known?
  }

  enum Known: String, ResilientRawRepresentable {
    case known
  }
}

/// Models of digests; only their names are used.
enum Listing {}
enum Search {}
enum Profile {}
enum Booking {}

/// One unknown value in a feed.
struct Drift: Hashable {
  let field: Int
  let value: Int
  let index: Int

  var text: String { "\(Feed.fields[field])-\(value)" }
}

extension Feed {
  /// Returns the JSON of a feed with unknown values in some places.
  static func json(_ drifts: [Drift], items: Int = 20) -> Data {
    let items = (0..<items).map { index in
      let members = drifts.filter { $0.index == index }.map { drift in
        "\"\(fields[drift.field])\":\"\(drift.text)\""
      }
      return "{\(members.joined(separator: ","))}"
    }
    return Data("{\"items\":[\(items.joined(separator: ","))]}".utf8)
  }
}
