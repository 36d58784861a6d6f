/*
 * Each access that a kernel makes.
 *
 * .cu files are compiled with -fsanitize=thread and linked without that sanitizer: the compiler
 * then calls these functions in front of every access to memory, and nothing else changes.  Of what
 * a function that is not inlined returns right into memory it does not tell (g++ 12), which is
 * why __global__ has everything inlined.
 */
#define _GNU_SOURCE
#include <link.h>
#include <string.h>

#include "sim.h"

#define LIKELY(x) __builtin_expect((x), 1)

/* The program's memory that is no allocation. */
static const char *data_start, *data_end;

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
        }
    }
    return 1; /* the first is the program itself */
}

void sim_hooks_launch(void)
{
    if (data_start == NULL)
        dl_iterate_phdr(find_program, NULL);
}

/* --- what is no simulated memory -------------------------------------------------------------- */

static __attribute__((noinline)) void check_elsewhere(const char *p, size_t bytes, bool write,
                                                      const void *at)
{
    const char *parameters = (const char *)sim_block.launch;
    bool own_data = p >= data_start && p < data_end;

    if (sim_shared(p))
        sim_check_shared(p, bytes, write, at);
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

/*
 * SECOND PASS: races and counters.  This, access_16 and access_range are where every access of a
 * kernel comes by, of any memory, before it is made: p, bytes, write; `at` tells instructions apart,
 * sim_lane says who it is, and sim_shared(p) what kind of memory.  Barriers are in block.c,
 * meetings of warps in warp.c.  README.md says what is missing.
 */
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
