import ArgumentParser
import DigestStore
import ResilientDecoding
import ResilientPlatform

/// All filters.
typealias FilterOptions = Filters<AllFilters>

/// The filters that the help of a command offers. The others are refused with the reason.
protocol FilterScope: SendableMetatype {
  static var hasValues: Bool { get }
  static var hasWindow: Bool { get }
}

enum AllFilters: FilterScope {
  static let hasValues = true
  static let hasWindow = true
}

/// For what has neither a kind nor a value.
enum FiltersWithoutValues: FilterScope {
  static let hasValues = false
  static let hasWindow = true
}

/// For what is of all time.
enum FiltersWithoutWindow: FilterScope {
  static let hasValues = true
  static let hasWindow = false
}

/// The filters, which mean the same on every command. A repeated option accepts any of its values.
struct Filters<Scope: FilterScope>: ParsableArguments {
  @Option(
    name: .customLong("model"),
    help: ArgumentHelp(
      "Only this model; * and ? are wildcards. Repeat a filter to match any of its values.",
      valueName: "model"),
    completion: .names(of: .model)
  )
  var models: [String] = []

  @Option(
    name: .customLong("path"),
    help: ArgumentHelp(
      "Only this coding path, such as 'items[].*'; * and ? are wildcards.",
      valueName: "glob"
    ),
    completion: .names(of: .codingPath)
  )
  var paths: [String] = []

  @Option(
    name: .customLong("kind"),
    help: ArgumentHelp(
      "Only this kind: \(Self.allKinds.joined(separator: ", ")); or all. Without --kind, reports leave "
        + "out converted, missingKey and unknownKey, which aren't errors.",
      valueName: "kind", visibility: Scope.hasValues ? .default : .hidden
    ),
    completion: .list(Self.allKinds + ["all"]),
    transform: { $0 == "all" ? ErrorDigest.Kind.allCases : [try ErrorDigest.Kind(argument: $0)] }
  )
  var chosenKinds: [[ErrorDigest.Kind]] = []

  var kinds: [ErrorDigest.Kind] { chosenKinds.flatMap(\.self) }

  @Option(
    name: .customLong("value"),
    help: ArgumentHelp(
      "Only this novel value; * and ? are wildcards.", valueName: "glob",
      visibility: Scope.hasValues ? .default : .hidden),
    completion: .names(of: .novelValue)
  )
  var values: [String] = []

  @Option(
    name: .customLong("release"),
    help: ArgumentHelp("Only digests of this release of the app.", valueName: "release"),
    completion: .names(of: .release)
  )
  var releases: [String] = []

  @Flag(
    name: .customLong("no-release"),
    help: "Only digests without a release. With --release: these too.")
  var hasNoRelease = false

  @Option(
    name: .customLong("environment"),
    help: ArgumentHelp("Only digests of this environment.", valueName: "name"),
    completion: .names(of: .environment)
  )
  var environments: [String] = []

  @Option(
    name: .customLong("operation"),
    help: ArgumentHelp(
      "Only digests of this operation, such as 'GET /listings'; * and ? are wildcards.",
      valueName: "glob"),
    completion: .names(of: .operation)
  )
  var operations: [String] = []

  @Option(
    name: .customLong("source"),
    help: ArgumentHelp(
      "Only digests of this store of a fleet: its name, or its identity.", valueName: "name"),
    completion: .names(of: .source)
  )
  var sources: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only errors at or after this time: a duration ago (90s, 30m, 24h, 7d, 2w, 6mo, 1y), today or "
        + "yesterday in UTC, or an ISO 8601 date such as 2026-11-20 or 2026-11-20T10:00:00Z.",
      valueName: "time", visibility: Scope.hasWindow ? .default : .hidden
    ),
    transform: Time.init(argument:)
  )
  var since: Time?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only errors before this time.", valueName: "time",
      visibility: Scope.hasWindow ? .default : .hidden),
    transform: Time.init(argument:)
  )
  var until: Time?

  /// Far more than anyone types, and few enough for any shell and SQLite.
  private static var maximumRepetitions: Int { 500 }

  func validate() throws {
    for (name, values) in repeatedOptions where values.count > Self.maximumRepetitions {
      throw ValidationError(
        "\(name) is given \(values.count) times: give it at most \(Self.maximumRepetitions) times, "
          + "or use wildcards")
    }
    if releases.contains("") {
      throw ValidationError("--release is empty: give --no-release for digests without a release")
    }
    for (name, values) in [
      ("--environment", environments), ("--operation", operations), ("--source", sources),
    ] where values.contains("") {
      throw ValidationError("\(name) is empty: leave it out for digests of any")
    }
  }

  private var repeatedOptions: [(name: String, values: [String])] {
    [
      ("--model", models), ("--path", paths), ("--kind", kinds.map(\.rawValue)),
      ("--value", values),
      ("--release", releases), ("--environment", environments), ("--operation", operations),
      ("--source", sources),
    ]
  }

  /// The options as words of a command line.
  var words: [String] {
    let times = [("--since", since), ("--until", until)]
    return repeatedOptions.flatMap { name, values in values.flatMap { [name, $0] } }
      + (hasNoRelease ? ["--no-release"] : [])
      + times.flatMap { name, time in time.map { [name, $0.text] } ?? [] }
  }

  private static var allKinds: [String] { ErrorDigest.Kind.names }

  /// Whether there is no filter.
  var isEmpty: Bool { !filter.choosesErrors && since == nil && until == nil }

  /// Checks that an option defines what is new.
  func validateForNew() throws {
    guard since == nil, releases.isEmpty else { return }
    throw ValidationError("give --since, such as 24h, or --release, such as 4.2.0")
  }

  /// Whether the window depends on the current time, and ends now.
  var reachesNow: Bool {
    since?.isRelative == true && until == nil
  }

  var filter: DigestFilter {
    // One current time for both ends, so that equal options mean equal times.
    let now = Date()
    var filter = DigestFilter(
      hasNoRelease: hasNoRelease, since: since?.date(before: now), until: until?.date(before: now))
    filter.models = models
    filter.codingPaths = paths.map { $0 == DigestStore.FailureCount.document ? "" : $0 }
    filter.kinds = kinds
    filter.novelValues = values
    filter.releases = releases
    filter.environments = environments
    filter.operations = operations
    filter.sources = sources
    return filter
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// The case of a name that was typed.
  init(argument: String) throws {
    guard let value = Self(rawValue: argument) else {
      throw ValidationError(argument.remedy(among: Self.names))
    }
    self = value
  }
}
