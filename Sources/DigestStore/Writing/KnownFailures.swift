import ResilientDecoding

/// The failures that the file is known to have, shared by all threads. With them, most digests can
/// be encoded before the thread has its turn to write.
///
/// The file never forgets an id, so the ids stay valid whichever process writes. A new generation,
/// in which nothing is known, begins with another file, after a rollback and after samples were
/// cleared.
final class KnownFailures: Sendable {
  /// What a committed digest has added.
  struct News {
    let record: DigestRecord
    let model: NameTable.Name
    let release: NameTable.Name

    /// The failures of its entries; nil for an entry that is counted as an overflow.
    var failures: [FailureSample?] = []
  }

  fileprivate struct State {
    var generation = 1
    var models: [BinaryString: Model] = [:]
    var releases: [BinaryString: Int64] = [:]
    var failureCount = 0
  }

  fileprivate struct Model {
    let id: Int64
    var failures: [FailureIdentity: FailureSample] = [:]
  }

  /// The most failures, models and releases to remember, each. The file may have more.
  fileprivate static let maximum = 20_000

  private let limit: ValueLimit
  private let state = Locked(State())

  init(maximumValueLength: Int) {
    limit = ValueLimit(maximumValueLength)
  }

  /// A number that changes with the file and with each rollback or clearing of samples.
  var generation: Int { state.withLock { $0.generation } }

  /// The number of models, releases and failures remembered.
  var count: Int {
    state.withLock { $0.models.count + $0.releases.count + $0.failureCount }
  }

  /// Encodes a digest, or returns nil unless everything in it is known.
  func encode(_ record: DigestRecord) -> EncodedDigest? {
    guard record.omissions.isEmpty, record.isShort(limit) else { return nil }
    let identities = record.entries.map(FailureIdentity.init)
    let found = state.withLock { state -> (Int, Int64, Int64, [FailureSample])? in
      guard let model = state.models[BinaryString(record.model)] else { return nil }
      let release = record.release.map { state.releases[BinaryString($0)] } ?? 0
      guard let release else { return nil }
      var failures: [FailureSample] = []
      failures.reserveCapacity(identities.count)
      for identity in identities {
        guard let failure = model.failures[identity] else { return nil }
        failures.append(failure)
      }
      return (state.generation, model.id, release, failures)
    }
    guard let (generation, model, release, failures) = found else { return nil }
    var entries = JSONList()
    for (entry, failure) in zip(record.entries, failures) {
      guard !failure.wants(entry.found) else { return nil }
      entries.add(entry, failure, limit)
    }
    return EncodedDigest(
      model: model,
      release: release,
      entries: entries.text,
      omissions: nil,
      generation: generation
    )
  }

  /// Remembers what was committed.
  func learn(_ news: [News]) {
    state.withLock { state in
      for news in news { state.learn(news, limit) }
    }
  }

  /// Begins a new generation.
  func forget() {
    state.withLock { $0 = State(generation: $0.generation + 1) }
  }

  /// Locks the state around a fork.
  func beginFork() {
    state.lock { _ in }
  }

  func endFork() {
    state.unlock()
  }
}

extension KnownFailures.State {
  fileprivate mutating func learn(_ news: KnownFailures.News, _ limit: ValueLimit) {
    let record = news.record
    // Skips texts that the file truncates, and names that it counts as an overflow.
    guard limit.leaves(record.model), record.release.map(limit.leaves) != false else { return }
    if let release = record.release, news.release.isItself, releases.count < KnownFailures.maximum {
      releases[BinaryString(release)] = news.release.id
    }
    let name = BinaryString(record.model)
    guard news.model.isItself, models[name] != nil || models.count < KnownFailures.maximum else {
      return
    }
    var model = models.removeValue(forKey: name) ?? .init(id: news.model.id)
    defer { models[name] = model }
    for case (let entry, let failure?) in zip(record.entries, news.failures) {
      let identity = FailureIdentity(entry.withoutDictionaryKeys)
      guard identity.isLeft(by: limit), failureCount < KnownFailures.maximum else { continue }
      if model.failures.updateValue(failure, forKey: identity) == nil { failureCount += 1 }
    }
  }
}
