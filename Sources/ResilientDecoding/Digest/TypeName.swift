import ResilientPlatform

/// Returns a type's name, which is the same in every run and on every platform.
///
/// Types of the standard library lose their module (`Array<App.Item>`). Types of
/// FoundationEssentials get the module Foundation, as on other platforms. The context of a private
/// type, which reflection prints as an address, is removed: `App.(unknown context at $7f…).Item`
/// becomes `App.Item`.
package func typeName(_ type: Any.Type) -> String {
  let id = ObjectIdentifier(type)
  if let name = typeNames.withLock({ $0[id] }) { return name }
  let name = stableName(of: type)
  typeNames.withLock { $0[id] = name }
  return name
}

/// A cache, because reflection is slow. It never shrinks: a process has a fixed number of types.
let typeNames = Locked<[ObjectIdentifier: String]>([:])

private func stableName(of type: Any.Type) -> String {
  var rest = String(reflecting: type)[...]
  var name = ""
  while let next = rest.first {
    let continuesWord = name.last.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    let startsWord = continuesWord != true
    if next == "(", rest.hasPrefix("(unknown context at "), let end = rest.firstIndex(of: ")") {
      rest = rest[end...].dropFirst(2)
    } else if startsWord, rest.hasPrefix("Swift.") {
      rest.removeFirst(6)
    } else if startsWord, rest.hasPrefix("FoundationEssentials.") {
      rest.removeFirst("FoundationEssentials.".count)
      name += "Foundation."
    } else {
      name.append(rest.removeFirst())
    }
  }
  return name
}
