import ResilientDecoding
import ResilientPlatform

/// Identifies a failure in all stores: 16 bytes of a hash.
///
/// A novel value at a path is one failure, whatever the kind of the error and its expected type. So
/// a digest that has the value under two expected types counts once. A conversion, which is no
/// error, is another failure. So is each kind of body that isn't JSON.
struct FailureKey: Hashable {
  let bytes: [UInt8]

  /// - Parameters:
  ///   - model: the name of the model.
  ///   - pattern: the pattern of the failure's path.
  ///   - record: an error, with its texts cut.
  init(model: String, pattern: String, _ record: RecordedError) {
    let identity: [String?] =
      record.novelValue == nil
      ? [record.kind.rawValue, record.expectedType] + (record.body.map { [$0.rawValue] } ?? [])
      : [
        ErrorKinds.others.contains(record.kind) ? record.kind.rawValue : nil, record.novelValue,
        record.valueType,
      ]
    // The length before each text, so that no two identities have the same bytes.
    var message: [UInt8] = []
    for text in [model, pattern] + identity {
      guard let text else {
        message.append(0)
        continue
      }
      message.append(1)
      withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { message.append(contentsOf: $0) }
      message.append(contentsOf: text.utf8)
    }
    bytes = Array(SHA256.digest(message).prefix(16))
  }

  var value: SQLValue { .blob(bytes) }
}
