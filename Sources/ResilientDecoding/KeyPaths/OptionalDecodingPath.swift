/// The keys that lead to a value, of which some may be missing: those to the right of a `=>?`.
///
/// It can only be decoded to an optional, which the compiler checks. Of `"a" =>? ["b", "c"]` the
/// key `b` may be missing or null; where it is neither, it must have a `c`.
public struct OptionalDecodingPath: Sendable, Hashable {
  let steps: [Step]

  struct Step: Sendable, Hashable {
    let key: String
    var isOptional = false
  }

  init(_ steps: [Step]) {
    self.steps = steps
  }

  init(_ path: DecodingPath) {
    self.init(path.keys.map { Step(key: $0) })
  }

  var withOptionalFirstKey: Self {
    guard let first = steps.first else { return self }
    return Self([Step(key: first.key, isOptional: true)] + steps.dropFirst())
  }
}
