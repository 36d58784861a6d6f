/*
 * Simulated memory: an address shows which memory it belongs to, and a shadow byte its state.
 *
 * Each array has pages of its own, with closed pages around, and is initially 0xff: NaN, or -1.
 * Addresses are not used again, so that freed ones can be recognised.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/sim/sim.h"

enum { PAGE = 4096, GAP = 64 << 10, HUGE_PAGE = 2 << 20 };

static struct sim_array *arrays; /* the newest first, including freed ones */
static char *ends[REGIONS];      /* where the next one may start */
static int opened;

/* Registered host memory. */
static struct range {
    struct range *next;
    const char *start;
    size_t bytes;
    const void *made;
} *registered;

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static size_t pages_of(const struct sim_array *a)
{
    return round_up(a->bytes > 0 ? a->bytes : 1, PAGE);
}

void sim_memory_start(void)
{
    char *start = (char *)MEMORY_START;

    /* Reserved addresses take no memory until they are opened.  The shadow can be read everywhere. */
    if (mmap(start, MEMORY_BYTES, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != start ||
        mmap(start + MEMORY_BYTES, MEMORY_BYTES, PROT_READ,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) !=
            start + MEMORY_BYTES)
        sim_fail(NULL, "the addresses that it needs are taken");
    for (size_t i = 0; i < REGIONS; i++)
        ends[i] = start + i * REGION_BYTES + GAP;
}

/* --- arrays ----------------------------------------------------------------------------------- */

static bool on_device(int region)
{
    return region < MANAGED;
}

/* Once a quarter of the addresses is used and no array is left there, they may be used again. */
static void start_over(int region)
{
    char *start = (char *)MEMORY_START + (size_t)region * REGION_BYTES;

    if ((size_t)(ends[region] - start) < REGION_BYTES / 4 || sim_memory_used(region) > 0)
        return;
    for (struct sim_array **link = &arrays; *link != NULL;) {
        struct sim_array *a = *link;
        if (a->region != region) {
            link = &a->next;
            continue;
        }
        *link = a->next;
        free(a);
    }
    ends[region] = start + GAP;
}

struct sim_array *sim_array_make(int region, size_t bytes, const void *at)
{
    char *limit = (char *)MEMORY_START + ((size_t)region + 1) * REGION_BYTES;
    struct sim_array *a;

    start_over(region);
    char *start = ends[region];
    if (bytes >= HUGE_PAGE) /* opening and closing small pages would take long */
        start = (char *)round_up((size_t)start, HUGE_PAGE);
    else if (region == MANAGED) /* which moves in blocks of this size */
        start = (char *)round_up((size_t)start, GAP);
    if (bytes > REGION_BYTES || bytes + 2 * (size_t)GAP > (size_t)(limit - start))
        return NULL;
    a = malloc(sizeof *a);
    *a = (struct sim_array){.next = arrays, .start = start, .bytes = bytes, .region = region,
                            .made = at};
    memcpy(a->launched, sim_launched, sizeof a->launched);
    if (mprotect(start, pages_of(a), PROT_READ | PROT_WRITE) != 0 ||
        mprotect(sim_shadow(start), pages_of(a), PROT_READ | PROT_WRITE) != 0) {
        free(a);
        return NULL;
    }
    if (bytes >= HUGE_PAGE) {
        madvise(start, pages_of(a), MADV_HUGEPAGE);
        madvise(sim_shadow(start), pages_of(a), MADV_HUGEPAGE);
    }
    memset(start, 0xff, pages_of(a));
    /* Writes of the host to shared memory are not observed. */
    memset(sim_shadow(start), on_device(region) ? UNWRITTEN : WRITTEN, bytes);
    if (on_device(region) && opened == 0)
        mprotect(start, pages_of(a), PROT_NONE);
    ends[region] = start + pages_of(a) + GAP;
    if (region == MANAGED)
        sim_managed_made(a);
    return arrays = a;
}

void sim_array_free(struct sim_array *a, const void *at)
{
    mprotect(a->start, pages_of(a), PROT_NONE);
    madvise(a->start, pages_of(a), MADV_DONTNEED);
    memset(sim_shadow(a->start), OUTSIDE, a->bytes);
    mprotect(sim_shadow(a->start), pages_of(a), PROT_READ);
    sim_race_forget(a);
    free(a->users);
    a->users = NULL;
    a->freed = at;
}

struct sim_array *sim_array_at(const void *p)
{
    for (struct sim_array *a = arrays; a != NULL; a = a->next)
        if (a->start == p && a->freed == NULL)
            return a;
    return NULL;
}

struct sim_array *sim_array_of(const void *p)
{
    for (struct sim_array *a = arrays; a != NULL; a = a->next)
        if ((size_t)((const char *)p - a->start) < a->bytes && a->freed == NULL)
            return a;
    return NULL;
}

size_t sim_memory_used(int region)
{
    size_t bytes = 0;

    for (const struct sim_array *a = arrays; a != NULL; a = a->next)
        if (a->region == region && a->freed == NULL)
            bytes += pages_of(a);
    return bytes;
}

static void protect_devices(int protection)
{
    for (const struct sim_array *a = arrays; a != NULL; a = a->next)
        if (on_device(a->region) && a->freed == NULL)
            mprotect(a->start, pages_of(a), protection);
        else if (a->region == MANAGED && a->freed == NULL)
            sim_managed_open(a, protection != PROT_NONE);
}

void sim_memory_open(void)
{
    if (opened++ == 0)
        protect_devices(PROT_READ | PROT_WRITE);
}

void sim_memory_close(void)
{
    if (--opened == 0)
        protect_devices(PROT_NONE);
}

const char *sim_left_arrays(void)
{
    static char text[256];
    const struct sim_array *first = NULL;
    size_t bytes = 0, count = 0;

    for (const struct sim_array *a = arrays; a != NULL; a = a->next)
        if (a->freed == NULL) {
            first = a; /* ends at the oldest */
            bytes += a->bytes;
            count++;
        }
    if (first == NULL)
        return NULL;
    size_t made = 0, freed = 0; /* of those that the same line has made */
    for (const struct sim_array *a = arrays; a != NULL; a = a->next) {
        made += a->made == first->made;
        freed += a->made == first->made && a->freed != NULL;
    }
    const int used = snprintf(text, sizeof text, "leak: %zu bytes in %zu array%s never freed, the first from %s",
                              bytes, count, count == 1 ? "" : "s", sim_line(first->made));
    if (freed > 0 && used > 0 && (size_t)used < sizeof text)
        snprintf(text + used, sizeof text - (size_t)used, "; that line has made %zu, and %zu of them were freed", made, freed);
    return text;
}

/* --- host memory ------------------------------------------------------------------------------ */

bool sim_registered(const void *p, size_t bytes)
{
    const char *from = p;

    for (const struct range *r = registered; r != NULL; r = r->next)
        if (from >= r->start && (size_t)(from - r->start) + bytes <= r->bytes)
            return true;
    return false;
}

cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    cudaError_t status = cudaSuccess;

    (void)flags;
    sim_enter("cudaHostRegister", CALLER);
    if (p == NULL || bytes == 0 || sim_simulated(p)) {
        status = cudaErrorInvalidValue;
    } else if (sim_registered(p, 1)) {
        status = cudaErrorHostMemoryAlreadyRegistered;
    } else {
        struct range *r = malloc(sizeof *r);
        *r = (struct range){.next = registered, .start = p, .bytes = bytes, .made = CALLER};
        registered = r;
    }
    return sim_leave(status);
}

cudaError_t cudaHostUnregister(void *p)
{
    cudaError_t status = cudaErrorHostMemoryNotRegistered;

    sim_enter("cudaHostUnregister", CALLER);
    for (struct range **link = &registered; *link != NULL; link = &(*link)->next)
        if ((*link)->start == p) {
            struct range *gone = *link;
            *link = gone->next;
            free(gone);
            status = cudaSuccess;
            break;
        }
    return sim_leave(status);
}

/* --- what is wrong with an access ------------------------------------------------------------- */

/* Returns the array that contains p, or else the nearest of its region, the latest freed first. */
const struct sim_array *sim_array_near(const void *p)
{
    const struct sim_array *best = NULL;
    size_t least = GAP;
    const char *c = p;

    for (const struct sim_array *a = arrays; a != NULL; a = a->next) {
        size_t away = c < a->start ? (size_t)(a->start - c)
                      : c < a->start + a->bytes ? 0
                                                : (size_t)(c - a->start) - a->bytes;
        if (away < least || (away == least && best == NULL)) {
            best = a;
            least = away;
        }
    }
    return best;
}

/* Returns "memory of device 0, from saxpy.cu:12". */
static const char *whose(const struct sim_array *a)
{
    static char text[256];

    if (on_device(a->region))
        snprintf(text, sizeof text, "memory of device %d, from %s", a->region, sim_line(a->made));
    else
        snprintf(text, sizeof text, "%s memory, from %s",
                 a->region == MANAGED ? "managed" : "pinned", sim_line(a->made));
    return text;
}

const char *sim_place_global(const void *p)
{
    static char text[512];
    const struct sim_array *a = sim_array_near(p);

    if (a == NULL)
        return "unnamed memory";
    snprintf(text, sizeof text, "byte %zu of an array of %zu bytes (%s)",
             (size_t)((const char *)p - a->start), a->bytes, whose(a));
    return text;
}

static size_t count_unwritten(const char *first, const char *last)
{
    size_t count = 0;

    for (; first < last; first++)
        count += *sim_shadow(first) != WRITTEN;
    return count;
}

/* Returns whether nothing in the array was written. */
static bool is_unwritten(const struct sim_array *a)
{
    return count_unwritten(a->start, a->start + a->bytes) == a->bytes;
}

/* Nothing of an array was written: says whether the arrays that the same line has made on other devices were. */
static const char *written_elsewhere(const struct sim_array *a)
{
    static char text[80];

    for (const struct sim_array *other = arrays; other != NULL; other = other->next)
        if (other->made == a->made && other->region != a->region && other->freed == NULL && on_device(other->region) &&
            count_unwritten(other->start, other->start + other->bytes) == 0) {
            snprintf(text, sizeof text, "; nothing in it was written, but the same array on device %d was", other->region);
            return text;
        }
    return "; nothing in it was written";
}

/* A part of an array was written: says how much, and where the first gap and the last written byte are. */
static const char *written_part(const struct sim_array *a)
{
    static char text[120];
    const char *end = a->start + a->bytes, *gap = a->start, *last = end;

    while (gap < end && *sim_shadow(gap) == WRITTEN)
        gap++;
    while (last > gap && *sim_shadow(last - 1) != WRITTEN)
        last--;
    snprintf(text, sizeof text, "; %zu bytes of it are written, the first gap is at byte %zu, the last of them is byte %zu",
             a->bytes - count_unwritten(a->start, end), (size_t)(gap - a->start), (size_t)(last - 1 - a->start));
    return text;
}

/* A result was never written: says whether a kernel was launched on its device since it was made. */
static const char *launched(const struct sim_array *a)
{
    static char text[120];
    unsigned elsewhere = 0, devices = 0;

    if (!on_device(a->region) || sim_launched[a->region] > a->launched[a->region])
        return "";
    for (int device = 0; device < MANAGED; device++) {
        elsewhere += sim_launched[device] - a->launched[device];
        devices += sim_launched[device] > a->launched[device];
    }
    if (elsewhere == 0)
        return "; no kernel was launched";
    if (elsewhere == devices && (int)devices + 1 == sim_devices()) {
        snprintf(text, sizeof text, "; no kernel was launched on device %d, but one on each other device", a->region);
        return text;
    }
    snprintf(text, sizeof text, "; no kernel was launched on device %d, and %u on others", a->region, elsewhere);
    return text;
}

const char *sim_describe(const void *p, size_t bytes, bool write)
{
    static char text[512];
    char what[256];
    const struct sim_array *a = sim_array_near(p);
    const char *verb = write ? "writes" : "reads";
    const char *first = p, *last = first + bytes, *end, *more = "";

    if (a == NULL) {
        snprintf(text, sizeof text, "out of bounds: %s %zu bytes far from any array", verb, bytes);
        return text;
    }
    end = a->start + a->bytes;
    if (a->freed != NULL) {
        snprintf(what, sizeof what, "use after free: %s %zu bytes of an array of %zu bytes that "
                 "was freed at %s", verb, bytes, a->bytes, sim_line(a->freed));
    } else if (first < a->start) {
        snprintf(what, sizeof what, "out of bounds: %s %zu bytes, %zu before the start of an array "
                 "of %zu bytes", verb, bytes, (size_t)(a->start - first), a->bytes);
    } else if (last > end) {
        first = first > end ? first : end;
        snprintf(what, sizeof what, "out of bounds: %s %zu bytes, %zu past the end of an array of "
                 "%zu bytes", verb, (size_t)(last - first), (size_t)(first - end), a->bytes);
    } else {
        while (first < last && *sim_shadow(first) == WRITTEN)
            first++;
        int used = snprintf(what, sizeof what, "never written: %s byte %zu of an array of %zu bytes",
                            verb, (size_t)(first - a->start), a->bytes);
        size_t count = count_unwritten(first, last);
        if (count < (size_t)(last - first)) /* with written ones between them */
            used += snprintf(what + used, sizeof what - (size_t)used, ", %zu like it", count);
        if (first > a->start && count_unwritten(a->start, first) == 0 && count_unwritten(first, end) == (size_t)(end - first))
            more = "; all before it is written"; /* and nothing from there on */
        else if (is_unwritten(a))
            more = written_elsewhere(a);
        else
            more = written_part(a);
        if (sim_region(first) < MANAGED && sim_has_earlier_work(sim_region(first)))
            snprintf(what + used, sizeof what - (size_t)used, ", with work left on device %d", sim_region(first));
    }
    snprintf(text, sizeof text, "%s (%s)%s", what, whose(a), more);
    return text;
}

static bool all_are(const unsigned char *shadow, size_t bytes, unsigned char bits)
{
    for (size_t i = 0; i < bytes; i++)
        if ((shadow[i] & bits) != bits)
            return false;
    return true;
}

/* Says so if a copy concerns another device's memory than that of its stream. */
static const char *elsewhere(const void *p)
{
    static char text[80];
    const int region = sim_region(p), device = sim_acting_device();

    if (!on_device(region) || device < 0 || device == region)
        return "";
    snprintf(text, sizeof text, "; the memory is of device %d, and the copy is made on device %d", region, device);
    return text;
}

void sim_check(const void *p, size_t bytes, bool write, const char *what, const void *at)
{
    if (!all_are(sim_shadow(p), bytes, write || sim_reads_unwritten ? UNWRITTEN : WRITTEN))
        sim_fail(at, "%s: %s%s%s", what, sim_describe(p, bytes, write),
                 write || sim_array_of(p) == NULL || !is_unwritten(sim_array_of(p)) ? "" : launched(sim_array_of(p)), elsewhere(p));
    if (write)
        memset(sim_shadow(p), WRITTEN, bytes);
}
