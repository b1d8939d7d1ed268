import ArgumentParser
import DigestStore
import ResilientDecoding

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which occurrences count; the same on every command.
struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only this model; * and ? are wildcards.", valueName: "model"),
    completion: .names(of: .model)
  )
  var model: String?

  @Option(
    help: ArgumentHelp(
      "Only this coding path, such as 'items[].*'; * and ? are wildcards.",
      valueName: "glob"
    ),
    completion: .names(of: .codingPath)
  )
  var path: String?

  @Option(
    help: ArgumentHelp(
      "Only this kind: \(Self.kinds.joined(separator: ", ")).",
      valueName: "kind"
    ),
    completion: .list(Self.kinds),
    transform: Self.kind
  )
  var kind: String?

  @Option(help: ArgumentHelp("Only this novel value; * and ? are wildcards.", valueName: "glob"))
  var value: String?

  @Option(
    help: ArgumentHelp("Only what this release of the app decoded.", valueName: "release"),
    completion: .names(of: .release)
  )
  var release: String?

  @Flag(name: .customLong("no-release"), help: "Only digests without a release.")
  var hasNoRelease = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only from this time on: so long ago, as 90s, 30m, 24h, 7d, 2w, 6mo or 1y, or 2026-11-20, or "
        + "2026-11-20T10:00:00Z.",
      valueName: "time"
    ),
    transform: Time.init(argument:)
  )
  var since: Time?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only before this time, which does not count.", valueName: "time"),
    transform: Time.init(argument:)
  )
  var until: Time?

  func validate() throws {
    if hasNoRelease, let release {
      throw ValidationError(
        "--no-release and --release \(release) leave nothing: give one of them")
    }
  }

  private static let kinds = ErrorDigest.Kind.allCases.map(\.rawValue)

  private static func kind(_ argument: String) throws -> String {
    guard !kinds.contains(argument) else { return argument }
    throw ValidationError(
      argument.suggestion(among: kinds) ?? "write one of \(kinds.joined(separator: ", "))")
  }

  /// Whether everything counts.
  var isEmpty: Bool {
    model == nil && path == nil && kind == nil && value == nil && release == nil && !hasNoRelease
      && since == nil && until == nil
  }

  /// Checks that something says what is new.
  func validateForNew() throws {
    guard since == nil, release == nil else { return }
    throw ValidationError("say since when: with --since 24h, or with --release 4.2.0")
  }

  /// Whether the window was given as the time up to now.
  var reachesNow: Bool {
    if case .ago = since { until == nil } else { false }
  }

  /// How long the window is that moves on with the clock, in seconds; nil for one that stays.
  var movingSeconds: Double? {
    [since, until].compactMap { if case .ago(let seconds) = $0 { seconds } else { nil } }.max()
  }

  var filter: DigestFilter {
    // One now for both ends, so that equal options mean equal times.
    let now = Date()
    return DigestFilter(
      model: model,
      codingPath: path,
      kind: kind,
      novelValue: value,
      release: release,
      hasNoRelease: hasNoRelease,
      since: since?.date(before: now),
      until: until?.date(before: now)
    )
  }
}
