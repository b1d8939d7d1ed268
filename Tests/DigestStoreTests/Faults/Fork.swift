import ResilientPlatform

/// `fork`, which Swift does not offer, for hardly anything may be done in the child of a process that
/// has threads. Hosts do it all the same.
@_silgen_name("fork") func forkProcess() -> pid_t
