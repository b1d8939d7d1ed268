import ResilientDecoding

extension ErrorDigest {
  /// Traps when the digest is none that a reporter may give.
  func check(maximumEntries: Int) {
    promise(!entries.isEmpty, "An empty digest is nil")
    promise(entries.count <= maximumEntries, "There are too many entries")
    promise(omissions.count <= 2 * maximumEntries + 1, "There are too many omissions")
    promise(
      omissions.isEmpty || entries.count == maximumEntries, "There was room for what is omitted")
    promise(
      errorCount == omissions.reduce(entries.count) { $0 + $1.count }, "Errors are miscounted")
    promise(omissions.allSatisfy { $0.count > 0 }, "Nothing is omitted")
    promise(
      errors.count <= entries.count
        && errors(includeUnknownNovelValueErrors: true).count == entries.count,
      "Errors are not those of the entries")
    for entry in entries { entry.check() }
    for line in debugDescription.split(separator: "\n", omittingEmptySubsequences: false) {
      promise(
        line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control },
        "A control character got into the description")
    }
  }
}

extension ErrorDigest.Entry {
  fileprivate func check() {
    codingPath.check()
    recoveryPath.check()
    promise(
      codingPath.components.starts(with: recoveryPath.components), "Recovered from elsewhere")
    promise(failure.codingPath.description == codingPath.pattern, "The pattern is another one")
    if kind == .unknownNovelValue { promise(novelValue != nil, "The novel value is missing") }
    if kind == .keyNotFound || kind == .missingKey {
      promise(foundValue == nil, "A missing key has a value")
    }
    if let text = foundValue?.text {
      promise(text.unicodeScalars.count <= 1_001, "What was found is too long")
    }
  }
}

extension ErrorDigest.Path {
  fileprivate func check() {
    let read = Self(pattern).flatMap {
      Self(description)?.markingDictionaryKeys(of: $0)
    }
    promise(read == self, "The path reads as another one")
  }
}
