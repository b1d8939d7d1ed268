import ArgumentParser

/// The formats of a command.
protocol OutputFormat: ExpressibleByArgument, CaseIterable, RawRepresentable<String>, Sendable {
  /// The default.
  static var table: Self { get }
}

/// A way to print rows.
enum Format: String, OutputFormat {
  case table, csv, tsv, json, ndjson, markdown
}

/// A format for rows or for CI services.
enum CIFormat: String, OutputFormat {
  case table, csv, tsv, json, ndjson, markdown
  case github, sarif, junit

  /// The format for rows; nil for a CI service.
  var ofRows: Format? { Format(rawValue: rawValue) }
}
