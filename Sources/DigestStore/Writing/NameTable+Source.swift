import ResilientDecoding

extension NameTable {
  /// The digest that an error belongs to.
  struct Source {
    let recordedAt: Moment

    /// Whether the error is an omission: counted only, so it omits no found value.
    var isCounted = false

    /// Whether an entry may omit its found value from now on, if it is the first of its failure.
    func leavesOut(_ found: KeptFoundValue?) -> Bool { found != nil && !isCounted }
  }

  /// The id of a model or a release.
  struct Name {
    let id: Int64

    /// Whether the name is counted as itself, and not merged with others over a limit.
    var isItself = true
  }

  /// How an error is written: as its own failure, or over a limit as an overflow.
  struct Admitted {
    let record: FailureRecord
    let path: PathFormat
    let failure: FailureSample

    /// Whether the error is counted as its own failure.
    var isItself = true
  }
}
