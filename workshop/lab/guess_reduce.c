/* reduce: the totals of typical mistakes in a tree of threads, warps and blocks of 256. */
#include <math.h>
#include <stdio.h>

#include "common/reduce.h"
#include "workshop/lab/pattern.h"

enum { THREADS = 256, WARP = 32, WARPS = THREADS / WARP, MOST_BLOCKS = 32 };

/* The two totals that each mistake changes: of the numbers, and of their squares. */
struct totals {
    double sum, squares;
};

static bool view(const void *c, struct view *v)
{
    static const char *const names[] = {"sum", "norm"};
    static float got[2];
    const struct reduce *p = c;

    got[0] = *p->sum;
    got[1] = *p->norm;
    v->array = "the result";
    v->names = names;
    v->rows = 1;
    v->cols = 2;
    v->got = got;
    v->scale = 0.0;
    for (size_t i = 0; i < p->n; i++)
        v->scale = hypot(v->scale, p->x[i]);
    return true;
}

static void add(struct totals *t, double x)
{
    t->sum += x;
    t->squares += x * x;
}

static struct totals from_to(const struct reduce *p, size_t first, size_t last)
{
    struct totals t = {0.0, 0.0};

    for (size_t i = first; i < last; i++)
        add(&t, p->x[i]);
    return t;
}

static void want(const void *c, double *values)
{
    const struct reduce *p = c;
    const struct totals t = from_to(p, 0, p->n);

    values[0] = t.sum;
    values[1] = sqrt(t.squares);
}

/* --- a result beside other totals ----------------------------------------------------------------- */

struct seen {
    const struct reduce *p;
    struct totals right;
    double magnitudes;
    bool sum_wrong, norm_wrong;
};

static bool is_sum(const struct seen *s, double sum)
{
    return fabs(*s->p->sum - sum) <= 5e-6 * s->magnitudes;
}

static bool is_norm(const struct seen *s, double squares)
{
    return fabs(*s->p->norm - sqrt(squares)) <= 5e-6 * sqrt(squares);
}

static struct seen see(const struct reduce *p)
{
    struct seen s = {.p = p, .right = from_to(p, 0, p->n)};

    for (size_t i = 0; i < p->n; i++)
        s.magnitudes += fabsf(p->x[i]);
    s.sum_wrong = !is_sum(&s, s.right.sum);
    s.norm_wrong = !is_norm(&s, s.right.squares);
    return s;
}

/* Returns whether these totals give the results, as far as they are wrong. */
static bool gives(const struct seen *s, struct totals t)
{
    return (s->sum_wrong || s->norm_wrong) && (!s->sum_wrong || is_sum(s, t.sum)) &&
           (!s->norm_wrong || is_norm(s, t.squares));
}

/* --- a tree that is wrong ------------------------------------------------------------------------- */

/* Whose total a lane adds to its own in a step of the tree. */
enum source { FURTHER_ON, FURTHER_BACK, THAT_NUMBER };

struct tree {
    const char *kind, *text;
    enum source source;
    unsigned width;         /* the shuffles' fourth argument; 0: not given */
    unsigned begin, end;    /* the steps: so many lanes apart at first and at last; 0: no step at all */
    unsigned by;            /* each is so many times nearer than the one before; 0: 2 */
    bool replaces;          /* a step takes the other total, and loses its own */
    bool warps_too;         /* the tree over the warps of a block is the same; else it is right */
    unsigned warps;         /* only so many of them are added up; 0: all */
    unsigned from;          /* each warp puts what this lane has into shared memory */
    unsigned adder;         /* the lane of the first warp that adds to memory */
    bool all_lanes;         /* every lane of the first warp adds its total, not only lane 0 */
    bool again;             /* the tree over the lanes of a warp is climbed twice */
    bool keeps_warp;        /* the tree over the warps takes what the lanes of the first warp have, and not the totals of warps */
    bool adds_warps;        /* it takes the sum of both */
    bool one_warp;          /* it takes the total of the first warp, in the place of each of the others */
};

static void climb(struct totals lane[WARP], const struct tree *t)
{
    for (unsigned apart = t->begin; apart >= t->end && apart > 0; apart /= t->by > 0 ? t->by : 2) {
        struct totals before[WARP];
        for (unsigned i = 0; i < WARP; i++)
            before[i] = lane[i];
        for (unsigned i = 0; i < WARP; i++) {
            const unsigned width = t->width > 0 ? t->width : WARP;
            const unsigned from = t->source == THAT_NUMBER   ? apart
                                  : t->source == FURTHER_ON ? (i % width + apart < width ? i + apart : i)
                                                            : (i >= apart ? i - apart : i);
            lane[i].sum = before[from].sum + (t->replaces ? 0.0 : before[i].sum);
            lane[i].squares = before[from].squares + (t->replaces ? 0.0 : before[i].squares);
        }
    }
}

/* Of each block the threads of a number do the same, so the totals of all blocks go through one tree. */
static struct totals through(const struct reduce *p, const struct tree *t)
{
    static const struct tree right = {.begin = 16, .end = 1};
    struct totals thread[THREADS] = {{0.0, 0.0}}, warp[WARP] = {{0.0, 0.0}}, all = {0.0, 0.0};

    for (size_t i = 0; i < p->n; i++)
        add(&thread[i % THREADS], p->x[i]);
    for (unsigned w = 0; w < WARPS; w++) {
        climb(thread + WARP * w, t);
        if (t->again)
            climb(thread + WARP * w, t);
        if (t->warps == 0 || w < t->warps)
            warp[w] = thread[t->one_warp ? 0 : WARP * w + t->from];
    }
    for (unsigned i = 0; (t->keeps_warp || t->adds_warps) && i < WARP; i++)
        warp[i] = (struct totals){thread[i].sum + (t->adds_warps ? warp[i].sum : 0.0), thread[i].squares + (t->adds_warps ? warp[i].squares : 0.0)};
    climb(warp, t->warps_too ? t : &right);
    for (unsigned i = 0; i < (t->all_lanes ? WARP : 1); i++) {
        all.sum += warp[t->adder + i].sum;
        all.squares += warp[t->adder + i].squares;
    }
    return all;
}

static const struct tree trees[] = {
    {"wrong-half", "only the numbers of the first warp of each block are in it", .begin = 16, .end = 1, .warps = 1},
    {"wrong-half", "only the numbers of the first four warps of each block are in it", .begin = 16, .end = 1, .warps = 4},
    {"wrong-half", "the numbers of the last warp of each block are not in it", .begin = 16, .end = 1, .warps = 7},
    {"wrong-half", "the shuffles reach only 16 lanes", .begin = 16, .end = 1, .width = 16, .warps_too = true},
    {"alone", "of each warp lane 31 has passed on what it had; lane 0 has the whole", .begin = 16, .end = 1,
     .from = WARP - 1},
    {"alone", "only the numbers of thread 0 of each block are in it", .warps_too = true},
    {"alone", "only the numbers of lane 0 of each warp are in it", .warps_too = false},
    {"alone", "lane 0 has added its own number again and again: nothing has come from other lanes", FURTHER_BACK, .begin = 16,
     .end = 1, .warps_too = true},
    {"wrong-half", "of each warp only the numbers of lanes 0 to 15 are in it", .begin = 8, .end = 1},
    {"wrong-half", "of each warp only the numbers of lanes 0, 2, 4 ... are in it", .begin = 16, .end = 2},
    {"wrong-half", "the steps are 16, 4 and 1 lanes apart, and those of 8 and 2 are missing", .begin = 16, .end = 1, .by = 4},
    {"wrong-half", "the steps are 16, 4 and 1 lanes apart, and those of 8 and 2 are missing", .begin = 16, .end = 1, .by = 4,
     .warps_too = true},
    {"wrong-half", "only the numbers of lanes 0, 2, 4 ... of warps 0, 2, 4 ... are in it", .begin = 16, .end = 2,
     .warps_too = true},
    {"wrong-half", "each step has taken the number of lane 16, 8, 4, 2, 1", .source = THAT_NUMBER, .begin = 16, .end = 1},
    {"wrong-half", "each step has taken the number of lane 16, 8, 4, 2, 1", .source = THAT_NUMBER, .begin = 16, .end = 1,
     .warps_too = true},
    {"overwritten", "each step has taken what the other lane passes, and lost the lane's own: nothing was added",
     .begin = 16, .end = 1, .replaces = true, .warps_too = true},
    {"counted-again", "the lanes of a warp were added up twice: lane 0 has added to the whole what the other lanes had left", .begin = 16, .end = 1, .again = true},
    {"wrong-half", "behind the barrier the first warp has added up what its lanes had before, and not the totals of the warps", .begin = 16, .end = 1,
     .keeps_warp = true},
    {"counted-again", "behind the barrier the first warp has added the totals of the warps to what its lanes still had, and not to 0", .begin = 16, .end = 1,
     .adds_warps = true},
    {"wrong-half", "the total of the first warp of each block counts 8 times, and those of the other warps are not in it", .begin = 16, .end = 1,
     .one_warp = true},
    {"counted-again", "every lane of the first warp has added what it had; only lane 0 has the whole", .begin = 16,
     .end = 1, .all_lanes = true},
};

/* Returns in which total a mistake shows, if it is one of them. */
static const char *in_which(const struct seen *s)
{
    return !s->norm_wrong ? "in the sum: " : !s->sum_wrong ? "in the norm: " : "";
}

/* What another lane than 0 has behind the shuffles: of a warp, or of the first warp, which has 8 totals of warps. */
static bool of_another_lane(const struct seen *s, struct mistake *m)
{
    for (unsigned lane = 1; lane < WARP; lane++)
        if (lane < WARPS && gives(s, through(s->p, &(struct tree){.begin = 16, .end = 1, .adder = lane}))) {
            mistake_set(m, "wrong-half");
            mistake_add(m, "%sof the 8 totals of the warps of a block, those from warp %u on are in it, and not those before", in_which(s), lane);
            return true;
        } else if (gives(s, through(s->p, &(struct tree){.begin = 16, .end = 1, .from = lane}))) {
            mistake_set(m, "alone");
            mistake_add(m, "%sof each warp lane %u has passed on what it had; lane 0 has the whole", in_which(s), lane);
            return true;
        }
    return false;
}

/* With less than a block of numbers, one that is left out may look like a part of the tree. */
static bool of_a_tree(const struct seen *s, struct mistake *m)
{
    /* As from threads that have added no number. */
    const bool nothing = s->p->n < MOST_BLOCKS * THREADS && *s->p->sum == 0.0f && *s->p->norm == 0.0f;

    for (size_t i = 0; !nothing && s->p->n >= THREADS - 1 && i < sizeof trees / sizeof *trees; i++)
        if (gives(s, through(s->p, &trees[i]))) {
            mistake_set(m, trees[i].kind);
            mistake_add(m, "%s%s", in_which(s), trees[i].text);
            return true;
        }
    return !nothing && s->p->n >= THREADS - 1 && of_another_lane(s, m);
}

/* Returns how many threads the launch has. */
static size_t threads_of(const struct reduce *p)
{
    const size_t blocks = (p->n + THREADS - 1) / THREADS;

    return (blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS) * THREADS;
}

/* --- other mistakes ------------------------------------------------------------------------------- */

enum { STEP = MOST_BLOCKS * THREADS }; /* from number to number of a thread */

/* Returns how many of the first numbers give the results; n if no such part does. */
static size_t first_part(const struct seen *s)
{
    struct totals t = {0.0, 0.0};

    if (s->p->n > 1 && gives(s, from_to(s->p, 0, s->p->n - 1)))
        return s->p->n - 1;
    for (size_t i = 0; i < s->p->n; i++) {
        const bool telling = (s->sum_wrong && s->norm_wrong) || i % WARP == 0;
        if (i > 0 && telling && gives(s, t))
            return i;
        add(&t, s->p->x[i]);
    }
    return s->p->n;
}

static bool of_a_part(const struct seen *s, struct mistake *m)
{
    const size_t n = s->p->n, part = first_part(s);
    const bool behind_first = n > 1 && gives(s, from_to(s->p, 1, n));

    if (part == n && !behind_first)
        return false;
    if (part == n) {
        mistake_set(m, "first-missed");
        mistake_add(m, "x[0] is not in it");
    } else if (part + 1 == n && behind_first && n > THREADS) {
        return false; /* or each thread has lost its first: at another size it can be told */
    } else if (part + 1 == n) {
        mistake_set(m, "last-missed");
        mistake_add(m, "x[%zu], the last, is not in it%s", n - 1, behind_first ? ", or x[0], which is the same here" : "");
    } else {
        mistake_set(m, n - part < THREADS ? "tail-missing" : "part-missing");
        mistake_add(m, "x[0] to x[%zu] are in it, and x[%zu] to x[%zu] are not", part - 1, part, n - 1);
        if (n - part == threads_of(s->p))
            mistake_add(m, "that is one number for each of the %zu threads: each has left out its last one", n - part);
        else if (n > STEP && n - part < STEP)
            mistake_add(m, "that is less than one number for each of the %d threads: the last turn of the loop, in which only "
                           "some threads have a number, is missing", STEP);
    }
    return true;
}

static bool counted_again(const struct seen *s, struct mistake *m)
{
    const double times = round(s->norm_wrong ? pow(*s->p->norm, 2.0) / s->right.squares : *s->p->sum / s->right.sum);

    if (!(times >= 2.0 && times < 1e6) || !gives(s, (struct totals){times * s->right.sum, times * s->right.squares}))
        return false;
    mistake_set(m, "counted-again");
    mistake_add(m, "every number counts %.0f times%s%s", times, s->norm_wrong ? "" : " in the sum",
                times == WARP      ? ", as a warp has lanes"
                : WARPS * times == WARP ? ", as a warp has lanes for each of the 8 sums of warps"
                : times == WARPS   ? ", as a block has warps"
                : times == THREADS ? ", as a block has threads"
                                   : "");
    return true;
}

/* What a thread adds to its squares. */
enum squared { AT_THE_END, SUM_SO_FAR, SUM_TIMES_NUMBER };

/* Returns the squares if a thread squares what it has added up in the end, or after each number, or multiplies that by the number. */
static double squares_of_threads(const struct reduce *p, enum squared what)
{
    static double thread[MOST_BLOCKS * THREADS];
    const size_t threads = threads_of(p);
    double squares = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        double *of = &thread[i % threads];
        *of = (i < threads ? 0.0 : *of) + p->x[i];
        if (what != AT_THE_END || i + threads >= p->n)
            squares += *of * (what == SUM_TIMES_NUMBER ? p->x[i] : *of);
    }
    return squares;
}

/* Returns the totals if each thread of the launch has only the last of its numbers. */
static struct totals last_of_each(const struct reduce *p)
{
    const size_t threads = threads_of(p);

    if (2 * p->n < 3 * threads) /* too few lost to tell it from one that is left out */
        return (struct totals){NAN, NAN};
    return from_to(p, p->n - threads, p->n);
}

/* Returns the totals if each thread begins with its own number of all, and goes on by `step`. */
static struct totals by_steps(const struct reduce *p, size_t step)
{
    const size_t threads = threads_of(p);
    struct totals t = {0.0, 0.0};

    for (size_t i = 0; i < p->n; i++) {
        const size_t last = i < threads ? i : threads - 1, first = i % step;
        const size_t times = last >= first ? (last - first) / step + 1 : 0;
        t.sum += (double)times * p->x[i];
        t.squares += (double)times * p->x[i] * p->x[i];
    }
    return t;
}

/* Returns the totals if the threads of every block begin with the numbers of block 0. */
static struct totals all_as_first(const struct reduce *p)
{
    const size_t threads = threads_of(p), blocks = threads / THREADS;
    struct totals t = {0.0, 0.0};

    for (size_t i = 0; i < p->n; i++)
        if (i % threads < THREADS)
            add(&t, p->x[i]);
    return (struct totals){t.sum * (double)blocks, t.squares * (double)blocks};
}

static double whole_sum(const struct reduce *p)
{
    double sum = 0.0;

    for (size_t i = 0; i < p->n; i++)
        sum += trunc((double)p->x[i]);
    return sum;
}

static bool of_another_formula(const struct seen *s, struct mistake *m)
{
    const struct totals of_both = through(s->p, &(struct tree){.begin = 16, .end = 1, .again = true});
    const struct totals t = s->right, first_warp = through(s->p, &(struct tree){.begin = 16, .end = 1, .warps = 1});
    const struct {
        const char *kind, *text;
        struct totals totals;
    } formulas[] = {
        {"term-missing", "the norm is the root of the sum of x: nothing was squared", {t.sum, t.sum}},
        {"term-missing", "the norm is the root of the sum of |x|: nothing was squared", {t.sum, s->magnitudes}},
        {"term-missing", "the norm was made of the sums of x: they went through the shuffles of a warp twice, and nothing of the squares is in it",
         {t.sum, of_both.sum}},
        {"wrong-operator", "the norm is the root of the sum of 2x: x was doubled, and not squared", {t.sum, 2.0 * t.sum}},
        {"exchanged", "the two totals are exchanged", {t.squares, fabs(t.sum)}},
        {"exchanged", "both totals were added to the one of the sum", {t.sum + t.squares, 0.0}},
        {"exchanged", "both totals were added to the one of the squares", {0.0, fabs(t.sum + t.squares)}},
        {"wrong-brackets", "the norm is the root of (sum of x)^2: each x must be squared before it is added",
         {t.sum, t.sum * t.sum}},
        {"wrong-brackets", "the norm is the root of the squares of each thread's sum: each x must be squared before it is "
                           "added", {t.sum, squares_of_threads(s->p, AT_THE_END)}},
        {"wrong-brackets", "after each number the square of the sum so far was added, and not that of the number",
         {t.sum, squares_of_threads(s->p, SUM_SO_FAR)}},
        {"counted-again", "a thread begins with its own number of all, but goes on by the threads of one block: so every block "
                          "takes what later blocks begin with, too", by_steps(s->p, THREADS)},
        {"counted-again", "a thread goes on by the number of blocks, and not by that of all threads", by_steps(s->p, threads_of(s->p) / THREADS)},
        {"counted-again", "a thread begins with its own number of all, but goes on by one: so it takes what later threads begin with, too",
         by_steps(s->p, 1)},
        {"counted-again", "the threads of every block begin with the numbers of block 0: the block is missing in the first number",
         all_as_first(s->p)},
        {"counted-again", "the first number of each thread counts twice in the sum: the sum begins with it, and the loop adds it",
         {t.sum + from_to(s->p, 0, s->p->n < threads_of(s->p) ? s->p->n : threads_of(s->p)).sum, t.squares}},
        {"wrong-brackets", "to the squares each number times the sum so far was added, and not times itself",
         {t.sum, squares_of_threads(s->p, SUM_TIMES_NUMBER)}},
        {"counted-again", "the squares of the first warp of each block are in the sum, too", {t.sum + first_warp.squares, t.squares}},
        {"overwritten", "the sum is right, and of the squares each thread has only the last: it was set, and not added to",
         {t.sum, last_of_each(s->p).squares}},
        {"overwritten", "the squares are right, and of the sum each thread has only the last: it was set, and not added to",
         {last_of_each(s->p).sum, t.squares}},
        {"overwritten", "each thread has only the last of its numbers", last_of_each(s->p)},
        {"counted-again", "the numbers of the first warp of each block count twice",
         {t.sum + first_warp.sum, t.squares + first_warp.squares}},
        {"cut-off", "the fraction of each x was cut off: the sum is kept as a whole number", {whole_sum(s->p), t.squares}},
        {"wrong-sign", "the sum is that of |x|: it has no signs", {s->magnitudes, t.squares}},
    };

    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (gives(s, formulas[i].totals)) {
            mistake_set(m, formulas[i].kind);
            mistake_add(m, "%s", formulas[i].text);
            return true;
        }
    return false;
}

/* A square of a float beyond 3e38 is infinite, and one below 1e-45 is 0. */
static bool out_of_range(const struct seen *s, struct mistake *m)
{
    const float norm = *s->p->norm;

    if (!s->norm_wrong || !(isinf(norm) || (s->right.squares > 0.0 && s->right.squares < 1e-37 && norm * norm <= 0.0f)))
        return false;
    mistake_set(m, "out-of-range");
    mistake_add(m, "the norm is %g, because the squares are outside of the range of a float: the largest |x| here is "
                   "about %.0e", (double)norm, sqrt(s->right.squares / (double)s->p->n));
    return true;
}

static bool nearly_right(const struct seen *s, struct mistake *m)
{
    if (!(fabs(*s->p->sum - s->right.sum) <= 3e-3 * s->magnitudes &&
          fabs(*s->p->norm / sqrt(s->right.squares) - 1.0) <= 3e-3))
        return false;
    mistake_set(m, "rounding");
    mistake_add(m, "the %s is nearly right: its error is %.1e of the sum of all |x|", s->sum_wrong ? "sum" : "norm",
                fabs(*s->p->sum - s->right.sum) / s->magnitudes);
    return true;
}

/* Two numbers have no pattern of places, so every mistake is found here. */
static bool look(const void *c, const struct view *v, struct mistake *m)
{
    const struct reduce *p = c;
    const struct seen s = see(p);

    (void)v;
    if (p->n > 0 && (out_of_range(&s, m) || of_a_tree(&s, m) || counted_again(&s, m) || of_another_formula(&s, m) ||
                     of_a_part(&s, m))) {
        m->explains = p->n / WARP + 1; /* a few numbers agree with much by chance */
        return true;
    }
    if (p->n > 0 && nearly_right(&s, m))
        return true;
    mistake_set(m, !isfinite(*p->sum) || !isfinite(*p->norm) ? "not-a-number" : "wrong-values");
    if (s.sum_wrong != s.norm_wrong)
        mistake_add(m, "the %s is right, and the %s is not", s.sum_wrong ? "norm" : "sum", s.sum_wrong ? "sum" : "norm");
    return true;
}

static const struct guess guess[] = {{NULL, NULL, NULL}};

const struct guesses guesses_reduce = {.problem = "reduce", .view = view, .want = want, .guess = guess, .look = look};
