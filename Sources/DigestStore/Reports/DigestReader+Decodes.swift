import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// The number of decodes, and of those with errors.
  public struct DecodeCounts: Sendable, Hashable, Codable {
    /// The number of decodes, with and without errors.
    public let decodes: Int
    /// The number of decodes with at least one error that matches the filter; nil if unknown, see
    /// ``DigestReader/models(matching:by:limit:)``.
    public let digests: Int?
    /// The first moment that is counted; nil if all time is.
    public let since: Date?
    /// The first moment that is no longer counted; nil if there is none.
    public let until: Date?

    /// The share of decodes with at least one error, from 0 to 1; nil if it is unknown, or if
    /// nothing was decoded.
    public var rate: Double? {
      decodes > 0 ? digests.map { Double($0) / Double(decodes) } : nil
    }
  }
}

extension DigestReader {
  /// Counts the decodes of the models that a filter matches, and those with a matching error.
  ///
  /// Decodes are counted by the hour, so the window is widened to whole hours. It begins with the
  /// first hour in which a decode without errors was counted: before it, nothing is known about
  /// decodes. A digest counts as one decode.
  ///
  /// - Parameter filter: the errors to count. Paths, kinds and novel values do not limit the
  ///   decodes.
  /// - Returns: nil if no decode without errors was counted before the end of the window: see
  ///   ``DigestStore/DigestStore/Configuration-swift.struct/countsDecodes``.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func decodeCounts(
    matching filter: DigestFilter = DigestFilter()
  ) throws -> DigestStore.DecodeCounts? {
    try snapshot { try $0.decodeRates(filter)?.counts }
  }

  /// The first hour that rates are of, if the window of a filter begins before it.
  package func lateStartOfRates(matching filter: DigestFilter) throws -> Date? {
    try snapshot { connection in
      let asked = try connection.widened(filter.window.inWholeHours).since ?? .earliest
      return try connection.decodeWindow(filter)?.since.flatMap { $0 > asked ? $0.date : nil }
    }
  }
}

/// The decodes of each model in a window, and those that a filter matches.
struct DecodeRates {
  /// The counted window: whole hours, from the first hour with a counted decode on.
  let window: TimeWindow

  /// The number of decodes with and without errors, by the names of models and their parts.
  let decodes: [[BinaryString]: Int64]

  /// The number of decodes with a matching error.
  let digests: ModelDigests

  /// The share of a model's decodes with a matching error; nil if it is unknown.
  ///
  /// - Parameter all: the digests of the report, which may be of hours before decodes were counted.
  func rate(of names: [BinaryString], digests all: Int64?) -> Double? {
    guard let decodes = decodes[names], decodes > 0, let digests = digests[names, default: 0],
      digests > 0 || all == 0
    else { return nil }
    return Double(digests) / Double(decodes)
  }

  /// The sums over all models.
  var counts: DigestStore.DecodeCounts {
    DigestStore.DecodeCounts(
      decodes: Int(clamping: decodes.values.sum(of: { $0 })),
      digests: digests.values.contains(nil)
        ? nil : Int(clamping: digests.values.sum { $0 ?? 0 }),
      since: window.since?.date, until: window.until?.date)
  }
}

/// The rates of all failures of a report.
struct FailureRates {
  /// A failure, and the part of its contexts that is counted; an empty text for all of them.
  private struct Key: Hashable {
    let failure: Int64
    let part: BinaryString
  }

  /// The decodes by model and part; empty if they were not counted.
  private var decodes: [[BinaryString]: Int64] = [:]

  /// Whether the decodes of any model were counted.
  var hasDecodes: Bool { !decodes.isEmpty }

  /// The digests of each failure; nil if they are those of the report.
  private var digests: [Key: Int64]?

  private let part: CountColumn?

  /// - Parameters:
  ///   - connection: a snapshot, see ``Engine/reading(_:)``.
  ///   - window: the window of the report, after ``Engine/widened(_:)``. If it isn't of whole hours,
  ///     the digests in these are counted, too.
  ///   - part: the column of a context by which rates are divided; nil for none.
  ///   - condition: a condition on the column `failure`.
  init(
    _ connection: any Engine, _ filter: DigestFilter, reportWindow window: TimeWindow,
    by part: CountColumn? = nil, where condition: String = "true"
  ) throws {
    self.part = part
    guard let rated = try connection.decodeWindow(filter) else { return }
    decodes = try connection.decodes(filter, in: rated, by: part).mapValues(\.decodes)
    guard rated != window else { return }
    let counted = try Counts(
      connection, filter, in: rated, by: part == nil ? [] : [.context], where: condition)
    let name = part?.rawValue ?? "''"
    let counts = try connection.rows(
      """
      SELECT c.failure, \(name), sum(c.digests)
      FROM (\(counted.sql)) AS c \(part.map { CountColumn.joins([$0], "c.context") } ?? "") GROUP BY 1, 2
      """, filter.values()
    ) {
      (Key(failure: $0.integer(at: 0), part: BinaryString($0.text(at: 1) ?? "")), $0.count(at: 2))
    }
    digests = Dictionary(counts) { first, _ in first }
  }

  /// - Parameters:
  ///   - name: the part of the contexts; empty if rates are not divided.
  ///   - digests: the number of digests in the report.
  /// - Returns: nil if the decodes of the model were not counted, or the failure occurred only in hours
  ///   without counted decodes.
  func rate(
    ofFailure id: Int64, _ model: String, in name: BinaryString = BinaryString(""), digests: Int
  ) -> FailureRate? {
    let names = [BinaryString(model)] + (part == nil ? [] : [name])
    guard let decodes = decodes[names], decodes > 0 else { return nil }
    let counted = self.digests.map { $0[Key(failure: id, part: name)] ?? 0 } ?? Int64(digests)
    guard counted > 0 || digests == 0 else { return nil }
    return FailureRate(digests: counted, decodes: decodes)
  }
}

/// The digests with a failure and the decodes of its model, both of whole hours.
struct FailureRate {
  let digests: Int64
  let decodes: Int64

  init(digests: Int64, decodes: Int64) {
    (self.digests, self.decodes) = (digests, decodes)
  }

  /// The rate of two windows; nil if decodes were counted in neither.
  init?(sum first: Self?, _ second: Self?) {
    let rates = [first, second].compactMap(\.self)
    guard !rates.isEmpty else { return nil }
    self.init(digests: rates.sum(of: \.digests), decodes: rates.sum(of: \.decodes))
  }

  var share: Double { Double(digests) / Double(decodes) }
}

/// The number of digests with a matching error, by the names of models and their parts; nil if it is
/// unknown. One that is missing is 0.
typealias ModelDigests = [[BinaryString]: Int64?]

extension Engine {
  /// Counts the decodes of the models that a filter matches, and those with a matching error.
  ///
  /// - Parameter part: the column of a context by which models are divided; nil for none.
  /// - Returns: nil if the store did not count clean decodes then.
  func decodeRates(_ filter: DigestFilter, by part: CountColumn? = nil) throws -> DecodeRates? {
    guard let window = try decodeWindow(filter) else { return nil }
    let rows = try decodes(filter, in: window, by: part)
    return try DecodeRates(
      window: window, decodes: rows.mapValues(\.decodes),
      digests: digestsByModel(filter, in: window, by: part))
  }

  /// The decodes of models, by the names of the models and their parts.
  func decodes(
    _ filter: DigestFilter, in window: TimeWindow, by part: CountColumn?
  ) throws -> [[BinaryString]: GroupedCounts.GroupedCount] {
    let columns = [.model] + (part.map { [$0] } ?? [])
    let rows = try GroupedCounts(self, of: .decodes, filter, in: window, by: columns).rows()
    return Dictionary(rows.map { ($0.names, $0) }) { first, _ in first }
  }

  /// The window of a filter, in whole hours, without a time before the first clean decode that has
  /// digests: how many decodes there were besides them is unknown.
  ///
  /// - Returns: nil if there are none.
  func decodeWindow(_ filter: DigestFilter) throws -> TimeWindow? {
    guard let start = try firstDecode() else { return nil }
    let window = try widened(filter.window.inWholeHours)
    guard !window.isEmpty, window.range.lowerBound < start else {
      return window.isEmpty ? nil : window
    }
    let earlier = TimeWindow(since: window.since, until: min(window.range.upperBound, start))
    let digests = try GroupedCounts(self, of: .decodes, DigestFilter(), in: earlier).sum()?.recorded
    // Digests of deleted days belong to a window of all time.
    let undated =
      window.since == nil && window.until == nil
      ? try integer(
        "SELECT sum(digests) FROM decodes WHERE span = 24 AND context = 0 AND start = -1") : nil
    guard (digests ?? 0) > 0 || (undated ?? 0) > 0 || window.range.upperBound <= start else {
      return window
    }
    let rest = TimeWindow(since: start, until: window.until)
    return rest.isEmpty ? nil : rest
  }

  /// The start of the first hour with a decode without errors, by a clock that was set; 1970 if its day was
  /// deleted.
  func firstDecode() throws -> Moment? {
    // A crafted file may have any start.
    let (begin, last) = (Moment.firstOfSwift.hour, Moment.latest.hour)
    func first(_ span: Int64, in starts: ClosedRange<Int64>) throws -> Moment? {
      try firstRow(
        """
        SELECT min(start) FROM decodes
        WHERE context = 0 AND decodes > digests AND span = \(span)
          AND (start BETWEEN \(starts.lowerBound) AND \(starts.upperBound) OR span = 24 AND start = -1)
        """
      ) { $0.optionalMoment(at: 0, inPeriodsOf: span * Moment.hour) } ?? nil
    }
    guard let day = try first(24, in: begin / 24...last / 24) else {
      return try first(1, in: begin...last)
    }
    return try first(1, in: day.hour...day.hour + 23) ?? day
  }

  /// Counts the digests with a matching error by their model.
  ///
  /// The counts of several failures do not say how many digests have more than one of them. So the
  /// number of a model is known if the filter matches all its failures, or one.
  func digestsByModel(
    _ filter: DigestFilter, in window: TimeWindow, by part: CountColumn? = nil
  ) throws -> ModelDigests {
    let decodes = try decodes(filter, in: window, by: part)
    let all = decodes.mapValues(\.digests)
    guard filter.choosesFailures else { return all.mapValues(Optional.some) }
    var ofAnyKind = filter
    ofAnyKind.kinds = []
    guard ofAnyKind.choosesFailures || Set(filter.kinds) != Set(ErrorDigest.Kind.allCases) else {
      return decodes.mapValues { .some($0.recorded) }
    }
    // One failure needs no look at the others of its model.
    guard filter.failures.count != 1 else {
      let columns = [.model] + (part.map { [$0] } ?? [])
      let counts = try GroupedCounts(self, of: .entries, filter, in: window, by: columns).rows()
      return Dictionary(counts.map { ($0.names, $0.digests) }) { first, _ in first }
    }
    var others = filter.ofAllModels
    others.models = filter.models
    let columns = [.failure, .model] + (part.map { [$0] } ?? [])
    let counts = try GroupedCounts(self, of: .entries, others, in: window, by: columns)
    // With such a kind, digests without an error match, too.
    let hasOthers = filter.kinds.contains(where: ErrorKinds.others.contains)
    let name = part?.rawValue ?? "''"
    let models = try rows(
      """
      WITH counts AS MATERIALIZED (
        SELECT c.failure AS failure, \(name) AS part, sum(c.digests) AS digests
        \(counts.clauses) GROUP BY 1, 2
      )
      SELECT model, part, sum(matches), sum(CASE WHEN matches < is_error THEN 1 ELSE 0 END),
        sum(matches * digests)
      FROM (
        SELECT m.name AS model, c.part AS part, c.digests AS digests,
          CASE WHEN \(filter.errorCondition()) THEN 1 ELSE 0 END AS matches,
          CASE WHEN \(ErrorKinds.condition("f.kind")) THEN 1 ELSE 0 END AS is_error
        FROM counts AS c
        CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model
      ) AS failures
      GROUP BY 1, 2 HAVING sum(matches) > 0
      """, filter.values()
    ) { row in
      (
        names: (0..<(part == nil ? 1 : 2)).map { BinaryString(row.text(at: $0) ?? "") },
        matches: row.count(at: 2), others: row.count(at: 3), digests: row.count(at: 4)
      )
    }
    var digests: ModelDigests = [:]
    for (names, matches, others, count) in models {
      if others == 0, !hasOthers {
        digests[names] = all[names] ?? 0
      } else if matches == 1 {
        digests[names] = count
      } else {
        digests.updateValue(nil, forKey: names)
      }
    }
    return digests
  }
}
