import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

/// Errors that are not needed are released.
struct ErrorSinkTests {
  /// Less than the thousand errors that exist if they are kept, and more than the few that the
  /// testing library holds for a moment when it records them on other threads.
  private static let few = 100

  private static let array =
    #"{"array": [\#(repeatElement("1", count: 1_000).joined(separator: ","))]}"#
  private static let dictionary =
    #"{"dictionary": {\#((0..<1_000).map { "\"k\($0)\": 1" }.joined(separator: ","))}}"#

  // A debug build keeps the errors for `$array` and `$dictionary`.
  #if !DEBUG
    @Test func `without a reporter, no error of an array outlives its element`() throws {
      let errors = ErrorCount()
      _ = try decode(Self.array, counting: errors, reporter: nil)
      #expect(errors.total == 1_000)
      #expect(errors.mostAlive < Self.few)
    }

    @Test func `without a reporter, no error of a dictionary outlives its entry`() throws {
      let errors = ErrorCount()
      _ = try decode(Self.dictionary, counting: errors, reporter: nil)
      #expect(errors.total == 1_000)
      #expect(errors.mostAlive < Self.few)
    }

    @Test func `a full reporter releases further errors of an array immediately`() throws {
      let errors = ErrorCount()
      let reporter = ResilientDecodingErrorReporter(maximumEntries: 10)
      _ = try decode(Self.array, counting: errors, reporter: reporter)
      #expect(reporter.flushReportedErrors()?.errorCount == 1_000)
      #expect(errors.mostAlive < Self.few)
    }
  #endif

  @Test func `a full reporter keeps only the errors of its entries`() throws {
    let errors = ErrorCount()
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 10)
    do {
      _ = try decode(Self.array, counting: errors, reporter: reporter)
    }
    #expect((10..<Self.few).contains(errors.alive))
    #expect(reporter.flushReportedErrors()?.errorCount == 1_000)
    #expect(errors.alive < 10)
  }

  private func decode(
    _ json: String,
    counting errors: ErrorCount,
    reporter: ResilientDecodingErrorReporter?
  ) throws -> Model {
    var userInfo: [CodingUserInfoKey: any Sendable] = [.errors: errors]
    userInfo[.resilientDecodingErrorReporter] = reporter
    return try Format.json.decode(Model.self, from: json, userInfo: userInfo)
  }
}

private struct Model: Decodable {
  @Resilient var array: [Thrower]
  @Resilient var dictionary: [String: Thrower]
}

/// Always throws an error that is counted for as long as it lives.
private struct Thrower: Decodable {
  init(from decoder: any Decoder) throws {
    throw CountedError(errors: decoder.userInfo[.errors] as? ErrorCount)
  }
}

private final class CountedError: Error {
  private let errors: ErrorCount?

  init(errors: ErrorCount?) {
    self.errors = errors
    errors?.add(1)
  }

  deinit { errors?.add(-1) }
}

private final class ErrorCount: Sendable {
  private let counts = Locked((alive: 0, mostAlive: 0, total: 0))

  var alive: Int { counts.withLock { $0.alive } }
  var mostAlive: Int { counts.withLock { $0.mostAlive } }
  var total: Int { counts.withLock { $0.total } }

  func add(_ change: Int) {
    counts.withLock {
      $0.alive += change
      $0.mostAlive = max($0.alive, $0.mostAlive)
      if change > 0 { $0.total += change }
    }
  }
}

extension CodingUserInfoKey {
  fileprivate static let errors = CodingUserInfoKey(rawValue: "errors")!  // Never nil.
}
