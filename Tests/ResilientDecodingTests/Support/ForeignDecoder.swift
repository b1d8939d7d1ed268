import ResilientDecoding
import ResilientPlatform

/// A decoder that is not recognized as Foundation's, at any depth, and counts calls.
///
/// It forwards to another decoder. Decode a ``Foreignly`` to use it.
struct ForeignDecoder: Decoder {
  /// The decoder's options, and the calls of it and of all decoders below it.
  final class Log: Sendable {
    /// Whether an unkeyed container moves past an element that could not be decoded.
    let advancesOnFailure: Bool

    private let count = Locked(0)

    init(advancesOnFailure: Bool = false) { self.advancesOnFailure = advancesOnFailure }

    var superDecoders: Int { count.withLock { $0 } }

    func addSuperDecoder() { count.withLock { $0 += 1 } }
  }

  let base: any Decoder
  let log: Log

  init(_ base: any Decoder) throws {
    guard let log = base.userInfo[.foreign] as? Log else {
      throw Mishap(description: "no log for a foreign decoder")
    }
    self.init(base, log)
  }

  init(_ base: any Decoder, _ log: Log) {
    self.base = base
    self.log = log
  }

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ForeignMembers(base: try base.container(keyedBy: type), log: log))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    ForeignElements(base: try base.unkeyedContainer(), log: log)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ForeignValue(base: try base.singleValueContainer())
  }
}

/// A value that a ``ForeignDecoder`` decodes, with the log in the `userInfo`.
struct Foreignly<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(from: ForeignDecoder(decoder)) }
}

extension Foreignly: WrapperModel where Value: WrapperModel {
  var p: Value.Value { value.p }
  var outcomeInWords: String? { value.outcomeInWords }
}

extension CodingUserInfoKey {
  static let foreign = CodingUserInfoKey(rawValue: "foreign")!  // Never nil.
}
