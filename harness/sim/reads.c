/* Which words of each array kernels have read, in which order the first thread of a block has read them in the first launch, and what the first
   words hold in the end, if that is asked for: RUNGS_SIM_READS names a file, which is written anew behind each launch. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/sim/sim.h"

enum { WORD = 4, MOST_ARRAYS = 16, MOST_BLOCKS = 4, MOST_IN_ORDER = 8, MOST_RUNS = 4 };

static struct read {
    const struct sim_array *array;
    unsigned char *seen; /* of each word */
    size_t words;
    size_t order[MOST_BLOCKS][MOST_IN_ORDER]; /* words that the first thread of a block has read */
    unsigned count[MOST_BLOCKS];
    char made[256]; /* in which line */
} reads[MOST_ARRAYS];
static bool launched; /* the first launch has ended */

static struct read *read_of(const void *p)
{
    static struct read *last;
    const struct sim_array *a = sim_array_of(p);
    struct read *r = reads;

    if (last != NULL && last->array == a)
        return last;
    while (r < reads + MOST_ARRAYS && r->array != NULL && r->array != a)
        r++;
    if (a == NULL || r == reads + MOST_ARRAYS)
        return NULL;
    if (r->array == NULL) {
        *r = (struct read){.array = a, .words = a->bytes / WORD};
        r->seen = calloc(r->words + 1, 1);
        snprintf(r->made, sizeof r->made, "%s", sim_line(a->made));
    }
    last = r;
    return r->seen != NULL ? r : NULL;
}

void sim_reads_add(const void *p, size_t bytes)
{
    struct read *r = read_of(p);
    const unsigned block = sim_block.index.x + sim_block.index.y;

    if (r == NULL)
        return;
    const size_t first = (size_t)((const char *)p - r->array->start) / WORD;
    for (size_t i = first; i < r->words && i < first + (bytes + WORD - 1) / WORD; i++)
        r->seen[i] = 1;
    if (!launched && sim_lane->number == 0 && block < MOST_BLOCKS && r->count[block] < MOST_IN_ORDER)
        r->order[block][r->count[block]++] = first;
}

static bool is_unread(const struct read *r, size_t word)
{
    return r->seen[word] == 0 && *sim_shadow(r->array->start + word * WORD) == WRITTEN;
}

/* "unread LINE words unread [first last]...", "holds LINE first second ...", and "order LINE block first second ..." */
static void write_read(const struct read *r, FILE *out)
{
    size_t unread = 0;

    for (size_t i = 0; i < r->words; i++)
        unread += is_unread(r, i);
    fprintf(out, "unread %s %zu %zu", r->made, r->words, unread);
    for (size_t i = 0, runs = 0; i < r->words && runs < MOST_RUNS; i++) {
        if (!is_unread(r, i))
            continue;
        size_t end = i;
        while (end + 1 < r->words && is_unread(r, end + 1))
            end++;
        fprintf(out, " %zu %zu", i, end);
        runs++;
        i = end;
    }
    fprintf(out, "\nholds %s", r->made);
    for (size_t i = 0; i < r->words && i < MOST_IN_ORDER; i++)
        fprintf(out, " %u", ((const uint32_t *)(const void *)r->array->start)[i]);
    fprintf(out, "\n");
    for (unsigned b = 0; b < MOST_BLOCKS; b++) {
        if (r->count[b] == 0)
            continue;
        fprintf(out, "order %s %u", r->made, b);
        for (unsigned i = 0; i < r->count[b]; i++)
            fprintf(out, " %zu", r->order[b][i]);
        fprintf(out, "\n");
    }
}

void sim_reads_end(void)
{
    FILE *out = fopen(getenv("RUNGS_SIM_READS"), "w");

    launched = true;
    for (const struct read *r = reads; out != NULL && r < reads + MOST_ARRAYS && r->array != NULL; r++)
        if (r->array->freed == NULL)
            write_read(r, out);
    if (out != NULL)
        fclose(out);
}
