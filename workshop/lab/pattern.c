#include "workshop/lab/pattern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/case.h"
#include "workshop/lab/early.h"
#include "workshop/lab/places.h"

static const struct guesses *const all_guesses[] = {&guesses_saxpy, &guesses_stencil, &guesses_knn,
                                                    &guesses_matmul, &guesses_fft,
                                                    &guesses_reduce, &guesses_compact};

static void add_example(const struct view *v, struct mistake *m)
{
    size_t i = result_first_wrong(v);
    char name[64];

    if (v->wrong_count == 0)
        return;
    result_place(v, i, name, sizeof name);
    if (result_untouched(v->got[i]))
        mistake_add(m, "%zu of %zu wrong, the first %s: it is NaN, as before the call", v->wrong_count, v->count, name);
    else
        mistake_add(m, "%zu of %zu wrong, the first %s: it is %.7g and should be %.7g",
                    v->wrong_count, v->count, name, (double)v->got[i], v->want[i]);
}

bool pattern_guess(const struct guess *guess, const void *c, const struct view *v, struct mistake *m)
{
    double *values = malloc((v->count + 1) * sizeof *values);
    bool fits = false;

    for (; values != NULL && guess->kind != NULL && !fits; guess++) {
        guess->fill(c, values);
        fits = result_equals(v, values) && (strncmp(guess->text, "each sum ", 9) != 0 || result_is(v, values));
        if (!fits)
            continue;
        mistake_set(m, guess->kind);
        mistake_add(m, "%s", guess->text);
        m->explains = v->wrong_count;
    }
    free(values);
    return fits;
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
    size_t asked = 0, same = 0, i = result_first_wrong(v);
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

static bool all_untouched(const struct view *v, struct mistake *m)
{
    if (v->untouched < v->count || v->count == 0)
        return false;
    mistake_set(m, "nothing-written");
    mistake_add(m, "every element of %s is still NaN, as before the call", v->array);
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
    size_t first = result_first_wrong(v), end = first;
    char from[64], to[64];

    while (end < v->count && v->wrong[end])
        end++;
    mistake_add(m, "what was written is right, but %zu of %zu elements were not written", v->untouched,
                v->count);
    mistake_add(m, "the first gap is from %s to %s", result_place(v, first, from, sizeof from),
                result_place(v, end - 1, to, sizeof to));
    const size_t length = period(v);
    if (length > 0 && (v->rows == 1 || length % v->cols != 0)) /* else this is how long rows are */
        mistake_add(m, "of every %zu elements in a row, %zu were written: so the step is %zu, and that is not the number of those who "
                       "share the work", length, length - (end - first), length);
}

/* Finds NaN that were computed. */
static bool not_numbers(const struct view *v, struct mistake *m)
{
    size_t count = 0, first = v->count;
    char name[64];

    for (size_t i = v->count; i-- > 0;)
        if (isnan(v->got[i]) && !result_untouched(v->got[i])) {
            count++;
            first = i;
        }
    if (4 * count <= v->wrong_count)
        return false;
    mistake_set(m, "not-a-number");
    mistake_add(m, "%zu of %zu results were computed, and are not numbers (NaN); the first is %s", count, v->count,
                result_place(v, first, name, sizeof name));
    return true;
}

/* Finds the values of a typical mistake, or right values at wrong places.  It accounts for the wrong results. */
static bool by_value(const struct guesses *g, const void *c, const struct view *v, struct mistake *m)
{
    if (!pattern_guess(g->guess, c, v, m) && !places_exchanged(v, m) && !accumulated(v, m) && !scaled(v, m))
        return false;
    m->explains = v->wrong_count;
    return true;
}

/* Finds a pattern in which results are right and wrong.  It accounts for all of them. */
static bool by_pattern(const struct view *v, struct mistake *m)
{
    m->explains = 0;
    if (!places_pattern(v, m) && !places_step(v, m))
        return false;
    if (pattern_rank(m) == PATTERN_CLEAR)
        m->explains = v->count;
    return true;
}

static void find(const struct guesses *g, const void *c, const struct view *v, struct mistake *m)
{
    if (all_untouched(v, m) || (g->look != NULL && g->look(c, v, m)) || is_all_zero(v, m) ||
        by_value(g, c, v, m) || by_pattern(v, m) || places_elsewhere(v, m)) {
        add_example(v, m);
        return;
    }
    if (v->untouched > 0 && v->untouched == v->wrong_count) {
        mistake_set(m, "gaps");
        add_gap(v, m);
        return;
    }
    if (not_numbers(v, m)) {
        if (g->no_number != NULL)
            g->no_number(c, v, m);
        return;
    }
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
    const size_t first = result_first_wrong(v);

    for (int g = 1; devices > 1 && v->count >= (size_t)devices && g < devices; g++) {
        if (first != v->count * (size_t)g / (size_t)devices)
            continue;
        if (result_untouched(v->got[first]))
            mistake_add(m, "the part of GPU %d begins there: nothing of it was computed, or copied back", g);
        else if (result_close(v, v->got[first], v->want[0]))
            mistake_add(m, "the part of GPU %d begins there, and it is the result for the part of GPU 0", g);
    }
}

/* On the processor: adds whether nothing was written from the start of a thread's share on. */
static void add_share(const struct view *v, struct mistake *m)
{
    const size_t first = result_first_wrong(v), threads = (size_t)v->threads;

    for (size_t t = 1; v->rows == 1 && v->count > 8 * threads && result_untouched(v->got[first]) && t < threads; t++)
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

/* Compares the outputs with the right ones.  Returns false if there are no guesses for such a case. */
static bool compare(const struct guesses *g, const void *c, const struct exercise *e, struct view *v)
{
    *v = (struct view){.error = error_of(e->math)};
    if (!g->view(c, v))
        return false;
    v->devices = e->devices;
    v->threads = e->gates > 0 && strcmp(e->gate[0].metric, "threads_at_work") == 0 ? case_threads() : 0;
    v->count = v->rows * v->cols;
    v->want = malloc((v->count + 1) * sizeof *v->want);
    v->wrong = calloc(v->count + 1, sizeof *v->wrong);
    if (v->want == NULL || v->wrong == NULL) {
        view_free(v);
        return false;
    }
    g->want(c, v->want);
    result_compare(v);
    return true;
}

static bool look(const struct guesses *g, const void *c, const struct exercise *e, struct mistake *m)
{
    struct view v;

    if (!compare(g, c, e, &v))
        return false;
    const bool found = v.wrong_count > 0 || g->look != NULL;
    if (found) {
        find(g, c, &v, m);
        add_device(&v, e->devices, m);
        add_share(&v, m);
        if (strcmp(m->kind, "wrong-values") == 0)
            places_groups(&v, m);
    }
    view_free(&v);
    return found && mistaken(m);
}

static const struct guesses *guesses_of(const struct exercise *e)
{
    for (size_t i = 0; i < sizeof all_guesses / sizeof *all_guesses; i++)
        if (strcmp(all_guesses[i]->problem, problem_name(e->problem)) == 0)
            return all_guesses[i];
    return NULL;
}

void pattern_mistake(const struct exercise *e, const struct layout *layout,
                     const struct verdict *verdict, struct mistake *m)
{
    const struct guesses *g = guesses_of(e);
    char text[160];

    if (early_look(layout, m))
        return;
    if (g != NULL && look(g, layout->data, e, m))
        return;
    mistake_set(m, verdict->finite ? "wrong-values" : "not-a-number");
    verdict_describe(verdict, text, sizeof text);
    mistake_add(m, "%s", text);
}

bool pattern_view(const struct exercise *e, const struct layout *layout, struct view *v)
{
    const struct guesses *g = guesses_of(e);

    return g != NULL && compare(g, layout->data, e, v);
}

/* Returns whether each result is what it should be, times `factor`, plus `more`. */
static bool is_all(const struct view *v, const double *want, double factor, double more)
{
    for (size_t i = 0; i < v->count; i++)
        if (!result_close(v, v->got[i], factor * want[i] + more))
            return false;
    return true;
}

static bool is_all_nan(const struct view *v)
{
    size_t i = 0;

    while (i < v->count && isnan(v->got[i]))
        i++;
    return i == v->count;
}

void pattern_held(const struct exercise *e, const struct layout *layout, float held, struct mistake *m)
{
    const struct guesses *g = guesses_of(e);
    struct view v = {.error = error_of(e->math)};

    if (g == NULL || !g->view(layout->data, &v))
        return;
    v.count = v.rows * v.cols;
    double *want = malloc((v.count + 1) * sizeof *want);
    if (want != NULL && v.count > 0) {
        g->want(layout->data, want);
        mistake_set(m, is_all(&v, want, 0.0, held) ? "nothing-written" : "added-to-old");
        if (is_all(&v, want, 0.0, held))
            mistake_add(m, "if %s holds another number before the call, it holds the same number afterwards: nothing was written", v.array);
        else if (is_all(&v, want, 1.0, held))
            mistake_add(m, "if %s holds a number before the call, it holds that number and the right result behind it: something is added "
                           "to what is there, as += does, and NaN plus anything is NaN", v.array);
        else if (is_all(&v, want, held, 0.0))
            mistake_add(m, "if %s holds a number before the call, it holds that number times the right result behind it: what is there is "
                           "multiplied, and NaN times anything is NaN", v.array);
        else if (!result_untouched(v.got[0]))
            mistake_add(m, "if %s holds a number before the call, other results come out: they are made of what is there before", v.array);
        else if (strcmp(problem_name(e->problem), "knn") == 0 && is_all_nan(&v)) { /* in others arrays may be NaN before a launch writes them */
            mistake_set(m, "not-a-number");
            mistake_add(m, "if %s holds another number before the call, each element is NaN afterwards, too: the program has written NaN", v.array);
        }
    }
    free(want);
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
    if (strcmp(m->kind, "shared-unwritten") == 0 && g->scattered != NULL && m->facts > 1 &&
        sscanf(m->fact[1], "%*u of its %*u elements are written, the last of them number %zu", &last) == 1)
        g->scattered(layout->data, last, m);
}

int pattern_rank(const struct mistake *m)
{
    static const struct {
        const char *kind;
        int rank;
    } vague[] = {{"", 0}, {"wrong-values", 1}, {"nothing-written", 2}, {"all-zero", 2}, {"part-missing", PATTERN_PLACES},
                 {"gaps", PATTERN_PLACES}, {"first-only", PATTERN_PLACES}, {"last-missed", PATTERN_PLACES}, {"tail-missing", PATTERN_PLACES},
                 {"wrong-part", PATTERN_PLACES}, {"none-kept", PATTERN_PLACES}, {"not-a-number", 2}, {"endless", 2},
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
