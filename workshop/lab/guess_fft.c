/* fft of powers of two: the results of typical mistakes in a stage of butterflies.  guess_fours.c has those of two butterflies of
   four, for n = 16. */
#include "common/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/guess_fft.h"
#include "workshop/lab/guess_fours.h"
#include "workshop/lab/pattern.h"

static bool view(const void *c, struct view *v)
{
    const struct fft *p = c;

    v->array = "X";
    v->pairs = true;
    v->rows = p->batch;
    v->cols = 2 * p->n; /* real and imaginary parts */
    v->got = (const float *)(const void *)p->X;
    v->scale = 4.0 * sqrt((double)p->n);
    return (p->n & (p->n - 1)) == 0;
}

/* Which root w[...] a butterfly takes: with n / (2 * half) steps of k, as it should; or another step, or t for k. */
enum root { SCALED, UNSCALED, FULL_TURN, BY_HALF, BY_TWO_HALVES, QUARTER_TURN, OF_THREAD };

/* Which two numbers it takes, and where it puts its results. */
enum pair { APART, NEAR, NEIGHBOURS, ITSELF, NEXT, FROM_J };
enum places { IN_ORDER, AT_T, IN_PAIRS };

/* u + v and u - v: their real and imaginary parts. */
enum { SUM_RE = 1, SUM_IM = 2, DIFFERENCE_RE = 4, DIFFERENCE_IM = 8 };

/* What a function for the product of two complex numbers computes: one of its signs is another one, or only x * x and y * y. */
enum product { COMPLEX, REAL_PLUS, IMAGINARY_MINUS, BY_PARTS };

/* How a stage is done. */
struct way {
    double sign;     /* of the angle: -1 is right, 0 leaves the roots out */
    bool no_first, no_last, none; /* stages are left out: that of half = 1, that of n/2, or all */
    bool subtracted; /* the second half is v - u, not u - v */
    bool turned_u;   /* the root multiplies u, and not v */
    bool downwards;  /* half is n/2 at first, and 1 in the last stage */
    enum root root;
    enum pair pair;
    enum places places;
    enum product product; /* of the root and a number */
    bool unsorted;   /* the stages work in place, from the numbers in their order; they need that of reversed bits */
    bool sorted;     /* they work in place, from the numbers in the order of reversed bits */
    bool from_sum;   /* the second number is made of what was just written to the place of the first, and not of u */
    bool turned_back; /* the results are taken in the order of reversed bits */
    unsigned flips;  /* which of its four additions and subtractions have the other sign */
};

/* The angle of the root over pi. */
static double turn(size_t n, size_t half, size_t t, const struct way *way)
{
    const double k = (double)(t % half);

    switch (way->root) {
    case UNSCALED: return way->sign * 2.0 * k / (double)n;
    case FULL_TURN: return way->sign * 2.0 * k / (double)half;
    case BY_HALF: return way->sign * 2.0 * k * (double)half / (double)n;
    case BY_TWO_HALVES: return way->sign * 4.0 * k * (double)half / (double)n;
    case QUARTER_TURN: return way->sign * 0.5 * k / (double)half;
    case OF_THREAD: return way->sign * (double)t / (double)half;
    default: return way->sign * k / (double)half;
    }
}

/* Returns i with its lowest bits reversed, as many as an index below n has. */
static size_t reversed(size_t i, size_t n)
{
    size_t turned = 0;

    for (size_t bit = 1; bit < n; bit *= 2)
        turned = 2 * turned + (i / bit) % 2;
    return turned;
}

static void reverse(double *signal, double *other, size_t n)
{
    for (size_t i = 0; i < 2 * n; i++)
        other[i] = signal[2 * reversed(i / 2, n) + i % 2];
    memcpy(signal, other, 2 * n * sizeof *signal);
}

static void stage(const double *from, double *to, size_t n, size_t half, const struct way *way)
{
    for (size_t t = 0; t < n / 2; t++) {
        const size_t k = t % half;
        const size_t in_place = 2 * (t - k) + k;
        const bool here = way->unsorted || way->sorted;
        const size_t first = here ? in_place : way->pair == NEIGHBOURS ? 2 * t : t;
        const size_t partner = here || way->pair == FROM_J ? in_place + half : way->pair == NEIGHBOURS ? 2 * t + 1
                               : way->pair == NEAR ? t + half : way->pair == ITSELF ? t : way->pair == NEXT ? t + 1 : t + n / 2;
        const size_t j = way->places == AT_T ? t : way->places == IN_PAIRS ? 2 * t : in_place;
        const size_t other = way->places == AT_T ? t + n / 2 : way->places == IN_PAIRS ? 2 * t + 1 : j + half;
        const double angle = M_PI * turn(n, half, t, way);
        const double *u = from + 2 * (way->turned_u ? partner % n : first), *x = from + 2 * (way->turned_u ? first : partner % n);
        const double across = way->product == BY_PARTS ? 0.0 : 1.0, c = cos(angle), s = sin(angle);
        const double re = x[0] * c - (way->product == REAL_PLUS ? -1.0 : across) * x[1] * s;
        const double im = way->product == BY_PARTS ? x[1] * s : x[0] * s + (way->product == IMAGINARY_MINUS ? -1.0 : 1.0) * x[1] * c;
        const double side = way->subtracted != way->turned_u ? -1.0 : 1.0;

        const unsigned flips = way->flips;

        to[2 * j] = u[0] + (flips & SUM_RE ? -re : re);
        to[2 * j + 1] = u[1] + (flips & SUM_IM ? -im : im);
        const double first_re = way->from_sum ? to[2 * j] : u[0], first_im = way->from_sum ? to[2 * j + 1] : u[1];
        to[2 * other] = side * (first_re - (flips & DIFFERENCE_RE ? -re : re));
        to[2 * other + 1] = side * (first_im - (flips & DIFFERENCE_IM ? -im : im));
    }
}

/* Stockham's algorithm, radix 2: each stage reads one array and writes the other. */
static void transform(const struct fft *p, const struct way *way, double *out)
{
    const size_t n = p->n, bytes = 2 * n * sizeof(double);
    double *other = malloc(bytes + 1);

    for (size_t b = 0; other != NULL && b < p->batch; b++) {
        double *signal = out + 2 * n * b;
        for (size_t i = 0; i < n; i++) {
            signal[2 * i] = p->x[b * n + i].re;
            signal[2 * i + 1] = p->x[b * n + i].im;
        }
        if (way->sorted)
            reverse(signal, other, n);
        for (size_t done = way->no_first ? 2 : 1; !way->none && done < (way->no_last ? n / 2 : n); done *= 2) {
            const size_t half = way->downwards ? n / 2 / done : done;
            if (half == 0)
                break;
            stage(signal, other, n, half, way);
            memcpy(signal, other, bytes);
        }
        if (way->turned_back)
            reverse(signal, other, n);
    }
    free(other);
}

void fft_want(const void *c, double *out)
{
    transform(c, &(struct way){.sign = -1.0}, out);
}

static const struct idea {
    const char *kind, *text;
    struct way way;
} ideas[] = {
    {"inverse", "the angle has the other sign: the result is the inverse transform", {.sign = 1.0}},
    {"wrong-sign", "the real part of to[j] was u.x - v.x, and should be u.x + v.x", {.sign = -1.0, .flips = SUM_RE}},
    {"wrong-sign", "the imaginary part of to[j] was u.y - v.y, and should be u.y + v.y", {.sign = -1.0, .flips = SUM_IM}},
    {"wrong-sign", "the real part of to[j + half] was u.x + v.x, and should be u.x - v.x", {.sign = -1.0, .flips = DIFFERENCE_RE}},
    {"wrong-sign", "the imaginary part of to[j + half] was u.y + v.y, and should be u.y - v.y", {.sign = -1.0, .flips = DIFFERENCE_IM}},
    {"wrong-sign", "to[j + half] was u + v, as to[j] is, and should be u - v", {.sign = -1.0, .flips = DIFFERENCE_RE | DIFFERENCE_IM}},
    {"wrong-sign", "to[j] was u - v, as to[j + half] is, and should be u + v", {.sign = -1.0, .flips = SUM_RE | SUM_IM}},
    {"exchanged", "u + v and u - v stand in each other's place", {.sign = -1.0, .flips = SUM_RE | SUM_IM | DIFFERENCE_RE | DIFFERENCE_IM}},
    {"overwritten", "u - v was computed from what had just been written in the place of u, which is u + v", {.sign = -1.0, .from_sum = true}},
    {"overwritten", "the stages were done in place, and u - v was computed from what had just been written in the place of u, which is u + v",
     {.sign = -1.0, .sorted = true, .from_sum = true}},
    {"root-missing", "the result is what comes out without the roots: sums and differences only", {.sign = 0.0}},
    {"stage-missing", "the result is what comes out without the last stage", {.sign = -1.0, .no_last = true}},
    {"not-computed", "the result is the signal, unchanged", {.sign = -1.0, .none = true}},
    {"wrong-root", "every stage has taken the root w[k], which is right in the last stage only", {.sign = -1.0, .root = UNSCALED}},
    {"wrong-root", "every stage has taken the root w[k * (n / half)]: the 2 is missing", {.sign = -1.0, .root = FULL_TURN}},
    {"wrong-root", "every stage has taken the root w[k * (n / (4 * half))]: half of the angle", {.sign = -1.0, .root = QUARTER_TURN}},
    {"wrong-root", "every stage has taken the root w[k * half]: the step is n / (2 * half)", {.sign = -1.0, .root = BY_HALF}},
    {"wrong-root", "every stage has taken the root w[k * 2 * half]: the step is n / (2 * half)", {.sign = -1.0, .root = BY_TWO_HALVES}},
    {"exchanged", "every stage has multiplied u by the root, and not v", {.sign = -1.0, .turned_u = true}},
    {"wrong-order", "the stages were done in place, on the numbers in their own order: in place they need the order of reversed bits, or the second "
                    "array", {.sign = -1.0, .unsorted = true}},
    {"wrong-order", "the stages were done from half = n/2 down to 1, and not from 1 up to n/2", {.sign = -1.0, .downwards = true}},
    {"wrong-partner", "every stage has taken u and v from 2t and 2t + 1, and not from t and t + n/2", {.sign = -1.0, .pair = NEIGHBOURS}},
    {"misplaced",
     "every stage has put u + v and u - v to 2t and 2t + 1: they belong `half` places apart",
     {.sign = -1.0, .places = IN_PAIRS}},
    {"misplaced", "every stage has put u + v and u - v to t and t + n/2, from where they came", {.sign = -1.0, .places = AT_T}},
    {"wrong-root", "every stage has taken a root by t, and not by k, which is t % half", {.sign = -1.0, .root = OF_THREAD}},
    {"wrong-partner", "every stage has taken v from t + half, and not from t + n/2", {.sign = -1.0, .pair = NEAR}},
    {"wrong-partner", "every stage has taken u and v from the same place, t: v comes from t + n/2", {.sign = -1.0, .pair = ITSELF}},
    {"wrong-partner", "every stage has taken v from t + 1, and not from t + n/2", {.sign = -1.0, .pair = NEXT}},
    {"wrong-partner", "every stage has taken v from j + half, where it writes, and not from t + n/2", {.sign = -1.0, .pair = FROM_J}},
    {"wrong-sign", "the second half of each butterfly is v - u, but should be u - v", {.sign = -1.0, .subtracted = true}},
    {"stage-missing", "the result is what comes out without the first stage, in which half is 1", {.sign = -1.0, .no_first = true}},
    {"stage-missing", "the stages were done in place, and the first one, in which half is 1, is missing", {.sign = -1.0, .sorted = true, .no_first = true}},
    {"stage-missing", "the stages were done in place, and the last one, in which half is n/2, is missing", {.sign = -1.0, .sorted = true, .no_last = true}},
    {"not-computed", "the result is the signal in the order of reversed bits: no stage was done", {.sign = -1.0, .sorted = true, .none = true}},
    {"misplaced", "all results are right, and stand in the order of reversed bits", {.sign = -1.0, .turned_back = true}},
    {"wrong-sign", "the real part of the product of two complex numbers was a.x * b.x + a.y * b.y, and has a minus",
     {.sign = -1.0, .product = REAL_PLUS}},
    {"wrong-sign", "the imaginary part of the product of two complex numbers was a.x * b.y - a.y * b.x, and has a plus",
     {.sign = -1.0, .product = IMAGINARY_MINUS}},
    {"wrong-operator", "real parts were multiplied by real ones, and imaginary parts by imaginary ones: that is not the product of complex numbers",
     {.sign = -1.0, .product = BY_PARTS}},
};

static bool guess_stages(const struct fft *p, const struct view *v, struct mistake *m)
{
    enum { SHORT = 4 }; /* so few numbers may be the results of several ideas */
    double *values = malloc((v->count + 1) * sizeof *values);
    size_t fits = 0;

    for (size_t i = 0; values != NULL && i < sizeof ideas / sizeof *ideas && (fits == 0 || p->n <= SHORT); i++) {
        transform(p, &ideas[i].way, values);
        if (!result_equals(v, values) || fits++ > 0)
            continue;
        mistake_set(m, ideas[i].kind);
        mistake_add(m, "%s", ideas[i].text);
        m->explains = v->wrong_count;
    }
    free(values);
    if (fits > 1 && p->n == SHORT)
        mistake_set(m, "");
    return fits == 1 || (fits > 1 && p->n != SHORT);
}

/* --- any other mistake ---------------------------------------------------------------------------- */

/* What a program makes of 16 numbers is mostly linear, right or wrong.  Then its results for many signals say what it makes
   of a signal with a single 1, which a learner can follow by hand. */
enum { SIDE = 32 }; /* real numbers of a signal */

static const float *numbers_of(const struct cpx *signal)
{
    return (const float *)(const void *)signal;
}

/* Solves m * z = y by elimination with pivots; y becomes z.  Returns false if there is no single solution. */
static bool solve(double m[SIDE][SIDE], double y[SIDE][SIDE])
{
    for (size_t d = 0; d < SIDE; d++) {
        size_t best = d;
        for (size_t r = d; r < SIDE; r++)
            best = fabs(m[r][d]) > fabs(m[best][d]) ? r : best;
        if (fabs(m[best][d]) < 1e-9)
            return false;
        for (size_t j = 0; j < SIDE; j++) {
            const double of_m = m[d][j], of_y = y[d][j];
            m[d][j] = m[best][j];
            y[d][j] = y[best][j];
            m[best][j] = of_m;
            y[best][j] = of_y;
        }
        for (size_t r = 0; r < SIDE; r++) {
            const double factor = r == d ? 0.0 : m[r][d] / m[d][d];
            for (size_t j = 0; j < SIDE; j++) {
                m[r][j] -= factor * m[d][j];
                y[r][j] -= factor * y[d][j];
            }
        }
    }
    for (size_t r = 0; r < SIDE; r++)
        for (size_t j = 0; j < SIDE; j++)
            y[r][j] /= m[r][r];
    return true;
}

/* Finds made[i][o], the part of number i in result o, by the method of least squares.  Returns false if the results are not
   such sums. */
static bool find_parts(const struct fft *p, double made[SIDE][SIDE])
{
    double m[SIDE][SIDE] = {{0.0}};

    memset(made, 0, sizeof(double[SIDE][SIDE]));
    for (size_t b = 0; b < p->batch; b++) {
        const float *x = numbers_of(p->x + 16 * b), *X = numbers_of(p->X + 16 * b);
        for (size_t r = 0; r < SIDE; r++)
            for (size_t j = 0; j < SIDE; j++) {
                m[r][j] += (double)x[r] * x[j];
                made[r][j] += (double)x[r] * X[j];
            }
    }
    if (!solve(m, made))
        return false;
    for (size_t b = 0; b < p->batch; b++) {
        const float *x = numbers_of(p->x + 16 * b), *X = numbers_of(p->X + 16 * b);
        for (size_t j = 0; j < SIDE; j++) {
            double sum = -X[j];
            for (size_t r = 0; r < SIDE; r++)
                sum += x[r] * made[r][j];
            if (!(fabs(sum) < 1e-3))
                return false;
        }
    }
    return true;
}

/* Returns the first frequency at which a signal with a 1 at x[t] is wrong; 16 if it is right. */
static size_t first_wrong_of(double made[SIDE][SIDE], size_t t)
{
    for (size_t f = 0; f < 16; f++) {
        const double angle = -2.0 * M_PI * (double)(f * t % 16) / 16.0;
        if (fabs(made[2 * t][2 * f] - cos(angle)) + fabs(made[2 * t][2 * f + 1] - sin(angle)) > 1e-2)
            return f;
    }
    return 16;
}

/* Returns x, without what rounding has left. */
static double round_off(double x)
{
    return fabs(x) < 1e-4 ? 0.0 : x;
}

static bool first_signal_is_right(const struct view *v)
{
    size_t i = 0;

    while (i < v->cols && !v->wrong[i])
        i++;
    return i == v->cols;
}

static bool look_at_parts(const struct fft *p, struct mistake *m)
{
    double made[SIDE][SIDE];
    size_t wrong = 16, right = 0;

    if (p->batch < SIDE || !find_parts(p, made))
        return false;
    for (size_t t = 16; t-- > 0;) {
        const bool good = first_wrong_of(made, t) == 16;
        right += good;
        wrong = good ? wrong : t;
    }
    if (wrong == 16)
        return false;
    const size_t f = first_wrong_of(made, wrong);
    const double angle = -2.0 * M_PI * (double)(f * wrong % 16) / 16.0;
    mistake_set(m, "wrong-values");
    mistake_add(m, "of a signal with a single 1, at x[%zu], which is number %zu of lane %zu, X[%zu] becomes (%.3g, %.3g), and "
                   "should be (%.3g, %.3g)", wrong, wrong / 4, wrong % 4, f, round_off(made[2 * wrong][2 * f]),
                round_off(made[2 * wrong][2 * f + 1]), round_off(cos(angle)), round_off(sin(angle)));
    mistake_add(m, "with the 1 at another place, %zu of 16 such signals are right", right);
    return true;
}

static bool look(const void *c, const struct view *v, struct mistake *m)
{
    const struct fft *p = c;

    if (v->wrong_count == 0)
        return false;
    if ((p->n == 16 && guess_fours(p, v, m)) || guess_stages(p, v, m) || fft_other_signals(p, v, m))
        return true;
    if (p->n != 16)
        return false;
    if (!first_signal_is_right(v))
        return look_at_parts(p, m);
    mistake_set(m, "wrong-part");
    mistake_add(m, "signal 0 is right, and others are not");
    return true;
}

/* Says of a shared array with gaps whether a place of it was written that no number of the signal has. */
static void scattered(const void *c, size_t last, struct mistake *m)
{
    const struct fft *p = c;

    if (last >= p->n)
        mistake_add(m, "a signal has %zu number%s here, for places 0 to %zu: place %zu lies behind them", p->n, p->n == 1 ? "" : "s", p->n - 1, last);
}

static const struct guess guess[] = {{NULL, NULL, NULL}};

const struct guesses guesses_fft = {.problem = "fft", .view = view, .want = fft_want, .guess = guess, .look = look, .outside = fft_outside, .scattered = scattered};
