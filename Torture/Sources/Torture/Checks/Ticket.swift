import DigestStore
import Foundation
import ResilientDecoding

/// What tells a digest from all others, without being part of a failure: a dictionary's key.
struct Ticket: Hashable {
  let worker: Int
  let thread: Int
  /// Counted from 0 in each thread.
  let number: Int

  /// How many errors the digest of a ticket has, each at a path of its own.
  static let members = ["kind", "size", "floor"]

  /// The values that the backend invents; that of a ticket follows from its number.
  static let values = ["villa", "yurt", "tent"]

  var value: String { Self.values[number % Self.values.count] }

  /// The release of all digests of a worker.
  var release: String { Self.release(of: worker) }

  static func release(of worker: Int) -> String { "w\(worker)" }
}

extension Ticket: CustomStringConvertible {
  var description: String { "w\(worker)t\(thread)n\(number)" }

  init?(_ text: some StringProtocol) {
    let numbers = text.split(whereSeparator: \.isLetter).compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    self.init(worker: numbers[0], thread: numbers[1], number: numbers[2])
    guard description == text else { return nil }
  }

  /// Of the path of an occurrence: `items.w1t0n17.kind`.
  init?(path: String) {
    let parts = path.split(separator: ".")
    guard parts.count == 3, parts[0] == "items" else { return nil }
    self.init(parts[1])
  }
}

extension Ticket {
  /// The number of payloads without errors that are decoded before the one with errors.
  var cleanDecodes: Int { (number + 1) % 4 }

  /// Decodes payloads without errors, and then one that has drifted, which is committed when this
  /// returns. The clean decodes are committed with it, or before.
  func record(in store: DigestStore) throws {
    for _ in 0..<cleanDecodes { try decode(#"{"items": {}}"#, recordingTo: store) }
    try decode(
      #"{"items": {"\#(self)": {"kind": "\#(value)", "size": "x", "floor": []}}}"#,
      recordingTo: store)
  }

  private func decode(_ payload: String, recordingTo store: DigestStore) throws {
    _ = try JSONDecoder().decode(
      Listing.self, from: Data(payload.utf8), recordingTo: store, release: release)
  }
}

extension Ticket {
  /// A digest with the novel value alone, as a line of an export.
  var line: Data {
    let failure =
      #"{"path":"items.\#(self).kind","pattern":"items.*.kind","kind":"unknownNovelValue","#
      + #""novelValue":"\#(value)","novelValueType":"String"}"#
    return Data(
      (#"{"id":"\#(self)","recordedAt":"\#(Date.now.ISO8601Format())","model":"Torture.Listing","#
        + #""release":"\#(release)","errors":[\#(failure)]}"#).utf8)
  }
}

/// The model that drifts.
private struct Listing: Decodable {
  @Resilient var items: [String: Item]

  struct Item: Decodable {
    @Resilient var kind: Kind?
    @Resilient var size: Int?
    @Resilient var floor: Int?
  }

  enum Kind: String, ResilientRawRepresentable {
    case house
  }
}
