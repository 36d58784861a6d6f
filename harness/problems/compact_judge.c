/*
 * compact: the reference and the verdict.
 *
 * Nothing is computed, so the tolerance is 0: the count must be right, and each kept element must have the bits of its
 * origin.  What lies behind the count is not looked at.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "common/compact.h"
#include "harness/base/parallel.h"
#include "harness/problems/compact.h"

enum { CHUNK = 1 << 16 };

/* before[i]: the number of kept elements before chunk i; the last one is their number in all. */
struct solution {
    size_t chunks;
    uint64_t before[];
};

struct counting {
    const struct compact *p;
    uint64_t *counts; /* of each chunk */
};

static void count_chunk(void *context, size_t begin, size_t end)
{
    const struct counting *counting = context;
    uint64_t count = 0;

    for (size_t i = begin; i < end; i++)
        count += !compact_is_nan(compact_bits(&counting->p->x[i]));
    counting->counts[begin / CHUNK] = count;
}

void *compact_solve(const void *c)
{
    const struct compact *p = c;
    const size_t chunks = parallel_chunks(p->n, CHUNK);
    struct solution *s = calloc(1, sizeof *s + (chunks + 1) * sizeof s->before[0]);

    if (s == NULL)
        return NULL;
    s->chunks = chunks;
    struct counting counting = {p, s->before + 1};

    parallel_for(p->n, CHUNK, count_chunk, &counting);
    for (size_t i = 0; i < chunks; i++)
        s->before[i + 1] += s->before[i];
    return s;
}

struct pair {
    const struct compact *p;
    const struct solution *s;
};

/* Packs the chunk once more, and compares word by word. */
static void judge_chunk(struct verdict *v, const struct pair *pair, size_t chunk)
{
    const struct compact *p = pair->p;
    const size_t begin = chunk * CHUNK, end = p->n - begin < CHUNK ? p->n : begin + CHUNK;
    uint64_t at = pair->s->before[chunk], same = 0, wrong = 0;

    for (size_t i = begin; i < end; i++) {
        const uint32_t want = compact_bits(&p->x[i]);

        if (compact_is_nan(want))
            continue;
        const uint32_t got = compact_bits(&p->kept[at]);

        if (got != want && wrong++ == 0)
            verdict_reject(v, "kept[%" PRIu64 "] has the bits 0x%08" PRIx32 ", x[%zu] has 0x%08" PRIx32, at, got, i, want);
        same += got == want;
        at++;
    }
    v->seen += same + wrong;
    v->same += same;
    v->asked += same + wrong;
}

static void judge_part(struct verdict *v, const void *context, size_t begin, size_t end)
{
    for (size_t chunk = begin; chunk < end; chunk++) {
        judge_chunk(v, context, chunk);
        if (v->note[0] != '\0')
            return;
    }
}

struct verdict compact_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    const struct compact *p = c;
    const struct solution *s = solution;
    const uint64_t count = s->before[s->chunks];
    const struct pair pair = {p, s};

    (void)math; /* every class copies */
    (void)seed; /* nothing is sampled */
    if (*p->count != count) {
        struct verdict v = verdict_start();
        verdict_reject(&v, "count is %" PRIu64 ", expected %" PRIu64, *p->count, count);
        return v;
    }
    return verdict_of(s->chunks, 1, judge_part, &pair);
}
