import ResilientDecoding

/// A digest as a row.
struct EncodedDigest {
  let model: Int64
  let context: Int64

  /// The JSON of the column `errors`.
  let errors: String
}

/// Encodes digests for the file, and adds new models, contexts and failures.
struct DigestEncoder {
  let names: NameIDs
  private let limit: ValueLimit

  init(_ connection: Connection, _ configuration: DigestStore.Configuration) throws {
    names = try NameIDs(connection, configuration)
    limit = ValueLimit(configuration.maximumValueLength)
  }

  /// Encodes a digest, inside a transaction.
  func encode(_ record: DigestRecord) throws -> EncodedDigest {
    let record = record.bounded(by: limit)
    let model = try names.model(record.model)
    let context = try names.context(record.context)
    var errors: [UInt8] = [UInt8(ascii: "[")]
    errors.reserveCapacity(record.errors.count * 48)
    for error in record.errors {
      if errors.count > 1 { errors.append(UInt8(ascii: ",")) }
      let counted = try names.failure(of: error, model: model, at: record.recordedAt)
      append(counted.record, id: counted.id, to: &errors)
    }
    errors.append(UInt8(ascii: "]"))
    return EncodedDigest(
      model: model.id, context: context, errors: String(decoding: errors, as: UTF8.self))
  }

  /// Appends `[failure, coding path, times, found type, found value]`, without nulls at the end.
  private func append(_ record: RecordedError, id: Int64, to errors: inout [UInt8]) {
    errors.append(contentsOf: "[\(id)".utf8)
    let path = record.path.isPattern ? nil : record.path.cut(to: limit).description
    let found = record.found.flatMap { found -> String? in
      guard let text = found.text, !record.hasNovelValue(text) else { return nil }
      return limit.cut(text.withoutNUL)
    }
    if path != nil || record.times > 1 || record.found != nil {
      errors.append(text: path)
    }
    if record.times > 1 || record.found != nil {
      errors.append(contentsOf: record.times > 1 ? ",\(record.times)".utf8 : ",null".utf8)
    }
    if let type = record.found?.type.rawValue { errors.append(text: type) }
    if let found { errors.append(text: found) }
    errors.append(UInt8(ascii: "]"))
  }
}

extension RecordedError {
  /// Whether a found value is the novel value, which is not stored again.
  fileprivate func hasNovelValue(_ text: String) -> Bool {
    novelValue.map(BinaryString.init) == BinaryString(text)
  }
}

extension ErrorDigest.Path {
  /// Whether the path equals its pattern.
  fileprivate var isPattern: Bool {
    components.allSatisfy { component in
      switch component {
      case .key, .anyIndex, .anyDictionaryKey: true
      case .index, .dictionaryKey: false
      }
    }
  }
}

extension [UInt8] {
  /// Appends a comma, and text as a JSON string or null.
  fileprivate mutating func append(text: String?) {
    append(UInt8(ascii: ","))
    if let text { append(json: text) } else { append(contentsOf: "null".utf8) }
  }
}
