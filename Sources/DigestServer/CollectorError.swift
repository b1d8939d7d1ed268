#if Server
  /// Why a collector does not start, with the remedy.
  package struct CollectorError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
      self.description = description
    }
  }
#endif
