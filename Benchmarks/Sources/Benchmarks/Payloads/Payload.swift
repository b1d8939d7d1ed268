/// A list of items, whole and with faults in some of them.
struct Payload {
  /// All items without a fault.
  let clean: Document

  /// Every `stride`-th item with a fault in one field, which is the next one each time.
  let damaged: Document

  /// What has to be left of `damaged`.
  let remains: Document

  /// How many faults `damaged` has.
  let faultCount: Int

  /// Builds `count` items of an id and the fields.
  init(_ fields: [(name: String, field: Field)], count: Int = 10_000, stride: Int = 10) {
    func items(_ faulty: KeyPath<Field, @Sendable (Int) -> Document>) -> Document {
      .array(
        (0..<count).map { index in
          var item: [String: Document] = ["id": .integer(index)]
          let fault = index.isMultiple(of: stride) ? index / stride % fields.count : nil
          for (position, (name, field)) in fields.enumerated() {
            item[name] = field[keyPath: position == fault ? faulty : \.clean](index)
          }
          return .object(item)
        }
      )
    }
    clean = items(\.clean)
    damaged = items(\.damaged)
    remains = items(\.remains)
    faultCount = (count + stride - 1) / stride
  }
}
