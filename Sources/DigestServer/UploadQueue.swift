#if Server
  import DigestStore
  import ResilientPlatform

  /// Adds uploads to the store, all that wait in one transaction.
  ///
  /// One transaction is written at a time, so uploads of a store are added one after the other.
  actor UploadQueue {
    /// The most bytes and uploads that one transaction adds: some 100 ms, for which others wait.
    private static let (mostBytes, mostUploads) = (1 << 20, 256)

    private struct Waiting {
      let lines: CheckedImport
      let bytes: Int
      let newStores: Int
      let continuation: CheckedContinuation<ImportCounts, any Error>
    }

    private let store: DigestStore
    private var waiting: [Waiting] = []
    private var isWriting = false

    init(_ store: DigestStore) {
      self.store = store
    }

    /// Adds an upload, and returns when it is committed.
    ///
    /// - Parameter newStores: the most stores of it from which nothing came before.
    func add(_ lines: CheckedImport, bytes: Int, newStores: Int) async throws -> ImportCounts {
      try await withCheckedThrowingContinuation { continuation in
        waiting.append(
          Waiting(lines: lines, bytes: bytes, newStores: newStores, continuation: continuation))
        guard !isWriting else { return }
        isWriting = true
        Task { await writeAll() }
      }
    }

    private func writeAll() async {
      while !waiting.isEmpty {
        var (count, bytes) = (0, 0)
        while count < min(waiting.count, Self.mostUploads),
          count == 0 || bytes + waiting[count].bytes <= Self.mostBytes
        {
          bytes += waiting[count].bytes
          count += 1
        }
        let batch = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        let store = store
        do {
          let results = try await store.perform {
            store.add(batch.map { ($0.lines, $0.newStores) })
          }
          for (upload, result) in zip(batch, results) { upload.continuation.resume(with: result) }
        } catch {
          for upload in batch { upload.continuation.resume(throwing: error) }
        }
      }
      isWriting = false
    }
  }
#endif
