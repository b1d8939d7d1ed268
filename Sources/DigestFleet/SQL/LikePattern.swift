extension String {
  /// The pattern for `LIKE` of one for `GLOB`.
  var likePattern: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "*": text += "%"
      case "?": text += "_"
      case "%", "_", "\\":
        text += "\\"
        text.unicodeScalars.append(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
