/*
 * Inline PTX: each instruction that the simulator has, compared with plain C.  Which thread has which
 * element of a matrix follows the manual, element by element.
 */
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;

static void is(const char *what, double got, double expected)
{
    if (got == expected)
        return;
    wrong++;
    fprintf(stderr, "%s: %.9g, expected %.9g\n", what, got, expected);
}

template <class T> static T *on_device(const T *from, size_t count)
{
    T *p;

    cudaMalloc(&p, count * sizeof *p);
    cudaMemcpy(p, from, count * sizeof *p, cudaMemcpyHostToDevice);
    return p;
}

template <class T> static void back(T *to, T *from, size_t count)
{
    cudaMemcpy(to, from, count * sizeof *to, cudaMemcpyDeviceToHost);
    cudaFree(from);
}

__device__ static unsigned address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* --- registers -------------------------------------------------------------------------------- */

__global__ static void registers(unsigned *out)
{
    unsigned v = threadIdx.x, lane, warp, chosen, kept = 7;
    unsigned long long wide;
    unsigned short narrow;
    double d;
    float f;

    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 3;\n\tselp.u32 %0, 10, 20, p;\n}"
        : "=r"(chosen) : "r"(v));
    asm volatile("{ .reg .pred p, q; setp.eq.s32 p, %1, 3; @p mov.u32 %0, 0x2a;"
                 " @!p mov.u32 %0, %0; }" : "+r"(kept) : "r"(v) : "memory");
    asm("mov.u64 %0, %1;" : "=l"(wide) : "l"(0x123456789abcdef0ull));
    asm("mov.u16 %0, %1;" : "=h"(narrow) : "h"((unsigned short)0xfedc));
    asm("mov.f64 %0, %1;" : "=d"(d) : "d"(1.5));
    asm("{ .reg .b32 one; mov.b32 one, 0f3f800000; mov.b32 %0, one; }" : "=f"(f));
    out += 10 * v;
    out[0] = lane;
    out[1] = warp;
    out[2] = chosen;
    out[3] = kept;
    out[4] = wide == 0x123456789abcdef0ull;
    out[5] = narrow;
    out[6] = d == 1.5;
    out[7] = f == 1;
    asm("mov.s32 %0, %1;" : "=r"(out[8]) : "n"(-5));
    asm volatile("" : "+r"(out[8]));
}

static void test_registers(void)
{
    enum { THREADS = 40 };
    unsigned out[THREADS][10] = {}, *d = on_device(out[0], THREADS * 10);

    registers<<<1, THREADS>>>(d);
    back(out[0], d, THREADS * 10);
    for (unsigned t = 0; t < THREADS; t++) {
        is("laneid", out[t][0], t % 32);
        is("warpid", out[t][1], t / 32);
        is("setp.ne, selp", out[t][2], t != 3 ? 10 : 20);
        is("setp.eq, a condition", out[t][3], t == 3 ? 42 : 7);
        is("mov.u64", out[t][4], 1);
        is("mov.u16", out[t][5], 0xfedc);
        is("mov.f64", out[t][6], 1);
        is("0f3f800000", out[t][7], 1);
        is("a negative constant", (int)out[t][8], -5);
    }
}

/* --- ldmatrix --------------------------------------------------------------------------------- */

__global__ static void load_matrices(uint32_t *out)
{
    __shared__ alignas(16) uint16_t rows[32][8];
    const unsigned lane = threadIdx.x;
    uint32_t *mine = out + 14 * lane;

    for (unsigned e = 0; e < 8; e++)
        rows[lane][e] = lane * 8 + e;
    __syncthreads();
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(mine[0]) : "r"(address(rows[lane % 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(mine[1]), "=r"(mine[2]) : "r"(address(rows[lane % 16])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(mine[3]), "=r"(mine[4]), "=r"(mine[5]), "=r"(mine[6])
                 : "r"(address(rows[lane])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(mine[7]), "=r"(mine[8]), "=r"(mine[9]), "=r"(mine[10])
                 : "r"(address(rows[lane])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1 + 128];"
                 : "=r"(mine[11]) : "r"(address(rows[lane % 8])));
}

static void test_ldmatrix(void)
{
    uint32_t out[32][14] = {}, *d = on_device(out[0], 32 * 14);

    load_matrices<<<1, 32>>>(d);
    back(out[0], d, 32 * 14);
    for (unsigned lane = 0; lane < 32; lane++) {
        for (unsigned low = 0; low < 2; low++) {
            const unsigned row = lane / 4, e = lane % 4 * 2 + low, shift = 16 * low;
            const uint32_t *mine = out[lane];
            is("ldmatrix.x1", mine[0] >> shift & 0xffff, row * 8 + e);
            for (unsigned p = 0; p < 4; p++) {
                if (p < 2)
                    is("ldmatrix.x2", mine[1 + p] >> shift & 0xffff, p * 64 + row * 8 + e);
                is("ldmatrix.x4", mine[3 + p] >> shift & 0xffff, p * 64 + row * 8 + e);
                is("ldmatrix.trans", mine[7 + p] >> shift & 0xffff, p * 64 + e * 8 + row);
            }
            is("ldmatrix with an offset", mine[11] >> shift & 0xffff, 64 + row * 8 + e);
        }
    }
}

/* --- mma.sync --------------------------------------------------------------------------------- */

enum { M = 16, N = 8, K = 16 };

struct product {
    float a[M][K], b[K][N], c[M][N], d[M][N];
};

static product small_numbers(void)
{
    product p;

    for (unsigned i = 0; i < M * K; i++)
        p.a[i / K][i % K] = (float)(rand() % 33 - 16) / 8;
    for (unsigned i = 0; i < K * N; i++)
        p.b[i / N][i % N] = (float)(rand() % 33 - 16) / 4;
    for (unsigned i = 0; i < M * N; i++)
        p.c[i / N][i % N] = (float)(rand() % 100);
    return p;
}

__device__ static uint32_t bits(float low, float high, bool bf16)
{
    uint32_t l, h;

    if (!bf16)
        return __half_as_ushort(low) | (uint32_t)__half_as_ushort(high) << 16;
    l = __float_as_uint(low);
    h = __float_as_uint(high);
    return l >> 16 | (h >> 16) << 16;
}

/* Elements of 16 bits: two in a register.  K_NOW is 16 or 8, of half the registers. */
template <unsigned K_NOW, bool BF16> __global__ static void multiply_16(product *p)
{
    const unsigned group = threadIdx.x / 4, in_group = threadIdx.x % 4;
    uint32_t a[4], b[2];
    float c[4], d[4];

    for (unsigned i = 0; i < K_NOW / 2; i += 2) {
        const unsigned row = i < 2 || (4 <= i && i < 6) ? group : group + 8;
        const unsigned column = in_group * 2 + (i >= 4 ? 8 : 0);
        a[i / 2] = bits(p->a[row][column], p->a[row][column + 1], BF16);
    }
    for (unsigned i = 0; i < K_NOW / 4; i += 2) {
        const unsigned row = in_group * 2 + (i >= 2 ? 8 : 0);
        b[i / 2] = bits(p->b[row][group], p->b[row + 1][group], BF16);
    }
    for (unsigned i = 0; i < 4; i++)
        c[i] = p->c[i < 2 ? group : group + 8][in_group * 2 + i % 2];
    if constexpr (K_NOW == 16 && BF16)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
            " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]),
              "f"(c[1]), "f"(c[2]), "f"(c[3]));
    else if constexpr (K_NOW == 16)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
            " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]),
              "f"(c[1]), "f"(c[2]), "f"(c[3]));
    else
        asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
            " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    for (unsigned i = 0; i < 4; i++)
        p->d[i < 2 ? group : group + 8][in_group * 2 + i % 2] = d[i];
}

/* Of 32 bits, the last 13 of which do not count: sums in place. */
template <unsigned K_NOW> __global__ static void multiply_32(product *p)
{
    const unsigned group = threadIdx.x / 4, in_group = threadIdx.x % 4;
    uint32_t a[4], b[2];
    float c[4];

    for (unsigned i = 0; i < K_NOW / 2; i++)
        a[i] = __float_as_uint(p->a[i % 2 == 0 ? group : group + 8][in_group + (i >= 2 ? 4 : 0)]) |
               0x1fff;
    for (unsigned i = 0; i < K_NOW / 4; i++)
        b[i] = __float_as_uint(p->b[in_group + (i >= 1 ? 4 : 0)][group]) | 0x1000;
    for (unsigned i = 0; i < 4; i++)
        c[i] = p->c[i < 2 ? group : group + 8][in_group * 2 + i % 2];
    if constexpr (K_NOW == 8)
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
            " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else
        asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32"
            " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    for (unsigned i = 0; i < 4; i++)
        p->d[i < 2 ? group : group + 8][in_group * 2 + i % 2] = c[i];
}

static void test_product(const char *what, void (*kernel)(product *), unsigned k)
{
    product p = small_numbers(), *d = on_device(&p, 1);

    kernel<<<1, 32>>>(d);
    back(&p, d, 1);
    for (unsigned i = 0; i < M; i++)
        for (unsigned j = 0; j < N; j++) {
            float sum = p.c[i][j];
            for (unsigned l = 0; l < k; l++)
                sum += p.a[i][l] * p.b[l][j];
            is(what, p.d[i][j], sum);
        }
}

/* Numbers at the ends of what halves can be, each times 1. */
__global__ static void halves(const unsigned short *from, float *to)
{
    const unsigned half_1 = 0x3c00;
    float d[4];

    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
        " {%0, %1, %2, %3}, {%4, %4}, {%5}, {%6, %6, %6, %6};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(threadIdx.x % 4 == 0 ? (unsigned)from[threadIdx.x / 4] : 0),
          "r"(threadIdx.x % 4 == 0 ? half_1 : 0), "f"(0.0f));
    if (threadIdx.x % 4 == 0)
        to[threadIdx.x / 4] = d[0];
}

static void test_halves(void)
{
    const unsigned short from[8] = {0x0001, 0x83ff, 0x0400, 0x7bff, 0xfc00, 0x3555, 0x8000, 0xc000};
    const float expected[8] = {0x1p-24f, -0x1.ff8p-15f, 0x1p-14f, 65504, -1 / 0.0f, 0x1.554p-2f,
                               0, -2};
    float to[8] = {}, *d_to = on_device(to, 8);
    unsigned short *d_from = on_device(from, 8);

    halves<<<1, 32>>>(d_from, d_to);
    back(to, d_to, 8);
    cudaFree(d_from);
    for (unsigned i = 0; i < 8; i++)
        is("a half", to[i], expected[i]);
}

/* ---------------------------------------------------------------------------------------------- */

int main(void)
{
    test_registers();
    test_ldmatrix();
    test_product("mma.m16n8k16, f16", multiply_16<16, false>, 16);
    test_product("mma.m16n8k16, bf16", multiply_16<16, true>, 16);
    test_product("mma.m16n8k8, f16", multiply_16<8, false>, 8);
    test_product("mma.m16n8k8, tf32", multiply_32<8>, 8);
    test_product("mma.m16n8k4, tf32", multiply_32<4>, 4);
    test_halves();
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
