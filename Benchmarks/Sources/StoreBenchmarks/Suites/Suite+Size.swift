import Foundation

extension Suite {
  static var size: Suite {
    Suite(
      title: "Bytes an occurrence",
      caption: """
        The database and what is left of its log once the store is closed, three errors a digest, \
        over \(History.hours) hours. The flat table has ten columns, without any index; CSV and \
        DuckDB hold the same.
        """
    ) { plan in
      plan.sizes.flatMap { size in
        Shape.allCases.map { shape in
          Figure(
            name: "\(size.grouped) occurrences of \(shape.name)",
            requirement: size < 1_000_000 ? nil : .atMost(shape == .few ? 24 : 40)
          ) { plan in
            let files = Files(plan: plan, shape: shape, occurrences: size)
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
