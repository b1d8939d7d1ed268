/// Decides, in the transaction that writes, whether the file may have one more name.
///
/// What is full stays full, for the file never forgets a name: so once a path is full, another
/// value there costs one search in an index, however many come.
final class Cardinality {
  /// How many names a file may have.
  struct Limits {
    /// Novel values of one model and path.
    var novelValuesPerPath: Int
    /// Failures, whatever they are.
    var failures: Int
    /// An app has some; a file from elsewhere may name any number.
    var models = 10_000
    /// Every build may be one.
    var releases = 10_000
  }

  /// Where novel values are counted.
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

  /// How many novel values there were at a place when the newest failure was ``newest``.
  private var counts: [Place: Int] = [:]
  private var newest: Int64 = -1

  private let findNewest: Statement
  private let findValue: Statement
  private let countValues: Statement
  private let countModels: Statement
  private let countReleases: Statement

  init(_ connection: Connection, _ limits: Limits) throws {
    self.limits = limits
    // Ids are given without gaps and never taken back: the last one is how many there are.
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

  /// Whether a value is surely one too many for its place, without a look at how many there are.
  func isKnownAsOver(_ value: String, ofType type: String?, at place: Place) throws -> Bool {
    guard fullPlaces.contains(place) else { return false }
    return try !isThere(value, ofType: type, at: place)
  }

  /// What a failure that the file does not have is to be counted as; nil when it may be added.
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
      // Another process has added some.
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

  /// Hears of a failure that was added.
  ///
  /// - Parameter place: of its novel value, if it is the first failure that has this one.
  func added(_ id: Int64, newValueAt place: Place?) {
    newest = id
    if let place, let count = counts[place] { counts[place] = count + 1 }
  }

  /// Whether there may be one more model.
  func admitsModel() throws -> Bool {
    if areModelsFull { return false }
    areModelsFull = try countModels.firstRow { $0.integer(at: 0) } ?? 0 >= limits.models
    return !areModelsFull
  }

  /// Whether there may be one more release.
  func admitsRelease() throws -> Bool {
    if areReleasesFull { return false }
    areReleasesFull = try countReleases.firstRow { $0.integer(at: 0) } ?? 0 >= limits.releases
    return !areReleasesFull
  }

  /// Forgets all, after a transaction that may have added some was rolled back.
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
