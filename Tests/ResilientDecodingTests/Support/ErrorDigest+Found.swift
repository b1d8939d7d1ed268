import ResilientDecoding

extension ErrorDigest {
  /// The found values, a line each: `items[1].zip: string "x"`, or `items[1].zip: nothing`.
  var found: [String] {
    entries.map { "\($0.codingPath): \($0.foundValue.map(\.inWords) ?? "nothing")" }
  }
}

extension ErrorDigest.FoundValue {
  var inWords: String {
    switch (type, text) {
    case (.string, let text?): #"string "\#(text)""#
    case (_, let text?): "\(type) \(text)"
    case (_, nil): "\(type)"
    }
  }
}
