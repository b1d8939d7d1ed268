import Foundation
import ResilientDecoding
import Testing

/// A model with wrappers prints like a plain model, except for underscores in property names.
struct ResilientWrapperTests {
  private static let json = #"""
    {
      "tags": ["a", 1], "name": "n", "counts": {"k": 1}, "kind": "novel", "point": {"x": 1, "y": 2},
      "title": 7, "verses": ["la", 8], "price": "1.5"
    }
    """#

  @Test func `print, debugPrint and dump show only the values`() throws {
    let wrapped = try Format.json.decode(Wrapped.self, from: Self.json).0
    let plain = Plain(
      _tags: ["a"], _name: "n", _counts: ["k": 1], _kind: nil, _point: Point(x: 1, y: 2),
      _title: "untitled", _verses: ["la", "untitled"], _price: 1.5)

    #expect("\(wrapped)" == "\(plain)".replacing("Plain", with: "Wrapped"))
    #expect(
      String(reflecting: wrapped)
        == String(reflecting: plain).replacing("Plain", with: "Wrapped"))
    #expect(dumped(wrapped) == dumped(plain).replacing("Plain", with: "Wrapped"))
  }

  @Test func `a wrapper by itself prints as its value`() {
    let name = Resilient("la")
    #expect(["\(name)", String(reflecting: name), dumped(name)] == ["la", #""la""#, "- \"la\"\n"])
    #expect("\(ResilientDefault<Untitled>(wrappedValue: "la"))" == "la")
    #expect("\(ResilientElements<Untitled>(wrappedValue: ["la"]))" == #"["la"]"#)
    #expect("\(ResilientLossless(wrappedValue: 1.5))" == "1.5")
  }

  @Test func `the value's own description shows through a wrapper`() {
    #expect(Resilient(Described(description: 7)).description == 7)
  }

  private func dumped(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }
}

private struct Described: Decodable {
  let description: Int
}

extension ResilientWrapperTests {
  struct Wrapped: Decodable {
    @Resilient var tags: [String]
    @Resilient var name: String?
    @Resilient var counts: [String: Int]
    @Resilient var kind: Kind?
    @Resilient var point: Point?
    @ResilientDefault<Untitled> var title: String
    @ResilientElements<Untitled> var verses: [String]
    @ResilientLossless var price: Double
  }

  struct Plain {
    let _tags: [String]
    let _name: String?
    let _counts: [String: Int]
    let _kind: Kind?
    let _point: Point?
    let _title: String
    let _verses: [String]
    let _price: Double
  }
}
