import Foundation

@testable import ResilientDecoding

/// One random model, one random payload, and all faults in its decoding.
struct PropertyCase {
  let seed: UInt64
  let shape: Shape
  let document: JSON

  init(seed: UInt64) {
    self.seed = seed
    // Payloads share a model, because the runtime never frees a type.
    var ofModel = SeededGenerator(seed: seed / 16)
    shape = Shape.document(depth: 4, using: &ofModel)
    var random = SeededGenerator(seed: seed &+ 0x5eed_0000_0000)
    let rarity = [4, 8, 16, 1_000_000].randomElement(using: &random)!
    document = JSON.fitting(shape, depth: 6, using: &random)
      .damaged(rarity: rarity, using: &random)
  }

  /// Descriptions of the faults; empty if there are none.
  func complaints() -> [String] {
    Format.allCases.filter(document.isDocument).flatMap { format in
      complaints(shape.type, in: format).map { "\(format): \($0)" }
    }
  }

  private func complaints<T: Specimen>(_ type: T.Type, in format: Format) -> [String] {
    var oracle = Oracle()
    // Nil if decoding must throw.
    let value = try? oracle.value(shape, document, at: [])
    var complaints: [String] = []
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 100_000)
    let decoded = decode(type, in: format, [.resilientDecodingErrorReporter: reporter])
    if decoded != value {
      complaints.append(
        "the value is \(decoded.words), and not \(value.words)")
    }
    let digest = reporter.flushReportedErrors()
    let losses = digest?.entries.map(Loss.init) ?? []
    if losses != oracle.losses {
      complaints.append("the losses are\n\(losses.lines), and not\n\(oracle.losses.lines)")
    }
    if digest?.errors.count ?? 0 != oracle.visibleCount {
      complaints.append("\(digest?.errors.count ?? 0) are visible, and not \(oracle.visibleCount)")
    }
    complaints += digest?.unreadablePaths ?? []
    if shape.survivesEncoding,
      let decoded = try? format.decode(type, from: document, userInfo: [:])
    {
      complaints += self.complaints(encoding: decoded, in: format)
    }
    if decode(type, in: format, [:]) != value {
      complaints.append("without a reporter the value is another one")
    }
    return complaints
      + complaintsWhenFull(type, value, lossCount: oracle.losses.count, in: format)
      + complaintsWithUnknownKeys(type, value, oracle.losses, in: format)
      + (format == .json ? complaintsThroughOtherCalls(type, value, digest?.entries ?? []) : [])
  }

  /// Other calls and options change no value, no error and no text of one.
  private func complaintsThroughOtherCalls<T: Specimen>(
    _ type: T.Type, _ value: PlainValue?, _ entries: [ErrorDigest.Entry]
  ) -> [String] {
    let options: [[CodingUserInfoKey]] = [[], [.reportsMissingKeys], [.reportsUnknownKeys]]
    return options.flatMap { options -> [String] in
      let decoder = JSONDecoder()
      for option in options { decoder.userInfo[option] = true }
      let reporter = ResilientDecodingErrorReporter(maximumEntries: 100_000)
      let decoded = try? reporter.collectErrors {
        try decoder.decodeReporting(type, document.text)
      }
      var digest = decoded?.1 ?? reporter.flushReportedErrors()
      // The thrown error. Which one of a plain dictionary's is thrown depends on hashes.
      if decoded == nil {
        digest = digest.map { ErrorDigest(entries: $0.entries.dropLast(), omissions: []) }
      }
      let others = digest?.entries.filter { ![.missingKey, .unknownKey].contains($0.kind) } ?? []
      return (decoded?.0.plain == value ? [] : ["with \(options), the value is another one"])
        + (others.texts == entries.texts ? [] : ["with \(options), entries are\n\(others.texts)"])
    }
  }

  /// What was decoded is the same after it was encoded and decoded again, and has no losses left.
  private func complaints<T: Specimen>(encoding value: T, in format: Format) -> [String] {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 100_000)
    do {
      let data = try format.encode(value)
      let again = try reporter.collectErrors { try format.decode(T.self, from: data) }
      let losses = reporter.flushReportedErrors()?.entries.filter { $0.kind != .unknownNovelValue }
      return (again.plain == value.plain ? [] : ["encoded and decoded, it is \(again.plain)"])
        + (losses?.isEmpty == false ? ["encoded, it has losses"] : [])
    } catch {
      return ["it cannot be encoded and decoded: \(error)"]
    }
  }

  /// Reporting unknown keys changes no value and no other error, and no key of the model is
  /// unknown.
  private func complaintsWithUnknownKeys<T: Specimen>(
    _ type: T.Type,
    _ value: PlainValue?,
    _ losses: [Loss],
    in format: Format
  ) -> [String] {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 100_000)
    reporter.reportedKeys = .unknown
    let decoded = reporter.collectRecoveredErrors { decode(DocumentRoot<T>.self, in: format) }
    var complaints: [String] = []
    if decoded?.value.plain != value {
      complaints.append("while keys are reported, the value is \((decoded?.value.plain).words)")
    }
    let entries = reporter.flushReportedErrors()?.entries ?? []
    let others = entries.filter { $0.kind != .unknownKey }.map(Loss.init)
    if others != losses {
      complaints.append("while keys are reported, the losses are\n\(others.lines)")
    }
    for entry in entries where entry.kind == .unknownKey {
      var path = entry.codingPath.components
      let key = path.removeLast().keyName ?? ""
      if shape.keys(at: path[...])?.contains(key) != false {
        complaints.append("\(entry.codingPath) is not unknown")
      }
    }
    return complaints
  }

  private func complaintsWhenFull<T: Specimen>(
    _ type: T.Type,
    _ value: PlainValue?,
    lossCount count: Int,
    in format: Format
  ) -> [String] {
    let small = ResilientDecodingErrorReporter(maximumEntries: 2)
    var complaints: [String] = []
    if decode(type, in: format, [.resilientDecodingErrorReporter: small]) != value {
      complaints.append("with a full reporter the value is another one")
    }
    let digest = small.flushReportedErrors()
    let omitted = digest?.omissions.reduce(0) { $0 + $1.count } ?? 0
    let entries = digest?.entries.count ?? 0
    if digest?.errorCount ?? 0 != count || entries != min(2, count) || omitted != count - entries {
      complaints.append("a full reporter has \(entries) + \(omitted) of \(count) errors")
    }
    return complaints
  }

  /// Decodes to a value without its type; nil if decoding throws.
  private func decode<T: Specimen>(
    _ type: T.Type,
    in format: Format,
    _ userInfo: [CodingUserInfoKey: any Sendable]
  ) -> PlainValue? {
    decode(type, in: format, userInfo: userInfo)?.plain
  }

  /// Decodes a value; nil if decoding throws.
  private func decode<T: Decodable>(
    _ type: T.Type,
    in format: Format,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> T? {
    try? format.decode(type, from: document, userInfo: userInfo)
  }
}

extension Shape {
  /// Whether no property turns nil into a default: such a nil is another value when it is decoded
  /// again.
  fileprivate var survivesEncoding: Bool {
    switch self {
    case .optional(let value), .resilient(let value), .array(let value), .set(let value),
      .dictionary(let value), .numbered(let value), .opened(let value):
      return value.survivesEncoding
    case .record(let record):
      return record.members.allSatisfy { member in
        guard member.shape.survivesEncoding else { return false }
        guard member.wrapper == .defaulted || member.wrapper == .losslessDefaulted else {
          return true
        }
        var shape = member.shape
        if case .optional(let wrapped) = shape { shape = wrapped }
        while case .resilient(let wrapped) = shape { shape = wrapped }
        if case .optional = shape { return shape == member.shape }
        return true
      }
    default: return true
    }
  }

  /// The keys of the objects at a path; nil if there are no models.
  fileprivate func keys(at path: ArraySlice<ErrorDigest.Path.Component>) -> Set<String>? {
    switch self {
    case .optional(let value), .resilient(let value): return value.keys(at: path)
    case .array(let value), .set(let value), .dictionary(let value), .numbered(let value),
      .opened(let value):
      return path.isEmpty ? nil : value.keys(at: path.dropFirst())
    case .record(let record):
      return Self.keys(of: Array(zip(record.names, record.members)), at: path)
    case .node: return Self.keys(of: RecordShape.node, at: path)
    case .union:
      // Only the discriminator is asked for by all members.
      return path.isEmpty ? ["type"] : Self.union.keys(at: path.dropFirst(2))
    case .integer, .byte, .double, .boolean, .string, .raw, .open: return nil
    }
  }

  private static func keys(
    of members: [(String, Member)], at path: ArraySlice<ErrorDigest.Path.Component>
  ) -> Set<String>? {
    guard let first = path.first else { return Set(members.map(\.0)) }
    guard let member = members.first(where: { $0.0 == first.keyName })?.1 else { return nil }
    let shape = member.hasElements ? Shape.array(member.shape) : member.shape
    return shape.keys(at: path.dropFirst())
  }
}

extension PropertyCase: CustomStringConvertible {
  var description: String { "seed \(seed)\n  \(shape)\n  \(document.text)" }
}

extension PlainValue? {
  fileprivate var words: String { map { "\($0)" } ?? "thrown" }
}

extension [ErrorDigest.Entry] {
  /// All that an entry says; the first thousand, as many as a call keeps.
  fileprivate var texts: [String] {
    prefix(1_000).map { "\($0) \($0.recoveryPath) \($0.failure.codingPath) \($0.message)" }
  }
}

extension [Loss] {
  fileprivate var lines: String { map { "    \($0)" }.joined(separator: "\n") }
}

extension ErrorDigest {
  /// The paths that do not survive a round trip through text.
  fileprivate var unreadablePaths: [String] {
    entries.flatMap { [$0.codingPath, $0.recoveryPath] }.compactMap { path in
      let read = Path(path.pattern).flatMap {
        Path(path.description)?.markingDictionaryKeys(of: $0)
      }
      return read == path
        ? nil : "\(path) (\(path.pattern)) reads as \(read.map { "\($0)" } ?? "-")"
    }
  }
}

extension Format {
  fileprivate func decode<T: Decodable>(
    _ type: T.Type,
    from document: JSON,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    guard self != .json else { return try decode(type, from: document.text, userInfo: userInfo) }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = self == .xml ? .xml : .binary
    let decoder = PropertyListDecoder()
    decoder.userInfo = userInfo
    return try decoder.decode(type, from: encoder.encode(document))
  }
}
