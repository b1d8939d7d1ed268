import Dispatch
import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

struct ResilientDecodingErrorReporterTests {
  private static let bad = Data(#"{"numbers": ["0", 1, null], "kind": "novel"}"#.utf8)
  private static let paths = ["numbers[0]", "numbers[2]", "kind"]

  @Test func `a second flush returns nil`() throws {
    let decoder = JSONDecoder()
    let reporter = decoder.enableResilientDecodingErrorReporting()
    #expect(reporter.flushReportedErrors() == nil)
    _ = try decoder.decode(Listing.self, from: Self.bad)
    #expect(reporter.flushReportedErrors()?.paths == Self.paths)
    #expect(reporter.flushReportedErrors() == nil)
    _ = try decoder.decode(Listing.self, from: Self.bad)
    #expect(reporter.flushReportedErrors()?.paths == Self.paths)
  }

  @Test func `decodes add up until a flush`() throws {
    let decoder = JSONDecoder()
    let reporter = decoder.enableResilientDecodingErrorReporting()
    _ = try decoder.decode(Listing.self, from: Self.bad)
    _ = try decoder.decode(Listing.self, from: Self.bad)
    #expect(reporter.flushReportedErrors()?.paths == Self.paths + Self.paths)
  }

  @Test func `threads that share a reporter lose no error`() throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 100_000)
    DispatchQueue.concurrentPerform(iterations: 400) { _ in
      let decoder = JSONDecoder()
      decoder.userInfo[.resilientDecodingErrorReporter] = reporter
      _ = try? decoder.decode(Listing.self, from: Self.bad)
    }
    let digest = try #require(reporter.flushReportedErrors())
    #expect(digest.omissions.isEmpty)
    let counts = Dictionary(grouping: digest.paths) { $0 }.mapValues(\.count)
    #expect(counts == ["numbers[0]": 400, "numbers[2]": 400, "kind": 400])
  }

  @Test func `threads that share a decoder and flush meanwhile lose no error`() throws {
    let decoder = JSONDecoder()
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 5)
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    let count = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 400) { iteration in
      _ = try? decoder.decode(Listing.self, from: Self.bad)
      guard iteration.isMultiple(of: 7), let digest = reporter.flushReportedErrors() else {
        return
      }
      count.withLock { $0 += digest.errorCount }
    }
    let rest = reporter.flushReportedErrors()?.errorCount ?? 0
    #expect(count.withLock { $0 } + rest == 3 * 400)
  }

  @Test func `a subclass can override every flush`() throws {
    let decoder = JSONDecoder()
    let reporter = RecordingReporter()
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    _ = try decoder.decode(Listing.self, from: Self.bad)
    let plain: ResilientDecodingErrorReporter = reporter
    #expect(plain.flushReportedErrors()?.paths == Self.paths)
    #expect(plain.flushReportedErrors() == nil)
    #expect(reporter.flushed == [Self.paths, nil])
  }

  @Test func `an error whose description flushes the reporter loses no error`() throws {
    let decoder = JSONDecoder()
    let reporter = RecordingReporter(maximumEntries: 1)
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    _ = try decoder.decode(GenericModel<[Flushing]>.self, from: Data(#"{"p": [0, 0, 0, 0]}"#.utf8))
    let last = reporter.flushReportedErrors()
    // The first is an entry. The second finds no room, flushes the reporter, and is counted.
    #expect(reporter.flushed == [nil, ["p[0]"], [], ["p[2]"], []])
    #expect(last?.omissions.map(\.count) == [1])
    #expect(reporter.errorCounts == [0, 1, 1, 1, 1])
    #expect(reporter.flushReportedErrors() == nil)
  }

  @Test func `the error of a whole document can be reported too`() throws {
    let decoder = JSONDecoder()
    let reporter = decoder.enableResilientDecodingErrorReporting()
    let error = try #require(throws: DecodingError.self) {
      try decoder.decode(Strict.self, from: Self.bad)
    }
    reporter.report(error, decoding: Strict.self)
    reporter.report(Mishap(description: "offline"), decoding: Strict.self)
    let digest = try #require(reporter.flushReportedErrors())
    #expect(
      digest.reports == [
        "numbers[0]: typeMismatch Int",
        "numbers[2]: valueNotFound Int",
        "/id: keyNotFound",
        ": other Strict",
      ]
    )
    #expect(digest.entries.last?.message == "offline")
  }
}

private struct Listing: Decodable {
  @Resilient var numbers: [Int]
  @Resilient var kind: Kind?
}

private struct Strict: Decodable {
  @Resilient var numbers: [Int]
  let id: Int
}

// A mutex guards the state that it adds.
private final class RecordingReporter: ResilientDecodingErrorReporter, @unchecked Sendable {
  private let digests = Locked<[ErrorDigest?]>([])

  var flushed: [[String]?] { digests.withLock { $0.map { $0?.paths } } }

  var errorCounts: [Int] { digests.withLock { $0.map { $0?.errorCount ?? 0 } } }

  override func flushReportedErrors() -> ErrorDigest? {
    let digest = super.flushReportedErrors()
    digests.withLock { $0.append(digest) }
    return digest
  }
}

/// Throws an error whose description flushes its reporter.
private struct Flushing: Decodable, Equatable {
  init(from decoder: any Decoder) throws {
    let reporter = decoder.userInfo[.resilientDecodingErrorReporter]
    throw Failure(reporter: try #require(reporter as? ResilientDecodingErrorReporter))
  }

  struct Failure: Error, CustomStringConvertible {
    let reporter: ResilientDecodingErrorReporter

    var description: String {
      reporter.flushReportedErrors()
      return "flushed"
    }
  }
}
