import ResilientDecoding

/// Builds the JSON of a digest's errors for its columns: `[[1,3],[2,7,"key",{"m":"…"}]]`.
struct JSONList {
  private var json = "["

  /// - Parameter count: the expected number of elements, to reserve memory for.
  init(count: Int) { json.reserveCapacity(2 + 16 * count) }

  var isEmpty: Bool { json.utf8.count == 1 }

  /// Ends the list and returns it.
  consuming func text() -> String {
    json += "]"
    return json
  }

  /// Adds `[failure, arguments…, {members…}?]`. Everything but the failure's id must be JSON
  /// already.
  mutating func add(_ failure: Int64, _ arguments: [String], members: [String]) {
    json += isEmpty ? "[" : ",["
    json += String(failure)
    for argument in arguments {
      json += ","
      json += argument
    }
    if !members.isEmpty {
      json += ",{"
      json += members.joined(separator: ",")
      json += "}"
    }
    json += "]"
  }

  /// Adds an omission: `[failure, count, {"m": message, "t": …, "f": …}?]`. Without "t" and "f" it
  /// has no found value.
  mutating func add(
    _ record: FailureRecord, count: Int, _ failure: FailureSample, _ limit: ValueLimit
  ) {
    let record = record.cut(to: limit)
    let found = KeptFoundValue.members(of: record.keptFound, besides: nil)
    add(failure.id, ["\(count)"], members: record.message(besides: failure) + found)
  }

  /// Adds an entry: `[failure, index or key…, {"m": message, "t": …, "f": …}?]`. Omits fields that
  /// equal the failure's. Most entries omit all of them.
  mutating func add(_ entry: FailureRecord, _ failure: FailureSample, _ limit: ValueLimit) {
    guard entry.message.map(BinaryString.init) == failure.message, entry.isFound(as: failure.found),
      entry.path.components.count <= PathFormat.maximumArguments, entry.path.isOfArrays
    else {
      let entry = entry.cut(to: limit)
      let found = KeptFoundValue.members(of: entry.keptFound, besides: failure.found)
      return add(
        failure.id, PathFormat(entry.path).arguments,
        members: entry.message(besides: failure) + found)
    }
    json += isEmpty ? "[" : ",["
    json += String(failure.id)
    for case .index(let index) in entry.path.components {
      json += ","
      json += String(index)
    }
    json += "]"
  }
}

extension FailureRecord {
  /// Whether the found value equals the failure's.
  fileprivate func isFound(as kept: KeptFoundValue?) -> Bool {
    guard let found, let kept else { return found == nil && kept == nil }
    guard found.type.rawValue == kept.type else { return false }
    return switch kept.text {
    case nil: found.text == nil
    case .own(let text): found.text.map(BinaryString.init) == text
    case .novelValue: found.text.map(BinaryString.init) == novelValue.map(BinaryString.init)
    case .cleared: false
    }
  }

  /// The member of an entry's object for the message. Empty if the message equals the failure's.
  fileprivate func message(besides failure: FailureSample) -> [String] {
    message.map(BinaryString.init) == failure.message
      ? [] : ["\"m\":\(message?.jsonQuoted ?? "null")"]
  }
}

extension ErrorDigest.Path {
  /// Whether the path consists of keys and indices only.
  fileprivate var isOfArrays: Bool {
    components.allSatisfy { component in
      switch component {
      case .key, .index: true
      case .dictionaryKey, .anyDictionaryKey, .anyIndex: false
      }
    }
  }
}

/// A stored failure with its sample: the message and found value that its entries may omit.
struct FailureSample {
  let id: Int64

  /// The message of an entry that omits it.
  let message: BinaryString?

  /// The found value of an entry that omits it.
  var found: KeptFoundValue?

  /// Whether the file stores a found value for the failure, or did when this was read.
  var hasSample: Bool

  /// The approximate size of the texts, in bytes.
  var size: Int {
    let found: Int = if case .own(let text) = found?.text { text.text.utf8.count } else { 0 }
    return found + (message?.text.utf8.count ?? 0)
  }

  /// Whether the file should store this found value for the failure.
  func shouldStore(_ found: ErrorDigest.FoundValue?, isCounted: Bool = false) -> Bool {
    guard !hasSample, let found else { return false }
    // A cleared found value is replaced only by one of its type, from an entry that omits it.
    return self.found.map { $0.type == found.type.rawValue && !isCounted } ?? true
  }
}
