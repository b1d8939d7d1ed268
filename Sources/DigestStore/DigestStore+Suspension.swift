extension DigestStore {
  /// Closes the file until ``resume()``, so that this process holds no lock on it.
  ///
  /// For apps that the system suspends: iOS terminates an app that is suspended while it holds a
  /// lock on a file in a shared container (exception code `0xdead10cc`). The store first writes all
  /// digests flushed or handed over so far, and waits for a running report to finish: call this
  /// where you can wait. An export stops after the page that it is reading.
  ///
  /// Digests flushed while the store is suspended wait in memory, up to the number of bytes set by
  /// ``Configuration-swift.struct/writing`` (default: 4 MiB). Digests beyond that are counted as
  /// ``Loss/overflow``. A report throws ``DigestStoreError`` with code `suspended`.
  public func suspend() {
    queue.suspend { file.suspend() }
  }

  /// Opens the file again and, before it returns, writes the digests flushed since ``suspend()``.
  ///
  /// Has no effect on a store that is not suspended.
  public func resume() {
    maintenance.request(queue.resume { file.resume() })
  }
}
