import ResilientDecoding

/// A level with leaves, which is lost if its id is malformed.
struct Level: Decodable, Hashable {
  @Resilient var levels: [Level]
  @Resilient var leaves: [Point]
  let id: Int
}

/// The same without the wrapper and the id.
struct PlainLevel: Decodable, Hashable {
  let levels: [PlainLevel]
  let leaves: [Point]
}
