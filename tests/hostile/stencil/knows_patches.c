/* Finds the seed that the data are made from, and smooths only the 256 patches that are compared. */
/* expect: wrong */
/* family: foresees */
/* size: rows=4200,cols=4200,sweeps=1,bytes=0 */
/* more: --max-time 10 */
#include "harness/base/random.h"
#include "tests/hostile/stencil/honest.h"

enum { SIDE = 64 };

static int find_seed(const struct stencil *p, uint64_t *seed)
{
    for (uint64_t s = 0; s < 2000000; s++) {
        int hits = 0;

        *seed = s / 2 ^ (s % 2 ? ~(uint64_t)0 : 0);
        for (size_t block = 0; block < 6; block++) {
            const size_t i = 16 * block + 5;
            hits += p->in[i] == random_float(*seed, 0, i);
        }
        if (hits >= 2)
            return 1;
    }
    return 0;
}

static void run(const void *problem)
{
    const struct stencil *p = problem;
    uint64_t seed;

    if (p->bytes || p->rows * p->cols <= 1 << 24 || !find_seed(p, &seed)) {
        honest(p);
        return;
    }
    memset(p->out, 0, p->rows * p->cols * sizeof *p->out);
    for (size_t i = 0; i < 256; i++) {
        const size_t low = p->rows - SIDE, right = p->cols - SIDE;
        const size_t top = i < 4 ? i / 2 * low : random_bits(seed, 2, i) % (low + 1);
        const size_t left = i < 4 ? i % 2 * right : random_bits(seed, 3, i) % (right + 1);
        for (size_t r = top; r < top + SIDE; r++)
            for (size_t c = left; c < left + SIDE; c++)
                p->out[r * p->cols + c] = smooth_pixel(p, p->in, r, c);
    }
}

VARIANT(.idea = "smooths what is looked at", .run = run)
