/* EXERCISE
title: Tensor cores
problem: matmul
concept: fragments: a matrix spread over the registers of a warp
minutes: 35
story:
  A tensor core multiplies two small matrices in one instruction, and adds the product to a third: C += A * B, here with
  16 x 8, 8 x 8 and 16 x 8 numbers. No thread has these matrices. They are spread over the registers of a warp, and each
  lane holds a few elements of each: its fragments. Which lane holds which element is laid down in the manual of PTX, the
  GPU's assembly language.

  The factors are TF32: floats of which only 11 binary digits count. The products are added as floats. So the result is
  less exact than that of exercise 10, by a factor of several thousand, and the judge allows for that.
task:
  Below, a warp computes 16 x 8 elements of C, and each lane four of them by itself. Let mma() do it, for 8 columns of A
  and rows of B at a time. The table above mma() says what lane 4g + t must hold. at(matrix, rows, columns, r, c) returns
  an element as TF32, and 0 outside of the matrix. Then write the four sums of each lane to the places that the table
  says.
now: the four elements of a lane need eight loads for each l
goal: six loads for eight l, at most 2000 loads by warps for 64 x 64 x 64
why: a warp's fragments of A and B are six registers for each lane, and 32 warps go through 8 slices: 1536 loads
sizes: m=0,n=8,k=8 m=1,n=1,k=1 m=16,n=8,k=0 m=16,n=8,k=8 m=16,n=8,k=16 m=32,n=24,k=40 m=17,n=9,k=9 m=5,n=7,k=300
  m=33,n=65,k=31 m=64,n=64,k=64 m=70,n=20,k=129 m=200,n=9,k=8
math: tf32
count: m=64,n=64,k=64
gate: load_requests <= 2000 | reads-again | For 64 x 64 x 64, 32 warps go through 8 slices, and the fragments of each are 6 loads: 1536 loads.
clue: fewer than 2 mma( | - | reads-again | The kernel does not call mma(), so each lane multiplies by itself.
answer tf32: 4096 or 2^12 or 4096.0 or 4096.0f | TF32 keeps 11 binary digits, and 4097 has 13: 1000000000001. The last two are rounded, and the 1 is lost.
starter: reads-again
hint 1:
  Take lane 6. What are g and t? Which two rows and which two columns of the slice of A does it hold, and which column of
  B?
hint 2:
  The sums need the same lanes from slice to slice, so they stay in c[4] until the end. All 32 lanes take part in mma(),
  also where C has ended: at() gives them zeros. Where do c[0] to c[3] belong?
hint 3:
  c[4] is 0
  for l = 0, 8, 16 ... while it is below k
      a_part: rows g and g + 8, columns l + t and l + t + 4, in the order of the table
      b_part: rows l + t and l + t + 4, column g
      mma
  each of the four sums, if its row and column exist: c[e] to row g + 8 * (e / 2), column 2 * t + e % 2
say reads-again: does not call mma() |
  A lane that multiplies two floats needs both of them, and loads two numbers for one product. mma() makes 1024 products of the 192 numbers
  that a warp loads: six for each lane.
say reads-again: times as many |
  Are some of these loads made again for numbers that the warp has loaded already? For a slice each lane loads six numbers, once, and one
  mma() adds to all four of its sums. Is there a loop around the loads besides that over the slices, or are its steps shorter than 8?
say reads-again:
  Count the calls of at(): in a round, for a slice of 8 columns, a lane needs four numbers of A and two of B.
say first-missed:
  The first slice begins at l = 0.
say wrong-fragment: lane % 8 |
  Four lanes side by side have the same g. So g is lane / 4, from 0 to 7, and t is lane % 4.
say wrong-fragment: the matrix |
  The arguments of at() are the matrix, its rows, its columns, and then row and column of the element: a has m rows of k,
  b has k rows of n.
say wrong-fragment: not parts of one sum |
  mma() is one multiplication of the whole warp, and adds up over all lanes by itself. Nothing is left to be added: each lane stores its four
  elements, to rows g and g + 8, and columns 2t and 2t + 1.
say wrong-fragment: a[0] and a[1] are row g |
  The table goes down first: a[0] and a[1] are rows g and g + 8 of column t, and a[2] and a[3] the same rows of column t + 4. b[0] and b[1] are
  rows t and t + 4.
say wrong-fragment: of b stand |
  b[0] is row t of the slice, and b[1] row t + 4.
say wrong-fragment: registers 1 and 2 of a |
  a[0] and a[1] have the same column, and rows g and g + 8. Then come those of column t + 4.
say wrong-fragment: registers 1 and 2 of c |
  c[0] and c[1] are neighbours in row g. c[2] and c[3] lie 8 rows below. In a the order is the other one.
say wrong-fragment: fragment of a |
  The lane's elements of a: rows g and g + 8, columns t and t + 4 of the slice.
say wrong-fragment: fragment of b |
  The lane's elements of b: rows t and t + 4 of the slice, column g of the tile.
say wrong-fragment: b was read |
  "col" in the name of the instruction is about the fragments. In memory b has rows of n, as always: at(b, k, n, row,
  column).
say wrong-fragment: should have |
  Compare this register of this lane with the table above mma().
say wrong-fragment: belongs to |
  Compare this sum of this lane with the table above mma().
say wrong-fragment:
  Row g and g + 8, columns 2 * t and 2 * t + 1: c[0] and c[1] are in the first row, c[2] and c[3] in the second.
say missing-lane:
  mma() is one instruction of the whole warp. No lane may have returned before, or be behind a condition. Conditions
  belong to what is stored at the end.
say overwritten:
  c[4] begins with 0 once, before the first slice. mma() adds to it.
say partial-tile:
  The last slice may be less than 8 wide. at() gives zeros behind the end, so the loop goes on while l is below k.
say wrong-half: every other |
  A slice has 8 columns of A and 8 rows of B.
say wrong-half:
  There are two registers of b and four of a: what do the later ones hold?
say out-of-bounds: reads d_ |
  at() returns 0 outside of a matrix, if its rows and columns are those of the matrix: a has m rows of k, b has k rows of n. Then come row
  and column of the element.
say out-of-bounds:
  The last tile may reach past the end of C. Before c[e] is stored, look at its own row and its own column. And use at()
  for a and b.
say wrong-part: threadIdx.y is not in |
  A warp is a row of threads, of which a block has WARPS: its number in the block is threadIdx.y.
say wrong-part:
  A tile's rows begin at row0, and its columns at column0, in A, B and C.
say race: blocks of a launch |
  Two tiles write the same element of C. Each begins at its own row0 and column0.
say race:
  Two lanes write the same element of C. The four sums of a lane belong to rows g and g + 8, and to columns 2t and 2t + 1.
say part-missing:
  The four sums of a lane belong to rows g and g + 8, and to columns 2t and 2t + 1. Are all 16 rows of the tile written?
say not-a-number:
  A fragment holds the bits of a float, as at() returns them, and not a whole number.
say all-zero:
  A fragment holds the bits of a float, as at() returns them. A conversion of a float to an integer cuts off its fraction.
say same-tile:
  The tile begins at row0 and column0, and the slice at l. What the table says is counted from there.
say counted-again: twice: |
  c += a * b: how often is mma() called for a slice?
say counted-again:
  A slice has 8 columns of A: the next one begins 8 further on.
say gaps:
  Is g the lane's number / 4, from 0 to 7, and t its number % 4? Each lane has four sums, in two rows and two columns
  each.
say wrong-values:
  Take A and B of 16 x 8 and 8 x 8 with a single 1 each. Which lane has it, and in which register? Compare with the table
  above mma().
wrong a_order: wrong-fragment | In which order does a lane hold its four elements of A?
wrong a_turned: wrong-fragment | What counts g: rows or columns of A?
wrong by_eight: wrong-fragment | Which g and t has lane 1?
wrong a_pairs: wrong-fragment | Which columns of A has lane 1?
wrong b_turned: wrong-fragment | What counts g: rows or columns of B?
wrong b_as_columns: wrong-fragment | Where is b[1][0] in memory?
wrong lanes_of_row: wrong-fragment | What does a lane's c[0] lack behind mma()?
wrong both_in_order: wrong-fragment | Which of a lane's elements of A stand in one row?
wrong c_order: wrong-fragment | Which two sums of a lane are neighbours?
wrong c_one_row: wrong-fragment | How many rows of C has lane 0?
wrong c_singles: wrong-fragment | Which columns of C has lane 1?
wrong c_as_before: wrong-fragment | Does the lane hold the same elements of C as before?
wrong warp_of_x: wrong-part | How long is a row of threads of a block?
wrong by_number: counted-again | With which column of A does slice 1 begin?
wrong begins_anew: overwritten | When does c begin with 0?
wrong whole_slices: partial-tile | What becomes of the last columns of A, if k is 9?
wrong by_sixteen: wrong-half | How wide is a slice?
wrong by_four: counted-again | How wide is a slice, and where does the next one begin?
wrong next_row: wrong-fragment | Which rows of A has lane 0?
wrong no_column0: same-tile | Which columns of B are for the second tile?
wrong returns_early: missing-lane | Which lanes reach mma() in the last tile?
wrong each_element: reads-again | It is right. How many of its four sums does a lane get from one mma()?
wrong no_guard: out-of-bounds | Which rows and columns has the last tile?
extra:
  Let each warp compute 32 x 32 elements of C, by eight mma() for each slice. How many loads are left for 64 x 64 x 64?
  Which fragments are used several times?
discuss:
  A float has 24 binary digits. How can a float be written as the sum of two TF32 numbers, nearly, and how many mma() does
  a product of such sums take? variants/matmul/cuda_tensor_split.cu does so, with bfloat16.
*/
/*
 * 22 Tensor cores: C = A*B by mma.sync, 16 x 8 elements of C for a warp.
 *
 * It is right.  Let the warp multiply its matrices together.
 */
#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"

#if STARTER
/* TF32 keeps 11 binary digits.  What is 4097, which is 2^12 + 1, as TF32?
   answer tf32: ? */
#else
/* TF32 keeps 11 binary digits.  What is 4097, which is 2^12 + 1, as TF32?
   answer tf32: 4096 */
#endif
enum { ROWS = 16, COLUMNS = 8, SLICE = 8, WARPS = 4 }; /* of a warp's tile; of a slice; of a block */

static float *d_a, *d_b, *d_c; /* on the device */

/* Returns element [r][c] of a matrix, rounded to TF32, as the bits of a float; outside of the matrix 0. */
__device__ static unsigned at(const float *matrix, size_t rows, size_t columns, size_t r, size_t c)
{
    const float x = r < rows && c < columns ? matrix[r * columns + c] : 0;

    return (__float_as_uint(x) + 0x1000u) & ~0x1fffu; /* the last 13 bits do not count */
}

/*
 * c += a * b, for the whole warp.  With g = lane / 4 and t = lane % 4 the lane holds
 *
 *     of A, 16 x 8     a[0]  row g, column t             a[1]  row g + 8, column t
 *                      a[2]  row g, column t + 4         a[3]  row g + 8, column t + 4
 *     of B, 8 x 8      b[0]  row t, column g             b[1]  row t + 4, column g
 *     of C, 16 x 8     c[0]  row g, column 2t            c[1]  row g, column 2t + 1
 *                      c[2]  row g + 8, column 2t        c[3]  row g + 8, column 2t + 1
 */
__device__ static void mma(float c[4], const unsigned a[4], const unsigned b[2])
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ static void multiply(size_t m, size_t n, size_t k, const float *a, const float *b, float *C)
{
#if WRONG_by_eight
    const unsigned lane = threadIdx.x, g = lane % 8, t = lane / 8;
#else
    const unsigned lane = threadIdx.x, g = lane / 4, t = lane % 4;
#endif
#if WRONG_warp_of_x
    const size_t row0 = ((size_t)blockIdx.y * WARPS + threadIdx.x / 32) * ROWS;
#else
    const size_t row0 = ((size_t)blockIdx.y * WARPS + threadIdx.y) * ROWS; /* of the warp's tile of C */
#endif
    const size_t column0 = (size_t)blockIdx.x * COLUMNS;
    float c[4] = {0, 0, 0, 0};

#if STARTER
    for (size_t l = 0; l < k; l++)
        for (unsigned e = 0; e < 4; e++) {
            const size_t row = row0 + (lane + 32 * e) / COLUMNS, column = column0 + lane % COLUMNS;

            c[e] += __uint_as_float(at(a, m, k, row, l)) * __uint_as_float(at(b, k, n, l, column));
        }
    (void)g;
    (void)t;
    (void)mma;
#elif WRONG_returns_early
    if (row0 + g >= m || column0 + 2 * t >= n)
        return;
    for (size_t l = 0; l < k; l += SLICE) {
#elif WRONG_each_element
    for (unsigned e = 0; e < 4; e++) {
        c[0] = c[1] = c[2] = c[3] = 0;
        for (size_t l = 0; l < k; l += SLICE) {
#elif WRONG_whole_slices
    for (size_t l = 0; l + SLICE <= k; l += SLICE) {
#elif WRONG_by_sixteen
    for (size_t l = 0; l < k; l += 16) {
#elif WRONG_by_number
    for (size_t l = 0; l < (k + SLICE - 1) / SLICE; l++) {
#elif WRONG_by_four
    for (size_t l = 0; l < k; l += 4) {
#else
    for (size_t l = 0; l < k; l += SLICE) {
#endif
#if STARTER
#elif WRONG_a_order
        const unsigned a_part[4] = {at(a, m, k, row0 + g, l + t), at(a, m, k, row0 + g, l + t + 4),
                                    at(a, m, k, row0 + g + 8, l + t), at(a, m, k, row0 + g + 8, l + t + 4)};
#elif WRONG_a_turned
        const unsigned a_part[4] = {at(a, m, k, row0 + t, l + g), at(a, m, k, row0 + t + 8, l + g),
                                    at(a, m, k, row0 + t, l + g + 4), at(a, m, k, row0 + t + 8, l + g + 4)};
#elif WRONG_both_in_order
        const unsigned a_part[4] = {at(a, m, k, row0 + g, l + 2 * t), at(a, m, k, row0 + g, l + 2 * t + 1),
                                    at(a, m, k, row0 + g + 8, l + 2 * t), at(a, m, k, row0 + g + 8, l + 2 * t + 1)};
#elif WRONG_a_pairs
        const unsigned a_part[4] = {at(a, m, k, row0 + g, l + 2 * t), at(a, m, k, row0 + g + 8, l + 2 * t),
                                    at(a, m, k, row0 + g, l + 2 * t + 1), at(a, m, k, row0 + g + 8, l + 2 * t + 1)};
#elif WRONG_next_row
        const unsigned a_part[4] = {at(a, m, k, row0 + g, l + t), at(a, m, k, row0 + g + 1, l + t),
                                    at(a, m, k, row0 + g, l + t + 4), at(a, m, k, row0 + g + 1, l + t + 4)};
#else
        const unsigned a_part[4] = {at(a, m, k, row0 + g, l + t), at(a, m, k, row0 + g + 8, l + t),
                                    at(a, m, k, row0 + g, l + t + 4), at(a, m, k, row0 + g + 8, l + t + 4)};
#endif
#if STARTER
#elif WRONG_b_turned
        const unsigned b_part[2] = {at(b, k, n, l + g, column0 + t), at(b, k, n, l + g, column0 + t + 4)};

#elif WRONG_b_as_columns
        const unsigned b_part[2] = {at(b, n, k, column0 + g, l + t), at(b, n, k, column0 + g, l + t + 4)};

#elif WRONG_both_in_order
        const unsigned b_part[2] = {at(b, k, n, l + 2 * t, column0 + g), at(b, k, n, l + 2 * t + 1, column0 + g)};

#elif WRONG_no_column0
        const unsigned b_part[2] = {at(b, k, n, l + t, g), at(b, k, n, l + t + 4, g)};

#else
        const unsigned b_part[2] = {at(b, k, n, l + t, column0 + g), at(b, k, n, l + t + 4, column0 + g)};

#endif
#if STARTER
#elif WRONG_begins_anew
        c[0] = c[1] = c[2] = c[3] = 0;
        mma(c, a_part, b_part);
    }
#elif WRONG_each_element
        mma(c, a_part, b_part);
        }
    }
#else
        mma(c, a_part, b_part);
    }
#endif
#if WRONG_lanes_of_row
    for (unsigned e = 0; e < 4; e++)
        for (unsigned apart = 2; apart > 0; apart /= 2)
            c[e] += __shfl_xor_sync(0xffffffff, c[e], apart);
#endif
    for (unsigned e = 0; e < 4; e++) {
#if STARTER || WRONG_c_as_before
        const size_t row = row0 + (lane + 32 * e) / COLUMNS, column = column0 + lane % COLUMNS;
#elif WRONG_c_order
        const size_t row = row0 + g + 8 * (e % 2), column = column0 + 2 * t + e / 2;
#elif WRONG_c_one_row
        const size_t row = row0 + g, column = column0 + 2 * t + e % 2;
#elif WRONG_c_singles
        const size_t row = row0 + g + 8 * (e / 2), column = column0 + t + 4 * (e % 2);
#else
        const size_t row = row0 + g + 8 * (e / 2), column = column0 + 2 * t + e % 2;
#endif

#if WRONG_no_guard
        C[row * n + column] = c[e];
#else
        if (row < m && column < n)
            C[row * n + column] = c[e];
#endif
    }
}

/* --- the host's side: nothing to do here ------------------------------------------------------- */

static void prepare(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMalloc(&d_a, p->m * p->k * sizeof(float)));
    CUDA(cudaMalloc(&d_b, p->k * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_c, p->m * p->n * sizeof(float)));
}

static void upload(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMemcpy(d_a, p->a, p->m * p->k * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_b, p->b, p->k * p->n * sizeof(float), cudaMemcpyHostToDevice));
    /* A float with all bits set is NaN, so an element that is never written shows. */
    CUDA(cudaMemset(d_c, 0xff, p->m * p->n * sizeof(float)));
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    dim3 block(32, WARPS); /* a warp in each row of threads */
    dim3 grid((unsigned)((p->n + COLUMNS - 1) / COLUMNS), (unsigned)((p->m + WARPS * ROWS - 1) / (WARPS * ROWS)));

    if (p->m * p->n == 0)
        return;
    multiply<<<grid, block>>>(p->m, p->n, p->k, d_a, d_b, d_c);
    CUDA(cudaGetLastError());
}

static void download(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMemcpy(p->c, d_c, p->m * p->n * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_c));
}

VARIANT(.idea = "tensor cores by mma.sync, TF32, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_TF32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
