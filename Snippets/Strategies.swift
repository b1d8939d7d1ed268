// What each wrapper makes of a value that is not what the model expects.

import Foundation
import ResilientDecoding

// MARK: - Defaults

enum Untitled: DefaultValueProvider { static var defaultValue: String { "untitled" } }

struct Song: Decodable {
  @ResilientDefault<Untitled> var name: String
  @ResilientDefault<DefaultValue.Zero<Int>> var plays: Int
  @ResilientElements<Untitled> var verses: [String]
}

let song = try show(Song.self, #"{"name": 7, "verses": ["la", 8, null]}"#)
print(song.name, song.plays, song.verses)

// MARK: - Conversions

struct Product: Decodable {
  @ResilientLossless var id: String
  @ResilientLossless var price: Double
  @ResilientLossless var sizes: [Int]
  @ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>> var stock: Int
  @ResilientLossless @ResilientElements<Untitled> var names: [String]
}

let product = try show(
  Product.self,
  #"""
  {"id": 17, "price": "12.2", "sizes": [38, "39", 39.5], "stock": "many", "names": ["a", 1, {}]}
  """#)
print(product.id, product.price, product.sizes, product.stock, product.names)

// MARK: - Wrappers as types

struct Report: Decodable {
  @Resilient var pages: [ResilientDefault<Untitled>]
  @Resilient var scores: [String: ResilientLossless<Int>]
}

let report = try show(
  Report.self, #"{"pages": ["one", 2], "scores": {"a": 1, "b": "2", "c": "x"}}"#)
print(report.pages.map(\.wrappedValue), report.scores.mapValues(\.wrappedValue).sorted { $0 < $1 })

// MARK: - Raw values

enum Plan: String, ResilientRawRepresentable {
  case free, plus
  case unknown
  static var decodingFallback: Self { .unknown }
}

enum Currency: String, ResilientRawRepresentable {
  case euro, dollar
  static var isFrozen: Bool { true }
}

struct Account: Decodable {
  @Resilient var plan: Plan
  @Resilient var currency: Currency?
  @Resilient var plans: [Plan]
}

let account = try show(
  Account.self, #"{"plan": "team", "currency": "yen", "plans": ["free", "team"]}"#)
print(account.plan, account.currency as Any, account.plans)

// MARK: - A value that a property is declared with

struct Post: Decodable {
  let id: Int
  @Resilient var tags: [String] = ["new"]
}

print(Post(id: 1).tags, try show(Post.self, #"{"id": 2}"#).tags)

// MARK: - What cannot recover

struct Strict: Decodable {
  @Resilient var count: Int
}

do {
  _ = try show(Strict.self, #"{"count": "many"}"#)
} catch DecodingError.typeMismatch {
  print("thrown: typeMismatch")
}

/// Decodes a value and prints the entries of its digest.
func show<Model: Decodable>(_ type: Model.Type, _ json: String) throws -> Model {
  let (model, digest) = try JSONDecoder().decode(
    type, from: Data(json.utf8), reportResilientDecodingErrors: true)
  for entry in digest?.entries ?? [] {
    print(entry.codingPath, entry.kind, entry.foundValue?.text ?? "-")
  }
  return model
}
