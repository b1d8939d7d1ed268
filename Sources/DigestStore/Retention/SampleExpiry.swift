/// Clears the samples of failures (message and found value) once they are as old as expired
/// digests.
///
/// Most digests omit fields that equal the sample, so a sample has to stay as long as one of these
/// digests does. The counts of all time store when the newest of them was recorded. A round checks
/// all failures, some at a time. A busy store begins rounds about as often as an idle one.
final class SampleExpiry {
  /// A failure whose sample may be cleared.
  private struct Candidate {
    let failure: Int64
    let parts: EntryReader.OmittedFields
  }

  /// The largest number of failures that a step clears.
  private let maximumFailures: Int

  /// The shortest time from one round to the next, in milliseconds.
  private let interval: Int64

  /// The last failure that this round has checked; nil between rounds.
  private var position: Int64?

  /// The cutoff of the last complete round.
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
    // Half the eviction interval, so that an idle store that checks a little early need not wait
    // for its next check.
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

  /// Checks some failures. Runs in a transaction of the caller.
  ///
  /// A digest that relies on a sample is in one of two places. Folded digests up to `last` were all
  /// recorded at or after the cutoff, and the counts of all time include when they used the sample.
  /// All later digests were folded since or not at all, by this process or another one. This method
  /// reads them while no one else can write, and keeps the samples that they rely on for now.
  ///
  /// - Parameters:
  ///   - cutoff: samples last used before this time are cleared.
  ///   - last: the id up to which all digests from before the cutoff are deleted.
  /// - Returns: whether there is more to do.
  func step(before cutoff: Moment, behind last: Int64) throws -> Bool {
    guard position != nil || isDue(at: cutoff) else { return false }
    let (candidates, end) = try candidates(before: cutoff)
    // If these are too many to read now, fewer will be left once more are folded.
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

  /// Makes the next step begin a new round. Required after a rollback, and allowed at any time.
  func forget() {
    position = nil
    lastRound = nil
  }

  private func isDue(at cutoff: Moment) -> Bool {
    guard let lastRound else { return true }
    // If the clock went back, the last round's time means nothing.
    return cutoff < lastRound || cutoff.milliseconds - lastRound.milliseconds >= interval
  }

  /// Finds the next failures with a message or found value that was last used before the cutoff.
  ///
  /// - Returns: the failures, and the last failure checked; nil at the end.
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
      var parts: EntryReader.OmittedFields = []
      if isOld(findUses.integer(at: 1)) { parts.insert(.message) }
      if isOld(findUses.integer(at: 2)) { parts.insert(.found) }
      if !parts.isEmpty { candidates.append(Candidate(failure: end, parts: parts)) }
    }
    let isAtEnd = scanned < Evictor.maximumScanned && candidates.count < maximumFailures
    return (candidates, isAtEnd ? nil : end)
  }

  /// Returns the samples that the digests after an id rely on; nil if there are too many digests.
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

  /// Clears some found values that no digest relies on.
  ///
  /// - Returns: how many.
  private func clearFoundApart(before cutoff: Moment) throws -> Int {
    var cleared = 0
    try clearFoundApart.bind(cutoff.milliseconds, at: 1)
    while try clearFoundApart.step() { cleared += 1 }
    return cleared
  }

  /// Clears the expired parts of a failure's sample, except those still in use.
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
