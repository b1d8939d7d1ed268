/// A format that an import cannot read, found by the first bytes of the input.
enum ForeignFormat {
  /// The number of bytes to look at.
  static let prefix = 1 << 16

  /// The format and the remedy; nil if the input may be NDJSON.
  ///
  /// - Parameter bytes: the first bytes of the input, up to ``prefix`` if it is that long.
  static func problem(in bytes: some Collection<UInt8>) -> String? {
    let beginning = Array(bytes.prefix(prefix))
    if let format = signatures.first(where: { beginning.starts(with: $0.bytes) }) {
      return format.problem
    }
    // The member "ustar" of a header of 512 bytes.
    if beginning.dropFirst(257).starts(with: "ustar".utf8) { return archive("a tar archive") }
    return textProblem(in: beginning)
  }

  private static func archive(_ name: String) -> String { "this is \(name): unpack it first" }

  private static func compressed(_ name: String, _ tool: String) -> String {
    "this is compressed with \(name): decompress it first, as \(tool) does"
  }

  private static func encoding(_ name: String) -> String {
    "this is \(name), not UTF-8: convert it first, as iconv -f \(name) -t UTF-8 does"
  }

  /// The longer of two signatures comes first. Without a byte order mark, a digest begins with `{`.
  private static let signatures: [(bytes: [UInt8], problem: String)] = [
    ([0xFF, 0xFE, 0, 0], encoding("UTF-32")), ([0, 0, 0xFE, 0xFF], encoding("UTF-32")),
    ([0x7B, 0, 0, 0], encoding("UTF-32LE")), ([0, 0, 0, 0x7B], encoding("UTF-32BE")),
    ([0xFF, 0xFE], encoding("UTF-16")), ([0xFE, 0xFF], encoding("UTF-16")),
    ([0x7B, 0], encoding("UTF-16LE")), ([0, 0x7B], encoding("UTF-16BE")),
    ([0x1F, 0x8B], compressed("gzip", "gunzip -c")),
    (Array("BZh".utf8), compressed("bzip2", "bunzip2 -c")),
    ([0xFD] + Array("7zXZ".utf8), compressed("xz", "xz -dc")),
    ([0x28, 0xB5, 0x2F, 0xFD], compressed("zstd", "zstd -dc")),
    ([0x04, 0x22, 0x4D, 0x18], compressed("lz4", "lz4 -dc")),
    (Array("PK\u{3}\u{4}".utf8), archive("a zip archive")),
    (
      Array("SQLite format 3\0".utf8),
      "this is a SQLite database: add a store with digest-query merge"
    ),
  ]

  /// The problem of text whose first line is no JSON object.
  private static func textProblem(in bytes: [UInt8]) -> String? {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    let content = text.drop(while: \.isSpace)
    guard let first = content.first else { return nil }
    let next = content.dropFirst().drop(while: \.isSpace).first
    switch first {
    case UInt8(ascii: "{"):
      return content.dropFirst().drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.first == 0x0A
        ? "this is a JSON object of several lines: write it on one, as jq -c . does" : nil
    case UInt8(ascii: "[") where next == nil || next.map { "{[]".utf8.contains($0) } == true:
      return "this is a JSON array: write one object a line, as jq -c '.[]' does"
    default: break
    }
    // A good line after a bad one, such as a message of another program, makes it NDJSON.
    let lines = content.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    guard !lines.contains(where: { $0.first { !$0.isSpace } == UInt8(ascii: "{") }) else {
      return nil
    }
    if lines.first?.contains(where: { $0 < 0x20 && !$0.isSpace || $0 == 0x7F }) == true {
      return "this is a binary file: write its digests as JSON, one object a line"
    }
    if first == UInt8(ascii: "<") {
      return "this is HTML or XML, as of an error page: fetch it again"
    }
    let columns = lines.first.map { line in
      ",;\t".utf8.map { separator in line.filter { $0 == separator }.count }.max() ?? 0
    }
    return columns ?? 0 > 0 ? "this is CSV or TSV: export it again, as NDJSON" : nil
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }
}
