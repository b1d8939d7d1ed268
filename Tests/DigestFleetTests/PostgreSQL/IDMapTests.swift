import Testing

@testable import DigestFleet

struct IDMapTests {
  @Test(arguments: [[], [(1, 7), (3, 9)], [(1, 7), (3, 9), (1 << 60, 11)]] as [[(Int64, Int64)]])
  func `a key has its value, and any other has 0`(pairs: [(Int64, Int64)]) {
    let map = IDMap(pairs)
    for (key, value) in pairs { #expect(map[key] == value) }
    for key in [Int64.min, -1, 0, 2, 4, .max] { #expect(map[key] == 0) }
  }

  @Test func `ids have their positions`() {
    let map = IDMap(positionsOf: [5, 9, 2])
    #expect([5, 9, 2, 1].map { map[$0] } == [1, 2, 3, 0])
  }
}
