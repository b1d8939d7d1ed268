extension DigestStore {
  /// Closes the file until ``resume()``, so that no lock of this process is on it.
  ///
  /// For apps that the system suspends: iOS ends an app that holds a lock on a file in a shared
  /// container while it is suspended (exception code `0xdead10cc`). What was flushed or handed over
  /// before is written first, and a report that is running comes to its end: call this where you can
  /// wait. An export goes no further than the page that it reads.
  ///
  /// Digests that are flushed afterwards wait in memory, as many bytes of them as
  /// ``Configuration-swift.struct/writing`` allows and 4 MiB by default; what comes in addition is
  /// counted as ``Loss/overflow``. A report throws ``DigestStoreError`` of code `suspended`.
  public func suspend() {
    queue.suspend { file.suspend() }
  }

  /// Opens the file again and writes what was flushed since ``suspend()``, before this returns.
  ///
  /// Does nothing to a store that is not suspended.
  public func resume() {
    maintenance.request(queue.resume { file.resume() })
  }
}
