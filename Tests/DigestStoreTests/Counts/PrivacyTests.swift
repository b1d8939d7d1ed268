import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct PrivacyTests {
  /// Text that would do harm where it is not taken as data, in all places that a payload fills.
  private static let hostile = "s3cr3t'\"; DROP TABLE digest; --\n\u{1b}[31m%s[0].a"

  private static func record(id: String? = nil) -> DigestRecord {
    .make(
      id: id, model: hostile, release: hostile,
      RecordedError(
        path: ErrorDigest.Path("items[3]") ?? ErrorDigest.Path(), kind: .unknownNovelValue,
        expectedType: hostile, novelValue: hostile, valueType: hostile, message: hostile,
        found: .string(hostile)))
  }

  @Test(arguments: [
    "DROP TABLE digest", "DROP TABLE failure", "DROP TABLE model", "DROP TABLE context",
    "DROP TABLE source", "DROP TABLE loss",
    "CREATE UNIQUE INDEX one ON model (id * 0) WHERE id > 1",
    "CREATE INDEX one ON model (abs(-9223372036854775807 - (length(name) > 0))) WHERE id > 2",
    "CREATE UNIQUE INDEX one ON digest (context * 0) WHERE id > 2",
    "CREATE UNIQUE INDEX one ON failure (length(message) * 0) WHERE id > 1",
    "PRAGMA user_version = 99", "PRAGMA application_id = 1",
  ])
  func `no error says a value`(_ damage: String) throws {
    let found = Locked<[String]>([])
    var configuration = DigestStore.Configuration()
    configuration.onQuarantine = { quarantine in
      found.withLock { $0.append("\(quarantine.error)") }
    }
    let temporary = try TemporaryStore(
      configuration, holding: .make(), Self.record(id: Self.hostile))
    try temporary.execute(damage)
    func collect(_ body: () throws -> Void) {
      do { try body() } catch { found.withLock { $0.append("\(error)") } }
    }

    let other = try? DigestStore(path: temporary.path, configuration: configuration)
    for store in [temporary.store, other].compactMap({ $0 }) {
      collect { try store.append(Self.record()) }
      collect { try store.append(.make(model: Self.hostile + "2", .novel(Self.hostile + "2"))) }
      collect { _ = try store.importText(store.text()) }
      collect { _ = try store.failures(matching: DigestFilter(model: Self.hostile)) }
      collect { _ = try store.novelValues(matching: DigestFilter(release: Self.hostile)) }
      collect { _ = try store.losses() }
      collect { _ = try store.reachedLimits() }
      collect { _ = try store.verify() }
      collect { _ = try store.prune() }
      collect { try store.close() }
    }
    collect { _ = try DigestStore(path: temporary.path) }
    collect { _ = try DigestReader(path: temporary.path) }

    let errors = found.withLock { $0 }
    #expect(!errors.isEmpty)
    #expect(errors.filter { $0.contains("s3cr3t") } == [])
    #expect(errors.filter { $0.contains("\n") || $0.contains("\u{1b}") } == [])
  }

  @Test(arguments: [
    #"{"model":"s3cr3t"}"#, #"{"s3cr3t":1}"#, "s3cr3t", #"{"recordedAt":"s3cr3t","model":"M"}"#,
    #"{"recordedAt":"s3cr3t","model":"M","errors":[]}"#,
    #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":["s3cr3t"]}"#,
    #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[{"path":"[s3cr3t","kind":"other"}]}"#,
    #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[{"path":"a","kind":"s3cr3t"}]}"#,
    #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[{"path":"a","pattern":"s3cr3t","kind":"other"}]}"#,
    #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[{"path":"a","kind":"other","count":"s3cr3t"}]}"#,
    #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[{"path":"a","kind":"other","foundType":"s3cr3t"}]}"#,
    #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[{"path":"a","kind":"other","foundValue":"s3cr3t"}]}"#,
  ])
  func `no error of an import says a value`(_ line: String) throws {
    let temporary = try TemporaryStore()
    let error = #expect(throws: DigestStoreError.self) { try temporary.store.importText(line) }
    #expect(error?.code == .invalidInput)
    #expect(error?.description.contains("s3cr3t") == false)
    let summary = try temporary.store.importText(line, skippingInvalid: true)
    #expect(summary.problems.count == 1)
    #expect(summary.problems.filter { $0.contains("s3cr3t") } == [])
  }
}
