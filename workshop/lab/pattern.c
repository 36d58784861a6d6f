#include "workshop/lab/pattern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/case.h"
#include "workshop/lab/early.h"

static const struct guesses *const all_guesses[] = {&guesses_saxpy, &guesses_stencil, &guesses_knn,
                                                    &guesses_matmul, &guesses_fft,
                                                    &guesses_reduce, &guesses_compact};

/* --- the result beside the right one -------------------------------------------------------------- */

static bool close_to(const struct view *v, double got, double want)
{
    if (isinf(want))
        return isinf(got) && (got > 0.0) == (want > 0.0);
    return fabs(got - want) <= v->error * (v->scale + fabs(want));
}

/* Returns whether the value is still what arena_poison_outputs has written. */
static bool untouched(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits == 0xffffffff;
}

static void compare(struct view *v)
{
    for (size_t i = 0; i < v->count; i++) {
        v->wrong[i] = !close_to(v, v->got[i], v->want[i]);
        v->wrong_count += v->wrong[i];
        v->untouched += untouched(v->got[i]);
    }
}

bool view_equals(const struct view *v, const double *values)
{
    size_t same = 0, asked = 0;

    for (size_t i = 0; i < v->count; i++) {
        if (!v->wrong[i] || isnan(values[i]))
            continue;
        asked++;
        same += close_to(v, v->got[i], values[i]);
    }
    return asked > 0 && same == asked;
}

bool view_is(const struct view *v, const double *values)
{
    for (size_t i = 0; i < v->count; i++)
        if (!close_to(v, v->got[i], values[i]))
            return false;
    return true;
}

/* --- where it is wrong ------------------------------------------------------------------------ */

static const char *place(const struct view *v, size_t i, char *text, size_t room)
{
    if (v->names != NULL)
        snprintf(text, room, "%s", v->names[i]);
    else if (v->pairs && v->rows > 1)
        snprintf(text, room, "%s[%zu][%zu].%c", v->array, i / v->cols, i % v->cols / 2, i % 2 == 0 ? 'x' : 'y');
    else if (v->pairs)
        snprintf(text, room, "%s[%zu].%c", v->array, i / 2, i % 2 == 0 ? 'x' : 'y');
    else if (v->rows > 1)
        snprintf(text, room, "%s[%zu][%zu]", v->array, i / v->cols, i % v->cols);
    else
        snprintf(text, room, "%s[%zu]", v->array, i);
    return text;
}

static size_t first_wrong(const struct view *v)
{
    size_t i = 0;

    while (i + 1 < v->count && !v->wrong[i])
        i++;
    return i;
}

static void add_example(const struct view *v, struct mistake *m)
{
    size_t i = first_wrong(v);
    char name[64];

    if (v->wrong_count == 0)
        return;
    place(v, i, name, sizeof name);
    if (untouched(v->got[i]))
        mistake_add(m, "%zu of %zu wrong, the first %s: nothing was written there", v->wrong_count,
                    v->count, name);
    else
        mistake_add(m, "%zu of %zu wrong, the first %s: it is %.7g and should be %.7g",
                    v->wrong_count, v->count, name, (double)v->got[i], v->want[i]);
}

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

/* --- guesses for every problem ---------------------------------------------------------------- */

static bool shifted(const struct view *v, long by)
{
    size_t same = 0, asked = 0;

    for (size_t i = 0; i < v->count; i++) {
        long from = (long)i + by;
        if (!v->wrong[i] || from < 0 || from >= (long)v->count)
            continue;
        asked++;
        same += close_to(v, v->got[i], v->want[from]);
    }
    return asked > 2 && same == asked;
}

static bool mapped(const struct view *v, size_t (*from)(const struct view *v, size_t i))
{
    size_t same = 0, asked = 0;

    for (size_t i = 0; i < v->count; i++)
        if (v->wrong[i] && from(v, i) < v->count) {
            asked++;
            same += close_to(v, v->got[i], v->want[from(v, i)]);
        }
    return asked > 2 && same == asked;
}

static size_t mirror(const struct view *v, size_t i)
{
    return v->count - 1 - i;
}

static size_t transpose(const struct view *v, size_t i)
{
    return v->rows == v->cols ? i % v->cols * v->cols + i / v->cols : v->count;
}

/* Finds right values at wrong places. */
static bool misplaced(const struct view *v, struct mistake *m)
{
    if (v->rows > 1 && mapped(v, transpose)) {
        mistake_set(m, "transposed");
        mistake_add(m, "%s[r][c] holds what belongs into %s[c][r]", v->array, v->array);
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

/* Finds results that were added up from element to element. */
static bool accumulated(const struct view *v, struct mistake *m)
{
    enum { ENOUGH = 8 };
    double sum = 0.0;

    if (v->rows > 1 || v->pairs || v->count < ENOUGH || v->wrong_count + 2 < v->count)
        return false;
    for (size_t i = 0; i < v->count && i < 1000; i++) {
        sum += v->want[i];
        if (!(fabs(v->got[i] - sum) <= 1e-4 * ((double)(i + 1) * v->scale + fabs(sum))))
            return false;
    }
    mistake_set(m, "counted-again");
    mistake_add(m, "%s[i] is the sum of the elements 0 to i: each one is added to those before it", v->array);
    return true;
}

/* Finds a factor by which nearly all wrong values are wrong.  Small values do not count, because of rounding. */
static bool scaled(const struct view *v, struct mistake *m)
{
    size_t asked = 0, same = 0, i = first_wrong(v);
    const double factor = v->want[i] != 0.0 ? v->got[i] / v->want[i] : 0.0;

    if (!(fabs(factor) > 1e-3 && fabs(factor) < 1e3))
        return false;
    for (; i < v->count; i++) {
        if (!v->wrong[i] || fabs(v->want[i]) < 1e-3 * v->scale)
            continue;
        asked++;
        same += fabs(v->got[i] / v->want[i] - factor) <= 1e-3 * fabs(factor);
    }
    if (asked < 2 || 10 * same < 9 * asked)
        return false;
    mistake_set(m, fabs(factor - 2.0) < 1e-3 ? "doubled" : "scaled");
    mistake_add(m, "each wrong value is %.5g times what it should be", factor);
    return true;
}

/* Returns whether all wrong values are 0, and more than half of all values are. */
static bool all_zero(const struct view *v)
{
    for (size_t i = 0; i < v->count; i++)
        if (v->wrong[i] && v->got[i] != 0.0f)
            return false;
    return v->wrong_count > v->count / 2;
}

/* Finds the first wrong column, if nothing was written from there on; the next function does so for rows. */
static bool from_column(const struct view *v, size_t *column)
{
    *column = v->cols;
    for (size_t i = 0; i < v->count; i++)
        if (v->wrong[i] && i % v->cols < *column)
            *column = i % v->cols;
    for (size_t i = 0; i < v->count; i++)
        if (i % v->cols >= *column && !untouched(v->got[i]))
            return false;
    return *column > 0 && *column < v->cols;
}

static bool from_row(const struct view *v, size_t *row)
{
    *row = first_wrong(v) / v->cols;
    for (size_t i = *row * v->cols; i < v->count; i++)
        if (!untouched(v->got[i]))
            return false;
    return *row > 0;
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

/* Finds a mistake by the places of the wrong values. */
static bool by_place(const struct view *v, struct mistake *m)
{
    const size_t first = first_wrong(v);
    char name[64];

    if (v->count > 1 && wrong_from_to(v, 1, v->count)) {
        mistake_set(m, "first-only");
        mistake_add(m, "only the first element is right");
    } else if (v->count > 2 && wrong_from_to(v, v->count - 1, v->count)) {
        mistake_set(m, "last-missed");
        mistake_add(m, "only the last element is wrong");
    } else if (v->count > 2 && wrong_from_to(v, 0, 1)) {
        mistake_set(m, "first-missed");
        mistake_add(m, "only the first element is wrong");
    } else if (v->rows == 1 && !v->pairs && first > 0 && wrong_from_to(v, first, v->count)) {
        mistake_set(m, !untouched(v->got[first]) && v->got[first] != 0.0f ? "wrong-part"
                       : v->count - first < first                     ? "tail-missing"
                                                                      : "part-missing");
        mistake_add(m, "all before %s is right, and all from there on is wrong",
                    place(v, first, name, sizeof name));
        for (size_t part = 2; part <= 32; part *= 2)
            if (part != sizeof *v->got && v->count > 8 * part && first == v->count / part)
                mistake_add(m, "that is n / %zu: the loop ends there", part);
        if (first == v->count / sizeof *v->got)
            mistake_add(m, "that is a quarter of them: a float has 4 bytes, so n bytes are n / 4 floats");
    } else if (v->rows > 1) {
        return by_place_2d(v, m);
    } else {
        return false;
    }
    return true;
}

static bool by_step(const struct view *v, struct mistake *m)
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
        while (same < RUN && v->wrong[first + same] && close_to(v, v->got[first + same], v->want[to + same]))
            same++;
        if (same == RUN)
            return to;
    }
    return v->count;
}

/* Finds results that lie in the place of others, in a row. */
static bool elsewhere(const struct view *v, struct mistake *m)
{
    const size_t first = first_wrong(v), to = v->rows == 1 && !v->pairs ? find_elsewhere(v, first) : v->count;
    char is[64], of[64];

    if (to == v->count)
        return false;
    mistake_set(m, "misplaced");
    mistake_add(m, "from %s on lies what belongs to %s and behind it", place(v, first, is, sizeof is),
                place(v, to, of, sizeof of));
    if (v->untouched > 0)
        mistake_add(m, "%zu of %zu elements were not written at all", v->untouched, v->count);
    m->explains = v->wrong_count;
    return true;
}

/* --- all together --------------------------------------------------------------------------------- */

bool view_guess(const struct guess *guess, const void *c, const struct view *v, struct mistake *m)
{
    double *values = malloc((v->count + 1) * sizeof *values);
    bool fits = false;

    for (; values != NULL && guess->kind != NULL && !fits; guess++) {
        guess->fill(c, values);
        fits = view_equals(v, values);
        if (!fits)
            continue;
        mistake_set(m, guess->kind);
        mistake_add(m, "%s", guess->text);
        m->explains = v->wrong_count;
    }
    free(values);
    return fits;
}

static bool all_untouched(const struct view *v, struct mistake *m)
{
    if (v->untouched < v->count || v->count == 0)
        return false;
    mistake_set(m, "nothing-written");
    mistake_add(m, "every element of %s is still NaN, as before the call: nothing was written, or "
                   "something was added to it (+=)", v->array);
    return true;
}

static bool is_all_zero(const struct view *v, struct mistake *m)
{
    if (!all_zero(v))
        return false;
    mistake_set(m, "all-zero");
    mistake_add(m, "every %selement of %s is 0", v->wrong_count < v->count ? "wrong " : "", v->array);
    return true;
}

/* Returns the length after which what was written and what was not repeats; 0: there is none. */
static size_t period(const struct view *v)
{
    enum { MOST = 4096 };

    for (size_t length = 2; length <= MOST && 3 * length <= v->count; length++) {
        size_t i = length;
        while (i < v->count && v->wrong[i] == v->wrong[i - length])
            i++;
        if (i == v->count)
            return length;
    }
    return 0;
}

/* Adds the first gap; what was written is right. */
static void add_gap(const struct view *v, struct mistake *m)
{
    size_t first = first_wrong(v), end = first;
    char from[64], to[64];

    while (end < v->count && v->wrong[end])
        end++;
    mistake_add(m, "what was written is right, but %zu of %zu elements were not written", v->untouched,
                v->count);
    mistake_add(m, "the first gap is from %s to %s", place(v, first, from, sizeof from),
                place(v, end - 1, to, sizeof to));
    const size_t length = period(v);
    if (length > 0)
        mistake_add(m, "of every %zu elements in a row, %zu were written: so the step is %zu, and that is not the number of those who "
                       "share the work", length, length - (end - first), length);
}

/* Finds NaN that were computed. */
static bool not_numbers(const struct view *v, struct mistake *m)
{
    size_t count = 0, first = v->count;
    char name[64];

    for (size_t i = v->count; i-- > 0;)
        if (isnan(v->got[i]) && !untouched(v->got[i])) {
            count++;
            first = i;
        }
    if (4 * count <= v->wrong_count)
        return false;
    mistake_set(m, "not-a-number");
    mistake_add(m, "%zu of %zu results were computed, and are not numbers (NaN); the first is %s", count, v->count,
                place(v, first, name, sizeof name));
    return true;
}

/* Finds the values of a typical mistake, or right values at wrong places.  It accounts for the wrong results. */
static bool by_value(const struct guesses *g, const void *c, const struct view *v, struct mistake *m)
{
    if (!view_guess(g->guess, c, v, m) && !misplaced(v, m) && !accumulated(v, m) && !scaled(v, m))
        return false;
    m->explains = v->wrong_count;
    return true;
}

/* Finds a pattern in which results are right and wrong.  It accounts for all of them. */
static bool by_pattern(const struct view *v, struct mistake *m)
{
    if (!by_place(v, m) && !by_step(v, m))
        return false;
    m->explains = pattern_rank(m) == PATTERN_CLEAR ? v->count : 0;
    return true;
}

static void find(const struct guesses *g, const void *c, const struct view *v, struct mistake *m)
{
    if (all_untouched(v, m) || (g->look != NULL && g->look(c, v, m)) || is_all_zero(v, m) ||
        by_value(g, c, v, m) || by_pattern(v, m) || elsewhere(v, m)) {
        add_example(v, m);
        return;
    }
    if (v->untouched > 0 && v->untouched == v->wrong_count) {
        mistake_set(m, "gaps");
        add_gap(v, m);
        return;
    }
    if (not_numbers(v, m))
        return;
    if (g->last_look != NULL && v->untouched == 0 && g->last_look(c, v, m)) {
        add_example(v, m);
        return;
    }
    mistake_set(m, "wrong-values");
    if (v->untouched > 0)
        mistake_add(m, "%zu of %zu elements were not written at all", v->untouched, v->count);
    add_example(v, m);
}

/* With several devices: adds whose part begins where the results are not right any more. */
static void add_device(const struct view *v, int devices, struct mistake *m)
{
    const size_t first = first_wrong(v);

    for (int g = 1; devices > 1 && v->count >= (size_t)devices && g < devices; g++) {
        if (first != v->count * (size_t)g / (size_t)devices)
            continue;
        if (untouched(v->got[first]))
            mistake_add(m, "the part of GPU %d begins there: nothing of it was computed, or copied back", g);
        else if (close_to(v, v->got[first], v->want[0]))
            mistake_add(m, "the part of GPU %d begins there, and it is the result for the part of GPU 0", g);
    }
}

/* On the processor: adds whether nothing was written from the start of a thread's share on. */
static void add_share(const struct view *v, struct mistake *m)
{
    const size_t first = first_wrong(v), threads = (size_t)v->threads;

    for (size_t t = 1; v->rows == 1 && v->count > 8 * threads && untouched(v->got[first]) && t < threads; t++)
        if (first == v->count * t / threads || first == t * ((v->count + threads - 1) / threads)) {
            mistake_add(m, "the share of a whole thread begins there, if %zu threads divide the elements among them", threads);
            return;
        }
}

/* Returns an error that is small beside any mistake, and large beside rounding: some hundred times the class's own, as
   far as errors of many products do not cancel each other. */
static double error_of(enum math math)
{
    return math == MATH_F16 ? 3e-3 : math == MATH_TF32 ? 3e-4 : 2e-5;
}

static bool look(const struct guesses *g, const void *c, const struct exercise *e, struct mistake *m)
{
    struct view v = {.error = error_of(e->math)};
    bool found = g->view(c, &v);

    v.devices = e->devices;
    v.threads = e->gates > 0 && strcmp(e->gate[0].metric, "threads_at_work") == 0 ? case_threads() : 0;
    v.count = v.rows * v.cols;
    v.want = malloc((v.count + 1) * sizeof *v.want);
    v.wrong = calloc(v.count + 1, sizeof *v.wrong);
    if (found && v.want != NULL && v.wrong != NULL) {
        g->want(c, v.want);
        compare(&v);
        found = v.wrong_count > 0 || g->look != NULL;
        if (found) {
            find(g, c, &v, m);
            add_device(&v, e->devices, m);
            add_share(&v, m);
        }
    }
    free(v.want);
    free(v.wrong);
    return found && mistaken(m);
}

void pattern_mistake(const struct exercise *e, const struct layout *layout,
                     const struct verdict *verdict, struct mistake *m)
{
    char text[160];

    if (early_look(layout, m))
        return;
    for (size_t i = 0; i < sizeof all_guesses / sizeof *all_guesses; i++)
        if (strcmp(all_guesses[i]->problem, problem_name(e->problem)) == 0 &&
            look(all_guesses[i], layout->data, e, m))
            return;
    mistake_set(m, verdict->finite ? "wrong-values" : "not-a-number");
    verdict_describe(verdict, text, sizeof text);
    mistake_add(m, "%s", text);
}

/* Reads a fact such as "thread 3 of block 0: writes d_z[1], and d_z has 1 element". */
static bool read_access(const char *fact, struct access *a)
{
    const char *what = strstr(fact, ": "), *has = strstr(fact, " has ");

    *a = (struct access){.element = 0};
    return what != NULL && has != NULL &&
           (sscanf(fact, "thread %u of block %u:", &a->x, &a->block_x) == 2 ||
            sscanf(fact, "thread (x %u, y %u) of block (x %u, y %u)", &a->x, &a->y, &a->block_x, &a->block_y) == 4) &&
           sscanf(what, ": %*s %31[^[][%zu]", a->array, &a->element) == 2 && sscanf(has, " has %zu element", &a->count) == 1;
}

static const struct guesses *guesses_of(const struct exercise *e)
{
    for (size_t i = 0; i < sizeof all_guesses / sizeof *all_guesses; i++)
        if (strcmp(all_guesses[i]->problem, problem_name(e->problem)) == 0)
            return all_guesses[i];
    return NULL;
}

void pattern_access(const struct exercise *e, const struct layout *layout, struct mistake *m)
{
    const struct guesses *g = guesses_of(e);
    struct access a;
    size_t last;

    if (g == NULL || m->facts == 0)
        return;
    if (strcmp(m->kind, "out-of-bounds") == 0 && g->outside != NULL && read_access(m->fact[0], &a))
        g->outside(layout->data, &a, m);
    if (strcmp(m->kind, "shared-unwritten") == 0 && g->unwritten != NULL && m->facts > 1 &&
        sscanf(m->fact[1], "elements 0 to %zu of it are written", &last) == 1)
        g->unwritten(layout->data, last + 1, m);
}

int pattern_rank(const struct mistake *m)
{
    static const struct {
        const char *kind;
        int rank;
    } vague[] = {{"", 0}, {"wrong-values", 1}, {"nothing-written", 2}, {"all-zero", 2}, {"part-missing", 3},
                 {"gaps", 3}, {"first-only", 3}, {"last-missed", 3}, {"tail-missing", 3},
                 {"wrong-part", 3}, {"none-kept", 3}, {"not-a-number", 2}, {"endless", 2},
                 {"rounding", 0} /* only if it accounts for every size */};

    for (size_t i = 0; i < sizeof vague / sizeof *vague; i++)
        if (strcmp(m->kind, vague[i].kind) == 0)
            return vague[i].rank;
    return PATTERN_CLEAR;
}

unsigned long pattern_sum(const struct layout *layout)
{
    unsigned long sum = 14695981039346656037ul; /* FNV-1a */

    for (size_t i = 0; i < layout->count; i++) {
        const struct slot *s = &layout->slots[i];
        for (size_t b = 0; s->output && b < s->bytes; b++)
            sum = (sum ^ (unsigned char)s->start[b]) * 1099511628211ul;
    }
    return sum;
}
