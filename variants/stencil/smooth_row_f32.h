/*
 * Rows of the 3x3 mean of float32 with AVX2: the vector code of the variants from cpu_simd on.
 *
 * A vector of column sums (three rows, lane by lane) is made once and stays in registers.  The
 * sums of the columns to the left and right are the same lanes moved by one, and one lane of a
 * neighbour.
 * AVX2 moves lanes only within halves of 16 bytes; so first comes a `joint`, the two halves that
 * meet where one vector ends and the next begins:
 *
 *     sums     a b c d e f g h | i j k l m n o p | q r s t ...    here is i to p, next is q ...
 *     joint            e f g h   i j k l
 *     left                   h   i j k l m n o                    of joint and here
 *     right                        j k l m n o p   q              of here and the next joint
 */
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes to prefetch ahead: a page, since the hardware's own prefetching ends where a page does.  Beyond the end of the
   image a prefetch has no effect, which is allowed. */
#define AHEAD 4096

#define AVX2 __attribute__((target("avx2,fma")))
#define NINTH (1.0f / 9.0f) /* two small roundings, and no division in the loop */

AVX2 static inline __m256 sums_f32(const float *up, const float *mid, const float *down, size_t c)
{
    return _mm256_add_ps(_mm256_add_ps(_mm256_loadu_ps(up + c), _mm256_loadu_ps(mid + c)),
                         _mm256_loadu_ps(down + c));
}

/* Additions are the most frequent operation here; a multiply-add uses another unit of the core. */
AVX2 static inline __m256 means_f32(__m256 left, __m256 here, __m256 right)
{
    const __m256 ninth = _mm256_set1_ps(NINTH);

    return _mm256_fmadd_ps(_mm256_add_ps(left, right), ninth, _mm256_mul_ps(here, ninth));
}

AVX2 static inline __m256i joint_f32(__m256 before, __m256 after)
{
    return _mm256_castps_si256(_mm256_permute2f128_ps(before, after, 0x21));
}

AVX2 static inline __m256 means_between_f32(__m256i joint, __m256 here, __m256i next_joint)
{
    __m256i lanes = _mm256_castps_si256(here);

    return means_f32(_mm256_castsi256_ps(_mm256_alignr_epi8(lanes, joint, 12)), here,
                     _mm256_castsi256_ps(_mm256_alignr_epi8(next_joint, lanes, 4)));
}

/* Eight pixels on their own, with nine loads: for the ends of a row. */
AVX2 static inline void smooth_8_f32(const float *up, const float *mid, const float *down,
                                     float *out, size_t c)
{
    _mm256_storeu_ps(out + c, means_f32(sums_f32(up, mid, down, c - 1), sums_f32(up, mid, down, c),
                                        sums_f32(up, mid, down, c + 1)));
}

/* out[c] for first <= c < last, from columns first - 1 to last and no others.  `stream`: for an
   image that is larger than the caches. */
AVX2 static void smooth_row_f32(const float *up, const float *mid, const float *down, float *out,
                                size_t first, size_t last, bool stream)
{
    /* A streaming store needs an aligned address, and whole lines of cache to be worth it: the
       first line begins here.  Vectors that lead there, and those left over, may overlap. */
    size_t line = first + (-(uintptr_t)(out + first) & 63) / sizeof *out;
    size_t c = first;

    if (last - first < 8) {
        for (; c < last; c++)
            out[c] = ((up[c - 1] + mid[c - 1] + down[c - 1]) + (up[c] + mid[c] + down[c]) +
                      (up[c + 1] + mid[c + 1] + down[c + 1])) * NINTH;
        return;
    }
    for (; c < line && c + 8 <= last; c += 8)
        smooth_8_f32(up, mid, down, out, c);
    c = c < line ? c : line;

    if (c + 15 <= last) {
        __m256 here = sums_f32(up, mid, down, c);
        __m256i joint = joint_f32(_mm256_set1_ps(up[c - 1] + mid[c - 1] + down[c - 1]), here);

        for (; c + 15 <= last; c += 8) {
            __m256 next = sums_f32(up, mid, down, c + 8);
            __m256i next_joint = joint_f32(here, next);
            __m256 means = means_between_f32(joint, here, next_joint);

            if (stream) {
                _mm_prefetch((const char *)(down + c) + AHEAD, _MM_HINT_T0);
                _mm256_stream_ps(out + c, means);
            } else {
                _mm256_storeu_ps(out + c, means);
            }
            here = next;
            joint = next_joint;
        }
    }
    for (; c < last; c += 8)
        smooth_8_f32(up, mid, down, out, c + 8 <= last ? c : last - 8);
}

/* Of four rows, made from six: the columns before `first` and from `last` on */
static void smooth_ends_f32(const float *const row[6], float *out, size_t cols, size_t first,
                            size_t last)
{
    for (size_t i = 0; i < 4; i++, out += cols) {
        smooth_row_f32(row[i], row[i + 1], row[i + 2], out, 1, first, false);
        smooth_row_f32(row[i], row[i + 1], row[i + 2], out, last, cols - 1, false);
        out[0] = row[i + 1][0];
        out[cols - 1] = row[i + 1][cols - 1];
    }
}

/* For NARROW columns or more; `in` and `out` point to the first of the four rows. */
typedef void smooth_four(const float *in, float *out, size_t cols, bool stream);

/* Pixels of a narrow image that are computed at a time: they stay in the first-level cache. */
enum { AT_ONCE = 4096, NARROW = 128 /* columns: fewer cost more by a call than by their arithmetic */ };

/* Returns how many rows to compute at a time: four, or as many as are AT_ONCE pixels. */
static size_t rows_at_once_f32(size_t cols)
{
    return cols < NARROW ? (AT_ONCE - 1) / (cols + 1) : 4;
}

/* Some rows of a narrow image, at most AT_ONCE pixels, not its first and not its last: as one long row.  What that makes
   of the first and the last column is wrong, so these are kept. */
AVX2 static void smooth_narrow_f32(const float *in, float *out, size_t rows, size_t cols, bool stream)
{
    _Alignas(32) float made[AT_ONCE]; /* whole cache lines are streamed, so not before all is right */
    float *to = stream ? made : out;
    size_t n = rows * cols, i = (-(uintptr_t)out & 31) / sizeof *out;

    smooth_row_f32(in - cols, in, in + cols, to, 1, n - 1, false);
    for (size_t c = 0; c < n; c += cols) {
        to[c] = in[c];
        to[c + cols - 1] = in[c + cols - 1];
    }
    if (!stream)
        return;
    i = i < n ? i : n;
    memcpy(out, made, i * sizeof *out);
    for (; i + 8 <= n; i += 8)
        _mm256_stream_ps(out + i, _mm256_loadu_ps(made + i));
    memcpy(out + i, made + i, (n - i) * sizeof *out);
}

/* Rows top to bottom - 1 of an image, its border among them */
static void smooth_rows_f32(size_t rows, size_t cols, const float *in, float *out, size_t top,
                            size_t bottom, bool stream, smooth_four *four_at_once)
{
    const size_t step = rows_at_once_f32(cols);
    const bool four = step == 4 && (cols % 16 == 0 || !stream);

    if (cols < 3) { /* all is border */
        memcpy(out + top * cols, in + top * cols, (bottom - top) * cols * sizeof *out);
        return;
    }
    for (size_t r = top; r < bottom;) {
        const size_t last = bottom < rows ? bottom : rows - 1, left = last > r ? last - r : 0;
        const float *mid = in + r * cols;
        float *to = out + r * cols;

        if (r == 0 || r == rows - 1) {
            memcpy(to, mid, cols * sizeof *to);
            r++;
        } else if (cols < NARROW) {
            smooth_narrow_f32(mid, to, left < step ? left : step, cols, stream);
            r += left < step ? left : step;
        } else if (four && left >= 4) {
            four_at_once(mid, to, cols, stream);
            r += 4;
        } else {
            to[0] = mid[0];
            smooth_row_f32(mid - cols, mid, mid + cols, to, 1, cols - 1, stream);
            to[cols - 1] = mid[cols - 1];
            r++;
        }
    }
}
