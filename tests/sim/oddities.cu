/*
 * Launches, declarations and loops that are rare and right, for the scanner.  The program counts them and
 * prints the number.  None of these is one: k<<<1, 1>>>(x);
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beside.h"

#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)
#define ASSIGN(p, v) \
    one<<<1, \
          1>>>(p, v)

template <class T> struct box {
    static const int n = 1;
    T value;
};

__global__ static void one(int *x, int v) { x[threadIdx.x] = v; }
template <class T> __global__ void typed(T *x, T v) { *x = v; }
template <int A, int B> __global__ void __launch_bounds__(32) two(int *x) { *x = A + B; }
template <int A, class T> __global__ static void mixed(T *x) { *x = A; }
extern "C" __global__ void plain_c(int *x) { *x = 11; }
__global__ static void by_value(box<int> b, int *x) { *x = b.value; }

namespace outer
{
namespace inner
{
__global__ static void deep(int *x);
__shared__ static int at_file_scope;
__global__ static void deep(int *x)
{
    at_file_scope = 12;
    __syncthreads();
    *x = at_file_scope;
}
}
extern __shared__ double file_scope[];
__global__ static void whole(double *x)
{
    file_scope[threadIdx.x] = 13;
    __syncthreads();
    if (threadIdx.x == 0)
        x[0] = file_scope[0];
}
}

__global__ static void two_dimensions(int *x)
{
    extern __shared__ __align__(16) int table[][3];

    table[1][2] = 14;
    __syncthreads();
    *x = table[1][2];
}

template <class T> __global__ static void generic(T *x)
{
    extern __shared__ unsigned char raw[];
    T *s = reinterpret_cast<T *>(raw);

    s[0] = 15;
    *x = s[0];
}

#define EACH(i, n) for (int i = 0; i < n; i++)

__host__ __device__ static constexpr int three(void)
{
    int n = 0;
    for (int i = 0; i < 3; i++)
        n++;
    return n;
}

__device__ static int first_of(int a)
{
    do
        for (;;)for (int i = a;; i++)
            if (i % 5 == 0)
                return i;
    while (true);
}

__global__ static void loops(int *x)
{
    const int list[] = {1, 2, 3};
    int n = 0, i = 0; /* for (a while) do */

    if (threadIdx.x == 0)
        for (int k = 0; k < 4; k++)
            n += 1;
    else
        n = -1;                                     /* 4 */
    while (i++ < 10)
        if (i == 7)
            break;
        else
            continue;
    n += i;                                         /* 11 */
    while (--i > 0) ;
    do n++; while (n < 20);                         /* 20 */
    for (int v : list) n += v;                      /* 26 */
    EACH(k, 2) n++;                                 /* 28 */
#pragma unroll
    for (int k = 0; k < 2; k++)
        n++;                                        /* 30 */
#pragma unroll 1
    for (int k = 0; k < 2; k++) { n++; }            /* 32 */
    auto more = [&](int m) { for (int k = 0; k < m; k++) n++; };
    more(three());                                  /* 35 */
    for (int k = 0, (*f)(int) = first_of; k < 1; k++) n += f(6); /* 45 */
    switch (n) {
    case 45:
        for (int k = 0; k < 5; k++)
            switch (k) {
            case 1: continue;
            default: n++; break;                    /* 49 */
            }
        break;
    default: n = 0;
    }
again:
    for (n++; n % 2 != 0; n++)                      /* 50 */
        if (n > 60)
            goto again;
    for (n++; false;);                              /* 51 */
    *x = n + i;
}

static int wrong, count;

static void is(const char *what, int got, int expected)
{
    count++;
    if (got == expected)
        return;
    wrong++;
    fprintf(stderr, "%s: %d, expected %d\n", what, got, expected);
}

int main(void)
{
    void (*table[2])(int *, int) = {one, one};
    struct { void (*kernel)(int *, int); } s = {one}, *p = &s;
    int *x, h;
    double *d, hd;

    cudaMalloc(&x, 4 * sizeof *x);
    cudaMalloc(&d, sizeof *d);
#define IS(expected) \
    (cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost), is("line", h, expected))
    one<<<1, 1>>>(x, 1);
    IS(1);
    one /* a comment with >>> in it */ <<< /* and <<< here */
        dim3(1, // >>>(
             1),
        1
    >>>(x, 2);
    IS(2);
    typed<int><<<1, 1>>>(x, 3);
    IS(3);
    typed<<<1, 1>>>(x, 4);
    IS(4);
    two<(3 > 2), 4><<<1, 1>>>(x);
    IS(5);
    mixed<6><<<1, 1>>>(x);
    IS(6);
    two < 3, 4 ><<<1, box<int>::n>>>(x);
    IS(7);
    table[1]<<<1, 1>>>(x, 8);
    IS(8);
    s.kernel<<<1, 1>>>(x, 9);
    p->kernel<<<1, 1, 0, 0>>>(x, 10);
    IS(10);
    if (count > 0) (one)<<<1, 1>>>(x, 16);
    IS(16);
    ::plain_c<<<1, 1>>>(x);
    IS(11);
    outer :: inner :: deep<<<1, 1>>>(x);
    IS(12);
    outer::whole<<<1, 4, 4 * sizeof(double)>>>(d);
    cudaMemcpy(&hd, d, sizeof hd, cudaMemcpyDeviceToHost);
    is("file scope", (int)hd, 13);
    two_dimensions<<<1, 1, 6 * sizeof(int)>>>(x);
    IS(14);
    generic<int><<<1, 1, sizeof(int)>>>(x);
    IS(15);
    by_value<<<1, 1>>>({17}, x);
    IS(17);
    one<<<1, 1>>>(x, strlen("k<<<1, 1>>>(x)") == 14 ? 18 : 0);
    IS(18);
    one<<<1, 1>>>(x, R"x(")<<<)x"[0] == '"' ? 1'9 : '\'');
    IS(19);
    LAUNCH(one, x, 20);
    IS(20);
    ASSIGN(x, 21);
    IS(21);
    for (int i = 0; i < 2; i++)
        one<<<1, (i + 1) * 1>>>(x, 22);
    IS(22);
    count > 3 ? one<<<1, 1>>>(x, 23) : one<<<1, 1>>>(x, 0);
    IS(23);
    loops<<<1, 1>>>(x);
    IS(51);
    launch_in_a_header(x);
    IS(3);
    is("the line number", __LINE__, 212);
    is("the file's name", strcmp(__FILE__, "tests/sim/oddities.cu"), 0);
    cudaFree(x);
    cudaFree(d);
    printf("%d\n", count);
    return wrong != 0;
}
