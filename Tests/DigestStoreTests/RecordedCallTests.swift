import DigestStore
import Foundation
import ResilientDecoding
import Testing

/// A store has the same rows whichever call has recorded a decode, with and without options.
struct RecordedCallTests {
  enum Call: CaseIterable {
    case recording, closure, reporter
  }

  static let payloads = [
    #"{"id": 1, "at": 1, "kinds": ["house", "villa"], "points": [[{"x": null}]]}"#,
    #"{"id": 1, "at": 1, "kinds": 7, "points": [null, [{"x": "y"}]]}"#,
    #"{"id": "x", "at": 1, "kinds": [1]}"#, #"{"id": 1, "at": null}"#, #"{"id": 300, "at": 1}"#,
    #"{"id": 1, "at": "late"}"#, #"{"at": 1}"#, "[]", "null", "", "<html>", #"{"id": 1"#,
  ]

  @Test(arguments: payloads)
  func `rows are the same`(payload: String) throws {
    let data = Data(payload.utf8)
    let expected = try rows(of: data, .recording, reportsKeys: false)
    #expect(!expected.joined().contains("ResilientDecoding."))
    for call in Call.allCases {
      for reportsKeys in [false, true] {
        #expect(try rows(of: data, call, reportsKeys: reportsKeys) == expected)
      }
    }
  }

  /// The rows without those that only the option reports.
  private func rows(of data: Data, _ call: Call, reportsKeys: Bool) throws -> [String] {
    var configuration = DigestStore.Configuration()
    configuration.reportsUnknownKeys = reportsKeys
    let temporary = try TemporaryStore(configuration)
    let store = temporary.store
    let decoder = JSONDecoder()
    if reportsKeys { decoder.userInfo[.reportsUnknownKeys] = true }
    func decode() throws {
      let (_, digest) = try decoder.decode(
        Model.self, from: data, reportResilientDecodingErrors: true)
      for entry in digest?.entries ?? [] { ResilientDecodingErrorReporter.report(entry) }
    }
    // Thrown errors are compared by what the store has of them.
    switch call {
    case .recording: _ = try? decoder.decode(Model.self, from: data, recordingTo: store)
    case .closure: try? store.recordErrors(of: Model.self) { try decode() }
    case .reporter:
      let reporter = PersistentErrorReporter(store: store, model: Model.self)
      try? reporter.collectErrors { try decode() }
      reporter.flushReportedErrors()
    }
    return try temporary.errors().filter { !$0.contains("|unknownKey|") }.sorted()
  }
}

private struct Model: Decodable {
  enum Kind: String, ResilientRawRepresentable { case house }
  struct Point: Decodable { let x: Int }

  let id: UInt8
  let at: Date
  @Resilient var kinds: [Kind]
  @Resilient var points: [[Point]]
}
