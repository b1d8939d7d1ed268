import Dispatch
import ResilientPlatform

/// Suspends a store while its app is in the background, and resumes it afterwards.
///
/// A notification only records whether the app is in the background. A serial queue then suspends
/// or resumes the store accordingly. So if the app comes back before the store is suspended, the
/// store ends up open. No method waits for the file.
final class AutomaticSuspension: Sendable {
  /// Runs a closure while the system lets the app run, and passes it whether that time is over.
  typealias Activity = @Sendable (_ body: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

  private struct AppState: Sendable {
    var suspend: @Sendable () -> Void = {}
    var resume: @Sendable () -> Void = {}
    var isInBackground = false

    /// Whether the digests that were recorded in the background are about to be written.
    var isWriteDue = false
  }

  private let state = Locked(AppState())
  private let activity: Activity

  /// Runs one change after the other.
  let queue = DispatchQueue(label: "DigestStore.suspension")

  init(activity: @escaping Activity = AutomaticSuspension.expiringActivity) {
    self.activity = activity
  }

  /// Sets the closures that suspend and resume the store. The store owns this object, so they do
  /// not own the store.
  func begin(suspend: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void) {
    state.withLock { ($0.suspend, $0.resume) = (suspend, resume) }
  }

  /// Suspends the store before the system suspends the app.
  func appDidEnterBackground() {
    state.withLock { $0.isInBackground = true }
    // Suspends even if the time has expired: that takes a few milliseconds.
    activity { [self] _ in apply() }
  }

  func appWillEnterForeground() {
    state.withLock { $0.isInBackground = false }
    queue.async { [self] in applyNow() }
  }

  /// Writes a digest that was recorded in the background, for example for a push.
  func digestWasRecorded() {
    let isNew = state.withLock { state in
      guard state.isInBackground, !state.isWriteDue else { return false }
      state.isWriteDue = true
      return true
    }
    guard isNew else { return }
    activity { [self] isExpired in
      // Before the digests are written: another one may be recorded meanwhile.
      state.withLock { $0.isWriteDue = false }
      apply(writes: !isExpired)
    }
  }

  /// Suspends or resumes the store, as the app's state requires.
  ///
  /// - Parameter writes: whether to write the digests that a suspended store keeps in memory.
  private func apply(writes: Bool = false) {
    queue.sync { applyNow(writes: writes) }
  }

  private func applyNow(writes: Bool = false) {
    let state = state.withLock(\.self)
    if writes || !state.isInBackground { state.resume() }
    if state.isInBackground { state.suspend() }
  }

  private static let expiringActivity: Activity = { body in
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      ProcessInfo.processInfo.performExpiringActivity(
        withReason: "Writing digests", using: body)
    #else
      body(false)
    #endif
  }
}

extension AutomaticSuspension {
  /// Follows the notifications of an app or an extension.
  ///
  /// - Returns: an object that does so as long as it exists; nil on systems that suspend no apps.
  func followingApp() -> (any Sendable)? {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      AppLifecycleObserver(self)
    #else
      nil
    #endif
  }
}

#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
  /// Observes notifications by name, because extensions cannot use `UIApplication`.
  // The notification center keeps no reference, and forgets an observer that is released.
  private final class AppLifecycleObserver: NSObject, Sendable {
    private static let background = [
      "UIApplicationDidEnterBackgroundNotification",
      "NSExtensionHostDidEnterBackgroundNotification",
      "WKApplicationDidEnterBackgroundNotification",
    ]
    private static let foreground = [
      "UIApplicationWillEnterForegroundNotification",
      "NSExtensionHostWillEnterForegroundNotification",
      "WKApplicationWillEnterForegroundNotification",
    ]

    private let suspension: AutomaticSuspension

    init(_ suspension: AutomaticSuspension) {
      self.suspension = suspension
      super.init()
      observe(Self.background, #selector(appDidEnterBackground(_:)))
      observe(Self.foreground, #selector(appWillEnterForeground(_:)))
    }

    private func observe(_ names: [String], _ selector: Selector) {
      for name in names {
        NotificationCenter.default.addObserver(
          self, selector: selector, name: Notification.Name(name), object: nil)
      }
    }

    @objc private func appDidEnterBackground(_ notification: Notification) {
      suspension.appDidEnterBackground()
    }

    @objc private func appWillEnterForeground(_ notification: Notification) {
      suspension.appWillEnterForeground()
    }
  }
#endif
