import ResilientDecoding

extension Suite {
  static var hostileInput: Self {
    Self(
      title: "Hostile input",
      caption: """
        An array of 200,000 bad elements, numbers or members of an object's member: with a reporter \
        against without one. A thousand bad values below 250 levels: against 400 there. Nests of nodes that \
        all lack their id, as many as have 1,600 levels in total: against a walk written by hand \
        that recovers in the same way. What the library adds is linear in the depth when its \
        ratios are alike; what Foundation needs to throw from a depth is in both. 20,000 leaves \
        below 18 levels whose id is malformed, so that each level is searched for the member that \
        failed: against the plain model without an id.
        """,
      comparisons: [
        Comparison(name: "200,000 bad elements, reported", target: 1.5, prepare: badElements),
        Comparison(
          name: "200,000 bad members, reported", target: 1.5, prepare: badMembers),
        Comparison(name: "1,000 errors below 250 levels", target: 1.5) {
          try deepErrors(reporter: nil)
        },
        Comparison(name: "1,000 errors below 250 levels, reported", target: 1.5) {
          try deepErrors(reporter: ResilientDecodingErrorReporter())
        },
      ] + [40, 80, 160].flatMap { [nests($0), nests($0, reported: true)] }
        + [
          Comparison(name: "leaves below failing levels", target: 1.5) {
            try failingLevels(reporter: nil)
          },
          Comparison(name: "leaves below failing levels, reported", target: 1.5) {
            try failingLevels(reporter: ResilientDecodingErrorReporter())
          },
          Comparison(name: "leaves below failing levels, counted", target: 1.5) {
            try failingLevels(reporter: ResilientDecodingErrorReporter(maximumEntries: 1))
          },
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

  private static func badMembers() throws -> Comparison.Pair {
    let count = 200_000
    let element = Document.object(["start": ["x": 1, "y": "x"], "end": ["x": 1, "y": 1]])
    let document = Document.object(["value": .array(Array(repeating: element, count: count))])
    return Comparison.Pair(
      reference: try Format.json.decoding(Lines.self, from: document),
      measured: try Format.json.decoding(
        Lines.self, from: document, reportingTo: ResilientDecodingErrorReporter()),
      expected: Outcome(value: Lines(value: []), errorCount: count)
    )
  }

  private static func deepErrors(
    reporter: ResilientDecodingErrorReporter?
  ) throws -> Comparison.Pair {
    func document(_ count: Int) -> Document {
      let leaves = Document.array(Array(repeating: ["x": "x", "y": 1], count: count))
      let innermost = Document.object(["levels": [], "leaves": leaves, "id": 1])
      return (1..<125).reduce(innermost) { inner, _ in
        ["levels": [inner], "leaves": [], "id": 1]
      }
    }
    return Comparison.Pair(
      reference: try Format.json.decoding(Level.self, from: document(400), reportingTo: reporter),
      measured: try Format.json.decoding(Level.self, from: document(1_000), reportingTo: reporter)
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

  private static func failingLevels(
    reporter: ResilientDecodingErrorReporter?
  ) throws -> Comparison.Pair {
    let depth = 18
    let leaves = (0..<20_000).map { Document.object(["x": .integer($0), "y": 1]) }
    let innermost = Document.object(["levels": [], "leaves": .array(leaves), "id": "x"])
    let levels = (1..<depth).reduce(innermost) { inner, _ in
      ["levels": [inner], "leaves": [], "id": "x"]
    }
    let document = Document.object(["levels": [levels], "leaves": [], "id": 1])
    return Comparison.Pair(
      reference: try Format.json.decoding(PlainLevel.self, from: document),
      measured: try Format.json.decoding(Level.self, from: document, reportingTo: reporter),
      expected: Outcome(
        value: Level(levels: [], leaves: [], id: 1), errorCount: reporter == nil ? 0 : depth))
  }
}
