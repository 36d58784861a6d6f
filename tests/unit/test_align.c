/* align's reference is the definition, and its judge accepts what is within the tolerance and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "harness/base/random.h"
#include "harness/problems/align.h"
#include "harness/problems/fft_transform.h"

enum { MOST = 64 * 48 };

static float a[MOST], b[MOST], eps;
static uint32_t peak;
static float height, shift[2];

static struct align images(size_t rows, size_t cols)
{
    return (struct align){1, rows, cols, a, b, &eps, &peak, &height, shift};
}

/* b is noise, and a is b moved by (s, t). */
static struct align moved(size_t rows, size_t cols, size_t s, size_t t, float noise)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++) {
            const size_t from = (r + rows - s) % rows * cols + (c + cols - t) % cols;

            b[r * cols + c] = random_float(7, 1, r * cols + c);
            a[r * cols + c] = random_float(7, 1, from) + noise * random_float(7, 2, r * cols + c);
        }
    eps = align_eps(a, b, rows * cols);
    return images(rows, cols);
}

/* --- the reference --------------------------------------------------------------------------------- */

static double complex root(size_t k, size_t n)
{
    return cexp(CMPLX(0.0, -2.0 * M_PI * (double)(k % n) / (double)n));
}

static double complex bin(const struct align *p, const float *x, size_t u, size_t v)
{
    double complex sum = 0.0;

    for (size_t r = 0; r < p->rows; r++)
        for (size_t c = 0; c < p->cols; c++)
            sum += (double)x[r * p->cols + c] * root(u * r, p->rows) * root(v * c, p->cols);
    return sum;
}

/* g by its definition. */
static double g_at(const struct align *p, size_t row, size_t col)
{
    double complex sum = 0.0;

    for (size_t u = 0; u < p->rows; u++)
        for (size_t v = 0; v < p->cols; v++) {
            const double complex A = bin(p, p->a, u, v), B = bin(p, p->b, u, v);

            sum += A * conj(B) / (cabs(A) * cabs(B) + (double)eps) * conj(root(u * row, p->rows) * root(v * col, p->cols));
        }
    return cabs(sum) / (double)(p->rows * p->cols);
}

static void the_reference_is_the_definition(void **state)
{
    static const size_t sizes[][2] = {{1, 1}, {1, 6}, {5, 1}, {2, 2}, {3, 5}, {6, 4}, {7, 9}};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct align p = moved(sizes[i][0], sizes[i][1], sizes[i][0] / 2, sizes[i][1] - 1, 0.25f);
        double g[63];
        struct align_truth truth;
        bool sound = true;

        assert_true(align_surface(&p, 0, 1, g, &truth, &sound) && sound);
        for (size_t row = 0; row < p.rows; row++)
            for (size_t col = 0; col < p.cols; col++) {
                const double at = g[row * p.cols + col];

                assert_true(fabs(at - g_at(&p, row, col)) < 1e-12);
                assert_true(at <= truth.highest);
            }
        assert_true(g[truth.peak] == truth.highest); /* NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    }
}

/* --- the judge ------------------------------------------------------------------------------------- */

static double surface[MOST];
static struct align_truth truth;
static void *solution;

/* Sets the answer to what float64 says of a place. */
static void answer_at(const struct align *p, size_t at)
{
    const size_t place[] = {at / p->cols, at % p->cols}, length[] = {p->rows, p->cols}, step[] = {p->cols, 1};

    peak = (uint32_t)at;
    height = (float)surface[at];
    for (int axis = 0; axis < 2; axis++) {
        const size_t line = at - place[axis] * step[axis];
        const double before = surface[line + (place[axis] + length[axis] - 1) % length[axis] * step[axis]];
        const double after = surface[line + (place[axis] + 1) % length[axis] * step[axis]];
        const double D = before - 2.0 * surface[at] + after;
        const double whole = (double)place[axis] - (2 * place[axis] > length[axis] ? (double)length[axis] : 0.0);

        shift[axis] = (float)(whole + (D < 0.0 ? fmax(-0.5, fmin(0.5, (before - after) / (2.0 * D))) : 0.0));
    }
}

static void solve(const struct align *p)
{
    bool sound = true;

    free(solution);
    solution = align_solve(p);
    assert_non_null(solution);
    assert_true(align_surface(p, 0, 1, surface, &truth, &sound) && sound);
    answer_at(p, truth.peak);
}

static bool right(const struct align *p, enum math math)
{
    const struct verdict v = align_judge(p, solution, math, 0);

    return verdict_right(&v);
}

static void the_shift_is_found(void **state)
{
    static const size_t shifts[][2] = {{0, 0}, {1, 2}, {32, 24}, {33, 25}, {63, 47}};

    (void)state;
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        const struct align p = moved(64, 48, shifts[i][0], shifts[i][1], 0.25f);

        solve(&p);
        assert_int_equal(truth.peak, shifts[i][0] * 48 + shifts[i][1]);
        assert_true(right(&p, MATH_F32) && right(&p, MATH_FAST) && right(&p, MATH_F64));
    }
}

static void errors_up_to_the_tolerance_pass(void **state)
{
    const struct align p = moved(64, 48, 5, 9, 0.25f);
    const double step[] = {0.9, 1.1};

    (void)state;
    solve(&p);
    for (int wrong = 0; wrong < 2; wrong++) {
        answer_at(&p, truth.peak);
        height = (float)(truth.highest + step[wrong] * truth.slack[ALIGN_F32]);
        assert_true(right(&p, MATH_F32) == !wrong);
        assert_true(right(&p, MATH_FAST));
    }
    answer_at(&p, truth.peak);
    shift[0] += 0.001f;
    assert_false(right(&p, MATH_F32));
    answer_at(&p, truth.peak);
    shift[1] -= 64.0f;
    assert_false(right(&p, MATH_F32));
}

static void another_place_is_wrong_unless_it_ties(void **state)
{
    struct align p = moved(64, 48, 5, 9, 0.25f);

    (void)state;
    solve(&p);
    for (size_t at = 0; at < MOST; at += 61) {
        answer_at(&p, at);
        assert_true(right(&p, MATH_F32) == (at == truth.peak));
    }
    for (size_t i = 0; i < MOST; i++) /* a tile of 16 x 16, again and again */
        a[i] = b[i] = random_float(7, 3, i / 48 % 16 * 16 + i % 48 % 16);
    eps = align_eps(a, b, MOST);
    solve(&p);
    for (size_t r = 0; r < 64; r += 8)
        for (size_t c = 0; c < 48; c += 8) {
            answer_at(&p, r * 48 + c);
            assert_true(right(&p, MATH_F32) == (r % 16 == 0 && c % 16 == 0));
        }
}

static void blank_images_peak_at_the_first_pixel(void **state)
{
    struct align p = images(64, 48);

    (void)state;
    for (size_t i = 0; i < MOST; i++)
        a[i] = b[i] = 0.0f;
    eps = align_eps(a, b, MOST);
    solve(&p);
    assert_true(truth.highest == 0.0 && right(&p, MATH_F32));
    answer_at(&p, 1);
    assert_false(right(&p, MATH_F32));
}

static void what_is_no_answer_fails(void **state)
{
    const struct align p = moved(64, 48, 5, 9, 0.25f);

    (void)state;
    solve(&p);
    peak = MOST;
    assert_false(right(&p, MATH_F32));
    peak = UINT32_MAX;
    assert_false(right(&p, MATH_F32));
    answer_at(&p, truth.peak);
    height = NAN;
    assert_false(right(&p, MATH_F32));
    answer_at(&p, truth.peak);
    shift[0] = INFINITY;
    assert_false(right(&p, MATH_F32));
    answer_at(&p, truth.peak);
    assert_false(right(&p, MATH_TF32) || right(&p, MATH_F16));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_is_the_definition),
        cmocka_unit_test(the_shift_is_found),
        cmocka_unit_test(errors_up_to_the_tolerance_pass),
        cmocka_unit_test(another_place_is_wrong_unless_it_ties),
        cmocka_unit_test(blank_images_peak_at_the_first_pixel),
        cmocka_unit_test(what_is_no_answer_fails),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);

    free(solution);
    return failed;
}
