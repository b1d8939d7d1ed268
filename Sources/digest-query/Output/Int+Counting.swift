extension Int {
  /// The number with what it counts, as in `1 digest` and `2 digests`.
  func counting(_ noun: String) -> String {
    "\(self) \(noun)\(self == 1 ? "" : "s")"
  }
}
