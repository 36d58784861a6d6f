/* fft of powers of two: the results of typical mistakes in a stage of butterflies, and for n = 16 in two butterflies of
   four with an exchange between them. */
#include "common/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
enum pair { APART, NEAR, NEIGHBOURS };
enum places { IN_ORDER, AT_T, IN_PAIRS };

/* u + v and u - v: their real and imaginary parts. */
enum { SUM_RE = 1, SUM_IM = 2, DIFFERENCE_RE = 4, DIFFERENCE_IM = 8 };

/* How a stage is done. */
struct way {
    double sign;     /* of the angle: -1 is right, 0 leaves the roots out */
    size_t stop;     /* before the stage of this half; 0: none */
    bool subtracted; /* the second half is v - u, not u - v */
    bool turned_u;   /* the root multiplies u, and not v */
    bool downwards;  /* half is n/2 at first, and 1 in the last stage */
    enum root root;
    enum pair pair;
    enum places places;
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

static void stage(const double *from, double *to, size_t n, size_t half, const struct way *way)
{
    for (size_t t = 0; t < n / 2; t++) {
        const size_t k = t % half;
        const size_t first = way->pair == NEIGHBOURS ? 2 * t : t;
        const size_t partner = way->pair == NEIGHBOURS ? 2 * t + 1 : way->pair == NEAR ? t + half : t + n / 2;
        const size_t j = way->places == AT_T ? t : way->places == IN_PAIRS ? 2 * t : 2 * (t - k) + k;
        const size_t other = way->places == AT_T ? t + n / 2 : way->places == IN_PAIRS ? 2 * t + 1 : j + half;
        const double angle = M_PI * turn(n, half, t, way);
        const double *u = from + 2 * (way->turned_u ? partner % n : first), *x = from + 2 * (way->turned_u ? first : partner % n);
        const double re = x[0] * cos(angle) - x[1] * sin(angle);
        const double im = x[0] * sin(angle) + x[1] * cos(angle);
        const double side = way->subtracted != way->turned_u ? -1.0 : 1.0;

        const unsigned flips = way->flips;

        to[2 * j] = u[0] + (flips & SUM_RE ? -re : re);
        to[2 * j + 1] = u[1] + (flips & SUM_IM ? -im : im);
        to[2 * other] = side * (u[0] - (flips & DIFFERENCE_RE ? -re : re));
        to[2 * other + 1] = side * (u[1] - (flips & DIFFERENCE_IM ? -im : im));
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
        for (size_t done = 1; done < n && done != way->stop; done *= 2) {
            stage(signal, other, n, way->downwards ? n / 2 / done : done, way);
            memcpy(signal, other, bytes);
        }
    }
    free(other);
}

#define STAGES(name, ...)                                                                          \
    static void name(const void *c, double *out)                                                   \
    {                                                                                              \
        transform(c, &(struct way){__VA_ARGS__}, out);                                             \
    }

STAGES(want, .sign = -1.0)
STAGES(inverse, .sign = 1.0)
STAGES(no_roots, .sign = 0.0)
STAGES(no_last_stage, .sign = -1.0, .stop = ((const struct fft *)c)->n / 2)
STAGES(untransformed, .sign = -1.0, .stop = 1)
STAGES(wrong_difference, .sign = -1.0, .subtracted = true)
STAGES(sum_re, .sign = -1.0, .flips = SUM_RE)
STAGES(sum_im, .sign = -1.0, .flips = SUM_IM)
STAGES(difference_re, .sign = -1.0, .flips = DIFFERENCE_RE)
STAGES(difference_im, .sign = -1.0, .flips = DIFFERENCE_IM)
STAGES(two_sums, .sign = -1.0, .flips = DIFFERENCE_RE | DIFFERENCE_IM)
STAGES(two_differences, .sign = -1.0, .flips = SUM_RE | SUM_IM)
STAGES(sides_exchanged, .sign = -1.0, .flips = SUM_RE | SUM_IM | DIFFERENCE_RE | DIFFERENCE_IM)
STAGES(turned_u, .sign = -1.0, .turned_u = true)
STAGES(downwards, .sign = -1.0, .downwards = true)
STAGES(unscaled_root, .sign = -1.0, .root = UNSCALED)
STAGES(full_turn, .sign = -1.0, .root = FULL_TURN)
STAGES(quarter_turn, .sign = -1.0, .root = QUARTER_TURN)
STAGES(root_by_half, .sign = -1.0, .root = BY_HALF)
STAGES(root_by_two_halves, .sign = -1.0, .root = BY_TWO_HALVES)
STAGES(root_of_thread, .sign = -1.0, .root = OF_THREAD)
STAGES(near_partner, .sign = -1.0, .pair = NEAR)
STAGES(neighbours_in, .sign = -1.0, .pair = NEIGHBOURS)
STAGES(places_in_pairs, .sign = -1.0, .places = IN_PAIRS)
STAGES(places_at_t, .sign = -1.0, .places = AT_T)

/* --- 16 = 4 * 4 ----------------------------------------------------------------------------------- */

struct number {
    double re, im;
};

/* What the lanes pass on between the two butterflies; lane l should get number l of each lane. */
enum exchange { RIGHT, NONE, OF_SENDER, OF_LAST, IN_PLACE, REAL_PARTS };

/* Which root number k of lane l is turned by: w[l * k]. */
enum turn { PRODUCT, NO_TURN, BY_LANE, BY_NUMBER, SUM, FOUR_TIMES, BY_PLACE, BACK, ADDED };

/* What the butterfly makes of x + iy; MINUS_I is right: y - ix. */
enum factor { MINUS_I, PLUS_I, ONE, BOTH_MINUS, BOTH_PLUS };

/* Four lanes, each with four numbers: how they do it. */
struct four {
    enum exchange exchange;
    enum turn turn;
    bool loads_in_rows, stores_in_rows; /* number k of lane l is 4 * l + k, not l + 4 * k */
    enum factor factor;                 /* of v[1] - v[3] in the butterfly */
    bool b_turned;                      /* b of the butterfly is v[2] - v[0] */
    bool exchanged;                     /* results 1 and 2 of the butterfly in each other's place */
    bool neighbours;                    /* in the butterfly: 0 and 1, 2 and 3 are added and subtracted */
    bool no_first, no_second;           /* butterfly */
    bool turned_first, turned_again;    /* before the first butterfly; after the exchange, once more */
    bool first_signal;                  /* every lane works on signal 0 */
};

static struct number turned_by(enum factor factor, struct number x)
{
    switch (factor) {
    case PLUS_I: return (struct number){-x.im, x.re};
    case ONE: return x;
    case BOTH_MINUS: return (struct number){-x.im, -x.re};
    case BOTH_PLUS: return (struct number){x.im, x.re};
    default: return (struct number){x.im, -x.re};
    }
}

static void butterfly(struct number v[4], const struct four *way)
{
    const int p = way->neighbours ? 1 : 2, q = 3 - p; /* 0 and p belong together, and q and 3 */
    const double side = way->b_turned ? -1.0 : 1.0;
    const struct number a = {v[0].re + v[p].re, v[0].im + v[p].im};
    const struct number b = {side * (v[0].re - v[p].re), side * (v[0].im - v[p].im)};
    const struct number c = {v[q].re + v[3].re, v[q].im + v[3].im};
    const struct number d = turned_by(way->factor, (struct number){v[q].re - v[3].re, v[q].im - v[3].im});
    const int first = way->exchanged ? 2 : 1;

    v[0] = (struct number){a.re + c.re, a.im + c.im};
    v[first] = (struct number){b.re + d.re, b.im + d.im};
    v[3 - first] = (struct number){a.re - c.re, a.im - c.im};
    v[3] = (struct number){b.re - d.re, b.im - d.im};
}

static struct number turned(struct number x, size_t l, size_t k, enum turn turn)
{
    const size_t m = turn == NO_TURN ? 0 : turn == BY_LANE ? l : turn == BY_NUMBER ? k : turn == SUM ? l + k
                     : turn == BY_PLACE ? l + 4 * k : l * k;
    const double angle = -2.0 * M_PI * (double)(turn == FOUR_TIMES ? 4 * m : turn == BACK ? 16 - m : m) / 16.0;

    if (turn == ADDED)
        return (struct number){x.re + cos(angle), x.im + sin(angle)};
    return (struct number){x.re * cos(angle) - x.im * sin(angle), x.re * sin(angle) + x.im * cos(angle)};
}

/* All lanes do the same at once, number r of lane j after another. */
static void exchange(struct number v[4][4], enum exchange how)
{
    struct number got[4][4];

    if (how == NONE)
        return;
    memcpy(got, v, sizeof got);
    for (size_t j = 0; j < 4; j++)
        for (size_t r = 0; r < 4; r++) {
            const struct number passed = how == OF_SENDER ? v[j][j] : how == OF_LAST ? v[j][3] : v[j][r];
            for (size_t l = 0; l < 4; l++)
                if (l == r)
                    (how == IN_PLACE ? v : got)[l][j] = passed;
        }
    for (size_t l = 0; l < 4; l++)
        for (size_t j = 0; how == REAL_PARTS && j < 4; j++)
            got[l][j].im = v[l][j].im;
    if (how != IN_PLACE)
        memcpy(v, got, sizeof got);
}

static void by_fours(const struct fft *p, const struct four *way, double *out)
{
    struct number v[4][4];

    for (size_t i = 0; p->n != 16 && i < 2 * p->batch * p->n; i++)
        out[i] = NAN; /* says nothing */
    for (size_t b = 0; p->n == 16 && b < p->batch; b++) {
        const struct cpx *x = p->x + (way->first_signal ? 0 : 16 * b);
        for (size_t l = 0; l < 4; l++) {
            for (size_t k = 0; k < 4; k++) {
                const struct cpx from = x[way->loads_in_rows ? 4 * l + k : l + 4 * k];
                v[l][k] = (struct number){from.re, from.im};
            }
            for (size_t k = 0; way->turned_first && k < 4; k++)
                v[l][k] = turned(v[l][k], l, k, PRODUCT);
            if (!way->no_first)
                butterfly(v[l], way);
            for (size_t k = 0; !way->turned_first && k < 4; k++)
                v[l][k] = turned(v[l][k], l, k, way->turn);
        }
        exchange(v, way->exchange);
        for (size_t l = 0; l < 4; l++) {
            for (size_t k = 0; way->turned_again && k < 4; k++)
                v[l][k] = turned(v[l][k], l, k, PRODUCT);
            if (!way->no_second)
                butterfly(v[l], way);
            for (size_t k = 0; k < 4; k++) {
                double *to = out + 2 * (16 * b + (way->stores_in_rows ? 4 * l + k : l + 4 * k));
                to[0] = v[l][k].re;
                to[1] = v[l][k].im;
            }
        }
    }
}

#define FOURS(name, ...)                                                                           \
    static void name(const void *c, double *out)                                                   \
    {                                                                                              \
        by_fours(c, &(struct four){__VA_ARGS__}, out);                                             \
    }

FOURS(not_exchanged, .exchange = NONE)
FOURS(number_of_sender, .exchange = OF_SENDER)
FOURS(exchanged_in_place, .exchange = IN_PLACE)
FOURS(last_number, .exchange = OF_LAST)
FOURS(turned_by_place, .turn = BY_PLACE)
FOURS(turned_first, .turned_first = true)
FOURS(turned_twice, .turned_again = true)
FOURS(neighbours, .neighbours = true)
FOURS(second_alone, .no_first = true)
FOURS(not_turned, .turn = NO_TURN)
FOURS(turned_by_lane, .turn = BY_LANE)
FOURS(turned_by_number, .turn = BY_NUMBER)
FOURS(turned_by_sum, .turn = SUM)
FOURS(turned_too_far, .turn = FOUR_TIMES)
FOURS(loaded_in_rows, .loads_in_rows = true)
FOURS(stored_in_rows, .stores_in_rows = true)
FOURS(both_in_rows, .loads_in_rows = true, .stores_in_rows = true)
FOURS(plus_i, .factor = PLUS_I)
FOURS(no_i, .factor = ONE)
FOURS(both_minus, .factor = BOTH_MINUS)
FOURS(both_plus, .factor = BOTH_PLUS)
FOURS(turned_back, .turn = BACK)
FOURS(b_turned, .b_turned = true)
FOURS(added, .turn = ADDED)
FOURS(real_alone, .exchange = REAL_PARTS)
FOURS(half_way, .exchange = NONE, .no_second = true)
FOURS(one_and_two, .exchanged = true)
FOURS(one_butterfly, .no_second = true)
FOURS(nothing_between, .exchange = NONE, .turn = NO_TURN)
FOURS(of_first_signal, .first_signal = true)

static const struct guess guess[] = {
    {"not-exchanged", "the second butterfly was of the lane's own four numbers: nothing came from other lanes", not_exchanged},
    {"not-exchanged", "two butterflies of the lane's own four numbers: neither roots nor an exchange are between them",
     nothing_between},
    {"wrong-register", "from lane j each lane has got number j; lane l should get number l of every lane", number_of_sender},
    {"wrong-register", "from each lane number 3 has come, the last one that was passed on", last_number},
    {"wrong-root", "number k of lane l was turned by w[l + 4 * k], not by w[l * k]", turned_by_place},
    {"wrong-order", "the numbers were turned before the first butterfly, and not behind it", turned_first},
    {"wrong-order", "the numbers were turned twice, before and after the exchange", turned_twice},
    {"wrong-partner", "the butterflies have added and subtracted v[0] and v[1], v[2] and v[3]", neighbours},
    {"stage-missing", "the first butterfly is missing", second_alone},
    {"in-place", "numbers were overwritten during the exchange that other lanes still needed", exchanged_in_place},
    {"root-missing", "between the two butterflies the roots are missing", not_turned},
    {"wrong-root", "number k of lane l was turned by w[l], not by w[l * k]", turned_by_lane},
    {"wrong-root", "number k of lane l was turned by w[k], not by w[l * k]", turned_by_number},
    {"wrong-root", "number k of lane l was turned by w[l + k], not by w[l * k]", turned_by_sum},
    {"wrong-root", "number k of lane l was turned by w[4 * l * k], not by w[l * k]", turned_too_far},
    {"transposed", "lane l has loaded x[4 * l + k] as its number k, and should have x[l + 4 * k]", loaded_in_rows},
    {"transposed", "number k of lane l was written to X[4 * l + k], and belongs to X[l + 4 * k]", stored_in_rows},
    {"transposed", "number k of lane l is 4 * l + k in x and in X, and should be l + 4 * k", both_in_rows},
    {"wrong-sign", "the butterflies have multiplied by i where it should be -i", plus_i},
    {"wrong-sign", "v[1] - v[3] was not multiplied by -i", no_i},
    {"wrong-sign", "of x + iy the butterflies have made -y - ix, and should make y - ix", both_minus},
    {"wrong-sign", "of x + iy the butterflies have made y + ix, and should make y - ix", both_plus},
    {"wrong-root", "the roots between the butterflies turn the other way", turned_back},
    {"wrong-sign", "b was v[2] - v[0], and should be v[0] - v[2]", b_turned},
    {"wrong-operator", "the roots were added, and should be multiplied", added},
    {"not-exchanged", "only the real parts were exchanged", real_alone},
    {"not-exchanged", "the result is what the lanes had before the exchange: what came was not used", half_way},
    {"exchanged", "results 1 and 2 of the butterflies stand in each other's place", one_and_two},
    {"stage-missing", "the second butterfly is missing", one_butterfly},
    {"same-for-all", "every signal's result is that of signal 0", of_first_signal},
    {"inverse", "the angle has the other sign: the result is the inverse transform", inverse},
    {"wrong-sign", "the real part of to[j] was u.x - v.x, and should be u.x + v.x", sum_re},
    {"wrong-sign", "the imaginary part of to[j] was u.y - v.y, and should be u.y + v.y", sum_im},
    {"wrong-sign", "the real part of to[j + half] was u.x + v.x, and should be u.x - v.x", difference_re},
    {"wrong-sign", "the imaginary part of to[j + half] was u.y + v.y, and should be u.y - v.y", difference_im},
    {"wrong-sign", "to[j + half] was u + v, as to[j] is, and should be u - v", two_sums},
    {"wrong-sign", "to[j] was u - v, as to[j + half] is, and should be u + v", two_differences},
    {"exchanged", "u + v and u - v stand in each other's place", sides_exchanged},
    {"root-missing", "the result is what comes out without the roots: sums and differences only", no_roots},
    {"stage-missing", "the result is what comes out without the last stage", no_last_stage},
    {"not-computed", "the result is the signal, unchanged", untransformed},
    {"wrong-root", "every stage has taken the root w[k], which is right in the last stage only", unscaled_root},
    {"wrong-root", "every stage has taken the root w[k * (n / half)]: the 2 is missing", full_turn},
    {"wrong-root", "every stage has taken the root w[k * (n / (4 * half))]: half of the angle", quarter_turn},
    {"wrong-root", "every stage has taken the root w[k * half]: the step is n / (2 * half)", root_by_half},
    {"wrong-root", "every stage has taken the root w[k * 2 * half]: the step is n / (2 * half)", root_by_two_halves},
    {"exchanged", "every stage has multiplied u by the root, and not v", turned_u},
    {"wrong-order", "the stages were done from half = n/2 down to 1, and not from 1 up to n/2", downwards},
    {"wrong-partner", "every stage has taken u and v from 2t and 2t + 1, and not from t and t + n/2", neighbours_in},
    {"misplaced", "every stage has put u + v and u - v to 2t and 2t + 1: they belong `half` places apart", places_in_pairs},
    {"misplaced", "every stage has put u + v and u - v to t and t + n/2, from where they came", places_at_t},
    {"wrong-root", "every stage has taken a root by t, and not by k, which is t % half", root_of_thread},
    {"wrong-partner", "every stage has taken v from t + half, and not from t + n/2", near_partner},
    {"wrong-sign", "the second half of each butterfly is v - u, but should be u - v",
     wrong_difference},
    {NULL, NULL, NULL},
};

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

/* For signals of 16 numbers that no guess explains. */
static bool look(const void *c, const struct view *v, struct mistake *m)
{
    const struct fft *p = c;

    if (p->n != 16 || v->wrong_count == 0)
        return false;
    if (view_guess(guess, c, v, m))
        return true;
    if (!first_signal_is_right(v))
        return look_at_parts(p, m);
    mistake_set(m, "wrong-part");
    mistake_add(m, "signal 0 is right, and others are not");
    return true;
}

const struct guesses guesses_fft = {.problem = "fft", .view = view, .want = want, .guess = guess, .look = look};
