import CPowerCut
import DigestStore
import Foundation
import Synchronization

/// All that a store has done to its files, in one order, and what it had promised by when.
struct Recording {
  /// A digest whose flush had returned before the event of this number.
  struct Promise {
    let ticket: Ticket
    let events: Int
  }

  let durability: DigestStore.Durability
  let threads: Int
  let events: [PowerCutEvent]
  /// The ends of paths by the numbers of files: "", "-wal", "-journal".
  let suffixes: [Int32: String]
  let promises: [Promise]

  /// Lets a store of `durability` be made, and some digests be recorded.
  init(
    durability: DigestStore.Durability, threads: Int, digests: Int, reopens: Bool
  ) throws {
    let folder = try makeScratchFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // It is temporary in any case.
    let path = folder.appending(path: "digests.sqlite").path

    guard powercut_start() == SQLITE_OK else { throw Finding("no VFS of ours can be made") }
    defer { powercut_stop() }
    let promises = Mutex<[Promise]>([])
    let failures = Mutex<[String]>([])
    let configuration = DigestStore.Configuration(
      durability: durability,
      onWriteFailure: { failure in failures.withLock { $0.append("\(failure.error)") } })
    for part in 0..<(reopens ? 3 : 1) {
      let store = try DigestStore(path: path, configuration: configuration)
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        let each = digests / threads / (reopens ? 3 : 1)
        for number in part * each..<(part + 1) * each {
          let ticket = Ticket(worker: 0, thread: thread, number: number)
          do { try ticket.record(in: store) } catch {
            failures.withLock { $0.append("\(error)") }
          }
          let events = Int(powercut_count())
          promises.withLock { $0.append(Promise(ticket: ticket, events: events)) }
        }
      }
      try store.close()
    }
    let failed = failures.withLock { $0 }
    guard failed.isEmpty else { throw Finding("recording failed: \(failed[0])") }

    self.durability = durability
    self.threads = threads
    self.promises = promises.withLock { $0 }
    events = (0..<powercut_count()).map(powercut_event)
    suffixes = events.reduce(into: [:]) { suffixes, event in
      guard suffixes[event.file] == nil, let name = powercut_path(event.file) else { return }
      suffixes[event.file] = String(String(cString: name).dropFirst(path.count))
    }
    let main = suffixes.first { $0.value.isEmpty }?.key ?? 0
    var disk = Disk([:])
    for event in events { disk.apply(event) }
    guard disk.afterSync(of: main) == [UInt8](try Data(contentsOf: URL(filePath: path))) else {
      throw Finding("the recording of the power cuts is not complete")
    }
  }
}
