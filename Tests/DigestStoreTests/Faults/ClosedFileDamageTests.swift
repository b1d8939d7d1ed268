import Foundation
import Testing

@testable import DigestStore

/// What happens to a file between two runs of an app.
struct ClosedFileDamageTests {
  private let place: FaultyPlace

  init() throws {
    place = try FaultyPlace()
    try place.makeStore()
  }

  @Test(arguments: [
    Damage("cut to half") { try $0.truncate(to: UInt64($0.bytes().count / 2)) },
    Damage("cut to 100 bytes") { try $0.truncate(to: 100) },
    Damage("another beginning") { try $0.overwrite(Data(repeating: 0x58, count: 16), at: 0) },
    Damage("a schema of zeros") { try $0.overwrite(Data(repeating: 0, count: 3_900), at: 100) },
    Damage("noise behind the header") { place in
      var random = SeededGenerator(seed: 1)
      let noise = (100..<(try place.bytes().count)).map { _ in UInt8.random(using: &random) }
      try place.overwrite(Data(noise), at: 100)
    },
    Damage("a version of the format that may only be read") {
      try $0.overwrite(Data([9]), at: 18)
    },
    Damage("an unknown format of the schema") { try $0.overwrite(Data([9]), at: 47) },
    Damage("a column of another name") { place in
      let column = try #require(try place.lastRange(of: "errors TEXT"))
      try place.overwrite(Data("errorz".utf8), at: UInt64(column.lowerBound))
    },
    Damage("a table of another name") { place in
      let name = try #require(try place.lastRange(of: "tabledigestdigest"))
      try place.overwrite(Data("tabledigezt".utf8), at: UInt64(name.lowerBound))
    },
  ])
  func `a broken store is set aside as it is, and a fresh one takes over`(_ damage: Damage) throws {
    try damage.apply(place)
    let contents = try place.bytes()

    let store = try place.open()
    try store.see("yurt", times: 3)

    #expect(try store.count("yurt") == 3)
    #expect(try store.verify().isSound)
    #expect(try place.broken().map { try Data(contentsOf: $0) } == [contents])
    #expect(try store.losses().map(\.reason) == ["quarantined"])
    #expect(place.failures.all.isEmpty)
  }

  @Test(
    arguments: [(Data("XXXXXXXXXXXXXXXX".utf8), 0), (Data([0x13, 0x37]), 16)] as [(Data, UInt64)])
  func `a store whose header is broken is called damaged, with what saves it`(
    bytes: Data, offset: UInt64
  ) throws {
    try place.overwrite(bytes, at: offset)

    expectError(.damaged, ".recover") { try DigestReader(path: place.path) }
    try place.expect(place.open(), toWorkAfter: "a broken header")
    #expect(try place.broken().count == 1)
  }

  @Test func `a store that breaks again and again is set aside each time`() throws {
    for _ in 0..<3 {
      try place.truncate(to: 100)
      let store = try place.open()
      try store.see("yurt")
      try store.close()
    }
    #expect(try place.broken().count == 3)
  }

  @Test func `a file that was emptied is a new store`() throws {
    try place.truncate(to: 0)

    let store = try place.open()

    try store.see("yurt")
    #expect(try store.novelValues().map(\.novelValue) == ["yurt"])
  }

  @Test(arguments: [
    Data("%PDF-1.7 and so on, for longer than the header of a database is long".utf8),
    Data(repeating: 0, count: 8_192),
    Data("SQLite format 3\0".utf8) + Data(repeating: 1, count: 84),
  ])
  func `a file of another program is refused and left as it is`(_ contents: Data) throws {
    try contents.write(to: URL(filePath: place.path))

    expectError(.notAStore) { try place.open() }
    #expect(try place.bytes() == contents)
    #expect(try place.names() == ["digests.sqlite"])
  }

  @Test(arguments: 0..<UInt64(Repetitions.count(20, long: 60)))
  func `a flipped byte stops no process`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let contents = try place.bytes()
    // The header and the schema, where everything hangs on one byte, as often as all the rest.
    let size = seed.isMultiple(of: 2) ? contents.count : seed.isMultiple(of: 3) ? 100 : 4_096
    let flip = try place.flipByte(below: size, using: &random)

    try place.expect(place.open(), toWorkAfter: flip)
  }
}

extension UInt8 {
  fileprivate static func random(using random: inout SeededGenerator) -> UInt8 {
    .random(in: .min ... .max, using: &random)
  }
}
