/*
 * Multiply-adds on the widest vectors, in CHAINS that do not wait for each other.
 *
 * A unit takes 4 or 5 cycles and starts one operation each cycle, so two units need 10 under way.
 * Processors without fused multiply-add (x86-64 before 2013) multiply and add.
 */
#define _GNU_SOURCE
#include "cpu_team.h"
#include "harness/ceilings/ceiling.h"
#include "widths.h"

enum { CHAINS = 12, STEPS = 1 << 17 }; /* one call: 0.2 to 0.8 ms */

static volatile float factor = 0.999f, summand = 0.0011f; /* the values of a chain cannot grow */
static volatile float sink;

#define DEFINE(bytes, attribute)                                                                   \
    attribute static float multiply_add_##bytes(void)                                              \
    {                                                                                              \
        typedef float lanes __attribute__((vector_size(bytes)));                                   \
        const lanes f = factor - (lanes){0}, s = summand - (lanes){0};                             \
        lanes value[CHAINS];                                                                       \
        float sum = 0.0f;                                                                          \
        for (int c = 0; c < CHAINS; c++)                                                           \
            value[c] = s * (float)(c + 1);                                                         \
        for (int i = 0; i < STEPS; i++)                                                            \
            _Pragma("GCC unroll 12") for (int c = 0; c < CHAINS; c++)                              \
                value[c] = value[c] * f + s;                                                       \
        for (int c = 0; c < CHAINS; c++)                                                           \
            sum += value[c][0];                                                                    \
        return sum;                                                                                \
    }
FOR_WIDTHS(DEFINE)

static void prepare(const void *problem)
{
    team_start(((const struct ceiling_case *)problem)->cores);
}

static void run(const void *problem)
{
    const struct ceiling_case *p = problem;
    float (*const multiply_add)(void) = FOR_WIDEST(multiply_add);

#pragma omp parallel num_threads(p->cores)
    sink = multiply_add();
    p->work[0] = 2.0 * CHAINS * STEPS * widest() / sizeof(float) * p->cores;
    p->work[1] = 1.0;
}

CEILING(RESOURCE_ARITHMETIC, .idea = "multiply-adds of the widest vectors", .prepare = prepare,
        .run = run, .release = team_end)
