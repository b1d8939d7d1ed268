/// The number of errors of one model, kind and release.
package struct ErrorsOfRelease: Sendable, Hashable {
  /// The model, module-qualified, as in `App.Listing`.
  package let model: String
  /// The raw value of an `ErrorDigest.Kind`.
  package let kind: String
  /// The release; nil for digests without one.
  package let release: String?
  /// The number of errors.
  package let occurrences: Int
}

/// The number of decodes of one model and release.
package struct DecodesOfRelease: Sendable, Hashable {
  /// The model, module-qualified, as in `App.Listing`.
  package let model: String
  /// The release; nil for decodes without one.
  package let release: String?
  /// The number of decodes, with and without errors.
  package let decodes: Int
}

extension DigestReader {
  /// Counts errors by model, kind and release, in no particular order.
  ///
  /// - Parameter filter: the errors to count.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func errorsByRelease(
    matching filter: DigestFilter = DigestFilter()
  ) throws -> [ErrorsOfRelease] {
    try snapshot { snapshot in
      let snapshot = try snapshot.selecting(.kind, matching: filter)
      var groups: [ErrorGroup] = []
      var indexOfGroup: [ErrorGroup: Int] = [:]
      var groupOfFailure = try DenseMap<Int?>(nil, upTo: snapshot.last(of: .failures))
      let failures = try Statement(
        snapshot.connection,
        """
        SELECT f.id, m.id, f.kind FROM model AS m JOIN failure AS f ON f.model_id = m.id
        WHERE \(filter.failureCondition)
        """)
      try failures.bind(named: filter.values)
      while try failures.step() {
        let group = ErrorGroup(
          model: failures.integer(at: 1), kind: BinaryString(failures.text(at: 2) ?? ""))
        let index = indexOfGroup[group] ?? groups.count
        if index == groups.count {
          indexOfGroup[group] = index
          groups.append(group)
        }
        groupOfFailure.update(failures.integer(at: 0)) { $0 = index }
      }
      var sums: [ReleaseKey: Int64] = [:]
      try snapshot.forEachCount(
        in: snapshot.window(filter), of: snapshot.releases(filter), among: snapshot.chosen(filter)
      ) { count, release in
        guard let group = groupOfFailure[count.id] else { return }
        sums[ReleaseKey(id: Int64(group), release: release), default: 0]
          .add(count: count.occurrences)
      }
      let (models, releases) = try (snapshot.names(of: "model"), snapshot.names(of: "release"))
      return sums.map { key, occurrences in
        let group = groups[Int(key.id)]
        return ErrorsOfRelease(
          model: models[group.model] ?? "", kind: group.kind.text, release: releases[key.release],
          occurrences: Int(occurrences))
      }
    }
  }

  /// Counts decodes by model and release, in no particular order.
  ///
  /// The counts add up to those of ``decodeCounts(matching:)``, and have the same window.
  ///
  /// - Parameter filter: paths, kinds and novel values do not limit the decodes.
  /// - Returns: nil if no decode without errors was counted.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func decodesByRelease(
    matching filter: DigestFilter = DigestFilter()
  ) throws -> [DecodesOfRelease]? {
    try snapshot { snapshot in
      guard let window = try snapshot.decodeWindow(filter) else { return nil }
      let releases = try snapshot.releases(filter)
      let chosen = try snapshot.chosen(filter.ofModelsOnly, from: .models).map { Set($0) }
      var sums: [ReleaseKey: Int64] = [:]
      func add(_ decodes: Int64, ofModel model: Int64, _ release: Int64) {
        guard chosen?.contains(model) ?? true else { return }
        sums[ReleaseKey(id: model, release: release), default: 0].add(count: decodes)
      }
      try snapshot.forEachDecodeCount(in: window, of: releases, isByRelease: true) {
        add($0.decodes, ofModel: $0.model, $0.release)
      }
      // A digest is a decode with an error.
      try snapshot.forEachCount(from: .models, in: window, of: releases) { count, release in
        add(count.digests, ofModel: count.id, release)
      }
      let (models, names) = try (snapshot.names(of: "model"), snapshot.names(of: "release"))
      return sums.map { key, decodes in
        DecodesOfRelease(
          model: models[key.id] ?? "", release: names[key.release], decodes: Int(decodes))
      }
    }
  }
}

/// The failures that are counted together.
private struct ErrorGroup: Hashable {
  let model: Int64
  let kind: BinaryString
}

/// The id of a model or the index of a group, and the id of a release.
private struct ReleaseKey: Hashable {
  let id: Int64
  let release: Int64
}

extension Int64 {
  fileprivate mutating func add(count: Int64) { self = adding(count: count) }
}

extension Snapshot {
  /// The names of all models or releases, by id. Release 0, which has no name, is left out.
  fileprivate func names(of table: String) throws -> [Int64: String] {
    let names = try connection.rows("SELECT id, name FROM \(table) WHERE name IS NOT NULL") {
      ($0.integer(at: 0), $0.text(at: 1) ?? "")
    }
    return Dictionary(names, uniquingKeysWith: { $1 })
  }
}
