import ArgumentParser

/// What a report is about.
struct FailuresFlag: ParsableArguments {
  @Flag(name: .customLong("failures"), help: "All failures instead of novel values.")
  var isOfFailures = false
}
