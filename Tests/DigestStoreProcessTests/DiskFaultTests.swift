import Foundation
import Testing

@testable import DigestStore
@testable import DigestStoreTests

/// A disk that is full for a while, or may not be written.
@Suite(.enabled(if: SmallDisk.isAvailable))
struct DiskFaultTests {
  private let disk: SmallDisk
  private let path: String
  private let failures = FailureLog()

  init() throws {
    disk = try SmallDisk()
    path = disk.folder.url.appending(path: "digests.sqlite").path
  }

  private func open() throws -> DigestStore {
    let failures = failures
    return try DigestStore(
      path: path,
      configuration: DigestStore.Configuration(onWriteFailure: { failures.append($0) }))
  }

  @Test func `a disk that was full is written again, and the file says what it has missed`() throws
  {
    let store = try open()
    try store.see("villa", times: 50)
    var met = 0
    for _ in 0..<3 {
      try disk.fill()
      // Until what SQLite has reserved is used up too.
      let before = failures.all.count
      while failures.all.count < before + 20 {
        try store.see("tent")
        met += 1
      }
      try disk.empty()
      try store.see("yurt", times: 10)
    }

    #expect(Set(failures.all.map(\.error.code)) == [.diskFull])
    #expect(try store.count("villa") == 50)
    #expect(try store.count("yurt") == 30)
    #expect(try store.count("tent") == met - failures.all.count)
    let losses = try store.losses()
    #expect(Set(losses.map(\.reason)) == ["failed write"])
    #expect(losses.reduce(0) { $0 + $1.digests } == failures.all.count)
    #expect(try store.verify().isSound)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk.folder.url.path)
        .allSatisfy { !$0.contains("broken") })
  }

  @Test func `a store opened on a full disk records when there is space`() throws {
    try disk.fill()
    let store = try open()
    try store.see("tent")
    #expect(failures.all.map(\.error.code) == [.diskFull])

    try disk.empty()
    try store.see("villa")

    #expect(try store.count("villa") == 1)
    #expect(try store.losses().map(\.reason) == ["failed write"])
    #expect(try store.verify().isSound)
  }

  @Test func `a store that is closed on a full disk is sound when it is opened`() throws {
    let store = try open()
    while failures.all.isEmpty {
      if try FileManager.default.contentsOfDirectory(atPath: disk.folder.url.path)
        .contains("filler") == false
      {
        try store.see("villa", times: 50)
        try disk.fill()
      }
      try store.see("tent")
    }
    // If a checkpoint has made room, closing records the loss.
    let closing = Result { try store.close() }
    try disk.empty()

    let next = try open()

    if case .success = closing { #expect(try next.losses().map(\.reason) == ["failed write"]) }
    #expect(try next.count("villa") == 50)
    #expect(try next.verify().isSound)
  }

  @Test func `what fits on a small disk is stored`() throws {
    let small = try SmallDisk(megabytes: 3)
    let temporary = FailureLog()
    let store = try DigestStore(
      path: small.folder.url.appending(path: "digests.sqlite").path,
      configuration: DigestStore.Configuration(onWriteFailure: { temporary.append($0) }))
    for _ in 0..<3_000 {
      _ = try JSONDecoder().decode(Listing.self, from: Listing.drifted, recordingTo: store)
    }
    #expect(temporary.all.isEmpty)
    #expect(try store.verify().digests == 3_000)
    try store.close()
  }

  @Test func `a store that has grown uses the rest of a disk`() throws {
    let store = try open()
    try store.see("villa", times: 5_000)
    try store.close()
    try disk.fill(leaving: 500_000)
    let next = try open()
    try next.see("tent", times: 1_000)
    #expect(failures.all.isEmpty)
    #expect(try next.count("tent") == 1_000)
    try next.close()
  }

  @Test func `a store in a directory that may not be written is refused, read and kept`() throws {
    let store = try open()
    try store.see("villa", times: 50)
    try store.close()
    let contents = try Data(contentsOf: URL(filePath: path))
    try disk.makeReadOnly(true)

    let error = #expect(throws: DigestStoreError.self) { try open() }
    #expect(error?.description.contains("the permissions of file and directory") == true)
    #expect(try DigestReader(path: path).count("villa") == 50)
    #expect(try Data(contentsOf: URL(filePath: path)) == contents)

    try disk.makeReadOnly(false)
    let next = try open()
    try next.see("yurt")
    #expect(try next.count("yurt") == 1)
  }
}
