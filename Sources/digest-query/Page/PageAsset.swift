import ResilientPlatform

/// A file that every page contains.
struct PageAsset {
  static let style = Self(PackageResources.report_css)

  /// Sorts tables by a button in each column's header. Without a script there are no buttons.
  static let script = Self(PackageResources.report_js)

  /// The contents of the element.
  let html: HTML

  /// What names these contents in a policy (Content Security Policy Level 3, "hash-source").
  let hash: String

  private init(_ bytes: [UInt8]) {
    html = HTML(trusted: String(decoding: bytes, as: UTF8.self))
    hash = "sha256-\(Data(SHA256.digest(bytes)).base64EncodedString())"
  }
}
