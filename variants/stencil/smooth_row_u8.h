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
