import Testing

@testable import DigestStore

struct CheckpointScheduleTests {
  private static let pageSize = 4_096

  /// The lengths of a growing log at which a checkpoint is due.
  private static func due(in pages: ClosedRange<Int>, free: @escaping () -> Int) -> [Int] {
    var schedule = CheckpointSchedule(pageSize: pageSize, freeSpace: free)
    return pages.filter { schedule.isDue(pages: $0) }
  }

  @Test(arguments: [
    (free: 1 << 40, first: 768), (12 << 20, 768), (8 << 20, 512), (2_000_000, 122), (500_000, 30),
    (0, 1),
  ])
  func `the log is copied when it is as long as a quarter of the free space`(
    free: Int, first: Int
  ) {
    #expect(Self.due(in: 0...1_000, free: { free }).first == first)
  }

  @Test func `a log that cannot be copied is tried again when it has grown as much again`() {
    #expect(Self.due(in: 0...2_400, free: { 1 << 40 }) == [768, 1_536, 2_304])
  }

  @Test func `the free space is looked at each 64 pages, and when the log restarts`() {
    var looks = 0
    var schedule = CheckpointSchedule(pageSize: Self.pageSize) {
      looks += 1
      return 1 << 40
    }
    for pages in 1...640 { _ = schedule.isDue(pages: pages) }
    #expect(looks == 10)
    _ = schedule.isDue(pages: 1)
    #expect(looks == 11)
  }

  @Test func `a log that restarts is copied when it is as long again`() {
    var schedule = CheckpointSchedule(pageSize: Self.pageSize, freeSpace: { 1 << 40 })
    #expect((1...800).filter { schedule.isDue(pages: $0) } == [768])
    #expect((1...800).filter { schedule.isDue(pages: $0) } == [768])
  }
}
