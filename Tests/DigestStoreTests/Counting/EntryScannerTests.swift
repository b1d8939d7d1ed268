import Testing

@testable import DigestStore

struct EntryScannerTests {
  /// What is found, as text; nil for what is no list of entries.
  private static func scan(_ text: String, isCounted: Bool) -> String? {
    var found: [String] = []
    let isSound = Array(text.utf8).withUnsafeBytes { bytes in
      var scanner = EntryScanner(bytes)
      return scanner.scan(isCounted: isCounted) { found.append("\($0)*\($1)") }
    }
    return isSound ? found.joined(separator: " ") : nil
  }

  @Test(arguments: [
    ("[]", ""),
    ("[[7]]", "7*1"),
    ("[[7,3],[12],[7,4,\"a\"]]", "7*1 12*1 7*1"),
    (
      #"[[7,"]"],[8,"[\"x.y\"]"],[9,"\\"],[10,{"m":"]}[\\","t":[1,[2]]}],[11]]"#,
      "7*1 8*1 9*1 10*1 11*1"
    ),
    (#"[[7,"\"]"],[8]]"#, "7*1 8*1"),
    (#"[[7,{"m":"é\u005d"}],[8]]"#, "7*1 8*1"),
    (" [ [ 7 , 3 ] ,\n[8]\t] ", "7*1 8*1"),
    ("[[999999999999]]", "999999999999*1"),
  ])
  func `entries are found whatever stands behind their failure`(_ text: String, _ found: String) {
    #expect(Self.scan(text, isCounted: false) == found)
  }

  @Test(arguments: [
    ("[]", ""),
    ("[[7,3]]", "7*3"),
    (#"[[7,3,{"t":"array"}],[8,99999999]]"#, "7*3 8*99999999"),
  ])
  func `omissions have a count`(_ text: String, _ found: String) {
    #expect(Self.scan(text, isCounted: true) == found)
  }

  @Test(arguments: [
    "", "[", "[[", "[[7", "[[7]", "[7]", "7", "null", "{}", "[[]]", "[[null]]", "[[\"7\"]]",
    "[[7.5]]", "[[-7]]", "[[7e3]]", "[[1000000000000]]", "[[7],]", "[[7]]x", "[[7]][", "[[7,\"]]",
    "[[7,\"\\", "[[7 8]]",
  ])
  func `what is no list of entries is told`(_ text: String) {
    #expect(Self.scan(text, isCounted: false) == nil)
    #expect(Self.scan(text, isCounted: true) == nil)
  }

  @Test func `an omission without a count is told`() {
    #expect(Self.scan("[[7]]", isCounted: true) == nil)
    #expect(Self.scan("[[7,\"3\"]]", isCounted: true) == nil)
  }
}
