/* What is wrong with the numbers of threads in two dimensions. */
#include <stdint.h>

#include "workshop/lab/owners_launch.h"

static bool tell_grid(const struct launch *l, enum number what, int axis, struct mistake *m)
{
    const size_t length = what == ROW ? l->rows : l->cols, there = launch_covered(l, axis);

    if (there >= length)
        return false;
    mistake_add(m, "in %c the grid has a length of %u blocks, and a block one of %u threads: that is enough for %zu %s, and there are %zu", "xy"[axis],
                l->grid[axis], l->block[axis], there, what == ROW ? "rows" : "columns", length);
    const size_t other = what == ROW ? l->cols : l->rows;
    if (l->grid[axis] == (other + l->block[axis] - 1) / l->block[axis])
        mistake_add(m, "that is what the %zu %s need", other, what == ROW ? "columns" : "rows");
    else if (l->grid[axis] == (other + l->block[1 - axis] - 1) / l->block[1 - axis])
        mistake_add(m, "so many blocks, of %u threads in %c, are what the %zu %s need", l->block[1 - axis], "xy"[1 - axis], other, what == ROW ? "columns" : "rows");
    return true;
}

static bool tell_number(const struct launch *l, enum number what, const struct formula *f, struct mistake *m)
{
    char text[160];

    mistake_add(m, "the %s of a thread's element is %s; a block is %u threads wide (x) and %u high (y)", what == ROW ? "row" : "column",
                formula_words(f, text, sizeof text), l->block[0], l->block[1]);
    return true;
}

/* Threads that begin in adjacent rows and go on to the end of the image, which ends one row early without its border, in steps of rows
   which others do, too. */
static bool tell_rows(const struct launch *l, struct mistake *m)
{
    const struct write *zero = launch_find(l, 0, 0, 0, 0), *next = launch_find(l, 0, 0, 0, 1), *block = launch_find(l, 0, 1, 0, 0);
    const size_t rows = zero != NULL && zero->count > 1 && zero->second > zero->first ? (zero->second - zero->first) / l->cols : 0;

    if (rows == 0 || (zero->second - zero->first) % l->cols != 0 || rows == launch_covered(l, 1) || zero->most / l->cols + rows + 1 < l->rows ||
        (next != NULL && next->first != zero->first + l->cols) || (block != NULL && block->first != zero->first + l->block[1] * l->cols))
        return false;
    mistake_add(m, "each thread goes on in steps of %zu row%s%s; the grid covers %zu rows, so only steps of so many do each row once", rows,
                rows == 1 ? "" : "s", rows == l->grid[1] ? ", the number of blocks in y (gridDim.y)" : "", launch_covered(l, 1));
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

bool owners_tell_overlap(const struct launch *l, struct mistake *m)
{
    const struct write *zero = launch_find(l, 0, 0, 0, 0);
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

static bool tell_numbers(const struct launch *l, struct mistake *m)
{
    struct formula r, c;

    if (tell_rows(l, m))
        return true;
    if (has_several(l)) /* what follows takes the first element of a thread for all of them */
        return owners_tell_overlap(l, m);
    if (!launch_formula(l, ROW, &r) || !launch_formula(l, COLUMN, &c))
        return false;
    const int of_row = formula_counts(l, &r, 1) ? 1 : formula_counts(l, &r, 0) ? 0 : -1, of_column = formula_counts(l, &c, 0) ? 0 : formula_counts(l, &c, 1) ? 1 : -1;
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

bool owners_tell_numbers(const struct launch *l, struct mistake *m)
{
    struct formula r, c;

    if (has_several(l) || !launch_formula(l, ROW, &r) || !launch_formula(l, COLUMN, &c))
        return false;
    const bool row = formula_counts(l, &r, 1), column = formula_counts(l, &c, 0);
    if (!row)
        tell_number(l, ROW, &r, m);
    if (!column)
        tell_number(l, COLUMN, &c, m);
    return !row || !column;
}

static bool tell_silent_block(const struct launch *l, unsigned x, unsigned y, struct mistake *m)
{
    struct part first;

    mistake_add(m, "no thread of block (x %u, y %u) has written anything", x, y);
    if (x + y == 1 && find_part(l, 0, 0, &first))
        mistake_add(m, "block (x 0, y 0) has written rows %zu to %zu, columns %zu to %zu: where does the next block begin, if each does so many?", first.top,
                    first.bottom, first.left, first.right);
    return true;
}

/* The first block of which no thread has written, though its first thread has an element. */
static bool tell_idle_block(const struct launch *l, struct mistake *m)
{
    for (unsigned y = 0; y < l->grid[1]; y++)
        for (unsigned x = 0; x < l->grid[0]; x++) {
            const size_t row = (size_t)y * l->block[1], column = (size_t)x * l->block[0];
            if (launch_has_written(l, x, y) || row >= l->rows || column >= l->cols)
                continue;
            if (has_several(l))
                return tell_silent_block(l, x, y, m);
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

    if (has_several(l) || !launch_formula(l, ROW, &r) || !launch_formula(l, COLUMN, &c) || !formula_counts(l, &r, 1) || !formula_counts(l, &c, 0) ||
        launch_covered(l, 1) < l->rows || launch_covered(l, 0) < l->cols)
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

bool owners_tell_plane(const struct launch *l, struct mistake *m)
{
    return tell_numbers(l, m) || tell_idle_block(l, m) || tell_left_out(l, m);
}
