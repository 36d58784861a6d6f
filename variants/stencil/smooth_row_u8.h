/*
 * One row of the 3x3 mean of bytes with AVX2: smooth_row_f32.h once more, with sums of 16 bits in
 * 16 lanes, and the division by a multiplication that is exact.  To be included after that header.
 */

/* s / 9, rounded down, is the high half of s * 7282 for every s from 0 to 9 * 255 (all were tried):
   9 * 7282 = 2^16 + 2, and that surplus of 2 adds less than 1/9 to the quotient. */
#define NINTH_16 7282

AVX2 static inline __m256i pixels_u8(const uint8_t *row, size_t c)
{
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(row + c)));
}

AVX2 static inline __m256i sums_u8(const uint8_t *up, const uint8_t *mid, const uint8_t *down,
                                   size_t c)
{
    return _mm256_add_epi16(_mm256_add_epi16(pixels_u8(up, c), pixels_u8(mid, c)),
                            pixels_u8(down, c));
}

AVX2 static inline __m128i means_u8(__m256i left, __m256i here, __m256i right)
{
    __m256i sums = _mm256_add_epi16(_mm256_add_epi16(left, here), right);
    __m256i means = _mm256_mulhi_epu16(sums, _mm256_set1_epi16(NINTH_16));

    return _mm_packus_epi16(_mm256_castsi256_si128(means), _mm256_extracti128_si256(means, 1));
}

/* Sixteen pixels on their own, with nine loads: for the ends of a row. */
AVX2 static inline void smooth_16_u8(const uint8_t *up, const uint8_t *mid, const uint8_t *down,
                                     uint8_t *out, size_t c)
{
    _mm_storeu_si128((__m128i *)(out + c),
                     means_u8(sums_u8(up, mid, down, c - 1), sums_u8(up, mid, down, c),
                              sums_u8(up, mid, down, c + 1)));
}

/* As smooth_row_f32. */
AVX2 static void smooth_row_u8(const uint8_t *up, const uint8_t *mid, const uint8_t *down,
                               uint8_t *out, size_t first, size_t last, bool stream)
{
    size_t line = first + (-(uintptr_t)(out + first) & 63);
    size_t c = first;

    if (last - first < 16) {
        for (; c < last; c++)
            out[c] = (uint8_t)((up[c - 1] + mid[c - 1] + down[c - 1] + up[c] + mid[c] + down[c] +
                                up[c + 1] + mid[c + 1] + down[c + 1]) / 9);
        return;
    }
    for (; c < line && c + 16 <= last; c += 16)
        smooth_16_u8(up, mid, down, out, c);
    c = c < line ? c : line;

    if (c + 31 <= last) {
        __m256i here = sums_u8(up, mid, down, c);
        short before = (short)(up[c - 1] + mid[c - 1] + down[c - 1]);
        __m256i joint = _mm256_permute2x128_si256(_mm256_set1_epi16(before), here, 0x21);

        for (; c + 31 <= last; c += 16) {
            __m256i next = sums_u8(up, mid, down, c + 16);
            __m256i next_joint = _mm256_permute2x128_si256(here, next, 0x21);
            __m256i left = _mm256_alignr_epi8(here, joint, 14);
            __m256i right = _mm256_alignr_epi8(next_joint, here, 2);

            if (stream) {
                _mm_prefetch((const char *)(down + c) + AHEAD, _MM_HINT_T0);
                _mm_stream_si128((__m128i *)(out + c), means_u8(left, here, right));
            } else {
                _mm_storeu_si128((__m128i *)(out + c), means_u8(left, here, right));
            }
            here = next;
            joint = next_joint;
        }
    }
    for (; c < last; c += 16)
        smooth_16_u8(up, mid, down, out, c + 16 <= last ? c : last - 16);
}

enum { AT_ONCE_U8 = 16384, NARROW_U8 = 512 }; /* as AT_ONCE and NARROW */

static size_t rows_at_once_u8(size_t cols)
{
    return cols < NARROW_U8 ? (AT_ONCE_U8 - 1) / (cols + 1) : 1;
}

/* As smooth_narrow_f32. */
AVX2 static void smooth_narrow_u8(const uint8_t *in, uint8_t *out, size_t rows, size_t cols, bool stream)
{
    _Alignas(32) uint8_t made[AT_ONCE_U8];
    uint8_t *to = stream ? made : out;
    size_t n = rows * cols, i = -(uintptr_t)out & 31;

    smooth_row_u8(in - cols, in, in + cols, to, 1, n - 1, false);
    for (size_t c = 0; c < n; c += cols) {
        to[c] = in[c];
        to[c + cols - 1] = in[c + cols - 1];
    }
    if (!stream)
        return;
    i = i < n ? i : n;
    memcpy(out, made, i);
    for (; i + 32 <= n; i += 32)
        _mm256_stream_si256((__m256i *)(out + i), _mm256_loadu_si256((const __m256i *)(made + i)));
    memcpy(out + i, made + i, n - i);
}

/* Rows top to bottom - 1 of an image, its border among them */
static void smooth_rows_u8(size_t rows, size_t cols, const uint8_t *in, uint8_t *out, size_t top,
                           size_t bottom, bool stream)
{
    if (cols < 3) { /* all is border */
        memcpy(out + top * cols, in + top * cols, (bottom - top) * cols);
        return;
    }
    for (size_t r = top; r < bottom;) {
        const size_t last = bottom < rows ? bottom : rows - 1, left = last > r ? last - r : 0;
        const size_t step = left < rows_at_once_u8(cols) ? left : rows_at_once_u8(cols);
        const uint8_t *mid = in + r * cols;
        uint8_t *to = out + r * cols;

        if (r == 0 || r == rows - 1) {
            memcpy(to, mid, cols);
            r++;
        } else if (cols < NARROW_U8) {
            smooth_narrow_u8(mid, to, step, cols, stream);
            r += step;
        } else {
            to[0] = mid[0];
            smooth_row_u8(mid - cols, mid, mid + cols, to, 1, cols - 1, stream);
            to[cols - 1] = mid[cols - 1];
            r++;
        }
    }
}
