#ifndef RESILIENT_THREAD_H
#define RESILIENT_THREAD_H

#include <stdint.h>

// The object that this thread has stored while it decodes, or null.
static inline void *_Nullable *_Nonnull resilient_own_object(void) {
  static _Thread_local void *object;
  return &object;
}

// Two numbers of this thread: how many values it decodes inside each other, and what their errors
// have cost.
typedef struct {
  intptr_t depth;
  intptr_t cost;
} resilient_nesting;

static inline resilient_nesting *_Nonnull resilient_own_nesting(void) {
  static _Thread_local resilient_nesting nesting;
  return &nesting;
}

#if !defined(_WIN32) && !defined(__wasi__)
#include <pthread.h>
#include <stddef.h>
#if defined(__APPLE__)
#include <pthread/qos.h>
#endif

// Starts a detached thread. In C, because pthread_create has other types on each platform.
//
// Its priority is lower than that of work that the user waits for. Returns 0, or an error number.
static inline int resilient_start_thread(size_t stack_size,
                                         void *_Nullable (*_Nonnull body)(void *_Nullable),
                                         void *_Nonnull context) {
  pthread_attr_t attributes;
  int status = pthread_attr_init(&attributes);
  if (status != 0) return status;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stack_size);
#if defined(__APPLE__)
  pthread_attr_set_qos_class_np(&attributes, QOS_CLASS_UTILITY, 0);
#endif
  pthread_t thread;
  status = pthread_create(&thread, &attributes, body, context);
  pthread_attr_destroy(&attributes);
  return status;
}
#endif

#endif
