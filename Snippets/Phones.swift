// What an iOS app does with a store: where the file is, and when it lets go of it.

// The examples are compiled for iOS; elsewhere they are parsed.
#if os(iOS)
  import DigestStore
  import Foundation
  import UIKit

  // snippet.show
  func openSharedStore() throws -> DigestStore? {
    let files = FileManager.default
    let group = "group.com.example.homes"
    guard let container = files.containerURL(forSecurityApplicationGroupIdentifier: group) else {
      return nil
    }
    let folder = container.appending(path: "Digests")
    try files.createDirectory(
      at: folder, withIntermediateDirectories: true,
      attributes: [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication])
    return try DigestStore(
      path: folder.appending(path: "digests.sqlite").path,
      configuration: DigestStore.Configuration(writing: .inBackground()))
  }
  // snippet.hide

  // snippet.show
  func suspendInBackground(_ store: DigestStore) {
    // One after the other: an app may come back before it is suspended.
    let queue = DispatchQueue(label: "digests")
    let center = NotificationCenter.default
    _ = center.addObserver(
      forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .main
    ) { _ in
      let task = MainActor.assumeIsolated {
        UIApplication.shared.beginBackgroundTask(withName: "digests")
      }
      queue.async {
        store.suspend()
        Task { @MainActor in UIApplication.shared.endBackgroundTask(task) }
      }
    }
    _ = center.addObserver(
      forName: UIApplication.willEnterForegroundNotification, object: nil, queue: .main
    ) { _ in
      queue.async { store.resume() }
    }
  }
// snippet.hide
#endif
