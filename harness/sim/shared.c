/*
 * Shared memory: which of it exists, and what a block has written.
 *
 * __shared__ is thread-local, so the arrays of all kernels lie side by side in the thread-local memory of
 * a host thread, each followed by a gap (the Makefile sees to that).  The program's symbol table says
 * where each is and what it is called.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/trace.h"

enum { MAX_WINDOWS = 64, WINDOW_ALIGNMENT = 1024, WORD = 4 };

__thread char cudasim_dynamic_shared[SHARED_BYTES_ASKED] __attribute__((aligned(1024)));

static __thread const char *own_start; /* of that memory; offsets below are relative to it */
static size_t own_bytes;

/* One byte for each byte: is there an array, and which block has written it last, counted modulo 255?
   That and the contents, for each block of a cluster. */
static unsigned char *there;
static struct {
    unsigned char *writer, now;
    char *aside;
} of_rank[MAX_CLUSTER];

/* For each word, what was the first to write it in the block that wrote there last. */
static const void **written_at;

/* Addresses as in PTX, with 32 bits, of which matrix descriptors keep 18.  Arrays get addresses when a
   kernel first asks for them, one after another.  The distance from a multiple of 1024 is preserved,
   because swizzling depends on these bits. */
static struct window {
    size_t start, bytes; /* of the array */
    uint64_t at;
} windows[MAX_WINDOWS];
static unsigned window_count;

/* --- where the arrays are --------------------------------------------------------------------- */

static int find_own(struct dl_phdr_info *info, size_t bytes, void *unused)
{
    (void)bytes;
    (void)unused;
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            own_start = info->dlpi_tls_data;
            own_bytes = info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the first entry is the program itself */
}

void sim_shared_launch(void)
{
    window_count = 0;
    if (own_start == NULL)
        dl_iterate_phdr(find_own, NULL);
    if (there != NULL)
        return;
    sim_symbols_read();
    there = calloc(own_bytes, 1);
    written_at = calloc(own_bytes / WORD + 1, sizeof *written_at);
    if (sim_symbols == NULL)
        memset(there, 1, own_bytes); /* stripped: the ends of arrays are not known */
    for (size_t i = 0; sim_symbols != NULL && i < sim_symbol_count; i++)
        if (sim_symbols[i].shared && sim_symbols[i].start + sim_symbols[i].bytes <= own_bytes)
            memset(there + sim_symbols[i].start, 1, sim_symbols[i].bytes);
}

void sim_shared_block(void)
{
    const unsigned rank = sim_block.rank;

    if (of_rank[rank].writer == NULL)
        of_rank[rank].writer = calloc(own_bytes, 1);
    if (++of_rank[rank].now == 0) {
        memset(of_rank[rank].writer, 0, own_bytes);
        of_rank[rank].now = 1;
    }
}

/* --- blocks of a cluster ---------------------------------------------------------------------- */

/* Returns the bytes of a shared array; 0: it is another thread-local variable. */
static size_t used_of(const struct sim_symbol *s)
{
    if (own_start + s->start == cudasim_dynamic_shared)
        return sim_block.launch->shared;
    return strncmp(s->name, "_ZZ", 3) == 0 && s->start + s->bytes <= own_bytes ? s->bytes : 0;
}

const struct sim_symbol *sim_shared_too_large(const char *kernel, size_t length)
{
    if (there == NULL || own_start == NULL)
        sim_shared_launch();
    for (size_t i = 0; sim_symbols != NULL && i < sim_symbol_count; i++) {
        const struct sim_symbol *s = &sim_symbols[i];
        if (s->shared && s->bytes > SHARED_BYTES && strncmp(s->name, "_ZZ", 3) == 0 &&
            s->start + s->bytes <= own_bytes && memmem(s->name, strlen(s->name), kernel, length) != NULL)
            return s;
    }
    return NULL;
}

/* Copies the arrays that the block has written. */
static void copy_arrays(unsigned rank, char *to, const char *from)
{
    if (to == NULL || from == NULL)
        return; /* it has not begun */
    for (size_t i = 0; i < sim_symbol_count; i++) {
        const struct sim_symbol *s = &sim_symbols[i];
        const size_t bytes = s->shared ? used_of(s) : 0;
        if (bytes > 0 && memchr(of_rank[rank].writer + s->start, of_rank[rank].now, bytes) != NULL)
            memcpy(to + s->start, from + s->start, bytes);
    }
}

size_t sim_shared_used(void)
{
    size_t sum = 0;

    for (size_t i = 0; i < sim_symbol_count; i++) {
        const struct sim_symbol *s = &sim_symbols[i];
        const size_t bytes = s->shared ? used_of(s) : 0;
        if (bytes > 0 && (own_start + s->start == cudasim_dynamic_shared ||
                          memchr(of_rank[sim_block.rank].writer + s->start, of_rank[sim_block.rank].now, bytes) != NULL))
            sum += bytes;
    }
    return sum;
}

void sim_shared_switch(unsigned from, unsigned to)
{
    if (sim_symbols == NULL)
        sim_fail(NULL, "clusters cannot be simulated in a program that was stripped");
    if (of_rank[from].aside == NULL)
        of_rank[from].aside = calloc(own_bytes, 1);
    copy_arrays(from, of_rank[from].aside, own_start);
    copy_arrays(to, (char *)own_start, of_rank[to].aside);
}

bool sim_shared(const void *p)
{
    return (size_t)((const char *)p - own_start) < own_bytes;
}

size_t sim_shared_offset(const void *p)
{
    return (size_t)((const char *)p - own_start);
}

size_t sim_shared_bytes(void)
{
    return own_bytes;
}

/* --- what is wrong with an access ------------------------------------------------------------- */

const char *sim_place_shared(const void *p)
{
    static char text[256];
    const size_t dynamic = (size_t)((const char *)p - cudasim_dynamic_shared);
    const struct sim_symbol *s = sim_symbol_at(true, sim_shared_offset(p));

    if (dynamic < SHARED_BYTES_ASKED)
        snprintf(text, sizeof text, "byte %zu of %zu bytes of dynamic shared memory", dynamic,
                 sim_block.launch->shared);
    else if (s == NULL)
        snprintf(text, sizeof text, "unnamed shared memory");
    else
        snprintf(text, sizeof text, "byte %zu of the shared array %s of %zu bytes",
                 sim_shared_offset(p) - s->start, sim_symbol_name(s), s->bytes);
    return text;
}

/* Some of the bytes from `first` to `end` belong to no array: names the nearest one. */
static _Noreturn void stray(size_t first, size_t end, bool write, const void *at)
{
    const struct sim_symbol *best = sim_symbol_near(first);

    if (best == NULL)
        sim_fail(at, "out of bounds: %s shared memory where there is none",
                 write ? "writes" : "reads");
    const size_t away = first < best->start ? best->start - first : first - best->start - best->bytes;
    sim_fail(at, "out of bounds: %s %zu bytes, %zu %s of the shared array %s of %zu bytes",
             write ? "writes" : "reads", end - first, away,
             first < best->start ? "before the start" : "past the end", sim_symbol_name(best),
             best->bytes);
}

/* Names the first shared array if the access lies just before all of them, as with an index below 0. */
void sim_shared_before(const void *p, size_t bytes, bool write, const void *at)
{
    enum { NEAR = 4096 };
    const size_t before = (size_t)(own_start - (const char *)p);
    const struct sim_symbol *first = sim_symbol_near(0);

    if (first != NULL && before > 0 && before <= NEAR)
        sim_fail(at, "out of bounds: %s %zu bytes, %zu before the start of the shared array %s of %zu bytes", write ? "writes" : "reads", bytes,
                 first->start + before, sim_symbol_name(first), first->bytes);
}

/* Checks all bytes of an access at once, which suffices for most. */
static inline bool all_are(const unsigned char *bytes, size_t count, unsigned char value)
{
    uint64_t eight;
    uint32_t four;

    if (count == sizeof four) {
        memcpy(&four, bytes, sizeof four);
        return four == value * 0x01010101u;
    }
    if (count == sizeof eight) {
        memcpy(&eight, bytes, sizeof eight);
        return eight == value * 0x0101010101010101u;
    }
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

static inline void set_all(unsigned char *bytes, size_t count, unsigned char value)
{
    if (count == sizeof(uint32_t))
        memcpy(bytes, &(uint32_t){value * 0x01010101u}, sizeof(uint32_t));
    else
        memset(bytes, value, count);
}

/* The first read of this block of what is not written. */
static struct {
    struct sim_lane *lane;
    const char *p;
    size_t bytes;
    const void *at;
} unwritten;

/* The thread stops here for good.  The others continue as far as they can: perhaps one of them writes there later. */
static void wait_unwritten(const char *p, size_t bytes, const void *at)
{
    if (unwritten.lane == NULL || unwritten.lane->state != AT_UNWRITTEN) {
        unwritten.lane = sim_lane;
        unwritten.p = p;
        unwritten.bytes = bytes;
        unwritten.at = at;
    }
    sim_wait(AT_UNWRITTEN);
}

void sim_check_shared(const char *p, size_t bytes, bool write, const void *at)
{
    size_t offset = (size_t)(p - own_start);
    size_t dynamic = (size_t)(p - cudasim_dynamic_shared);
    unsigned char *writer = of_rank[sim_block.rank].writer;
    const unsigned char now = of_rank[sim_block.rank].now;

    sim_trace_suspect(SHARED, p, bytes, write ? STORE : LOAD);
    if (dynamic < SHARED_BYTES_ASKED && dynamic + bytes > sim_block.launch->shared)
        sim_fail(at, "out of bounds: %s bytes %zu to %zu of %zu bytes of dynamic shared memory",
                 write ? "writes" : "reads", dynamic, dynamic + bytes - 1,
                 sim_block.launch->shared);
    if (offset + bytes > own_bytes || !all_are(there + offset, bytes, 1))
        stray(offset, offset + bytes, write, at);
    if (write) {
        for (size_t word = offset / WORD; word * WORD < offset + bytes; word++)
            if (written_at[word] == NULL || writer[word * WORD > offset ? word * WORD : offset] != now)
                written_at[word] = at;
        set_all(writer + offset, bytes, now);
    } else if (!all_are(writer + offset, bytes, now))
        wait_unwritten(p, bytes, at);
}

/* Returns whether of each `period` elements all are written but the first ones, `gap` of them. */
static bool all_but_first(const unsigned char *writer, unsigned char now, size_t count, size_t bytes, size_t gap, size_t period)
{
    for (size_t i = 0; i < count; i++)
        if ((writer[i * bytes] == now) != (i % period >= gap))
            return false;
    return true;
}

/* Adds how the elements that are written repeat, and whether there is one for each thread. */
static void describe_pattern(const unsigned char *writer, unsigned char now, size_t count, size_t bytes, size_t written, char *text, size_t room)
{
    size_t first = 0, run, period;

    while (first < count && writer[first * bytes] != now)
        first++;
    for (run = first; run < count && writer[run * bytes] == now; run++)
        ;
    for (period = run; period < count && writer[period * bytes] != now; period++)
        ;
    period -= first;
    bool repeats = first == 0 && period > 0 && period < count && count % period == 0;
    for (size_t i = 0; i + period < count && repeats; i++)
        repeats = (writer[i * bytes] == now) == (writer[(i + period) * bytes] == now);
    const bool last = first > 0 && run < count && count % run == 0 && all_but_first(writer, now, count, bytes, first, run);
    if (last)
        snprintf(text, room, "; of each %zu in a row the last %zu are written", run, run - first);
    else if (repeats && run > 1)
        snprintf(text, room, "; of each %zu in a row the first %zu are written", period, run);
    else if (repeats)
        snprintf(text, room, "; of each %zu in a row the first one is written", period);
    const size_t used = strlen(text);
    if (written == sim_block.threads)
        snprintf(text + used, room - used, written == 1 ? "; that is one, and the block has one thread" : "; that is one for each of the %zu threads of the block", written);
}

/* Says what of the array the block has written, in numbers of as many bytes as are read: "; elements 0 to 7 of it are written, at
   fft.cu:29, and none behind". */
static const char *describe_written(const struct sim_symbol *s, size_t offset, size_t bytes)
{
    static char text[500];
    char pattern[200] = "";
    const unsigned char *writer = of_rank[sim_block.rank].writer + s->start;
    const unsigned char now = of_rank[sim_block.rank].now;
    const size_t count = s->bytes / bytes, here = (offset - s->start) / bytes;
    size_t written = 0, ahead = 0, last = 0;

    for (size_t i = 0; i < count; i++) {
        const bool is = writer[i * bytes] == now;
        written += is;
        ahead += is && i < here;
        last = is ? i : last;
    }
    describe_pattern(writer, now, count, bytes, written, pattern, sizeof pattern);
    const char *by = written > 0 && written_at[(s->start + last * bytes) / WORD] != NULL
                         ? sim_line(written_at[(s->start + last * bytes) / WORD]) : "another place";
    if (written == 0)
        snprintf(text, sizeof text, "; nothing at all is written in %s yet", sim_symbol_name(s));
    else if (ahead == here && written == ahead)
        snprintf(text, sizeof text, "; elements 0 to %zu of it are written, at %s, and none from %zu on%s", here - 1, by, here, pattern);
    else if (written == last + 1 && last < here)
        snprintf(text, sizeof text, "; elements 0 to %zu of it are written, at %s, and none behind: element %zu is read%s", last, by, here, pattern);
    else
        snprintf(text, sizeof text, "; %zu of its %zu elements are written, the last of them number %zu, at %s%s", written, count, last, by,
                 pattern);
    return text;
}

void sim_report_unwritten(void)
{
    const struct sim_lane *lane = unwritten.lane;

    if (lane == NULL || lane < sim_block.lane || lane >= sim_block.lane + sim_block.threads || lane->state != AT_UNWRITTEN)
        return;
    const bool later = all_are(of_rank[sim_block.rank].writer + sim_shared_offset(unwritten.p), unwritten.bytes,
                               of_rank[sim_block.rank].now);
    const struct sim_symbol *s = sim_symbol_at(true, sim_shared_offset(unwritten.p));
    const bool whole = s != NULL && sim_shared_offset(unwritten.p) % unwritten.bytes == s->start % unwritten.bytes;
    const void *writer = written_at[sim_shared_offset(unwritten.p) / WORD];
    char then[300];
    snprintf(then, sizeof then, "; another thread writes there later%s%s, and no barrier is between the two", writer != NULL ? ", at " : "",
             writer != NULL ? sim_line(writer) : "");
    sim_lane = unwritten.lane;
    sim_fail(unwritten.at, "never written: reads %zu bytes of shared memory that no thread of this block has written%s: %s%s",
             unwritten.bytes, later ? " yet" : "", sim_place_shared(unwritten.p),
             later   ? then
             : whole ? describe_written(s, sim_shared_offset(unwritten.p), unwritten.bytes)
                     : "");
}

/* --- addresses of PTX ------------------------------------------------------------------------- */

static struct window *make_window(const char *p)
{
    const size_t offset = sim_shared_offset(p), dynamic = (size_t)(p - cudasim_dynamic_shared);
    const struct sim_symbol *s = sim_symbol_at(true, offset);
    struct window w = {.start = 0, .bytes = own_bytes};
    uint64_t used = 0;

    if (dynamic <= sim_block.launch->shared)
        w = (struct window){offset - dynamic, sim_block.launch->shared, 0};
    else if (s != NULL)
        w = (struct window){s->start, s->bytes, 0};
    if (window_count == MAX_WINDOWS)
        sim_fail(NULL, "addresses of more than %d shared arrays cannot be simulated", MAX_WINDOWS);
    if (window_count > 0)
        used = windows[window_count - 1].at + windows[window_count - 1].bytes + WINDOW_ALIGNMENT;
    w.at = used / WINDOW_ALIGNMENT * WINDOW_ALIGNMENT +
           (uintptr_t)(own_start + w.start) % WINDOW_ALIGNMENT;
    windows[window_count] = w;
    return &windows[window_count++];
}

size_t cudasim_shared_address(const void *p)
{
    const size_t offset = sim_shared_offset(p);
    const struct window *w = windows;

    if (sim_lane == NULL || !sim_shared(p))
        sim_fail(CALLER, "__cvta_generic_to_shared of what is not in shared memory");
    while (w < windows + window_count && offset - w->start > w->bytes)
        w++;
    if (w == windows + window_count)
        w = make_window(p);
    return w->at + (offset - w->start);
}

/* Returns an address's offset: in the last array that begins at or before it, or behind that array;
   own_bytes: there is none. */
static size_t offset_of(uint64_t address)
{
    const struct window *w = windows + window_count;
    const uint64_t place = address & ((1u << WHOSE_AT) - 1);

    while (w > windows && w[-1].at > place)
        w--;
    return w == windows ? own_bytes : w[-1].start + (place - w[-1].at);
}

static unsigned rank_of(uint64_t address)
{
    const unsigned whose = (unsigned)(address >> WHOSE_AT);

    return whose == 0 ? sim_block.rank : whose - 1;
}

char *sim_shared_at(uint64_t address)
{
    const size_t offset = offset_of(address);
    const unsigned rank = rank_of(address);

    if (offset >= own_bytes || rank >= sim_cluster_size())
        return NULL;
    return rank == sim_block.rank ? (char *)own_start + offset : of_rank[rank].aside + offset;
}

/* The bounds are those of all blocks. */
void sim_shared_copied(uint64_t address, size_t bytes, const void *at)
{
    const size_t offset = offset_of(address);
    const size_t dynamic = (size_t)(own_start + offset - cudasim_dynamic_shared);
    const unsigned rank = rank_of(address);

    if (sim_shared_at(address) == NULL || offset + bytes > own_bytes ||
        (dynamic < SHARED_BYTES_ASKED && dynamic + bytes > sim_block.launch->shared) ||
        memchr(there + offset, 0, bytes) != NULL)
        sim_fail(at, "out of bounds: copies %zu bytes to the shared address %#zx, where there is "
                 "no array for them", bytes, (size_t)address);
    memset(of_rank[rank].writer + offset, of_rank[rank].now, bytes);
}

static char *window_at(uint64_t address, size_t bytes, bool write, const void *at)
{
    char *p = sim_shared_at(address);

    if (p == NULL || !sim_shared(p))
        sim_fail(at, "out of bounds: %s %zu bytes at the shared address %#zx, where there is "
                 "nothing", write ? "writes" : "reads", bytes, (size_t)address);
    if (address % bytes != 0)
        sim_fail(at, "misaligned: %s %zu bytes at an address that is no multiple of that",
                 write ? "writes" : "reads", bytes);
    sim_check_shared(p, bytes, write, at);
    return p;
}

char *sim_check_window(uint64_t address, size_t bytes, const void *at)
{
    return window_at(address, bytes, false, at);
}

char *sim_access_shared(uint64_t address, size_t bytes, bool write, const void *at)
{
    char *p = window_at(address, bytes, write, at);

    if (sim_watching != 0)
        sim_watch(SHARED, p, bytes, write ? STORE : LOAD, at);
    return p;
}
