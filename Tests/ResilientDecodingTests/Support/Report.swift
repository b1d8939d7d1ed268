import ResilientDecoding

extension ErrorDigest {
  /// What entries say that does not depend on the decoder and its version, a line each.
  ///
  /// `items[1]/zip: typeMismatch Int` is an error at `items[1].zip` that was recovered from at
  /// `items[1]`, where an `Int` was expected. A dictionary's key is in braces, and a novel value
  /// follows: `kinds{a}: unknownNovelValue Kind = villa`.
  var reports: [String] { entries.map(\.report) }

  var paths: [String] { entries.map(\.codingPath.description) }
}

extension ErrorDigest.Entry {
  var report: String {
    let expected = expectedType.map { " " + $0.replacing(/\w+Tests\./, with: "") } ?? ""
    let novel = novelValue.map { " = " + $0.text + ($0.type == "String" ? "" : ": \($0.type)") }
    return "\(places): \(kind)\(expected)\(novel?.replacing(/\w+Tests\./, with: "") ?? "")"
  }

  /// The place of the recovery, and the way from there to the error.
  private var places: String {
    let place = recoveryPath.components
    guard codingPath.components.starts(with: place) else {
      return "\(codingPath) outside \(recoveryPath)"
    }
    let tail = codingPath.components.dropFirst(place.count)
    return text(place) + (tail.isEmpty ? "" : "/" + text(tail))
  }

  private func text(_ components: some Sequence<ErrorDigest.Path.Component>) -> String {
    components.reduce("") { path, component in
      switch component {
      case .key(let name): path.isEmpty ? name : "\(path).\(name)"
      case .index(let index): "\(path)[\(index)]"
      case .dictionaryKey(let name): "\(path){\(name)}"
      case .anyIndex, .anyDictionaryKey: "\(path)*"
      }
    }
  }
}
