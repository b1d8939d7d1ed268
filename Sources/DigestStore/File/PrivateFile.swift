#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Creates an empty file that only its owner may read or write, if none exists.
///
/// SQLite gives the companion files the same mode. Other errors are left for SQLite to report.
func createPrivateFile(at path: String) {
  let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
  if descriptor >= 0 { close(descriptor) }
}
