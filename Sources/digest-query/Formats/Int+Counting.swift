extension Int {
  /// The number with what it counts, as in `1 digest` and `2 digests`.
  func counting(_ noun: String) -> String {
    "\(self) \(noun)\(self == 1 ? "" : "s")"
  }

  /// Says that there is more than such a limit lets through, and what to do about it.
  func exceeded(by noun: String) -> String {
    "there \(self == 1 ? "is" : "are") more than \(counting(noun)); raise --limit to see them"
  }
}
