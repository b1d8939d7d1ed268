extension String {
  /// Whether both have the same scalars.
  ///
  /// By `==` an é equals an e with an accent behind it. A payload, a store and a file tell them apart.
  func hasSameScalars(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
