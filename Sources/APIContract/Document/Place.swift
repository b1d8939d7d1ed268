/// A place in a document: a file, and a JSON pointer in it (RFC 6901).
package struct Place: Hashable, Sendable {
  /// The path of the file, relative to the folder of the main document; empty for that document.
  package let file: String

  /// The pointer: `/components/schemas/Listing`; empty for the whole document.
  package let pointer: String

  package init(file: String = "", pointer: String = "") {
    self.file = file
    self.pointer = pointer
  }

  /// The place of a member or an element.
  func child(_ token: String) -> Self {
    let escaped =
      token.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
      ? token.replacing("~", with: "~0").replacing("/", with: "~1") : token
    return Self(file: file, pointer: "\(pointer)/\(escaped)")
  }

  /// The names of members and the numbers of elements on the way.
  package var tokens: [String] {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }

  /// The pointer; for another file than the main document, as a reference to it.
  package var text: String { file.isEmpty ? pointer : "\(file)#\(pointer)" }
}

/// A value with its place.
struct Node {
  let place: Place
  let value: JSONValue

  /// The member of an object; nil if there is none.
  func member(_ name: String) -> Node? {
    value[name].map { Node(place: place.child(name), value: $0) }
  }

  /// The reference in place of the value; nil if there is none.
  var reference: String? { value["$ref"]?.string }

  /// The elements of an array.
  var elements: [Node] {
    (value.array ?? []).enumerated().map { Node(place: place.child("\($0)"), value: $1) }
  }

  /// The members of an object, by name.
  var members: [(name: String, node: Node)] {
    (value.object ?? [:]).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      ($0.key, Node(place: place.child($0.key), value: $0.value))
    }
  }
}
