import CoreMetrics
import DigestStore
import Foundation
import MetricsTestKit
import RecipesMetrics
import ResilientDecoding
import TestSupport
import Testing

private enum Kind: String, ResilientRawRepresentable { case house, cabin }

private struct Item: Decodable {
  @Resilient var kind: Kind?
  @Resilient var price: Double?
}

private struct Listing: Decodable { @Resilient var items: [Item] }

struct ErrorCountersTests {
  private let folder = TemporaryFolder()
  private let metrics = TestMetrics()

  private func counter(_ kind: String) throws -> TestCounter {
    try metrics.expectCounter(
      "decoding_errors", [("model", "RecipesMetricsTests.Listing"), ("kind", kind)])
  }

  @Test func `a digest adds one sum for each kind`() throws {
    let store = try folder.makeStore()
    let counters = ErrorCounters(factory: metrics)
    let data = Data(
      #"{"items": [{"kind": "villa"}, {"kind": "yurt"}, {"kind": "yurt", "price": "ask us"}]}"#.utf8
    )
    for _ in 1...2 {
      _ = try JSONDecoder().decode(
        Listing.self, from: data, recordingTo: store, countingIn: counters)
    }

    #expect(try counter("unknownNovelValue").values == [3, 3])
    #expect(try counter("typeMismatch").values == [1, 1])
    #expect(try store.failures().map(\.occurrences).reduce(0, +) == 8)
  }

  @Test func `no value and no path becomes a dimension`() throws {
    let store = try folder.makeStore()
    let counters = ErrorCounters(factory: metrics)
    for number in 1...100 {
      let data = Data(#"{"items": [{"kind": "value \#(number)"}]}"#.utf8)
      _ = try JSONDecoder().decode(
        Listing.self, from: data, recordingTo: store, countingIn: counters)
    }

    #expect(metrics.counters.count == 1)
    #expect(try counter("unknownNovelValue").totalValue == 100)
  }

  @Test func `errors that a full reporter only counted are added`() throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 1)
    let data = Data(#"{"items": [{"kind": "a"}, {"kind": "b"}, {"price": "c"}]}"#.utf8)
    _ = try reporter.collectErrors { try JSONDecoder().decode(Listing.self, from: data) }
    let digest = try #require(reporter.flushReportedErrors())
    #expect(digest.entries.count == 1)

    ErrorCounters(factory: metrics).add(digest, decoding: Listing.self)
    #expect(try counter("unknownNovelValue").values == [2])
    #expect(try counter("typeMismatch").values == [1])
  }

  @Test func `a clean decode adds nothing`() throws {
    let counters = ErrorCounters(factory: metrics)
    _ = try JSONDecoder().decode(
      Listing.self, from: Data(#"{"items": [{"kind": "house"}]}"#.utf8),
      recordingTo: folder.makeStore(),
      countingIn: counters)
    #expect(metrics.counters.isEmpty)
  }
}
