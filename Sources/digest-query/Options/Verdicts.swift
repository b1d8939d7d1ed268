import APIContract
import ArgumentParser

/// Some verdicts.
struct Verdicts {
  let verdicts: Set<Verdict>

  /// Reads `contract-broken,undocumented`.
  init(argument: String) throws {
    verdicts = try Set(
      argument.split(separator: ",", omittingEmptySubsequences: false).map { name in
        guard let verdict = Verdict(rawValue: String(name)) else {
          throw ValidationError(
            "no verdict '\(name)'; \(String(name).remedy(among: Verdict.names))")
        }
        return verdict
      })
  }
}
