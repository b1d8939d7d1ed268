// A wrapper whose type is only known at run time, and a `Resilient` used as a type.

import Foundation
import ResilientDecoding

// MARK: - A generic model

struct Page<Content: Decodable>: Decodable {
  @Resilient var content: Content
  @Resilient var next: Int?
}

let numbers = try JSONDecoder().decode(
  Page<[Int]>.self, from: Data(#"{"content": [1, "two", 3]}"#.utf8))
print(numbers.content)

let nested = try JSONDecoder().decode(
  Page<[String: [Int?]]>.self,
  from: Data(#"{"content": {"a": [1, "two", null], "b": 3}}"#.utf8))
print(nested.content)

do {
  _ = try JSONDecoder().decode(Page<Int>.self, from: Data(#"{"content": "two"}"#.utf8))
} catch DecodingError.typeMismatch(let type, _) {
  print("thrown: no \(type)")
}

// MARK: - Top-level

let list = try JSONDecoder().decode(Resilient<[Int]>.self, from: Data(#"[1, "two", 3]"#.utf8))
print(list.wrappedValue)

// MARK: - As a type

struct Image: Decodable {
  var url: String
  var width: Int?
}

struct Product: Decodable {
  let sizes: Resilient<[Int]>
  let image: Resilient<Image?>
}

let product = try JSONDecoder().decode(
  Product.self,
  from: Data(#"{"sizes": [38, "?", 40], "image": {"url": "a.png", "width": 3}}"#.utf8))
print(product.sizes.count, product.sizes[1], product.sizes.map { $0 + 1 })
print(product.image.url ?? "no image", product.image.width ?? 0)

let bare = try JSONDecoder().decode(Product.self, from: Data("{}".utf8))
print(bare.sizes.isEmpty, bare.image.url ?? "no image")
