import Foundation
import ResilientDecoding
import Testing

struct CheckpointTests {
  private static let listing = #"{"tags": [1, "x"], "price": 5}"#
  private static let experience = #"{"tags": ["y"], "hosts": ["z", 2]}"#

  @Test(arguments: Format.allCases)
  func `a failed attempt discards its errors`(format: Format) throws {
    let (model, digest) = try format.decode(
      GenericModel<[Card]>.self, from: #"{"p": [\#(Self.listing), \#(Self.experience)]}"#)
    #expect(model.p == [.listing(tags: [1], price: 5), .experience(hosts: [2])])
    #expect(digest?.found == [#"p[0].tags[1]: string "x""#, #"p[1].hosts[0]: string "z""#])
  }

  @Test(arguments: Format.allCases)
  func `checkpoints do not change a digest`(format: Format) throws {
    let json = #"{"first": "a", "second": {"b": 1, "a": [1, "x"]}, "third": ["b"]}"#
    let (_, plain) = try format.decode(Three.self, from: json)
    let (_, checked) = try format.decode(Checked<Checked<Three>>.self, from: json)
    #expect(checked?.reports == plain?.reports)
    #expect(checked?.found == plain?.found)
    #expect(plain?.paths == ["first", "second.a[1]", "second.b", "third[0]"])
  }

  @Test func `reports before and after an attempt keep their positions`() throws {
    let (_, digest) = try Format.json.decode(
      Resilient<[Card?]>.self, from: #"[1, \#(Self.experience), 3, \#(Self.listing), {"hosts": 5}]"#
    )
    #expect(digest?.paths == ["[0]", "[1].hosts[0]", "[2]", "[3].tags[1]", "[4].hosts"])
  }

  @Test func `a failed inner attempt discards only its own errors`() throws {
    let reporter = ResilientDecodingErrorReporter()
    try report(to: reporter) { decoder in
      decoder.reportError(Mishap(description: "1"))
      decoder.withReportingCheckpoint {
        decoder.reportError(Mishap(description: "2"))
        try? decoder.withReportingCheckpoint {
          decoder.reportError(Mishap(description: "taken back"))
          throw Mishap(description: "inner")
        }
        decoder.reportError(Mishap(description: "3"))
      }
      decoder.reportError(Mishap(description: "4"))
    }
    #expect(reporter.flushReportedErrors()?.entries.map(\.message) == ["1", "2", "3", "4"])
  }

  @Test func `a failed outer attempt discards the errors of inner attempts too`() throws {
    let reporter = ResilientDecodingErrorReporter()
    try report(to: reporter) { decoder in
      decoder.reportError(Mishap(description: "1"))
      try? decoder.withReportingCheckpoint {
        decoder.withReportingCheckpoint {
          decoder.reportError(Mishap(description: "taken back"))
        }
        throw Mishap(description: "outer")
      }
    }
    #expect(reporter.flushReportedErrors()?.entries.map(\.message) == ["1"])
  }

  @Test func `a checkpoint returns the value and throws the error of its attempt`() throws {
    try report(to: nil) { decoder in
      #expect(decoder.withReportingCheckpoint { 7 } == 7)
      let error = #expect(throws: Mishap.self) {
        try decoder.withReportingCheckpoint { throw Mishap(description: "mine") }
      }
      #expect(error?.description == "mine")
    }
  }

  @Test func `a checkpoint without a reporter returns the value unchanged`() throws {
    let cards = try Format.json.decode(
      [Card].self, from: "[\(Self.listing), \(Self.experience)]", userInfo: [:])
    #expect(cards == [.listing(tags: [1], price: 5), .experience(hosts: [2])])
  }

  @Test(arguments: [1, 2, 3, 5, 10])
  func `errors beyond the maximum are counted and discarded too`(maximum: Int) throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: maximum)
    try report(to: reporter) { decoder in
      decoder.reportError(Mishap(description: "before"))
      try? decoder.withReportingCheckpoint {
        for _ in 0..<20 { decoder.reportError(Mishap(description: "taken back")) }
        throw Mishap(description: "failed")
      }
      decoder.withReportingCheckpoint {
        for _ in 0..<4 { decoder.reportError(Mishap(description: "kept")) }
      }
    }
    let digest = reporter.flushReportedErrors()
    let all = ["before", "kept", "kept", "kept", "kept"]
    #expect(digest?.entries.map(\.message) == Array(all.prefix(maximum)))
    #expect(digest?.errorCount == 5)
    #expect(digest?.omissions.map(\.count).reduce(0, +) == max(0, 5 - maximum))
    #expect(digest?.omissions.map(\.message).contains("taken back") == false)
  }

  @Test func `collected errors are discarded too`() throws {
    let reporter = ResilientDecodingErrorReporter()
    _ = try reporter.collectErrors {
      try JSONDecoder().decode([Card].self, from: Data("[\(Self.experience)]".utf8))
    }
    #expect(reporter.flushReportedErrors()?.paths == ["[0].hosts[0]"])
  }

  @Test func `a decoder keeps its own reporter within an attempt`() throws {
    let reporter = ResilientDecodingErrorReporter()
    let own = ResilientDecodingErrorReporter()
    try report(to: reporter) { decoder in
      _ = try decoder.withReportingCheckpoint {
        try Format.json.decode(
          GenericModel<Int?>.self, from: #"{"p": "x"}"#,
          userInfo: [.resilientDecodingErrorReporter: own])
      }
    }
    #expect(own.flushReportedErrors()?.paths == ["p"])
    #expect(reporter.flushReportedErrors() == nil)
  }

  @Test(arguments: [false, true])
  func `the errors of a throwing call within an attempt go to its decoder's reporter`(
    attemptFails: Bool
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    let inner = JSONDecoder()
    let own = inner.enableResilientDecodingErrorReporting()
    try report(to: reporter) { decoder in
      try? decoder.withReportingCheckpoint {
        decoder.reportError(Mishap(description: "outer"))
        // It throws because there is no price, after the error of a tag.
        let listing = try? inner.decodeReporting(Listing.self, #"{"tags": ["x"]}"#)
        #expect(listing == nil)
        if attemptFails { throw Mishap(description: "failed") }
      }
    }
    #expect(own.flushReportedErrors()?.paths == ["tags[0]"])
    let messages = reporter.flushReportedErrors()?.entries.map(\.message)
    #expect(messages == (attemptFails ? nil : ["outer"]))
  }

  @Test func `errors that another thread reports meanwhile are kept`() throws {
    let reporter = ResilientDecodingErrorReporter()
    try report(to: reporter) { decoder in
      try? decoder.withReportingCheckpoint {
        decoder.reportError(Mishap(description: "taken back"))
        let hasReported = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          _ = try? Format.json.decode(
            GenericModel<Int?>.self, from: #"{"p": "x"}"#,
            userInfo: [.resilientDecodingErrorReporter: reporter])
          hasReported.signal()
        }
        hasReported.wait()
        throw Mishap(description: "failed")
      }
    }
    #expect(reporter.flushReportedErrors()?.paths == ["p"])
  }

  @Test func `threads that share a reporter discard only their own errors`() throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 100)
    let json = "[\(Self.listing), \(Self.experience)]"
    DispatchQueue.concurrentPerform(iterations: 200) { _ in
      _ = try? Format.json.decode(
        [Card].self, from: json, userInfo: [.resilientDecodingErrorReporter: reporter])
    }
    let digest = reporter.flushReportedErrors()
    #expect(digest?.errorCount == 400)
    let failures = Set((digest?.entries ?? []).map(\.failure.codingPath.description))
      .union((digest?.omissions ?? []).map(\.failure.codingPath.description))
    #expect(failures == ["[].tags[]", "[].hosts[]"])
  }

  /// Runs `body` in the decoder of an empty object.
  private func report(
    to reporter: ResilientDecodingErrorReporter?,
    _ body: @escaping (any Decoder) throws -> Void
  ) throws {
    let decoder = JSONDecoder()
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    decoder.userInfo[.body] = Body(run: body)
    _ = try decoder.decode(Runner.self, from: Data("{}".utf8))
  }
}

/// Tries to decode a listing and then an experience.
private enum Card: Decodable, Equatable {
  case listing(tags: [Int], price: Int)
  case experience(hosts: [Int])

  init(from decoder: any Decoder) throws {
    do {
      let listing = try decoder.withReportingCheckpoint { try Listing(from: decoder) }
      self = .listing(tags: listing.tags, price: listing.price)
    } catch {
      self = .experience(hosts: try Experience(from: decoder).hosts)
    }
  }
}

private struct Listing: Decodable {
  @Resilient var tags: [Int]
  let price: Int
}

private struct Experience: Decodable {
  @Resilient var hosts: [Int]
}

private struct Three: Decodable {
  @Resilient var first: Int?
  @Resilient var second: [String: [Int]]
  @Resilient var third: [Int]
}

// Sendable because it runs on the thread that creates it.
private final class Body: @unchecked Sendable {
  let run: (any Decoder) throws -> Void

  init(run: @escaping (any Decoder) throws -> Void) { self.run = run }
}

private struct Runner: Decodable {
  init(from decoder: any Decoder) throws {
    try (decoder.userInfo[.body] as? Body)?.run(decoder)
  }
}

extension CodingUserInfoKey {
  fileprivate static let body = CodingUserInfoKey(rawValue: "body")!  // Never nil.
}
