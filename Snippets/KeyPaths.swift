// Values at paths: in an `init(from:)`, and in a document that is kept.

import Foundation
import ResilientDecoding
import ResilientDocuments

let data = Data(
  #"""
  {
    "id": 7,
    "meta": {"language": "Swift"},
    "object": {"repo": {"owner": {"id": 1, "login": "anviking"}}},
    "isPrivate": "true"
  }
  """#.utf8)

// MARK: - In an initialiser

struct Repository: Decodable {
  let login: String
  let language: String?
  let licence: String?

  // snippet.hide
  // The formatter does not know the operators and takes them for a part of the assignment.
  // swift-format-ignore: NoAssignmentInExpressions
  // snippet.show
  init(from decoder: any Decoder) throws {
    login = try decoder => "object" => "repo" => "owner" => "login"
    language = try decoder => "meta" => "language"
    licence = try decoder =>? "licence" => "name"
  }
}

let repository = try JSONDecoder().decode(Repository.self, from: data)
print(repository)

// MARK: - In a document

let json = try JSONDecoder().decode(DecodableDocument.self, from: data)
let login: String = try json => "object" => "repo" => "owner" => "login"
let owner: [String: DecodableDocument] = try json => ["object", "repo", "owner"]
let stars: Int? = try json =>? "stars"
print(login, owner.keys.sorted(), stars as Any)

// MARK: - Errors

do {
  let name: String = try json => "object" => "repo" => "owner" => "name"
  print(name)
} catch let error as DecodingPathError {
  print(error)
  print(error.kind, error.path, error.expected ?? "-")
}
do {
  let id: String = try json => "id"
  print(id)
} catch {
  print(error)
}

// MARK: - Replaced decodings

let decoder = JSONDecoder()
decoder.userInfo.replaceDecoding(of: Bool.self) { decoder in
  let container = try decoder.singleValueContainer()
  if let text = try? container.decode(String.self) { return text == "true" }
  return try Bool(from: decoder)
}
let lenient = try decoder.decode(DecodableDocument.self, from: data)
let isPrivate: Bool = try lenient => "isPrivate"
print(isPrivate)
