/// The rules of a document for a member of an object.
struct MemberRules {
  /// Whether `properties` has it, and where.
  var declared: Place?
  /// The same in all parts of a schema.
  var properties: [Node] = []
  /// Whether `required` has it, and where.
  var required: Place?
  /// Where other members than those of `properties` are excluded.
  var closed: Place?
  /// The schema that was read last.
  var place: Place
}

extension Schema {
  /// The rules for a member of the object.
  func rules(forMember name: String) -> MemberRules {
    fold {
      if case .keywords(let node, _) = $0 { return node.rules(forMember: name) }
      return MemberRules(place: place)
    } all: { rules in
      MemberRules(
        declared: rules.firstValue(\.declared),
        properties: rules.flatMap(\.properties).unique(by: \.place),
        required: rules.firstValue(\.required), closed: rules.firstValue(\.closed),
        place: rules[0].place)
    } any: { alternatives in
      // The member is required only if each alternative for an object requires it.
      let objects = alternatives.filter { $0.part.mayBeObject }.map(\.1)
      let rules = objects.isEmpty ? alternatives.map(\.1) : objects
      return MemberRules(
        declared: rules.firstValue(\.declared),
        properties: rules.flatMap(\.properties).unique(by: \.place),
        required: rules.allSatisfy { $0.required != nil } ? rules[0].required : nil,
        closed: rules.allSatisfy { $0.closed != nil } ? rules[0].closed : nil,
        place: rules[0].place)
    }
  }

  /// Whether the value may be an object.
  var mayBeObject: Bool {
    fold {
      switch $0 {
      case .keywords(let node, _): node.allows("object")
      case .open, .unresolved: true
      case .nothing, .null, .all, .any: false
      }
    } all: {
      !$0.contains(false)
    } any: {
      $0.contains(where: \.1)
    }
  }
}

extension [MemberRules] {
  fileprivate func firstValue(_ property: KeyPath<MemberRules, Place?>) -> Place? {
    lazy.compactMap { $0[keyPath: property] }.first
  }
}

extension Node {
  fileprivate func rules(forMember name: String) -> MemberRules {
    let property = member("properties")?.member(name)
    let required = member("required")?.elements.first {
      $0.value.string.map { $0.utf8.elementsEqual(name.utf8) } == true
    }
    let isClosed =
      additionalMembers?.value.boolean == false && value["patternProperties"] == nil
    return MemberRules(
      declared: property?.place, properties: property.map { [$0] } ?? [], required: required?.place,
      closed: isClosed ? place : nil, place: place)
  }
}

extension SchemaReader {
  /// Whether a property is only in requests, or only in responses, and this is the other one.
  func isOfOtherDirection(_ properties: [Node], isRequest: Bool) -> Bool {
    let name = isRequest ? "readOnly" : "writeOnly"
    var (parts, seen) = (properties, Set<Place>())
    while let part = parts.popLast() {
      guard seen.insert(part.place).inserted else { continue }
      if part.value[name]?.boolean == true { return true }
      parts +=
        (part.member("allOf")?.elements ?? []) + [files.referenced(by: part)].compactMap(\.self)
    }
    return false
  }
}
