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
        Shape.usual.map { shape in
          Metric(
            name: "\(size.grouped) occurrences of \(shape.name)",
            requirement: size < 1_000_000 ? nil : .atMost(shape == .few ? 60 : 105)
          ) { options in
            let files = Files(options: options, shape: shape, occurrences: size)
            func bytes(_ path: () throws -> String) throws -> String {
              String(format: "%.1f", try files.bytesPerOccurrence(path()))
            }
            return Reading(
              value: try files.bytesPerOccurrence(files.store()),
              unit: .bytes,
              beside: [
                "flat table \(try bytes(files.flatTable))",
                "CSV \(try bytes(files.csv))",
                try skippable("DuckDB") { try bytes(files.duckDB) },
              ]
            )
          }
        }
      }
    }
  }
}
