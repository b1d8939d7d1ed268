import ResilientDecoding
import Testing

/// The walk over an array, with decoders that advance in different ways.
struct RecoverableArrayElementsTests {
  private static let elements: [(any Sendable)?] = [1, "bad", nil, nil, 5, true, 7, "last"]

  @Test(arguments: [
    FakeDecoder.Manner.advancesOnFailure, .staysOnFailure, .refusesNull, .movesBySuperDecoder,
  ])
  func `each bad element is reported once and the rest is kept`(
    manner: FakeDecoder.Manner
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    let decoder = FakeDecoder(Self.elements, manner, reporter: reporter)
    let array = try Resilient<[Int]>(from: decoder)
    #expect(array.wrappedValue == [1, 5, 7])
    #expect(
      reporter.flushReportedErrors()?.reports == [
        "[1]: typeMismatch Int",
        "[2]: valueNotFound Int",
        "[3]: valueNotFound Int",
        "[5]: typeMismatch Int",
        "[7]: typeMismatch Int",
      ]
    )
    #expect(decoder.log.attempts == Dictionary(uniqueKeysWithValues: (0...7).map { ($0, 1) }))
  }

  @Test(arguments: [FakeDecoder.Manner.stuckOnFailure, .stuck])
  func `it stops at an element that the decoder cannot skip`(
    manner: FakeDecoder.Manner
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    let decoder = FakeDecoder(["bad", 2, 3], manner, reporter: reporter)
    let array = try Resilient<[Int]>(from: decoder)
    #expect(array.wrappedValue.isEmpty)
    #expect(
      reporter.flushReportedErrors()?.reports == [
        "[0]: typeMismatch Int"
      ]
    )
    #expect(decoder.log.attempts == [0: 1])
  }

  @Test func `it keeps the elements before the one at which the decoder is stuck`() throws {
    let reporter = ResilientDecodingErrorReporter()
    let decoder = FakeDecoder([1, 2, "bad", 4], .stuckOnFailure, reporter: reporter)
    let array = try Resilient<[Int]>(from: decoder)
    #expect(array.wrappedValue == [1, 2])
    #expect(reporter.flushReportedErrors()?.paths == ["[2]"])
    #expect(decoder.log.attempts == [0: 1, 1: 1, 2: 1])
  }

  @Test func `it does not decode an element twice if the decoder never advances`() throws {
    let reporter = ResilientDecodingErrorReporter()
    let decoder = FakeDecoder([1, 2], .stuck, reporter: reporter)
    let array = try Resilient<[Int]>(from: decoder)
    #expect(array.wrappedValue.count <= 1)
    #expect(reporter.flushReportedErrors()?.entries.count == 1)
    #expect(decoder.log.attempts == [0: 1])
  }

  @Test(arguments: FakeDecoder.Manner.allCases.filter { $0 != .stuck })
  func `good elements are decoded once and without a super decoder`(
    manner: FakeDecoder.Manner
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    let decoder = FakeDecoder([1, 2, 3], manner, reporter: reporter)
    let array = try Resilient<[Int]>(from: decoder)
    #expect(array.wrappedValue == [1, 2, 3])
    #expect(reporter.flushReportedErrors() == nil)
    #expect(decoder.log.attempts == [0: 1, 1: 1, 2: 1])
    #expect(decoder.log.superDecoders == 0)
    #expect(decoder.log.codingPathReads == 0)
  }

  @Test func `without a reporter, no path is read`() throws {
    let decoder = FakeDecoder(Self.elements)
    let array = try Resilient<[Int]>(from: decoder)
    #expect(array.wrappedValue == [1, 5, 7])
    #expect(decoder.log.codingPathReads == 0)
    #expect(decoder.log.superDecoders == 0)
  }
}
