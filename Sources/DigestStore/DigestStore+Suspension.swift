extension DigestStore {
  /// Closes the file until ``resume()``, so that no lock of this process is on it.
  ///
  /// For apps that the system suspends: iOS ends an app that holds a lock on a file in a shared
  /// container while it is suspended (exception code `0xdead10cc`). What is being written is
  /// committed when this returns. Digests that are flushed afterwards wait in memory, as many bytes
  /// of them as ``Configuration-swift.struct/writing`` allows and 4 MiB by default; a report throws.
  public func suspend() {
    queue.suspend { file.suspend() }
  }

  /// Opens the file again and writes what was flushed since ``suspend()``.
  ///
  /// Does nothing to a store that is not suspended.
  public func resume() {
    maintenance.request(queue.resume { file.resume() })
  }
}
