#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Makes an empty file that only its owner may read or write, unless there is one.
///
/// SQLite gives the files that it keeps beside it the same mode. Whatever else is in the way is
/// left to SQLite to tell.
func createPrivateFile(at path: String) {
  let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
  if descriptor >= 0 { close(descriptor) }
}
