import ResilientPlatform

#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
  /// Passes on the notifications of an app or an extension.
  ///
  /// Under their names: an extension may not use the classes that declare them.
  // The notification center keeps no reference, and forgets an observer that is released.
  final class LifeCycle: NSObject, Sendable {
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
#else
  /// No system but Apple's for devices suspends apps.
  struct LifeCycle: Sendable {
    init(_ suspension: AutomaticSuspension) {}
  }
#endif
