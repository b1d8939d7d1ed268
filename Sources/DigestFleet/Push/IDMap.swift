/// By which numbers a report knows what the server, or a store, has others for: 0 for what it does not
/// know.
struct ReportNumbers: Sendable {
  /// At the places of the others, where these are dense, as they nearly always are.
  private var places: [Int64] = []
  private var numbers: [Int64: Int64] = [:]

  init(_ pairs: some Collection<(Int64, Int64)>) {
    let last = max(0, pairs.lazy.map { $0.0 }.max() ?? 0)
    if last <= Int64(4 * pairs.count + 1_000) {
      places = [Int64](repeating: 0, count: Int(last) + 1)
      for (other, number) in pairs where other >= 0 { places[Int(other)] = number }
    } else {
      numbers = Dictionary(pairs) { first, _ in first }
    }
  }

  /// The number of each id is its place, from 1 on.
  init(of ids: [Int64]) { self.init(Array(zip(ids, Int64(1)...))) }

  subscript(other: Int64) -> Int64 {
    if numbers.isEmpty { return places.indices.contains(Int(other)) ? places[Int(other)] : 0 }
    return numbers[other] ?? 0
  }
}
