/*
 * Shared by test_map_sine_avx2.c and test_map_sine_avx512.c, which include a variant's source before this header: its
 * sine and cosine for a sample of all float32 arguments.  RUNGS_STRIDE=1 takes all 2^32 of them (some minutes).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Measured over all arguments: 1.5407 for the sine, 1.5366 for the cosine.  The problem allows 2. */
static const double most = 1.55;

enum { BLOCK = 1 << 10 }; /* arguments of a call */

/* The distance of two float32 numbers at this value. */
static double unit_in_last_place(double value)
{
    int exponent;

    (void)frexp(value, &exponent);
    return ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

struct worst {
    double sine, cosine;
    size_t different; /* answers of the variant that are not those of sine.h, bit by bit */
};

static void see(struct worst *w, float x, float s, float c)
{
    const double want_s = sin((double)x), want_c = cos((double)x);

    w->sine = fmax(w->sine, fabs((double)s - want_s) / unit_in_last_place(want_s));
    w->cosine = fmax(w->cosine, fabs((double)c - want_c) / unit_in_last_place(want_c));
    if (isnan(s) || isnan(c))
        w->sine = INFINITY;
}

__attribute__((target("fma"))) static void see_block(struct worst *w, uint64_t first, uint64_t stride)
{
    float x[BLOCK], z[BLOCK];
    const struct map p = {.n = BLOCK, .f = MAP_TRIG, .x = x, .y = x, .z = z};

    for (uint64_t i = 0; i < BLOCK; i++) {
        const uint32_t bits = (uint32_t)(first + i * stride);

        memcpy(&x[i], &bits, sizeof bits);
        if (!isfinite(x[i]))
            x[i] = 0.5F;
    }
    run(&p);
    for (int i = 0; i < BLOCK; i++) {
        const float s = sine(x[i], windows), c = cosine(x[i], windows), sum = c + s;

        see(w, x[i], s, c);
        w->different += memcmp(&sum, &z[i], sizeof sum) != 0;
    }
}

static void every_argument(void **state)
{
    const char *given = getenv("RUNGS_STRIDE");
    const uint64_t stride = given != NULL ? strtoull(given, NULL, 10) : 4093, step = stride * BLOCK;
    struct worst w = {0.0, 0.0, 0};

    (void)state;
    if (refuse(NULL) != NULL)
        skip();
    prepare(NULL);
#pragma omp parallel
    {
        struct worst mine = {0.0, 0.0, 0};

#pragma omp for schedule(dynamic)
        for (uint64_t first = 0; first < (uint64_t)1 << 32; first += step)
            see_block(&mine, first, stride);
#pragma omp critical
        {
            w.sine = fmax(w.sine, mine.sine);
            w.cosine = fmax(w.cosine, mine.cosine);
            w.different += mine.different;
        }
    }
    if (given != NULL)
        print_message("worst: sine %.4f, cosine %.4f units in the last place\n", w.sine, w.cosine);
    if (!(w.sine <= most) || !(w.cosine <= most))
        fail_msg("the sine is off by %.4f units in the last place, the cosine by %.4f", w.sine, w.cosine);
    assert_int_equal(w.different, 0);
}

/* They are no numbers, and no answer may be one. */
static void what_is_not_finite(void **state)
{
    float x[16], z[16];
    const struct map p = {.n = 16, .f = MAP_TRIG, .x = x, .y = x, .z = z};

    (void)state;
    if (refuse(NULL) != NULL)
        skip();
    prepare(NULL);
    for (int i = 0; i < 16; i++)
        x[i] = i % 3 == 0 ? INFINITY : i % 3 == 1 ? -INFINITY : NAN;
    run(&p);
    for (int i = 0; i < 16; i++)
        assert_true(isnan(z[i]) && isnan(sine(x[i], windows)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_argument), cmocka_unit_test(what_is_not_finite)};

    return cmocka_run_group_tests_name("map_sine", tests, NULL, NULL);
}
