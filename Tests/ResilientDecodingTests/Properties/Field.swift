import ResilientDecoding

/// A way to declare a property. Each calls the overload that the compiler chooses for it.
protocol Field {
  associatedtype Value: Specimen

  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> Value

  static func write(
    _ value: Value, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws
}

/// `let p: T`
enum PlainField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> T {
    try container.decode(T.self, forKey: key)
  }

  static func write(
    _ value: T, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(value, forKey: key)
  }
}

/// `let p: T?`
enum IfPresentField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> T? {
    try container.decodeIfPresent(T.self, forKey: key)
  }

  static func write(
    _ value: T?, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encodeIfPresent(value, forKey: key)
  }
}

/// `@Resilient var p: T` in a generic model
enum ResilientField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> T {
    try container.decode(Resilient<T>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: T, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(Resilient<T>(wrappedValue: value), forKey: key)
  }
}

/// `@Resilient var p: T?`
enum ResilientOptionalField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> T? {
    try container.decode(Resilient<T?>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: T?, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(Resilient<T?>(wrappedValue: value), forKey: key)
  }
}

/// `@Resilient var p: [T]`
enum ResilientArrayField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> [T] {
    try container.decode(Resilient<[T]>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: [T], to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(Resilient<[T]>(wrappedValue: value), forKey: key)
  }
}

/// `@Resilient var p: [T]?`
enum ResilientOptionalArrayField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> [T]? {
    try container.decode(Resilient<[T]?>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: [T]?, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(Resilient<[T]?>(wrappedValue: value), forKey: key)
  }
}

/// `@Resilient var p: [String: T]`
enum ResilientDictionaryField<T: Specimen>: Field {
  static func read(
    _ container: KeyedDecodingContainer<AnyKey>,
    _ key: AnyKey
  ) throws -> [String: T] {
    try container.decode(Resilient<[String: T]>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: [String: T], to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(Resilient<[String: T]>(wrappedValue: value), forKey: key)
  }
}

/// `@Resilient var p: [String: T]?`
enum ResilientOptionalDictionaryField<T: Specimen>: Field {
  static func read(
    _ container: KeyedDecodingContainer<AnyKey>,
    _ key: AnyKey
  ) throws -> [String: T]? {
    try container.decode(Resilient<[String: T]?>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: [String: T]?, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(Resilient<[String: T]?>(wrappedValue: value), forKey: key)
  }
}

/// `@Resilient var p: R` of a raw value with a fallback
enum FallbackField<R: ResilientRawRepresentable & Specimen>: Field
where R.DecodingFallback == R {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> R {
    try container.decode(Resilient<R>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: R, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(Resilient<R>(wrappedValue: value), forKey: key)
  }
}
