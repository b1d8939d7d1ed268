import ResilientPlatform

/// A `read` or `write` that failed and can be made again.
///
/// A standard stream does not block if another program that has the same pipe or terminal open made
/// it so (`O_NONBLOCK`).
package enum RepeatableCall {
  case read, write

  /// Whether a signal interrupted the call, or the descriptor was not ready. Waits until it is.
  ///
  /// Reads `errno`, so ask at once.
  package func canRepeat(on descriptor: Int32) -> Bool {
    if errno == EINTR { return true }
    guard errno == EAGAIN || errno == EWOULDBLOCK else { return false }
    let event = self == .read ? Int16(POLLIN) : Int16(POLLOUT)
    var poll = pollfd(fd: descriptor, events: event, revents: 0)
    // If this fails, or a signal ends it, the caller repeats the call, and then this.
    _ = ResilientPlatform.poll(&poll, 1, -1)
    return true
  }
}
