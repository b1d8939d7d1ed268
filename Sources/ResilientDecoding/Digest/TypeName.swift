import ResilientPlatform

/// Returns a type's name, which is the same in every run and on every platform.
///
/// Types of the standard library lose their module (`Array<App.Item>`). Foundation's types have the
/// module Foundation, also those that Apple's systems import from C: `__C.NSDecimal` is
/// `Foundation.Decimal`. The context of a private type, which reflection prints as an address, is
/// removed: `App.(unknown context at $7f…).Item` becomes `App.Item`.
package func typeName(_ type: Any.Type) -> String {
  let id = ObjectIdentifier(type)
  if let name = typeNames.withLock({ $0[id] }) { return name }
  let name = stableName(reflecting: String(reflecting: type))
  typeNames.withLock { $0[id] = name }
  return name
}

/// A cache, because reflection is slow. It never shrinks: a process has a fixed number of types.
let typeNames = Locked<[ObjectIdentifier: String]>([:])

/// Returns a type's name from the text that reflection prints for it on any platform.
package func stableName(reflecting text: String) -> String {
  var rest = text[...]
  var name = ""
  while let next = rest.first {
    let startsWord = name.last?.isPartOfName != true
    if next == "(", rest.hasPrefix("(unknown context at "), let end = rest.firstIndex(of: ")") {
      rest = rest[end...].dropFirst(2)
    } else if startsWord, let (reflected, replacement) = replacement(atStartOf: rest) {
      rest.removeFirst(reflected.count)
      name += replacement
    } else {
      name.append(rest.removeFirst())
    }
  }
  return name
}

private func replacement(atStartOf text: Substring) -> (reflected: String, replacement: String)? {
  replacements.first { reflected, _ in
    guard text.hasPrefix(reflected) else { return false }
    let isWholeName = reflected.last?.isPartOfWord == true
    return !isWholeName || text.dropFirst(reflected.count).first?.isPartOfWord != true
  }
}

/// The texts of reflection that differ between platforms, each with its replacement.
///
/// Foundation has three modules on Linux and one on Apple's systems. There, some of its types are
/// imported from C, and have the module `__C` and the name that C has. Nested types of another
/// module's type begin with their own module.
private let replacements: [(reflected: String, replacement: String)] = [
  ("Swift.", ""),
  ("(extension in Foundation):", ""),
  ("(extension in FoundationEssentials):", ""),
  ("(extension in FoundationInternationalization):", ""),
  ("FoundationEssentials.", "Foundation."),
  ("FoundationInternationalization.", "Foundation."),
  ("Foundation._NSRange", "Foundation.NSRange"),
  ("__C._NSRange", "Foundation.NSRange"),
  ("__C.NSComparisonResult", "Foundation.ComparisonResult"),
  ("__C.NSDecimal", "Foundation.Decimal"),
  ("__C.CGFloat", "Foundation.CGFloat"),
  ("CoreFoundation.CGFloat", "Foundation.CGFloat"),
  ("CoreGraphics.CGFloat", "Foundation.CGFloat"),
]

extension Character {
  fileprivate var isPartOfWord: Bool { isLetter || isNumber || self == "_" }
  fileprivate var isPartOfName: Bool { isPartOfWord || self == "." }
}
