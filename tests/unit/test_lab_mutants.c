/* Mutants of small programs: each kind of change is found at the line of the mistake, with words about it, and is written as it should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/mutant.h"
#include "workshop/lab/retype.h"

#define HOST "static void run(const void *problem)\n{\n    const struct saxpy *p = problem;\n"
#define KERNEL "__global__ static void kernel(size_t n, const float *x, float *y)\n{\n    size_t i = blockIdx.x * blockDim.x + threadIdx.x;\n"

static const char *const header = "struct saxpy {\n size_t n; float a;\n const float *x, *y;\n float *z;\n};\n";

/* Returns whether the program has a mutant in this line, with these words, that is written as `change`. */
static bool finds_of(const struct hint *hint, const char *text, const char *starter, int line, const char *words, const char *change)
{
    struct mutants *all = mutants_find(text, starter, hint);
    struct mutant *list;
    bool found = false;

    assert_non_null(all);
    const size_t count = mutants_list(all, &list);
    for (size_t i = 0; i < count && !found; i++) {
        if (list[i].line != line || strstr(list[i].words, words) == NULL)
            continue;
        for (size_t k = 0; k < count; k++)
            list[k].out = k != i;
        char *written = mutants_write(all);
        found = strstr(written, change) != NULL;
        free(written);
    }
    mutants_free(all);
    return found;
}

static bool finds(const char *text, const char *starter, int line, const char *words, const char *change)
{
    const struct hint hint = {.header = header};

    return finds_of(&hint, text, starter, line, words, change);
}

static void a_first_value_in_each_round(void **state)
{
    (void)state;
    const char *text = HOST "    float sum = 0;\n    for (size_t i = 0; i < p->n; i++) {\n        sum += p->x[i];\n        p->z[i] = sum;\n    }\n}\n";
    assert_true(finds(text, "", 4, "only once, before the loop in line 5", "{ sum = 0; }"));
    const char *array = HOST "    float sum[4] = {0};\n    for (size_t i = 0; i < p->n; i++) {\n        sum[i % 4] += p->x[i];\n        p->z[i] = sum[0];\n    }\n}\n";
    assert_true(finds(array, "", 4, "only once", "__builtin_memset(&sum, 0, sizeof sum);"));
    const char *constant = HOST "    const float sum = 0;\n    for (size_t i = 0; i < p->n; i++) {\n        p->z[i] = sum;\n    }\n}\n";
    assert_false(finds(constant, "", 4, "only once", ""));
}

static void a_value_of_each_round(void **state)
{
    (void)state;
    const char *text = HOST "    const float product = p->a * p->x[0];\n    for (size_t i = 0; i < p->n; i++) {\n        p->z[i] = product + p->y[i];\n    }\n}\n";
    assert_true(finds(text, "", 4, "product is computed once, before the loop in line 5", "(p -> a * p -> x [ i ] )"));
}

static void a_statement_earlier_or_later(void **state)
{
    (void)state;
    const char *text = HOST "    float *to = p->z, *from = p->z;\n    to = p->z + 1;\n    from = to;\n    use(from);\n}\n";
    assert_true(finds(text, "", 5, "too early: it belongs behind line 6", "{ to = p->z + 1; }"));
    assert_true(finds(text, "", 7, "too late: it belongs before line 5", "{ use(from); }"));
    assert_false(finds(text, "", 6, "too late: it belongs before line 5", "")); /* that is the first one again */
}

static void a_loop_that_tests_at_its_end(void **state)
{
    (void)state;
    const char *text = HOST "    size_t i = 0;\n    do {\n        p->z[i] = p->x[i];\n        i++;\n    } while (i < p->n);\n}\n";
    assert_true(finds(text, "", 8, "only behind its first round", "|| (i < p->n))\ndo {"));
    assert_false(finds(text, "", 8, "barrier", ""));
}

static void a_call_of_all_lanes_in_a_branch(void **state)
{
    (void)state;
    const char *text = KERNEL "    float v = x[i];\n    if (i < 4) {\n        v += __shfl_down_sync(0xffffffff, v, 4);\n    }\n    y[i] = v;\n}\n";
    assert_true(finds(text, "", 6, "behind the condition in line 5", "= __shfl_down_sync(0xffffffff, v, 4);\nif (i < 4)"));
}

static void a_condition_of_the_starter(void **state)
{
    (void)state;
    const char *text = KERNEL "    float v = x[i];\n    if (i < 4) {\n        v += __shfl_down_sync(0xffffffff, v, 4);\n    }\n    y[i] = v;\n}\n";
    const char *starter = KERNEL "    float v = x[i];\n    if (i < 4) {\n        v += tree[i + 4];\n    }\n    y[i] = v;\n}\n";
    assert_true(finds(text, starter, 5, "the condition i < 4 is too much", ">(1) :"));
    assert_false(finds(text, starter, 5, "i < 4 is not the right condition", ""));
}

static void a_return_that_is_too_much(void **state)
{
    (void)state;
    const char *text = KERNEL "    if (i >= n)\n        return;\n    y[i] = x[i];\n}\n";
    assert_true(finds(text, "", 4, "\"return\" is too much", ">(0) :"));
}

static void a_place_that_is_not_always_set(void **state)
{
    (void)state;
    const char *text = KERNEL "    __shared__ float a[32], b[32];\n    if (i < n)\n        a[i] = x[i];\n    if (i < 2 * n)\n        b[i] = x[i];\n    y[i] = a[0] + b[0];\n}\n";
    assert_true(finds(text, "", 5, "a 0 belongs there", "(((i < n) ? (x[i]) : 0))"));
    assert_true(finds(text, "", 5, "and so in other lines", "(((i < 2 * n) ? (x[i]) : 0))"));
    assert_false(finds(text, "", 7, "and so in other lines", "")); /* that is the first one again */
}

/* Nothing is inserted before the ; behind values in braces. */
static void values_in_braces(void **state)
{
    (void)state;
    const char *text = KERNEL "    struct pair best = {0, 1};\n    y[i] = x[i];\n}\n";
    assert_true(finds(text, "", 5, "a barrier is missing before this line", "__syncthreads(); }"));
    assert_false(finds(text, "", 4, "a barrier is missing before this line", "{0, 1}if"));
}

static void a_choice_the_wrong_way_round(void **state)
{
    (void)state;
    const char *text = HOST "    for (size_t i = 0; i < p->n; i++)\n        p->z[i] = i % 2 == 0 ? p->x[i] : p->y[i];\n}\n";
    assert_true(finds(text, "", 5, "the wrong way round", "(p->y[i]) :"));
    assert_true(finds(text, "", 5, "never p->x[i]", "(p->y[i]) :"));
}

static void bytes_that_are_added_to_a_pointer(void **state)
{
    (void)state;
    const char *text = HOST "    size_t bytes = p->n * sizeof(float);\n    float *d_x, *d_y, *d_z;\n    d_y = d_x + bytes;\n    d_z = d_y + bytes;\n}\n";
    assert_true(finds(text, "", 6, "bytes counts bytes", "((bytes / sizeof(float)))"));
    assert_false(finds(text, "", 7, "bytes counts bytes", "")); /* both are one mutant */
}

static void shares_that_are_not_equal(void **state)
{
    (void)state;
    const char *text = HOST "    size_t each = p->n / 4, more = p->n % 4, me = 2;\n    size_t begin = me * each;\n    use(begin, more);\n}\n";
    assert_true(finds(text, "", 5, "takes all shares for equal", "me * each + (me < more ? me : more)"));
    const char *other = HOST "    size_t half = 4, k = p->n % half, j = half * 2;\n    use(j, k);\n}\n";
    assert_false(finds(other, "", 4, "takes all shares for equal", ""));
}

/* The header says that the struct has a y, and that nothing may be assigned to what x points to. */
static void members_that_the_program_does_not_name(void **state)
{
    (void)state;
    const char *text = HOST "    for (size_t i = 0; i < p->n; i++)\n        p->z[i] = p->a * p->x[i] + p->x[i];\n}\n";
    assert_true(finds(text, "", 5, "p->x stands where another name belongs", "(p->y) :"));
    assert_false(finds(text, "", 5, "p->z stands where another name belongs", ""));
}

static void the_two_lengths_of_a_launch(void **state)
{
    (void)state;
    const char *text = "struct image {\n size_t rows, cols;\n};\n" HOST "    const struct image *m = problem;\n    dim3 grid((unsigned)m->rows,\n              (unsigned)m->cols);\n    use(grid);\n}\n";
    assert_true(finds(text, "", 8, "m->rows and m->cols are exchanged", "(m->cols) :"));
    const char *launch = "struct image {\n size_t rows, cols;\n};\nstatic void run(const struct image *m)\n{\n    dim3 grid((unsigned)m->rows, (unsigned)m->cols);\n    kernel<<<grid, 32>>>(1);\n}\n"
                         "__global__ static void kernel(int n)\n{\n    use(n);\n}\n";
    const char *starter = "struct image {\n size_t rows, cols;\n};\nstatic void run(const struct image *m)\n{\n    dim3 grid((unsigned)m->rows, (unsigned)m->cols);\n    kernel<<<grid, 32>>>(1);\n}\n"
                          "__global__ static void kernel(int n)\n{\n    other(n);\n}\n";
    assert_true(finds(launch, starter, 6, "m->rows and m->cols are exchanged", "(m->cols) :")); /* the kernel is the learner's */
}

/* Returns whether one of the programs has this text, and the words are said of it. */
static bool has(const struct retype list[], size_t count, const char *words, const char *text)
{
    bool found = false;

    for (size_t i = 0; i < count; i++)
        found = found || (strstr(list[i].words, words) != NULL && strstr(list[i].text, text) != NULL);
    return found;
}

static void constants_and_lengths(void **state)
{
    (void)state;
    enum { MOST = 12 };
    struct retype list[MOST];
    const char *text = "enum { T = 32, MARGIN = T / 2, W };\n__global__ static void k(float *x)\n{\n    __shared__ float a[T][T], b[T][T + 2];\n    x[T] = a[1][2] + b[2][1];\n}\n";
    const size_t count = constants_find(text, "", list, MOST);

    assert_true(has(list, count, "the constant T / 2 is not right", "MARGIN = (2 * (T / 2)), W"));
    assert_true(has(list, count, "the length T + 2 of the array is not right", "b[T][((T + 2) - 1)]") || has(list, count, "the length T + 2", "b[T][((T + 2) + 1)]"));
    assert_false(has(list, count, "", "x[("));
    for (size_t i = 0; i < count; i++)
        free(list[i].text);
}

static void a_parameter_with_a_fraction(void **state)
{
    (void)state;
    struct retype list[4];
    const char *text = "static float fused(int a, float x)\n{\n    return a * x;\n}\nstatic int size(void)\n{\n    return (int)sizeof(int);\n}\n";
    const size_t count = retype_find(text, "", list, 4);

    assert_int_equal(count, 1);
    assert_int_equal(list[0].line, 1);
    assert_non_null(strstr(list[0].text, "fused(float a, float x)"));
    free(list[0].text);
}

static void an_index_that_is_kept_stays_whole(void **state)
{
    (void)state;
    struct retype list[4];
    const char *kept = KERNEL "    uint32_t which;\n    for (size_t j = 0; j < n; j++)\n        if (x[j] < 1)\n            which = (uint32_t)j;\n    keep(which);\n}\n";
    const char *cut = KERNEL "    uint32_t which;\n    for (size_t j = 0; j < n; j++)\n        which = (uint32_t)(x[j] * 2);\n    keep(which);\n}\n";

    size_t count = retype_find(kept, "", list, 4);
    assert_false(has(list, count, "which", ""));
    for (size_t k = 0; k < count; k++)
        free(list[k].text);
    count = retype_find(cut, "", list, 4);
    assert_true(has(list, count, "which has a type for whole numbers only", "float which"));
    for (size_t k = 0; k < count; k++)
        free(list[k].text);
}

static void a_return_in_a_loop(void **state)
{
    (void)state;
    const char *text = KERNEL "    for (size_t k = i; k < n; k += 32) {\n        if (k == 5)\n            return;\n        y[k] = x[k];\n    }\n}\n";
    assert_true(finds(text, "", 6, "ends more than this round of the loop", "{ if (k == 5) continue; }"));
    const char *outside = KERNEL "    if (i >= n)\n        return;\n    y[i] = x[i];\n}\n";
    assert_false(finds(outside, "", 5, "this round of the loop", ""));
}

static void braces_that_are_missing(void **state)
{
    (void)state;
    const char *text = HOST "    float least = 9; size_t which = 0;\n    for (size_t i = 0; i < p->n; i++) {\n        if (p->x[i] < least)\n            least = p->x[i];\n            which = i;\n    }\n    use(which);\n}\n";
    assert_true(finds(text, "", 8, "does not belong to the if in line 6", "{ if (p->x[i] < least) { least = p->x[i]; which = i; } }"));
    const char *braces = HOST "    float least = 9; size_t which = 0;\n    if (p->x[0] < least) {\n        least = p->x[0];\n    }\n    which = 1;\n}\n";
    assert_false(finds(braces, "", 8, "does not belong to the if", ""));
}

static void a_barrier_in_a_loop(void **state)
{
    (void)state;
    const struct hint order = {.header = header, .order = true};
    const char *text = KERNEL "    for (unsigned half = 16; half > 0; half /= 2)\n        if (i < half)\n            y[i] += y[i + half];\n}\n";
    assert_true(finds_of(&order, text, "", 4, "at the end of each round", "{ if (i < half) y[i] += y[i + half]; __syncthreads(); }"));
    assert_false(finds(text, "", 4, "at the end of each round", ""));
}

static void a_condition_that_lacks_a_flag(void **state)
{
    (void)state;
    const char *text = KERNEL "    const bool mine = i < n;\n    if (threadIdx.x == 0)\n        y[i] = mine ? x[i] : 0;\n}\n";
    assert_true(finds(text, "", 5, "is not all of the condition", "&& mine)"));
}

static void what_an_operator_or_a_function_takes_in(void **state)
{
    (void)state;
    const char *text = HOST "    float h = p->a;\n    h = sqrtf(h / 2) + 1;\n    h = p->a * (h + 3);\n    h = sqrtf(h) / 5;\n}\n";
    assert_true(finds(text, "", 5, "sqrtf takes in too much", "((sqrtf(h) / (2)))"));
    assert_true(finds(text, "", 6, "another part belongs together", "(((p->a) * (h)) + (3))"));
    assert_true(finds(text, "", 7, "sqrtf takes in too little", "(sqrtf((h) / (5)))"));
    const char *sum = HOST "    float h = p->a;\n    h = h + p->a + 1;\n}\n"; /* the order does not matter */
    assert_false(finds(sum, "", 5, "another part belongs together", ""));
}

static void an_expression_that_stands_elsewhere(void **state)
{
    (void)state;
    const char *text = KERNEL "    size_t warp = threadIdx.x / 32, last = n - 3;\n    dim3 unused;\n    if (i < n + 1)\n        y[warp] = x[last];\n}\n";
    assert_true(finds(text, "", 6, "n + 1 is not what belongs here", ">(n - 3) :"));
    assert_true(finds(text, "", 4, "threadIdx.x / 32 is not what belongs here", "cudasim_thread(1)"));
}

static void a_statement_for_one_of_two(void **state)
{
    (void)state;
    const char *text = HOST "    copy(d_x, p->x);\n    launch(d_x, d_y);\n}\n";
    assert_true(finds(text, "", 4, "this is done for x, and not for y", "copy ( d_y , p -> y )"));
    const char *both = HOST "    copy(d_x, p->x);\n    copy(d_y, p->y);\n}\n";
    assert_false(finds(both, "", 4, "and not for y", ""));
}

static void a_variable_without_a_first_value(void **state)
{
    (void)state;
    const char *text = KERNEL "    float sum[4 * 4];\n    for (unsigned k = 0; k < 4; k++)\n        sum[k] += x[k];\n    __shared__ float tile[4];\n    y[i] = sum[0] + tile[1];\n}\n";
    assert_true(finds(text, "", 4, "sum has no first value", "__builtin_memset(&sum, 0, sizeof sum);"));
    assert_false(finds(text, "", 7, "tile has no first value", ""));
}

static void all_comparisons_of_a_condition(void **state)
{
    (void)state;
    const char *text = KERNEL "    if (i > n || i + 1 > n)\n        return;\n    y[i] = x[i];\n}\n";
    assert_true(finds(text, "", 4, "here and wherever it stands in this line", "(i + 1 >= n)"));
    const char *one = KERNEL "    if (i > n)\n        return;\n    y[i] = x[i];\n}\n";
    assert_false(finds(one, "", 4, "wherever it stands in this line", ""));
}

static void x_and_y_of_one_statement(void **state)
{
    (void)state;
    const char *text = KERNEL "    size_t r = blockIdx.y * 8 + threadIdx.y;\n    y[i] = x[r];\n}\n";
    assert_true(finds(text, "", 4, ".x and .y are exchanged in this statement", "cudasim_thread(0)"));
}

static void types_without_numbers_below_0(void **state)
{
    (void)state;
    struct retype list[4];
    const char *text = "static void run(unsigned n)\n{\n    for (unsigned r = -1; r <= 1; r++)\n        for (size_t c = n - 1; c >= 0; c--)\n            use(r, c);\n    unsigned k = 1;\n}\n";
    const size_t count = sign_find(text, "", list, 4);

    assert_int_equal(count, 3);
    assert_true(has(list, count, "r has a type without numbers below 0", "(int r = -1"));
    assert_true(has(list, count, "here and in other declarations", "(int r = -1; r <= 1; r++)\n        for (long c"));
    assert_false(has(list, count, "", "int k"));
    for (size_t i = 0; i < count; i++)
        free(list[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_value_in_each_round),
        cmocka_unit_test(a_value_of_each_round),
        cmocka_unit_test(a_statement_earlier_or_later),
        cmocka_unit_test(a_loop_that_tests_at_its_end),
        cmocka_unit_test(a_call_of_all_lanes_in_a_branch),
        cmocka_unit_test(a_condition_of_the_starter),
        cmocka_unit_test(a_return_that_is_too_much),
        cmocka_unit_test(a_place_that_is_not_always_set),
        cmocka_unit_test(values_in_braces),
        cmocka_unit_test(a_choice_the_wrong_way_round),
        cmocka_unit_test(bytes_that_are_added_to_a_pointer),
        cmocka_unit_test(shares_that_are_not_equal),
        cmocka_unit_test(members_that_the_program_does_not_name),
        cmocka_unit_test(the_two_lengths_of_a_launch),
        cmocka_unit_test(constants_and_lengths),
        cmocka_unit_test(a_parameter_with_a_fraction),
        cmocka_unit_test(an_index_that_is_kept_stays_whole),
        cmocka_unit_test(a_return_in_a_loop),
        cmocka_unit_test(braces_that_are_missing),
        cmocka_unit_test(a_barrier_in_a_loop),
        cmocka_unit_test(a_condition_that_lacks_a_flag),
        cmocka_unit_test(what_an_operator_or_a_function_takes_in),
        cmocka_unit_test(an_expression_that_stands_elsewhere),
        cmocka_unit_test(a_statement_for_one_of_two),
        cmocka_unit_test(a_variable_without_a_first_value),
        cmocka_unit_test(all_comparisons_of_a_condition),
        cmocka_unit_test(x_and_y_of_one_statement),
        cmocka_unit_test(types_without_numbers_below_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
