import ResilientDecoding

extension Suite {
  static var hostileInput: Self {
    Self(
      title: "Hostile input",
      caption: """
        An array of 200,000 bad elements: with a reporter against without one. Nests of nodes that \
        all lack their id, as many as have 1,600 levels in total: against a walk written by hand \
        that recovers in the same way. What the library adds is linear in the depth when its \
        ratios are alike; what Foundation needs to throw from a depth is in both.
        """,
      comparisons: [
        Comparison(name: "200,000 bad elements, reported", target: 1.5, prepare: badElements)
      ] + [40, 80, 160].flatMap { [nests($0), nests($0, reported: true)] }
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
    Comparison(name: "nests \(depth) deep\(reported ? ", reported" : "")") {
      let count = 1_600 / depth
      // The outermost node has an id, so that there is something to decode at all.
      let innards = (1..<depth).reduce(Document.object([:])) { child, _ in ["children": [child]] }
      let nest = Document.object(["id": 0, "children": [innards]])
      let nests = Document.array(Array(repeating: nest, count: count))
      let remains = Array(repeating: Node(children: [], id: 0), count: count)
      return Comparison.Pair(
        reference: try Format.json.decoding([NodeByHand].self, from: nests),
        measured: try Format.json.decoding(
          [Node].self, from: nests,
          reportingTo: reported ? ResilientDecodingErrorReporter() : nil
        ),
        expected: Outcome(value: remains, errorCount: reported ? 1_600 : 0)
      )
    }
  }
}
