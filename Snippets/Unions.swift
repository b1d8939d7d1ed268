// Unions whose members a discriminator tells apart, and that get new members.

import Foundation
import ResilientDecoding

enum BlockType: String, ResilientRawRepresentable { case text, image }

struct Text: Codable { let body: String }

struct Image: Codable {
  let url: String
  @Resilient var width: Int?
}

let json = #"""
  {
    "blocks": [
      {"type": "text", "body": "Hello"},
      {"type": "poll", "options": []},
      {"type": "image", "url": "a.png", "width": "wide"},
      {"type": "image"}
    ]
  }
  """#

// MARK: - A fallback for unknown members

enum Block: Decodable {
  case text(Text)
  case image(Image)
  case other(String)

  private enum CodingKeys: CodingKey { case type }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Open<BlockType>.self, forKey: .type) {
    case .known(.text): self = .text(try Text(from: decoder))
    case .known(.image): self = .image(try Image(from: decoder))
    case .unknown(let name): self = .other(name)
    }
  }
}

struct Page: Decodable {
  @Resilient var blocks: [Block]
}

let page = try show(Page.self, json)
print(page.blocks.count)
print("--")

// MARK: - Unknown members are left out

enum KnownBlock: Decodable {
  case text(Text)
  case image(Image)

  private enum CodingKeys: CodingKey { case type }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(BlockType.self, forKey: .type) {
    case .text: self = .text(try Text(from: decoder))
    case .image: self = .image(try Image(from: decoder))
    }
  }
}

struct KnownPage: Decodable {
  @Resilient var blocks: [KnownBlock]
}

let knownPage = try show(KnownPage.self, json)
print(knownPage.blocks.count)
print("--")

// MARK: - Encoding

extension Block: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .text(let text):
      try container.encode(BlockType.text.rawValue, forKey: .type)
      try text.encode(to: encoder)
    case .image(let image):
      try container.encode(BlockType.image.rawValue, forKey: .type)
      try image.encode(to: encoder)
    case .other(let name):
      try container.encode(name, forKey: .type)
    }
  }
}

let encoder = JSONEncoder()
encoder.outputFormatting = .sortedKeys
print(String(decoding: try encoder.encode(page.blocks), as: UTF8.self))

/// Decodes a value and prints the entries of its digest.
func show<Model: Decodable>(_ type: Model.Type, _ json: String) throws -> Model {
  let (model, digest) = try JSONDecoder().decode(
    type, from: Data(json.utf8), reportResilientDecodingErrors: true)
  for entry in digest?.entries ?? [] {
    print(entry.codingPath, entry.kind, "recovered at \(entry.recoveryPath)")
  }
  return model
}
