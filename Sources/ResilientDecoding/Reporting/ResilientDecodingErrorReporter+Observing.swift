import ResilientPlatform

extension ResilientDecodingErrorReporter {
  static let observers = Locked(Observers())

  /// Calls a closure for each error that is reported in the process, with or without a reporter.
  ///
  /// Several observers are called in the order in which they were added. They run on the decoding
  /// thread, which waits for them, and outside every lock: they may decode, report, and add or
  /// remove observers. An error that an observer causes calls the observers again, so an observer
  /// that reports an entry of its own at each call never returns. For errors within a
  /// `Decoder.withReportingCheckpoint(_:)` they are called once the attempt has succeeded, and not
  /// at all if the attempt throws. They are called for the first 1,000 errors of an attempt, or for
  /// as many as the reporter holds entries if that is more; the reporter counts the others.
  ///
  /// - Returns: An observation that can be removed. Without ``Observation/remove()`` the observer
  ///   stays for the life of the process.
  @discardableResult
  public static func addObserver(_ observer: @escaping Observer) -> Observation {
    Observation(number: observers.withLock { $0.add(observer) })
  }

  /// An observer that can be replaced. Setting it does not affect those that ``addObserver(_:)``
  /// added.
  public static var observer: Observer? {
    get { observers.withLock { $0.single } }
    set { replaceSingle(by: newValue) }
  }

  private static func replaceSingle(by observer: Observer?) {
    // The old closures are released without the lock, because they may own anything.
    _ = observers.withLock { observers in
      defer { observers.single = observer }
      return observers
    }
  }

  /// An observer that was added.
  public struct Observation: Sendable, Hashable {
    fileprivate let number: Int

    /// Removes the observer. A call that another thread has begun may still be running.
    public func remove() {
      // Released without the lock.
      _ = ResilientDecodingErrorReporter.observers.withLock { observers in
        defer { observers.remove(number) }
        return observers
      }
    }
  }
}

extension ResilientDecodingErrorReporter {
  /// The observers of a process.
  struct Observers: Sendable {
    /// The observer of the property `observer`.
    var single: Observer? {
      didSet { update() }
    }

    private var added: [(number: Int, observer: Observer)] = []
    private var lastNumber = 0

    /// Calls all observers; nil if there are none.
    private(set) var all: Observer?

    mutating func add(_ observer: @escaping Observer) -> Int {
      lastNumber += 1
      added.append((lastNumber, observer))
      update()
      return lastNumber
    }

    mutating func remove(_ number: Int) {
      added.removeAll { $0.number == number }
      update()
    }

    private mutating func update() {
      let observers = [single].compactMap(\.self) + added.map(\.observer)
      let call: Observer = { entry in
        for observer in observers { observer(entry) }
      }
      all = observers.isEmpty ? nil : call
    }
  }
}
