/// An element that is a struct.
struct Point: Decodable, Hashable {
  let x: Int
  let y: Int
}
