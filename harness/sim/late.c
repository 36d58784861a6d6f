/*
 * What another block writes may come late, if that is asked for: RUNGS_SIM_LATE.
 *
 * Blocks run one after another here, so each sees all that the blocks before it have written.  On a GPU they run at the same time.  With
 * RUNGS_SIM_LATE a block's first volatile read of a place returns what was there before the launch, if another block has written it since
 * by volatile stores.  The next read of the place returns what is there.  The old bytes stand in memory until the next access.
 *
 * A block that has seen what another one has written behind a __threadfence() sees all that was written before, so for it nothing is late.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/late.h"

enum { PLACES = 1 << 13, MOST = PLACES / 2, MOST_LATE = 500 /* reads; later ones are not late */ };

static struct place {
    char *p;
    size_t bytes;
    uint64_t before;       /* what was there before the launch */
    unsigned writer, read; /* the last block that has written it, and that has read it */
    bool fenced;           /* behind a __threadfence() */
} places[PLACES];
static size_t count;
static unsigned block;      /* the number of the running one, from 1 on */
static bool fenced, synced; /* it has called __threadfence(); it has seen what was written behind one */

static struct place *late; /* the place in which old bytes stand; NULL: none */
static uint64_t kept;      /* what belongs there */
static unsigned lates;     /* how many reads were late */
static struct place *last; /* which was late last; NULL: it was read again */

void sim_late_launch(void)
{
    memset(places, 0, sizeof places);
    count = block = 0;
    late = last = NULL;
}

void sim_late_block(void)
{
    block++;
    fenced = synced = false;
}

void sim_late_fence(void)
{
    fenced = true;
}

void sim_late_restore(void)
{
    if (late != NULL)
        memcpy(late->p, &kept, late->bytes);
    late = NULL;
}

/* Returns the place, or a free one; NULL: there are too many. */
static struct place *find(const void *p)
{
    size_t i = (size_t)(((uintptr_t)p * 0x9e3779b97f4a7c15) >> 51);

    while (places[i].p != NULL && places[i].p != p)
        i = (i + 1) % PLACES;
    return places[i].p != NULL || count < MOST ? &places[i] : NULL;
}

/* Writes the line of the last late read, or, behind it, that the place was read again. */
static void tell(const void *at)
{
    static const void *where; /* to find a line takes long */
    static char line[256];
    FILE *out = fopen(getenv("RUNGS_SIM_LATE"), last != NULL ? "w" : "a");

    if (last != NULL && where != at)
        snprintf(line, sizeof line, "%s", sim_line(at));
    where = last != NULL ? at : where;
    if (out != NULL) {
        fprintf(out, "%s\n", last != NULL ? line : "again");
        fclose(out);
    }
}

static void note_read(struct place *l, size_t bytes, bool atomic, const void *at)
{
    const bool first = l->read != block && l->writer != block;

    if (l->p == NULL || l->bytes != bytes)
        return;
    if (l == last) {
        last = NULL;
        tell(at);
    }
    l->read = block;
    if (first && !atomic && !synced && lates++ < MOST_LATE) {
        memcpy(&kept, l->p, bytes);
        memcpy(l->p, &l->before, bytes);
        late = last = l;
        tell(at);
    } else if (l->writer != block && l->fenced) {
        synced = true;
    }
}

static void note_write(struct place *l, void *p, size_t bytes, bool strong)
{
    if (l->p == NULL && strong) {
        *l = (struct place){.p = p, .bytes = bytes};
        memcpy(&l->before, p, bytes);
        count++;
    }
    if (l->p != NULL) {
        l->writer = block;
        l->fenced = fenced && strong;
    }
}

void sim_late_access(void *p, size_t bytes, enum sim_action action, const void *at)
{
    const bool strong = action == ATOMIC || sim_lane->strong;

    sim_late_restore();
    struct place *l = bytes <= sizeof l->before && (strong || action == STORE) ? find(p) : NULL;
    if (l == NULL)
        return;
    if (action != STORE)
        note_read(l, bytes, action == ATOMIC, at);
    if (action != LOAD)
        note_write(l, p, bytes, strong);
}
