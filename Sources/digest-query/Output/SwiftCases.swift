import DigestStore

/// The cases that enums lack, as source of Swift to be pasted.
///
/// What cannot be a case is left out in a comment. No text from outside is more than a name, a
/// literal or a part of a comment.
struct SwiftCases {
  /// One enum, or what is most like one.
  private struct Group: Hashable {
    let model: String
    let codingPath: String
    let rawType: String

    /// - Parameter rawType: the type of the values; of one that nobody has told String is likely.
    init(_ model: String, _ codingPath: String, _ rawType: String?) {
      self.model = model
      self.codingPath = codingPath
      self.rawType = rawType ?? "String"
    }
  }

  private var groups: [Group] = []
  private var values: [Group: [NovelValueCount]] = [:]
  private var expectedTypes: [Group: [String]] = [:]

  /// - Parameters:
  ///   - values: the novel values, the most frequent first.
  ///   - failures: failures that know which types were expected.
  init(_ values: some Sequence<NovelValueCount>, failures: [FailureCount]) {
    for value in values {
      let group = Group(value.model, value.codingPath, value.valueType)
      if self.values[group] == nil { groups.append(group) }
      self.values[group, default: []].append(value)
    }
    for failure in failures where failure.novelValue != nil {
      let group = Group(failure.model, failure.codingPath, failure.valueType)
      guard let type = failure.expectedType, expectedTypes[group]?.contains(type) != true else {
        continue
      }
      expectedTypes[group, default: []].append(type)
    }
  }

  /// The source: empty without values, else lines.
  var text: String {
    groups.map { ([header($0)] + lines($0)).map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  private func header(_ group: Group) -> String {
    let types = expectedTypes[group]?.joined(separator: " or ")
    let place = "// \(group.model) \(group.codingPath)\(types.map { ": \($0)" } ?? "")"
    return (group.rawType == "String" ? place : "\(place) (\(group.rawType))").printable
  }

  private func lines(_ group: Group) -> [String] {
    var names: Set<String> = []
    var literals: Set<String> = []
    return (values[group] ?? []).map { value in
      let count = value.occurrences.counting("occurrence")
      func leftOut(_ reason: String) -> String {
        "// \(value.novelValue.swiftLiteral) is left out: \(reason); \(count)"
      }
      if value.isOverflow { return leftOut("it stands for more than the store tells apart") }
      if value.isCut { return leftOut("the store has only its beginning") }
      guard let literal = Self.literal(value.novelValue, of: group.rawType) else {
        return leftOut("it cannot be written as a raw value of \(group.rawType.printable)")
      }
      // Compared as Swift compares them: é is e with an accent.
      guard literals.insert(literal).inserted else {
        return leftOut("for Swift it equals a case above")
      }
      let name = Self.name(value.novelValue, of: group.rawType, unlike: &names)
      let isImplied = literal == "\"\(name)\"" && group.rawType == "String"
      return "case \(name.swiftIdentifier)\(isImplied ? "" : " = \(literal)")  // \(count)"
    }
  }

  /// A name that no other case of the enum has.
  private static func name(
    _ value: String,
    of rawType: String,
    unlike names: inout Set<String>
  ) -> String {
    let isNegative = numbers[rawType] != nil && value.hasPrefix("-")
    let first = (isNegative ? "minus" + value.dropFirst() : value).swiftCaseName
    var name = first
    var number = 1
    while !names.insert(name).inserted {
      number += 1
      name = first + (first.endsWithDigit ? "_" : "") + "\(number)"
    }
    return name
  }

  /// A raw value as source; nil where it is none, or none of a type that an enum can have.
  private static func literal(_ value: String, of rawType: String) -> String? {
    switch rawType {
    case "String": value.swiftLiteral
    case "Character": value.count == 1 ? value.swiftLiteral : nil
    default: numbers[rawType]?(value)
    }
  }

  /// How Swift writes the numbers that raw values may be.
  private static let numbers: [String: @Sendable (String) -> String?] = [
    "Int": { Int($0)?.description }, "UInt": { UInt($0)?.description },
    "Int8": { Int8($0)?.description }, "UInt8": { UInt8($0)?.description },
    "Int16": { Int16($0)?.description }, "UInt16": { UInt16($0)?.description },
    "Int32": { Int32($0)?.description }, "UInt32": { UInt32($0)?.description },
    "Int64": { Int64($0)?.description }, "UInt64": { UInt64($0)?.description },
    "Double": { Double($0).flatMap { $0.isFinite ? $0.description : nil } },
    "Float": { Float($0).flatMap { $0.isFinite ? $0.description : nil } },
  ]
}
