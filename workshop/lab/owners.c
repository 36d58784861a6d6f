#include "workshop/lab/owners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/owners_launch.h"
#include "workshop/lab/rerun.h"

enum { MOST_THREADS = 1 << 22 };

/* Returns how many threads the launch has; 0: none, or more than are looked at.  A learner's program may have written anything. */
static size_t threads_in(const struct launch *l)
{
    const unsigned sides[] = {l->grid[0], l->grid[1], l->block[0], l->block[1]};
    size_t threads = 1;

    for (size_t i = 0; i < sizeof sides / sizeof *sides && threads > 0; i++)
        threads = sides[i] <= MOST_THREADS / threads ? threads * sides[i] : 0;
    return threads;
}

static void read_writes(const char *path, void *launch)
{
    struct launch *l = launch;
    FILE *f = fopen(path, "r");
    struct write w;
    unsigned threads;
    long step;

    if (f == NULL)
        return;
    bool good = fscanf(f, "%u %u %u %u", &l->grid[0], &l->grid[1], &l->block[0], &l->block[1]) == 4;
    const size_t room = good ? threads_in(l) : 0;
    l->list = calloc(room + 1, sizeof *l->list);
    while (l->list != NULL && fscanf(f, "%u %u %u %u %u %ld %zu %zu %zu %u", &w.block[0], &w.block[1], &w.thread[0], &w.thread[1], &threads, &step,
                                     &w.first, &w.second, &w.most, &w.count) == 10)
        for (unsigned t = 0; t < threads && l->count < room; t++) {
            const size_t apart = (size_t)((long)t * step);
            l->list[l->count++] = (struct write){{w.block[0], w.block[1]}, {w.thread[0] + t, w.thread[1]}, (w.first + apart) / sizeof(float),
                                                 (w.second + apart) / sizeof(float), (w.most + apart) / sizeof(float), w.count};
        }
    fclose(f);
}

const struct write *launch_find(const struct launch *l, unsigned bx, unsigned by, unsigned tx, unsigned ty)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct write *w = &l->list[i];
        if (w->block[0] == bx && w->block[1] == by && w->thread[0] == tx && w->thread[1] == ty)
            return w;
    }
    return NULL;
}

bool launch_has_written(const struct launch *l, unsigned bx, unsigned by)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i].block[0] == bx && l->list[i].block[1] == by)
            return true;
    return false;
}

static long number_of(const struct launch *l, const struct write *w, enum number what)
{
    return (long)(what == ELEMENT ? w->first : what == ROW ? w->first / l->cols : w->first % l->cols);
}

static long value(const struct formula *f, const struct write *w)
{
    return f->start + f->block[0] * (long)w->block[0] + f->block[1] * (long)w->block[1] + f->thread[0] * (long)w->thread[0] +
           f->thread[1] * (long)w->thread[1];
}

bool launch_formula(const struct launch *l, enum number what, struct formula *f)
{
    const struct write *zero = launch_find(l, 0, 0, 0, 0);

    *f = (struct formula){.start = 0};
    if (zero == NULL)
        return false;
    f->start = number_of(l, zero, what);
    for (int axis = 0; axis < 2; axis++) {
        const struct write *next = launch_find(l, 0, 0, axis == 0, axis == 1), *block = launch_find(l, axis == 0, axis == 1, 0, 0);
        if ((l->block[axis] > 1 && next == NULL) || (l->grid[axis] > 1 && block == NULL))
            return false;
        f->thread[axis] = next != NULL && l->block[axis] > 1 ? number_of(l, next, what) - f->start : 0;
        f->block[axis] = block != NULL && l->grid[axis] > 1 ? number_of(l, block, what) - f->start : 0;
    }
    for (size_t i = 0; i < l->count; i++)
        if (value(f, &l->list[i]) != number_of(l, &l->list[i], what))
            return false;
    return true;
}

const char *formula_words(const struct formula *f, char *text, size_t room)
{
    static const char *const names[] = {"blockIdx.x", "blockIdx.y", "threadIdx.x", "threadIdx.y"};
    const long factor[] = {f->block[0], f->block[1], f->thread[0], f->thread[1]};
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < 4 && used < room; i++) {
        const char *plus = used == 0 ? "" : " + ";
        if (factor[i] == 1)
            used += (size_t)snprintf(text + used, room - used, "%s%s", plus, names[i]);
        else if (factor[i] != 0)
            used += (size_t)snprintf(text + used, room - used, "%s%ld * %s", plus, factor[i], names[i]);
    }
    if ((f->start != 0 || used == 0) && used < room)
        snprintf(text + used, room - used, "%s%ld", used == 0 ? "" : " + ", f->start);
    return text;
}

bool formula_counts(const struct launch *l, const struct formula *f, int axis)
{
    const int other = 1 - axis;

    return f->start == 0 && f->block[other] == 0 && f->thread[other] == 0 && (l->block[axis] == 1 || f->thread[axis] == 1) &&
           (l->grid[axis] == 1 || f->block[axis] == (long)l->block[axis]);
}

size_t launch_covered(const struct launch *l, int axis)
{
    return (size_t)l->grid[axis] * l->block[axis];
}

/* All threads of block 0 with the same x write the same elements. */
static bool tell_same(const struct launch *l, struct mistake *m)
{
    for (unsigned y = 0; y < l->block[1]; y++)
        for (unsigned x = 0; x < l->block[0]; x++) {
            const struct write *first = launch_find(l, 0, 0, x, 0), *other = launch_find(l, 0, 0, x, y);
            if (first == NULL || other == NULL || first->first != other->first || first->most != other->most)
                return false;
        }
    if (l->block[1] < 2)
        return false;
    mistake_add(m, "the %u rows of threads of a block, threadIdx.y = 0 to %u, all write the same elements: threadIdx.y is not in the numbers by which "
                   "a thread finds its own", l->block[1], l->block[1] - 1);
    return true;
}

/* A result in rows may be computed by threads in one line, too. */
static bool tell(struct launch *l, struct mistake *m)
{
    if (l->rows > 1 && l->grid[1] * l->block[1] > 1)
        return owners_tell_plane(l, m);
    if (l->rows > 1 && owners_tell_rows(l, m))
        return true;
    l->cols *= l->rows;
    l->rows = 1;
    return owners_tell_line(l, m);
}

/* Returns whether it may come from the numbers that threads compute. */
static bool may_come_from_numbers(const struct mistake *m)
{
    static const char *const kinds[] = {"gaps", "part-missing", "tail-missing", "first-missed", "first-only", "race", "border", "wrong-part", "misplaced"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(m->kind, kinds[i]) == 0)
            return strcmp(m->kind, "race") != 0 || (m->facts > 0 && strstr(m->fact[0], "shared") == NULL);
    return false;
}

/* Sets how many rows and columns the result has. */
static bool measure(const struct exercise *e, const struct size *size, struct launch *l)
{
    const char *name = problem_name(e->problem);
    const bool plane = strcmp(name, "stencil") == 0 || strcmp(name, "matmul") == 0;

    l->rows = plane ? size->dims[0] : 1;
    l->cols = plane ? size->dims[1] : size->dims[0];
    return (plane || strcmp(name, "saxpy") == 0 || strcmp(name, "knn") == 0) && l->rows > 0 && l->cols > 0 && e->devices <= 1;
}

/* A block that has written nothing shows no numbers.  Adds those of the size that is counted, if that is another one. */
static bool tell_counted(const struct exercise *e, const char *program, struct mistake *found, struct error *error)
{
    struct launch l = {.count = 0};
    struct mistake more = {.kind = ""};

    if (found->facts == 0 || strstr(found->fact[0], "if x counts columns and y counts rows") == NULL || e->counted.label == NULL || !measure(e, &e->counted, &l))
        return true;
    const bool good = rerun_with(e, program, &e->counted, "RUNGS_SIM_WRITES", read_writes, &l, error);
    if (good && l.count > 0 && l.rows > 1 && owners_tell_numbers(&l, &more))
        for (int i = 0; i < more.facts; i++)
            mistake_add(found, "at %s %s", e->counted.label, more.fact[i]);
    free(l.list);
    return good;
}

/* Returns whether the threads have written each element, though a fact says of some, which are NaN as before the call, that they were not. */
static bool all_written(const struct launch *l, const struct mistake *m)
{
    const size_t elements = l->rows * l->cols;
    bool *seen = calloc(elements + 1, sizeof *seen), claimed = false;
    size_t count = 0;

    for (int i = 0; i < m->facts; i++)
        claimed = claimed || strstr(m->fact[i], "were not written") != NULL || strstr(m->fact[i], "nothing was written") != NULL;
    for (size_t i = 0; claimed && seen != NULL && i < l->count; i++)
        for (size_t k = l->list[i].first; k < elements && !seen[k]; k = l->list[i].second) {
            seen[k] = true;
            count++;
        }
    free(seen);
    return claimed && elements > 0 && count == elements;
}

static void tell_nan(struct mistake *m)
{
    mistake_set(m, "not-a-number");
    mistake_add(m, "the threads have written every element, and NaN where the result is NaN: so it is made of what was in the array before, as with +=");
    m->named = true;
}

bool owners_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error)
{
    struct launch l = {.count = 0};
    struct mistake found = {.kind = ""};

    if (!may_come_from_numbers(m) || !measure(e, size, &l))
        return true;
    bool good = rerun_with(e, program, size, "RUNGS_SIM_WRITES", read_writes, &l, error);
    const bool of_sums = strcmp(m->kind, "misplaced") == 0, of_parts = strcmp(m->kind, "wrong-part") == 0; /* something was written everywhere, or nearly */
    size_t right = 0;
    for (int i = 0; i < m->facts; i++)
        sscanf(m->fact[i], "all before %*[^[][%zu] is right", &right);
    l.others = l.count > 0 && right > launch_covered(&l, 0);
    if (good && l.count > 0 && all_written(&l, m)) {
        tell_nan(m);
        free(l.list);
        return true;
    }
    const bool told = good && l.count > 0 && (of_sums    ? m->facts > 0 && owners_tell_sums(&l, m->fact[0], &found)
                                              : of_parts ? tell_same(&l, &found) || (l.rows > 1 && owners_tell_overlap(&l, &found))
                                                         : tell_same(&l, &found) || tell(&l, &found));
    if (told) {
        good = of_sums || tell_counted(e, program, &found, error);
        for (int i = 0; i < m->facts; i++)
            if (!of_sums || strstr(m->fact[i], "so the sums were made") == NULL)
                mistake_add(&found, "%s", m->fact[i]);
        memcpy(m->fact, found.fact, sizeof m->fact);
        m->facts = found.facts;
        m->named = m->named || found.named;
    }
    free(l.list);
    return good;
}
