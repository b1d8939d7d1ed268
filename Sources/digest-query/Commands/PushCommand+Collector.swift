import DigestStore
import ResilientPlatform

#if Server
  import DigestUpload
#endif

/// Pushes to a collector.
extension PushCommand {
  /// Whether a target is the address of a collector.
  static func isCollector(_ target: String) -> Bool {
    target.hasPrefix("https://") || target.hasPrefix("http://")
  }

  /// Uploads stores, one after the other.
  func upload(storesAt paths: [String]) throws {
    #if Server
      guard let url = URL(string: target) else {
        throw ExitFailure.usage("\(target.printable) isn't the address of a collector")
      }
      let token = ProcessInfo.processInfo.environment["DIGEST_TOKEN"].flatMap {
        $0.isEmpty ? nil : $0
      }
      Interruption.say("nothing is counted twice; push again")
      for path in paths {
        let store = try DigestStore(path: path, configuration: .forImport)
        do {
          let summary = try waiting { try await store.upload(to: url, token: token) }
          try StandardOutput.print(
            "\(path.printable): sent \(summary.added.counting("digest")), \(summary.known) were there already"
          )
        } catch let error as UploadError {
          throw Self.failure(error)
        }
        try store.close()
      }
    #else
      throw ExitFailure.usage(
        "this digest-query was built without collectors: build it with the trait Server")
    #endif
  }

  #if Server
    private static func failure(_ error: UploadError) -> ExitFailure {
      switch error.code {
      case .invalidAddress: .usage(error.description)
      case .refusedPart: .badInput(error.description)
      case .refusedToken: .io("\(error.description); the token is in $DIGEST_TOKEN")
      default: .io(error.description)
      }
    }
  #endif
}
