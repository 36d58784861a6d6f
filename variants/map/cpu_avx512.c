/*
 * map / cpu_avx512
 *
 * Idea     Sixteen floats or 32 int16 per instruction.  Masks choose between sine and cosine, and end the array: no loop for what
 *          is left.
 * Against  cpu_simd, which has AVX2, on one core too.
 * Expect   In the caches up to twice as fast for trig, where the processor has two multiply-add units of this width, and the same
 *          where it has one.  From memory the same.
 * Try      Leave out the mask in the stores: what does the harness say at n = 33?
 * Level    3
 * Read     sine.h, payne_hanek.h
 */
#include <immintrin.h>

#include "common/map.h"
#include "common/variant.h"
#include "sine.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq"))) static inline

enum {
    STREAM_FROM = 16 << 20, /* bytes of the answer, as in avx2_range.h */
    BURST = 512             /* floats */
};

static struct window windows[WINDOWS];

struct angles {
    __m512 r;
    __m512i quarters;
};

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") ? NULL : "needs AVX-512 BW and DQ";
}

AVX512 __m512 all(float x)
{
    return _mm512_set1_ps(x);
}

AVX512 struct angles reduce_near16(__m512 x)
{
    const __m512 rounded = _mm512_fmadd_ps(x, all(TWO_OVER_PI), all(ROUNDER));
    const __m512 quarters = _mm512_sub_ps(rounded, all(ROUNDER));
    __m512 r = _mm512_fnmadd_ps(quarters, all(HALF_PI_1), x);

    r = _mm512_fnmadd_ps(quarters, all(HALF_PI_2), r);
    r = _mm512_fnmadd_ps(quarters, all(HALF_PI_3), r);
    return (struct angles){r, _mm512_castps_si512(rounded)};
}

/* Eight numbers, whose windows have these indexes. */
AVX512 __m256 reduce_far8(__m256 x, __m256i index, __m256i *quarters)
{
    const __m512d wide = _mm512_cvtps_pd(x);
    const __m256i twice = _mm256_add_epi32(index, index); /* hi and lo take turns */
    const __m512d hi = _mm512_i32gather_pd(twice, &windows->hi, 8), lo = _mm512_i32gather_pd(twice, &windows->lo, 8);
    const __m512d exact = _mm512_mul_pd(wide, hi);
    const __m512d whole = _mm512_roundscale_pd(_mm512_fmadd_pd(wide, lo, exact), _MM_FROUND_TO_NEAREST_INT);
    const __m512d rest = _mm512_fmadd_pd(wide, lo, _mm512_sub_pd(exact, whole));

    *quarters = _mm512_cvtpd_epi32(whole);
    return _mm512_cvtpd_ps(_mm512_mul_pd(rest, _mm512_set1_pd(1.57079632679489661923)));
}

/* Replaces what reduce_near16 has made of large numbers. */
__attribute__((target("avx512f,avx512bw,avx512dq"), noinline, cold)) static struct angles
reduce_far16(__m512 x, struct angles near)
{
    const __m512i exponent = _mm512_and_si512(_mm512_srli_epi32(_mm512_castps_si512(x), 23), _mm512_set1_epi32(255));
    const __m512i index = _mm512_sub_epi32(exponent, _mm512_set1_epi32(WINDOW_FIRST));
    const __mmask16 is_far = _mm512_cmpge_epi32_mask(index, _mm512_setzero_si512());
    const __m512i inside = _mm512_max_epi32(index, _mm512_setzero_si512()); /* of the table */
    __m256i low, high;
    const __m256 r_low = reduce_far8(_mm512_castps512_ps256(x), _mm512_castsi512_si256(inside), &low);
    const __m256 r_high = reduce_far8(_mm512_extractf32x8_ps(x, 1), _mm512_extracti64x4_epi64(inside, 1), &high);
    const __m512 r = _mm512_insertf32x8(_mm512_castps256_ps512(r_low), r_high, 1);
    const __m512i quarters = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);

    return (struct angles){_mm512_mask_mov_ps(near.r, is_far, r), _mm512_mask_mov_epi32(near.quarters, is_far, quarters)};
}

/* sin(quarters * pi/2 + r) */
AVX512 __m512 sine16(struct angles a)
{
    const __m512 r = a.r, s = _mm512_mul_ps(r, r);
    __m512 sine = _mm512_fmadd_ps(all(S2), s, all(S1)), cosine = _mm512_fmadd_ps(all(C2), s, all(C1));

    sine = _mm512_fmadd_ps(_mm512_mul_ps(s, r), _mm512_fmadd_ps(sine, s, all(S0)), r);
    cosine = _mm512_fmadd_ps(_mm512_fmadd_ps(cosine, s, all(C0)), s, all(-0.5F));
    cosine = _mm512_fmadd_ps(cosine, s, all(1.0F));
    const __m512 size = _mm512_mask_mov_ps(sine, _mm512_test_epi32_mask(a.quarters, _mm512_set1_epi32(1)), cosine);
    const __m512 sign = _mm512_and_ps(_mm512_castsi512_ps(_mm512_slli_epi32(a.quarters, 30)), all(-0.0F));

    return _mm512_xor_ps(size, sign);
}

/* cos x + sin y */
AVX512 __m512 trig16(__m512 x, __m512 y)
{
    const __m512 size = _mm512_max_ps(_mm512_abs_ps(x), _mm512_abs_ps(y));
    struct angles a = reduce_near16(x), b = reduce_near16(y);

    if (__builtin_expect(_mm512_cmp_ps_mask(size, all(NEAR), _CMP_NLT_UQ) != 0, 0)) {
        a = reduce_far16(x, a);
        b = reduce_far16(y, b);
    }
    a.quarters = _mm512_add_epi32(a.quarters, _mm512_set1_epi32(1)); /* cos x = sin(x + pi/2) */
    return _mm512_add_ps(sine16(a), sine16(b));
}

AVX512 __m512 reldiff16(__m512 x, __m512 y)
{
    const __m512 difference = _mm512_sub_ps(x, y);

    return _mm512_div_ps(_mm512_add_ps(difference, difference), _mm512_add_ps(x, y));
}

__attribute__((target("avx512f,avx512bw,avx512dq"), always_inline)) static inline void
some_floats(int f, const float *x, const float *y, float *z, size_t n)
{
    for (size_t i = 0; i < n; i += 16) {
        const __mmask16 some = n - i < 16 ? (__mmask16)((1U << (n - i)) - 1) : (__mmask16)0xffff;
        const __m512 xs = _mm512_mask_loadu_ps(all(1.0F), some, x + i), ys = _mm512_mask_loadu_ps(all(1.0F), some, y + i);

        _mm512_mask_storeu_ps(z + i, some, f == MAP_TRIG ? trig16(xs, ys) : reldiff16(xs, ys));
    }
}

/* Large answers are computed in the cache, a block at a time, and stream out from there (avx2_range.h says why). */
__attribute__((target("avx512f,avx512bw,avx512dq"), always_inline)) static inline void floats(const struct map *p, int f)
{
    const int stream = p->n * sizeof *p->z >= STREAM_FROM && (uintptr_t)p->z % 64 == 0;
    float block[BURST] __attribute__((aligned(64)));

    for (size_t first = 0, count; first < p->n; first += count) {
        count = stream && p->n - first >= BURST ? BURST : p->n - first;
        float *to = stream && count == BURST ? block : p->z + first;
        some_floats(f, p->x + first, p->y + first, to, count);
        for (size_t i = 0; i < BURST && to == block; i += 16)
            _mm512_stream_ps(p->z + first + i, _mm512_load_ps(block + i));
    }
}

/* abs makes 0x8000 of -32768, which is 32768 in a comparison without a sign. */
AVX512 void suppress(const struct map *p)
{
    const int stream = p->n * sizeof *p->z16 >= STREAM_FROM && (uintptr_t)p->z16 % 64 == 0;
    const __m512i threshold = _mm512_set1_epi16((int16_t)p->threshold);

    for (size_t i = 0; i < p->n; i += 32) {
        const size_t left = p->n - i;
        const __mmask32 some = left < 32 ? (1U << left) - 1 : 0xffffffffU;
        const __m512i x = _mm512_maskz_loadu_epi16(some, p->x16 + i);
        const __m512i z = _mm512_maskz_mov_epi16(_mm512_cmpgt_epu16_mask(_mm512_abs_epi16(x), threshold), x);

        if (stream && left >= 32)
            _mm512_stream_si512((__m512i *)(p->z16 + i), z);
        else
            _mm512_mask_storeu_epi16(p->z16 + i, some, z);
    }
}

static void prepare(const void *problem)
{
    (void)problem;
    windows_make(windows);
}

__attribute__((target("avx512f,avx512bw,avx512dq"))) static void run(const void *problem)
{
    const struct map *p = problem;

    if (p->f == MAP_TRIG)
        floats(p, MAP_TRIG);
    else if (p->f == MAP_RELDIFF)
        floats(p, MAP_RELDIFF);
    else
        suppress(p);
    _mm_sfence(); /* streaming stores are not ordered with others: wait for them here */
}

VARIANT(.idea = "sine and cosine of sixteen at once, one core",
        .base = "cpu_simd",
        .refuse = refuse,
        .prepare = prepare,
        .run = run)
