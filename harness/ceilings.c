#include "harness/ceilings.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* The first input and the first output of the case: as much as both hold. */
static size_t ends(const struct layout *layout, const char **from, char **to)
{
    size_t in = 0, out = 0;

    for (size_t i = layout->count; i-- > 0;) {
        const struct slot *slot = &layout->slots[i];
        if (slot->output) {
            *to = slot->start;
            out = slot->bytes;
        } else {
            *from = slot->start;
            in = slot->bytes;
        }
    }
    return in < out ? in : out;
}

double ceiling_bytes(const struct layout *layout)
{
    const char *from;
    char *to;

    return 2.0 * (double)ends(layout, &from, &to);
}

/* Every thread copies its share, in whole lines. */
static void copy_in_shares(void (*copy)(char *to, const char *from, size_t bytes))
{
    const char *from = NULL;
    char *to = NULL;
    size_t bytes = ends(arena_open_layout(), &from, &to);

#pragma omp parallel
    {
        size_t threads = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        size_t share = (bytes / threads + 63) / 64 * 64;
        size_t begin = me * share < bytes ? me * share : bytes;
        size_t end = begin + share < bytes && me + 1 < threads ? begin + share : bytes;
        copy(to + begin, from + begin, end - begin);
    }
}

static void plain(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

/* Stores that go past the cache: the line that is overwritten need not be read first. */
static void stream(char *to, const char *from, size_t bytes)
{
    size_t done = 0;

#if defined(__SSE2__)
    for (; done + sizeof(__m128i) <= bytes; done += sizeof(__m128i))
        _mm_stream_si128((__m128i *)(void *)(to + done),
                         _mm_loadu_si128((const __m128i *)(const void *)(from + done)));
    _mm_sfence();
#endif
    if (done < bytes)
        memcpy(to + done, from + done, bytes - done);
}

static void run_memcpy(const void *problem)
{
    (void)problem; /* whatever it is, its arrays are what is copied */
    copy_in_shares(plain);
}

static void run_stream(const void *problem)
{
    (void)problem;
    copy_in_shares(stream);
}

const struct variant ceilings[CEILINGS] = {
    {.path = "ceiling/memcpy.c", .idea = "memcpy on all cores", .run = run_memcpy},
    {.path = "ceiling/stream.c", .idea = "streaming stores on all cores", .run = run_stream},
};

static const char *const names[CEILINGS] = {"ceiling/memcpy", "ceiling/stream"};

const char *ceiling_name(const struct variant *v)
{
    return names[v - ceilings];
}

const struct variant *ceiling_find(const char *name)
{
    for (int i = 0; i < CEILINGS; i++)
        if (strcmp(names[i], name) == 0)
            return &ceilings[i];
    return NULL;
}
