import ResilientDecoding

/// A node that is lost, with all that is under it, for want of an id.
struct Node: Decodable, Hashable {
  @Resilient var children: [Node]
  let id: Int
}

/// The same without the wrapper: how its author would do it who knew of no library.
struct NodeByHand: Decodable, Hashable {
  let children: [NodeByHand]
  let id: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    children = container.contains(.children) ? try Self.children(in: container) : []
    id = try container.decode(Int.self, forKey: .id)
  }

  private static func children(
    in container: KeyedDecodingContainer<CodingKeys>
  ) throws -> [NodeByHand] {
    var elements = try container.nestedUnkeyedContainer(forKey: .children)
    var children: [NodeByHand] = []
    while !elements.isAtEnd {
      do {
        children.append(try elements.decode(NodeByHand.self))
      } catch {
        _ = try elements.decode(Skipped.self)
      }
    }
    return children
  }

  private enum CodingKeys: CodingKey { case children, id }

  private struct Skipped: Decodable {
    init(from decoder: any Decoder) throws {}
  }
}
