/*
 * wgmma: 128 threads multiply matrices in shared memory; the left one may be in registers.
 *
 * The manual defines descriptors and layouts ("Asynchronous Warpgroup Level Matrix").  A product is
 * computed at once, although a GPU may compute it later.  Whether the program waits for its sums is
 * checked at the end.
 */
#include <stdio.h>

#include "harness/sim/ptx/ptx_matrix.h"

enum { GROUP = 128, ROWS = 64, MOST_COLUMNS = 256, MOST_K = 16, MOST_SUMS = MOST_COLUMNS / 2 };
enum { CHUNK = 16 }; /* bytes that stay together */

/* Four sums of a thread: two columns of a row, and of the row 8 further down. */
typedef float four __attribute__((vector_size(16), aligned(4)));

/* A matrix in shared memory. */
struct matrix {
    uint64_t start, lead, stride; /* in bytes */
    unsigned swizzle;             /* bits: 3 for 128 bytes, 2 for 64, 1 for 32, 0 for none */
    bool across; /* rows (or columns) are contiguous, instead of the dimension that is summed over */
};

static struct matrix matrix_of(uint64_t descriptor, bool across, const void *at)
{
    static const unsigned bits[] = {0, 3, 2, 1};

    if ((descriptor >> 49 & 7) != 0)
        sim_fail(at, "wgmma: a descriptor's base offset cannot be simulated");
    return (struct matrix){(descriptor & 0x3fff) << 4, (descriptor >> 16 & 0x3fff) << 4,
                           (descriptor >> 32 & 0x3fff) << 4, bits[descriptor >> 62], across};
}

/* Returns the address of the 16 bytes that begin with element l of a row, along the summed dimension. */
static uint64_t chunk_at(const struct matrix *m, unsigned row, unsigned l, unsigned size)
{
    const unsigned width = CHUNK << m->swizzle, in_width = width / size;
    uint64_t place;

    if (!m->across && m->swizzle == 0)
        place = row / 8 * m->stride + l * size / CHUNK * m->lead + row % 8 * CHUNK;
    else if (!m->across)
        place = row / 8 * m->stride + row % 8 * width + l * size;
    else if (m->swizzle == 0)
        place = row / in_width * m->stride + l / 8 * m->lead + l % 8 * CHUNK;
    else
        place = row / in_width * m->lead + row % in_width * size + l / 8 * m->stride +
                l % 8 * width;
    place += m->start;
    return place ^ (place >> 7 & ((1u << m->swizzle) - 1)) << 4;
}

static const char *read_chunk(uint64_t address, const void *at)
{
    const char *p = sim_check_window(address, CHUNK, at);

    sim_watch_matrix(p, CHUNK, at);
    return p;
}

/* Reads k elements of each row. */
static void read_matrix(float (*to)[MOST_K], const struct matrix *m, unsigned rows, unsigned k,
                        enum ptx_type type, const void *at)
{
    const unsigned size = type == PTX_TF32 ? 4 : 2, in_chunk = CHUNK / size;
    const unsigned rows_step = m->across ? in_chunk : 1, k_step = m->across ? 1 : in_chunk;

    for (unsigned r = 0; r < rows; r += rows_step)
        for (unsigned l = 0; l < k; l += k_step) {
            const char *p = read_chunk(chunk_at(m, r, l, size), at);
            for (unsigned n = 0; n < in_chunk; n++) {
                uint32_t bits = 0;
                memcpy(&bits, p + n * size, size);
                to[m->across ? r + n : r][m->across ? l : l + n] = ptx_number(type, bits);
            }
        }
}

/* Reads the left matrix from registers: as for mma.sync, 16 rows for each warp. */
static void read_registers(float (*to)[MOST_K], struct ptx_frame *const of[],
                           const struct ptx_instruction *i, enum ptx_type type)
{
    for (unsigned t = 0; t < GROUP; t++)
        for (unsigned n = 0; n < 4; n++) {
            const uint32_t word = (uint32_t)ptx_get(of[t], i, i->first[1] + n);
            float *row = to[t / WARP * 16 + n % 2 * 8 + t % WARP / 4];
            const unsigned l = n / 2 * 4 + t % 4;
            if (type == PTX_TF32) {
                row[l] = ptx_number(type, word);
            } else {
                row[2 * l] = ptx_number(type, word & 0xffff);
                row[2 * l + 1] = ptx_number(type, word >> 16);
            }
        }
}

/* --- products --------------------------------------------------------------------------------- */

/* The operands for the t-th thread of each four, in the order of their sums. */
static four b_of[4][MOST_SUMS / 4][MOST_K];

static void arrange(float (*b)[MOST_K], unsigned columns, unsigned k)
{
    for (unsigned t = 0; t < 4; t++)
        for (unsigned c = 0; c < columns / 8; c++)
            for (unsigned l = 0; l < k; l++) {
                const float x = b[c * 8 + t * 2][l], y = b[c * 8 + t * 2 + 1][l];
                b_of[t][c][l] = (four){x, y, x, y};
            }
}

static void multiply_thread(float *sums, unsigned fours, four (*b)[MOST_K],
                            const float upper[MOST_K], const float lower[MOST_K], unsigned k)
{
    four a[MOST_K];

    for (unsigned l = 0; l < k; l++)
        a[l] = (four){upper[l], upper[l], lower[l], lower[l]};
    for (unsigned c = 0; c < fours; c++) {
        four sum, *s = (four *)(void *)&sums[4 * c];
        sum = *s;
        for (unsigned l = 0; l < k; l++)
            sum += a[l] * b[c][l];
        *s = sum;
    }
}

/* Returns a thread's sums if they are contiguous, or else a copy of them. */
static float *sums_of(const struct ptx_frame *f, const struct ptx_instruction *i, float *copy)
{
    const unsigned count = i->first[1], at = i->operand[0].at;
    unsigned n = 0;

    while (n < count && i->operand[n].kind == PTX_GIVEN && i->operand[n].at == at + n)
        n++;
    if (n == count)
        return (float *)(void *)&f->words[at];
    for (n = 0; n < count; n++)
        copy[n] = ptx_float((uint32_t)ptx_get(f, i, n));
    return copy;
}

static void scale(float (*m)[MOST_K], unsigned rows, float by)
{
    for (unsigned r = 0; by != 1 && r < rows; r++)
        for (unsigned l = 0; l < MOST_K; l++)
            m[r][l] *= by;
}

static void multiply(struct ptx_frame *const of[], const struct ptx_instruction *i)
{
    static float a[ROWS][MOST_K], b[MOST_COLUMNS][MOST_K];
    const enum ptx_type type = ptx_type_in(i->place.operation);
    const unsigned sums = i->first[1], columns = 2 * sums, k = type == PTX_TF32 ? 8 : 16;
    const bool in_registers = i->first[2] - i->first[1] == 4;
    const struct ptx_frame *f = of[0];
    const unsigned after = i->first[3]; /* whether to add, the signs, and which operands are transposed */
    const unsigned turned = i->groups - 6;
    const bool a_across = turned == 2 && ptx_get(f, i, after + 3) != 0;
    const bool b_across = turned > 0 && ptx_get(f, i, after + 2 + turned) != 0;
    struct matrix m;

    if (in_registers) {
        read_registers(a, of, i, type);
    } else {
        m = matrix_of(ptx_get(f, i, i->first[1]), a_across, f->at);
        read_matrix(a, &m, ROWS, k, type, f->at);
    }
    m = matrix_of(ptx_get(f, i, i->first[2]), b_across, f->at);
    read_matrix(b, &m, columns, k, type, f->at);
    scale(a, ROWS, (float)(int)ptx_get(f, i, after + 1));
    scale(b, columns, (float)(int)ptx_get(f, i, after + 2));
    arrange(b, columns, k);
    for (unsigned t = 0; t < GROUP; t++) {
        float copy[MOST_SUMS], *mine = sums_of(of[t], i, copy);
        const unsigned row = t / WARP * 16 + t % WARP / 4;
        if (ptx_get(of[t], i, after) == 0)
            memset(mine, 0, sums * sizeof *mine);
        multiply_thread(mine, sums / 4, b_of[t % 4], a[row], a[row + 8], k);
        for (unsigned n = 0; mine == copy && n < sums; n++)
            ptx_set(of[t], i, n, ptx_bits(copy[n]));
    }
}

void ptx_wgmma(struct ptx_frame *f, const struct ptx_instruction *i)
{
    unsigned columns = 0;

    sscanf(strstr(i->place.operation, ".m64n"), ".m64n%u", &columns);
    if (columns > MOST_COLUMNS || columns % 8 != 0 || i->first[1] != columns / 2 || i->groups < 6)
        sim_fail(f->at, "PTX cannot be simulated: operands of %s", i->place.operation);
    if (!sim_lane->products.fenced)
        sim_fail(f->at, "wgmma.mma_async without a wgmma.fence before it");
    sim_lane->products.open = true;
    sim_lane->products.place = &i->place;
    ptx_together(f, i, GROUP, multiply);
}

/* --- waiting for them ------------------------------------------------------------------------- */

void ptx_wgmma_fence(struct ptx_frame *f, const struct ptx_instruction *i)
{
    (void)f;
    (void)i;
    sim_lane->products.fenced = true;
}

void ptx_wgmma_commit(struct ptx_frame *f, const struct ptx_instruction *i)
{
    (void)f;
    (void)i;
    sim_lane->products.batches += sim_lane->products.open;
    sim_lane->products.open = false;
}

void ptx_wgmma_wait(struct ptx_frame *f, const struct ptx_instruction *i)
{
    const unsigned left = (unsigned)ptx_get(f, i, 0);

    if (sim_lane->products.batches > left)
        sim_lane->products.batches = left;
}

void ptx_thread_ends(void)
{
    sim_cluster_leave();
    if (!sim_lane->products.open && sim_lane->products.batches == 0)
        return;
    sim_lane->place = sim_lane->products.place;
    sim_fail(NULL, "unfinished: wgmma.mma_async, whose sums the thread has not waited for");
}
