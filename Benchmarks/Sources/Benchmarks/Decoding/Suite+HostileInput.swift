import ResilientDecoding

extension Suite {
  static var hostileInput: Self {
    Self(
      title: "Hostile input",
      caption: """
        200,000 elements of an array are bad: with a reporter against without one. Nodes that all \
        lack their id, each the only child of another: the same number of levels in total, in \
        deeper nests against nests of 40. What is flat is linear.
        """,
      comparisons: [
        Comparison(name: "200,000 bad elements, reported", target: 1.5, prepare: badElements),
        nests(80), nests(160), nests(80, reported: true), nests(160, reported: true),
      ]
    )
  }

  private static func badElements() throws -> Comparison.Pair {
    let count = 200_000
    let document = Document.object(["value": .array(Array(repeating: "x", count: count))])
    let nothing = OneField.Scalars.Recovering(value: [])
    return Comparison.Pair(
      reference: try Format.json.decoding(OneField.Scalars.Recovering.self, from: document),
      measured: try Format.json.decoding(
        OneField.Scalars.Recovering.self, from: document,
        reportingTo: ResilientDecodingErrorReporter()
      ),
      expected: Outcome(value: nothing, errorCount: count)
    )
  }

  private static func nests(_ depth: Int, reported: Bool = false) -> Comparison {
    let name = "nests of \(depth) against 40\(reported ? ", reported" : "")"
    return Comparison(name: name) {
      Comparison.Pair(
        reference: try nests(of: 40, reported: reported),
        measured: try nests(of: depth, reported: reported)
      )
    }
  }

  /// Makes the work of decoding as many nests as have 3,200 levels in total.
  private static func nests(of depth: Int, reported: Bool) throws -> Comparison.Work {
    // The outermost node has an id, so that there is something to decode at all.
    let innards = (1..<depth).reduce(Document.object([:])) { child, _ in
      ["children": [child]]
    }
    let decode = try Format.json.decoding(
      Node.self, from: ["id": 0, "children": [innards]],
      reportingTo: reported ? ResilientDecodingErrorReporter() : nil
    )
    return {
      var levels = 0
      for _ in 0..<3_200 / depth {
        let outcome = try decode()
        blackHole(outcome)
        levels += reported ? outcome.errorCount : depth
      }
      return Outcome(value: Node(children: [], id: 0), errorCount: levels)
    }
  }
}

/// A node that is lost, with all that is under it, for want of an id.
private struct Node: Decodable, Hashable {
  @Resilient var children: [Node]
  let id: Int
}
