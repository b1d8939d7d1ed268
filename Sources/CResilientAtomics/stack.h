#ifndef RESILIENT_STACK_H
#define RESILIENT_STACK_H

#include <stdint.h>

// Swift has no thread-local variables.

// The stack of a thread: its lowest address and its size in bytes. Both are 0 until they are set.
typedef struct {
  uintptr_t lowest;
  uintptr_t size;
} resilient_stack;

// The stack of this thread, as this thread has stored it.
static inline resilient_stack *_Nonnull resilient_own_stack(void) {
  static _Thread_local resilient_stack stack;
  return &stack;
}

// An address in the caller's part of the stack.
static inline uintptr_t resilient_stack_address(void) {
  return (uintptr_t)__builtin_frame_address(0);
}

#if defined(__linux__)
// The C library's headers declare `pthread_getattr_np` only with _GNU_SOURCE.
extern uintptr_t resilient_self(void) __asm__("pthread_self");
extern int resilient_getattr(uintptr_t thread, void *_Nonnull attributes)
    __asm__("pthread_getattr_np");
#endif

#endif
