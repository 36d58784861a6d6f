#include "workshop/lab/owners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/rerun.h"

/* What a thread has written: harness/sim/writes.c. */
struct write {
    unsigned block[2], thread[2]; /* x, y */
    size_t first, second, most;   /* elements; the greatest */
    unsigned count;
};

struct launch {
    unsigned grid[2], block[2];
    struct write *list;
    size_t count;
    size_t rows, cols; /* of the result; rows: 1 if it has one dimension */
    bool others;       /* more is right than this launch has threads for: there are others */
};

enum { MOST_THREADS = 1 << 22 };

/* A number as a sum of these: a step for each block and each thread in x and y, and what the first thread has. */
struct formula {
    long block[2], thread[2], start;
};

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

static const struct write *find(const struct launch *l, unsigned bx, unsigned by, unsigned tx, unsigned ty)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct write *w = &l->list[i];
        if (w->block[0] == bx && w->block[1] == by && w->thread[0] == tx && w->thread[1] == ty)
            return w;
    }
    return NULL;
}

static bool has_written(const struct launch *l, unsigned bx, unsigned by)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i].block[0] == bx && l->list[i].block[1] == by)
            return true;
    return false;
}

enum number { ELEMENT, ROW, COLUMN };

static long number_of(const struct launch *l, const struct write *w, enum number what)
{
    return (long)(what == ELEMENT ? w->first : what == ROW ? w->first / l->cols : w->first % l->cols);
}

static long value(const struct formula *f, const struct write *w)
{
    return f->start + f->block[0] * (long)w->block[0] + f->block[1] * (long)w->block[1] + f->thread[0] * (long)w->thread[0] +
           f->thread[1] * (long)w->thread[1];
}

/* Finds the formula by which all threads that have written compute the number.  Returns false if there is none, or if a thread is
   missing from which a part of it could be told. */
static bool find_formula(const struct launch *l, enum number what, struct formula *f)
{
    const struct write *zero = find(l, 0, 0, 0, 0);

    *f = (struct formula){.start = 0};
    if (zero == NULL)
        return false;
    f->start = number_of(l, zero, what);
    for (int axis = 0; axis < 2; axis++) {
        const struct write *next = find(l, 0, 0, axis == 0, axis == 1), *block = find(l, axis == 0, axis == 1, 0, 0);
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

static const char *words(const struct formula *f, char *text, size_t room)
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

/* Returns whether the number counts along this axis: from block to block it goes on by the length of a block. */
static bool counts(const struct launch *l, const struct formula *f, int axis)
{
    const int other = 1 - axis;

    return f->start == 0 && f->block[other] == 0 && f->thread[other] == 0 && (l->block[axis] == 1 || f->thread[axis] == 1) &&
           (l->grid[axis] == 1 || f->block[axis] == (long)l->block[axis]);
}

static size_t covered(const struct launch *l, int axis)
{
    return (size_t)l->grid[axis] * l->block[axis];
}

/* The loop of a thread that has written several elements. */
static bool tell_loop(const struct launch *l, struct mistake *m)
{
    const struct write *zero = find(l, 0, 0, 0, 0), *block = find(l, 1, 0, 0, 0), *next = find(l, 0, 0, 1, 0);

    if (zero == NULL || zero->count < 2 || zero->second <= zero->first)
        return false;
    const size_t step = zero->second - zero->first;
    const bool same_thread = next != NULL && next->count > 1 && next->first == zero->first;
    const bool same_block = block != NULL && block->count > 1 && block->first == zero->first;
    if (same_thread)
        mistake_add(m, "thread 1 of block 0 writes elements %zu, %zu ... (%u in all), and so does thread 0: a thread's elements do not "
                       "depend on threadIdx.x", zero->first, zero->second, next->count);
    else if (same_block)
        mistake_add(m, "thread 0 of block 1 writes elements %zu, %zu ... (%u in all), and so does thread 0 of block 0: what a thread does "
                       "does not depend on blockIdx.x, so every block does all elements", zero->first, zero->second, block->count);
    else if (block != NULL && block->count > 1 && step == l->block[0] && l->grid[0] > 1)
        mistake_add(m, "each thread goes on in steps of %zu: that is the number of threads in one block, and there are %u blocks, which do "
                       "the same elements again", step, l->grid[0]);
    else if (l->grid[0] > 1 && next != NULL && block != NULL && step != covered(l, 0) && next->first == zero->first + 1 &&
             block->first == zero->first + l->block[0])
        mistake_add(m, "each thread goes on in steps of %zu%s; there are %zu threads, so an element behind the first %zu has several threads, and "
                       "only steps of %zu do each element once", step, step == l->grid[0] ? ", the number of blocks (gridDim.x)" : "",
                    covered(l, 0), step, covered(l, 0));
    else
        return false;
    return true;
}

/* The numbers of block and thread are multiplied. */
static bool tell_product(const struct launch *l, struct mistake *m)
{
    const struct write *w = find(l, 1, 0, 1, 0);
    bool all = w != NULL && w->first > 0 && l->count > l->block[0];

    for (size_t i = 0; i < l->count && all; i++)
        all = l->list[i].first == w->first * l->list[i].block[0] * l->list[i].thread[0];
    if (all)
        mistake_add(m, "each thread writes element %zu * blockIdx.x * threadIdx.x: the number of the thread is multiplied, where it should be added",
                    w->first);
    return all;
}

/* One thread of a block writes, and from block to block the element goes on by more than one. */
static bool tell_single(const struct launch *l, struct mistake *m)
{
    const struct write *zero = find(l, 0, 0, 0, 0), *block = find(l, 1, 0, 0, 0);
    size_t in_first = 0;

    for (size_t i = 0; i < l->count; i++)
        in_first += l->list[i].block[0] == 0;
    if (zero == NULL || block == NULL || in_first != 1 || block->first <= zero->first + 1)
        return false;
    mistake_add(m, "of a block only thread 0 writes, and from block to block the element goes on by %zu: the %zu between have no thread that "
                   "writes them (a block has %u threads, %u warps)", block->first - zero->first, block->first - zero->first - 1, l->block[0],
                l->block[0] / 32);
    return true;
}

/* One lane of each warp writes, and all warps of a block write the same element. */
static bool tell_warps(const struct launch *l, struct mistake *m)
{
    enum { WARP = 32 };
    const struct write *zero = find(l, 0, 0, 0, 0);
    size_t writers = 0;

    for (size_t i = 0; i < l->count; i++) {
        const struct write *w = &l->list[i];
        if (w->block[0] != 0)
            continue;
        if (zero == NULL || w->thread[0] % WARP != 0 || w->first != zero->first)
            return false;
        writers++;
    }
    if (writers < 2)
        return false;
    mistake_add(m, "of each warp lane 0 writes, and in block 0 all %zu of them write element %zu: which element it is does not depend on the number of "
                   "the warp, threadIdx.x / %d", writers, zero->first, WARP);
    return true;
}

/* The numbers of all threads begin anew after so many as an integer of fewer bits can hold. */
static bool tell_narrow(const struct launch *l, struct mistake *m)
{
    for (unsigned bits = 8; bits <= 16; bits += 8) {
        const size_t most = (size_t)1 << bits;
        bool all = covered(l, 0) > most;
        for (size_t i = 0; i < l->count && all; i++)
            all = l->list[i].count == 1 && l->list[i].first == ((size_t)l->list[i].block[0] * l->block[0] + l->list[i].thread[0]) % most;
        if (!all)
            continue;
        mistake_add(m, "thread %zu of all writes element 0 again: the numbers of the elements begin anew after %zu, as in a variable of %u bits", most,
                    most, bits);
        return true;
    }
    return false;
}

/* The first thread whose element is not the one with its number. */
static bool tell_example(const struct launch *l, struct mistake *m)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct write *w = &l->list[i];
        const size_t own = (size_t)w->block[0] * l->block[0] + w->thread[0];
        if (w->first == own || w->count > 1)
            continue;
        mistake_add(m, "thread %u of block %u writes element %zu; the number of this thread is %u * %u + %u = %zu", w->thread[0], w->block[0],
                    w->first, w->block[0], l->block[0], w->thread[0], own);
        return true;
    }
    return false;
}

static bool tell_line(const struct launch *l, struct mistake *m)
{
    struct formula f;
    char text[160];
    const size_t needed = (l->cols + l->block[0] - 1) / l->block[0];

    if (tell_single(l, m) || tell_warps(l, m))
        return true;
    if (l->grid[0] > 2 * needed || (l->cols > 1 && find(l, 0, 0, 1, 0) == NULL && l->block[0] > 1)) /* several threads have an element together */
        return false;
    if (tell_loop(l, m))
        return true;
    if (!find_formula(l, ELEMENT, &f))
        return tell_product(l, m) || tell_narrow(l, m) || tell_example(l, m);
    if (!counts(l, &f, 0)) {
        mistake_add(m, "each thread writes the element with the number %s; a block has %u threads, so it should be %u * blockIdx.x + "
                       "threadIdx.x", words(&f, text, sizeof text), l->block[0], l->block[0]);
        return true;
    }
    if (covered(l, 0) < l->cols && !l->others) {
        mistake_add(m, "the launch has %u blocks of %u threads: %zu threads for %zu elements", l->grid[0], l->block[0], covered(l, 0), l->cols);
        if (l->grid[0] == l->cols / l->block[0])
            mistake_add(m, "that is %zu / %u, rounded down", l->cols, l->block[0]);
        return true;
    }
    const size_t last = (l->cols - 1) / l->block[0];
    if (last > 0 && !has_written(l, (unsigned)last, 0) && has_written(l, (unsigned)last - 1, 0)) {
        mistake_add(m, "no thread of block %zu, the last one, has written: %zu of its threads have an element", last, l->cols - last * l->block[0]);
        return true;
    }
    return false;
}

static bool tell_grid(const struct launch *l, enum number what, int axis, struct mistake *m)
{
    const size_t length = what == ROW ? l->rows : l->cols, there = covered(l, axis);

    if (there >= length)
        return false;
    mistake_add(m, "in %c the grid has a length of %u blocks, and a block one of %u threads: that is enough for %zu %s, and there are %zu", "xy"[axis],
                l->grid[axis], l->block[axis], there, what == ROW ? "rows" : "columns", length);
    const size_t other = what == ROW ? l->cols : l->rows;
    if (l->grid[axis] == (other + l->block[axis] - 1) / l->block[axis])
        mistake_add(m, "that is what the %zu %s need", other, what == ROW ? "columns" : "rows");
    return true;
}

static bool tell_number(const struct launch *l, enum number what, const struct formula *f, struct mistake *m)
{
    char text[160];

    mistake_add(m, "the %s of a thread's element is %s; a block is %u threads wide (x) and %u high (y)", what == ROW ? "row" : "column",
                words(f, text, sizeof text), l->block[0], l->block[1]);
    return true;
}

/* Threads that begin in adjacent rows and go on to the end of the image, which ends one row early without its border, in steps of rows
   which others do, too. */
static bool tell_rows(const struct launch *l, struct mistake *m)
{
    const struct write *zero = find(l, 0, 0, 0, 0), *next = find(l, 0, 0, 0, 1), *block = find(l, 0, 1, 0, 0);
    const size_t rows = zero != NULL && zero->count > 1 && zero->second > zero->first ? (zero->second - zero->first) / l->cols : 0;

    if (rows == 0 || (zero->second - zero->first) % l->cols != 0 || rows == covered(l, 1) || zero->most / l->cols + rows + 1 < l->rows ||
        (next != NULL && next->first != zero->first + l->cols) || (block != NULL && block->first != zero->first + l->block[1] * l->cols))
        return false;
    mistake_add(m, "each thread goes on in steps of %zu row%s%s; the grid covers %zu rows, so only steps of so many do each row once", rows,
                rows == 1 ? "" : "s", rows == l->grid[1] ? ", the number of blocks in y (gridDim.y)" : "", covered(l, 1));
    return true;
}

/* The rows and columns that a block has written, if each of its threads has written downwards and to the right. */
struct part {
    size_t top, bottom, left, right;
};

static bool find_part(const struct launch *l, unsigned bx, unsigned by, struct part *p)
{
    *p = (struct part){SIZE_MAX, 0, SIZE_MAX, 0};
    for (size_t i = 0; i < l->count; i++) {
        const struct write *w = &l->list[i];
        if (w->block[0] != bx || w->block[1] != by)
            continue;
        const size_t top = w->first / l->cols, bottom = w->most / l->cols, left = w->first % l->cols, right = w->most % l->cols;
        p->top = top < p->top ? top : p->top;
        p->bottom = bottom > p->bottom ? bottom : p->bottom;
        p->left = left < p->left ? left : p->left;
        p->right = right > p->right ? right : p->right;
    }
    return p->top <= p->bottom && p->left <= p->right;
}

/* Returns whether a thread has written several elements. */
static bool has_several(const struct launch *l)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i].count > 1)
            return true;
    return false;
}

/* With several elements for each thread: the first block that has written some of those of block 0. */
static bool tell_overlap(const struct launch *l, struct mistake *m)
{
    const struct write *zero = find(l, 0, 0, 0, 0);
    struct part a, b;

    if (zero == NULL || zero->count < 2 || zero->most <= zero->first || !find_part(l, 0, 0, &a))
        return false;
    for (unsigned y = 0; y < l->grid[1]; y++)
        for (unsigned x = y == 0; x < l->grid[0]; x++) {
            if (!find_part(l, x, y, &b) || b.top > a.bottom || b.left > a.right)
                continue;
            mistake_add(m, "block (x 0, y 0) writes rows %zu to %zu of columns %zu to %zu, and block (x %u, y %u) writes rows %zu to %zu of columns %zu "
                           "to %zu", a.top, a.bottom, a.left, a.right, x, y, b.top, b.bottom, b.left, b.right);
            if (b.top > a.top)
                mistake_add(m, "so some rows are written by both: block (x %u, y %u) begins %zu rows further on, and a block has %zu", x, y, b.top - a.top,
                            a.bottom - a.top + 1);
            else if (b.left > a.left)
                mistake_add(m, "so some columns are written by both: block (x %u, y %u) begins %zu columns further on, and a block has %zu", x, y,
                            b.left - a.left, a.right - a.left + 1);
            return true;
        }
    return false;
}

static bool tell_plane(const struct launch *l, struct mistake *m)
{
    struct formula r, c;

    if (tell_rows(l, m))
        return true;
    if (has_several(l)) /* what follows takes the first element of a thread for all of them */
        return tell_overlap(l, m);
    if (!find_formula(l, ROW, &r) || !find_formula(l, COLUMN, &c))
        return false;
    const int of_row = counts(l, &r, 1) ? 1 : counts(l, &r, 0) ? 0 : -1, of_column = counts(l, &c, 0) ? 0 : counts(l, &c, 1) ? 1 : -1;
    bool told = false;
    if (of_row < 0)
        told = tell_number(l, ROW, &r, m);
    if (of_column < 0)
        told = tell_number(l, COLUMN, &c, m) || told;
    if (told || of_row == of_column)
        return told;
    told = tell_grid(l, ROW, of_row, m);
    return tell_grid(l, COLUMN, of_column, m) || told;
}

/* The first block of which no thread has written, though its first thread has an element. */
static bool tell_idle_block(const struct launch *l, struct mistake *m)
{
    for (unsigned y = 0; y < l->grid[1]; y++)
        for (unsigned x = 0; x < l->grid[0]; x++) {
            const size_t row = (size_t)y * l->block[1], column = (size_t)x * l->block[0];
            if (has_written(l, x, y) || row >= l->rows || column >= l->cols)
                continue;
            if (has_several(l)) {
                mistake_add(m, "no thread of block (x %u, y %u) has written anything", x, y);
                return true;
            }
            mistake_add(m, "no thread of block (x %u, y %u) has written; if x counts columns and y counts rows, its first element is that in row "
                           "%zu, column %zu", x, y, row, column);
            return true;
        }
    return false;
}

/* The grid has threads for all rows and columns, and those of the last ones have written nothing. */
static bool tell_left_out(const struct launch *l, struct mistake *m)
{
    struct formula r, c;
    size_t rows = 0, cols = 0;

    if (has_several(l) || !find_formula(l, ROW, &r) || !find_formula(l, COLUMN, &c) || !counts(l, &r, 1) || !counts(l, &c, 0) ||
        covered(l, 1) < l->rows || covered(l, 0) < l->cols)
        return false;
    for (size_t i = 0; i < l->count; i++) {
        const size_t row = l->list[i].first / l->cols + 1, col = l->list[i].first % l->cols + 1;
        rows = row > rows ? row : rows;
        cols = col > cols ? col : cols;
    }
    if (rows < l->rows)
        mistake_add(m, "the grid has threads for all %zu rows, and those from row %zu on have written nothing", l->rows, rows);
    else if (cols < l->cols)
        mistake_add(m, "the grid has threads for all %zu columns, and those from column %zu on have written nothing", l->cols, cols);
    return rows < l->rows || cols < l->cols;
}

/* A result in rows may be computed by threads in one line, too. */
static bool tell(struct launch *l, struct mistake *m)
{
    if (l->rows > 1 && l->grid[1] * l->block[1] > 1)
        return tell_plane(l, m) || tell_idle_block(l, m) || tell_left_out(l, m);
    l->cols *= l->rows;
    l->rows = 1;
    return tell_line(l, m);
}

/* Returns whether it may come from the numbers that threads compute. */
static bool may_come_from_numbers(const struct mistake *m)
{
    static const char *const kinds[] = {"gaps", "part-missing", "tail-missing", "first-missed", "first-only", "race", "border", "wrong-part"};

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

bool owners_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error)
{
    struct launch l = {.count = 0};
    struct mistake found = {.kind = ""};

    if (!may_come_from_numbers(m) || !measure(e, size, &l))
        return true;
    const bool good = rerun_with(e, program, size, "RUNGS_SIM_WRITES", read_writes, &l, error);
    const bool of_parts = strcmp(m->kind, "wrong-part") == 0; /* something was written everywhere, or nearly */
    size_t right = 0;
    for (int i = 0; i < m->facts; i++)
        sscanf(m->fact[i], "all before %*[^[][%zu] is right", &right);
    l.others = l.count > 0 && right > covered(&l, 0);
    if (good && l.count > 0 && (of_parts ? l.rows > 1 && tell_overlap(&l, &found) : tell(&l, &found))) {
        for (int i = 0; i < m->facts; i++)
            mistake_add(&found, "%s", m->fact[i]);
        memcpy(m->fact, found.fact, sizeof m->fact);
        m->facts = found.facts;
    }
    free(l.list);
    return good;
}
