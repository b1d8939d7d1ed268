import ResilientPlatform

#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
  /// Passes on the notifications of an app or an extension.
  ///
  /// Observes them by name, because extensions cannot use `UIApplication`.
  // The notification center keeps no reference, and forgets an observer that is released.
  final class AppLifecycleObserver: NSObject, Sendable {
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
  /// Only iOS, tvOS, watchOS and visionOS suspend apps.
  struct AppLifecycleObserver: Sendable {
    init(_ suspension: AutomaticSuspension) {}
  }
#endif
