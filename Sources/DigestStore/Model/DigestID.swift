import ResilientPlatform

/// The id of a digest: the store that recorded it, its number there, and when it was recorded.
///
/// The time distinguishes digests that got the same number because a file was copied, restored, or
/// lost its end in a power cut.
struct DigestID: Hashable {
  /// The origin of digests whose ids have another form.
  static let importOrigin = "import"

  /// The identity of the store.
  let store: String
  let number: Int64

  /// Nil if the id does not say when the digest was recorded.
  let recordedAt: Moment?

  init(store: String, number: Int64, recordedAt: Moment?) {
    self.store = store
    self.number = number
    self.recordedAt = recordedAt
  }

  /// Parses the text of an id. An id of another form gets a number of the origin `import`: a hash
  /// of its text.
  init(_ text: String) {
    // Bytes are split faster than characters.
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    if parts.count == 3, Self.isIdentity(Substring(parts[0])),
      let number = Self.integer(parts[1]), let time = Self.integer(parts[2]),
      1...Int64.maximumCount ~= number || parts[0].elementsEqual(Self.importOrigin.utf8),
      number > 0, Moment.earliest.milliseconds...Moment.latest.milliseconds ~= time
    {
      self.init(
        store: String(Substring(parts[0])), number: number,
        recordedAt: Moment(milliseconds: time))
    } else {
      self.init(hashing: text)
    }
  }

  /// The id of a digest whose id has another form, or that another digest has.
  init(hashing text: String) {
    self.init(store: Self.importOrigin, number: Int64.hash(of: text) | 1, recordedAt: nil)
  }

  /// Reads a number that has no zeros and no sign before it.
  private static func integer(_ text: Substring.UTF8View) -> Int64? {
    Int64(Substring(text)).flatMap { String($0).utf8.elementsEqual(text) ? $0 : nil }
  }

  /// 32 hexadecimal digits, or the origin `import`.
  static func isIdentity(_ text: Substring) -> Bool {
    text == importOrigin
      || text.utf8.count == 32
        && text.utf8.allSatisfy {
          UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
        }
  }

  /// The SQL expression for the text of the id of `digest AS d`.
  ///
  /// - Parameter identity: the expression for the identity of the store that recorded it.
  static func text(identity: String) -> String {
    "\(identity) || '-' || coalesce(d.number, d.id) || '-' || d.recorded_at"
  }
}

extension Int64 {
  /// A hash of a text, from 0 on.
  static func hash(of text: String) -> Int64 {
    let hash = SHA256.digest(Array(text.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(hash >> 1)
  }
}
