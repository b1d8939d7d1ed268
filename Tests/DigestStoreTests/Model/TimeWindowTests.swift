import Testing

@testable import DigestStore

struct TimeWindowTests {
  private static let hour = Moment.hour

  private static func moment(_ hours: Int64, _ milliseconds: Int64 = 0) -> Moment {
    Moment(milliseconds: hours * hour + milliseconds)
  }

  @Test func `without ends a window is all time`() {
    let window = TimeWindow(since: nil, until: nil)

    #expect(window.periods() == [TimeWindow.Periods(span: 0, hours: 0..<1)])
    #expect(window.edges == [])
  }

  @Test func `whole days are read as days, the hours beside them as hours, the rest from digests`()
  {
    let window = TimeWindow(since: Self.moment(21, 1), until: Self.moment(74, 5))

    #expect(
      window.periods() == [
        TimeWindow.Periods(span: 1, hours: 22..<24),
        TimeWindow.Periods(span: 24, hours: 24..<72),
        TimeWindow.Periods(span: 1, hours: 72..<74),
      ])
    #expect(
      window.edges == [Self.moment(21, 1)..<Self.moment(22), Self.moment(74)..<Self.moment(74, 5)])
  }

  @Test func `a window within an hour is read from digests alone`() {
    let window = TimeWindow(since: Self.moment(5, 1), until: Self.moment(5, 9))

    #expect(window.periods() == [])
    #expect(window.edges == [Self.moment(5, 1)..<Self.moment(5, 9)])
  }

  @Test func `a window that ends before it begins is empty`() {
    let window = TimeWindow(since: Self.moment(9), until: Self.moment(5))

    #expect(window.periods() == [])
    #expect(window.edges == [])
  }
}
