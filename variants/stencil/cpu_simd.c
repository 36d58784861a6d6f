/*
 * stencil / cpu_simd
 *
 * Idea     Vectors by hand (AVX2).  Column sums stay in registers, and moving lanes gives the sums
 *          of the neighbouring columns.  Four rows of the answer need six rows of input, so a pixel
 *          costs 1.5 loads instead of nine.  Streaming stores write images larger than the caches
 *          straight to memory, without reading each cache line first.
 * Against  cpu_separable, which keeps the column sums in an array.
 * Expect   8 bytes moved per pixel instead of 12 where memory is the bottleneck.  In a cache,
 *          moving lanes costs less than the loads that it replaces.
 * Try      STREAM_FROM = SIZE_MAX: ordinary stores.  four = false in smooth_rows_f32: row by row.
 * Level    2
 * Read     smooth_four_f32.h, smooth_row_f32.h, smooth_row_u8.h, sweeps.h
 */
#include "smooth_four_f32.h" /* smooth_four_f32, smooth_rows_f32: read this first */
#include "smooth_row_u8.h"   /* smooth_row_u8 */
#include "sweeps.h"          /* prepare, run, release: sweep after sweep through a scratch image */

#define STREAM_FROM ((size_t)32 << 20) /* bytes of an image; most caches hold less than two */

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL
                                                                           : "needs AVX2 and FMA";
}

static void smooth_f32(size_t rows, size_t cols, const float *in, float *out)
{
    bool stream = rows * cols * sizeof *out >= STREAM_FROM;

    smooth_rows_f32(rows, cols, in, out, 0, rows, stream, smooth_four_f32);
    _mm_sfence(); /* streaming stores are not ordered with others: wait for them here */
}

static void smooth_u8(size_t rows, size_t cols, const uint8_t *in, uint8_t *out)
{
    bool stream = rows * cols >= STREAM_FROM;

    smooth_rows_u8(rows, cols, in, out, 0, rows, stream);
    _mm_sfence();
}

VARIANT(.idea = "AVX2, streaming stores, one core",
        .base = "cpu_separable",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
