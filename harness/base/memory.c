#include "harness/base/memory.h"

#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static size_t limit;
static void (*on_failure)(size_t wanted, size_t allowed);

/* --- what there is ------------------------------------------------------------------------------- */

/* Returns the number behind a word at a line's start; without a word, the number in the first line. */
static double read_value(const char *folder, const char *name, const char *word)
{
    char file[4200], line[256];
    double value = NAN;

    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *f = fopen(file, "r");
    while (f != NULL && isnan(value) && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, word, strlen(word)) == 0 &&
            sscanf(line + strlen(word), "%lf", &value) != 1 && word[0] == '\0')
            break; /* "max" */
    if (f != NULL)
        fclose(f);
    return value;
}

/* Memory that only caches files counts as free. */
static double folder_left(const char *folder, bool old)
{
    const double most = read_value(folder, old ? "memory.limit_in_bytes" : "memory.max", "");
    const double used = read_value(folder, old ? "memory.usage_in_bytes" : "memory.current", "");
    const double kept =
        read_value(folder, "memory.stat", old ? "total_inactive_file " : "inactive_file ");

    if (!(most < 0x1p60) || isnan(used)) /* version 1 has a large number for "no limit" */
        return INFINITY;
    return fmax(most - used + (isnan(kept) ? 0.0 : kept), 0.0);
}

double memory_group_left(const char *root, const char *group, bool old)
{
    char folder[4096];
    double left = INFINITY;

    if ((size_t)snprintf(folder, sizeof folder, "%s%s", root, group) >= sizeof folder)
        return left;
    while (strlen(folder) >= strlen(root)) {
        left = fmin(left, folder_left(folder, old));
        char *slash = strrchr(folder, '/');
        if (slash == NULL || slash == folder)
            break;
        *slash = '\0';
    }
    return left;
}

/* /proc/self/cgroup: "0::/GROUP" of version 2, and of version 1 "7:memory:/GROUP". */
static double own_group_left(void)
{
    char line[4200], group[4096];
    double left = INFINITY;
    FILE *f = fopen("/proc/self/cgroup", "r");

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "0::%4095[^\n]", group) == 1)
            left = fmin(left, memory_group_left("/sys/fs/cgroup", group, false));
        else if (sscanf(line, "%*d:memory:%4095[^\n]", group) == 1)
            left = fmin(left, memory_group_left("/sys/fs/cgroup/memory", group, true));
    if (f != NULL)
        fclose(f);
    return left;
}

size_t memory_available(void)
{
    char line[128];
    size_t kib = 0;
    FILE *f = fopen("/proc/meminfo", "r");

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "MemAvailable: %zu kB", &kib) == 1)
            break;
    if (f != NULL)
        fclose(f);
    const double machine = (double)kib * 1024.0, group = own_group_left();
    return (size_t)fmax(fmin(machine, group), group < machine ? 1.0 : 0.0); /* 0 would mean "not known" */
}

unsigned long memory_kills(void)
{
    char line[128];
    unsigned long kills = 0;
    FILE *f = fopen("/proc/vmstat", "r");

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "oom_kill %lu", &kills) == 1)
            break;
    if (f != NULL)
        fclose(f);
    return kills;
}

/* Arrays of LARGE bytes or more get huge pages.  Blocks below KEPT bytes stay with the process when
   they are freed, so that the next allocation finds them; each thread keeps up to that much. */
static const size_t LARGE = (size_t)4 << 20, KEPT = (size_t)256 << 10;
static bool waits;

void memory_waits(void)
{
    mallopt(M_MMAP_THRESHOLD, (int)KEPT);
    mallopt(M_TRIM_THRESHOLD, (int)KEPT);
    waits = true;
}

static void want_huge_pages(void *p, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), end = (uintptr_t)p + bytes;
    const uintptr_t begin = ((uintptr_t)p + page - 1) / page * page;

    madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

/* Returns the bytes of private writable memory that this process has mapped, which is what RLIMIT_DATA
   limits. */
static size_t memory_mapped(void)
{
    char line[128];
    size_t kib = 0;
    FILE *f = fopen("/proc/self/status", "r");

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "VmData: %zu kB", &kib) == 1)
            break;
    if (f != NULL)
        fclose(f);
    return kib * 1024;
}

void memory_limit(size_t bytes, void (*failed)(size_t wanted, size_t allowed))
{
    const struct rlimit data = {.rlim_cur = bytes, .rlim_max = bytes};

    on_failure = failed;
    limit = bytes;
    /* A sanitizer has mapped its shadow already, which exceeds any limit; it gets none. */
    if (bytes > 0 && memory_mapped() < bytes)
        setrlimit(RLIMIT_DATA, &data);
}

static void *granted(void *p, size_t bytes)
{
    if (p == NULL && bytes > 0 && on_failure != NULL)
        on_failure(bytes, limit);
    if (p != NULL && waits && bytes >= LARGE)
        want_huge_pages(p, bytes);
    return p;
}

/* With ld's option --wrap, the program's calls of malloc go to __wrap_malloc; __real_malloc is the C
   library's. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int __real_posix_memalign(void **p, size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **p, size_t alignment, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return granted(__real_malloc(bytes), bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return granted(__real_calloc(count, bytes), count * bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return granted(__real_realloc(old, bytes), bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return granted(__real_aligned_alloc(alignment, bytes), bytes);
}

int __wrap_posix_memalign(void **p, size_t alignment, size_t bytes)
{
    int status = __real_posix_memalign(p, alignment, bytes);

    if (status != 0)
        granted(NULL, bytes);
    return status;
}
