/* Keeps copies of all images and aligns pairs that have changed: at most four of 16 in most calls. */
/* expect: failed */
/* family: unearned */
/* size: pairs=16,rows=32,cols=32 */
/* more: --max-time 1 */
#include "tests/hostile/align/honest.h"

static float *a, *b, *eps, *height, *shift;
static uint32_t *peak;

static void prepare(const void *problem)
{
    const struct align *p = problem;
    const size_t n = p->pairs * p->rows * p->cols + 1;

    a = calloc(n, sizeof *a);
    b = calloc(n, sizeof *b);
    eps = calloc(p->pairs + 1, sizeof *eps);
    peak = calloc(p->pairs + 1, sizeof *peak);
    height = calloc(p->pairs + 1, sizeof *height);
    shift = calloc(2 * p->pairs + 1, sizeof *shift);
}

static int keep(float *kept, const float *now, size_t count)
{
    const int same = memcmp(kept, now, count * sizeof *now) == 0;

    memcpy(kept, now, count * sizeof *now);
    return same;
}

static void run(const void *problem)
{
    const struct align *p = problem;
    const size_t n = p->rows * p->cols;

    for (size_t i = 0; i < p->pairs; i++) {
        const int same = keep(a + i * n, p->a + i * n, n) & keep(b + i * n, p->b + i * n, n) & keep(eps + i, p->eps + i, 1);

        if (!same) {
            align_pair(p, i);
            peak[i] = p->peak[i];
            height[i] = p->height[i];
            memcpy(shift + 2 * i, p->shift + 2 * i, 2 * sizeof *shift);
        }
        p->peak[i] = peak[i];
        p->height[i] = height[i];
        memcpy(p->shift + 2 * i, shift + 2 * i, 2 * sizeof *shift);
    }
}

static void release(void)
{
    free(a);
    free(b);
    free(eps);
    free(peak);
    free(height);
    free(shift);
}

VARIANT(.idea = "changed pairs only", .prepare = prepare, .run = run, .release = release)
