import ArgumentParser

/// The command line: `digest-query COMMAND`.
struct DigestQuery: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "digest-query",
    abstract: "Ask a store of decoding failures what the backend sends that the app does not know.",
    discussion: """
      The store is --store PATH, else $DIGEST_STORE, else digests.sqlite in this directory. In the \
      place of a path, reports take the URL of a fleet: of many stores in one PostgreSQL.

      Examples:
        digest-query top-novel-values --since 24h
        digest-query export --format csv --model App.Listing > drift.csv

      A shell completes models, releases and the like with the script of \
      digest-query --generate-completion-script zsh (or bash, or fish).

      Exit status: 0 done, 1 check found too much, verify a fault or doctor a warning, 64 usage, \
      65 bad input, 66 no such store, release or the like, 74 input or output failed. Errors and \
      notes are lines on stderr; with --format json or ndjson they are objects there: {"error": "...", "status": 66} \
      and {"note": "..."}.
      """,
    version: Invocation.version,
    subcommands: [
      TopNovelValues.self,
      TopFailures.self,
      Models.self,
      TrendCommand.self,
      New.self,
      Diff.self,
      Digests.self,
      Export.self,
      Import.self,
      Merge.self,
      Report.self,
      Watch.self,
      Check.self,
      Verify.self,
      Doctor.self,
      Prune.self,
      Init.self,
      PushCommand.self,
      Sources.self,
    ]
  )
}
