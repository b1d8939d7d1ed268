import Foundation
import Testing

@testable import DigestStore

struct DiagnosisFindingsTests {
  private static let now = Date(timeIntervalSince1970: 1_763_632_800)

  /// A diagnosis with which nothing is wrong.
  private static let sound = DigestStore.Diagnosis(
    path: "/var/digests.sqlite", permissions: 0o600, schemaVersion: 1,
    autoVacuum: "incremental", fileBytes: 40_960, logBytes: 8_192, freePages: 0, freeBytes: 0,
    digests: 5, occurrences: 10, tailDigests: 5, reachedLimits: [], losses: [], setAside: [],
    date: now)

  private static func loss(
    _ reason: DigestStore.Loss.Reason, daysAgo days: Double, note: String? = nil
  ) -> DigestStore.Loss {
    DigestStore.Loss(
      reason: reason, hour: now.addingTimeInterval(-days * 86_400), digests: 1, occurrences: 5,
      note: note)
  }

  @Test func `with a sound store all is ok, and each check has its row`() {
    let findings = Self.sound.findings
    #expect(!findings.isEmpty)
    #expect(findings.allSatisfy { $0.status == .ok && $0.remedy == nil })
    #expect(Self.sound.isHealthy)
    #expect(
      findings.map { "\($0.check) \($0.value)" } == [
        "path /var/digests.sqlite", "mode 0600", "schema 1", "auto_vacuum incremental",
        "structure ok", "file_bytes 40960", "log_bytes 8192", "free_pages 0", "free_bytes 0",
        "recorded_digests 5", "entries 10", "tail_digests 5", "newest_error none", "limit none",
        "loss none", "set_aside none",
      ])
  }

  /// What a change makes of a sound store: one finding, of which the value is whole.
  struct Case: CustomTestStringConvertible, Sendable {
    let status: DigestStore.Diagnosis.Status
    let check: String
    let value: String
    let remedy: String?
    let change: @Sendable (inout DigestStore.Diagnosis) -> Void

    /// - Parameter remedy: words that are in it.
    init(
      _ status: DigestStore.Diagnosis.Status, _ check: String, _ value: String, _ remedy: String?,
      _ change: @escaping @Sendable (inout DigestStore.Diagnosis) -> Void
    ) {
      (self.status, self.check, self.value, self.remedy) = (status, check, value, remedy)
      self.change = change
    }

    var testDescription: String { "\(check) \(value)" }
  }

  @Test(arguments: [
    Case(.warning, "mode", "0644", "chmod 600") { $0.permissions = 0o644 },
    Case(.warning, "mode", "0400", "chmod 600") { $0.permissions = 0o400 },
    Case(.warning, "auto_vacuum", "none", "VACUUM") { $0.autoVacuum = "none" },
    Case(.ok, "auto_vacuum", "full", nil) { $0.autoVacuum = "full" },
    Case(.warning, "log_bytes", "100000000", "end long reads") { $0.logBytes = 100_000_000 },
    Case(.note, "free_bytes", "12288", "prune gives it back") {
      ($0.freePages, $0.freeBytes) = (3, 12_288)
    },
    Case(.ok, "tail_digests", "9999", nil) { $0.tailDigests = 9_999 },
    Case(.warning, "tail_digests", "10000", "run prune") { $0.tailDigests = 10_000 },
    Case(.warning, "push", "0c1b has not ended", "push it again") {
      $0.interruptedPushes = ["0c1b"]
    },
    Case(.warning, "structure", "row 3 missing from index", "run verify") {
      $0.problem = "row 3 missing from index"
    },
    Case(.note, "limit", "models: 5 occurrences", "merged into one row") {
      $0.reachedLimits = [
        DigestStore.ReachedLimit(limit: .models, model: nil, codingPath: nil, occurrences: 5)
      ]
    },
    Case(.note, "limit", "novel values at M a: 5 occurrences", "merged into one row") {
      $0.reachedLimits = [
        DigestStore.ReachedLimit(
          limit: .novelValuesPerPath, model: "M", codingPath: "a", occurrences: 5)
      ]
    },
    Case(
      .warning, "loss",
      "failed write: 2 digests, 10 occurrences, hours 2025-11-12T10:00:00.000Z to "
        + "2025-11-19T10:00:00.000Z", "the disk has room"
    ) {
      $0.losses = [
        loss(DigestStore.Loss.Reason.failedWrite, daysAgo: 8),
        loss(DigestStore.Loss.Reason.failedWrite, daysAgo: 1),
      ]
    },
    lost(.failedWrite, daysAgo: 8, on: 12, .note, "the disk has room"),
    lost(.overflow, daysAgo: 7, on: 13, .warning, DigestStoreError.overflowRemedy),
    lost("moved away", daysAgo: 0, on: 20, .warning, "close the store"),
    lost(.evicted, daysAgo: 0, on: 20, .ok, nil), lost(.redacted, daysAgo: 0, on: 20, .ok, nil),
    lost("of tomorrow", daysAgo: 0, on: 20, .ok, nil),
    lost(.quarantined, daysAgo: 0, on: 20, note: "a.broken-1", .ok, nil),
    Case(.warning, "set_aside", "a.broken-1", "move it away") { $0.setAside = ["a.broken-1"] },
    Case(.note, "set_aside", "unknown", "cannot be listed") { $0.setAside = nil },
  ])
  func `each check says what it found and what to do`(_ test: Case) throws {
    var diagnosis = Self.sound
    test.change(&diagnosis)

    let found = try #require(
      diagnosis.findings.first { $0.check == test.check && $0.value == test.value })

    #expect(found.status == test.status)
    #expect((found.remedy == nil) == (test.remedy == nil))
    if let remedy = test.remedy { #expect(found.remedy?.contains(remedy) == true) }
    #expect(diagnosis.isHealthy == (test.status != .warning))
    // And of all other checks nothing is said.
    #expect(diagnosis.findings.filter { $0.status != .ok && $0 != found } == [])
  }

  /// What one loss makes of a sound store: the day is one of November.
  private static func lost(
    _ reason: DigestStore.Loss.Reason, daysAgo days: Double, on day: Int, note: String? = nil,
    _ status: DigestStore.Diagnosis.Status, _ remedy: String?
  ) -> Case {
    let hour = "2025-11-\(day)T10:00:00.000Z"
    let value = "\(reason): 1 digests, 5 occurrences, hours \(hour) to \(hour)"
    return Case(status, "loss", value + (note.map { ": \($0)" } ?? ""), remedy) {
      $0.losses = [loss(reason, daysAgo: days, note: note)]
    }
  }
}
