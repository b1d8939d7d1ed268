import Foundation

/// The machine that the numbers were measured on.
package struct Machine: CustomStringConvertible {
  let processor: String
  let cores: Int
  let system: String
  let swift: String

  package static var current: Self {
    let process = ProcessInfo.processInfo
    return Self(
      processor: processorName ?? "Unknown processor",
      cores: process.activeProcessorCount,
      system: process.operatingSystemVersionString,
      swift: swiftVersion ?? "unknown version of Swift"
    )
  }

  package var description: String { "\(processor), \(cores) cores; \(system); \(swift)." }

  private static var processorName: String? {
    #if canImport(Darwin)
      output(of: "sysctl", "-n", "machdep.cpu.brand_string")
    #else
      (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
        .split(separator: "\n")
        .first { $0.hasPrefix("model name") }?
        .split(separator: ":").last
        .map { $0.trimmingCharacters(in: .whitespaces) }
    #endif
  }

  /// The version of the toolchain on the path, because a program does not know its compiler.
  private static var swiftVersion: String? {
    guard let output = output(of: "swift", "--version"),
      let version = output.firstMatch(of: /Swift version [^\s]+/)
    else { return nil }
    return String(version.output)
  }

  private static func output(of command: String...) -> String? {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
