import ResilientPlatform

/// The size of a terminal, in characters.
struct TerminalSize: Equatable {
  let columns: Int
  let rows: Int

  /// The size that the terminal reports, else $COLUMNS and $LINES, else 80 by 24.
  init(ofTerminal descriptor: Int32) {
    var size = winsize()
    _ = ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    columns = size.ws_col > 0 ? Int(size.ws_col) : Self.number("COLUMNS") ?? 80
    rows = size.ws_row > 0 ? Int(size.ws_row) : Self.number("LINES") ?? 24
  }

  private static func number(_ variable: String) -> Int? {
    getenv(variable).flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
  }
}
