/// Clears the samples of failures, message and found value, once they are as old as the digests that
/// have to go.
///
/// Most digests leave out what their failure says, so a sample has to stay as long as one of these
/// does. The tallies of all time say when the last one was recorded. A round looks at those of all
/// failures, some at a time; a store that is busy begins rounds about as often as an idle one.
final class SampleExpiry {
  /// A failure of which there may be something to clear.
  private struct Candidate {
    let failure: Int64
    let parts: EntryScanner.LeftOut
  }

  /// How many failures a step clears at most.
  private let maximumFailures: Int

  /// How long after a round no other one begins, in milliseconds.
  private let interval: Int64

  /// The failure up to which this round has come; nil between two rounds.
  private var position: Int64?

  /// The cutoff of the last round that has come to its end.
  private var lastRound: Moment?

  private let findUses: Statement
  private let findTail: Statement
  private let clearMessage: Statement
  private let clearFound: Statement
  private let clearFoundApart: Statement
  private let forgetUses: Statement
  private let advance: Statement

  init(_ connection: Connection, maximumAge: Duration, maximumFailures: Int) throws {
    self.maximumFailures = maximumFailures
    // Half of it, so that an idle store that looks a little early need not wait for its next look.
    interval = Int64(maximumAge.evictionInterval * 500)
    findUses = try Statement(
      connection,
      """
      SELECT failure_id, message_used, found_used FROM lifetime
      WHERE failure_id > ? ORDER BY failure_id LIMIT \(Evictor.maximumScanned)
      """
    )
    findTail = try Statement(
      connection,
      """
      SELECT \(DigestCounts.columns) FROM digest
      WHERE id > ? ORDER BY id LIMIT \(Evictor.maximumScanned)
      """
    )
    clearMessage = try Statement(
      connection, "UPDATE failure SET message = NULL, message_cleared = 1 WHERE id = ?")
    clearFound = try Statement(
      connection,
      """
      UPDATE failure SET found_value = NULL, found_cleared = 1
      WHERE id = ? AND found_default = 1 AND typeof(found_value) = 'text'
      """
    )
    clearFoundApart = try Statement(
      connection,
      """
      UPDATE failure SET found_type = NULL, found_value = NULL, found_at = NULL
      WHERE id IN (SELECT id FROM failure WHERE found_at < ? LIMIT \(maximumFailures))
      RETURNING id
      """
    )
    forgetUses = try Statement(
      connection,
      """
      UPDATE lifetime SET message_used = iif(?2, -1, message_used),
        found_used = iif(?3, -1, found_used)
      WHERE failure_id = ?1
      """
    )
    advance = try Statement(
      connection, "UPDATE store SET sample_generation = sample_generation + 1")
  }

  /// Looks at some failures; part of a transaction.
  ///
  /// A digest that leaves out a sample is in one of two places. Up to `last` there are only folded
  /// ones from the cutoff or after it, so that the tallies of their failures say no less. All others
  /// stand behind: folded since or not at all, by this process or by another one. Those are read
  /// here, while no one else can write, and what they leave out stays for now.
  ///
  /// - Parameters:
  ///   - cutoff: what was used before it only is to go.
  ///   - last: the id up to which no digest from before the cutoff is left.
  /// - Returns: whether there is more to do.
  func step(before cutoff: Moment, behind last: Int64) throws -> Bool {
    guard position != nil || isDue(at: cutoff) else { return false }
    let (candidates, end) = try candidates(before: cutoff)
    // What is too much to be read now is less once it is folded.
    guard let uses = try candidates.isEmpty ? SampleUses() : uses(behind: last) else {
      return false
    }
    for candidate in candidates { try clear(candidate, uses) }
    let apart = try clearFoundApart(before: cutoff)
    if !candidates.isEmpty || apart > 0 { try advance.run() }
    guard end != nil || apart == maximumFailures else {
      position = nil
      lastRound = cutoff
      return false
    }
    position = end ?? .max
    return true
  }

  /// Begins anew with the next step, when one has not been committed after all, or at any time.
  func forget() {
    position = nil
    lastRound = nil
  }

  private func isDue(at cutoff: Moment) -> Bool {
    guard let lastRound else { return true }
    // A clock that goes back says nothing of what it said before.
    return cutoff < lastRound || cutoff.milliseconds - lastRound.milliseconds >= interval
  }

  /// The next failures of which something was used before the cutoff only.
  ///
  /// - Returns: those, and the failure up to which this has come; nil at the end.
  private func candidates(before cutoff: Moment) throws -> ([Candidate], end: Int64?) {
    var candidates: [Candidate] = []
    var end = position ?? 0
    var scanned = 0
    let isOld = { (used: Int64) in used >= 0 && used < cutoff.milliseconds }
    try findUses.bind(end, at: 1)
    defer { findUses.reset() }
    while candidates.count < maximumFailures, try findUses.step() {
      end = findUses.integer(at: 0)
      scanned += 1
      var parts: EntryScanner.LeftOut = []
      if isOld(findUses.integer(at: 1)) { parts.insert(.message) }
      if isOld(findUses.integer(at: 2)) { parts.insert(.found) }
      if !parts.isEmpty { candidates.append(Candidate(failure: end, parts: parts)) }
    }
    let isAtEnd = scanned < Evictor.maximumScanned && candidates.count < maximumFailures
    return (candidates, isAtEnd ? nil : end)
  }

  /// What the digests behind an id leave out; nil where they are too many.
  private func uses(behind last: Int64) throws -> SampleUses? {
    var uses = SampleUses()
    var counts = DigestCounts()
    let known = FailureValues()
    var digests = 0
    try findTail.bind(last, at: 1)
    while try findTail.step() {
      digests += 1
      _ = counts.read(findTail, known)
      uses.add(counts, recordedAt: findTail.integer(at: 0))
    }
    return digests < Evictor.maximumScanned ? uses : nil
  }

  /// Clears some of what was found that no digest leaves out.
  ///
  /// - Returns: how much.
  private func clearFoundApart(before cutoff: Moment) throws -> Int {
    var cleared = 0
    try clearFoundApart.bind(cutoff.milliseconds, at: 1)
    while try clearFoundApart.step() { cleared += 1 }
    return cleared
  }

  /// Clears what is old of a failure, but for what is still used.
  private func clear(_ candidate: Candidate, _ uses: SampleUses) throws {
    let use = uses[candidate.failure]
    let id = SQLiteValue.integer(candidate.failure)
    let isMessageOld = candidate.parts.contains(.message) && use.message < 0
    let isFoundOld = candidate.parts.contains(.found) && use.found < 0
    if isMessageOld { try clearMessage.run([id]) }
    if isFoundOld { try clearFound.run([id]) }
    try forgetUses.run([id, .integer(isMessageOld ? 1 : 0), .integer(isFoundOld ? 1 : 0)])
  }
}
