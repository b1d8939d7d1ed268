import ResilientDecoding

extension NameTable {
  /// The digest that an error belongs to.
  struct Source {
    let recordedAt: Moment

    /// Whether the error is an omission: counted only, so it omits no found value.
    var isCounted = false

    /// Whether an entry may omit its found value from now on, if it is the first of its failure.
    func canOmit(_ found: KeptFoundValue?) -> Bool { found != nil && !isCounted }
  }

  /// How an error is written: as its own failure, or over a limit as an overflow.
  struct Admitted {
    let record: FailureRecord
    let failure: FailureSample
  }
}
