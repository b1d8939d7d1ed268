import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct PlainLineTests {
  private static let line = #"""
    {"id":"a-1","recordedAt":"2026-11-20T10:00:00.123Z","model":"App.Listing","release":"4.2.0","errors":[{"path":"items[3].kind","pattern":"items[].kind","kind":"unknownNovelValue","novelValue":"villa","novelValueType":"String","expectedType":"App.Kind","foundType":"string","foundValue":"villa","count":12},{"path":"a","kind":"other"}]}
    """#

  /// What a line says, in words.
  private func words(_ line: DigestLine) -> String { "\(line)" }

  /// Compares the two ways to read a line; the plain one may know nothing, but nothing else.
  private func expectAgreement(
    _ line: [UInt8],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    guard let plain = line.withUnsafeBytes({ DigestLine(plain: $0) }) else { return false }
    let decoded = try? JSONDecoder().decode(DigestLine.self, from: Data(line))
    #expect(
      Array("\(plain)".utf8) == decoded.map { Array("\($0)".utf8) },
      "\(String(decoding: line, as: UTF8.self))", sourceLocation: sourceLocation)
    return true
  }

  @Test(arguments: [
    line, #" { "recordedAt" : "x" , "model" : "é\n\u00e9\"\\\/" , "errors" : [ ] } "#,
    #"{"recordedAt":"","model":"👩‍👩‍👧‍👦\u0000\u007f","errors":[{"path":"","kind":"","count":1}]}"#,
  ])
  func `a line of an export is plain`(line: String) {
    #expect(expectAgreement(Array(line.utf8)))
  }

  @Test(arguments: [
    #"{"recordedAt":"x","model":"M"}"#, #"{"recordedAt":"x","model":null,"errors":[]}"#,
    #"{"recordedAt":"x","model":"M","model":"N","errors":[]}"#,
    #"{"recordedAt":"x","model":"M","errors":[],"errors":[]}"#,
    #"{"recordedAt":"x","model":"M","errors":[],"later":1}"#,
    #"{"recordedAt":"x","model":"\ud83d\ude00","errors":[]}"#,
    #"{"recordedAt":"x","model":"\ud800","errors":[]}"#,
    #"{"recordedAt":"x","model":"\x","errors":[]}"#,
    #"{"recordedAt":"x","model":"\u12g4","errors":[]}"#,
    #"{"recordedAt":"x","model":"M","errors":[],}"#,
    #"{"recordedAt":"x","model":"M","errors":[]}]"#,
    #"{"recordedAt":"x","model":"M","errors":[{"path":"a","kind":"b","count":1e2}]}"#,
    #"{"recordedAt":"x","model":"M","errors":[{"path":"a","kind":"b","count":01}]}"#,
    #"{"recordedAt":"x","model":"M","errors":[{"path":"a","kind":"b","count":-1}]}"#,
    #"{"recordedAt":"x","model":"M","errors":[{"path":"a","kind":"b","count":1.0}]}"#,
    #"{"recordedAt":"x","model":"M","errors":[{"path":"a","kind":"b","count":9999999999999}]}"#,
    #"{"recordedAt":"x","model":"M","errors":[{"path":"a"}]}"#, "", "[]", "{", "\u{FEFF}{}",
    #"{"recordedAt":"x","model":"M","errors":[[[[[[[["#, #"{"recordedAt"#, #"{"a":"\"#,
  ])
  func `a line that is not plain is left to a decoder`(line: String) {
    #expect(!expectAgreement(Array(line.utf8)))
  }

  @Test(arguments: [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x00], [0x1f]])
  func `bytes that aren't text are left to a decoder`(bytes: [UInt8]) {
    let parts = [#"{"recordedAt":"x","model":""#, #"","errors":[]}"#].map { Array($0.utf8) }
    #expect(!expectAgreement(parts[0] + bytes + parts[1]))
  }

  @Test(arguments: 0..<8)
  func `a line that was changed says the same to both`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pool = Array(#"{}[]",:\u00e9dD8nbx019.-e+ é"#.utf8) + [0, 0x0a, 0x7f, 0xff, 0xed]
    var plain = 0
    for _ in 0..<3_000 {
      var line = Array(Self.line.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<line.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: line[index] = pool.randomElement(using: &generator) ?? 0
        case 1: line.insert(pool.randomElement(using: &generator) ?? 0, at: index)
        case 2: line.remove(at: index)
        default:
          let end = min(line.count, index + Int.random(in: 1...40, using: &generator))
          line.insert(
            contentsOf: line[index..<end], at: Int.random(in: 0..<index + 1, using: &generator))
        }
      }
      if expectAgreement(line) { plain += 1 }
    }
    #expect(plain > 100)
  }
}
