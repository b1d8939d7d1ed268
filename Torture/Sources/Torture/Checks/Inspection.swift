import DigestStore
import Foundation

/// Holds what a store tells of one worker against what it has acknowledged.
struct Inspection {
  let store: DigestReader

  /// Whether digests may be gone, the oldest first; their counts may not.
  var mayEvict = false

  /// Whether no one is evicting now: an export is no snapshot.
  var isQuiet = true

  /// - Parameter acknowledged: of each thread how many digests were committed for sure; one more
  ///   may be, which the thread was about to acknowledge.
  /// - Parameter mayLoseTheEnd: whether the last digests may be gone, without a hole.
  func check(
    worker: Int, acknowledged: [Int: Int], threads: Int, mayLoseTheEnd: Bool = false
  ) throws {
    let present = try tickets(of: worker)
    var values: [String: Int] = [:]
    var decodes = 0..<1
    for thread in 0..<threads {
      let acknowledged = acknowledged[thread] ?? 0
      let numbers = (present[thread] ?? []).sorted()
      let first = mayEvict ? numbers.first ?? 0 : 0
      let last = numbers.last ?? first - 1
      let place = "worker \(worker), thread \(thread)"
      guard mayEvict && !isQuiet || numbers == Array(first..<last + 1) else {
        throw Finding("\(place): a hole in \(numbers.count) digests through \(last)")
      }
      if last + 1 > acknowledged + 1 {
        throw Finding("\(place): \(last + 1) digests, and \(acknowledged) acknowledged")
      }
      if !mayEvict, !mayLoseTheEnd, last + 1 < acknowledged {
        throw Finding("\(place): \(acknowledged) digests acknowledged, \(last + 1) are there")
      }
      for number in 0..<max(last + 1, mayEvict ? acknowledged : 0) {
        let ticket = Ticket(worker: worker, thread: thread, number: number)
        values[ticket.value, default: 0] += 1
        let known = decodes.lowerBound + ticket.cleanDecodes + 1
        decodes = known..<decodes.upperBound + ticket.cleanDecodes + 1
      }
      // The thread was about to record another one, and what others evict may have been committed.
      decodes = decodes.lowerBound..<decodes.upperBound + (mayEvict ? 8 : 3)
    }
    try checkDecodes(of: worker, in: decodes)
    try checkCounts(of: worker, atLeast: values, inFlight: mayEvict ? threads : 0)
  }

  /// Holds the decodes against those that must be known, and those that there can have been.
  private func checkDecodes(of worker: Int, in expected: Range<Int>) throws {
    let filter = DigestFilter(release: Ticket.release(of: worker))
    let decodes = try store.decodeCounts(matching: filter)?.decodes ?? 0
    guard expected.contains(decodes) else {
      throw Finding("worker \(worker): \(decodes) decodes are counted instead of \(expected)")
    }
  }

  /// Checks the file as a whole.
  ///
  /// - Parameter reasons: of losses that the file may count.
  func checkSoundness(expecting reasons: Set<DigestStore.Loss.Reason> = []) throws {
    let verification = try store.verify()
    guard verification.isSound else {
      throw Finding("verify: \(verification.problems.joined(separator: "; "))")
    }
    let lost = try store.losses().filter {
      !reasons.contains($0.reason) && !(mayEvict && $0.reason == "evicted")
    }
    guard lost.isEmpty else { throw Finding("the file counts losses: \(lost)") }
    if isQuiet, !mayEvict { try checkRecount() }
  }

  /// Counts the errors of all digests again.
  private func checkRecount() throws {
    func failure(_ path: String, _ novelValue: String?) -> String {
      "\(path.split(separator: ".").last ?? "") \(novelValue ?? "")"
    }
    var recount: [String: Int] = [:]
    try store.exportOccurrences {
      recount[failure($0.codingPath, $0.novelValue), default: 0] += $0.times
    }
    let counts = try store.failures().reduce(into: [:]) {
      $0[failure($1.codingPath, $1.novelValue), default: 0] += $1.occurrences
    }
    guard counts == recount else { throw Finding("\(counts) are counted instead of \(recount)") }
  }

  /// All digests that are there, of all workers.
  func allTickets() throws -> Set<Ticket> {
    var tickets: Set<Ticket> = []
    try store.exportOccurrences {
      if let ticket = Ticket(path: $0.codingPath) { tickets.insert(ticket) }
    }
    return tickets
  }

  /// The numbers of the digests that are there, by thread; each has to be there once and whole.
  private func tickets(of worker: Int) throws -> [Int: [Int]] {
    var paths: [Ticket: Set<Substring>] = [:]
    try store.exportOccurrences(matching: DigestFilter(release: Ticket.release(of: worker))) {
      guard let ticket = Ticket(path: $0.codingPath), ticket.worker == worker,
        let member = $0.codingPath.split(separator: ".").last,
        member != "kind" || $0.novelValue == ticket.value
      else { throw Finding("an occurrence that no one has recorded: \($0)") }
      guard paths[ticket, default: []].insert(member).inserted else {
        throw Finding("\(ticket) is there twice")
      }
    }
    for (ticket, members) in paths where members.count != Ticket.members.count {
      throw Finding("\(ticket) is there with \(members.sorted()) only")
    }
    return Dictionary(grouping: paths.keys, by: \.thread).mapValues { $0.map(\.number) }
  }

  /// Holds the counts against what is known to have been recorded.
  private func checkCounts(
    of worker: Int, atLeast expected: [String: Int], inFlight: Int
  ) throws {
    let filter = DigestFilter(release: Ticket.release(of: worker))
    let counts = try store.novelValues(matching: filter)
    for count in counts where count.occurrences != count.digests {
      throw Finding("\(count.novelValue ?? "") of worker \(worker) occurs twice in a digest")
    }
    for value in Ticket.values {
      let counted = counts.filter { $0.novelValue == value }.reduce(0) { $0 + $1.occurrences }
      let known = expected[value] ?? 0
      guard (known...known + inFlight).contains(counted) else {
        throw Finding("worker \(worker): \(value) is counted \(counted) times instead of \(known)")
      }
    }
    let occurrences = try store.failures(matching: filter).reduce(0) { $0 + $1.occurrences }
    let digests = counts.reduce(0) { $0 + $1.digests }
    guard occurrences == digests * Ticket.members.count else {
      throw Finding("worker \(worker): \(occurrences) errors in \(digests) digests")
    }
  }
}
