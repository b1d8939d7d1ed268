import Testing

@testable import DigestStore

struct EntryReaderTests {
  /// The elements of both lists, as text; nil if they cannot be read.
  private static func read(_ entries: String, _ omissions: String = "") -> String? {
    var found: [String] = []
    return Array(entries.utf8).withUnsafeBytes { entries in
      Array(omissions.utf8).withUnsafeBytes { omissions in
        var reader = EntryReader(entries: entries, omissions: omissions)
        do {
          while try reader.next() {
            let path = reader.path(reader.arguments.map { _ in "." } + [""])
            found.append(
              "\(reader.failure)\(path)" + (reader.isOmission ? "*\(reader.count)" : ""))
          }
        } catch {
          return nil
        }
        return found.joined(separator: " ")
      }
    }
  }

  @Test(arguments: [
    ("[]", ""),
    ("[[7]]", "7"),
    ("[[7,3],[12],[7,4,\"a\"]]", "7.3 12 7.4.a"),
    (
      #"[[7,"]"],[8,"[\"x.y\"]"],[9,"\\"],[10,{"m":"]}[\\","t":null}],[11]]"#,
      #"7.] 8.["x.y"] 9.\ 10 11"#
    ),
    (#"[[7,"\"]"],[8]]"#, #"7."] 8"#),
    (#"[[7,{"m":"é\u005d"}],[8,"\u00e9\n"]]"#, "7 8.é\n"),
    (" [ [ 7 , 3 ] ,\n[8]\t] ", "7.3 8"),
    ("[[999999999999,0]]", "999999999999.0"),
  ])
  func `entries have a failure and the arguments of their path`(_ text: String, _ found: String) {
    #expect(Self.read(text) == found)
  }

  @Test(arguments: [
    ("", "7"),
    ("[]", "7"),
    ("[[7,3]]", "7 7*3"),
    (#"[[7,3,{"t":"array"}],[8,99999999]]"#, "7 7*3 8*99999999"),
  ])
  func `omissions follow, and have a count`(_ omissions: String, _ found: String) {
    #expect(Self.read("[[7]]", omissions) == found)
  }

  @Test(arguments: [
    "", "[", "[[", "[[7", "[[7]", "[7]", "7", "null", "{}", "[[]]", "[[null]]", "[[\"7\"]]",
    "[[7.5]]", "[[-7]]", "[[7e3]]", "[[1000000000000]]", "[[7],]", "[[7]]x", "[[7]][", "[[7,\"]]",
    "[[7,\"\\", "[[7 8]]", "[[7,{]]", "[[7,{\"m\":1]]", "[[7,{\"m\":\"}]]", "[[7,{\"m\\", "[[07]]",
    "[[7,true]]", "[[7,[]]]", "[[7,{\"m\":[]}]]", "[[7,{\"m\":nul}]]", "[[7,{},{}]]", "[[7,{},1]]",
    "[[7,\"\u{1}\"]]", #"[[7,"\x"]]"#, #"[[7,"\u12"]]"#, #"[[7,"\ud83d\ude00"]]"#,
  ])
  func `other JSON cannot be read`(_ text: String) {
    #expect(Self.read(text) == nil)
    #expect(text.isEmpty || Self.read("[]", text) == nil)
  }

  @Test(arguments: ["[[7]]", "[[7,\"3\"]]", "[[7,0]]", "[[7,-1]]", "[[7,{}]]"])
  func `an omission without a count cannot be read`(_ text: String) {
    #expect(Self.read("[]", text) == nil)
  }

  @Test(arguments: [
    ("[[7],[7,3,\"m\"]]", "", "mf mf"),
    (#"[[7,{"m":"a"}],[7,{"t":null}],[7,3,{"f":1}]]"#, "", "f m m"),
    (#"[[7,{"m":"t","t":"m","f":"\"m"}],[7,"{\"m\":1}"]]"#, "", "- mf"),
    (#"[[7,{ "f" : "x" , "m" : "\\" }],[7,{"f":"m","x":"m"}]]"#, "", "- m"),
    (#"[[7,{"x":1,"mm":1,"":2}],[7,{}]]"#, "", "mf mf"),
    // An omission never has its failure's found value.
    ("[]", #"[[7,2],[7,2,{"m":"a"}],[7,2,{"t":"string","f":1}]]"#, "m - m"),
  ])
  func `an element omits the fields for which it has no member`(
    _ entries: String, _ omissions: String, _ omitted: String
  ) throws {
    var found: [String] = []
    try Array(entries.utf8).withUnsafeBytes { entries in
      try Array(omissions.utf8).withUnsafeBytes { omissions in
        var reader = EntryReader(entries: entries, omissions: omissions)
        while try reader.next() {
          let fields = reader.omittedFields
          let parts = [fields.contains(.message) ? "m" : "", fields.contains(.found) ? "f" : ""]
          found.append(fields.isEmpty ? "-" : parts.joined())
        }
      }
    }
    #expect(found.joined(separator: " ") == omitted)
  }
}
