import ResilientDecoding

extension Names {
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
    let failure: Failure

    /// Whether it is counted as itself.
    var isItself = true
  }

  /// A failure as the file has it, with its samples: what its entries may leave out.
  struct Failure {
    let id: Int64

    /// The message of an entry that has none of its own.
    let message: ExactText?

    /// What was found by an entry that does not say so.
    var found: KeptFoundValue?

    /// Whether the file has something found for it, or had when this was read.
    var hasSample: Bool

    /// Whether this becomes what the file has found for it.
    func wants(_ found: ErrorDigest.FoundValue?, isCounted: Bool = false) -> Bool {
      guard !hasSample, let found else { return false }
      // In the place of one that was cleared comes one of its type, of an entry that leaves it out.
      return self.found.map { $0.type == found.type.rawValue && !isCounted } ?? true
    }
  }
}
