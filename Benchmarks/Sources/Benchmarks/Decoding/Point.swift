import ResilientDecoding

/// An element that is a struct.
struct Point: Decodable, Hashable {
  let x: Int
  let y: Int
}

/// Lines whose ends are plain members.
struct Lines: Decodable, Hashable {
  @Resilient var value: [Line]
}

/// An element whose members are structs.
struct Line: Decodable, Hashable {
  let start: Point
  let end: Point
}
