/* matmul: the results of typical mistakes in the indices of a sum of products, and in the fragments of mma.sync. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/matmul.h"
#include "workshop/lab/pattern.h"

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
static void sums(const struct matmul *p, size_t first, size_t last, double *out)
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

    sums(p, 0, p->k, out);
}

static void no_last(const void *c, double *out)
{
    const struct matmul *p = c;

    sums(p, 0, p->k > 0 ? p->k - 1 : 0, out);
}

static void whole_tiles(const void *c, double *out)
{
    const struct matmul *p = c;

    sums(p, 0, p->k / 16 * 16, out);
}

static void last_tile(const void *c, double *out)
{
    const struct matmul *p = c;

    sums(p, p->k > 0 ? (p->k - 1) / 16 * 16 : 0, p->k, out);
}

/* Reads b as if it were transposed; only if b is square. */
static void b_transposed(const void *c, double *out)
{
    const struct matmul *p = c;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = 0.0;
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

static void last_product(const void *c, double *out)
{
    const struct matmul *p = c;

    sums(p, p->k > 0 ? p->k - 1 : 0, p->k, out);
}

/* --- fragments of mma.sync.m16n8k8 ---------------------------------------------------------------- */

/* Where lane 4g + t reads its registers of a and b, and writes those of c.  RIGHT is the manual's. */
enum fragment { RIGHT, REGISTERS, TURNED, PAIRS, SINGLES, IN_ROWS, TRANSPOSED, NEXT_ROW, ROW_PAIRS };

struct fragments {
    enum fragment a, b, c;
    bool first_rows, first_columns; /* of a and of b, for every tile */
    bool first_of_a, first_of_b;    /* the first slice, every time */
    bool a_shape, b_shape;          /* taken for a matrix of so many rows as it has columns, and the other way round */
};

struct place {
    size_t row, column;
};

static struct place place_a(enum fragment how, size_t g, size_t t, size_t i)
{
    const size_t low = i % 2, high = i / 2;

    switch (how) {
    case REGISTERS: return (struct place){g + 8 * high, t + 4 * low};
    case TURNED: return (struct place){t + 8 * low, g + 4 * high};
    case PAIRS: return (struct place){g + 8 * low, 2 * t + high};
    case NEXT_ROW: return (struct place){g + low, t + 4 * high};
    case ROW_PAIRS: return (struct place){2 * g + low, t + 4 * high};
    default: return (struct place){g + 8 * low, t + 4 * high};
    }
}

static struct place place_b(enum fragment how, size_t g, size_t t, size_t i)
{
    switch (how) {
    case TURNED: return (struct place){g, t + 4 * i};
    case PAIRS: return (struct place){2 * t + i, g};
    case REGISTERS: return (struct place){t + 4 * (1 - i), g};
    case NEXT_ROW: return (struct place){t + i, g};
    default: return (struct place){t + 4 * i, g};
    }
}

static struct place place_c(enum fragment how, size_t g, size_t t, size_t i)
{
    const size_t low = i % 2, high = i / 2, in_order = 4 * g + t + 32 * i;

    switch (how) {
    case REGISTERS: return (struct place){g + 8 * low, 2 * t + high};
    case SINGLES: return (struct place){g + 8 * high, t + 4 * low};
    case PAIRS: return (struct place){2 * g + high, 2 * t + low};
    case NEXT_ROW: return (struct place){g + high, 2 * t + low};
    case IN_ROWS: return (struct place){in_order / 8, in_order % 8};
    default: return (struct place){g + 8 * high, 2 * t + low};
    }
}

static double element(const float *matrix, size_t rows, size_t columns, struct place at)
{
    return at.row < rows && at.column < columns ? matrix[at.row * columns + at.column] : 0.0;
}

static double element_of_a(const struct matmul *p, const struct fragments *f, struct place at)
{
    return f->a_shape ? element(p->a, p->k, p->m, at) : element(p->a, p->m, p->k, at);
}

static double element_of_b(const struct matmul *p, const struct fragments *f, struct place at)
{
    const size_t turned = at.column * p->k + at.row;

    if (f->b_shape)
        return element(p->b, p->n, p->k, at);
    if (f->b != TRANSPOSED || at.row >= p->k || at.column >= p->n)
        return element(p->b, p->k, p->n, at);
    return turned < p->k * p->n ? p->b[turned] : 0.0;
}

/* Adds the products of a slice of 8 to a tile of 16 x 8. */
static void add_slice(const struct matmul *p, const struct fragments *f, struct place tile, size_t slice,
                      double c[16][8])
{
    const size_t row0 = f->first_rows ? 0 : tile.row, column0 = f->first_columns ? 0 : tile.column;
    const size_t slice_a = f->first_of_a ? 0 : slice, slice_b = f->first_of_b ? 0 : slice;
    double a[16][8], b[8][8];

    for (size_t lane = 0; lane < 32; lane++) {
        const size_t g = lane / 4, t = lane % 4;
        for (size_t i = 0; i < 4; i++) {
            const struct place in = place_a(RIGHT, g, t, i), from = place_a(f->a, g, t, i);
            a[in.row][in.column] = element_of_a(p, f, (struct place){row0 + from.row, slice_a + from.column});
        }
        for (size_t i = 0; i < 2; i++) {
            const struct place in = place_b(RIGHT, g, t, i), from = place_b(f->b, g, t, i);
            b[in.row][in.column] = element_of_b(p, f, (struct place){slice_b + from.row, column0 + from.column});
        }
    }
    for (size_t r = 0; r < 16; r++)
        for (size_t j = 0; j < 8; j++)
            for (size_t l = 0; l < 8; l++)
                c[r][j] += a[r][l] * b[l][j];
}

static void by_fragments(const struct matmul *p, const struct fragments *f, double *out)
{
    for (size_t i = 0; i < p->m * p->n; i++)
        out[i] = NAN; /* where nothing is written */
    for (struct place tile = {0, 0}; tile.row < p->m; tile.row += 16)
        for (tile.column = 0; tile.column < p->n; tile.column += 8) {
            double c[16][8] = {{0.0}};
            for (size_t slice = 0; slice < p->k; slice += 8)
                add_slice(p, f, tile, slice, c);
            for (size_t lane = 0; lane < 32; lane++)
                for (size_t i = 0; i < 4; i++) {
                    const struct place from = place_c(RIGHT, lane / 4, lane % 4, i);
                    const struct place to = place_c(f->c, lane / 4, lane % 4, i);
                    if (tile.row + to.row < p->m && tile.column + to.column < p->n)
                        out[(tile.row + to.row) * p->n + tile.column + to.column] = c[from.row][from.column];
                }
        }
}

#define FRAGMENTS(name, ...)                                                                       \
    static void name(const void *c, double *out)                                                   \
    {                                                                                              \
        by_fragments(c, &(struct fragments){__VA_ARGS__}, out);                                    \
    }

FRAGMENTS(a_registers, .a = REGISTERS)
FRAGMENTS(a_turned, .a = TURNED)
FRAGMENTS(a_in_pairs, .a = PAIRS)
FRAGMENTS(a_next_row, .a = NEXT_ROW)
FRAGMENTS(a_row_pairs, .a = ROW_PAIRS)
FRAGMENTS(a_shape, .a_shape = true)
FRAGMENTS(b_shape, .b_shape = true)
FRAGMENTS(rows_of_first, .first_rows = true)
FRAGMENTS(columns_of_first, .first_columns = true)
FRAGMENTS(first_slice_of_a, .first_of_a = true)
FRAGMENTS(first_slice_of_b, .first_of_b = true)
FRAGMENTS(first_slices, .first_of_a = true, .first_of_b = true)
FRAGMENTS(b_turned, .b = TURNED)
FRAGMENTS(b_in_pairs, .b = PAIRS)
FRAGMENTS(b_transposed_there, .b = TRANSPOSED)
FRAGMENTS(b_registers, .b = REGISTERS)
FRAGMENTS(b_next_row, .b = NEXT_ROW)
FRAGMENTS(c_next_row, .c = NEXT_ROW)
FRAGMENTS(c_registers, .c = REGISTERS)
FRAGMENTS(c_in_singles, .c = SINGLES)
FRAGMENTS(c_rows_in_pairs, .c = PAIRS)
FRAGMENTS(c_in_rows, .c = IN_ROWS)

static void last_slice(const void *c, double *out)
{
    const struct matmul *p = c;

    sums(p, p->k > 0 ? (p->k - 1) / 8 * 8 : 0, p->k, out);
}

static void no_first_slice(const void *c, double *out)
{
    const struct matmul *p = c;

    sums(p, 8, p->k, out);
}

static void twice(const void *c, double *out)
{
    const struct matmul *p = c;

    sums(p, 0, p->k, out);
    for (size_t i = 0; i < p->m * p->n; i++)
        out[i] *= 2.0;
}

static void whole_slices(const void *c, double *out)
{
    const struct matmul *p = c;

    sums(p, 0, p->k / 8 * 8, out);
}

/* Sums of which only some products of each eight, or of each sixteen, are in it. */
static void some_products(const struct matmul *p, size_t of, size_t first, size_t end, double *out)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = 0.0;
            for (size_t l = 0; l < p->k; l++)
                sum += l % of >= first && l % of < end ? (double)p->a[i * p->k + l] * p->b[l * p->n + j] : 0.0;
            out[i * p->n + j] = sum;
        }
}

static void overlapping_slices(const void *c, double *out)
{
    const struct matmul *p = c;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = 0.0;
            for (size_t l = 0; l < p->k; l++)
                sum += (l < 4 ? 1.0 : 2.0) * (double)p->a[i * p->k + l] * p->b[l * p->n + j];
            out[i * p->n + j] = sum;
        }
}

static void every_other_slice(const void *c, double *out)
{
    some_products(c, 16, 0, 8, out);
}

static void first_half(const void *c, double *out)
{
    some_products(c, 8, 0, 4, out);
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
    {"wrong-fragment", "registers 1 and 2 of a stand in each other's place", a_registers},
    {"wrong-fragment", "in the fragment of a, g and t are exchanged: g belongs to the row", a_turned},
    {"wrong-fragment", "the fragment of a has columns 2t and 2t + 1, and should have t and t + 4", a_in_pairs},
    {"wrong-fragment", "the fragment of a has rows g and g + 1, and should have g and g + 8", a_next_row},
    {"wrong-fragment", "the fragment of a has rows 2g and 2g + 1, and should have g and g + 8", a_row_pairs},
    {"wrong-fragment", "the matrix a was read as k rows of m, and has m rows of k", a_shape},
    {"wrong-fragment", "the matrix b was read as n rows of k, and has k rows of n", b_shape},
    {"same-tile", "every tile has multiplied the first 16 rows of a: row0 is missing", rows_of_first},
    {"same-tile", "every tile has multiplied the first 8 columns of b: column0 is missing", columns_of_first},
    {"same-tile", "a's columns 0 to 7 were taken in every slice: l is missing", first_slice_of_a},
    {"same-tile", "b's rows 0 to 7 were taken in every slice: l is missing", first_slice_of_b},
    {"same-tile", "the first slice was taken every time: l is missing", first_slices},
    {"counted-again", "slices that begin 4 apart overlap: most products are counted twice", overlapping_slices},
    {"wrong-fragment", "in the fragment of b, g and t are exchanged: t belongs to the row", b_turned},
    {"wrong-fragment", "registers 0 and 1 of b stand in each other's place", b_registers},
    {"wrong-fragment", "the fragment of b has rows t and t + 1, and should have t and t + 4", b_next_row},
    {"wrong-fragment", "c was written to rows g and g + 1, and a lane has g and g + 8", c_next_row},
    {"wrong-fragment", "the fragment of b has rows 2t and 2t + 1, and should have t and t + 4", b_in_pairs},
    {"wrong-fragment", "b was read as if its columns lay in memory one after another: its rows do", b_transposed_there},
    {"wrong-fragment", "registers 1 and 2 of c were written to each other's place", c_registers},
    {"wrong-fragment", "c was written to columns t and t + 4, and a lane has 2t and 2t + 1", c_in_singles},
    {"wrong-fragment", "c was written to rows 2g and 2g + 1, and a lane has g and g + 8", c_rows_in_pairs},
    {"wrong-fragment", "c was written in the order of lanes, as before: mma leaves other elements with each lane", c_in_rows},
    {"overwritten", "each sum has the last slice of 8 only: the slices before were lost", last_slice},
    {"counted-again", "each product counts twice: something is added two times", twice},
    {"first-missed", "the first slice of 8 was left out", no_first_slice},
    {"partial-tile", "each sum ends with the last whole slice of 8", whole_slices},
    {"wrong-half", "every other slice of 8 was left out", every_other_slice},
    {"wrong-half", "of each slice of 8 only the first four products are in the sums", first_half},
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
    {"overwritten", "each result is its last product only", last_product},
    {"last-missed", "each sum lacks its last product", no_last},
    {"partial-tile", "each sum ends with the last whole tile of 16", whole_tiles},
    {"overwritten", "each sum has the last tile of 16 only: earlier tiles were lost", last_tile},
    {"transposed", "b[j][l] was read instead of b[l][j]", b_transposed},
    {NULL, NULL, NULL},
};

/* --- any other fragment --------------------------------------------------------------------------- */

/* Where C is one tile and one slice, 16 x 8 x 8, the fragments follow from the result: C divided by B is what the lanes had
   of A, and C divided by A is what they had of B. */
enum { ROWS = 16, SIDE = 8 };

struct tile {
    double a[ROWS][SIDE], b[SIDE][SIDE], c[ROWS][SIDE];
};

/* As at() of the exercise rounds. */
static double as_tf32(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x1000) & ~UINT32_C(0x1fff);
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void read_tile(const struct matmul *p, struct tile *t)
{
    for (size_t i = 0; i < ROWS * SIDE; i++) {
        t->a[i / SIDE][i % SIDE] = as_tf32(p->a[i]);
        t->c[i / SIDE][i % SIDE] = p->c[i];
    }
    for (size_t i = 0; i < SIDE * SIDE; i++)
        t->b[i / SIDE][i % SIDE] = as_tf32(p->b[i]);
}

/* Solves m * x = y for `columns` columns of y by elimination with pivots; y becomes x. */
static void solve(double m[SIDE][SIDE], double y[SIDE][ROWS], size_t columns)
{
    for (size_t d = 0; d < SIDE; d++) {
        size_t best = d;
        for (size_t r = d; r < SIDE; r++)
            best = fabs(m[r][d]) > fabs(m[best][d]) ? r : best;
        for (size_t j = 0; j < SIDE; j++) {
            const double kept = m[d][j];
            m[d][j] = m[best][j];
            m[best][j] = kept;
        }
        for (size_t j = 0; j < columns; j++) {
            const double kept = y[d][j];
            y[d][j] = y[best][j];
            y[best][j] = kept;
        }
        for (size_t r = 0; r < SIDE; r++) {
            const double factor = r == d ? 0.0 : m[r][d] / m[d][d];
            for (size_t j = 0; j < SIDE; j++)
                m[r][j] -= factor * m[d][j];
            for (size_t j = 0; j < columns; j++)
                y[r][j] -= factor * y[d][j];
        }
    }
    for (size_t r = 0; r < SIDE; r++)
        for (size_t j = 0; j < columns; j++)
            y[r][j] /= m[r][r];
}

/* C divided by B: a' * b = c, for all rows. */
static void find_a(const struct tile *t, double a[ROWS][SIDE])
{
    double m[SIDE][SIDE], y[SIDE][ROWS];

    for (size_t r = 0; r < SIDE; r++) {
        for (size_t j = 0; j < SIDE; j++)
            m[r][j] = t->b[j][r];
        for (size_t i = 0; i < ROWS; i++)
            y[r][i] = t->c[i][r];
    }
    solve(m, y, ROWS);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < SIDE; j++)
            a[i][j] = y[j][i];
}

/* C divided by A: a * b' = c, by the method of least squares. */
static void find_b(const struct tile *t, double b[SIDE][SIDE])
{
    double m[SIDE][SIDE] = {{0.0}}, y[SIDE][ROWS] = {{0.0}};

    for (size_t r = 0; r < SIDE; r++)
        for (size_t j = 0; j < SIDE; j++)
            for (size_t i = 0; i < ROWS; i++) {
                m[r][j] += t->a[i][r] * t->a[i][j];
                y[r][j] += t->a[i][r] * t->c[i][j];
            }
    solve(m, y, SIDE);
    for (size_t r = 0; r < SIDE; r++)
        for (size_t j = 0; j < SIDE; j++)
            b[r][j] = y[r][j];
}

/* Finds the number among those of a matrix of 8 columns, or 0.  Returns false if it is none of them. */
static bool find_number(double x, const double *matrix, size_t count, char *name, size_t room, char letter)
{
    enum { NEAR = 10000 };

    snprintf(name, room, "0");
    for (size_t i = 0; i < count; i++)
        if (fabs(matrix[i] - x) * NEAR < 1.0) {
            snprintf(name, room, "%c[%zu][%zu]", letter, i / SIDE, i % SIDE);
            return true;
        }
    return fabs(x) * NEAR < 1.0;
}

/* If every number found is one of the right ones, names the first that is at another one's place. */
static bool name_fragment(const double *found, const double *right, size_t count, char letter, struct mistake *m)
{
    char name[32], held[32] = "";
    size_t first = count;

    for (size_t i = 0; i < count; i++) {
        if (!find_number(found[i], right, count, name, sizeof name, letter))
            return false;
        if (first == count && fabs(found[i] - right[i]) > 1e-4) {
            first = i;
            snprintf(held, sizeof held, "%s", name);
        }
    }
    if (first == count)
        return false;
    const size_t r = first / SIDE, j = first % SIDE;
    const size_t lane = letter == 'a' ? 4 * (r % 8) + j % 4 : letter == 'b' ? 4 * j + r % 4 : 4 * (r % 8) + j / 2;
    const size_t i = letter == 'a' ? r / 8 + j / 4 * 2 : letter == 'b' ? r / 4 : r / 8 * 2 + j % 2;
    mistake_set(m, "wrong-fragment");
    if (letter == 'c')
        mistake_add(m, "c[%zu] of lane %zu belongs to c[%zu][%zu], where now %s is", i, lane, r, j, held);
    else
        mistake_add(m, "lane %zu should have %c[%zu][%zu] in its register %c[%zu], and has %s", lane, letter, r, j, letter,
                    i, held);
    return true;
}

static bool first_tile_is_right(const struct matmul *p, const struct view *v)
{
    for (size_t i = 0; i < ROWS && i < p->m; i++)
        for (size_t j = 0; j < SIDE && j < p->n; j++)
            if (v->wrong[i * p->n + j])
                return false;
    return true;
}

static bool find_fragment(const struct matmul *p, const struct view *v, struct mistake *m)
{
    struct tile t;
    double a[ROWS][SIDE], b[SIDE][SIDE], right[ROWS][SIDE] = {{0.0}};

    if (p->m != ROWS || p->n != SIDE || p->k != SIDE)
        return false;
    read_tile(p, &t);
    find_a(&t, a);
    find_b(&t, b);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < SIDE; j++)
            for (size_t l = 0; l < SIDE; l++)
                right[i][j] += t.a[i][l] * t.b[l][j];
    if (!name_fragment(t.c[0], right[0], ROWS * SIDE, 'c', m) && !name_fragment(a[0], t.a[0], ROWS * SIDE, 'a', m) &&
        !name_fragment(b[0], t.b[0], SIDE * SIDE, 'b', m))
        return false;
    m->explains = v->wrong_count;
    return true;
}

/* Fragments only where results of TF32 are judged, as in the exercise on them. */
static bool look(const void *c, const struct view *v, struct mistake *m)
{
    if (v->wrong_count == 0)
        return false;
    if (v->error < 1e-4)
        return find_lines(c, v, m);
    if (view_guessed(&guesses_matmul, c, v))
        return false;
    if (!first_tile_is_right(c, v))
        return find_fragment(c, v, m);
    mistake_set(m, "wrong-part");
    mistake_add(m, "the first tile of c is right, and others are not");
    return true;
}

const struct guesses guesses_matmul = {"matmul", view, want, guess, look};
