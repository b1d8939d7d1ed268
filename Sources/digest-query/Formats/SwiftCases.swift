import DigestStore

/// The cases that enums lack, as Swift source to paste.
///
/// A value that cannot be a case becomes a comment. Text from outside becomes only names, literals
/// and comments.
struct SwiftCases {
  /// A place where values were found.
  private struct Place: Hashable {
    let model: String
    let codingPath: String
    let rawType: String

    /// - Parameter rawType: the type of the values; String is likely if it is unknown.
    init(_ model: String, _ codingPath: String, _ rawType: String?) {
      self.model = model
      self.codingPath = codingPath
      self.rawType = rawType ?? "String"
    }
  }

  /// Probably one enum: all places that expect the same type, or a single place whose expected type
  /// is unknown.
  private struct EnumGroup {
    let rawType: String
    let expectedTypes: [String]
    var places: [Place] = []
    var values: [Value] = []
  }

  private struct Value {
    let count: DigestStore.FailureCount
    var occurrences: Int
  }

  /// The identity of a value in its group. It also differs for strings that Swift considers equal.
  private struct Identity: Hashable {
    let group: Int
    let bytes: [UInt8]
  }

  /// The single type that some places expect.
  private struct ExpectedType: Hashable {
    let name: String
    let rawType: String
  }

  private var groups: [EnumGroup] = []

  /// - Parameters:
  ///   - values: the novel values to print, most frequent first.
  ///   - all: all novel values. They have the expected types of each place.
  init(_ values: some Sequence<DigestStore.FailureCount>, typesOf all: [DigestStore.FailureCount]) {
    let expectedTypes = Self.expectedTypes(of: all)
    var groupOfPlace: [Place: Int] = [:]
    var groupOfType: [ExpectedType: Int] = [:]
    var indexOfValue: [Identity: Int] = [:]
    for value in values {
      let place = Place(value.model, value.codingPath, value.valueType)
      let types = expectedTypes[place] ?? []
      let type = types.count == 1 ? ExpectedType(name: types[0], rawType: place.rawType) : nil
      let group = groupOfPlace[place] ?? type.flatMap { groupOfType[$0] } ?? groups.count
      if group == groups.count {
        groups.append(EnumGroup(rawType: place.rawType, expectedTypes: types))
        if let type { groupOfType[type] = group }
      }
      if groupOfPlace.updateValue(group, forKey: place) == nil {
        groups[group].places.append(place)
      }
      let identity = Identity(group: group, bytes: Array((value.novelValue ?? "").utf8))
      if let index = indexOfValue[identity] {
        let sum = groups[group].values[index].occurrences.adding(count: value.occurrences)
        groups[group].values[index].occurrences = sum
      } else {
        indexOfValue[identity] = groups[group].values.count
        groups[group].values.append(Value(count: value, occurrences: value.occurrences))
      }
    }
  }

  private static func expectedTypes(of values: [DigestStore.FailureCount]) -> [Place: [String]] {
    var types: [Place: [String]] = [:]
    for value in values {
      let place = Place(value.model, value.codingPath, value.valueType)
      guard let type = value.expectedType, types[place]?.contains(type) != true else { continue }
      types[place, default: []].append(type)
    }
    return types
  }

  /// The source as lines; empty without values.
  var text: String {
    guard !groups.isEmpty else { return "" }
    return Self.advice
      + groups.map { "\n" + ([header($0)] + lines($0)).map { $0 + "\n" }.joined() }.joined()
  }

  private static let advice = "// Check the names: an enum may have one of them already.\n"

  /// The maximum number of places in a header.
  private static let namedPlaces = 3

  private func header(_ group: EnumGroup) -> String {
    var places = group.places.prefix(Self.namedPlaces).map { "\($0.model) \($0.codingPath)" }
    let more = group.places.count - places.count
    if more > 0 { places.append("\(more) more") }
    let types = group.expectedTypes.joined(separator: " or ")
    let header = "// \(places.joined(separator: ", "))\(types.isEmpty ? "" : ": \(types)")"
    return (group.rawType == "String" ? header : "\(header) (\(group.rawType))").printable
  }

  private func lines(_ group: EnumGroup) -> [String] {
    var names: Set<String> = []
    var literals: Set<String> = []
    // Sorts again because values of several places have been added up.
    let values = group.values.enumerated().sorted {
      ($1.element.occurrences, $0.offset) < ($0.element.occurrences, $1.offset)
    }
    return values.map { _, value in
      let count = value.occurrences.counting("occurrence")
      let (value, text) = (value.count, value.count.novelValue ?? "")
      func leftOut(_ reason: String) -> String {
        "// \(text.swiftLiteral) is left out: \(reason); \(count)"
      }
      if value.isOverflow { return leftOut("it stands for several values that the store merged") }
      if value.isCut { return leftOut("the store kept only its beginning") }
      guard let literal = Self.literal(text, of: group.rawType) else {
        return leftOut("it cannot be written as a raw value of \(group.rawType.printable)")
      }
      // Compared as Swift compares them: é is e with an accent.
      guard literals.insert(literal).inserted else {
        return leftOut("for Swift it equals a case above")
      }
      let name = Self.name(text, of: group.rawType, unlike: &names)
      let isImplied = literal == "\"\(name)\"" && group.rawType == "String"
      return "case \(name.swiftIdentifier)\(isImplied ? "" : " = \(literal)")  // \(count)"
    }
  }

  /// A name that is unique in the enum.
  private static func name(
    _ value: String,
    of rawType: String,
    unlike names: inout Set<String>
  ) -> String {
    let isNegative = numbers[rawType] != nil && value.hasPrefix("-")
    var first = (isNegative ? "minus" + value.dropFirst() : value).swiftCaseName
    // The enum probably has the value without the space.
    let isSpace = value.unicodeScalars.map(\.properties.isWhitespace)
    if isSpace.first == true || isSpace.last == true, isSpace.contains(false) { first += "Padded" }
    var name = first
    var number = 1
    while !names.insert(name).inserted {
      number += 1
      name = first + (first.endsWithDigit ? "_" : "") + "\(number)"
    }
    return name
  }

  /// A raw value as source; nil if it is not one of a type that an enum can have.
  private static func literal(_ value: String, of rawType: String) -> String? {
    switch rawType {
    case "String": value.swiftLiteral
    case "Character": value.count == 1 ? value.swiftLiteral : nil
    default: numbers[rawType]?(value)
    }
  }

  /// The Swift literals of numeric raw values.
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
