/*
 * mma.sync.m16n8k8 multiplies a slice of 16 x 8 numbers of A by one of 8 x 8 of B.  Each lane of a warp holds some of
 * them, its fragments.  A guess says which wrong ones the lanes had, or which slices were left out.
 */
#include "workshop/lab/guess_fragments.h"

#include <math.h>
#include <stdlib.h>

#include "workshop/lab/guess_lane_sums.h"

/* Where lane 4g + t reads its registers of a and b, and writes those of c.  RIGHT is the manual's. */
enum fragment { RIGHT, REGISTERS, TURNED, PAIRS, SINGLES, IN_ROWS, TRANSPOSED, NEXT_ROW, ROW_PAIRS, ONE_ROW, ONE_COLUMN, NO_TWO, BY_ROWS };

struct fragments {
    enum fragment a, b, c;
    bool by_eight;                  /* g is lane % 8, and t is lane / 8 */
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
    case BY_ROWS: return (struct place){g + 8 * high, 2 * t + low};
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
    case ONE_ROW: return (struct place){g, 2 * t + low};
    case ONE_COLUMN: return (struct place){g + 8 * high, 2 * t};
    case NO_TWO: return (struct place){g + 8 * high, t + low};
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
        const size_t own_g = f->by_eight ? lane % 8 : g, own_t = f->by_eight ? lane / 8 : t;
        for (size_t i = 0; i < 4; i++) {
            const struct place in = place_a(RIGHT, g, t, i), from = place_a(f->a, own_g, own_t, i);
            a[in.row][in.column] = element_of_a(p, f, (struct place){row0 + from.row, slice_a + from.column});
        }
        for (size_t i = 0; i < 2; i++) {
            const struct place in = place_b(RIGHT, g, t, i), from = place_b(f->b, own_g, own_t, i);
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
                    const struct place to = f->by_eight ? place_c(f->c, lane % 8, lane / 8, i)
                                                        : place_c(f->c, lane / 4, lane % 4, i);
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
FRAGMENTS(by_eight, .by_eight = true)
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
FRAGMENTS(c_one_row, .c = ONE_ROW)
FRAGMENTS(c_one_column, .c = ONE_COLUMN)
FRAGMENTS(c_no_two, .c = NO_TWO)

/* --- slices of 8 ---------------------------------------------------------------------------------- */

static void last_slice(const void *c, double *out)
{
    const struct matmul *p = c;

    matmul_sums(p, p->k > 0 ? (p->k - 1) / 8 * 8 : 0, p->k, out);
}

static void no_first_slice(const void *c, double *out)
{
    const struct matmul *p = c;

    matmul_sums(p, 8, p->k, out);
}

static void whole_slices(const void *c, double *out)
{
    const struct matmul *p = c;

    matmul_sums(p, 0, p->k / 8 * 8, out);
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

/* The sums if the slices of 8 begin `step` apart, and overlap. */
static void overlap(const struct matmul *p, size_t step, double *out)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = 0.0;
            for (size_t l = 0; l < p->k; l++)
                sum += (double)(l < 8 - step ? l / step + 1 : 8 / step) * p->a[i * p->k + l] * p->b[l * p->n + j];
            out[i * p->n + j] = sum;
        }
}

static void overlapping_slices(const void *c, double *out)
{
    overlap(c, 4, out);
}

static void slices_of_one(const void *c, double *out)
{
    overlap(c, 1, out);
}

/* Slice s begins at s, and there are as many as with slices of 8. */
static void slices_by_number(const void *c, double *out)
{
    const struct matmul *p = c;
    const size_t slices = (p->k + 7) / 8;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = 0.0;
            for (size_t s = 0; s < slices; s++)
                for (size_t l = s; l < s + 8 && l < p->k; l++)
                    sum += (double)p->a[i * p->k + l] * p->b[l * p->n + j];
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

static const struct guess guess[] = {
    {"wrong-fragment", "registers 1 and 2 of a stand in each other's place", a_registers},
    {"wrong-fragment", "g was taken for lane % 8 and t for lane / 8: lane 4g + t has g = lane / 4 and t = lane % 4", by_eight},
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
    {"counted-again", "slices that begin 1 apart overlap: most products are counted eight times", slices_of_one},
    {"counted-again", "slice number s begins at s, and not at 8 * s: slices overlap, and do not reach the end", slices_by_number},
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
    {"wrong-fragment", "all four sums of a lane were written to row g: c[2] and c[3] belong to row g + 8", c_one_row},
    {"wrong-fragment", "c[0] and c[1] were written to one column, and c[2] and c[3] too: they belong to 2t and 2t + 1", c_one_column},
    {"wrong-fragment", "c[0] was written to column t, and a lane has that of column 2t", c_no_two},
    {"overwritten", "each sum has the last slice of 8 only: the slices before were lost", last_slice},
    {"first-missed", "the first slice of 8 was left out", no_first_slice},
    {"partial-tile", "each sum ends with the last whole slice of 8", whole_slices},
    {"wrong-half", "every other slice of 8 was left out", every_other_slice},
    {"wrong-half", "of each slice of 8 only the first four products are in the sums", first_half},
    {NULL, NULL, NULL},
};

/* --- the fragments of both ------------------------------------------------------------------------ */

static const struct {
    enum fragment how;
    const char *text;
} of_a[] = {{REGISTERS, "registers 1 and 2 of a stand in each other's place"},
            {TURNED, "in the fragment of a, g and t are exchanged"},
            {PAIRS, "the fragment of a has columns 2t and 2t + 1, and should have t and t + 4"},
            {NEXT_ROW, "the fragment of a has rows g and g + 1, and should have g and g + 8"},
            {BY_ROWS, "a[0] and a[1] are row g, columns 2t and 2t + 1, and should be rows g and g + 8 of column t"}},
  of_b[] = {{TURNED, "in the fragment of b, g and t are exchanged"},
            {PAIRS, "the fragment of b has rows 2t and 2t + 1, and should have t and t + 4"},
            {NEXT_ROW, "the fragment of b has rows t and t + 1, and should have t and t + 4"},
            {RIGHT, NULL}};

static void tell_both(const char *a, const char *b, const struct view *v, struct mistake *m)
{
    mistake_set(m, "wrong-fragment");
    mistake_add(m, "%s", a);
    if (b != NULL)
        mistake_add(m, "%s", b);
    m->explains = v->wrong_count;
}

/* Looks for a mistake in both fragments, or for one of a that is in no guess. */
static bool find_both(const struct matmul *p, const struct view *v, struct mistake *m)
{
    enum { COUNT_A = sizeof of_a / sizeof *of_a, COUNT_B = sizeof of_b / sizeof *of_b };
    double *out = malloc((p->m * p->n + 1) * sizeof *out);
    bool found = false;

    for (size_t i = 0; out != NULL && !found && i < COUNT_A * COUNT_B; i++) {
        by_fragments(p, &(struct fragments){.a = of_a[i / COUNT_B].how, .b = of_b[i % COUNT_B].how}, out);
        found = result_equals(v, out);
        if (found)
            tell_both(of_a[i / COUNT_B].text, of_b[i % COUNT_B].text, v, m);
    }
    free(out);
    return found;
}

/* --- all of them ---------------------------------------------------------------------------------- */

enum { TILE_ROWS = 16, TILE_COLUMNS = 8 };

static bool first_tile_is_right(const struct matmul *p, const struct view *v)
{
    for (size_t i = 0; i < TILE_ROWS && i < p->m; i++)
        for (size_t j = 0; j < TILE_COLUMNS && j < p->n; j++)
            if (v->wrong[i * p->n + j])
                return false;
    return true;
}

bool fragments_look(const struct matmul *p, const struct view *v, const struct guess *others, struct mistake *m)
{
    if (pattern_guess(guess, p, v, m) || find_both(p, v, m) || pattern_guess(others, p, v, m) || lane_sums_look(p, v, m))
        return true;
    if (!first_tile_is_right(p, v))
        return fragments_of_tile(p, v, m);
    mistake_set(m, "wrong-part");
    mistake_add(m, "the first tile of c is right, and others are not");
    return true;
}
