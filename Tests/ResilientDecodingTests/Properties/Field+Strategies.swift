import ResilientDecoding

/// `@ResilientDefault<DefaultOf<T>> var p: T`
enum DefaultField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> T {
    try container.decode(ResilientDefault<DefaultOf<T>>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: T, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(ResilientDefault<DefaultOf<T>>(wrappedValue: value), forKey: key)
  }
}

/// `@ResilientElements<DefaultOf<T>> var p: [T]`
enum ElementsField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> [T] {
    try container.decode(ResilientElements<DefaultOf<T>>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: [T], to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(ResilientElements<DefaultOf<T>>(wrappedValue: value), forKey: key)
  }
}

/// `@ResilientLossless var p: T` in a generic model
enum LosslessField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> T {
    try container.decode(ResilientLossless<T>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: T, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(ResilientLossless<T>(wrappedValue: value), forKey: key)
  }
}

/// `@ResilientLossless var p: T?`
enum LosslessOptionalField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> T? {
    try container.decode(ResilientLossless<T?>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: T?, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(ResilientLossless<T?>(wrappedValue: value), forKey: key)
  }
}

/// `@ResilientLossless var p: [T]`
enum LosslessArrayField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> [T] {
    try container.decode(ResilientLossless<[T]>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: [T], to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(ResilientLossless<[T]>(wrappedValue: value), forKey: key)
  }
}

/// `@ResilientLossless var p: [String: T]`
enum LosslessDictionaryField<T: Specimen>: Field {
  static func read(
    _ container: KeyedDecodingContainer<AnyKey>,
    _ key: AnyKey
  ) throws -> [String: T] {
    try container.decode(ResilientLossless<[String: T]>.self, forKey: key).wrappedValue
  }

  static func write(
    _ value: [String: T], to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(ResilientLossless<[String: T]>(wrappedValue: value), forKey: key)
  }
}

/// `@ResilientLossless @ResilientDefault<DefaultOf<T>> var p: T`
enum LosslessDefaultField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> T {
    try container.decode(ResilientLossless<ResilientDefault<DefaultOf<T>>>.self, forKey: key)
      .wrappedValue.wrappedValue
  }

  static func write(
    _ value: T, to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(
      ResilientLossless(wrappedValue: ResilientDefault<DefaultOf<T>>(wrappedValue: value)),
      forKey: key)
  }
}

/// `@ResilientLossless @ResilientElements<DefaultOf<T>> var p: [T]`
enum LosslessElementsField<T: Specimen>: Field {
  static func read(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> [T] {
    try container.decode(ResilientLossless<ResilientElements<DefaultOf<T>>>.self, forKey: key)
      .wrappedValue.wrappedValue
  }

  static func write(
    _ value: [T], to container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
  ) throws {
    try container.encode(
      ResilientLossless(wrappedValue: ResilientElements<DefaultOf<T>>(wrappedValue: value)),
      forKey: key)
  }
}
