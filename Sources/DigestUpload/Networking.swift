// On Linux, URLSession is in a module of its own.
#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif
