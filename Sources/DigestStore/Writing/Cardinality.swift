/// Decides, inside the writing transaction, whether the file may have one more name.
///
/// The file never forgets a name, so a limit once reached stays reached. Each further value for a
/// full path costs one index lookup.
final class Cardinality {
  /// The most names that a file may have.
  struct Limits {
    /// Novel values per model and path.
    var novelValuesPerPath: Int
    /// Failures of any kind.
    var failures: Int
    /// Models. An app has few, but an imported file may name any number.
    var models = 10_000
    /// Releases. Every build may be one.
    var releases = 10_000
  }

  /// The model and path whose novel values are counted.
  struct Place: Hashable {
    let model: Int64
    let codingPath: BinaryString
  }

  /// The most places to remember.
  private static let maximumPlaces = 20_000

  private let limits: Limits
  private var fullPlaces: Set<Place> = []
  private var areFailuresFull = false
  private var areModelsFull = false
  private var areReleasesFull = false

  /// The number of novel values at each place, valid while the newest failure is ``newest``.
  private var counts: [Place: Int] = [:]
  private var newest: Int64 = -1

  private let findNewest: Statement
  private let findValue: Statement
  private let countValues: Statement
  private let countModels: Statement
  private let countReleases: Statement

  init(_ connection: Connection, _ limits: Limits) throws {
    self.limits = limits
    // Ids have no gaps and are never reused, so the last id is the number of failures.
    findNewest = try Statement(connection, "SELECT max(id) FROM failure")
    findValue = try Statement(
      connection,
      """
      SELECT 1 FROM failure
      WHERE model_id = ?1 AND coding_path = ?2 AND ifnull(novel_value, 0) = ?3
        AND ifnull(value_type, 0) = ifnull(?4, 0)
      """
    )
    countValues = try Statement(
      connection,
      """
      SELECT count(DISTINCT value_id) FROM failure
      WHERE model_id = ?1 AND coding_path = ?2 AND value_id IS NOT NULL
        AND NOT (novel_value = ?3 AND value_type IS NULL)
      """
    )
    countModels = try Statement(connection, "SELECT count(*) FROM model")
    countReleases = try Statement(connection, "SELECT count(*) FROM release")
  }

  /// Whether a value is known to exceed the limit of its place, without counting the values there.
  func isKnownAsOver(_ value: String, ofType type: String?, at place: Place) throws -> Bool {
    guard fullPlaces.contains(place) else { return false }
    return try !isThere(value, ofType: type, at: place)
  }

  /// The overflow that a new failure is counted as, or nil when the failure may be added.
  func overflow(
    addingValue value: String?,
    ofType type: String?,
    at place: Place
  ) throws -> Overflow? {
    guard !areFailuresFull else { return .ofFailures }
    let last = try findNewest.firstRow { $0.integer(at: 0) } ?? 0
    guard last < limits.failures else {
      areFailuresFull = true
      return .ofFailures
    }
    if last != newest {
      // Another process has added failures.
      counts = [:]
      newest = last
    }
    guard let value else { return nil }
    let count = try count(at: place)
    guard count >= limits.novelValuesPerPath else { return nil }
    if fullPlaces.count >= Self.maximumPlaces { fullPlaces = [] }
    fullPlaces.insert(place)
    return try isThere(value, ofType: type, at: place) ? nil : .ofValues
  }

  /// Updates the counts after a failure was added.
  ///
  /// - Parameter place: the place of its novel value, if no other failure has the same value there.
  func added(_ id: Int64, newValueAt place: Place?) {
    newest = id
    if let place, let count = counts[place] { counts[place] = count + 1 }
  }

  /// Whether the file may have one more model.
  func admitsModel() throws -> Bool {
    if areModelsFull { return false }
    areModelsFull = try countModels.firstRow { $0.integer(at: 0) } ?? 0 >= limits.models
    return !areModelsFull
  }

  /// Whether the file may have one more release.
  func admitsRelease() throws -> Bool {
    if areReleasesFull { return false }
    areReleasesFull = try countReleases.firstRow { $0.integer(at: 0) } ?? 0 >= limits.releases
    return !areReleasesFull
  }

  /// Forgets everything, after the rollback of a transaction that may have added names.
  func forget() {
    fullPlaces = []
    areFailuresFull = false
    areModelsFull = false
    areReleasesFull = false
    counts = [:]
    newest = -1
  }

  private func isThere(_ value: String, ofType type: String?, at place: Place) throws -> Bool {
    try findValue.firstRow([
      .integer(place.model), .text(place.codingPath.text), .text(value), SQLiteValue(type),
    ]) { _ in true } == true
  }

  private func count(at place: Place) throws -> Int {
    if let count = counts[place] { return count }
    let values: [SQLiteValue] = [
      .integer(place.model), .text(place.codingPath.text), .text(Overflow.value),
    ]
    let count = Int(try countValues.firstRow(values) { $0.integer(at: 0) } ?? 0)
    if counts.count >= Self.maximumPlaces { counts = [:] }
    counts[place] = count
    return count
  }
}

extension Cardinality.Limits {
  init(_ configuration: DigestStore.Configuration) {
    self.init(
      novelValuesPerPath: max(0, configuration.maximumNovelValuesPerPath),
      failures: max(0, configuration.maximumFailures)
    )
  }
}
