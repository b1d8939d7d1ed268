import Foundation

/// Traps, and says what was broken, when something does not hold.
func promise(
  _ isKept: Bool,
  _ words: @autoclosure () -> String,
  file: StaticString = #file,
  line: UInt = #line
) {
  // A `precondition` keeps its words to itself in an optimised build.
  if !isKept { fatalError(words(), file: file, line: line) }
}
