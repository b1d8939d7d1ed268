import Foundation
import Testing

@testable import DigestStore

struct LineValueTests {
  private static let line = #"""
    {"id":"a-1","recordedAt":"2026-11-20T10:00:00.123Z","model":"App.\u00e9\"\\","later":[true,false,null,-1.5e+3,0],"errors":[{"path":"items[3].kind","kind":"other","count":12},{"path":"","kind":"other"}]}
    """#

  private func isRead(_ line: [UInt8]) -> Bool { line.withUnsafeBytes { LineValue($0) != nil } }

  @Test func `a text is unescaped`() throws {
    let bytes = Array(#"{"m\u006fdel":"\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t\u0000é👩‍👩‍👧‍👦"}"#.utf8)
    let text = try bytes.withUnsafeBytes {
      try LineObject(#require(LineValue($0))).text("model")
    }
    #expect(text == "é😀\"\\/\u{8}\u{c}\n\r\t\0é👩‍👩‍👧‍👦")
  }

  @Test(arguments: [
    "", "[", "{", "{}{}", "{},", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}", "[1,]", "[,]", "nul",
    "truefalse", "01", "-", "1.", ".5", "1e", "+1", "0x1", "NaN", "'a'", #""a"#, #""\x""#,
    #""\u12g4""#,
    #""\u12"#, #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, "\"\u{1}\"", "\"\t\"", "//", "{} x",
    String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
  ])
  func `what isn't JSON is not read`(line: String) {
    #expect(!isRead(Array(line.utf8)))
  }

  @Test(arguments: [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]] as [[UInt8]])
  func `bytes that aren't text are not read`(bytes: [UInt8]) {
    #expect(!isRead([UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]))
  }

  /// SQLite takes the same texts for JSON.
  @Test(arguments: 0..<8) func `a line that was changed is read if it is JSON`(seed: UInt64) throws
  {
    var generator = SeededGenerator(seed: seed)
    let pool = Array(#"{}[]",:\u00e9dD8nbx019.-e+ éft"#.utf8) + [0x0a, 0x7f]
    let connection = try Connection(path: "", mode: .memory)
    let isValid = try Statement(connection, "SELECT json_valid(?)")
    var read = 0
    for _ in 0..<3_000 {
      var line = Array(Self.line.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<line.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: line[index] = pool.randomElement(using: &generator) ?? 0
        case 1: line.insert(pool.randomElement(using: &generator) ?? 0, at: index)
        default: line.remove(at: index)
        }
      }
      let text = String(decoding: line, as: UTF8.self)
      guard text.utf8.elementsEqual(line) else { continue }
      let isJSON = try isValid.firstRow([.text(text)]) { $0.integer(at: 0) } == 1
      #expect(isRead(line) == isJSON, "\(text)")
      read += isJSON ? 1 : 0
    }
    #expect(read > 500)
  }
}
