/*
 * Each access that a kernel makes.
 *
 * .cu files are compiled with -fsanitize=thread and linked without that sanitizer: the compiler
 * then calls these functions in front of every access to memory, and nothing else changes.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#define LIKELY(x) __builtin_expect((x), 1)

__thread char cudasim_dynamic_shared[SHARED_BYTES_ASKED] __attribute__((aligned(1024)));

/* The program's memory that is no allocation: its own data, and this thread's, which holds the
   shared arrays of all kernels. */
static const char *data_start, *data_end;
static __thread const char *own_start;
static size_t own_bytes;

/* For each byte of own memory, the block that has written it, counted to 255 and over again. */
static unsigned char *writer, now;

static int find_program(struct dl_phdr_info *info, size_t bytes, void *unused)
{
    (void)bytes;
    (void)unused;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        const char *start = (const char *)(info->dlpi_addr + h->p_vaddr);
        if (h->p_type == PT_LOAD) {
            data_start = data_start == NULL || start < data_start ? start : data_start;
            data_end = start + h->p_memsz > data_end ? start + h->p_memsz : data_end;
        } else if (h->p_type == PT_TLS) {
            own_start = info->dlpi_tls_data;
            own_bytes = h->p_memsz;
        }
    }
    return 1; /* the first is the program itself */
}

void sim_hooks_launch(void)
{
    if (own_start == NULL)
        dl_iterate_phdr(find_program, NULL);
    if (writer == NULL)
        writer = calloc(own_bytes, 1);
}

void sim_hooks_block(void)
{
    if (++now == 0) {
        memset(writer, 0, own_bytes);
        now = 1;
    }
}

/* --- what is no simulated memory -------------------------------------------------------------- */

static void check_shared(const char *p, size_t bytes, bool write, const void *at)
{
    size_t offset = (size_t)(p - own_start);
    size_t dynamic = (size_t)(p - cudasim_dynamic_shared);

    if (dynamic < SHARED_BYTES_ASKED && dynamic + bytes > sim_block.launch->shared)
        sim_fail(at, "out of bounds: %s bytes %zu to %zu of %zu bytes of dynamic shared memory",
                 write ? "writes" : "reads", dynamic, dynamic + bytes - 1,
                 sim_block.launch->shared);
    if (write)
        memset(writer + offset, now, bytes);
    else
        for (size_t i = 0; i < bytes; i++)
            if (writer[offset + i] != now)
                sim_fail(at, "never written: reads %zu bytes of shared memory that no thread of "
                             "this block has written", bytes);
}

static __attribute__((noinline)) void check_elsewhere(const char *p, size_t bytes, bool write,
                                                      const void *at)
{
    const char *parameters = (const char *)sim_block.launch;
    bool own_data = p >= data_start && p < data_end;

    if ((size_t)(p - own_start) < own_bytes)
        check_shared(p, bytes, write, at);
    else if (sim_on_stack(p, __builtin_frame_address(0)) || own_data ||
             (size_t)(p - parameters) < sim_block.launch->bytes || sim_registered(p, bytes))
        return;
    else if ((uintptr_t)p < 4096)
        sim_fail(at, "null pointer: %s %zu bytes at address %zu", write ? "writes" : "reads",
                 bytes, (size_t)p);
    else
        sim_fail(at, "host memory: %s %zu bytes at an address that is not the device's (a host "
                     "pointer passed to a kernel?)", write ? "writes" : "reads", bytes);
}

/* --- simulated memory ------------------------------------------------------------------------- */

static __attribute__((noinline)) void check_slowly(const char *p, size_t bytes, bool write,
                                                   const void *at)
{
    int region = sim_region(p);

    if (region < MANAGED && region != sim_block.device && !sim_reaches(sim_block.device, region))
        sim_fail(at, "another device: %s memory of device %d on device %d, without peer access",
                 write ? "writes" : "reads", region, sim_block.device);
    for (size_t i = 0; i < bytes; i++)
        if ((sim_shadow(p)[i] & (write ? UNWRITTEN : WRITTEN)) != (write ? UNWRITTEN : WRITTEN))
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

static inline __attribute__((always_inline)) void access_at(const char *p, size_t bytes, bool write,
                                                            const void *at)
{
    const uint64_t written = 0x0303030303030303 >> (64 - 8 * bytes);
    uint64_t shadow = 0;

    if (sim_lane == NULL)
        return; /* the host's own code */
    if (!LIKELY(sim_simulated(p))) {
        check_elsewhere(p, bytes, write, at);
        return;
    }
    check_aligned(p, bytes, bytes, write, at);
    memcpy(&shadow, sim_shadow(p), bytes);
    if (!LIKELY(shadow == written && sim_region(p) == sim_block.device))
        check_slowly(p, bytes, write, at);
}

/* Whether it is float4, of 16 bytes, or a structure of two numbers of 8, cannot be told. */
static void access_16(const char *p, bool write, const void *at)
{
    if (sim_lane == NULL)
        return;
    if (!sim_simulated(p)) {
        check_elsewhere(p, 16, write, at);
        return;
    }
    check_aligned(p, 16, 8, write, at);
    check_slowly(p, 16, write, at);
}

static void access_range(const char *p, size_t bytes, bool write, const void *at)
{
    if (sim_lane == NULL || bytes == 0)
        return;
    if (sim_simulated(p))
        check_slowly(p, bytes, write, at);
    else
        check_elsewhere(p, bytes, write, at);
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
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
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
