import ArgumentParser

/// A way to print rows.
enum Format: String, CaseIterable, ExpressibleByArgument {
  case table, csv, tsv, json, ndjson, markdown
}

/// A format for rows or for CI services.
enum CIFormat: ExpressibleByArgument {
  case rows(Format)
  case findings(FindingsFormat)

  init?(argument: String) {
    if let format = Format(rawValue: argument) {
      self = .rows(format)
    } else if let format = FindingsFormat(rawValue: argument) {
      self = .findings(format)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] {
    Format.allCases.map(\.rawValue) + FindingsFormat.allCases.map(\.rawValue)
  }

  var defaultValueDescription: String {
    switch self {
    case .rows(let format): format.rawValue
    case .findings(let format): format.rawValue
    }
  }
}

/// A format for CI services.
enum FindingsFormat: String, CaseIterable {
  case github, sarif, junit
}
