import ResilientDecoding

extension NameTable {
  /// The digest that an error is of.
  struct Source {
    let recordedAt: Moment

    /// Whether the error is an omission, which leaves out nothing that was found.
    var isCounted = false

    /// Whether what was found may be left out from now on, where this is the first of its failure.
    func leavesOut(_ found: KeptFoundValue?) -> Bool { found != nil && !isCounted }
  }

  /// The id of a model or a release.
  struct Name {
    let id: Int64

    /// Whether it is counted under its own name, and not under that of all others over a limit.
    var isItself = true
  }

  /// What an error is written as: itself, or over a limit one of many that are counted together.
  struct Admitted {
    let record: FailureRecord
    let path: PathFormat
    let failure: FailureSample

    /// Whether it is counted as itself.
    var isItself = true
  }
}
