import Foundation
import ResilientDecoding
import Testing

@testable import APIContract

/// The bytes of documents.
struct EncodingTests {
  /// Bytes of a document, and whether it is read.
  struct Encoding: CustomTestStringConvertible {
    let name: String
    let isRead: Bool
    let encode: @Sendable (String) -> Data
    var testDescription: String { name }

    init(_ name: String, isRead: Bool, _ encode: @escaping @Sendable (String) -> Data) {
      self.name = name
      self.isRead = isRead
      self.encode = encode
    }
  }

  private static let encodings = [
    Encoding("UTF-8", isRead: true) { Data($0.utf8) },
    Encoding("with a mark", isRead: true) { Data("\u{FEFF}\($0)".utf8) },
    Encoding("CRLF", isRead: true) { Data($0.replacing("\n", with: "\r\n").utf8) },
    Encoding("CR", isRead: true) { Data($0.replacing("\n", with: "\r").utf8) },
    Encoding("mark and CR", isRead: true) {
      Data("\u{FEFF}\($0.replacing("\n", with: "\r"))".utf8)
    },
    Encoding("UTF-16 LE", isRead: false) { utf16($0, \.littleEndian) },
    Encoding("UTF-16 BE", isRead: false) { utf16($0, \.bigEndian) },
    Encoding("UTF-16 LE with a mark", isRead: false) { utf16("\u{FEFF}\($0)", \.littleEndian) },
    Encoding("UTF-16 BE with a mark", isRead: false) { utf16("\u{FEFF}\($0)", \.bigEndian) },
    Encoding("Latin-1", isRead: false) {
      Data($0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    },
    Encoding("UTF-8 that is cut", isRead: false) { Data($0.utf8) + [0xC3] },
  ]

  private static func utf16(_ text: String, _ order: (UInt16) -> UInt16) -> Data {
    text.utf16.map(order).withUnsafeBytes { Data($0) }
  }

  private static let json = """
    {"openapi": "3.1.0",
    "components": {"schemas": {"Listing": {"properties": {
    "gr\u{F6}\u{DF}e": {"enum": ["caf\u{E9}"]}}}}}}

    """

  private static let yaml = """
    # A comment.
    openapi: 3.1.0
    components: {schemas: {Listing: {properties: {
      gr\u{F6}\u{DF}e: {enum: ["caf\u{E9}"]}}}}}

    """

  private static var documents: [(name: String, text: String)] {
    #if OpenAPI
      [("openapi.json", json), ("openapi.yaml", yaml), ("start.yaml", "---\n\(yaml)")]
    #else
      [("openapi.json", json)]
    #endif
  }

  @Test(arguments: encodings, documents)
  func `a document is UTF-8, or an error`(
    encoding: Encoding, document: (name: String, text: String)
  ) throws {
    let data = encoding.encode(document.text)
    let failure = ContractFailure.novel("caf\u{E9}", at: #"["gr\#u{F6}\#u{DF}e"]"#)
    guard encoding.isRead else {
      let error = #expect(throws: DocumentError.self) {
        _ = try TestContract(data: data, name: document.name)
      }
      #expect(error?.reason == .invalid)
      #expect(error?.description.hasSuffix("\(document.name) is not UTF-8: convert it") == true)
      return
    }
    let contract = try TestContract(data: data, name: document.name)
    let judgement = contract.judgement(of: failure)
    #expect(judgement.verdict == .appBehind)
    let place = try #require(judgement.place)
    let lines = document.text.split(separator: "\n").firstIndex { $0.contains("enum") }
    #expect(contract.contract.lines(of: [place])[place] == lines.map { $0 + 1 })
  }

  @Test(arguments: encodings)
  func `a file behind a reference is UTF-8, or the reason says that it isn't`(encoding: Encoding)
    throws
  {
    let contract = try TestContract(
      data: Data(
        ##"{"openapi": "3.1.0", "components": {"schemas": {"Listing": {"$ref": "a.json#/A"}}}}"##
          .utf8),
      files: ["a.json": encoding.encode("{\"A\": {\"enum\": [\"caf\u{E9}\"]}}\n")])
    let judgement = contract.judgement(of: .novel("caf\u{E9}", at: ""))
    #expect(
      judgement.reason
        == (encoding.isRead
          ? "the document has this value in its enum"
          : "the document has a reference here that cannot be resolved: a.json#/A (a.json is not "
            + "UTF-8: convert it)"))
  }
}
