/*
 * Atomic operations of the host code in .cu files (std::atomic, the guards of static variables).  With
 * -fsanitize=thread the compiler calls the sanitizer's functions for them; these take their place.
 */
#include <stdbool.h>
#include <stdint.h>

#define ATOMIC_CHANGE(bits, name)                                                                  \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *p, uint##bits##_t v,      \
                                                int order);                                        \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *p, uint##bits##_t v,      \
                                                int order)                                         \
    {                                                                                              \
        (void)order;                                                                               \
        return __atomic_##name(p, v, __ATOMIC_SEQ_CST);                                            \
    }

#define ATOMIC_COMPARE(bits, name, weak)                                                           \
    int __tsan_atomic##bits##_##name(volatile uint##bits##_t *p, uint##bits##_t *expected,         \
                                     uint##bits##_t v, int order, int failure);                    \
    int __tsan_atomic##bits##_##name(volatile uint##bits##_t *p, uint##bits##_t *expected,         \
                                     uint##bits##_t v, int order, int failure)                     \
    {                                                                                              \
        (void)order;                                                                               \
        (void)failure;                                                                             \
        return __atomic_compare_exchange_n(p, expected, v, weak, __ATOMIC_SEQ_CST,                 \
                                           __ATOMIC_SEQ_CST);                                      \
    }

#define ATOMICS(bits)                                                                              \
    ATOMIC_CHANGE(bits, exchange_n)                                                                \
    ATOMIC_CHANGE(bits, fetch_add)                                                                 \
    ATOMIC_CHANGE(bits, fetch_sub)                                                                 \
    ATOMIC_CHANGE(bits, fetch_and)                                                                 \
    ATOMIC_CHANGE(bits, fetch_or)                                                                  \
    ATOMIC_CHANGE(bits, fetch_xor)                                                                 \
    ATOMIC_CHANGE(bits, fetch_nand)                                                                \
    ATOMIC_COMPARE(bits, compare_exchange_strong, false)                                           \
    ATOMIC_COMPARE(bits, compare_exchange_weak, true)                                              \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order);        \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order)         \
    {                                                                                              \
        (void)order;                                                                               \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t v, int order);     \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t v, int order)      \
    {                                                                                              \
        (void)order;                                                                               \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                              \
    uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *p, uint##bits##_t v,    \
                                                  int order)                                       \
        __attribute__((alias("__tsan_atomic" #bits "_exchange_n")));

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
