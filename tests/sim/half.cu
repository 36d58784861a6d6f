/* Half precision: every number there and back, the roundings, and a kernel of pairs. */
#include <cuda_fp16.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong;

static void is(const char *what, double got, double expected)
{
    if (got == expected)
        return;
    wrong++;
    fprintf(stderr, "%s: %.9g, expected %.9g\n", what, got, expected);
}

/* Not taken for an attribute's name, which it is as well. */
__noinline__ __device__ static half twice(half h)
{
    return h + h;
}

__attribute__((__noinline__)) __device__ static half2 step(half2 a, half2 x, half2 y)
{
    return __hfma2(a, x, y);
}

__global__ static void saxpy(int n, half a, const half2 *x, const half2 *y, half2 *z, half *results)
{
    __shared__ half2 tile[64];
    int i = threadIdx.x;

    if (i < n) {
        half2 v = step(__half2half2(a), x[i], y[i]);
        tile[i] = v;
    }
    __syncthreads();
    if (i < n)
        z[i] = tile[n - 1 - i];
    half mine = i < n ? __low2half(tile[i]) : half(0.0f);
    if (i == 0) {
        results[1] = hsqrt(half(2.0f));
        results[2] = __hfma(half(1 + 0x1p-10f), half(1 - 0x1p-10f), half(-1.0f));
    }
    for (int lane = 16; lane > 0; lane /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, lane);
    if (i == 0)
        results[0] = twice(mine);
}

static void pairs(void)
{
    enum { N = 30 };
    half2 x[N], y[N], z[N], *d;
    half results[3], *d_results;

    for (int i = 0; i < N; i++) {
        x[i] = make_half2(i, -i);
        y[i] = make_half2(0.5f, 0.25f);
    }
    cudaMalloc(&d, 3 * sizeof x);
    cudaMalloc(&d_results, sizeof results);
    cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(d + N, y, sizeof y, cudaMemcpyHostToDevice);
    saxpy<<<1, 32>>>(N, half(2.0f), d, d + N, d + 2 * N, d_results);
    cudaMemcpy(z, d + 2 * N, sizeof z, cudaMemcpyDeviceToHost);
    cudaMemcpy(results, d_results, sizeof results, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        is("first of a pair", __low2float(z[N - 1 - i]), 2 * i + 0.5);
        is("second of a pair", __high2float(z[N - 1 - i]), -2 * i + 0.25);
    }
    is("sum", __half2float(results[0]), 2 * (N * (N - 1) + 0.5 * N));
    is("root", __half2float(results[1]), 0x1.6ap+0);
    is("multiply and add", __half2float(results[2]), -0x1p-20);
    cudaFree(d);
    cudaFree(d_results);
}

static void roundings(void)
{
    static const struct {
        double from, to;
    } cases[] = {
        {2049, 2048}, {2051, 2052}, {-2051, -2052}, {65504, 65504}, {65519.996, 65504},
        {65520, INFINITY}, {-1e9, -INFINITY}, {0x1p-24, 0x1p-24}, {0x1p-25, 0},
        {0x1.000002p-25, 0x1p-24}, {0x1.8p-24, 0x1p-23}, {0x1.ffep-15, 0x1.ffcp-15 + 0x1p-25},
        {1 + 0x1p-11, 1}, {1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-10}, /* twice rounded it would be 1 */
    };

    for (auto c : cases)
        is("rounded", __half2float(__double2half(c.from)), c.to);
    for (auto c : cases)
        if ((float)c.from == c.from)
            is("rounded from float32", __half2float(__float2half((float)c.from)), c.to);
    for (unsigned bits = 0; bits < 65536; bits++) {
        half h = __ushort_as_half((unsigned short)bits);
        if (!__hisnan(h))
            is("there and back", __half_as_ushort(__float2half(__half2float(h))), bits);
    }
}

static void arithmetic(void)
{
    half a = 3, b = 1.5f;

    is("sum", a + b, 4.5);
    is("quotient", a / b, 2);
    is("product that is too large", half(300) * half(300), INFINITY);
    is("a third", half(1) / a, 0x1.554p-2);
    is("order", (a > b) + (a >= a) + (b != a) + (b < a), 4);
    is("less", __hmin(a, b), 1.5);
    is("sign", -__habs(half(-2)), -2);
}

int main(void)
{
    roundings();
    arithmetic();
    pairs();
    return wrong != 0;
}
