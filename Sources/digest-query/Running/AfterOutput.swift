import Synchronization

/// What a command has done when all that it prints is where it is to be.
enum AfterOutput {
  private static let action = Mutex<(@Sendable () throws -> Void)?>(nil)

  /// Has something done once stdout is written, and has become the file that was asked for.
  static func perform(_ body: @escaping @Sendable () throws -> Void) {
    action.withLock { $0 = body }
  }

  /// Does it: nothing, if no command has asked for it.
  static func begin() throws {
    try action.withLock { $0 }?()
  }
}
