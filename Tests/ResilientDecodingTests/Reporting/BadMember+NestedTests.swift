import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

/// The search for a failed member in a payload whose levels all fail.
@Suite(.needsLargeStack)
struct BadMemberNestedTests {
  /// How the levels and the leaves are nested in a level.
  enum Shape: String, CaseIterable {
    case arrays, dictionaries, rows, optionals

    func wrap(_ items: [String]) -> String {
      switch self {
      case .arrays, .optionals: "[\(items.joined(separator: ","))]"
      case .rows: "[[\(items.joined(separator: ","))], []]"
      case .dictionaries:
        "{\(items.enumerated().map { #""\#($0)": \#($1)"# }.joined(separator: ","))}"
      }
    }

    func level(_ inner: String?, leaves: Int) -> String {
      let leaves = wrap((0..<leaves).map(String.init))
      return #"{"\#(self)": {"levels": \#(wrap(inner.map { [$0] } ?? [])), "leaves": \#(leaves)}, "#
        + #""at": "bad"}"#
    }
  }

  enum Reporting: CaseIterable {
    case none, reporter, full, keys
  }

  @Test(arguments: Shape.allCases, Reporting.allCases)
  func `leaves are decoded once, and levels are searched once`(
    shape: Shape, reporting: Reporting
  ) throws {
    for depth in [1, 2, 3, 9, 18] {
      for width in [0, 1, 40] {
        let counts = Counts()
        let digest = try decode(shape, reporting, depth: depth, width: width, counts)
        #expect(counts.leaves.withLock { $0 } == depth * width)
        #expect(digest?.errorCount == (reporting == .none ? nil : depth))
        #expect(digest?.paths.allSatisfy { $0.hasSuffix(".at") } != false)
        let levels = counts.levels.withLock { $0 }
        switch reporting {
        case .none: #expect(levels == depth)
        case .reporter: #expect(levels == 2 * depth)
        // Of a digest with one entry, one level is searched.
        case .full: #expect(levels == depth + 1)
        // The first decode shows which member failed, except in the deepest levels.
        case .keys: #expect(levels == (depth < 10 ? depth : levels) && levels < 2 * depth)
        }
      }
    }
  }

  @Test(arguments: Shape.allCases)
  func `key reporting changes no entry`(shape: Shape) throws {
    let plain = try decode(shape, .reporter, depth: 18, width: 2, Counts())
    let withKeys = try decode(shape, .keys, depth: 18, width: 2, Counts())
    #expect(plain?.entries.map(\.description) == withKeys?.entries.map(\.description))
    #expect(plain?.entries.map(\.failure) == withKeys?.entries.map(\.failure))
  }

  private func decode(
    _ shape: Shape, _ reporting: Reporting, depth: Int, width: Int, _ counts: Counts
  ) throws -> ErrorDigest? {
    let json = (0..<depth).reduce(nil) { inner, _ in shape.level(inner, leaves: width) } ?? ""
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    decoder.userInfo[.counts] = counts
    let data = Data(#"{"p": [\#(json)]}"#.utf8)
    let reporter = ResilientDecodingErrorReporter(maximumEntries: reporting == .full ? 1 : 1_000)
    switch reporting {
    case .none: _ = try decoder.decode(GenericModel<[Level]>.self, from: data)
    case .reporter, .full:
      _ = try reporter.collectErrors { try decoder.decode(GenericModel<[Level]>.self, from: data) }
    case .keys:
      decoder.userInfo[.reportsUnknownKeys] = true
      return try decoder.decode(
        GenericModel<[Level]>.self, from: data, reportResilientDecodingErrors: true
      ).1
    }
    return reporter.flushReportedErrors()
  }
}

private final class Counts: Sendable {
  let levels = Locked(0)
  let leaves = Locked(0)
}

extension CodingUserInfoKey {
  fileprivate static let counts = CodingUserInfoKey(rawValue: "counts")!  // Never nil.
}

extension Decoder {
  fileprivate var counts: Counts? { userInfo[.counts] as? Counts }
}

/// A level that fails after its recoverable members were decoded.
private struct Level: Decodable, Equatable {
  let at: Date

  private enum CodingKeys: CodingKey { case arrays, dictionaries, rows, optionals, at }

  init(from decoder: any Decoder) throws {
    decoder.counts?.levels.withLock { $0 += 1 }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    _ = try container.decode(Resilient<Arrays?>.self, forKey: .arrays)
    _ = try container.decode(Resilient<Dictionaries?>.self, forKey: .dictionaries)
    _ = try container.decode(Resilient<Rows?>.self, forKey: .rows)
    _ = try container.decode(Resilient<Optionals?>.self, forKey: .optionals)
    at = try container.decode(Date.self, forKey: .at)
  }
}

private struct Arrays: Decodable {
  @Resilient var levels: [Level]
  @Resilient var leaves: [Leaf]
}

private struct Dictionaries: Decodable {
  @Resilient var levels: [String: Level]
  @Resilient var leaves: [String: Leaf]
}

private struct Rows: Decodable {
  @Resilient var levels: [[Level]]
  @Resilient var leaves: [[Leaf]]
}

private struct Optionals: Decodable {
  @Resilient var levels: [Level?]
  @Resilient var leaves: [Leaf?]?
}

private struct Leaf: Decodable, Equatable {
  init(from decoder: any Decoder) throws {
    decoder.counts?.leaves.withLock { $0 += 1 }
    _ = try decoder.singleValueContainer().decode(Int.self)
  }
}
