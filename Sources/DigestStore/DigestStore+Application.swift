public import ResilientPlatform

extension DigestStore {
  /// Opens the store of this app, in the directory that the system has for the data of apps.
  ///
  ///     let store = try DigestStore.application()
  ///
  /// The file is at ``applicationURL(named:group:)``. Its directory is created if needed. On
  /// Apple's systems the file is not in backups, and is protected until the device is unlocked for
  /// the first time after a start. Opening it may wait for other processes: do not do it on the
  /// main thread.
  ///
  /// An app and its extensions share a store if they name the same app group. Each opens its own.
  ///
  /// - Parameters:
  ///   - name: the name of the file, without `.sqlite`.
  ///   - group: the identifier of an app group; nil for a store that only this app uses.
  ///   - configuration: how the store writes, and what it keeps.
  /// - Throws: ``DigestStoreError`` as ``init(path:configuration:)`` does, with code `protected`
  ///   before the device is unlocked, and with code `inputOutput` if the app is not in the group.
  ///   With code `diskFull`, `readOnly` or `inputOutput` if the directory cannot be created.
  public static func application(
    named name: String = "digests", group: String? = nil,
    configuration: Configuration = .application
  ) throws -> DigestStore {
    let url = try applicationURL(named: name, group: group)
    try ApplicationDirectory(group: group).create()
    return try DigestStore(url: url, configuration: configuration)
  }

  /// Returns the URL of the store that ``application(named:group:configuration:)`` opens.
  ///
  /// | system | file |
  /// |---|---|
  /// | iOS, macOS, watchOS, visionOS | `Library/Application Support/<bundle identifier>/ResilientDecoding/digests.sqlite` |
  /// | tvOS | `Library/Caches/<bundle identifier>/ResilientDecoding/digests.sqlite`; the system may delete it |
  /// | an app group | the same in its container, without the bundle identifier |
  /// | Linux | `$XDG_STATE_HOME/<program>/digests.sqlite`, by default `~/.local/state/<program>/digests.sqlite` |
  ///
  /// Creates nothing. To read the store of an app in a simulator, pass the path to
  /// `digest-query --store`.
  ///
  /// - Parameters:
  ///   - name: the name of the file, without `.sqlite`.
  ///   - group: the identifier of an app group; nil for a store that only this app uses.
  /// - Throws: ``DigestStoreError`` with code `inputOutput` if the app is not in the group, and
  ///   with code `invalidInput` if the name is empty, begins with a period, or contains a slash.
  public static func applicationURL(
    named name: String = "digests", group: String? = nil
  ) throws -> URL {
    guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(UInt8(ascii: "/")) else {
      throw DigestStoreError(
        .invalidInput, "the name of a store must not be empty, begin with a period or have a slash")
    }
    return try ApplicationDirectory(group: group).url.appending(path: "\(name).sqlite")
  }

  /// Opens the store at a URL, as ``init(path:configuration:)`` does.
  ///
  /// - Parameters:
  ///   - url: the URL of the file.
  ///   - configuration: how the store writes, and what it keeps.
  /// - Throws: ``DigestStoreError`` as ``init(path:configuration:)`` does, and with code
  ///   `inputOutput` if it is not the URL of a file.
  public convenience init(url: URL, configuration: Configuration = Configuration()) throws {
    guard url.isFileURL else {
      throw DigestStoreError(.inputOutput, "a store needs the URL of a file")
    }
    try self.init(path: url.path(percentEncoded: false), configuration: configuration)
  }
}

extension DigestStore.Configuration {
  /// The configuration of a store in an app, for
  /// ``DigestStore/application(named:group:configuration:)``.
  ///
  /// Writes in the background, so that a main thread never waits for the file: see
  /// ``DigestStore/DigestStore/flush()``. Keeps digests for 30 days, and the file below 32 MiB.
  /// ``release`` is the version of the bundle (`CFBundleShortVersionString`), nil where there is
  /// none. Suspends itself with the app. To change a property, copy the configuration:
  ///
  ///     var configuration = DigestStore.Configuration.application
  ///     configuration.reportsMissingKeys = true
  public static var application: Self {
    #if canImport(Darwin)
      application(
        release: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String,
        bundlePath: Bundle.main.bundlePath)
    #else
      application(release: nil, bundlePath: "")
    #endif
  }

  /// Makes the configuration of an app, or of an extension, which has little memory: some of them
  /// 24 MB.
  static func application(release: String?, bundlePath: String) -> Self {
    let maximumBytes = bundlePath.hasSuffix(".appex") ? 512 << 10 : 4 << 20
    return Self(
      release: release, writing: .inBackground(maximumBytes: maximumBytes), suspension: .automatic,
      maximumAge: .seconds(30 * 86_400), maximumBytes: 32 << 20)
  }
}
