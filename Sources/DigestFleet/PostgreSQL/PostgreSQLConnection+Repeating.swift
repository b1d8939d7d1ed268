#if PostgreSQL
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension PostgreSQLConnection {
    /// How often a transaction is run again that got in another one's way.
    private static let attempts = 20

    /// Runs what the server may refuse because of what others do at the same time, and again then.
    @discardableResult
    func repeating<Value>(_ body: () throws -> Value) throws -> Value {
      var attempt = 0
      while true {
        do {
          return try body()
        } catch let error as PostgreSQLError where error.isTransient && attempt < Self.attempts {
          attempt += 1
          // Those that got in each other's way do not come back at the same moment.
          usleep(UInt32.random(in: 0..<20_000 * UInt32(attempt)))
        }
      }
    }
  }
#endif
