/* fft of 16 numbers = 4 * 4: the results of typical mistakes in two butterflies of four with an exchange between them. */
#include "workshop/lab/guess_fours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct number {
    double re, im;
};

/* What the lanes pass on between the two butterflies; lane l should get number l of each lane. */
enum exchange { RIGHT, NONE, OF_SENDER, OF_LAST, IN_PLACE, REAL_PARTS, REAL_OF_NUMBER };

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
    unsigned char other, first, second; /* formula `other` - 1 takes these two numbers */
    unsigned overwritten;               /* what stands in their place is read again: A_TO_0 and others */
};

/* The four formulas of a butterfly, and their two numbers; those of a and c may be put where b and e still read. */
static const struct formula {
    char name, sign;
    int first, second;
} formulas[] = {{'a', '+', 0, 2}, {'b', '-', 0, 2}, {'c', '+', 1, 3}, {'e', '-', 1, 3}};
enum { A_TO_0 = 1, A_TO_2 = 2, C_TO_1 = 4, C_TO_3 = 8, ALL_PLACES = 16 };

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

/* Returns the numbers that a formula takes: each where it should be, or by mistake another one, or what has been put there. */
static struct number operand(const struct number v[4], const struct four *way, int formula, bool second, struct number sum)
{
    const bool other = way->other == formula + 1;
    const int at = !second ? (other ? way->first : formulas[formula].first) : other ? way->second : formulas[formula].second;
    const bool lost = formulas[formula].sign == '-' && (way->overwritten & (formula == 1 ? (at == 0 ? A_TO_0 : at == 2 ? A_TO_2 : 0)
                                                                                      : (at == 1 ? C_TO_1 : at == 3 ? C_TO_3 : 0))) != 0;

    return lost ? sum : v[at];
}

static struct number by_formula(const struct number v[4], const struct four *way, int formula, struct number sum)
{
    const struct number x = operand(v, way, formula, false, sum), y = operand(v, way, formula, true, sum);
    const double side = formulas[formula].sign == '-' ? -1.0 : 1.0;

    return (struct number){x.re + side * y.re, x.im + side * y.im};
}

static void butterfly(struct number v[4], const struct four *way)
{
    const struct number in[4] = {v[0], v[way->neighbours ? 2 : 1], v[way->neighbours ? 1 : 2], v[3]};
    const struct number none = {0.0, 0.0}, a = by_formula(in, way, 0, none), c = by_formula(in, way, 2, none);
    const struct number right = by_formula(in, way, 1, a), b = way->b_turned ? (struct number){-right.re, -right.im} : right;
    const struct number d = turned_by(way->factor, by_formula(in, way, 3, c));
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
    for (size_t l = 0; l < 4; l++)
        for (size_t j = 0; how == REAL_OF_NUMBER && j < 4; j++)
            got[l][j].im = v[l][l].im;
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

static const struct idea {
    const char *kind, *text;
    struct four way;
} ideas[] = {
    {"not-exchanged", "the second butterfly was of the lane's own four numbers: nothing came from other lanes", {.exchange = NONE}},
    {"not-exchanged",
     "two butterflies of the lane's own four numbers: neither roots nor an exchange are between them",
     {.exchange = NONE, .turn = NO_TURN}},
    {"wrong-register", "from lane j each lane has got number j; lane l should get number l of every lane", {.exchange = OF_SENDER}},
    {"wrong-register", "from each lane number 3 has come, the last one that was passed on", {.exchange = OF_LAST}},
    {"wrong-root", "number k of lane l was turned by w[l + 4 * k], not by w[l * k]", {.turn = BY_PLACE}},
    {"wrong-order", "the numbers were turned before the first butterfly, and not behind it", {.turned_first = true}},
    {"wrong-order", "the numbers were turned twice, before and after the exchange", {.turned_again = true}},
    {"wrong-partner", "the butterflies have added and subtracted v[0] and v[1], v[2] and v[3]", {.neighbours = true}},
    {"stage-missing", "the first butterfly is missing", {.no_first = true}},
    {"in-place", "numbers were overwritten during the exchange that other lanes still needed", {.exchange = IN_PLACE}},
    {"root-missing", "between the two butterflies the roots are missing", {.turn = NO_TURN}},
    {"wrong-root", "number k of lane l was turned by w[l], not by w[l * k]", {.turn = BY_LANE}},
    {"wrong-root", "number k of lane l was turned by w[k], not by w[l * k]", {.turn = BY_NUMBER}},
    {"wrong-root", "number k of lane l was turned by w[l + k], not by w[l * k]", {.turn = SUM}},
    {"wrong-root", "number k of lane l was turned by w[4 * l * k], not by w[l * k]", {.turn = FOUR_TIMES}},
    {"transposed", "lane l has loaded x[4 * l + k] as its number k, and should have x[l + 4 * k]", {.loads_in_rows = true}},
    {"transposed", "number k of lane l was written to X[4 * l + k], and belongs to X[l + 4 * k]", {.stores_in_rows = true}},
    {"transposed",
     "number k of lane l is 4 * l + k in x and in X, and should be l + 4 * k",
     {.loads_in_rows = true, .stores_in_rows = true}},
    {"wrong-sign", "the butterflies have multiplied by i where it should be -i", {.factor = PLUS_I}},
    {"wrong-sign", "v[1] - v[3] was not multiplied by -i", {.factor = ONE}},
    {"wrong-sign", "of x + iy the butterflies have made -y - ix, and should make y - ix", {.factor = BOTH_MINUS}},
    {"wrong-sign", "of x + iy the butterflies have made y + ix, and should make y - ix", {.factor = BOTH_PLUS}},
    {"wrong-root", "the roots between the butterflies turn the other way", {.turn = BACK}},
    {"wrong-sign", "b was v[2] - v[0], and should be v[0] - v[2]", {.b_turned = true}},
    {"wrong-operator", "the roots were added, and should be multiplied", {.turn = ADDED}},
    {"not-exchanged", "only the real parts were exchanged", {.exchange = REAL_PARTS}},
    {"not-exchanged", "only the real parts were exchanged", {.exchange = REAL_OF_NUMBER}},
    {"not-exchanged",
     "the result is what the lanes had before the exchange: what came was not used",
     {.exchange = NONE, .no_second = true}},
    {"exchanged", "results 1 and 2 of the butterflies stand in each other's place", {.exchanged = true}},
    {"stage-missing", "the second butterfly is missing", {.no_second = true}},
    {"same-for-all", "every signal's result is that of signal 0", {.first_signal = true}},
};

static bool fits(const struct fft *p, const struct view *v, const struct four *way, double *values)
{
    by_fours(p, way, values);
    return result_equals(v, values);
}

/* Tries other numbers in one of the four formulas. */
static bool other_numbers(const struct fft *p, const struct view *v, double *values, struct mistake *m)
{
    for (int i = 0; i < 4 * 16; i++) {
        const struct formula *f = &formulas[i / 16];
        const int first = i / 4 % 4, second = i % 4;
        const struct four way = {.other = (unsigned char)(i / 16 + 1), .first = (unsigned char)first, .second = (unsigned char)second};
        if ((first == f->first && second == f->second) || !fits(p, v, &way, values))
            continue;
        mistake_set(m, "wrong-partner");
        mistake_add(m, "in the butterfly, v[%d] %c v[%d] was computed where it should be v[%d] %c v[%d]", first, f->sign, second, f->first,
                    f->sign, f->second);
        return true;
    }
    return false;
}

/* Tries sums that are put into numbers which a difference still reads. */
static bool overwritten(const struct fft *p, const struct view *v, double *values, struct mistake *m)
{
    for (unsigned places = 1; places < ALL_PLACES; places++) {
        if (!fits(p, v, &(struct four){.overwritten = places}, values))
            continue;
        mistake_set(m, "in-place");
        mistake_add(m, "in the butterfly, a sum was put into v[%d], and then a difference has read it: the old number was still needed",
                    (places & A_TO_0) != 0 ? 0 : (places & C_TO_1) != 0 ? 1 : (places & A_TO_2) != 0 ? 2 : 3);
        return true;
    }
    return false;
}

/* --- which numbers came ---------------------------------------------------------------------------- */

/* A number of a lane, before the exchange. */
struct sender {
    size_t lane, number;
};

/* Computes what the lanes have before the exchange, and what the second butterfly has been given if it and the rest are right. */
static void around_exchange(const struct fft *p, size_t b, struct number before[4][4], struct number after[4][4])
{
    static const struct four right = {.exchange = RIGHT};
    static const struct number power[4] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}}; /* of i */

    for (size_t l = 0; l < 4; l++) {
        for (size_t k = 0; k < 4; k++)
            before[l][k] = (struct number){p->x[16 * b + l + 4 * k].re, p->x[16 * b + l + 4 * k].im};
        butterfly(before[l], &right);
        for (size_t k = 0; k < 4; k++)
            before[l][k] = turned(before[l][k], l, k, PRODUCT);
        for (size_t j = 0; j < 4; j++) {
            after[l][j] = (struct number){0.0, 0.0};
            for (size_t k = 0; k < 4; k++) {
                const struct cpx made = p->X[16 * b + l + 4 * k];
                const struct number by = power[j * k % 4];
                after[l][j].re += (made.re * by.re - made.im * by.im) / 4.0;
                after[l][j].im += (made.re * by.im + made.im * by.re) / 4.0;
            }
        }
    }
}

/* Finds the number that stands as number j of lane l behind the exchange, in every signal. */
static bool find_sender(const struct fft *p, size_t l, size_t j, struct sender *from)
{
    bool fits[16];

    memset(fits, 1, sizeof fits);
    for (size_t b = 0; b < p->batch; b++) {
        struct number before[4][4], after[4][4];
        around_exchange(p, b, before, after);
        for (size_t i = 0; i < 16; i++)
            fits[i] = fits[i] && fabs(before[i / 4][i % 4].re - after[l][j].re) + fabs(before[i / 4][i % 4].im - after[l][j].im) < 1e-3;
    }
    for (size_t i = 0; i < 16; i++)
        if (fits[i]) {
            *from = (struct sender){i / 4, i % 4};
            return true;
        }
    return false;
}

static size_t by_xor(size_t l, size_t j)
{
    return l ^ j;
}

static size_t forwards(size_t l, size_t j)
{
    return (l + j) % 4;
}

static size_t backwards(size_t l, size_t j)
{
    return (l + 4 - j) % 4;
}

/* Says where the numbers behind the exchange come from, if all of them are numbers from before it. */
static bool exchanged_otherwise(const struct fft *p, struct mistake *m)
{
    static const struct {
        size_t (*lane)(size_t l, size_t j);
        const char *name;
    } rounds[] = {{by_xor, "l ^ r"}, {forwards, "(l + r) % 4"}, {backwards, "(l - r) % 4"}};
    struct sender from[4][4];
    size_t wrong = 0, first = 16;

    for (size_t i = 16; p->batch >= 3 && i-- > 0;) {
        struct sender *f = &from[i / 4][i % 4];
        if (!find_sender(p, i / 4, i % 4, f))
            return false;
        if (f->lane != i % 4 || f->number != i / 4) {
            wrong++;
            first = i;
        }
    }
    if (first == 16)
        return false;
    const struct sender f = from[first / 4][first % 4];
    mistake_set(m, "wrong-register");
    mistake_add(m, "behind the exchange lane %zu has as its number %zu what was number %zu of lane %zu; that should be number %zu of lane %zu", first / 4,
                first % 4, f.number, f.lane, first / 4, first % 4);
    for (size_t r = 0; r < sizeof rounds / sizeof *rounds; r++) {
        bool all = true;
        for (size_t i = 0; i < 16; i++)
            all = all && from[i / 4][i % 4].lane == rounds[r].lane(i / 4, i % 4);
        if (all)
            mistake_add(m, "number r of lane l has come from lane %s, for all l and r: it belongs to the place with the number of that lane", rounds[r].name);
    }
    mistake_add(m, "of the 16 numbers of a signal, %zu are at a wrong place; the butterflies and the roots are right", wrong);
    return true;
}

/* Finds the root by which number k of lane l was turned, in every signal: w[...]; 16: none. */
static unsigned root_of(const struct fft *p, size_t l, size_t k)
{
    static const struct four right = {.exchange = RIGHT};
    bool fits[16];
    unsigned root = 0;

    memset(fits, 1, sizeof fits);
    for (size_t b = 0; b < p->batch; b++) {
        struct number before[4][4], after[4][4], first[4];
        around_exchange(p, b, before, after);
        for (size_t j = 0; j < 4; j++)
            first[j] = (struct number){p->x[16 * b + l + 4 * j].re, p->x[16 * b + l + 4 * j].im};
        butterfly(first, &right);
        for (unsigned e = 0; e < 16; e++) {
            const double angle = -2.0 * M_PI * e / 16.0, c = cos(angle), s = sin(angle);
            const double re = first[k].re * c - first[k].im * s, im = first[k].re * s + first[k].im * c;
            fits[e] = fits[e] && fabs(re - after[k][l].re) + fabs(im - after[k][l].im) < 1e-3; /* number k of lane l goes to lane k */
        }
    }
    while (root < 16 && !fits[root])
        root++;
    return root;
}

/* Says which numbers were turned by other roots, if all were turned by one. */
static bool turned_otherwise(const struct fft *p, struct mistake *m)
{
    size_t wrong = 0;
    unsigned roots[16];

    for (size_t i = 0; i < 16; i++) {
        roots[i] = p->batch >= 3 ? root_of(p, i / 4, i % 4) : 16;
        if (roots[i] == 16)
            return false;
        wrong += roots[i] != i / 4 * (i % 4);
    }
    if (wrong == 0)
        return false;
    mistake_set(m, "wrong-root");
    for (size_t i = 0, told = 0; i < 16 && told < 3; i++)
        if (roots[i] != i / 4 * (i % 4)) {
            mistake_add(m, "number %zu of lane %zu was turned by w[%u], and should be by w[%zu]", i % 4, i / 4, roots[i], i / 4 * (i % 4));
            told++;
        }
    mistake_add(m, "of the 16 numbers of a signal, %zu were turned by another root; the butterflies and the exchange are right", wrong);
    return true;
}

bool guess_fours(const struct fft *p, const struct view *v, struct mistake *m)
{
    double *values = malloc((v->count + 1) * sizeof *values);
    bool found = false;

    for (size_t i = 0; values != NULL && i < sizeof ideas / sizeof *ideas && !found; i++) {
        found = fits(p, v, &ideas[i].way, values);
        if (!found)
            continue;
        mistake_set(m, ideas[i].kind);
        mistake_add(m, "%s", ideas[i].text);
    }
    found = values != NULL && (found || overwritten(p, v, values, m) || other_numbers(p, v, values, m) || exchanged_otherwise(p, m) ||
                                 turned_otherwise(p, m));
    free(values);
    if (found)
        m->explains = v->wrong_count;
    return found;
}
