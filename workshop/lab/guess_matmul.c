/* matmul: the results of typical mistakes in the indices of a sum of products, with and without tiles. */
#include <math.h>
#include <string.h>

#include "workshop/lab/guess_fragments.h"
#include "workshop/lab/guess_matmul.h"

static bool view(const void *c, struct view *v)
{
    const struct matmul *p = c;

    v->array = "c";
    v->rows = p->m;
    v->cols = p->n;
    v->got = p->c;
    v->scale = 4.0 * (double)(p->k > 16 ? p->k / 4 : 4);
    return true;
}

/* Sums over l from `first` to before `last`. */
void matmul_sums(const struct matmul *p, size_t first, size_t last, double *out)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = 0.0;
            for (size_t l = first; l < last; l++)
                sum += (double)p->a[i * p->k + l] * p->b[l * p->n + j];
            out[i * p->n + j] = sum;
        }
}

static void want(const void *c, double *out)
{
    const struct matmul *p = c;

    matmul_sums(p, 0, p->k, out);
}

static void no_last(const void *c, double *out)
{
    const struct matmul *p = c;

    matmul_sums(p, 0, p->k > 0 ? p->k - 1 : 0, out);
}

static void whole_tiles(const struct matmul *p, size_t side, double *out)
{
    matmul_sums(p, 0, p->k / side * side, out);
}

static void last_tile(const struct matmul *p, size_t side, double *out)
{
    matmul_sums(p, p->k > 0 ? (p->k - 1) / side * side : 0, p->k, out);
}

/* x is threadIdx.y and y is threadIdx.x, in the loads and in the sum: all elements of a block are the same. */
static void names_exchanged(const struct matmul *p, size_t side, double *out)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            const size_t row0 = i / side * side, column0 = j / side * side;
            double sum = 0.0;
            for (size_t l = 0; l < p->k; l++)
                if (row0 + l % side < p->m && column0 + l % side < p->n)
                    sum += (double)p->a[(row0 + l % side) * p->k + l] * p->b[l * p->n + column0 + l % side];
            out[i * p->n + j] = sum;
        }
}

#define OF_SIDE(name, of, side)                                                                    \
    static void name(const void *c, double *out)                                                   \
    {                                                                                              \
        of(c, side, out);                                                                          \
    }

OF_SIDE(whole_tiles16, whole_tiles, 16)
OF_SIDE(whole_tiles32, whole_tiles, 32)
OF_SIDE(last_tile16, last_tile, 16)
OF_SIDE(last_tile32, last_tile, 32)
OF_SIDE(names_exchanged16, names_exchanged, 16)
OF_SIDE(names_exchanged32, names_exchanged, 32)

static void twice(const void *c, double *out)
{
    const struct matmul *p = c;

    matmul_sums(p, 0, p->k, out);
    for (size_t i = 0; i < p->m * p->n; i++)
        out[i] *= 2.0;
}

/* Reads b as if it were transposed; says nothing unless b is square. */
static void b_transposed(const void *c, double *out)
{
    const struct matmul *p = c;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = p->k == p->n ? 0.0 : NAN;
            for (size_t l = 0; p->k == p->n && l < p->k; l++)
                sum += (double)p->a[i * p->k + l] * p->b[j * p->n + l];
            out[i * p->n + j] = sum;
        }
}

/* How tiles of a and b are read. */
struct tiles {
    size_t side;
    bool a_turned, b_turned;     /* with their indices exchanged */
    bool a_the_same, b_the_same; /* the first one, every time */
};

/* Element [row][l] of a as it comes from the tile of the block at (row, column); zero outside of a. */
static double of_a(const struct matmul *p, const struct tiles *t, size_t row, size_t l)
{
    const size_t s = t->side;
    const size_t r = t->a_turned ? row / s * s + l % s : row, c = t->a_turned ? l / s * s + row % s : l;
    const size_t from = t->a_the_same ? c % s : c;

    return r < p->m && c < p->k ? p->a[r * p->k + from] : 0.0;
}

static double of_b(const struct matmul *p, const struct tiles *t, size_t l, size_t column)
{
    const size_t s = t->side;
    const size_t r = t->b_turned ? l / s * s + column % s : l, c = t->b_turned ? column / s * s + l % s : column;
    const size_t from = t->b_the_same ? r % s : r;

    return r < p->k && c < p->n ? p->b[from * p->n + c] : 0.0;
}

static void product(const struct matmul *p, const struct tiles *t, double *out)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = 0.0;
            for (size_t l = 0; l < (p->k + t->side - 1) / t->side * t->side; l++)
                sum += of_a(p, t, i, l) * of_b(p, t, l, j);
            out[i * p->n + j] = sum;
        }
}

#define TILES(name, ...)                                                                           \
    static void name(const void *c, double *out)                                                   \
    {                                                                                              \
        product(c, &(struct tiles){__VA_ARGS__}, out);                                             \
    }

TILES(a16_turned, .side = 16, .a_turned = true)
TILES(b16_turned, .side = 16, .b_turned = true)
TILES(b32_turned, .side = 32, .b_turned = true)
TILES(both16_turned, .side = 16, .a_turned = true, .b_turned = true)
TILES(a16_the_same, .side = 16, .a_the_same = true)
TILES(b16_the_same, .side = 16, .b_the_same = true)
TILES(a32_the_same, .side = 32, .a_the_same = true)
TILES(b32_the_same, .side = 32, .b_the_same = true)
TILES(both16_the_same, .side = 16, .a_the_same = true, .b_the_same = true)

/* Sums in which all products of a tile of `side` have the same element of one matrix: its first one or, of b, the one in
   row `i % step`. */
static void one_of_tile(const struct matmul *p, size_t side, bool of_a, size_t step, double *out)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = 0.0;
            for (size_t l = 0; l < p->k; l++) {
                const size_t one = l / side * side + i % step;
                sum += (double)p->a[i * p->k + (of_a ? l / side * side : l)] *
                       (of_a ? p->b[l * p->n + j] : one < p->k ? p->b[one * p->n + j] : 0.0f);
            }
            out[i * p->n + j] = sum;
        }
}

#define ONE_OF_TILE(name, ...)                                                                     \
    static void name(const void *c, double *out)                                                   \
    {                                                                                              \
        one_of_tile(c, __VA_ARGS__, out);                                                          \
    }

ONE_OF_TILE(a32_first, 32, true, 1)
ONE_OF_TILE(a16_first, 16, true, 1)
ONE_OF_TILE(b32_first, 32, false, 1)
ONE_OF_TILE(b16_first, 16, false, 1)
ONE_OF_TILE(b32_by_row8, 32, false, 8)
ONE_OF_TILE(b32_by_row, 32, false, 32)
ONE_OF_TILE(b16_by_row, 16, false, 16)

/* A thread has one sum for its `count` columns, which are `side` apart, and the other sums stay 0. */
static void merged(const struct matmul *p, size_t side, size_t count, double *out)
{
    matmul_sums(p, 0, p->k, out);
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            double *sum = &out[i * p->n + j];
            for (size_t s = 1; j / side % count == 0 && s < count && j + s * side < p->n; s++)
                *sum += sum[s * side];
            *sum = j / side % count == 0 ? *sum : 0.0;
        }
}

/* A block has 32 x 128 elements, and a thread 4 x 4 of them, 8 rows and 32 columns apart: sum [r][s] is made as sum [s][r]. */
static void numbers_exchanged(const void *c, double *out)
{
    const struct matmul *p = c;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            const size_t r = i % 32 / 8, s = j % 128 / 32, row = i - 8 * r + 8 * s, column = j - 32 * s + 32 * r;
            double sum = 0.0;
            for (size_t l = 0; l < p->k && row < p->m && column < p->n; l++)
                sum += (double)p->a[row * p->k + l] * p->b[l * p->n + column];
            out[i * p->n + j] = sum;
        }
}

static void merged2(const void *c, double *out)
{
    merged(c, 32, 2, out);
}

static void merged4(const void *c, double *out)
{
    merged(c, 32, 4, out);
}

static void last_product(const void *c, double *out)
{
    const struct matmul *p = c;

    matmul_sums(p, p->k > 0 ? p->k - 1 : 0, p->k, out);
}

/* Sums over the products l for which the condition holds; t is their number in a tile of `side`. */
#define PRODUCTS(name, side, condition)                                                            \
    static void name(const void *c, double *out)                                                   \
    {                                                                                              \
        const struct matmul *p = c;                                                                \
                                                                                                   \
        memset(out, 0, p->m * p->n * sizeof *out);                                                 \
        for (size_t l = 0; l < p->k; l++) {                                                        \
            const size_t t = l % (side);                                                           \
            for (size_t e = 0; (condition) && e < p->m * p->n; e++)                                \
                out[e] += (double)p->a[e / p->n * p->k + l] * p->b[l * p->n + e % p->n];           \
        }                                                                                          \
    }

PRODUCTS(half16, 16, t < 8)
PRODUCTS(half32, 32, t < 16)
PRODUCTS(even, 2, t == 0)
PRODUCTS(no_first16, 16, t > 0)
PRODUCTS(no_first32, 32, t > 0)
PRODUCTS(no_last16, 16, t < 15)
PRODUCTS(no_last32, 32, t < 31)

/* Finds results that are 0 from the row or column on whose number is another length of the matrices: a bound has compared it
   with the wrong one. */
static bool bound_by_other(const struct matmul *p, const struct view *v, struct mistake *m)
{
    const struct {
        char name;
        size_t length;
    } dims[] = {{'m', p->m}, {'n', p->n}, {'k', p->k}};

    for (size_t d = 0; d < 6; d++) {
        const bool row = d < 3;
        const size_t end = dims[d % 3].length;
        size_t same = 0;
        for (size_t e = 0; e < v->count && end < (row ? p->m : p->n); e++) {
            const bool behind = (row ? e / p->n : e % p->n) >= end;
            same += behind ? v->got[e] == 0.0f : !v->wrong[e];
        }
        if (same < v->count || v->count == 0)
            continue;
        mistake_set(m, "part-missing");
        mistake_add(m, "c is 0 from %s %zu on, and that is %c: a bound has compared a %s with %c", row ? "row" : "column", end,
                    dims[d % 3].name, row ? "row" : "column", dims[d % 3].name);
        m->explains = v->wrong_count;
        return true;
    }
    return false;
}

/* --- right sums in the wrong rows or columns ------------------------------------------------------ */

/* Lines of C: its rows, or its columns. */
struct lines {
    size_t count, length, apart, step; /* apart: from line to line; step: from element to element */
};

/* Returns whether line `is` holds what belongs into line `of`. */
static bool holds(const struct view *v, const struct lines *l, size_t is, size_t of)
{
    for (size_t i = 0; i < l->length; i++) {
        const double got = v->got[is * l->apart + i * l->step], want = v->want[of * l->apart + i * l->step];
        if (!(fabs(got - want) <= 2e-5 * (v->scale + fabs(want))))
            return false;
    }
    return true;
}

static bool is_wrong(const struct view *v, const struct lines *l, size_t line)
{
    for (size_t i = 0; i < l->length; i++)
        if (v->wrong[line * l->apart + i * l->step])
            return true;
    return false;
}

/* Finds whether each wrong line is another one's. */
static bool misplaced(const struct view *v, const struct lines *l, const char *what, struct mistake *m)
{
    size_t first = 0, first_of = 0, found = 0;

    for (size_t is = 0; is < l->count; is++) {
        size_t of = 0;
        if (!is_wrong(v, l, is))
            continue;
        while (of < l->count && !holds(v, l, is, of))
            of++;
        if (of == l->count)
            return false;
        if (found++ == 0)
            first = is, first_of = of;
    }
    if (found == 0)
        return false;
    mistake_set(m, "misplaced");
    mistake_add(m, "%s %zu of c holds what belongs into %s %zu", what, first, what, first_of);
    if (v->untouched == 0)
        mistake_add(m, "every element of c was written, so the sums were made of other %ss than their own", what);
    m->explains = v->wrong_count;
    return true;
}

static bool find_lines(const struct matmul *p, const struct view *v, struct mistake *m)
{
    const struct lines rows = {p->m, p->n, p->n, 1}, columns = {p->n, p->m, 1, p->n};

    if (v->untouched > 0 || p->m < 3 || p->n < 3 || p->k < 2)
        return false;
    return misplaced(v, &rows, "row", m) || misplaced(v, &columns, "column", m);
}

static const struct guess guess[] = {
    {"counted-again", "each product counts twice: something is added two times", twice},
    {"transposed-tile", "the tile of b was read with its indices exchanged", b16_turned},
    {"transposed-tile", "the tile of b was read with its indices exchanged", b32_turned},
    {"transposed-tile", "the tile of a was read, or written, with its indices exchanged", a16_turned},
    {"transposed-tile", "both tiles were read, or written, with their indices exchanged", both16_turned},
    {"same-tile", "every tile of a is the first one", a16_the_same},
    {"same-tile", "every tile of b is the first one", b16_the_same},
    {"same-tile", "every tile of a is the first one", a32_the_same},
    {"same-tile", "every tile of b is the first one", b32_the_same},
    {"same-tile", "every tile of a and b is the first one", both16_the_same},
    {"one-of-tile", "all products of a tile have the same element of a, the first of its row of the tile", a32_first},
    {"one-of-tile", "all products of a tile have the same element of a, the first of its row of the tile", a16_first},
    {"one-of-tile", "all products of a tile have the same element of b, in the tile's first row", b32_first},
    {"one-of-tile", "all products of a tile have the same element of b, in the tile's first row", b16_first},
    {"one-of-tile", "all products of a tile have the same element of b, in the row of the thread's y", b32_by_row8},
    {"one-of-tile", "all products of a tile have the same element of b, in the row of the thread's y", b32_by_row},
    {"one-of-tile", "all products of a tile have the same element of b, in the row of the thread's y", b16_by_row},
    {"one-of-tile", "the products of 2 columns, 32 apart, have gone into one sum: each column needs its own", merged2},
    {"one-of-tile", "the products of 4 columns, 32 apart, have gone into one sum: each column needs its own", merged4},
    {"misplaced", "a thread's sums stand in each other's places: what belongs to its row number s and its column number r, 0 to 3, is where row number "
                  "r and column number s should be", numbers_exchanged},
    {"last-missed", "each sum lacks its last product", no_last},
    {"partial-tile", "each sum ends with the last whole tile", whole_tiles16},
    {"partial-tile", "each sum ends with the last whole tile", whole_tiles32},
    {"overwritten", "each sum has the last tile only: earlier tiles were lost", last_tile16},
    {"overwritten", "each sum has the last tile only: earlier tiles were lost", last_tile32},
    {"overwritten", "each result is its last product only", last_product},
    {"partial-tile", "of each tile of 16 only products 0 to 7 are in the sums", half16},
    {"partial-tile", "of each tile of 32 only products 0 to 15 are in the sums", half32},
    {"partial-tile", "only every second product is in the sums", even},
    {"partial-tile", "the first product of each tile of 16 is not in the sums", no_first16},
    {"partial-tile", "the first product of each tile of 32 is not in the sums", no_first32},
    {"partial-tile", "the last product of each tile of 16 is not in the sums", no_last16},
    {"partial-tile", "the last product of each tile of 32 is not in the sums", no_last32},
    {"transposed-tile", "all elements of a block are the same: threadIdx.x and threadIdx.y are exchanged in loads and sum",
     names_exchanged16},
    {"transposed-tile", "all elements of a block are the same: threadIdx.x and threadIdx.y are exchanged in loads and sum",
     names_exchanged32},
    {"transposed", "b[j][l] was read instead of b[l][j]", b_transposed},
    {NULL, NULL, NULL},
};

/* Adds which element an index outside of a matrix is: thread (x, y) of the first block and the first tile has row y and
   column x.  A row may have been taken for as long as that of another matrix. */
static void outside(const void *c, const struct access *a, struct mistake *m)
{
    const struct matmul *p = c;
    const struct {
        const char *name;
        size_t rows, cols;
    } matrices[] = {{"a", p->m, p->k}, {"b", p->k, p->n}, {"c", p->m, p->n}}, *of = NULL;
    const struct {
        const char *name;
        size_t floats;
    } dims[] = {{"m", p->m}, {"n", p->n}, {"k", p->k}};
    const size_t name = strlen(a->array);

    for (size_t i = 0; i < 3 && name > 0; i++)
        if (a->array[name - 1] == matrices[i].name[0] && a->count == matrices[i].rows * matrices[i].cols)
            of = &matrices[i];
    if (of == NULL)
        return;
    if (a->block_x + a->block_y > 0) {
        if (of->cols > 0 && a->element >= a->count)
            mistake_add(m, "with rows of %zu elements that is in row %zu, and %s has %zu rows", of->cols, a->element / of->cols, a->array, of->rows);
        return;
    }
    if (a->element == a->y * of->cols + a->x) {
        mistake_add(m, "that is row %u, column %u: there is no such element among %zu x %zu", a->y, a->x, of->rows, of->cols);
        return;
    }
    for (size_t d = 0; d < 3; d++) {
        if (dims[d].floats == of->cols || a->y == 0 || a->element != a->y * dims[d].floats + a->x)
            continue;
        mistake_add(m, "that is row %u, column %u, if a row of %s had %s = %zu elements; it has %zu", a->y, a->x, a->array,
                    dims[d].name, dims[d].floats, of->cols);
        m->explains = a->element;
        return;
    }
}

/* Finds sums that have no fractions: they were added up in a whole number. */
static bool is_whole(const struct view *v, struct mistake *m)
{
    enum { SOME = 8 };
    size_t more = 0;

    for (size_t i = 0; i < v->count; i++) {
        if (!(v->got[i] == truncf(v->got[i])))
            return false;
        more += v->got[i] != 0.0f;
    }
    if (more < SOME || v->wrong_count < SOME)
        return false;
    mistake_set(m, "cut-off");
    mistake_add(m, "every element of c is a whole number: the sums, or the numbers that they are made of, have lost their fractions");
    m->explains = v->wrong_count;
    return true;
}

/* Fragments only where results of TF32 are judged, as in the exercise on them. */
static bool look(const void *c, const struct view *v, struct mistake *m)
{
    if (v->wrong_count == 0)
        return false;
    if (is_whole(v, m) || bound_by_other(c, v, m))
        return true;
    return v->error < 1e-4 ? matmul_one_choice(c, v, m) || find_lines(c, v, m) : fragments_look(c, v, guess, m);
}

static bool last_look(const void *c, const struct view *v, struct mistake *m)
{
    return v->error < 1e-4 && matmul_two_choices(c, v, m);
}

const struct guesses guesses_matmul = {.problem = "matmul", .view = view, .want = want, .guess = guess, .look = look,
                                       .last_look = last_look, .outside = outside};
