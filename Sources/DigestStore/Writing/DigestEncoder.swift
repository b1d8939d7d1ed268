import ResilientDecoding

/// A digest in the format of the file.
struct EncodedDigest: Sendable {
  let model: Int64
  let release: Int64
  let entries: String

  /// Nil if there are none.
  let omissions: String?

  /// The generation of ``KnownFailures`` that the ids belong to.
  var generation = 0
}

/// Encodes digests for the file, and adds new models, releases and failures.
final class DigestEncoder {
  private let names: NameTable
  private let limit: ValueLimit
  private let known: KnownFailures

  /// What the digests encoded since the last commit added.
  private var news: [KnownFailures.News] = []

  init(
    _ connection: Connection,
    _ configuration: DigestStore.Configuration,
    _ known: KnownFailures
  ) throws {
    names = try NameTable(connection, Cardinality.Limits(configuration))
    limit = ValueLimit(configuration.maximumValueLength)
    self.known = known
  }

  /// Encodes a digest. Must run inside a transaction.
  func encode(_ record: DigestRecord) throws -> EncodedDigest {
    let record = record.bounded(by: limit)
    let model = try names.model(limit.cut(record.model))
    let release = try names.release(record.release.map(limit.cut))
    var learned = KnownFailures.News(record: record, model: model, release: release)
    var entries = JSONList()
    var source = NameTable.Source(recordedAt: record.recordedAt)
    for entry in record.entries {
      let admitted = try names.admit(entry.cut(to: limit), model: model.id, of: source)
      entries.add(admitted.record, at: admitted.path, admitted.failure)
      learned.failures.append(admitted.isItself ? admitted.failure : nil)
    }
    var omissions = JSONList()
    source.isCounted = true
    for (failure, count) in record.omissions {
      let admitted = try names.admit(failure.cut(to: limit), model: model.id, of: source)
      omissions.add(admitted.record, count: count, admitted.failure)
    }
    news.append(learned)
    return EncodedDigest(
      model: model.id,
      release: release.id,
      entries: entries.text,
      omissions: omissions.isEmpty ? nil : omissions.text
    )
  }

  /// Passes what was added to ``KnownFailures``. Call it once the transaction is committed.
  func publish() {
    guard !news.isEmpty else { return }
    known.learn(news)
    news = []
  }

  /// Forgets which fields entries may omit, after some samples were cleared.
  func forgetSamples() {
    names.forgetSamples()
    known.forget()
  }

  /// Forgets all ids, after the rollback of a transaction that may have added some.
  func forget() {
    news = []
    names.forget()
    known.forget()
  }
}
