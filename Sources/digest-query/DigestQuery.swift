import ArgumentParser

/// The command line: `digest-query COMMAND`.
struct DigestQuery: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "digest-query",
    abstract: "Report what the backend sends that the app does not know.",
    discussion: """
      The store is --store PATH, else $DIGEST_STORE, else digests.sqlite in this directory.

      Examples:
        digest-query top-novel-values --since 24h
        digest-query export --format csv --model App.Listing > drift.csv

      A shell completes models, releases and other names with the script that \
      digest-query --generate-completion-script zsh (or bash, or fish) prints.

      Exit status: 0 success; 1 check exceeded a limit, spec --fail-on found a verdict, verify found a fault, or doctor found a \
      warning; 64 usage error; 65 bad input; 66 no such store, file or digest, and for \
      check and diff also an unknown name or a window without counts; 74 input or output failed. \
      Errors and notes are lines on stderr. With --format json or ndjson they are JSON objects: {"error": "...", "status": 66} and {"note": "..."}.
      """,
    version: Invocation.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Reports",
        subcommands: [
          TopNovelValues.self, TopFailures.self, Models.self, TrendCommand.self, New.self,
          Diff.self, Renames.self, Adoption.self, Digests.self,
        ]),
      CommandGroup(
        name: "Monitoring",
        subcommands: [Check.self, Spec.self, TriageCommand.self, Metrics.self, Watch.self]),
      CommandGroup(
        name: "Sharing",
        subcommands: [
          Report.self, Export.self, Import.self, PushCommand.self, FleetCommand.self,
        ]),
      CommandGroup(name: "Maintenance", subcommands: [Verify.self, Doctor.self, Prune.self]),
    ]
  )
}
