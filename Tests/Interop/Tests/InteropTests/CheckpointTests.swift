import ResilientDecoding
import Testing

struct CheckpointTests {
  @Test func `what a failed attempt has reported is taken back`() throws {
    let rows: [Row<[Entry]>] = [
      Row(
        #"{"p": [{"cells": [1, "x"], "id": 7}]}"#, [.numbered(7, [1])],
        "p[0].cells[1]: typeMismatch Int"),
      Row(#"{"p": [{"cells": [1, "x"]}]}"#, [.plain([1])], "p[0].cells[1]: typeMismatch Int"),
    ]
    try verify(rows, GenericModel<[Entry]>.self, \.p)
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
