/// The member of a value that could not be decoded, where the error does not name it.
///
/// A malformed `.iso8601` date fails with the path of the enclosing object, an unknown raw value
/// without its type, and an error of an `init(from:)` of the app's own may have no path. After such
/// an error, the value is decoded again with a ``TracingDecoder`` to find the call that fails. This
/// search skips members that recover by themselves: they do not fail, and their own members have
/// been searched already.
struct BadMember {
  /// The path from the value.
  let path: [any CodingKey]

  /// The member's type.
  let type: Any.Type
}
