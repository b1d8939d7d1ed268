/// A format that an import cannot read, found by the first bytes of the input.
enum ForeignFormat {
  /// The number of bytes to look at.
  static let prefix = 1 << 10

  /// The format and the remedy; nil if the input may be NDJSON.
  ///
  /// - Parameter bytes: the first bytes of the input, up to ``prefix`` if it is that long.
  static func problem(in bytes: some Collection<UInt8>) -> String? {
    // Without a byte order mark, a digest begins with `{`.
    let isUTF16 = [[0xFF, 0xFE], [0xFE, 0xFF], [0x7B, 0], [0, 0x7B]].contains(
      Array(bytes.prefix(2)))
    if isUTF16 {
      return "this is not UTF-8: convert it first, as iconv -f UTF-16 -t UTF-8 does"
    }
    if bytes.starts(with: [0x1F, 0x8B]) {
      return "this is compressed with gzip: decompress it first, as gunzip -c does"
    }
    if bytes.starts(with: "SQLite format 3\0".utf8) {
      return "this is a SQLite database: add a store with digest-query push"
    }
    // A message of another program may begin with a bracket, too.
    let text = bytes.lazy.filter { $0 != 0x20 && !(0x09...0x0D ~= $0) }.prefix(2)
    let isArray =
      text.first == UInt8(ascii: "[")
      && text.dropFirst().allSatisfy { "{[]".utf8.contains($0) }
    return isArray
      ? "this is a JSON array: write one object a line, as jq -c '.[]' does" : nil
  }
}
