import Foundation
import ResilientDecoding
import Testing

struct ResilientTests {
  @Test func `a value can be wrapped by both initializers`() {
    #expect(Resilient(3).wrappedValue == 3)
    #expect(Resilient(wrappedValue: "a").wrappedValue == "a")
    #expect(Declared().name == "unnamed")
    #expect(Declared(name: "a").name == "a")
  }

  @Test(arguments: [[1], [1, 2], []])
  func `it is equal and has the same hash if its value does`(value: [Int]) throws {
    let json = "[\((value.map(String.init) + ["null"]).joined(separator: ","))]"
    let (decoded, _) = try Format.json.decode(Resilient<[Int]>.self, from: json)
    #expect(decoded == Resilient(value))
    #expect(decoded != Resilient(value + [9]))
    #expect(Set([decoded, Resilient(value)]).count == 1)
    #expect(decoded.hashValue == Resilient(value).hashValue)
  }

  @Test func `a model of resilient properties is Equatable, Hashable and Sendable`() async throws {
    let json = Data(#"{"numbers": [1, "x"], "kind": "novel", "byName": {"a": 1}}"#.utf8)
    let model = try JSONDecoder().decode(Everything.self, from: json)
    let received = await Task.detached { model }.value
    #expect(received == model)
    #expect(Set([received, model]).count == 1)
    #expect(received.numbers == [1])
    requireSendable(Everything.self)
    requireSendable(Resilient<[Kind]?>.self)
  }

  @Test func `a value can be changed`() throws {
    let json = Data(#"{"numbers": [1, "x"], "kind": "novel", "byName": {"a": 1}}"#.utf8)
    var model = try JSONDecoder().decode(Everything.self, from: json)
    model.numbers.append(2)
    model.kind = .house
    #expect(model.numbers == [1, 2])
    #expect(model.kind == .house)
  }

  #if !DEBUG
    @Test func `it takes no memory in a release build`() {
      expectSameLayout(Int.self)
      expectSameLayout(Bool.self)
      expectSameLayout(UInt8?.self)
      expectSameLayout(Int?.self)
      expectSameLayout(String.self)
      expectSameLayout(String?.self)
      expectSameLayout([Int].self)
      expectSameLayout([Int]?.self)
      expectSameLayout([String: Kind].self)
      expectSameLayout(Kind?.self)
      expectSameLayout(Mood.self)
      expectSameLayout(Point?.self)
      expectSameLayout(Odd.self)
      expectSameLayout(Nothing.self)
    }

    private func expectSameLayout<Value: Decodable>(
      _ type: Value.Type,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      func layout<T>(_ type: T.Type) -> [Int] {
        [
          MemoryLayout<T>.size, MemoryLayout<T>.stride, MemoryLayout<T>.alignment,
          MemoryLayout<T?>.size,
        ]
      }
      #expect(layout(Resilient<Value>.self) == layout(type), sourceLocation: sourceLocation)
    }
  #endif
}

private func requireSendable<T: Sendable>(_ type: T.Type) {}

private struct Declared: Decodable {
  @Resilient var name: String? = "unnamed"
}

private struct Everything: Decodable, Hashable, Sendable {
  @Resilient var numbers: [Int]
  @Resilient var kind: Kind?
  @Resilient var byName: [String: Int]
}

/// Nine bytes with a stride of sixteen.
private struct Odd: Decodable {
  let wide: Int64
  let narrow: Int8
}

private struct Nothing: Decodable {}
