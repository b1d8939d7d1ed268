#if Server
  import ResilientPlatform

  /// The tokens of a file: on each line a name, a token and, for one that may decide on failures, the
  /// word `triage`.
  ///
  ///     web   0dJx7GqkLw2sVn4Z
  ///     mara  Yq81mfTz0cKp3HbE triage
  struct Tokens: Sendable {
    struct Token: Sendable, Hashable {
      /// The name, for logs and limits.
      let name: String

      /// Whether its owner may write decisions on failures.
      let mayTriage: Bool

      fileprivate let hash: [UInt8]
    }

    /// The lengths of a token. A shorter one can be guessed.
    static let lengths = 16...256

    private let tokens: [Token]

    /// Reads a file.
    ///
    /// - Throws: ``CollectorError`` for a file that cannot be read, that others may read, or that has
    ///   another form.
    init(file path: String) throws {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard let data = FileManager.default.contents(atPath: path) else {
        throw CollectorError("\(path): it cannot be read; name a file of tokens")
      }
      guard let mode = attributes?[.posixPermissions] as? Int, mode & 0o077 == 0 else {
        throw CollectorError("\(path): others may read or write it; run: chmod 600 \(path.quoted)")
      }
      var tokens: [Token] = []
      for (index, line) in String(decoding: data, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false
      ).enumerated() {
        func problem(_ text: String) -> CollectorError {
          CollectorError("\(path), line \(index + 1): \(text)")
        }
        let words = line.split(whereSeparator: \.isWhitespace)
        guard let name = words.first, !name.hasPrefix("#") else { continue }
        guard words.count > 1 else { throw problem("write a name, a space and a token") }
        let token = words[1]
        guard Self.lengths ~= token.utf8.count, token.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
          throw problem("a token has 16 to 256 ASCII characters, as openssl rand -hex 16 prints")
        }
        guard name.utf8.count <= 64, name.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
          throw problem("a name has at most 64 ASCII characters")
        }
        guard words.count == 2 || words.count == 3 && words[2] == "triage" else {
          throw problem("only the word triage may follow a token")
        }
        let hash = SHA256.digest(Array(token.utf8))
        guard !tokens.contains(where: { $0.hash == hash || $0.name == name }) else {
          throw problem("the name or the token is there twice")
        }
        tokens.append(Token(name: String(name), mayTriage: words.count == 3, hash: hash))
      }
      self.tokens = tokens
    }

    /// Finds the token of a request, in a time that says nothing about the others.
    ///
    /// - Parameter authorization: the header `Authorization`: `Bearer`, or `Basic` with the token as
    ///   the password, for which a browser asks.
    func find(_ authorization: String?) -> Token? {
      guard let authorization, authorization.utf8.count <= 1_024 else { return nil }
      let words = authorization.split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { return nil }
      let secret: [UInt8]
      switch words[0].lowercased() {
      case "bearer": secret = Array(words[1].utf8)
      case "basic":
        guard let pair = Data(base64Encoded: String(words[1])),
          let colon = pair.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        secret = Array(pair[(colon + 1)...])
      default: return nil
      }
      let hash = SHA256.digest(secret)
      var found: Token?
      for token in tokens {
        let difference = zip(token.hash, hash).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 }
        if difference == 0 { found = token }
      }
      return found
    }
  }

  /// The tokens of a file that is read again when its owner says so.
  final class TokenFile: Sendable {
    let path: String
    private let tokens: Locked<Tokens>

    init(_ path: String) throws {
      self.path = path
      tokens = Locked(try Tokens(file: path))
    }

    /// Reads the file again. The old tokens stay if it cannot be read.
    func reload() throws {
      let new = try Tokens(file: path)
      tokens.withLock { $0 = new }
    }

    func find(_ authorization: String?) -> Tokens.Token? {
      tokens.withLock { $0 }.find(authorization)
    }
  }

  extension String {
    /// The text in quotes for a shell.
    fileprivate var quoted: String { "'\(replacing("'", with: #"'\''"#))'" }
  }
#endif
