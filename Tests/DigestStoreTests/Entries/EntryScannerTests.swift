import Testing

@testable import DigestStore

struct EntryScannerTests {
  /// What is found, as text; nil for what is no list of entries.
  private static func scan(_ text: String, isCounted: Bool) -> String? {
    var found: [String] = []
    let isSound = Array(text.utf8).withUnsafeBytes { bytes in
      var scanner = EntryScanner(bytes)
      return scanner.scan(isCounted: isCounted) { failure, count, _ in
        found.append("\(failure)*\(count)")
      }
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
    "[[7,\"\\", "[[7 8]]", "[[7,{]]", "[[7,{\"m\":1]]", "[[7,{\"m\":\"}]]", "[[7,{\"m\\",
  ])
  func `what is no list of entries is told`(_ text: String) {
    #expect(Self.scan(text, isCounted: false) == nil)
    #expect(Self.scan(text, isCounted: true) == nil)
  }

  @Test(arguments: [
    ("[[7],[7,3,\"m\"]]", "mf mf", ""),
    (#"[[7,{"m":"a"}],[7,{"t":null}],[7,3,{"f":1}]]"#, "f m m", ""),
    (#"[[7,{"m":"t","t":"m","f":"\"m"}],[7,"{\"m\":1}"]]"#, "- mf", ""),
    (#"[[7,{ "f" : "x" , "m" : "\\" }],[7,{"f":"m","x":"m"}]]"#, "- m", ""),
    (#"[[7,{"x":{"m":1},"y":["m",{"t":1}],"mm":1,"":2}],[7,[{"m":1}]]]"#, "mf mf", ""),
    ("", "", #"[[7,2],[7,2,{"m":"a"}],[7,2,{"t":"string","f":1}]]"#),
  ])
  func `what an entry leaves out is what it has no member for`(
    _ entries: String, _ leftOut: String, _ omissions: String
  ) {
    var found: [String] = []
    func scan(_ text: String, isCounted: Bool) {
      Array(text.utf8).withUnsafeBytes { bytes in
        var scanner = EntryScanner(bytes)
        _ = scanner.scan(isCounted: isCounted) { _, _, leftOut in
          let parts = [leftOut.contains(.message) ? "m" : "", leftOut.contains(.found) ? "f" : ""]
          found.append(leftOut.isEmpty ? "-" : parts.joined())
        }
      }
    }
    scan(entries, isCounted: false)
    #expect(found.joined(separator: " ") == leftOut)
    found = []
    scan(omissions, isCounted: true)
    // An omission has found what it says, or nothing.
    #expect(found == (omissions.isEmpty ? [] : ["m", "-", "m"]))
  }

  @Test func `an omission without a count is told`() {
    #expect(Self.scan("[[7]]", isCounted: true) == nil)
    #expect(Self.scan("[[7,\"3\"]]", isCounted: true) == nil)
  }
}
