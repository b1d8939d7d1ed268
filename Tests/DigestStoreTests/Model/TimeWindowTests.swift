import Testing

@testable import DigestStore

struct TimeWindowTests {
  private static func moment(_ hours: Int64, _ milliseconds: Int64 = 0) -> Moment {
    Moment(milliseconds: hours * Moment.hour + milliseconds)
  }

  @Test(
    arguments: [
      // All time; whole days, hours beside them, and digests; digests alone; nothing.
      (TimeWindow(since: nil, until: nil), ["0: 0..<1"], []),
      (
        TimeWindow(since: moment(21, 1), until: moment(74, 5)),
        ["1: 22..<24", "24: 24..<72", "1: 72..<74"],
        [moment(21, 1)..<moment(22), moment(74)..<moment(74, 5)]
      ),
      (TimeWindow(since: moment(5, 1), until: moment(5, 9)), [], [moment(5, 1)..<moment(5, 9)]),
      (TimeWindow(since: moment(9), until: moment(5)), [], []),
    ] as [(TimeWindow, [String], [Range<Moment>])])
  func `a window is read from the longest periods that it has`(
    window: TimeWindow, periods: [String], edges: [Range<Moment>]
  ) {
    #expect(window.periods().map { "\($0.span): \($0.hours)" } == periods)
    #expect(window.edges == edges)
  }
}
