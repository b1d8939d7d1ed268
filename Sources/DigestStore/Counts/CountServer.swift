/// A source of counts that may have millions of failures: a server, which filters, adds up, sorts and limits
/// them.
///
/// Its ``CountCatalog`` has no failures. A report asks for those that it shows.
package protocol CountServer: CountSource, Sendable {
  /// Reads the failures of a report.
  func selection(_ query: FailureQuery) throws -> FailureSelection

  /// Adds up the failures of each model. The ids are those of the models.
  func modelTotals(_ scope: CountScope) throws -> [ModelTotal]

  /// Returns whether any failure has names that match at least one of the filters. There is at least one filter.
  func hasFailures(matchingAny filters: [DigestFilter]) throws -> Bool

  /// Returns names that failures have, each once, in no particular order.
  ///
  /// - Parameters:
  ///   - category: the names to return.
  ///   - limit: the most names to return.
  func names(of category: FailureName, limit: Int) throws -> [String]
}

/// The names by which a filter selects failures of a model. The raw value is the name of the column in all
/// databases.
package enum FailureName: String, Sendable {
  case codingPath = "coding_path"
  case kind = "kind"
  case novelValue = "novel_value"
}

/// The errors that a server counts: those of some failures, periods and releases.
package struct CountScope: Sendable {
  /// Selects failures by model, path, kind and novel value. Its window and releases have no effect.
  package let filter: DigestFilter

  /// The periods, without overlaps.
  package let periods: [TimeWindow.Periods]

  /// The ids of the releases; nil for all.
  package let releases: [Int64]?

  /// All errors of all time.
  package static let allTime = CountScope(
    filter: DigestFilter(), periods: [TimeWindow.Periods(span: 0, hours: 0..<1)], releases: nil)

  /// Whether there are no such errors.
  package var isEmpty: Bool { periods.isEmpty || releases?.isEmpty == true }
}

/// The failures that a server selects for a report, one for each group of failures that the report counts
/// together.
package struct FailureQuery: Sendable {
  package enum Grouping: Sendable {
    /// Each failure is a group.
    case failure
    /// The failures with the same novel value. All of them are selected, also those of kinds that the
    /// filter excludes.
    case novelValue
    /// The failures of a model with the same path.
    case codingPath
    /// The failures of a model with the same kind.
    case kind
  }

  package let grouping: Grouping
  package let scope: CountScope

  /// The most groups to select: the most frequent ones; nil for all. The server may select some more.
  ///
  /// Equally frequent groups are sorted as in the reports: by the bytes of the model, path, novel value,
  /// kind, expected type and type of the value. A missing one comes first.
  package var limit: Int?

  /// Whether to count all groups, also those beyond the limit.
  package var countsAllGroups = false

  /// Groups to leave out, because they occurred before.
  package var known: Known?

  /// If present, the limit selects the groups that have changed most, and leaves out those that have not
  /// changed.
  package var change: Change?

  /// Errors of all time and all kinds that a new failure or novel value does not have.
  package struct Known: Sendable {
    /// The errors before this moment, in milliseconds since 1970; nil for none.
    package let before: Int64?

    /// The errors of these releases.
    package let releases: Set<Int64>
  }

  /// The earlier side of a comparison.
  package struct Change: Sendable {
    package let earlier: CountScope

    /// How to compare shares of decodes; nil to compare the number of errors.
    package let rates: Rates?
  }

  /// The two sides of a comparison of shares of decodes.
  package struct Rates: Sendable {
    package let earlier: Side
    package let later: Side

    package struct Side: Sendable {
      /// The digests to count.
      package let scope: CountScope

      /// The decodes by the id of the model.
      package let decodes: [Int64: Int64]
    }
  }
}

extension FailureQuery.Change {
  /// How much a failure or novel value has changed; 0 if it has not.
  ///
  /// Shares of decodes are compared where both sides have decodes of the model, otherwise the numbers of
  /// errors. In thousandths of errors, so that small differences of shares are in order too.
  package static func weight(
    occurrences: (earlier: Int64, later: Int64), digests: (earlier: Int64, later: Int64),
    decodes: (earlier: Int64, later: Int64)?
  ) -> Int64 {
    var difference = Double(occurrences.later) - Double(occurrences.earlier)
    if let decodes, decodes.earlier > 0, decodes.later > 0 {
      // Equal shares give exactly 0.
      difference =
        (Double(digests.later) / Double(decodes.later)
          - Double(digests.earlier) / Double(decodes.earlier)) * Double(decodes.later)
    }
    return difference == 0 ? 0 : Int64(min(max(1, abs(difference) * 1_000), 0x1p53))
  }
}

/// The failures of a report, and a source that counts only them.
package struct FailureSelection: Sendable {
  /// One failure for each group, or all of a novel value. Their ids are their positions, starting at 1.
  package let failures: [CountCatalog.CountedFailure]

  /// The counts of a group have the id of its failure.
  package let counts: any CountServer

  /// The number of groups, and the first and last moment of any; nil if they were not counted.
  package let all: Groups?

  package struct Groups: Sendable {
    package let count: Int

    /// Nil also if some groups were left out because they are known.
    package let moments: ClosedRange<Int64>?

    package init(count: Int, moments: ClosedRange<Int64>?) {
      self.count = count
      self.moments = moments
    }
  }

  package init(
    failures: [CountCatalog.CountedFailure], counts: any CountServer, all: Groups? = nil
  ) {
    self.failures = failures
    self.counts = counts
    self.all = all
  }
}
