import DigestStore
import Foundation

/// Records what a store does to its files, and cuts the power at random instants of it.
final class PowerCuts {
  private static let cutsOfARecording = 60

  private var random: SeededGenerator
  private var cuts = 0
  private var recordings = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
  }

  var summary: String {
    "\(cuts) cuts in \(recordings) recordings, a sound store each time"
  }

  func run(until end: ContinuousClock.Instant) throws {
    // Each durability has its turn, however short the time is.
    for durability in sequence(
      state: false,
      next: { powerLoss in
        powerLoss.toggle()
        return powerLoss ? DigestStore.Durability.powerLoss : .processCrash
      }) where recordings < 2 || .now < end
    {
      let recording = try Recording(
        durability: durability,
        threads: .random(in: 1...3, using: &random),
        digests: .random(in: 50...800, using: &random),
        reopens: Bool.random(using: &random))
      recordings += 1
      try cut(recording)
      if .now >= end, recordings >= 2 { return }
    }
  }

  private func cut(_ recording: Recording) throws {
    let instants = (0..<Self.cutsOfARecording)
      .map { _ in Int.random(in: 0...recording.events.count, using: &random) }.sorted()
    var disk = Disk([:])
    var done = 0
    for instant in instants {
      for event in recording.events[done..<instant] { disk.apply(event) }
      done = instant
      let folder = try makeScratchFolder()
      do {
        try check(disk.afterCut(using: &random), of: recording, at: instant, in: folder)
      } catch {
        throw Finding(
          "after \(instant) of \(recording.events.count) events, \(recording.durability): \(error)\n"
            + "kept for a look: \(folder.path)")
      }
      try FileManager.default.removeItem(at: folder)
      cuts += 1
    }
  }

  /// Opens what the disk holds when the power is back.
  private func check(
    _ files: [Int32: Disk.Contents], of recording: Recording, at instant: Int, in folder: URL
  ) throws {
    let path = folder.appending(path: "digests.sqlite").path
    for (number, contents) in files {
      guard let contents else { continue }
      let suffix = recording.suffixes[number] ?? ""
      try Data(contents).write(to: URL(filePath: path + suffix))
    }
    let store = try DigestStore(path: path)
    var acknowledged: [Int: Int] = [:]
    for promise in recording.promises where promise.events <= instant {
      acknowledged[promise.ticket.thread, default: 0] += 1
    }
    let inspection = Inspection(store: store)
    try inspection.checkSoundness()
    try inspection.check(
      worker: 0, acknowledged: acknowledged, threads: recording.threads,
      mayLoseTheEnd: recording.durability == .processCrash)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    guard !names.contains(where: { $0.contains("broken") }) else {
      throw Finding("a store was set aside: \(names.sorted())")
    }
    try Ticket(worker: 1, thread: 0, number: 0).record(in: store)
    try inspection.check(worker: 1, acknowledged: [0: 1], threads: 1)
    try store.close()
  }
}
