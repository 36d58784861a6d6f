/*
 * Four rows of the 3x3 mean of float32 at once, from six: 1.5 loads per vector where single rows take 3.  A row is
 * too long to stay in the first-level cache until the next row needs it, so two of those three loads come from the
 * second-level cache.  With streaming stores, all four rows must begin at the same place of a cache line.
 */
#include "smooth_row_f32.h" /* sums_f32, joint_f32, means_between_f32, smooth_ends_f32 */

AVX2 static void smooth_four_f32(const float *in, float *out, size_t cols, bool stream)
{
    const float *row[6]; /* the one above to the one below */
    __m256 here[4];
    __m256i joint[4];
    size_t line = (-(uintptr_t)out & 63) / sizeof *out;
    size_t first = line > 0 ? line : 16, c = first;

    for (size_t i = 0; i < 6; i++)
        row[i] = in + i * cols - cols;
    for (size_t i = 0; i < 4; i++) {
        here[i] = sums_f32(row[i], row[i + 1], row[i + 2], c);
        joint[i] = joint_f32(_mm256_set1_ps(row[i][c - 1] + row[i + 1][c - 1] + row[i + 2][c - 1]),
                             here[i]);
    }
    for (; c + 16 <= cols; c += 8)
#pragma GCC unroll 2
        for (size_t i = 0; i < 4; i += 2) { /* rows i and i + 1 share the sum of two */
            const __m256 a = _mm256_loadu_ps(row[i] + c + 8), b = _mm256_loadu_ps(row[i + 1] + c + 8);
            const __m256 d = _mm256_loadu_ps(row[i + 2] + c + 8);
            const __m256 e = _mm256_loadu_ps(row[i + 3] + c + 8), both = _mm256_add_ps(b, d);
            const __m256 next[2] = {_mm256_add_ps(both, a), _mm256_add_ps(both, e)};

#pragma GCC unroll 2
            for (size_t j = 0; j < 2; j++) {
                __m256i next_joint = joint_f32(here[i + j], next[j]);
                __m256 means = means_between_f32(joint[i + j], here[i + j], next_joint);

                if (stream)
                    _mm256_stream_ps(out + (i + j) * cols + c, means);
                else
                    _mm256_storeu_ps(out + (i + j) * cols + c, means);
                here[i + j] = next[j];
                joint[i + j] = next_joint;
            }
        }
    smooth_ends_f32(row, out, cols, first, c);
}
