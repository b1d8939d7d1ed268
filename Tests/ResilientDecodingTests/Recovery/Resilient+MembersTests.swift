import ResilientDecoding
import Testing

struct ResilientMembersTests {
  private static let json = """
    {"image": {"url": "u", "caption": null, "size": {"width": 1}}, "broken": {"url": 5},
      "list": ["a"]}
    """

  @Test(arguments: Format.allCases)
  func `it forwards to the members of an optional`(format: Format) throws {
    let (page, _) = try format.decode(Page.self, from: Self.json)
    // Flat: an optional member of an optional is one optional.
    let url: String? = page.image.url
    let caption: String? = page.image.caption
    #expect(url == "u" && caption == nil)
    #expect(page.image.size?.width == 1)
    #expect(page.broken.url == nil && page.missing.caption == nil)
  }

  @Test func `it forwards to the members of a value, also for writing`() {
    var size = Resilient(Size(width: 1))
    #expect(size.width == 1)
    size.width = 5
    size.width += 1
    #expect(size.wrappedValue == Size(width: 6))
    #expect(size.doubled == 12)
  }

  @Test func `its own members take precedence`() throws {
    let (page, _) = try Format.json.decode(Page.self, from: Self.json)
    #expect(page.list.count == 1 && page.list.first == "a" && page.list.isEmpty == false)
    #expect(page.list.wrappedValue == ["a"])
    #expect(Resilient(Odd(wrappedValue: 1)).wrappedValue.wrappedValue == 1)
    #expect(Resilient(Odd(wrappedValue: 1)).hashValue == Resilient(Odd(wrappedValue: 1)).hashValue)
  }

  @Test func `members of a collection beyond its protocols are available too`() {
    let numbers = Resilient([1, 2])
    #expect(numbers.capacity >= 2)
    #expect(Resilient(["a": 1]).keys.contains("a"))
  }

  #if DEBUG
    @Test func `writing a member resets the outcome`() throws {
      var (list, _) = try Format.json.decode(Resilient<Basket>.self, from: #"{"items": [1]}"#)
      list.items = [2]
      #expect(list.outcomeInWords == "decodedSuccessfully")
      #expect(list.items == [2])
    }
  #endif
}

private struct Size: Decodable, Equatable {
  var width: Int

  var doubled: Int { width * 2 }
}

private struct Image: Decodable {
  let url: String
  let caption: String?
  let size: Size?
}

private struct Page: Decodable {
  let image: Resilient<Image?>
  let broken: Resilient<Image?>
  let missing: Resilient<Image?>
  let list: Resilient<[String]>
}

private struct Basket: Decodable {
  var items: [Int]
}

/// Has a member with the name of one of the wrapper's.
private struct Odd: Decodable, Hashable {
  let wrappedValue: Int
}
