import ResilientDecoding
import Testing

struct ResilientCollectionTests {
  @Test(arguments: Format.allCases)
  func `a constant of a model is a collection`(format: Format) throws {
    let (shop, digest) = try format.decode(
      Shop.self, from: #"{"products": ["c", 5, "a", "b"], "byName": {"a": 1, "b": "x"}}"#)
    #expect(Array(shop.products) == ["c", "a", "b"])
    #expect(shop.products.count == 3 && shop.products[1] == "a")
    #expect(shop.products.sorted() == ["a", "b", "c"])
    #expect(Array(shop.products.reversed()) == ["b", "a", "c"])
    #expect(shop.products[1...].map { $0 + "!" } == ["a!", "b!"])
    #expect(shop.products.dropFirst().first == "a" && shop.products.last == "b")
    #expect(shop.byName.map(\.key) == ["a"])
    #expect(digest?.found == ["products[1]: number 5", #"byName.b: string "x""#])
  }

  @Test func `generic algorithms see the value's collection type`() {
    var numbers = Resilient([3, 1, 2])
    #expect(rotated(numbers) == [1, 2, 3])
    #expect(lastIndex(of: numbers) == 2)
    #expect(total(numbers) == 6 && total(Resilient(Set([4, 5]))) == 9)
    #expect(Array(numbers.indices) == [0, 1, 2])
    #expect(numbers.underestimatedCount == 3)
    numbers.sort()
    #expect(numbers.wrappedValue == [1, 2, 3])
    numbers.swapAt(0, 2)
    numbers[1] += 5
    numbers.reverse()
    #expect(numbers.wrappedValue == [1, 7, 3])
    numbers[1...].sort()
    #expect(numbers.wrappedValue == [1, 3, 7])
  }

  @Test func `generic algorithms advance in constant time`() {
    func jump<Values: RandomAccessCollection>(in values: Values) -> (Values.Element, Int) {
      let index = values.index(values.startIndex, offsetBy: 2)
      return (values[index], values.distance(from: values.endIndex, to: index))
    }
    #expect(jump(in: Resilient([5, 6, 7, 8])) == (7, -2))
  }

  @Test func `an empty collection has no elements`() {
    let empty = Resilient([Int]())
    #expect(empty.isEmpty && empty.startIndex == empty.endIndex && empty.first == nil)
    #expect(empty.map { $0 } == [])
  }

  @Test func `indices are those of the value`() {
    let text = Resilient("añb")
    #expect(text.index(text.startIndex, offsetBy: 2) == text.index(before: text.endIndex))
    #expect(text.distance(from: text.startIndex, to: text.endIndex) == 3)
    #expect(String(text.reversed()) == "bña")
    #expect(text[text.index(after: text.startIndex)] == "ñ")
  }

  #if DEBUG
    @Test func `setting an element resets the outcome`() throws {
      var (numbers, _) = try Format.json.decode(Resilient<[Int]>.self, from: #"[1, "x", 3]"#)
      #expect(numbers.outcomeInWords == "recoveredFrom(ArrayDecodingError, wasReported: false)")
      numbers[0] = 2
      #expect(numbers.outcomeInWords == "decodedSuccessfully")
    }
  #endif

  private func rotated(_ values: some RandomAccessCollection<Int> & MutableCollection) -> [Int] {
    var values = values
    let first = values[values.startIndex]
    var index = values.startIndex
    while case let next = values.index(after: index), next != values.endIndex {
      values[index] = values[next]
      index = next
    }
    values[index] = first
    return Array(values)
  }

  private func lastIndex<Values: BidirectionalCollection>(of values: Values) -> Values.Index {
    values.index(before: values.endIndex)
  }

  private func total(_ values: some Sequence<Int>) -> Int { values.reduce(0, +) }
}

private struct Shop: Decodable {
  let products: Resilient<[String]>
  let byName: Resilient<[String: Int]>
}
