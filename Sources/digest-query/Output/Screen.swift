import ResilientPlatform

/// The whole terminal, from the creation of this value to its end, which restores the contents.
///
/// Uses the control sequences of xterm, which today's terminals support: the alternate screen
/// (DECSET 1049), the hidden cursor (DECTCEM), and synchronized output (DECSET 2026).
struct Screen: ~Copyable {
  enum Event {
    case quit, redraw, nothing
    case signal(Int32)
  }

  private let signals: SignalPipe
  private let modes: TerminalModes?

  static var isPossible: Bool { StandardOutput.isSteerable }

  var size: TerminalSize { TerminalSize(ofTerminal: STDOUT_FILENO) }

  init() throws {
    signals = try SignalPipe()
    modes = TerminalModes()
    enter()
  }

  deinit {
    leave()
  }

  /// Draws lines from the top and clears the rest of the screen. Each line has to fit.
  func draw(_ lines: [String]) throws {
    let text = lines.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n")
    try Self.write("\u{1B}[?2026h\u{1B}[H\(text)\u{1B}[J\u{1B}[?2026l")
  }

  /// Waits for a key or a signal, at most for a time.
  func nextEvent(within time: Duration) -> Event {
    var descriptors = [pollfd(fd: signals.reading, events: Int16(POLLIN), revents: 0)]
    // Without a terminal as stdin there are no keys.
    if modes != nil {
      descriptors.append(pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0))
    }
    let milliseconds = Int32(time / .milliseconds(1))
    let count = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    // A signal ends the wait with an error, too.
    if let number = signals.next() { return event(of: number) }
    return count > 0 && descriptors.count > 1 ? Self.eventOfKeys() : .nothing
  }

  private func event(of signal: Int32) -> Event {
    switch signal {
    case SIGINT: return .quit
    case SIGTSTP:
      // The shell gets its terminal back until it continues the process.
      leave()
      raise(SIGSTOP)
      fallthrough
    case SIGCONT:
      modes?.beginKeys()
      enter()
      return .redraw
    case SIGWINCH: return .redraw
    default: return .signal(signal)
    }
  }

  private static func eventOfKeys() -> Event {
    var keys = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &keys, keys.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return .nothing }
    // The terminal has gone.
    guard count > 0 else { return .quit }
    let endOfTransmission: UInt8 = 4
    let ends = [UInt8(ascii: "q"), UInt8(ascii: "Q"), endOfTransmission]
    return keys.prefix(count).contains { ends.contains($0) } ? .quit : .nothing
  }

  private func enter() {
    // Drawing reports an error if nothing can be written.
    try? Self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
  }

  private func leave() {
    // If the terminal has gone there is nothing to restore.
    try? Self.write("\u{1B}[?25h\u{1B}[?1049l")
    modes?.end()
  }

  private static func write(_ text: String) throws {
    var output = StandardOutput()
    output.write(text)
    try output.flush(force: true)
  }
}

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
