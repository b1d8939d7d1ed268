/// The place that an error was recovered from.
///
/// The elements of an array share everything but their index: their pattern is built once, and the
/// path of one only for an entry.
package struct RecoveryPlace {
  private let container: ErrorDigest.Path
  private let last: ErrorDigest.Path.Component?

  /// The pattern of the whole path.
  let pattern: ErrorDigest.Path

  package init(_ codingPath: [any CodingKey]) {
    container = ErrorDigest.Path(codingPath)
    last = nil
    pattern = container.generalized
  }

  private init(element index: Int, of place: RecoveryPlace, pattern: ErrorDigest.Path) {
    container = place.container
    last = .index(index)
    self.pattern = pattern
  }

  var path: ErrorDigest.Path {
    last.map { ErrorDigest.Path(container.components + [$0]) } ?? container
  }

  /// Returns a function that returns the place of the element at an index.
  func elements() -> (Int) -> RecoveryPlace {
    let pattern = ErrorDigest.Path(pattern.components + [.anyIndex])
    return { RecoveryPlace(element: $0, of: self, pattern: pattern) }
  }

  /// Returns the part of an error's path that follows this place.
  ///
  /// Decoders differ in how much of the path they put into an error. A path that does not begin
  /// with this place is from another decoder, such as one that an `init(from:)` created: it has no
  /// tail.
  func tail(of codingPath: [any CodingKey]) -> [any CodingKey] {
    let depth = container.components.count + (last == nil ? 0 : 1)
    guard codingPath.count > depth else { return [] }
    let codingPath = codingPath.withSingleIndices
    guard codingPath.count > depth else { return [] }
    for (component, key) in zip(container.components, codingPath) {
      guard component.matches(key) else { return [] }
    }
    if let last, !last.matches(codingPath[depth - 1]) { return [] }
    return Array(codingPath[depth...])
  }
}

extension ErrorDigest.Path.Component {
  fileprivate func matches(_ key: any CodingKey) -> Bool {
    switch self {
    case .index(let index): key.intValue == index
    case .key(let name), .dictionaryKey(let name): key.stringValue.hasSameScalars(as: name)
    case .anyIndex, .anyDictionaryKey: false
    }
  }
}
