import ResilientPlatform

/// `fork`, which Swift does not offer, for hardly anything may be done in the child of a process
/// that has threads. Hosts do it all the same.
@_silgen_name("fork") func forkProcess() -> pid_t

/// Has a signal end this process if it is still there after some minutes.
func endIfStuck(after seconds: UInt32 = 300) {
  // Threads of a pool hold this signal back, and a child inherits that of the thread that forks.
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGALRM)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  alarm(seconds)
}
