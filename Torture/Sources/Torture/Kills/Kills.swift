import DigestStore
import Foundation

/// Starts and kills workers until time is up.
final class Kills {
  private var random: SeededGenerator
  private var files = 0
  private var killed = 0
  private var digests = 0
  private var evicted = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
  }

  var summary: String {
    "\(killed) processes killed on \(files) files, \(digests) digests acknowledged and found, "
      + "\(evicted) evicted and counted"
  }

  func run(until end: ContinuousClock.Instant) throws {
    while .now < end {
      let file = try TorturedFile()
      do {
        try torture(file)
      } catch {
        file.stop()
        print("kept for a look: \(file.folder.path)")
        throw error
      }
      files += 1
      evicted += file.evicted
      file.delete()
    }
  }

  private func torture(_ file: TorturedFile) throws {
    for role in [Role.write] + (0..<Int.random(in: 1...3, using: &random)).map({ _ in anyRole }) {
      try file.start(role, threads: .random(in: 1...8, using: &random))
    }
    for round in 1...8 {
      let victim = Int.random(in: file.workers.indices, using: &random)
      if file.workers[victim].order.role.records, .random(using: &random) {
        file.workers[victim].waitForWord(atMost: 2_000)
      }
      usleep(UInt32.random(in: 0..<60_000, using: &random))
      digests += try file.kill(at: victim)
      killed += 1
      if round.isMultiple(of: 4) { try file.checkSoundness() }
      // There is always one that writes.
      let role = file.workers.contains { $0.order.role == .write } ? anyRole : .write
      try file.start(role, threads: .random(in: 1...8, using: &random))
    }
    killed += file.workers.count
    digests += try file.killAll()
  }

  private var anyRole: Role { Role.killed.randomElement(using: &random) ?? .write }
}
