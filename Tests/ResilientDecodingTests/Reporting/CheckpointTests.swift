import Foundation
import ResilientDecoding
import Testing

struct CheckpointTests {
  private static let listing = #"{"tags": [1, "x"], "price": 5}"#
  private static let experience = #"{"tags": ["y"], "hosts": ["z", 2]}"#

  @Test(arguments: Format.allCases)
  func `what an attempt that fails has reported is taken back`(format: Format) throws {
    let (model, digest) = try format.decode(
      GenericModel<[Card]>.self, from: #"{"p": [\#(Self.listing), \#(Self.experience)]}"#)
    #expect(model.p == [.listing(tags: [1], price: 5), .experience(hosts: [2])])
    #expect(digest?.found == [#"p[0].tags[1]: string "x""#, #"p[1].hosts[0]: string "z""#])
  }

  @Test(arguments: Format.allCases)
  func `what is in a digest without checkpoints is in one with them`(format: Format) throws {
    let json = #"{"first": "a", "second": {"b": 1, "a": [1, "x"]}, "third": ["b"]}"#
    let (_, plain) = try format.decode(Three.self, from: json)
    let (_, checked) = try format.decode(Checked<Checked<Three>>.self, from: json)
    #expect(checked?.reports == plain?.reports)
    #expect(checked?.found == plain?.found)
    #expect(plain?.paths == ["first", "second.a[1]", "second.b", "third[0]"])
  }

  @Test func `reports before and after an attempt stay where they are`() throws {
    let (_, digest) = try Format.json.decode(
      Resilient<[Card?]>.self, from: #"[1, \#(Self.experience), 3, \#(Self.listing), {"hosts": 5}]"#
    )
    #expect(digest?.paths == ["[0]", "[1].hosts[0]", "[2]", "[3].tags[1]", "[4].hosts"])
  }

  @Test func `an inner attempt that fails takes back its own alone`() throws {
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

  @Test func `an outer attempt that fails takes back the inner ones too`() throws {
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

  @Test func `the error and the value of an attempt are those of the checkpoint`() throws {
    try report(to: nil) { decoder in
      #expect(decoder.withReportingCheckpoint { 7 } == 7)
      let error = #expect(throws: Mishap.self) {
        try decoder.withReportingCheckpoint { throw Mishap(description: "mine") }
      }
      #expect(error?.description == "mine")
    }
  }

  @Test func `a checkpoint without a reporter leaves the value as it is`() throws {
    let cards = try Format.json.decode(
      [Card].self, from: "[\(Self.listing), \(Self.experience)]", userInfo: [:])
    #expect(cards == [.listing(tags: [1], price: 5), .experience(hosts: [2])])
  }

  @Test(arguments: [1, 2, 3, 5, 10])
  func `what is beyond the maximum is counted, and taken back, as well`(maximum: Int) throws {
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

  @Test func `errors that are collected are taken back too`() throws {
    let reporter = ResilientDecodingErrorReporter()
    _ = try reporter.collectErrors {
      try JSONDecoder().decode([Card].self, from: Data("[\(Self.experience)]".utf8))
    }
    #expect(reporter.flushReportedErrors()?.paths == ["[0].hosts[0]"])
  }

  @Test func `a decoder with a reporter of its own keeps it within an attempt`() throws {
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
  func `what a throwing call has met within an attempt comes to its decoder's own reporter`(
    attemptFails: Bool
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    let inner = JSONDecoder()
    let own = inner.enableResilientDecodingErrorReporting()
    try report(to: reporter) { decoder in
      try? decoder.withReportingCheckpoint {
        decoder.reportError(Mishap(description: "outer"))
        // It throws because there is no price, behind the error of a tag.
        let listing = try? inner.decode(
          Listing.self, from: Data(#"{"tags": ["x"]}"#.utf8), reportResilientDecodingErrors: true)
        #expect(listing == nil)
        if attemptFails { throw Mishap(description: "failed") }
      }
    }
    #expect(own.flushReportedErrors()?.paths == ["tags[0]"])
    let messages = reporter.flushReportedErrors()?.entries.map(\.message)
    #expect(messages == (attemptFails ? nil : ["outer"]))
  }

  @Test func `what another thread reports at the same time stays`() throws {
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

  @Test func `threads that share a reporter take back their own alone`() throws {
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

/// Tries to be a listing and then to be an experience.
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

/// Decodes within a checkpoint.
private struct Checked<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    value = try decoder.withReportingCheckpoint { try Value(from: decoder) }
  }
}

// Sendable because it is run on the thread that has made it.
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
