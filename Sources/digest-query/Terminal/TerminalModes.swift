import ResilientPlatform

/// The input mode of the terminal behind stdin: each key at once and without echo, and at the end
/// as before.
struct TerminalModes {
  private let before: termios

  /// - Returns: nil if stdin is not a terminal.
  init?() {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
    before = modes
    beginKeys()
  }

  /// Delivers each key at once. Ctrl-C and Ctrl-Z remain signals.
  func beginKeys() {
    var modes = before
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
  }

  func end() {
    var modes = before
    // Discards typed keys, so that the shell does not read them.
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes)
  }
}
