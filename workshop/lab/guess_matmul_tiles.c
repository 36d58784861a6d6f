/* matmul: finds the kernel with tiles by which all sums come out: one choice in its loads, its reads, or its loops is another than the
   right one, or two. */
#include "workshop/lab/guess_matmul.h"

#include <math.h>
#include <string.h>

/* What may be chosen otherwise.  0 is the right choice, and choice i is other[i - 1]. */
enum { AGAIN = 5, BY_QUARTERS, BY_HALVES }; /* of TILES */
enum { A_ROW, A_COLUMN, A_LENGTH, A_PUT, A_GUARD, A_READ, B_ROW, B_COLUMN, B_LENGTH, B_PUT, B_GUARD, B_READ, TERMS, TILES, JOIN, CHOICES };

enum { MOST = 8 };

static const struct {
    unsigned count;
    struct {
        const char *kind, *text;
    } other[MOST];
} choices[CHOICES] = {
    [A_ROW] = {1, {{"transposed-tile", "loads a from the row that x counts: rows are counted by y"}}},
    [A_COLUMN] = {3, {{"transposed-tile", "loads a[row][first + y]: the column is first + x"},
                      {"same-tile", "loads a[row][x]: first is missing, so each tile of a is the first one"},
                      {"counted-again", "loads a[row][tile + x], with the number of the tile: its first column is SIDE times that"}}},
    [A_LENGTH] = {1, {{"misplaced", "takes a row of a for n floats long: it has k"}}},
    [A_PUT] = {1, {{"transposed-tile", "writes the tile of a with its two indices in one order, and reads it with them in the other"}}},
    [A_GUARD] = {8, {{"partial-tile", "loads a only if first + x < n: a row of a has k elements"},
                     {"partial-tile", "loads a only if column < n: that is no test for a, whose column is first + x"},
                     {"partial-tile", "loads a only if column < n, in the place of row < m"},
                     {"partial-tile", "loads a only if row < n: a has m rows"},
                     {"partial-tile", "loads a only if first + y < k, too: that is the test of b, whose row is first + y"},
                     {"partial-tile", "loads a only if first + y < k and column < n, too: these are the tests of b"},
                     {"partial-tile", "loads a only if first + y < k and column < n: these are the tests of b"},
                     {"partial-tile", "loads a only if first + y < k, in the place of first + x < k: the column is first + x"}}},
    [A_READ] = {3, {{"transposed-tile", "reads a_tile[x][t]: the row is y"},
                    {"transposed-tile", "reads a_tile[t][y]: the row comes first"},
                    {"transposed-tile", "reads a_tile[t][x]: the row is y, and t is the column"}}},
    [B_ROW] = {3, {{"transposed-tile", "loads b[first + x][column]: the row is first + y"},
                   {"same-tile", "loads b[y][column]: first is missing, so each tile of b is the first one"},
                   {"counted-again", "loads b[tile + y][column], with the number of the tile: its first row is SIDE times that"}}},
    [B_COLUMN] = {1, {{"transposed-tile", "loads b from the column that y counts: columns are counted by x"}}},
    [B_LENGTH] = {2, {{"misplaced", "takes a row of b for k floats long: it has n"}, {"misplaced", "takes a row of b for m floats long: it has n"}}},
    [B_PUT] = {1, {{"transposed-tile", "writes the tile of b with its two indices in one order, and reads it with them in the other"}}},
    [B_GUARD] = {8, {{"partial-tile", "loads b only if row < m, in the place of first + y < k: row is that of c"},
                     {"partial-tile", "loads b only if row < m: that is no test for b, whose row is first + y"},
                     {"partial-tile", "loads b only if column < m: b has n columns"},
                     {"partial-tile", "loads b only if first + y < n: b has k rows"},
                     {"partial-tile", "loads b only if first + x < k, too: that is the test of a, whose column is first + x"},
                     {"partial-tile", "loads b only if row < m and first + x < k, too: these are the tests of a"},
                     {"partial-tile", "loads b only if row < m and first + x < k: these are the tests of a"},
                     {"partial-tile", "loads b only if first + x < k, in the place of first + y < k: the row is first + y"}}},
    [B_READ] = {3, {{"transposed-tile", "reads b_tile[t][y]: the column is x"},
                    {"transposed-tile", "reads b_tile[x][t]: t is the row"},
                    {"transposed-tile", "reads b_tile[y][t]: t is the row, and x is the column"}}},
    [TERMS] = {4, {{"partial-tile", "leaves out the first product of each tile"},
                   {"partial-tile", "leaves out the last product of each tile"},
                   {"partial-tile", "adds up half of each tile"},
                   {"partial-tile", "leaves out the last product of each tile, also of one that is not full"}}},
    [TILES] = {7, {{"partial-tile", "goes on to n with its loop over the tiles: it ends at k"},
                   {"partial-tile", "goes on to m with its loop over the tiles: it ends at k"},
                   {"partial-tile", "ends with the last whole tile"},
                   {"first-tile-only", "adds up the first tile only: the loop over the tiles goes on to k"},
                   {"counted-again", "adds the sum of each tile again with every later one: what adds up one tile begins at 0 for each"},
                   {"counted-again", "goes on by a quarter of a tile only: tiles overlap, and products count several times"},
                   {"counted-again", "goes on by half of a tile only: tiles overlap, and products count twice"}}},
    [JOIN] = {1, {{"wrong-operator", "adds an element of a and one of b: they are multiplied"}}},
};

/* A kernel: its choices, and the element that is computed. */
struct kernel {
    const struct matmul *p;
    unsigned choice[CHOICES];
    size_t side, block_row, block_column;
    size_t end; /* of the loop over the tiles; 0: as chosen */
};

static double load(const float *array, size_t count, size_t i)
{
    return i < count ? (double)array[i] : NAN;
}

/* Returns what is in a_tile[u][v]; the next function does so for b. */
static double in_a(const struct kernel *q, size_t first, size_t u, size_t v)
{
    const struct matmul *p = q->p;
    const size_t y = q->choice[A_PUT] == 0 ? u : v, x = q->choice[A_PUT] == 0 ? v : u;
    const size_t row = q->block_row + y, column = q->block_column + x, of = q->block_row + (q->choice[A_ROW] == 0 ? y : x);
    const size_t columns[] = {first + x, first + y, x, first / q->side + x}, l = columns[q->choice[A_COLUMN]];
    const bool right = of < p->m && l < p->k, of_b = first + y < p->k;
    const bool loads[] = {right, of < p->m && l < p->n, right && column < p->n, column < p->n && l < p->k, row < p->n && l < p->k, right && of_b,
                          right && of_b && column < p->n, of_b && column < p->n, of < p->m && of_b};

    return loads[q->choice[A_GUARD]] ? load(p->a, p->m * p->k, of * (q->choice[A_LENGTH] == 0 ? p->k : p->n) + l) : 0.0;
}

static double in_b(const struct kernel *q, size_t first, size_t u, size_t v)
{
    const struct matmul *p = q->p;
    const size_t y = q->choice[B_PUT] == 0 ? u : v, x = q->choice[B_PUT] == 0 ? v : u;
    const size_t row = q->block_row + y, of = q->block_column + (q->choice[B_COLUMN] == 0 ? x : y);
    const size_t rows[] = {first + y, first + x, y, first / q->side + y}, l = rows[q->choice[B_ROW]];
    const bool right = l < p->k && of < p->n, of_a = first + x < p->k;
    const bool loads[] = {right, row < p->m && of < p->n, right && row < p->m, l < p->k && of < p->m, l < p->n && of < p->n, right && of_a,
                          right && of_a && row < p->m, of_a && row < p->m, of < p->n && of_a};
    const size_t lengths[] = {p->n, p->k, p->m};

    return loads[q->choice[B_GUARD]] ? load(p->b, p->k * p->n, l * lengths[q->choice[B_LENGTH]] + of) : 0.0;
}

static double sum(const struct kernel *q, size_t y, size_t x)
{
    const size_t from = q->choice[TERMS] == 1, k = q->p->k;
    const size_t to_n = q->p->n < k ? q->p->n : k, to_m = q->p->m < k ? q->p->m : k;
    const size_t ends[] = {k, to_n, to_m, k / q->side * q->side, k < q->side ? k : q->side, k, k, k}, end = q->end > 0 ? q->end : ends[q->choice[TILES]];
    const size_t step = q->choice[TILES] == BY_QUARTERS ? q->side / 4 : q->choice[TILES] == BY_HALVES ? q->side / 2 : q->side;
    double all = 0.0;

    for (size_t first = 0; first < end; first += step) {
        const size_t rest = k - first < q->side ? k - first : q->side, upto[] = {q->side, q->side, q->side - 1, q->side / 2, rest - 1};
        const size_t times = q->choice[TILES] == AGAIN ? (k - first + q->side - 1) / q->side : 1;
        for (size_t t = from; t < upto[q->choice[TERMS]]; t++) {
            const size_t a[][2] = {{y, t}, {x, t}, {t, y}, {t, x}}, b[][2] = {{t, x}, {t, y}, {x, t}, {y, t}};
            const size_t *i = a[q->choice[A_READ]], *j = b[q->choice[B_READ]];
            const double of_a = in_a(q, first, i[0], i[1]), of_b = in_b(q, first, j[0], j[1]);
            all += (double)times * (q->choice[JOIN] == 0 ? of_a * of_b : of_a + of_b);
        }
    }
    return all;
}

/* Returns whether all of c comes out.  It begins with wrong elements, because they tell most. */
static bool fits(struct kernel *q, const struct view *v)
{
    bool any = false; /* sums that are all 0 fit several kernels */

    for (int wrong = 1; wrong >= 0; wrong--)
        for (size_t i = 0; i < v->count; i++) {
            const size_t row = i / v->cols, column = i % v->cols;
            if (v->wrong[i] != (wrong == 1))
                continue;
            q->block_row = row / q->side * q->side;
            q->block_column = column / q->side * q->side;
            const double value = sum(q, row % q->side, column % q->side);
            if (!(fabs(value - v->got[i]) <= v->error * (v->scale + fabs(value))))
                return false;
            any = any || value != 0.0;
        }
    return any;
}

/* Returns whether another condition of the same load fits as well. */
static bool fits_another(const struct kernel *q, const struct view *v, unsigned guard)
{
    struct kernel other = *q;

    for (unsigned x = q->choice[guard] + 1; (guard == A_GUARD || guard == B_GUARD) && x <= choices[guard].count; x++) {
        other.choice[guard] = x;
        if (fits(&other, v))
            return true;
    }
    return false;
}

static void tell(const struct kernel *q, struct mistake *m)
{
    mistake_set(m, "");
    for (unsigned c = 0; c < CHOICES; c++) {
        if (q->choice[c] == 0)
            continue;
        if (!mistaken(m))
            mistake_set(m, choices[c].other[q->choice[c] - 1].kind);
        mistake_add(m, "all sums are those of a kernel that %s", choices[c].other[q->choice[c] - 1].text);
    }
}

/* Several conditions of a load give these sums, so only that the right one does not is known. */
static void tell_guard(unsigned guard, struct mistake *m)
{
    const char *of = guard == A_GUARD ? "a" : "b", *tests = guard == A_GUARD ? "row < m and first + x < k" : "first + y < k and column < n";

    mistake_set(m, "partial-tile");
    mistake_add(m, "all sums are those of a kernel that does not load some elements of %s that there are, and takes 0 for them: the condition of a load of %s is %s, "
                   "and no other", of, of, tests);
}

/* Tries choice x of c, and choice y of d, which may be the same. */
static bool tries(const struct matmul *p, const struct view *v, size_t side, unsigned c, unsigned x, unsigned d, unsigned y, struct mistake *m)
{
    struct kernel q = {.p = p, .side = side};

    q.choice[c] = x;
    q.choice[d] = y;
    if (!fits(&q, v))
        return false;
    if (c == d && fits_another(&q, v, c))
        tell_guard(c, m);
    else
        tell(&q, m);
    m->explains = v->wrong_count;
    return true;
}

static bool one(const struct matmul *p, const struct view *v, size_t side, struct mistake *m)
{
    for (unsigned c = 0; c < CHOICES; c++)
        for (unsigned x = 1; x <= choices[c].count; x++)
            if (tries(p, v, side, c, x, c, x, m))
                return true;
    return false;
}

static bool two(const struct matmul *p, const struct view *v, size_t side, struct mistake *m)
{
    for (unsigned c = 0; c < CHOICES; c++)
        for (unsigned d = c + 1; d < CHOICES; d++)
            for (unsigned x = 1; x <= choices[c].count; x++)
                for (unsigned y = 1; y <= choices[d].count; y++)
                    if (tries(p, v, side, c, x, d, y, m))
                        return true;
    return false;
}

/* A few sums tell where the loop over the tiles ends, and not why. */
static bool ends_early(const struct matmul *p, const struct view *v, size_t side, struct mistake *m)
{
    enum { UNSURE = 2 };

    for (size_t end = side; end < p->k; end += side) {
        struct kernel q = {.p = p, .side = side, .end = end};
        if (!fits(&q, v))
            continue;
        mistake_set(m, "partial-tile");
        mistake_add(m, "all sums lack the products from number %zu on, of %zu: the loop over the tiles ends there, and not at k", end, p->k);
        m->explains = UNSURE;
        return true;
    }
    return false;
}

enum { FEW = 30, ENOUGH = 60, SHORT = 16, LONG = 32 };

static bool has_sums(const struct matmul *p, const struct view *v, size_t enough)
{
    return v->untouched == 0 && v->count >= enough && p->k > 1;
}

bool matmul_one_choice(const struct matmul *p, const struct view *v, struct mistake *m)
{
    if (has_sums(p, v, ENOUGH))
        return one(p, v, SHORT, m) || one(p, v, LONG, m);
    return has_sums(p, v, FEW) && (ends_early(p, v, SHORT, m) || ends_early(p, v, LONG, m));
}

bool matmul_two_choices(const struct matmul *p, const struct view *v, struct mistake *m)
{
    return has_sums(p, v, ENOUGH) && (two(p, v, SHORT, m) || two(p, v, LONG, m));
}
