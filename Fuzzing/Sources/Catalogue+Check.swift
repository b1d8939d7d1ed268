import ResilientDecoding

extension Catalogue {
  /// Traps when what is known of the elements does not fit the elements.
  func check() {
    check(tags.count, $tags.results, $tags.errors)
    check(sizes?.count ?? 0, $sizes.results, $sizes.errors)
    check(kinds.count, $kinds.results, $kinds.errors)
    check(table.count, $table.results, $table.errors)
    check(boxes.count, $boxes.results, $boxes.errors)
    check(codes.count, $codes.results, $codes.errors)
    check(titles.count, $titles.results, $titles.errors)
    promise(prices.count <= $prices.results.count, "There are fewer results than entries")
    promise(sides.count <= $sides.results.count, "There are fewer results than entries")
    node?.check()
  }

  private func check<Element>(
    _ count: Int,
    _ results: [Result<Element, any Error>],
    _ errors: [any Error]
  ) {
    promise(count <= results.count, "There are fewer results than elements")
    let failures = results.count { if case .failure = $0 { true } else { false } }
    promise(failures <= errors.count, "A failure has no error")
  }

  /// What the value is, without what is only known in debug builds.
  var summary: [Any?] {
    [
      name, tags, sizes, prices.sorted { $0.key < $1.key }.map { "\($0)" },
      stock?.sorted { $0.key < $1.key }.map { "\($0)" }, kind, side, kinds,
      sides.sorted { $0.key < $1.key }.map { "\($0)" }, table, shelves.keys.sorted(),
      numbers.sorted(), link, day, node?.depth, boxes.map { $0.values.count },
      rows?.map { $0.map(\.id) }, title, items?.map(\.id), titles, weight, codes,
      flags.sorted { $0.key < $1.key }.map { "\($0)" }, count, counts, either == nil,
    ]
  }
}

extension Node {
  fileprivate func check() {
    promise(children.count <= $children.results.count, "There are fewer results than children")
    for child in children { child.check() }
    for child in (byName ?? [:]).values { child.check() }
    next?.check()
  }

  fileprivate var depth: Int {
    1 + (children.map(\.depth).max() ?? 0) + (next?.depth ?? 0)
  }
}
