#ifndef RESILIENT_ATOMICS_H
#define RESILIENT_ATOMICS_H

#include <stdint.h>

// The standard library's `Atomic` needs macOS 15 and iOS 18.

static inline uint32_t resilient_load_32(const void *address) {
  return __atomic_load_n((const uint32_t *)address, __ATOMIC_ACQUIRE);
}

static inline uint64_t resilient_load_64(const void *address) {
  return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE);
}

static inline void resilient_store_32(void *address, uint32_t value) {
  __atomic_store_n((uint32_t *)address, value, __ATOMIC_RELEASE);
}

static inline intptr_t resilient_load(const intptr_t *address) {
  return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}

static inline void resilient_store(intptr_t *address, intptr_t value) {
  __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
}

static inline intptr_t resilient_exchange(intptr_t *address, intptr_t value) {
  return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
}

static inline intptr_t resilient_add(intptr_t *address, intptr_t value) {
  return __atomic_add_fetch(address, value, __ATOMIC_SEQ_CST);
}

#endif
