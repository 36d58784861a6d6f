/* Stores of a kernel: which of them all threads of a block make, or all lanes of a warp, to the same place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "workshop/lab/uniform.h"

/* Returns who makes the store into the array s, the last one in the kernel's body. */
static enum uniform store(const char *before, const char *body)
{
    char text[1500];
    struct tokens t;
    size_t at = 0;

    snprintf(text, sizeof text, "enum { WARP = 32 };\n%s\n__global__ static void k(size_t n, const float *x, float *z)\n{\n__shared__ float s[128];\n%s\n}\n", before, body);
    assert_true(tokens_read(&t, text));
    for (size_t i = 0; i < t.count; i++)
        at = token_is(&t, i, "s") ? i : at;
    const enum uniform by = uniform_store(&t, at);
    tokens_free(&t);
    return by;
}

static void by_all(void **state)
{
    (void)state;
    assert_int_equal(store("", "s[0] = 1;"), UNIFORM_BLOCK);
    assert_int_equal(store("", "for (int j = 0; j < n; j++) s[j] = x[j];"), UNIFORM_BLOCK);
    assert_int_equal(store("", "const int me = threadIdx.x; s[blockIdx.x] = x[me];"), UNIFORM_BLOCK);
    assert_int_equal(store("", "float a = 0; for (int j = threadIdx.x; j < n; j += 128) { if (x[j] < a) continue; a = x[j]; } s[0] = a;"), UNIFORM_BLOCK);
    assert_int_equal(store("", "s[threadIdx.x] = 0; __syncthreads(); for (int j = 1; j < 128; j++) if (s[j] < s[0]) s[0] = 1;"), UNIFORM_BLOCK);
}

static void by_a_warp(void **state)
{
    (void)state;
    assert_int_equal(store("", "if (threadIdx.x / 32 == 0) s[0] = 1;"), UNIFORM_WARP);
    assert_int_equal(store("", "const unsigned me = threadIdx.x, w = me / WARP; s[w] = 1;"), UNIFORM_WARP);
    assert_int_equal(store("", "s[threadIdx.x >> 5] = 1;"), UNIFORM_WARP);
}

static void by_some(void **state)
{
    (void)state;
    assert_int_equal(store("", "s[threadIdx.x] = 1;"), UNIFORM_NOT);
    assert_int_equal(store("", "if (threadIdx.x == 0) s[0] = 1;"), UNIFORM_NOT);
    assert_int_equal(store("", "if (threadIdx.x > 0) return; s[0] = 1;"), UNIFORM_NOT);
    assert_int_equal(store("", "const int me = threadIdx.x, next = me + 1; s[next] = 1;"), UNIFORM_NOT);
    assert_int_equal(store("", "int at = 0; for (int j = threadIdx.x; j < n; j++) at++; s[at] = 1;"), UNIFORM_NOT);
    assert_int_equal(store("", "bool leader = false; if (threadIdx.x % 32 == 0) leader = true; if (leader) s[0] = 1;"), UNIFORM_NOT);
    assert_int_equal(store("", "const int l = __shfl_sync(~0u, n, 0); s[l] = 1;"), UNIFORM_NOT);
    assert_int_equal(store("__device__ int me(void) { return threadIdx.x; }", "s[me()] = 1;"), UNIFORM_NOT);
    assert_int_equal(store("#define ME threadIdx.x", "s[ME] = 1;"), UNIFORM_NOT);
    assert_int_equal(store("__device__ void give(int &a) { a = threadIdx.x; }", "int a; give(a); s[a] = 1;"), UNIFORM_NOT);
    assert_int_equal(store("__device__ void give(int *a) { *a = threadIdx.x; }", "int a; give(&a); s[a] = 1;"), UNIFORM_NOT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_all),
        cmocka_unit_test(by_a_warp),
        cmocka_unit_test(by_some),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
