#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A directory in `$TMPDIR` that only its owner may enter.
enum TemporaryDirectory {
  /// Runs `body` with the path of a new directory, and deletes it with all that is in it.
  ///
  /// A first signal to end waits for that; a second one does not.
  static func with(_ body: (String) throws -> Void) throws {
    let variable = ProcessInfo.processInfo.environment["TMPDIR"]
    let parent = variable.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var name = Array("\(parent)/digest-query-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw Failure(
        status: EX_IOERR,
        "\(parent): no directory can be made there (\(String(cString: strerror(errno)))); choose "
          + "another place with TMPDIR")
    }
    let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: path) }
    Interruption.holdBack()
    try body(path)
  }
}
