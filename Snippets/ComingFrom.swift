// Adapters for models that still use another package. Its API is written down in a few lines here,
// so that nothing has to be resolved.

import DigestStore
import Foundation
import ResilientDecoding

let store = try DigestStore(path: "digests.sqlite")

// MARK: - BetterCodable

/// A default of BetterCodable.
protocol DefaultCodableStrategy {
  associatedtype DefaultValue: Decodable
  static var defaultValue: DefaultValue { get }
}

struct UntitledStrategy: DefaultCodableStrategy {
  static var defaultValue: String { "untitled" }
}

// snippet.show
/// Uses a strategy of BetterCodable as the default of a `ResilientDefault`.
enum Strategy<Default: DefaultCodableStrategy>: DefaultValueProvider {
  static var defaultValue: Default.DefaultValue { Default.defaultValue }
}

struct Song: Decodable {
  @ResilientDefault<Strategy<UntitledStrategy>> var name: String
}

let song = try JSONDecoder().decode(
  Song.self, from: Data(#"{"name": 7}"#.utf8), recordingTo: store)
for failure in try store.failures(matching: DigestFilter(model: "*.Song")) {
  print(song.name, failure.codingPath, failure.kind, failure.foundValue ?? "-")
}
// snippet.hide

// MARK: - MetaCodable

/// A coder of a property, in MetaCodable.
protocol HelperCoder {
  associatedtype Coded
  func decode(from decoder: any Decoder) throws -> Coded
}

// snippet.show
/// Decodes a property of a MetaCodable model as `Resilient` does, with its reports.
struct ResilientCoder<Coded: Decodable>: HelperCoder {
  func decode(from decoder: any Decoder) throws -> Coded {
    try Resilient<Coded>(from: decoder).wrappedValue
  }
}
// snippet.hide

/// What `@Codable` makes of `@CodedBy(ResilientCoder<[Int]>()) let sizes: [Int]`.
struct Product: Decodable {
  let sizes: [Int]

  private enum CodingKeys: CodingKey { case sizes }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    sizes = try ResilientCoder<[Int]>().decode(from: container.superDecoder(forKey: .sizes))
  }
}

let product = try JSONDecoder().decode(
  Product.self, from: Data(#"{"sizes": [38, "?", 40]}"#.utf8), recordingTo: store)
for failure in try store.failures(matching: DigestFilter(model: "*.Product")) {
  print(product.sizes, failure.codingPath, failure.kind, failure.foundValue ?? "-")
}

// MARK: - KarrotCodableKit

/// The errors that KarrotCodableKit reports in a decode.
struct KarrotDigest {
  let errors: [any Error]
}

enum CodingKeys: CodingKey { case price }

/// Decodes as `JSONDecoder.decode(_:from:reportResilientDecodingErrors:)` of KarrotCodableKit does.
func decodeWithKarrot<Model: Decodable>(
  _ type: Model.Type, from data: Data
) throws -> (Model, KarrotDigest?) {
  let path = [CodingKeys.price]
  let error = DecodingError.typeMismatch(
    Double.self, DecodingError.Context(codingPath: path, debugDescription: "a string"))
  return (try JSONDecoder().decode(type, from: data), KarrotDigest(errors: [error]))
}

struct Listing: Decodable { let id: Int }

let data = Data(#"{"id": 1, "price": "ask us"}"#.utf8)

// snippet.show
/// Records the errors that KarrotCodableKit reports, and the error that a decode throws.
func record<Model: Decodable>(
  _ type: Model.Type, in store: DigestStore, decode: () throws -> (Model, errors: [any Error])
) rethrows -> Model {
  let reporter = PersistentErrorReporter(store: store, model: type)
  defer { reporter.flushReportedErrors() }
  return try reporter.collectErrors {
    let (model, errors) = try decode()
    for error in errors { reporter.report(error, decoding: type) }
    return model
  }
}
// snippet.hide

// snippet.show
let listing = try record(Listing.self, in: store) {
  let (listing, digest) = try decodeWithKarrot(Listing.self, from: data)
  return (listing, digest?.errors ?? [])
}
// snippet.hide
for failure in try store.failures(matching: DigestFilter(model: "*.Listing")) {
  print(listing.id, failure.codingPath, failure.kind, failure.expectedType ?? "-")
}
try store.close()
