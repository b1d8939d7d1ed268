import Foundation
import ResilientDecoding
import Testing

/// The other conformances of all wrappers.
struct StrategyWrapperTests {
  private static let json = #"{"name": 1, "tags": ["a", 2], "price": "x", "stock": {}}"#

  @Test func `wrappers with equal values are equal and have equal hashes`() throws {
    let (decoded, _) = try Format.json.decode(Model.self, from: Self.json)
    let made = Model(name: "untitled", tags: ["a", "untitled"], price: nil, stock: 0)
    #expect(decoded == made)
    #expect(Set([decoded, made]).count == 1)
    for other in [
      Model(name: "other", tags: ["a", "untitled"], price: nil, stock: 0),
      Model(name: "untitled", tags: ["a"], price: nil, stock: 0),
      Model(name: "untitled", tags: ["a", "untitled"], price: 1, stock: 0),
      Model(name: "untitled", tags: ["a", "untitled"], price: nil, stock: 1),
    ] {
      #expect(decoded != other)
    }
  }

  @Test func `a model of wrappers is Sendable`() async throws {
    let model = try Format.json.decode(Model.self, from: Self.json).0
    let received = await Task.detached { model }.value
    #expect(received == model)
  }

  @Test func `a property can have an initial value and be changed`() {
    var model = Declared()
    #expect(model.name == "a" && model.tags == ["b"] && model.price == 1)
    model.name = "c"
    model.tags.append("d")
    model.price += 1
    #expect(model.name == "c" && model.tags == ["b", "d"] && model.price == 2)
  }

  #if DEBUG
    @Test func `setting a value resets the outcome`() throws {
      var (model, _) = try Format.json.decode(Model.self, from: Self.json)
      #expect(model.outcomes == Array(repeating: "recovered", count: 4))
      model.name = "a"
      model.tags[1] = "b"
      model.price = 1
      model.stock = 2
      #expect(model.outcomes == Array(repeating: "decoded", count: 4))
      #expect(model.$tags.errors.isEmpty && model.$tags.results.count == 2)
    }
  #else
    @Test func `it takes no memory in a release build`() {
      expectSameLayout(String.self, ResilientDefault<Untitled>.self)
      expectSameLayout(Bool.self, ResilientDefault<DefaultValue.True>.self)
      expectSameLayout(Int?.self, ResilientDefault<DefaultValue.Zero<Int>?>.self)
      expectSameLayout(Point.self, ResilientDefault<Origin>.self)
      expectSameLayout([String].self, ResilientElements<Untitled>.self)
      expectSameLayout(Int.self, ResilientLossless<Int>.self)
      expectSameLayout(UInt8?.self, ResilientLossless<UInt8?>.self)
      expectSameLayout([String: Int].self, ResilientLossless<[String: Int]>.self)
      expectSameLayout(Int.self, ResilientLossless<ResilientDefault<DefaultValue.Zero<Int>>>.self)
    }

    private func expectSameLayout<Value, Wrapper>(_: Value.Type, _: Wrapper.Type) {
      #expect(MemoryLayout<Wrapper>.size == MemoryLayout<Value>.size)
      #expect(MemoryLayout<Wrapper>.stride == MemoryLayout<Value>.stride)
      #expect(MemoryLayout<Wrapper>.alignment == MemoryLayout<Value>.alignment)
    }
  #endif
}

private struct Model: Decodable, Hashable, Sendable {
  @ResilientDefault<Untitled> var name: String
  @ResilientElements<Untitled> var tags: [String]
  @ResilientLossless var price: Double?
  @ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>> var stock: Int

  #if DEBUG
    var outcomes: [String] {
      [$name.outcome, $tags.outcome, $price.outcome, $stock.outcome].map {
        if case .decodedSuccessfully = $0 { "decoded" } else { "recovered" }
      }
    }
  #endif
}

private struct Declared {
  @ResilientDefault<Untitled> var name = "a"
  @ResilientElements<Untitled> var tags = ["b"]
  @ResilientLossless var price = 1.0
}
