import Foundation
import Testing

@testable import DigestStore
@testable import DigestStoreTests

/// A disk that is full for a while, or may not be written.
@Suite(.enabled(if: SmallDisk.isAvailable))
struct DiskFaultTests {
  private let disk: SmallDisk
  private let place: FaultyPlace

  init() throws {
    disk = try SmallDisk()
    place = try FaultyPlace(in: disk.folder)
  }

  @Test func `a disk that was full is written again, and the file says what it has missed`() throws
  {
    let store = try place.open()
    try store.see("villa", times: 50)
    var met = 0
    for _ in 0..<3 {
      try disk.fill()
      // Until what SQLite has reserved is used up too.
      let before = place.failures.all.count
      while place.failures.all.count < before + 20 {
        try store.see("tent")
        met += 1
      }
      try disk.empty()
      try store.see("yurt", times: 10)
    }

    #expect(Set(place.failures.all.map(\.error.code)) == [.diskFull])
    #expect(try store.count("villa") == 50)
    #expect(try store.count("yurt") == 30)
    #expect(try store.count("tent") == met - place.failures.all.count)
    let losses = try store.losses()
    #expect(Set(losses.map(\.reason)) == ["failed write"])
    #expect(losses.reduce(0) { $0 + $1.digests } == place.failures.all.count)
    #expect(try store.verify().isSound)
    #expect(try place.broken().isEmpty)
  }

  @Test func `a store opened on a full disk records when there is space`() throws {
    try disk.fill()
    let store = try place.open()
    try store.see("tent")
    #expect(place.failures.all.map(\.error.code) == [.diskFull])

    try disk.empty()
    try store.see("villa")

    #expect(try store.count("villa") == 1)
    #expect(try store.losses().map(\.reason) == ["failed write"])
    #expect(try store.verify().isSound)
  }

  @Test func `a store that is closed on a full disk is sound when it is opened`() throws {
    let store = try place.open()
    while place.failures.all.isEmpty {
      if try !place.names().contains("filler") {
        try store.see("villa", times: 50)
        try disk.fill()
      }
      try store.see("tent")
    }
    // If a checkpoint has made room, closing records the loss.
    let closing = Result { try store.close() }
    try disk.empty()

    let next = try place.open()

    if case .success = closing { #expect(try next.losses().map(\.reason) == ["failed write"]) }
    #expect(try next.count("villa") == 50)
    #expect(try next.verify().isSound)
  }

  @Test func `what fits on a small disk is stored`() throws {
    let disk = try SmallDisk(megabytes: 3)
    let small = try FaultyPlace(in: disk.folder)
    let store = try small.open()
    for _ in 0..<3_000 { try store.decodeListing() }
    #expect(small.failures.all.isEmpty)
    #expect(try store.verify().digests == 3_000)
    try store.close()
  }

  @Test func `a store that has grown uses the rest of a disk`() throws {
    let store = try place.open()
    try store.see("villa", times: 5_000)
    try store.close()
    try disk.fill(leaving: 500_000)
    let next = try place.open()
    try next.see("tent", times: 1_000)
    #expect(place.failures.all.isEmpty)
    #expect(try next.count("tent") == 1_000)
    try next.close()
  }

  @Test func `a store in a directory that may not be written is refused, read and kept`() throws {
    let store = try place.open()
    try store.see("villa", times: 50)
    try store.close()
    let contents = try place.bytes()
    try disk.makeReadOnly(true)

    let error = #expect(throws: DigestStoreError.self) { try place.open() }
    #expect(error?.description.contains("the permissions of file and directory") == true)
    #expect(try DigestReader(path: place.path).count("villa") == 50)
    #expect(try place.bytes() == contents)

    try disk.makeReadOnly(false)
    let next = try place.open()
    try next.see("yurt")
    #expect(try next.count("yurt") == 1)
  }
}
