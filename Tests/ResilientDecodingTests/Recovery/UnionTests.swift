import Foundation
import ResilientDecoding
import Testing

/// Unions that are written as the article describes them.
struct UnionTests {
  static let json = #"""
    {"blocks": [{"type": "text", "body": "a"}, {"type": "poll", "options": []}, {"type": "image"},
     {"body": "b"}, {"type": 5}, {"type": "text", "body": null}]}
    """#

  private static let malformed = [
    "blocks[2]/url: keyNotFound", "blocks[3]/type: keyNotFound",
    "blocks[4]/type: typeMismatch String", "blocks[5]/body: valueNotFound String",
  ]

  @Test(arguments: Format.allCases)
  func `an unknown member becomes the fallback, and its discriminator is a novel value`(
    format: Format
  ) throws {
    let (page, digest) = try format.decode(Page<OpenBlock>.self, from: Self.json)
    #expect(page.blocks == [.text(TextBlock(body: "a")), .other("poll")])
    #expect(
      digest?.reports == ["blocks[1].type: unknownNovelValue BlockType = poll"] + Self.malformed)
  }

  @Test(arguments: Format.allCases)
  func `an unknown member is left out, and its discriminator is a novel value`(
    format: Format
  ) throws {
    let (page, digest) = try format.decode(Page<Block>.self, from: Self.json)
    #expect(page.blocks == [.text(TextBlock(body: "a"))])
    let novel = "blocks[1]/type: unknownNovelValue BlockType = poll"
    #expect(digest?.reports == [novel] + Self.malformed)
    #expect(digest?.errors.count == 4)
  }
}

private enum BlockType: String, ResilientRawRepresentable { case text, image }

private struct TextBlock: Decodable, Equatable { let body: String }
private struct ImageBlock: Decodable, Equatable { let url: String }

private enum OpenBlock: Decodable, Equatable {
  case text(TextBlock)
  case image(ImageBlock)
  case other(String)

  private enum CodingKeys: CodingKey { case type }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Open<BlockType>.self, forKey: .type) {
    case .known(.text): self = .text(try TextBlock(from: decoder))
    case .known(.image): self = .image(try ImageBlock(from: decoder))
    case .unknown(let name): self = .other(name)
    }
  }
}

private enum Block: Decodable, Equatable {
  case text(TextBlock)
  case image(ImageBlock)

  private enum CodingKeys: CodingKey { case type }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(BlockType.self, forKey: .type) {
    case .text: self = .text(try TextBlock(from: decoder))
    case .image: self = .image(try ImageBlock(from: decoder))
    }
  }
}

private struct Page<Block: Decodable>: Decodable {
  @Resilient var blocks: [Block]
}
