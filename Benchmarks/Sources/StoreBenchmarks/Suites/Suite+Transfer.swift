import Foundation
import Reporting

extension Suite {
  static var transfer: Suite {
    Suite(
      title: "Export, import, and check",
      caption: """
        Whole processes: `digest-query export --format csv`, taking turns with `sqlite3 -csv` on \
        the view `occurrences`, which has the same rows, and on the flat table; and `digest-query \
        import` of NDJSON into a new store. Memory is the peak of a process. `digest-query verify` \
        recounts a store; its time is that of the processor.
        """
    ) { options in
      let medium = Files(options: options, shape: .few, occurrences: options.mediumSize)
      let large = Files(
        options: options, shape: .few, occurrences: options.sizes.max() ?? options.mediumSize)
      let many = Files(options: options, shape: .heavyTail, occurrences: options.mediumSize)
      let wide = Files(options: options, shape: .wide, occurrences: options.mediumSize)
      return [
        exportRatio(medium, to: "the view", .atLeast(1.0)) {
          ["sqlite3", "-csv", "-header", try medium.store(), "SELECT * FROM occurrences"]
        },
        exportRatio(medium, to: "the flat table", nil) {
          ["sqlite3", "-csv", "-header", try medium.flatTable(), "SELECT * FROM occurrence"]
        },
        exportMemory(large),
        importRate(medium, atLeast: 60_000),
        importRate(many, atLeast: 25_000),
        importWrites(medium),
        importWrites(many),
        importMemory(large),
        verifyTime(medium),
        verifyTime(many),
        verifyTime(wide),
      ]
    }
  }

  /// Compares the rows a second of an export with those of `sqlite3 -csv`.
  private static func exportRatio(
    _ files: Files,
    to name: String,
    _ requirement: Metric.Requirement?,
    reference: @escaping () throws -> [String]
  ) -> Metric {
    Metric(
      name: "export of \(files.occurrences.grouped) rows, to `sqlite3 -csv` on \(name)",
      requirement: requirement
    ) { options in
      let measured = Program(arguments: try exporting(files))
      let reference = Program(arguments: try reference())
      var times: (measured: [Double], reference: [Double]) = ([], [])
      for _ in 0..<min(options.rounds, 3) {
        times.reference.append(try reference.run(options).milliseconds)
        times.measured.append(try measured.run(options).milliseconds)
      }
      let ratios = zip(times.reference, times.measured).map { $0 / $1 }
      return Reading(
        value: ratios.quantile(0.5),
        unit: .ratio,
        spread: ratios.spread,
        beside: [
          "rows \(rate(files, times.measured.quantile(0.5)))",
          "`sqlite3` \(rate(files, times.reference.quantile(0.5)))",
        ]
      )
    }
  }

  private static func exportMemory(_ files: Files) -> Metric {
    Metric(
      name: "memory of an export of \(files.occurrences.grouped) rows",
      requirement: .atMost(40)
    ) { options in
      let run = try Program(arguments: exporting(files)).run(options)
      return Reading(value: run.mebibytes, unit: .mebibytes)
    }
  }

  private static func importRate(_ files: Files, atLeast rate: Double) -> Metric {
    Metric(
      name: "errors of an import of \(files.occurrences.grouped) of \(files.shape.name)",
      requirement: .atLeast(rate)
    ) { options in
      let runs = try (0..<min(options.rounds, 3)).map { _ in try importing(files) }
      return Reading(
        value: perSecond(files, runs.map(\.milliseconds).quantile(0.5)),
        unit: .perSecond,
        beside: [
          "at best \(Self.rate(files, runs.map(\.milliseconds).quantile(0)))",
          "\(Self.rate(files, runs.map(\.processor).quantile(0.5))) of processor time",
        ]
      )
    }
  }

  /// Compares what an import has the file system write with the length of the store that it makes.
  private static func importWrites(_ files: Files) -> Metric {
    Metric(
      name:
        "writes of an import of \(files.occurrences.grouped) of \(files.shape.name), to the file",
      requirement: .atMost(5)
    ) { options in
      let file = try files.ndjson()
      return try options.withTemporaryFile { path in
        let run = try importing(file, path, options)
        return Reading(value: run.bytesWritten / Double(files.bytes(path)), unit: .ratio)
      }
    }
  }

  private static func verifyTime(_ files: Files) -> Metric {
    Metric(
      name: "verify of \(files.occurrences.grouped) of \(files.shape.name)",
      requirement: .atMost(Double(files.occurrences) / 100)
    ) { options in
      let arguments = [options.query, "verify", "--store", try files.store()]
      let runs = try Program(arguments: arguments).runs(options, rounds: 2)
      return Reading(value: runs.map(\.processor).quantile(0), unit: .milliseconds)
    }
  }

  private static func importMemory(_ files: Files) -> Metric {
    Metric(
      name: "memory of an import of \(files.occurrences.grouped) failures",
      requirement: .atMost(40)
    ) { _ in
      Reading(value: try importing(files).mebibytes, unit: .mebibytes)
    }
  }

  private static func exporting(_ files: Files) throws -> [String] {
    [files.options.query, "export", "--format", "csv", "--store", try files.store()]
  }

  private static func importing(_ files: Files) throws -> Program.Run {
    let file = try files.ndjson()
    return try files.options.withTemporaryFile { try importing(file, $0, files.options) }
  }

  private static func importing(
    _ file: String, _ store: String, _ options: Options
  ) throws -> Program.Run {
    try Program(arguments: [options.query, "import", file, "--store", store]).run(options)
  }

  private static func perSecond(_ files: Files, _ milliseconds: Double) -> Double {
    Double(files.occurrences) / milliseconds * 1_000
  }

  private static func rate(_ files: Files, _ milliseconds: Double) -> String {
    Reading.Unit.perSecond.text(perSecond(files, milliseconds))
  }
}
