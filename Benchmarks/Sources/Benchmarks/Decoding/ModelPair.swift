/// One model twice: as plain `Decodable`, and with the wrappers of the library.
protocol ModelPair {
  associatedtype Plain: Decodable & Hashable
  associatedtype Recovering: Decodable & Hashable
}
