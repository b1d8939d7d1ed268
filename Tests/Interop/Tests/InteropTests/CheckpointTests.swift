import ResilientDecoding
import Testing

struct CheckpointTests {
  static let rows: [Row<[Entry]>] = [
    Row(
      "an attempt that succeeds",
      json: #"{"p": [{"cells": [1, "x"], "id": 7}]}"#,
      yaml: "p: [{cells: [1, x], id: 7}]",
      xml: "<r><p><cells>1</cells><cells>x</cells><id>7</id></p></r>",
      [.numbered(7, [1])],
      Report("p[0].cells[1]", .typeMismatch, expecting: "Int")
    ),
    Row(
      "an attempt that reports, and throws",
      json: #"{"p": [{"cells": [1, "x"]}]}"#,
      yaml: "p: [{cells: [1, x]}]",
      xml: "<r><p><cells>1</cells><cells>x</cells></p></r>",
      [.plain([1])],
      Report("p[0].cells[1]", .typeMismatch, expecting: "Int")
    ),
  ]

  @Test(arguments: rows, Way.all)
  func `what a failed attempt has reported is taken back`(row: Row<[Entry]>, way: Way) throws {
    try row.verify(GenericModel<[Entry]>.self, way, \.p)
  }
}

/// Has one of two forms: the second has all that the first reports before it throws.
enum Entry: Decodable, Equatable {
  case numbered(Int, [Int])
  case plain([Int])

  init(from decoder: any Decoder) throws {
    do {
      let numbered = try decoder.withReportingCheckpoint { try Numbered(from: decoder) }
      self = .numbered(numbered.id, numbered.cells)
    } catch {
      self = .plain(try Line(from: decoder).cells)
    }
  }

  private struct Numbered: Decodable {
    @Resilient var cells: [Int]
    let id: Int
  }
}
