#if Server
  import ResilientPlatform

  /// The bytes of all requests that are in memory.
  final class MemoryBudget: Sendable {
    /// A request of the largest size fits eight times.
    private static let bytes = 32 << 20

    private let used = Locked(0)

    /// Takes some bytes, or returns false if there are too few.
    func take(_ count: Int) -> Bool {
      used.withLock { used in
        guard used + count <= Self.bytes else { return false }
        used += count
        return true
      }
    }

    func giveBack(_ count: Int) { used.withLock { $0 -= count } }
  }

  /// Limits the uploads of each token in a minute, and its new stores in a day.
  final class Quotas: Sendable {
    private struct Used {
      var minute = 0
      var uploads = 0
      var day = 0
      var newStores = 0
    }

    private let uploadsPerMinute: Int
    private let newStoresPerDay: Int
    private let used = Locked<[String: Used]>([:])

    init(uploadsPerMinute: Int?, newStoresPerDay: Int?) {
      self.uploadsPerMinute = uploadsPerMinute ?? .max
      self.newStoresPerDay = newStoresPerDay ?? .max
    }

    /// Counts an upload.
    ///
    /// - Returns: how many new stores it may have; nil if there were too many uploads in this minute.
    func beginUpload(of token: String, now: Date) -> Int? {
      let minute = Int(now.timeIntervalSince1970 / 60)
      return used.withLock { all in
        var used = all[token] ?? Used()
        defer { all[token] = used }
        if used.minute != minute { (used.minute, used.uploads) = (minute, 0) }
        if used.day != minute / 1_440 { (used.day, used.newStores) = (minute / 1_440, 0) }
        guard used.uploads < uploadsPerMinute else { return nil }
        used.uploads += 1
        return max(0, newStoresPerDay - used.newStores)
      }
    }

    func add(newStores count: Int, of token: String) {
      guard count > 0 else { return }
      used.withLock { $0[token, default: Used()].newStores += count }
    }
  }
#endif
