import Foundation
import ResilientDecoding
import ResilientPlatform

@testable import DigestStore

extension DigestRecord {
  /// A digest, by default of one error now.
  static func make(
    id: String? = nil,
    at moment: Moment = Moment(milliseconds: 1_763_632_800_123),
    model: String = "App.Listing",
    release: String? = nil,
    environment: String? = nil,
    operation: String? = nil,
    _ errors: RecordedError...
  ) -> Self {
    Self(
      id: id.map { DigestID($0) }, recordedAt: moment, model: model,
      context: DigestContext(release: release, environment: environment, operation: operation),
      errors: errors.isEmpty ? [.novel("villa")] : errors)
  }
}

extension RecordedError {
  static func novel(
    _ value: String,
    at path: String = "items[3].kind",
    expected type: String? = "App.Kind",
    valueType: String? = "String",
    found: ErrorDigest.FoundValue? = nil
  ) -> Self {
    Self(
      path: ErrorDigest.Path(path) ?? ErrorDigest.Path(), kind: .unknownNovelValue,
      expectedType: type, novelValue: value, valueType: valueType, message: "Unknown novel value",
      found: found)
  }

  static func mismatch(
    at path: String,
    expected type: String = "Int",
    message: String? = "no",
    found: ErrorDigest.FoundValue? = nil
  ) -> Self {
    Self(
      path: ErrorDigest.Path(path) ?? ErrorDigest.Path(), kind: .typeMismatch, expectedType: type,
      message: message, found: found)
  }

  /// The same error in a digest that only counts it.
  func counted(_ times: Int) -> Self {
    var counted = self
    counted.count(times)
    return counted
  }
}

extension ErrorDigest.FoundValue {
  static func string(_ text: String?) -> Self { Self(type: .string, text: text) }
  static func number(_ text: String?) -> Self { Self(type: .number, text: text) }
  static func boolean(_ text: String?) -> Self { Self(type: .boolean, text: text) }
  static let null = Self(type: .null, text: nil)
  static let array = Self(type: .array, text: nil)
}

extension ErrorDigest.FoundValue? {
  /// What the two columns of a view have for it, as one text.
  var columns: String { "\(self?.type.rawValue ?? "-")|\(self?.text ?? "-")" }
}

extension DigestStore {
  func append(_ records: DigestRecord...) throws {
    for record in records { try write { try $0.append(record) } }
  }

  /// Imports text as though it were a file.
  func importText(
    _ text: String,
    skippingInvalid: Bool = false,
    progress: ((Progress) throws -> Void)? = nil
  ) throws -> DigestStore.ImportSummary {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    return try importDigests(
      fromFileDescriptor: handle.fileDescriptor, skippingInvalid: skippingInvalid,
      progress: progress)
  }
}

extension DigestReader {
  /// The lines of an export.
  func lines(
    matching filter: DigestFilter = DigestFilter(), in part: DigestStore.IncrementalExport? = nil
  ) throws -> [String] {
    var lines: [String] = []
    try exportDigests(matching: filter, in: part) { lines.append($0) }
    return lines
  }

  /// An export as it is in a file.
  func text() throws -> String { try lines().map { $0 + "\n" }.joined() }

  /// How many digests a check finds in a sound store; nil if the store isn't sound.
  func soundDigests() throws -> Int? {
    let verification = try verify()
    return verification.isSound ? verification.digests : nil
  }
}

extension DigestRecord {
  var release: String? { context.release.isEmpty ? nil : context.release }
}

extension Writer {
  /// Imports records.
  func append(_ records: [ImportedRecord]) throws -> ImportCounts {
    try transaction { try appendNew(records, now: Moment(milliseconds: 0)) }
  }

  /// Appends a digest, and does what is due then, as the store's thread does.
  func append(_ record: DigestRecord) throws {
    guard record.id == nil else {
      _ = try append([.digest(record)])
      return
    }
    let due = try append([record])
    if due.contains(.fold) { while try foldSome() {} }
    if due.contains(.checkpoint) { try connection.checkpoint() }
  }

  /// Folds all digests.
  func foldAll() throws {
    while try foldSome() {}
  }
}

extension [DigestStore.Loss] {
  /// The digests and occurrences of each loss: `evicted 2 4`.
  var rows: [String] { map { "\($0.reason) \($0.digests) \($0.occurrences)" } }
}

extension Locked<Int> {
  /// Counts a call, and returns how many there were.
  func count() -> Int {
    withLock { count in
      count += 1
      return count
    }
  }
}
