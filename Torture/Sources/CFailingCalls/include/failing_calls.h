// Nothing to call: the library is loaded before the C library (LD_PRELOAD), and fails one of its calls.
