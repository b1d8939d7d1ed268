import Testing

/// Why rows are not what they should be yet; see ``Row/notYet(in:reporting:because:)``.
extension Comment {
  static var numberIsMismatch: Self { "Yams calls a number that does not fit a type mismatch" }

  static var nullIsText: Self { "Yams takes null for the text `null` when it is asked for a value" }

  static var noUserInfo: Self {
    "Yams gives no decoder, and so no userInfo, of a mapping without a key of the model"
  }

  static var onlyFirst: Self {
    "XMLCoder gives repeated elements as an array to nothing but an `Array`"
  }

  static var keyInPath: Self {
    "XMLCoder puts a missing key into the path of its error as well"
  }

  static var wholeElement: Self { "An array or dictionary in another one is dropped as a whole" }
}
