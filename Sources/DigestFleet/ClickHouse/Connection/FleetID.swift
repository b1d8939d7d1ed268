import ResilientPlatform

/// An id that every store computes alike from a name: the first 128 bits of the name's SHA-256.
///
/// So stores need not agree, and no one can find two names with the same id. Where ``low`` alone is used,
/// for releases and stores, no one can find a name with the id of another one.
struct FleetID: Hashable, Sendable {
  let low: UInt64
  let high: UInt64

  init(_ low: UInt64, _ high: UInt64) { (self.low, self.high) = (low, high) }

  /// - Parameter parts: the parts of the name; nil is another part than an empty text.
  init(of parts: [String?]) {
    // The lengths keep different parts from making the same bytes.
    var bytes: [UInt8] = []
    for part in parts {
      guard let part else {
        bytes.append(0)
        continue
      }
      bytes.append(1)
      withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: part.utf8)
    }
    let digest = SHA256.digest(bytes)
    func word(_ start: Int) -> UInt64 {
      (start..<start + 8).reversed().reduce(0) { $0 << 8 | UInt64(digest[$1]) }
    }
    self.init(word(0), word(8))
  }

  /// The id of no name.
  static let none = FleetID(0, 0)

  /// The id as a literal of `FixedString(16)`.
  var sql: String {
    let digits = [low, high].flatMap { word in
      withUnsafeBytes(of: word.littleEndian) { Array($0) }
    }.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return "toFixedString(unhex('\(digits)'), 16)"
  }
}
