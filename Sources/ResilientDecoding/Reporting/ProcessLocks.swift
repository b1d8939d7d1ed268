/// The locks of this module that all threads of the process share.
///
/// A child of a fork has no thread to unlock a mutex that another thread of its parent had locked. A
/// fork handler therefore locks them before the fork, and unlocks them in both processes. No other
/// lock is taken while one of them is held.
package enum ProcessLocks {
  package static func lock() {
    typeNames.lock { _ in }
    ResilientDecodingErrorReporter.currentObserver.lock { _ in }
  }

  package static func unlock() {
    ResilientDecodingErrorReporter.currentObserver.unlock()
    typeNames.unlock()
  }
}
