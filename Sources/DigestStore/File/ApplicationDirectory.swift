import ResilientPlatform

/// The directory of an app's stores.
struct ApplicationDirectory {
  /// How a system lays out the data of apps.
  enum DirectoryLayout: CaseIterable {
    case apple

    /// An app can write nothing else than caches, which the system may delete.
    case appleTV

    /// The directories of freedesktop.org, "XDG Base Directory Specification".
    case xdg

    static var current: Self {
      #if os(tvOS)
        .appleTV
      #elseif canImport(Darwin)
        .apple
      #else
        .xdg
      #endif
    }
  }

  let url: URL

  /// Chooses the directory.
  ///
  /// - Parameters:
  ///   - layout: the system's.
  ///   - home: the home directory, the container of a sandboxed app, or that of an app group.
  ///   - program: the bundle identifier or the name of the program; nil in the container of a
  ///     group, which several programs share.
  ///   - environment: the variables of the process.
  init(_ layout: DirectoryLayout, home: URL, program: String?, environment: [String: String]) {
    var url =
      switch layout {
      case .apple: home.appending(path: "Library/Application Support")
      case .appleTV: home.appending(path: "Library/Caches")
      case .xdg: Self.state(home: home, environment["XDG_STATE_HOME"])
      }
    if let program { url.append(path: program) }
    if layout != .xdg { url.append(path: "ResilientDecoding") }
    self.url = url
  }

  /// The directory for data that should outlive a restart, but is not worth a backup.
  ///
  /// - Parameter path: the value of the variable. The specification ignores relative paths.
  private static func state(home: URL, _ path: String?) -> URL {
    guard let path, path.hasPrefix("/") else { return home.appending(path: ".local/state") }
    return URL(filePath: path)
  }
}

extension ApplicationDirectory {
  /// The directory of this process.
  ///
  /// - Throws: ``DigestStoreError`` when the process may not use the app group.
  init(group: String?) throws {
    let environment = ProcessInfo.processInfo.environment
    guard let group else {
      self.init(.current, home: Self.home, program: Self.program, environment: environment)
      return
    }
    #if canImport(Darwin)
      let container = FileManager.default.containerURL(
        forSecurityApplicationGroupIdentifier: group)
    #else
      let container: URL? = nil
    #endif
    guard let container else {
      throw DigestStoreError(
        .inputOutput,
        "\(group): there is no such app group; add it to the entitlements of the app and of each "
          + "extension")
    }
    self.init(.current, home: container, program: nil, environment: environment)
  }

  /// The home directory, or the container of a sandboxed app.
  private static var home: URL {
    #if canImport(Darwin)
      URL(filePath: NSHomeDirectory())
    #else
      FileManager.default.homeDirectoryForCurrentUser
    #endif
  }

  private static var program: String {
    #if canImport(Darwin)
      Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    #else
      ProcessInfo.processInfo.processName
    #endif
  }

  /// Creates the directory if it does not exist.
  ///
  /// On Apple's systems its files are not in backups. On devices they can be used once the device
  /// was unlocked after a start, also while it is locked again. SQLite's companion files are
  /// protected like their directory.
  ///
  /// - Throws: ``DigestStoreError`` when it cannot be created.
  func create() throws {
    let path = url.path(percentEncoded: false)
    var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      attributes[.protectionKey] = FileProtectionType.completeUntilFirstUserAuthentication
    #endif
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: attributes)
      #if canImport(Darwin)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var directory = url
        try directory.setResourceValues(values)
      #endif
    } catch {
      let code = (error as? CocoaError)?.code
      throw DigestStoreError(
        code == .fileWriteOutOfSpace
          ? .diskFull : code == .fileWriteNoPermission ? .readOnly : .inputOutput,
        "\(path): the directory cannot be created; check the disk, and the permissions of the "
          + "directories above it")
    }
  }
}
