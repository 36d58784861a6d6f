/*
 * Matrices in the registers of a warp: ldmatrix and mma.sync.
 *
 * The manual defines which thread has which element ("Matrix Fragments").  In short: lane 4g + t has, of
 * a piece of 8 rows by 16 bytes, the 4 bytes at 4t of row g; of a right operand, of column g; and of
 * sums, columns 2t and 2t + 1 of row g.
 */
#include "harness/sim/ptx/ptx_matrix.h"

/* --- numbers ---------------------------------------------------------------------------------- */

static float half_value(uint32_t bits)
{
    const uint32_t exponent = bits & 0x7c00, sign = (bits & 0x8000) << 16;

    if (exponent == 0x7c00)
        return ptx_float(sign | 0x7f800000 | (bits & 0x3ff) << 13);
    /* as a float it is 2^-112 of its value, subnormal or not */
    return ptx_float(sign | (bits & 0x7fff) << 13) * 0x1p112f;
}

float ptx_number(enum ptx_type type, uint32_t bits)
{
    switch (type) {
    case PTX_F16: return half_value(bits);
    case PTX_BF16: return ptx_float(bits << 16);
    default: return ptx_float(bits & 0xffffe000); /* the last 13 bits are ignored for TF32 */
    }
}

enum ptx_type ptx_type_in(const char *name)
{
    if (strstr(name, ".tf32") != NULL)
        return PTX_TF32;
    return strstr(name, ".bf16") != NULL ? PTX_BF16 : PTX_F16;
}

/* --- ldmatrix --------------------------------------------------------------------------------- */

static unsigned pieces_of(const struct ptx_instruction *i)
{
    return i->first[1];
}

static uint64_t row_address(const struct ptx_frame *f, const struct ptx_instruction *i)
{
    return ptx_get(f, i, pieces_of(i));
}

static void load_pieces(struct ptx_frame *const of[], const struct ptx_instruction *i)
{
    const bool across = strstr(i->place.operation, ".trans") != NULL;

    for (unsigned p = 0; p < pieces_of(i); p++) {
        uint16_t row[8][8];
        for (unsigned r = 0; r < 8; r++)
            memcpy(row[r], sim_shared_at(row_address(of[p * 8 + r], i)), sizeof row[r]);
        for (unsigned lane = 0; lane < WARP; lane++) {
            const unsigned g = lane / 4, t = lane % 4 * 2;
            const uint32_t low = across ? row[t][g] : row[g][t];
            const uint32_t high = across ? row[t + 1][g] : row[g][t + 1];
            ptx_set(of[lane], i, p, low | high << 16);
        }
    }
}

void ptx_ldmatrix(struct ptx_frame *f, const struct ptx_instruction *i)
{
    if (sim_lane->number % WARP < 8 * pieces_of(i)) /* these lanes give the rows' addresses */
        sim_access_shared(row_address(f, i), 16, false, f->at);
    ptx_together(f, i, WARP, load_pieces);
}

/* --- mma.sync --------------------------------------------------------------------------------- */

enum { ROWS = 16, COLUMNS = 8, MOST_K = 16 };

/* Unpacks an operand of a warp: rows of A, or columns of B, of which a lane has one in eight. */
static void unpack(float to[][MOST_K], struct ptx_frame *const of[],
                   const struct ptx_instruction *i, unsigned group, unsigned rows,
                   enum ptx_type type)
{
    const unsigned first = i->first[group], count = i->first[group + 1] - first;
    const unsigned across = rows / 8; /* registers that belong to different rows */
    const unsigned in_word = type == PTX_TF32 ? 1 : 2;

    for (unsigned lane = 0; lane < WARP; lane++)
        for (unsigned n = 0; n < count; n++) {
            const uint32_t word = (uint32_t)ptx_get(of[lane], i, first + n);
            float *at = &to[n % across * 8 + lane / 4][(n / across * 4 + lane % 4) * in_word];
            at[0] = ptx_number(type, in_word == 2 ? word & 0xffff : word);
            if (in_word == 2)
                at[1] = ptx_number(type, word >> 16);
        }
}

static void multiply(struct ptx_frame *const of[], const struct ptx_instruction *i)
{
    const enum ptx_type type = ptx_type_in(i->place.operation);
    const unsigned b_words = i->first[3] - i->first[2];
    const unsigned k = b_words * (type == PTX_TF32 ? 4 : 8);
    float a[ROWS][MOST_K], b[COLUMNS][MOST_K];

    unpack(a, of, i, 1, ROWS, type);
    unpack(b, of, i, 2, COLUMNS, type);
    for (unsigned lane = 0; lane < WARP; lane++)
        for (unsigned n = 0; n < 4; n++) {
            const float *row = a[n / 2 * 8 + lane / 4], *column = b[lane % 4 * 2 + n % 2];
            float sum = ptx_float((uint32_t)ptx_get(of[lane], i, i->first[3] + n));
            for (unsigned l = 0; l < k; l++)
                sum += row[l] * column[l];
            ptx_set(of[lane], i, n, ptx_bits(sum));
        }
}

void ptx_mma(struct ptx_frame *f, const struct ptx_instruction *i)
{
    const unsigned of_a = i->first[2] - i->first[1], of_b = i->first[3] - i->first[2];

    if (i->groups != 4 || i->first[1] != 4 || of_a != 2 * of_b || of_b > 2 ||
        i->first[4] - i->first[3] != 4)
        sim_fail(f->at, "PTX cannot be simulated: operands of %s", i->place.operation);
    ptx_together(f, i, WARP, multiply);
}
