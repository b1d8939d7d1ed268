/// Names a type so that the name is the same in every run, on every platform.
///
/// The standard library's types lose their module (`Array<App.Item>`), those of FoundationEssentials
/// are called Foundation's as on other platforms, and the context of a private type, which
/// reflection prints as an address, is left out: `App.(unknown context at $7f…).Item` is `App.Item`.
package func typeName(_ type: Any.Type) -> String {
  let id = ObjectIdentifier(type)
  if let name = typeNames.withLock({ $0[id] }) { return name }
  let name = stableName(of: type)
  typeNames.withLock { $0[id] = name }
  return name
}

/// Caches names, because reflection is slow. Types live as long as the process, and so do their names.
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
