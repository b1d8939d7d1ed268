import ResilientDecoding
import ResilientDocuments

/// Models of one property each, plain and with a strategy.
enum StrategyFields {
  enum Default: ModelPair {
    struct Plain: Decodable, Hashable { var value: String }
    struct Recovering: Decodable, Hashable {
      @ResilientDefault<DefaultValue.EmptyString> var value: String
    }
  }

  enum Elements: ModelPair {
    struct Plain: Decodable, Hashable { var value: [Int] }
    struct Recovering: Decodable, Hashable {
      @ResilientElements<DefaultValue.Zero<Int>> var value: [Int]
    }
  }

  enum Number: ModelPair {
    struct Plain: Decodable, Hashable { var value: Double }
    struct Recovering: Decodable, Hashable { @ResilientLossless var value: Double }
  }

  enum Numbers: ModelPair {
    struct Plain: Decodable, Hashable { var value: [Int] }
    struct Recovering: Decodable, Hashable { @ResilientLossless var value: [Int] }
  }

  enum NumberOrDefault: ModelPair {
    struct Plain: Decodable, Hashable { var value: Double }
    struct Recovering: Decodable, Hashable {
      @ResilientLossless @ResilientDefault<DefaultValue.Zero<Double>> var value: Double
    }
  }

  enum AtKeyPath: ModelPair {
    struct Plain: Decodable, Hashable {
      var value: String

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        value = try container.decode(String.self, forKey: .value)
      }

      private enum CodingKeys: CodingKey {
        case value
      }
    }

    struct Recovering: Decodable, Hashable {
      var value: String

      init(from decoder: any Decoder) throws {
        let value: String = try decoder => "value"
        self.value = value
      }
    }
  }
}

extension Field {
  static let requiredString = Self(
    clean: { "A house by the sea, number \($0)" },
    damaged: { .integer($0) },
    remains: { _ in "" }
  )

  static let replacedIntegers = Self(
    clean: { [.integer($0), 5, 4, 3, 5] },
    damaged: { [.integer($0), 5, "four", 3, 5] },
    remains: { [.integer($0), 5, 0, 3, 5] }
  )

  static let convertedNumber = Self(
    clean: { .number(Double($0) + 0.25) },
    damaged: { "\($0).25" },
    remains: { .number(Double($0) + 0.25) }
  )

  static let convertedIntegers = Self(
    clean: { [.integer($0), 5, 4, 3, 5] },
    damaged: { [.integer($0), 5, "4", 3, 5] },
    remains: { [.integer($0), 5, 4, 3, 5] }
  )
}
