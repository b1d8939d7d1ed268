/// Something to be measured, and what is required of it.
struct Figure {
  let name: String

  var requirement: Requirement?

  /// Builds what it needs, and measures it.
  let measure: (Plan) throws -> Reading

  enum Requirement {
    case atMost(Double)
    case below(Double)
    case atLeast(Double)
  }
}

/// What was measured.
struct Reading {
  let value: Double
  let unit: Unit

  /// Half of what lies between the quarters of the single values.
  var spread: Double?

  /// What was measured beside it, and what it was measured against.
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

/// Says that a figure cannot be had here, and why.
struct Skipped: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// Says that what is to be measured did something else than it should.
struct Broken: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
