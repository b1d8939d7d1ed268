import ResilientDecoding

/// A digest in the format of the file.
struct EncodedDigest {
  let model: Int64
  let release: Int64
  let entries: String

  /// Nil if there are none.
  let omissions: String?
}

/// Encodes digests for the file, and adds new models, releases and failures.
final class DigestEncoder {
  private let names: NameTable
  private let limit: ValueLimit

  init(_ connection: Connection, _ configuration: DigestStore.Configuration) throws {
    names = try NameTable(connection, configuration)
    limit = ValueLimit(configuration.maximumValueLength)
  }

  /// Encodes a digest. Must run inside a transaction.
  func encode(_ record: DigestRecord) throws -> EncodedDigest {
    let record = record.bounded(by: limit)
    let model = try names.model(record.model)
    let release = try names.release(record.release)
    var entries = JSONList(count: record.entries.count)
    var source = NameTable.Source(recordedAt: record.recordedAt)
    for entry in record.entries {
      let admitted = try names.admit(entry, model: model, of: source)
      entries.add(admitted.record, admitted.failure, limit)
    }
    var omissions = JSONList(count: record.omissions.count)
    source.isCounted = true
    for (failure, count) in record.omissions {
      let admitted = try names.admit(failure, model: model, of: source)
      omissions.add(admitted.record, count: count, admitted.failure, limit)
    }
    return EncodedDigest(
      model: model,
      release: release,
      entries: entries.text(),
      omissions: omissions.isEmpty ? nil : omissions.text()
    )
  }

  /// Returns the ids of a model and a release. Must run inside a transaction.
  func ids(ofModel model: String, release: String?) throws -> (model: Int64, release: Int64) {
    (try names.model(model), try names.release(release))
  }

  /// Forgets which fields entries may omit, after some samples were cleared.
  func forgetSamples() { names.forgetSamples() }

  /// Forgets all ids, after the rollback of a transaction that may have added some.
  func forget() { names.forget() }
}
