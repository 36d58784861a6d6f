/*
 * Each memory access of a kernel.
 *
 * .cu files are compiled with -fsanitize=thread and linked without that sanitizer.  The compiler then
 * calls these functions before every memory access, and changes nothing else.  It announces no access
 * when a function that is not inlined returns a structure directly into memory (g++ 12); therefore
 * __global__ inlines everything.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "harness/sim/trace.h"

#define LIKELY(x) __builtin_expect((x), 1)

/* The program's memory that was not allocated. */
static const char *data_start, *data_end;
static size_t loaded; /* distance from where its symbols say */

static int find_program(struct dl_phdr_info *info, size_t bytes, void *unused)
{
    (void)bytes;
    (void)unused;
    loaded = info->dlpi_addr;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        const char *start = (const char *)(info->dlpi_addr + h->p_vaddr);
        if (h->p_type == PT_LOAD) {
            data_start = data_start == NULL || start < data_start ? start : data_start;
            data_end = start + h->p_memsz > data_end ? start + h->p_memsz : data_end;
        }
    }
    return 1; /* the first entry is the program itself */
}

void sim_hooks_launch(void)
{
    if (data_start == NULL)
        dl_iterate_phdr(find_program, NULL);
}

size_t sim_space_offset(enum sim_space space, const void *p)
{
    switch (space) {
    case SHARED: return sim_shared_offset(p);
    case OWN: return (size_t)((const char *)p - data_start);
    default: return (uintptr_t)p - MEMORY_START;
    }
}

size_t sim_space_bytes(enum sim_space space)
{
    switch (space) {
    case SHARED: return sim_shared_bytes();
    case OWN: return (size_t)(data_end - data_start);
    default: return MEMORY_BYTES;
    }
}

static const char *place_own(const void *p)
{
    static char text[256];
    const struct sim_symbol *s = sim_symbol_at(false, (uintptr_t)p - loaded);

    if (s == NULL)
        return "an unnamed variable";
    snprintf(text, sizeof text, "byte %zu of the variable %s of %zu bytes",
             (uintptr_t)p - loaded - s->start, sim_symbol_name(s), s->bytes);
    return text;
}

const char *sim_place(enum sim_space space, const void *p)
{
    switch (space) {
    case SHARED: return sim_place_shared(p);
    case OWN: return place_own(p);
    default: return sim_place_global(p);
    }
}

/* --- what is no simulated memory -------------------------------------------------------------- */

/* Returns whether an address is one of the thread's own variables.  They lie above the functions that
   it has called: on its stack, or on the closed page beyond, where the access will fault.  Most
   accesses are to these. */
static inline __attribute__((always_inline)) bool is_local(const char *p)
{
    return (size_t)(p - (const char *)__builtin_frame_address(0)) < STACK_GUARD;
}

/* An address in neither simulated nor shared memory. */
static enum sim_space check_outside(const char *p, size_t bytes, bool write, const void *at)
{
    const char *parameters = (const char *)sim_block.launch;

    sim_trace_suspect(GLOBAL, p, bytes, write ? STORE : LOAD);
    if (p >= data_start && p < data_end)
        return OWN;
    if (sim_on_stack(p, __builtin_frame_address(0)) ||
        (size_t)(p - parameters) < sim_block.launch->bytes)
        return PRIVATE;
    if (sim_registered(p, bytes))
        return GLOBAL;
    if ((uintptr_t)p < 4096)
        sim_fail(at, "null pointer: %s %zu bytes at address %zu%s", write ? "writes" : "reads",
                 bytes, (size_t)p, sim_null_reason());
    sim_shared_before(p, bytes, write, at);
    sim_fail(at, "host memory: %s %zu bytes at an address that is not the device's (a host "
                 "pointer passed to a kernel?)", write ? "writes" : "reads", bytes);
}

/* --- simulated memory ------------------------------------------------------------------------- */

static __attribute__((noinline)) void check_slowly(const char *p, size_t bytes, bool write,
                                                   const void *at)
{
    int region = sim_region(p);

    sim_trace_suspect(GLOBAL, p, bytes, write ? STORE : LOAD);
    if (region < MANAGED && region != sim_block.device && !sim_reaches(sim_block.device, region))
        sim_fail(at, "another device: %s memory of device %d on device %d, without peer access",
                 write ? "writes" : "reads", region, sim_block.device);
    const unsigned char wanted = write || sim_reads_unwritten ? UNWRITTEN : WRITTEN;
    for (size_t i = 0; i < bytes; i++)
        if ((sim_shadow(p)[i] & wanted) != wanted)
            sim_fail(at, "%s", sim_describe(p, bytes, write));
    if (write)
        memset(sim_shadow(p), WRITTEN, bytes);
}

static inline void check_aligned(const char *p, size_t bytes, size_t alignment, bool write,
                                 const void *at)
{
    if (!LIKELY((uintptr_t)p % alignment == 0))
        sim_fail(at, "misaligned: %s %zu bytes at an address that is no multiple of that",
                 write ? "writes" : "reads", bytes);
}

/* The slow cases are tail calls, so that the fast ones need no stack frame. */
static __attribute__((noinline)) void access_slowly(const char *p, size_t bytes, bool write,
                                                    const void *at)
{
    check_slowly(p, bytes, write, at);
    if (sim_watching != 0)
        sim_watch(GLOBAL, p, bytes, write ? STORE : LOAD, at);
}

static __attribute__((noinline)) void access_outside(const char *p, size_t bytes, bool write,
                                                     const void *at)
{
    enum sim_space space = check_outside(p, bytes, write, at);

    if (sim_watching != 0)
        sim_watch(space, p, bytes, write ? STORE : LOAD, at);
}

static __attribute__((noinline)) void access_elsewhere(const char *p, size_t bytes, bool write,
                                                       const void *at)
{
    if (!sim_shared(p)) {
        access_outside(p, bytes, write, at);
        return;
    }
    sim_check_shared(p, bytes, write, at);
    if (!LIKELY(sim_watching == 0))
        sim_watch(SHARED, p, bytes, write ? STORE : LOAD, at);
}

static void access_range(const char *p, size_t bytes, bool write, const void *at)
{
    if (sim_lane == NULL || bytes == 0) {
        if (!LIKELY(!sim_touching))
            sim_touch(p, write);
        return;
    }
    if (sim_simulated(p))
        access_slowly(p, bytes, write, at);
    else if (!is_local(p))
        access_elsewhere(p, bytes, write, at);
}

static inline __attribute__((always_inline)) void access_at(const char *p, size_t bytes, bool write,
                                                            const void *at)
{
    const uint64_t written = 0x0303030303030303 >> (64 - 8 * bytes);
    uint64_t shadow = 0;

    if (sim_lane == NULL) { /* host code */
        if (!LIKELY(!sim_touching))
            sim_touch(p, write);
        return;
    }
    if (!LIKELY(sim_simulated(p))) {
        if (!is_local(p))
            access_elsewhere(p, bytes, write, at);
        return;
    }
    check_aligned(p, bytes, bytes, write, at);
    memcpy(&shadow, sim_shadow(p), bytes);
    if (!LIKELY(shadow == written && sim_region(p) == sim_block.device))
        access_slowly(p, bytes, write, at);
    else if (!LIKELY(sim_watching == 0))
        sim_watch(GLOBAL, p, bytes, write ? STORE : LOAD, at);
}

/* It may be a float4, aligned to 16 bytes, or a structure of two 8-byte numbers; the call does not say
   which. */
static void access_16(const char *p, bool write, const void *at)
{
    if (sim_lane != NULL && sim_simulated(p))
        check_aligned(p, 16, 8, write, at);
    access_range(p, 16, write, at);
}

/* --- atomic operations of kernels ------------------------------------------------------------- */

/* Returns the old value; the caller then computes the new one.  Threads switch only where they meet,
   so nothing comes between. */
static enum sim_space check_atomic(const char *p, size_t bytes, const void *at)
{
    if (sim_simulated(p)) {
        check_aligned(p, bytes, bytes, true, at);
        check_slowly(p, bytes, false, at);
        check_slowly(p, bytes, true, at);
        return GLOBAL;
    }
    if (!sim_shared(p))
        return check_outside(p, bytes, true, at);
    sim_check_shared(p, bytes, false, at);
    sim_check_shared(p, bytes, true, at);
    return SHARED;
}

uint64_t cudasim_atomic_read(const void *p, size_t bytes)
{
    uint64_t value = 0;

    if (sim_lane != NULL) {
        enum sim_space space = check_atomic(p, bytes, CALLER);
        if (sim_watching != 0)
            sim_watch(space, p, bytes, ATOMIC, CALLER);
    }
    memcpy(&value, p, bytes);
    return value;
}

void cudasim_atomic_write(void *p, size_t bytes, uint64_t value)
{
    memcpy(p, &value, bytes);
}

/* --- what the compiler calls ------------------------------------------------------------------ */

#define HOOK(name, bytes, write)                                                                   \
    void name(void *p);                                                                            \
    void name(void *p)                                                                             \
    {                                                                                              \
        access_at(p, bytes, write, CALLER);                                                        \
    }
#define HOOK_RANGE(name, bytes, write)                                                             \
    void name(void *p);                                                                            \
    void name(void *p)                                                                             \
    {                                                                                              \
        access_range(p, bytes, write, CALLER);                                                     \
    }

HOOK(__tsan_read1, 1, false)
HOOK(__tsan_read2, 2, false)
HOOK(__tsan_read4, 4, false)
HOOK(__tsan_read8, 8, false)
HOOK(__tsan_write1, 1, true)
HOOK(__tsan_write2, 2, true)
HOOK(__tsan_write4, 4, true)
HOOK(__tsan_write8, 8, true)
HOOK_RANGE(__tsan_unaligned_read2, 2, false)
HOOK_RANGE(__tsan_unaligned_read4, 4, false)
HOOK_RANGE(__tsan_unaligned_read8, 8, false)
HOOK_RANGE(__tsan_unaligned_read16, 16, false)
HOOK_RANGE(__tsan_unaligned_write2, 2, true)
HOOK_RANGE(__tsan_unaligned_write4, 4, true)
HOOK_RANGE(__tsan_unaligned_write8, 8, true)
HOOK_RANGE(__tsan_unaligned_write16, 16, true)

/* A volatile access is never split; race.c. */
#define HOOK_VOLATILE(name, bytes, write)                                                          \
    void name(void *p);                                                                            \
    void name(void *p)                                                                             \
    {                                                                                              \
        if (sim_lane != NULL)                                                                      \
            sim_lane->strong = true;                                                               \
        access_range(p, bytes, write, CALLER);                                                     \
        if (sim_lane != NULL)                                                                      \
            sim_lane->strong = false;                                                              \
    }

HOOK_VOLATILE(__tsan_volatile_read1, 1, false)
HOOK_VOLATILE(__tsan_volatile_read2, 2, false)
HOOK_VOLATILE(__tsan_volatile_read4, 4, false)
HOOK_VOLATILE(__tsan_volatile_read8, 8, false)
HOOK_VOLATILE(__tsan_volatile_read16, 16, false)
HOOK_VOLATILE(__tsan_volatile_write1, 1, true)
HOOK_VOLATILE(__tsan_volatile_write2, 2, true)
HOOK_VOLATILE(__tsan_volatile_write4, 4, true)
HOOK_VOLATILE(__tsan_volatile_write8, 8, true)
HOOK_VOLATILE(__tsan_volatile_write16, 16, true)

void __tsan_read16(void *p);
void __tsan_read16(void *p)
{
    access_16(p, false, CALLER);
}

void __tsan_write16(void *p);
void __tsan_write16(void *p)
{
    access_16(p, true, CALLER);
}

void __tsan_read_range(void *p, size_t bytes);
void __tsan_read_range(void *p, size_t bytes)
{
    access_range(p, bytes, false, CALLER);
}

void __tsan_write_range(void *p, size_t bytes);
void __tsan_write_range(void *p, size_t bytes)
{
    access_range(p, bytes, true, CALLER);
}

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    (void)caller;
    if (sim_touching)
        sim_touch_enter();
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
    if (sim_touching)
        sim_touch_leave();
}

void __tsan_vptr_update(void **p, void *value);
void __tsan_vptr_update(void **p, void *value)
{
    (void)p;
    (void)value;
}

void __tsan_vptr_read(void **p);
void __tsan_vptr_read(void **p)
{
    (void)p;
}
