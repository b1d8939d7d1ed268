import Foundation
import ResilientDecoding
import ResilientDocuments
import Testing

@testable import ResilientDecodingTests

/// The decoder of a document behaves like a new `JSONDecoder`.
struct DocumentDecoderTests {
  static let payloads = [
    "null", "true", "false", "0", "1", "-1", "127", "128", "255", "256", "-129", "65536", "1.0",
    "1e3",
    "2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "18446744073709551615", "18446744073709551616", "12345678901234567890123",
    "170141183460469231731687303715884105727", "170141183460469231731687303715884105728",
    "1.10", "0.1", "3.133", "1e39", "1e200", "-0.0", "16777217", "1.000000059604644775390625000001",
    "9007199254740993",
    "0.123456789012345678901234567890123456789012345", "1.7976931348623157e308", "5e-324", "1e-200",
    #""""#, #""text""#, #""123""#, #""true""#, #""https://example.org/a b""#, #""http://[""#,
    #""SGVsbG8=""#, #""6BA7B810-9DAD-11D1-80B4-00C04FD430C8""#, #""flat""#, #""villa""#, #""up""#,
    "[]", "[1, 2]", "[1, null]", #"[1, "2"]"#, "[[1], [2, 3]]", "[[1], 2]", "{}",
    #"{"x": 1, "y": 2}"#,
    #"{"x": 1}"#, #"{"x": null, "y": 2}"#, #"{"1": 5, "2": 6}"#, #"{"a b": {"x": 1, "y": "2"}}"#,
    #"[{"x": 1, "y": 2}, {"x": 1, "y": 2.5}]"#,
  ]

  static let types: [any (Decodable & SendableMetatype).Type] = {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      return olderTypes
    }
    return olderTypes + [Int128.self, UInt128.self]
  }()

  private static let olderTypes: [any (Decodable & SendableMetatype).Type] = [
    Bool.self, String.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self,
    UInt8.self, UInt16.self, UInt32.self, UInt64.self, Float.self,
    Double.self, Decimal.self, URL.self, Data.self, Date.self, UUID.self, Point.self, Kind.self,
    Side.self, Int?.self, String?.self, Point?.self, [Int].self, [Int?].self, [[Int]].self,
    [String: Int].self, [String: Point].self, [Int: Int].self, [Point].self, Set<Int>.self,
    [Decimal].self, [Double].self, Pair.self, Inheriting.self, NestedContainers.self, Walker.self,
    Resilient<[Int]>.self, Resilient<[String: Point]>.self, Resilient<Kind?>.self,
  ]

  // Except null as a Bool, for which `JSONDecoder` throws a type mismatch, unlike for other types.
  @Test(arguments: payloads)
  func `it returns the same values and errors for everything`(payload: String) throws {
    for wrapped in [payload, #"{"k": [\#(payload)]}"#] {
      let document = try Source.documentOfJSON.document(wrapped)
      for type in Self.types where payload != "null" || type != Bool.self {
        compare(type, in: document, with: wrapped)
      }
    }
  }

  /// Compares the decoded values, the errors and the reports.
  private func compare<Value: Decodable & SendableMetatype>(
    _ type: Value.Type,
    in document: DecodableDocument,
    with json: String
  ) {
    // The order of a dictionary's bad entries differs from run to run.
    let hasOrder = !"\(type)".hasPrefix("Dictionary")
    let expected = consequence(hasOrder) { () throws -> Any in
      json.hasPrefix(#"{"k""#)
        ? try JSONDecoder().decode([String: [Value]].self, from: Data(json.utf8)).mapValues(sorted)
        : sorted([try JSONDecoder().decode(Value.self, from: Data(json.utf8))])
    }
    let found = consequence(hasOrder) { () throws -> Any in
      json.hasPrefix(#"{"k""#)
        ? try document.decode([String: [Value]].self).mapValues(sorted)
        : sorted([try document.decode(Value.self)])
    }
    #expect(found == expected, "\(type) from \(json)")
  }

  /// The order of dictionaries and sets differs from run to run.
  private func sorted<Value>(_ values: [Value]) -> [String] {
    values.map { value in
      switch value {
      case let value as [String: Int]: "\(value.sorted { $0.key < $1.key })"
      case let value as [Int: Int]: "\(value.sorted { $0.key < $1.key })"
      case let value as [String: Point]: "\(value.sorted { $0.key < $1.key })"
      case let value as Resilient<[Int]>: "\(value.wrappedValue)"
      case let value as Resilient<[String: Point]>: sorted([value.wrappedValue])[0]
      case let value as Resilient<Kind?>: "\(value.wrappedValue as Any)"
      case let value as Set<Int>: "\(value.sorted())"
      default: "\(value)"
      }
    }
  }

  private func consequence(_ hasOrder: Bool, _ decode: () throws -> Any) -> [String] {
    let reporter = ResilientDecodingErrorReporter()
    let result = reporter.collectErrors { Result { try decode() } }
    let reports = reporter.flushReportedErrors()?.reports ?? []
    switch result {
    case .success(let value): return ["\(value)"] + reports
    case .failure(let error):
      return [hasOrder ? facts(of: error) : "failed"] + reports
    }
  }

  /// An error without its wording, and without the place of a number that does not fit, which
  /// `JSONDecoder` does not report.
  private func facts(of error: any Error) -> String {
    let error = underlying(error)
    if case DecodingError.dataCorrupted = error { return "dataCorrupted" }
    let reporter = ResilientDecodingErrorReporter()
    reporter.report(error, decoding: Never.self)
    return reporter.flushReportedErrors()?.reports.first ?? ""
  }

  private func underlying(_ error: any Error) -> any Error {
    (error as? DecodingPathError)?.underlyingError ?? error
  }
}

/// Two numbers, and no more.
private struct Pair: Decodable {
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    _ = try container.decode(Int.self)
    _ = try? container.decode(String.self)
    _ = try container.decode(Int.self)
    guard !container.isAtEnd, try container.decodeNil() else {
      _ = try container.decode(Int.self)
      return
    }
  }
}

/// A class whose payload has no superclass.
private class Inherited: Decodable {
  let x: Int?

  init() { x = nil }
}

private final class Inheriting: Inherited, CustomStringConvertible {
  var description: String { "inheriting" }

  private enum Keys: CodingKey { case x }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    _ = try container.decodeIfPresent(Int.self, forKey: .x)
    let above = try container.superDecoder()
    guard try above.singleValueContainer().decodeNil() else { throw Mishap(description: "found") }
    _ = try? container.superDecoder(forKey: .x).singleValueContainer().decode(Int.self)
    try super.init(from: above)
  }
}

private struct NestedContainers: Decodable {
  private enum Keys: CodingKey { case x, y }

  init(from decoder: any Decoder) throws {
    if var elements = try? decoder.unkeyedContainer() {
      _ = try? elements.nestedContainer(keyedBy: Keys.self).decode(Int.self, forKey: .x)
      _ = try elements.nestedUnkeyedContainer()
      var copy = elements
      _ = try copy.nestedUnkeyedContainer()
      _ = try elements.superDecoder().unkeyedContainer()
    } else {
      let members = try decoder.container(keyedBy: Keys.self)
      _ = try? members.nestedUnkeyedContainer(forKey: .x)
      _ = try members.nestedContainer(keyedBy: Keys.self, forKey: .y)
    }
  }
}

/// Records the walk over an array.
private struct Walker: Decodable, CustomStringConvertible {
  private(set) var description = ""

  init(from decoder: any Decoder) throws {
    var elements = try decoder.unkeyedContainer()
    description += "\(elements.count ?? -1)"
    while !elements.isAtEnd {
      description += " \(elements.currentIndex) \(elements.codingPath.count)"
      if try elements.decodeNil() { continue }
      if let number = try? elements.decode(Int.self) {
        description += " \(number)"
      } else {
        description += " \(try elements.superDecoder().codingPath.map(\.stringValue))"
      }
    }
  }
}
