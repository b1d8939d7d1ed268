import Foundation
import ResilientDecoding
import Testing

struct TypeNameTests {
  private enum Hidden: String, ResilientRawRepresentable {
    case known
  }

  private struct HiddenBox<Value> {
    struct Inner {}
  }

  @Test func `types of the standard library have no module`() {
    #expect(typeName(Int.self) == "Int")
    #expect(typeName(Int?.self) == "Optional<Int>")
    #expect(typeName([String].self) == "Array<String>")
    #expect(typeName([String: [Int?]].self) == "Dictionary<String, Array<Optional<Int>>>")
    #expect(typeName([String: Any].self) == "Dictionary<String, Any>")
    #expect(typeName((Int, String).self) == "(Int, String)")
    #expect(typeName(((Int) -> String).self) == "(Int) -> String")
  }

  @Test func `types of Foundation are Foundation's on every platform`() {
    #expect(typeName(URL.self) == "Foundation.URL")
    #expect(typeName([Date].self) == "Array<Foundation.Date>")
    #expect(typeName([UUID: URL?].self) == "Dictionary<Foundation.UUID, Optional<Foundation.URL>>")
  }

  /// What reflection prints on Apple's systems and on Linux, and the one name of both.
  @Test(arguments: [
    ("Swift.Int", "Swift.Int", "Int"),
    ("Foundation.Date", "FoundationEssentials.Date", "Foundation.Date"),
    ("Foundation.TimeZone", "FoundationEssentials.TimeZone", "Foundation.TimeZone"),
    ("Foundation.AffineTransform", "Foundation.AffineTransform", "Foundation.AffineTransform"),
    ("__C.NSDecimal", "FoundationEssentials.Decimal", "Foundation.Decimal"),
    ("CoreGraphics.CGFloat", "Foundation.CGFloat", "Foundation.CGFloat"),
    ("CoreFoundation.CGFloat", "Foundation.CGFloat", "Foundation.CGFloat"),
    ("__C.CGFloat", "Foundation.CGFloat", "Foundation.CGFloat"),
    ("__C._NSRange", "Foundation._NSRange", "Foundation.NSRange"),
    (
      "__C.NSComparisonResult", "FoundationEssentials.ComparisonResult",
      "Foundation.ComparisonResult"
    ),
    (
      "(extension in Foundation):__C.NSDecimal.FormatStyle.Currency",
      "(extension in FoundationInternationalization):"
        + "FoundationEssentials.Decimal.FormatStyle.Currency",
      "Foundation.Decimal.FormatStyle.Currency"
    ),
    (
      "Foundation.Date.FormatStyle",
      "(extension in FoundationInternationalization):FoundationEssentials.Date.FormatStyle",
      "Foundation.Date.FormatStyle"
    ),
    (
      "Foundation.FloatingPointFormatStyle<Swift.Double>",
      "FoundationInternationalization.FloatingPointFormatStyle<Swift.Double>",
      "Foundation.FloatingPointFormatStyle<Double>"
    ),
    (
      "Swift.Array<__C.NSDecimal>", "Swift.Array<FoundationEssentials.Decimal>",
      "Array<Foundation.Decimal>"
    ),
    (
      "Swift.Dictionary<Swift.String, Swift.Optional<CoreGraphics.CGFloat>>",
      "Swift.Dictionary<Swift.String, Swift.Optional<Foundation.CGFloat>>",
      "Dictionary<String, Optional<Foundation.CGFloat>>"
    ),
    (
      "(__C.CGFloat, App.(unknown context at $10a2b).Box<__C.NSDecimal>.Inner)",
      "(Foundation.CGFloat, App.(unknown context at $7f2b).Box<FoundationEssentials.Decimal>.Inner)",
      "(Foundation.CGFloat, App.Box<Foundation.Decimal>.Inner)"
    ),
  ])
  func `a type has one name on all platforms`(apple: String, linux: String, name: String) {
    #expect([apple, linux].map(stableName) == [name, name])
  }

  @Test(arguments: [
    "App.__CFoo", "App.__C.NSDecimal", "App__C.NSDecimal", "__C.NSDecimalNumber", "__C.CGFloats",
    "__C.NSUnitOfWork", "__C.UIEdgeInsets", "CoreGraphics.CGFloats", "App.CoreGraphics.CGFloat",
    "MyFoundationEssentials.Date", "Foundation._NSRanges", "Box<App.__CGFloat>",
    "(extension in App):String.Kind",
  ])
  func `a name that resembles a renamed one is unchanged`(name: String) {
    #expect(stableName(reflecting: name) == name)
  }

  @Test func `types that Apple's systems import from C have one name`() {
    #expect(typeName(Decimal.self) == "Foundation.Decimal")
    #expect(typeName([CGFloat?].self) == "Array<Optional<Foundation.CGFloat>>")
    #expect(typeName(NSRange.self) == "Foundation.NSRange")
    #expect(typeName(Decimal.FormatStyle.self) == "Foundation.Decimal.FormatStyle")
  }

  @Test func `a custom type's name has its module`() {
    #expect(typeName(Kind.self) == "ResilientDecodingTests.Kind")
    #expect(typeName([Kind?].self) == "Array<Optional<ResilientDecodingTests.Kind>>")
    #expect(typeName(Outer.Inner.self) == "ResilientDecodingTests.Outer.Inner")
  }

  @Test func `a name that resembles the standard library's is unchanged`() {
    #expect(typeName(MySwift.Text.self) == "ResilientDecodingTests.MySwift.Text")
    #expect(
      typeName(Pair<MySwift.Text, Int>.self)
        == "ResilientDecodingTests.Pair<ResilientDecodingTests.MySwift.Text, Int>"
    )
    #expect(typeName(Outer.Swift.self) == "ResilientDecodingTests.Outer.Swift")
    #expect(typeName(Outer.Swift.Text.self) == "ResilientDecodingTests.Outer.Swift.Text")
  }

  @Test func `a private type has no address`() {
    #expect(typeName(FilePrivate.self) == "ResilientDecodingTests.FilePrivate")
    #expect(typeName(Hidden.self) == "ResilientDecodingTests.TypeNameTests.Hidden")
    #expect(
      typeName(HiddenBox<FilePrivate?>.Inner.self)
        == "ResilientDecodingTests.TypeNameTests.HiddenBox<"
        + "Optional<ResilientDecodingTests.FilePrivate>>.Inner"
    )
  }

  @Test func `a function's type name has no address`() {
    struct Local {
      enum Deep { case one }
    }
    struct LocalBox<Value> {}
    let names = [
      typeName(Local.self), typeName(Local.Deep.self), typeName(LocalBox<Local>.self),
      typeName(Local?.self),
    ]
    for name in names {
      #expect(name.contains("Local"))
      #expect(name.hasPrefix("ResilientDecodingTests.") || name.hasPrefix("Optional<Res"))
      #expect(!name.contains("$") && !name.contains("0x") && !name.contains("unknown context"))
    }
  }

  @Test func `reports name private types alike`() throws {
    enum Local: String, ResilientRawRepresentable {
      case known
    }
    struct Model: Decodable {
      @Resilient var local: Local?
      @Resilient var hidden: [Hidden]
      @Resilient var mixed: [Mixed<Hidden>]
    }
    let (_, digest) = try Format.json.decode(
      Model.self,
      from: #"{"local": "novel", "hidden": ["novel"], "mixed": [5]}"#
    )
    #expect(
      digest?.entries.map(\.expectedType) == [
        "ResilientDecodingTests.TypeNameTests.Local",
        "ResilientDecodingTests.TypeNameTests.Hidden",
        "ResilientDecodingTests.Mixed<ResilientDecodingTests.TypeNameTests.Hidden>",
      ]
    )
  }
}

private struct FilePrivate {}

private enum Outer {
  struct Inner {}

  struct Swift {
    struct Text {}
  }
}

private enum MySwift {
  struct Text {}
}

private struct Pair<First, Second> {}

/// Throws an error without an expected type.
private struct Mixed<Value>: Decodable {
  init(from decoder: any Decoder) throws { throw Mishap(description: "never") }
}
