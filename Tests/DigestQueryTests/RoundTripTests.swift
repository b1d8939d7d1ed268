import Foundation
import ResilientDecoding
import Testing

/// Digests that go through a store and come out as they went in.
struct RoundTripTests {
  private func expectRoundTrip(
    _ digests: [Digest], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let exported = try jsonObjects(Sandbox(importing: digests).run("export").stdout)
    let originals = try jsonObjects(digests.ndjson)
    #expect(exported.count == originals.count, sourceLocation: sourceLocation)
    for (exported, original) in zip(exported, originals) {
      #expect(
        exported as NSDictionary == original as NSDictionary,
        "\(exported) is not \(original)", sourceLocation: sourceLocation)
    }
  }

  @Test func `paths stay as they are`() throws {
    let paths = [
      "", "a", "a.b.c", "items[3].kind", "[0]", "[0][12].a", #"a["x.y"].b"#, #"[""]"#, "a_1",
      #"["a%sb"].c"#, #"["%"]"#, #"["%d%n%%"][3]"#, #"["a%\#u{301}d"].b"#, #"["\u0000"]"#,
      #"["a\"b\\c\n"]"#, #"["[]"]"#, "itéms", "日本[1]",
      "a[1][2][3][4][5][6][7][8]", "a[1][2][3][4][5][6][7][8][9].b[10][11]",
    ]
    try expectRoundTrip(paths.enumerated().map { Digest("d-\($0 + 1)", at: $1) })
  }

  @Test func `a dictionary's keys stay keys`() throws {
    let paths = [
      ("attrs.size", "attrs.*"), ("attrs.size[3].x", "attrs.*[].x"), ("a.b", "*.b"),
      (#"attrs["x.y"]"#, "attrs.*"), (#"attrs["%\#u{301}s"].b"#, "attrs.*.b"), ("a.b.c", "a.*.*"),
      (#"["\u0000"].a"#, "*.a"), (#"["a*b"].c"#, #"["a*b"].*"#), (#"["*"]"#, #"["*"]"#),
    ]
    try expectRoundTrip(
      paths.enumerated().map { index, path in
        var digest = Digest("d-\(index + 1)", at: path.0)
        digest.errors[0].pattern = path.1
        return digest
      })
  }

  @Test func `counted errors, contexts, and digests without errors stay what they are`() throws {
    var dictionary = Digest.Failure.novel(at: "a.*")
    dictionary.pattern = "a.*"
    try expectRoundTrip([
      Digest(
        "d-1", release: "4.2.0", environment: "production", operation: "GET /listings",
        failures: [
          .novel(at: "items[].kind", count: 12), dictionary, .error("other", at: "b", count: 3),
        ]),
      Digest("d-2", failures: []),
    ])
  }

  @Test func `text stays as it is`() throws {
    try expectRoundTrip(Hostile.values.enumerated().map { digest("d-\($0 + 1)", of: $1) })
  }

  /// A digest with a text wherever it may have one.
  private func digest(_ id: String, of text: String) -> Digest {
    // SQLite's JSON functions end a string at a NUL: in a found value its picture stands for it.
    let visible = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 }))
    func novel(found: String) -> Digest.Failure {
      .novel(text, type: text, expected: text, found: ("string", found))
    }
    return Digest(
      id, model: text + "x",
      // An empty release is none.
      release: text.isEmpty ? nil : text,
      failures: [
        // Of another failure, and as another value than its first one.
        novel(found: text),
        .error("unknownNovelValue", expected: text, found: ("string", visible)),
        novel(found: visible + "!"),
      ])
  }

  @Test func `each control and each separator of lines stays as it is`() throws {
    let scalars = (0...0x1F).map { $0 } + (0x7F...0x9F).map { $0 } + [0x2028, 0x2029]
    let texts = try scalars.map { try #require(Unicode.Scalar($0)) }.map { "a\($0)b\($0)1" }
    let digests = texts.enumerated().map { index, text in
      Digest(
        "d-\(index + 1)", model: text, release: text,
        failures: [.novel(text, found: ("string", text))])
    }
    let export = try Sandbox(importing: digests).run("export").stdout
    #expect(try jsonObjects(export) as NSArray == jsonObjects(digests.ndjson) as NSArray)
    // Nothing in a line ends it, for whatever reader.
    #expect(export.unicodeScalars.count { $0.properties.isWhitespace && $0 != " " } == texts.count)
    #expect(try Sandbox(importing: export).run("export") == Outcome(stdout: export))
    // The same in a key, which is a part of a path.
    try expectRoundTrip(
      texts.enumerated().map { Digest("d-\($0 + 1)", at: "x[\($1.jsonQuoted)].kind") })
  }

  @Test(arguments: ["json", "ndjson"])
  func `a report has no separator of lines in a line`(format: String) throws {
    let text = try Sandbox(importing: [Digest(novelValue: "a\u{85}b\u{2028}c\u{2029}")])
      .run("top-novel-values --format \(format)").stdout
    #expect(text.contains(#""a\u0085b\u2028c\u2029""#))
    #expect(
      text.unicodeScalars.allSatisfy {
        !$0.properties.isWhitespace || " \n".unicodeScalars.contains($0)
      })
  }

  @Test(arguments: ["null", "boolean", "number", "string", "array", "object"])
  func `found values stay as they are`(type: String) throws {
    let isScalar = ["boolean", "number", "string"].contains(type)
    var failures = ["villa", "other", "", "1"].map {
      Digest.Failure.novel(found: (type, isScalar ? $0 : nil))
    }
    failures.insert(.novel(), at: 2)
    failures += [
      .novel(at: "items[].kind", found: (type, isScalar ? "villa" : nil), count: 12),
      .novel(at: "b", count: 3),
    ]
    try expectRoundTrip([Digest("d-1", failures: failures)])
    try expectRoundTrip([Digest("d-1", failures: [.novel()] + failures)])
  }

  @Test func `a long value is cut with a mark, once`() throws {
    let export = try Sandbox(importing: [Digest(novelValue: Hostile.long)]).run("export").stdout
    #expect(export.utf8.count <= 65_536 + 300)
    #expect(export.contains("\"long long long "))
    #expect(export.contains("… (100000 bytes, "))
    #expect(try Sandbox(importing: export).run("export").stdout == export)
  }
}
