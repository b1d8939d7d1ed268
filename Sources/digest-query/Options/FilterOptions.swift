import ArgumentParser
import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which occurrences count; the same on every command.
struct FilterOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only this model; * and ? are wildcards.", valueName: "model"))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "Only this coding path, such as 'items[].*'; * and ? are wildcards.",
      valueName: "glob"
    )
  )
  var path: String?

  @Option(help: ArgumentHelp("Only what this release of the app decoded.", valueName: "release"))
  var release: String?

  @Option(
    help: ArgumentHelp(
      "Only from this time on: 90s, 30m, 24h, 7d or 2w ago, or 2026-11-20T10:00:00Z.",
      valueName: "time"
    ),
    transform: Time.init(argument:)
  )
  var since: Time?

  @Option(
    help: ArgumentHelp("Only before this time, which does not count.", valueName: "time"),
    transform: Time.init(argument:)
  )
  var until: Time?

  var filter: DigestFilter {
    // One now for both ends, so that equal options mean equal times.
    let now = Date()
    return DigestFilter(
      model: model,
      codingPath: path,
      release: release,
      since: since?.date(before: now),
      until: until?.date(before: now)
    )
  }
}
