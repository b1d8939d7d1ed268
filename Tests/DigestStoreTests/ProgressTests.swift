import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// What is heard of work while it is being done.
struct ProgressTests {
  private struct Stop: Error {}

  /// More digests than are imported in one transaction.
  private static let count = 12_000
  private static let text = ImportTests.lines(count: count)

  @Test func `an import reports the bytes read, then the digests added`() throws {
    let temporary = try TemporaryStore()
    var heard: [DigestReader.Progress] = []
    _ = try temporary.store.importText(Self.text) { heard.append($0) }

    let bytes = heard.prefix { $0.unit == .bytes }
    #expect(bytes.count >= 2)
    #expect(bytes.map(\.done) == bytes.map(\.done).sorted())
    #expect(
      bytes.allSatisfy { $0.total == Self.text.utf8.count && $0.done <= Self.text.utf8.count })
    let digests = heard.dropFirst(bytes.count)
    #expect(digests.allSatisfy { $0.unit == .digests && $0.total == Self.count })
    #expect(digests.first?.done == 0)
    #expect(digests.count >= 3)
    #expect(digests.map(\.done) == digests.map(\.done).sorted())
    #expect(digests.last?.done == Self.count)
  }

  @Test func `an import ends where its closure throws, and the reported digests are in`() throws {
    let temporary = try TemporaryStore()
    var done = 0
    #expect(throws: Stop.self) {
      _ = try temporary.store.importText(Self.text) { progress in
        guard progress.unit == .digests else { return }
        done = progress.done
        if done > 0 { throw Stop() }
      }
    }
    #expect(1..<Self.count ~= done)
    #expect(try temporary.store.soundDigests() == done)
    let summary = try temporary.store.importText(Self.text)
    #expect(summary.added == Self.count - done)
    #expect(summary.known == done)
  }

  @Test(arguments: [DigestReader.Progress.Unit.bytes, .digests])
  func `an import that is ended before its first transaction changes nothing`(
    unit: DigestReader.Progress.Unit
  ) throws {
    let temporary = try TemporaryStore()
    #expect(throws: Stop.self) {
      _ = try temporary.store.importText(Self.text) { if $0.unit == unit { throw Stop() } }
    }
    #expect(try temporary.store.verify().digests == 0)
  }

  @Test func `a check, an export and a prune tell of digests`() throws {
    let temporary = try TemporaryStore(DigestStore.Configuration(maximumAge: .seconds(1)))
    // What is old is to be there until it is pruned.
    temporary.store.maintenance.stop(andWait: true)
    let records = (1...10_000).map { number in
      let day = number <= 6_000 ? 0 : number < 10_000 ? 1 : 2
      return DigestRecord.make(
        id: "d-\(number)", at: Moment(milliseconds: Int64(day) * 24 * Moment.hour))
    }
    try temporary.store.write { _ = try $0.append(records.map(ImportedRecord.digest)) }

    let heard = Locked<[DigestReader.Progress]>([])
    func take() -> [DigestReader.Progress] {
      heard.withLock { heard in
        defer { heard = [] }
        return heard
      }
    }
    _ = try temporary.store.verify { progress in heard.withLock { $0.append(progress) } }
    #expect(take().map(\.done) == [6_000, 9_999, 10_000])

    try temporary.store.exportLines(
      matching: DigestFilter(), progress: { progress in heard.withLock { $0.append(progress) } },
      to: { _ in })
    let exported = take()
    #expect(exported.count > 2)
    #expect(exported.allSatisfy { $0.total == 10_000 })
    #expect(exported.map(\.done) == exported.map(\.done).sorted())
    #expect(exported.last?.done == 10_000)

    let summary = try temporary.store.prune { progress in heard.withLock { $0.append(progress) } }
    let pruned = take()
    #expect(pruned.count > 2)
    #expect(pruned.allSatisfy { $0.total == nil })
    #expect(pruned.map(\.done) == pruned.map(\.done).sorted())
    #expect(pruned.last?.done == summary.digests)
  }
}
