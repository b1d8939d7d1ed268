// Names the public symbols in symbol graphs that have no documentation comment; there may be none.
//
//     swift Scripts/undocumented.swift GRAPH…

import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { let identifier: String }
    struct Comment: Decodable {}
    struct Location: Decodable {}

    let kind: Kind
    let pathComponents: [String]
    let docComment: Comment?
    let location: Location?
  }

  let symbols: [Symbol]
}

var names: [String] = []
for file in CommandLine.arguments.dropFirst() {
  let data = try Data(contentsOf: URL(fileURLWithPath: file))
  names += try JSONDecoder().decode(Graph.self, from: data).symbols
    // What the compiler has made stands in no file, and an extension is documented by its members.
    .filter {
      $0.docComment == nil && $0.location != nil && $0.kind.identifier != "swift.extension"
    }
    .map { $0.pathComponents.joined(separator: ".") }
}
for name in names.sorted() { print("\(name) is public and has no documentation comment") }
exit(names.isEmpty ? 0 : 1)
