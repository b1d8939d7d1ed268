// The platform's libraries under one name: Foundation, and the C library.
//
// FoundationEssentials is the part of Foundation that needs no ICU, and so keeps executables on
// Linux small.

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Android)
  @_exported public import Android
#elseif canImport(WASILibc)
  @_exported public import WASILibc
  #if canImport(wasi_pthread)
    @_exported public import wasi_pthread
  #endif
#endif
