/* matmul: the results of typical mistakes in the indices of a sum of products. */
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

/* Reads tiles of b, side 16 or 32, with their indices exchanged; zero outside of b. */
static void tile_transposed(const struct matmul *p, size_t side, double *out)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = 0.0;
            for (size_t l = 0; l < (p->k + side - 1) / side * side; l++) {
                size_t row = l / side * side + j % side, column = j / side * side + l % side;
                if (l < p->k && row < p->k && column < p->n)
                    sum += (double)p->a[i * p->k + l] * p->b[row * p->n + column];
            }
            out[i * p->n + j] = sum;
        }
}

static void tile16_transposed(const void *c, double *out)
{
    tile_transposed(c, 16, out);
}

static void tile32_transposed(const void *c, double *out)
{
    tile_transposed(c, 32, out);
}

static const struct guess guess[] = {
    {"transposed-tile", "the tile of b was read with its indices exchanged", tile16_transposed},
    {"transposed-tile", "the tile of b was read with its indices exchanged", tile32_transposed},
    {"last-missed", "each sum lacks its last product", no_last},
    {"partial-tile", "each sum ends with the last whole tile of 16", whole_tiles},
    {"overwritten", "each sum has the last tile of 16 only: earlier tiles were lost", last_tile},
    {"transposed", "b[j][l] was read instead of b[l][j]", b_transposed},
    {NULL, NULL, NULL},
};

const struct guesses guesses_matmul = {"matmul", view, want, guess, NULL};
