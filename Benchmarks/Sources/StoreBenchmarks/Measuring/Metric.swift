/// Something to measure, with its budget.
struct Metric {
  let name: String

  var requirement: Requirement?

  /// Prepares the data, and measures.
  let measure: (Options) throws -> Reading

  enum Requirement {
    case atMost(Double)
    case atLeast(Double)
  }
}

/// A measured value.
struct Reading {
  let value: Double
  let unit: Unit

  /// Half the interquartile range.
  var spread: Double?

  /// Further values, and those of the references.
  var beside: [String] = []

  enum Unit {
    case ratio
    case microseconds
    case milliseconds
    case bytes
    case mebibytes
    case perSecond
  }
}

/// Says that a metric cannot be had here, and why.
struct Skipped: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// Returns a value to print beside another one, or why it is skipped.
func skippable(_ name: String, _ value: () throws -> String) throws -> String {
  do {
    return "\(name) \(try value())"
  } catch let skipped as Skipped {
    return "\(name) skipped, \(skipped.reason)"
  }
}

/// Code under measurement gave a wrong result.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
