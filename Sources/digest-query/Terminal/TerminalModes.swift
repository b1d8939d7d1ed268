#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How the terminal behind stdin hands over keys: each at once and unseen, and then as it did before.
struct TerminalModes {
  private let before: termios

  /// - Returns: nil where stdin is no terminal.
  init?() {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
    before = modes
    beginKeys()
  }

  /// Has each key come at once; Ctrl-C and Ctrl-Z stay signals.
  func beginKeys() {
    var modes = before
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
  }

  func end() {
    var modes = before
    // What was typed for us is not for the shell.
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes)
  }
}
