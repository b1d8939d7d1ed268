import Foundation

extension Suite {
  static var size: Suite {
    Suite(
      title: "Bytes an occurrence",
      caption: """
        The database and its log after the store was closed, with three errors a digest over \
        \(History.hours) hours. The flat table has ten columns and no index. CSV and DuckDB have \
        the same columns.
        """
    ) { options in
      options.sizes.flatMap { size in
        Shape.allCases.map { shape in
          Metric(
            name: "\(size.grouped) occurrences of \(shape.name)",
            requirement: size < 1_000_000 ? nil : .atMost(shape == .few ? 24 : 40)
          ) { options in
            let files = Files(options: options, shape: shape, occurrences: size)
            return Reading(
              value: try files.bytesPerOccurrence(files.store()),
              unit: .bytes,
              beside: [
                try beside("flat table", files) { try files.flatTable() },
                try beside("CSV", files) { try files.csv() },
                try beside("DuckDB", files) { try files.duckDB() },
              ]
            )
          }
        }
      }
    }
  }

  private static func beside(
    _ name: String,
    _ files: Files,
    _ path: () throws -> String
  ) throws -> String {
    do {
      return String(format: "\(name) %.1f", try files.bytesPerOccurrence(path()))
    } catch let skipped as Skipped {
      return "\(name) skipped, \(skipped.reason)"
    }
  }
}
