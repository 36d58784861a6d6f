#include "workshop/lab/places.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- where it is wrong ------------------------------------------------------------------------ */

static bool wrong_from_to(const struct view *v, size_t from, size_t to)
{
    for (size_t i = 0; i < v->count; i++)
        if (v->wrong[i] != (i >= from && i < to))
            return false;
    return true;
}

/* Returns whether exactly every `step`-th element is wrong (`is` true) or right (false). */
static bool every(const struct view *v, size_t step, bool is)
{
    for (size_t i = 0; i < v->count; i++)
        if (v->wrong[i] != ((i % step == 0) == is))
            return false;
    return v->count >= 3 * step;
}

static bool on_border(const struct view *v, size_t i, size_t depth)
{
    size_t r = i / v->cols, c = i % v->cols;

    return r == depth || c == depth || r + 1 + depth == v->rows || c + 1 + depth == v->cols;
}

static bool only_border(const struct view *v, size_t depth)
{
    if (v->rows < 5 || v->cols < 5)
        return false;
    for (size_t i = 0; i < v->count; i++)
        if (v->wrong[i] && !on_border(v, i, depth))
            return false;
    return true;
}

/* Returns whether all wrong elements lie at the edges of tiles of `side`. */
static bool only_seams(const struct view *v, size_t side)
{
    if (v->cols < 2 * side + 3)
        return false;
    for (size_t i = 0; i < v->count; i++) {
        size_t r = i / v->cols % side, c = i % v->cols % side;
        if (v->wrong[i] && r != 0 && c != 0 && r != side - 1 && c != side - 1)
            return false;
    }
    return true;
}

/* --- right values at wrong places ------------------------------------------------------------------ */

static bool shifted(const struct view *v, long by)
{
    size_t same = 0, asked = 0;

    for (size_t i = 0; i < v->count; i++) {
        long from = (long)i + by;
        if (!v->wrong[i] || from < 0 || from >= (long)v->count)
            continue;
        asked++;
        same += result_close(v, v->got[i], v->want[from]);
    }
    return asked > 2 && same == asked;
}

static bool mapped(const struct view *v, size_t (*from)(const struct view *v, size_t i))
{
    size_t same = 0, asked = 0;

    for (size_t i = 0; i < v->count; i++)
        if (v->wrong[i] && from(v, i) < v->count) {
            asked++;
            same += result_close(v, v->got[i], v->want[from(v, i)]);
        }
    return asked > 2 && same == asked;
}

static size_t mirror(const struct view *v, size_t i)
{
    return v->count - 1 - i;
}

static size_t transpose(const struct view *v, size_t i)
{
    return i % v->rows * v->cols + i / v->rows; /* the columns lie one after another */
}

/* Finds right values at wrong places. */
bool places_exchanged(const struct view *v, struct mistake *m)
{
    if (v->rows > 1 && mapped(v, transpose)) {
        mistake_set(m, "transposed");
        if (v->rows == v->cols)
            mistake_add(m, "%s[r][c] holds what belongs into %s[c][r]", v->array, v->array);
        else
            mistake_add(m, "element column * %zu + row of %s holds what belongs into element row * %zu + column", v->rows, v->array, v->cols);
    } else if (v->count > 4 && mapped(v, mirror)) {
        mistake_set(m, "reversed");
        mistake_add(m, "the last element comes first");
    } else if (shifted(v, 1) || shifted(v, -1)) {
        mistake_set(m, "off-by-one");
        mistake_add(m, "each element holds its %s neighbour's value",
                    shifted(v, 1) ? "next" : "previous");
    } else {
        return false;
    }
    return true;
}

/* Finds the first wrong column, if nothing was written from there on; the next function does so for rows. */
static bool from_column(const struct view *v, size_t *column)
{
    *column = v->cols;
    for (size_t i = 0; i < v->count; i++)
        if (v->wrong[i] && i % v->cols < *column)
            *column = i % v->cols;
    for (size_t i = 0; i < v->count; i++)
        if (i % v->cols >= *column && !result_untouched(v->got[i]))
            return false;
    return *column > 0 && *column < v->cols;
}

static bool from_row(const struct view *v, size_t *row)
{
    *row = result_first_wrong(v) / v->cols;
    for (size_t i = *row * v->cols; i < v->count; i++)
        if (!result_untouched(v->got[i]))
            return false;
    return *row > 0;
}

/* Adds on which of the four edges, without their corners, values are wrong, if it is not on all of them. */
static void add_edges(const struct view *v, struct mistake *m)
{
    static const char *const names[] = {"first row", "last row", "first column", "last column"};
    const size_t rows = v->count / v->cols;
    bool wrong[4] = {false};
    char text[80] = "";

    for (size_t i = 0; i < v->count; i++) {
        const size_t r = i / v->cols, c = i % v->cols;
        const bool on[] = {r == 0, r == rows - 1, c == 0, c == v->cols - 1};
        for (int k = 0; k < 4; k++)
            wrong[k] = wrong[k] || (v->wrong[i] && on[k] && on[0] + on[1] + on[2] + on[3] == 1);
    }
    const int count = wrong[0] + wrong[1] + wrong[2] + wrong[3];
    for (int k = 0; k < 4; k++)
        if (wrong[k])
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] != '\0' ? ", " : "", names[k]);
    if (count > 0 && count < 4)
        mistake_add(m, "of the edges, without their corners, these have wrong values: %s", text);
    if (count == 1 && (wrong[1] || wrong[3]))
        mistake_add(m, "the last %s is number %zu; rows is %zu here, and cols is %zu: which of them is the %s of a pixel compared with?",
                    wrong[1] ? "row" : "column", (wrong[1] ? rows : v->cols) - 1, rows, v->cols, wrong[1] ? "row" : "column");
}

/* Finds a mistake by the places of the wrong values, in two dimensions. */
static bool by_place_2d(const struct view *v, struct mistake *m)
{
    size_t first;

    if (from_column(v, &first)) {
        mistake_set(m, "part-missing");
        if (v->pairs)
            mistake_add(m, "of each row numbers 0 to %zu are right, and from number %zu on, of %zu, nothing was written",
                        first / 2 - 1, first / 2, v->cols / 2);
        else
            mistake_add(m, "columns 0 to %zu are right; from column %zu on nothing was written",
                    first - 1, first);
    } else if (from_row(v, &first)) {
        mistake_set(m, "part-missing");
        mistake_add(m, "rows 0 to %zu are right; from row %zu on nothing was written", first - 1,
                    first);
    } else if (v->image && only_border(v, 0)) {
        mistake_set(m, "border");
        mistake_add(m, "only elements in the first or last row or column are wrong");
        add_edges(v, m);
    } else if (v->image && only_border(v, 1)) {
        mistake_set(m, "halo");
        mistake_add(m, "only pixels next to the border are wrong");
    } else if (v->image && (only_seams(v, 32) || only_seams(v, 16))) {
        mistake_set(m, "halo");
        mistake_add(m, "only pixels at the seams between tiles of %d are wrong",
                    only_seams(v, 32) ? 32 : 16);
    } else {
        return false;
    }
    return true;
}

/* Returns whether an element was computed, though it is wrong: a 0 may be what the array held before. */
static bool is_written(const struct view *v, size_t i)
{
    return !result_untouched(v->got[i]) && v->got[i] != 0.0f;
}

/* Finds a mistake by the places of the wrong values. */
bool places_pattern(const struct view *v, struct mistake *m)
{
    const size_t first = result_first_wrong(v);
    char name[64];

    if (v->count > 1 && wrong_from_to(v, 1, v->count)) {
        mistake_set(m, "first-only");
        mistake_add(m, "only the first element is right");
    } else if (v->count > 2 && wrong_from_to(v, v->count - 1, v->count)) {
        mistake_set(m, is_written(v, v->count - 1) ? "wrong-part" : "last-missed");
        mistake_add(m, "only the last element is wrong");
        m->explains = is_written(v, v->count - 1); /* it may be the first one of many that are wrong at a larger size */
    } else if (v->count > 2 && wrong_from_to(v, 0, 1)) {
        mistake_set(m, is_written(v, 0) ? "wrong-part" : "first-missed");
        mistake_add(m, "only the first element is wrong");
    } else if (v->rows == 1 && !v->pairs && first > 0 && wrong_from_to(v, first, v->count)) {
        mistake_set(m, is_written(v, first)                           ? "wrong-part"
                       : v->count - first < first                     ? "tail-missing"
                                                                      : "part-missing");
        mistake_add(m, "all before %s is right, and all from there on is wrong",
                    result_place(v, first, name, sizeof name));
        for (size_t part = 2; part <= 32; part *= 2)
            if (part != sizeof *v->got && v->count > 8 * part && first == v->count / part)
                mistake_add(m, "that is n / %zu%s", part, result_untouched(v->got[first]) ? ": the loop ends there" : "");
        if (first == v->count / sizeof *v->got)
            mistake_add(m, "that is a quarter of them: a float has 4 bytes, so n bytes are n / 4 floats");
    } else if (v->rows > 1) {
        return by_place_2d(v, m);
    } else {
        return false;
    }
    return true;
}

bool places_step(const struct view *v, struct mistake *m)
{
    static const size_t steps[] = {2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

    for (size_t i = 0; v->rows == 1 && i < sizeof steps / sizeof *steps; i++) {
        bool right = every(v, steps[i], false), wrong = every(v, steps[i], true);
        if (!right && !wrong)
            continue;
        mistake_set(m, steps[i] >= 32 ? "one-per-block" : "stride");
        mistake_add(m, "only element 0, %zu, %zu ... %s", steps[i], 2 * steps[i],
                    right ? "is right" : "is wrong");
        return true;
    }
    return false;
}

/* Looks for the first wrong values among the right ones: RUN of them side by side are no chance.  Returns the first one's
   place; v->count if they are nowhere. */
static size_t find_elsewhere(const struct view *v, size_t first)
{
    enum { RUN = 8 };

    for (size_t to = 0; first + RUN <= v->count && to + RUN <= v->count; to++) {
        size_t same = 0;
        while (same < RUN && v->wrong[first + same] && result_close(v, v->got[first + same], v->want[to + same]))
            same++;
        if (same == RUN)
            return to;
    }
    return v->count;
}

/* Finds results that lie in the place of others, in a row. */
bool places_elsewhere(const struct view *v, struct mistake *m)
{
    const size_t first = result_first_wrong(v), to = v->rows == 1 && !v->pairs ? find_elsewhere(v, first) : v->count;
    char is[64], of[64];

    if (to == v->count)
        return false;
    mistake_set(m, "misplaced");
    mistake_add(m, "from %s on lies what belongs to %s and behind it", result_place(v, first, is, sizeof is),
                result_place(v, to, of, sizeof of));
    if (v->untouched > 0)
        mistake_add(m, "%zu of %zu elements were not written at all", v->untouched, v->count);
    m->explains = v->wrong_count;
    return true;
}

/* Returns whether wrong results lie in every second group of so many alone, `odd`: in the second, the fourth ... */
static bool in_groups(const struct view *v, size_t group, size_t odd)
{
    for (size_t i = 0; i < v->count; i++)
        if (v->wrong[i] && i / group % 2 != odd)
            return false;
    return true;
}

void places_groups(const struct view *v, struct mistake *m)
{
    enum { ENOUGH = 8 };

    for (size_t group = 512; group >= 32 && v->rows == 1 && !v->pairs && v->wrong_count >= ENOUGH; group /= 2)
        for (size_t odd = 0; odd < 2; odd++)
            if (2 * group < v->count && in_groups(v, group, odd)) {
                mistake_add(m, "of each %zu elements only some of the %s %zu are wrong: %zu to %zu, %zu to %zu ...", 2 * group, odd == 0 ? "first" : "second",
                            group, odd * group, (odd + 1) * group - 1, (odd + 2) * group, (odd + 3) * group - 1);
                return;
            }
}
