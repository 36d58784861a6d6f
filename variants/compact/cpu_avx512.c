/*
 * compact / cpu_avx512
 *
 * Idea     AVX-512 has an instruction for it: vcompressps moves the kept elements of sixteen to the front.
 * Against  cpu_simd, which needs a table for eight.
 * Expect   The same at M, which is memory's rate on one core, and up to twice as fast in the cache.  The elements are
 *          compressed into a register and stored whole: with memory as its target the instruction takes over 100 cycles on
 *          Zen 4.
 * Try      _mm512_mask_compressstoreu_ps(p->kept + count, keeps, v).
 * Level    2
 * Read     nothing else
 */
#include <immintrin.h>

#include "common/compact.h"
#include "common/variant.h"

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("popcnt") ? NULL : "needs a CPU with AVX-512";
}

__attribute__((target("avx512f,popcnt"))) static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0, i = 0;

    for (; i + 16 <= p->n; i += 16) {
        const __m512 v = _mm512_loadu_ps(p->x + i);
        const __mmask16 keeps = _mm512_cmp_ps_mask(v, v, _CMP_ORD_Q);

        _mm512_storeu_ps(p->kept + count, _mm512_maskz_compress_ps(keeps, v)); /* count <= i */
        count += (size_t)_mm_popcnt_u32(keeps);
    }
    for (; i < p->n; i++) {
        p->kept[count] = p->x[i];
        count += p->x[i] == p->x[i];
    }
    *p->count = count;
}

VARIANT(.idea = "sixteen at a time, compressed by one instruction", .base = "cpu_simd", .refuse = refuse, .run = run)
