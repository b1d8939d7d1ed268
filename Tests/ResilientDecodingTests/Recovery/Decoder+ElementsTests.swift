import ResilientDecoding
import Testing

/// The walk over an array, whatever a decoder does about its position.
struct DecoderElementsTests {
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
        Report("[1]", pattern: "[]", .typeMismatch, expecting: "Int"),
        Report("[2]", pattern: "[]", .valueNotFound, expecting: "Int"),
        Report("[3]", pattern: "[]", .valueNotFound, expecting: "Int"),
        Report("[5]", pattern: "[]", .typeMismatch, expecting: "Int"),
        Report("[7]", pattern: "[]", .typeMismatch, expecting: "Int"),
      ]
    )
    #expect(decoder.log.attempts == Dictionary(uniqueKeysWithValues: (0...7).map { ($0, 1) }))
  }

  @Test(arguments: [FakeDecoder.Manner.stuckOnFailure, .stuck])
  func `it ends at an element that the decoder cannot get past`(
    manner: FakeDecoder.Manner
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    let decoder = FakeDecoder(["bad", 2, 3], manner, reporter: reporter)
    let array = try Resilient<[Int]>(from: decoder)
    #expect(array.wrappedValue.isEmpty)
    #expect(
      reporter.flushReportedErrors()?.reports == [
        Report("[0]", pattern: "[]", .typeMismatch, expecting: "Int")
      ]
    )
    #expect(decoder.log.attempts == [0: 1])
  }

  @Test func `it ends behind what it has when the decoder gets stuck later`() throws {
    let reporter = ResilientDecodingErrorReporter()
    let decoder = FakeDecoder([1, 2, "bad", 4], .stuckOnFailure, reporter: reporter)
    let array = try Resilient<[Int]>(from: decoder)
    #expect(array.wrappedValue == [1, 2])
    #expect(reporter.flushReportedErrors()?.paths == ["[2]"])
    #expect(decoder.log.attempts == [0: 1, 1: 1, 2: 1])
  }

  @Test func `it does not decode an element twice when the decoder never moves`() throws {
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

  @Test func `no path is asked for when nobody listens`() throws {
    let decoder = FakeDecoder(Self.elements)
    let array = try Resilient<[Int]>(from: decoder)
    #expect(array.wrappedValue == [1, 5, 7])
    #expect(decoder.log.codingPathReads == 0)
    #expect(decoder.log.superDecoders == 0)
  }
}
