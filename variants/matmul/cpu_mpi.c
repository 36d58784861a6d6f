/*
 * matmul / cpu_mpi
 *
 * Idea     SUMMA (R. van de Geijn and J. Watts, 1997): ranks form a grid, and each owns a block of A, of B and of C.  For one
 *          slice of l after another, the ranks that own it send their part of A along their row of the grid, and of B along
 *          their column; then all ranks multiply.
 * Against  cpu_simd_openmp, the same micro-kernel on cores that share A and B.
 * Expect   Nearly as fast for large matrices: a rank receives 2*n*n/sqrt(ranks) numbers and computes 2*n*n*n/ranks flops.  On
 *          one host the broadcasts are copies, each a percent or two of the time at n = 1024.
 * Try      --ranks 2,4 and then 3 and 5: a prime number has a grid of one row, which sends more.
 * Level    3
 * Read     kernel_avx2.h, packing.h, kernel_avx512.h
 */
/* needs: mpicc */
#include <immintrin.h>
#include <stdint.h>

#include "common/matmul.h"
#include "common/mpi.h"
#include "kernel_avx2.h"   /* kernel_avx2 */
#include "kernel_avx512.h" /* kernel_avx512 */
#include "packing.h"       /* packing_alloc, packing_free, pack_a, pack_b, multiply_block */

enum { BLOCK_ROWS = 48, BLOCK_COLS = 256 }; /* of a turn, as in cpu_simd_openmp */

/* The part of so many items that the p-th of `parts` owns: from part(n, p) to part(n, p + 1) - 1 */
static size_t part(size_t items, int p, int parts)
{
    return items * (size_t)p / (size_t)parts;
}

static const struct kernel *kernel;
static int grid[2], at[2];          /* rows and columns of ranks; this rank's place */
static MPI_Comm along_row, along_column;
static struct matmul mine;          /* blocks of this rank: its `a` and `b` are slices of others' */
static float *a_own, *b_own, *c_own, *a_slice, *b_slice;
static size_t a_cols, b_rows;       /* of the blocks that this rank owns; C's block is mine.m by mine.n */

static const char *refuse(const void *problem)
{
    const struct matmul *p = problem;

    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return "this CPU has no AVX2 and FMA";
    const char *why = mpi_too_many(p->m * p->k);
    why = why != NULL ? why : mpi_too_many(p->k * p->n);
    return why != NULL ? why : mpi_too_many(p->m * p->n);
}

static float *matrix(size_t rows, size_t cols)
{
    return malloc(rows * cols * sizeof(float) + 1);
}

static void prepare(const void *problem)
{
    const struct matmul *p = problem;

    kernel = __builtin_cpu_supports("avx512f") ? &kernel_avx512 : &kernel_avx2;
    grid[0] = grid[1] = 0;
    MPI_Dims_create(mpi_ranks(), 2, grid);
    at[0] = mpi_rank() / grid[1];
    at[1] = mpi_rank() % grid[1];
    MPI_Comm_split(MPI_COMM_WORLD, at[0], at[1], &along_row);
    MPI_Comm_split(MPI_COMM_WORLD, at[1], at[0], &along_column);
    mine = (struct matmul){.m = part(p->m, at[0] + 1, grid[0]) - part(p->m, at[0], grid[0]),
                           .n = part(p->n, at[1] + 1, grid[1]) - part(p->n, at[1], grid[1]),
                           .k = min(p->k, kernel->depth)};
    a_cols = part(p->k, at[1] + 1, grid[1]) - part(p->k, at[1], grid[1]);
    b_rows = part(p->k, at[0] + 1, grid[0]) - part(p->k, at[0], grid[0]);
    a_own = matrix(mine.m, a_cols);
    b_own = matrix(b_rows, mine.n);
    c_own = matrix(mine.m, mine.n);
    a_slice = matrix(mine.m, mine.k);
    b_slice = matrix(mine.k, mine.n);
    packing_alloc(kernel, &mine);
    mine.c = c_own;
}

/* --- blocks from rank 0, and to it ------------------------------------------------------------------ */

/* Sends the blocks of a matrix of rank 0 to their owners, or receives them. */
static void move_blocks(float *whole, size_t rows, size_t cols, float *own, size_t own_count, int to_ranks)
{
    MPI_Request *request = malloc((size_t)mpi_ranks() * sizeof *request), its;

    if (to_ranks)
        MPI_Irecv(own, (int)own_count, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, &its);
    else
        MPI_Isend(own, (int)own_count, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, &its);
    for (int r = 0; mpi_rank() == 0 && r < mpi_ranks(); r++) {
        const size_t top = part(rows, r / grid[1], grid[0]), left = part(cols, r % grid[1], grid[1]);
        const size_t high = part(rows, r / grid[1] + 1, grid[0]) - top, wide = part(cols, r % grid[1] + 1, grid[1]) - left;
        MPI_Datatype block;
        MPI_Type_vector((int)high, (int)wide, (int)cols, MPI_FLOAT, &block);
        MPI_Type_commit(&block);
        if (to_ranks)
            MPI_Isend(whole + top * cols + left, high * wide > 0, block, r, 0, MPI_COMM_WORLD, &request[r]);
        else
            MPI_Irecv(whole + top * cols + left, high * wide > 0, block, r, 0, MPI_COMM_WORLD, &request[r]);
        MPI_Type_free(&block);
    }
    if (mpi_rank() == 0)
        MPI_Waitall(mpi_ranks(), request, MPI_STATUSES_IGNORE);
    MPI_Wait(&its, MPI_STATUS_IGNORE);
    free(request);
}

static void upload(const void *problem)
{
    const struct matmul *p = problem;

    move_blocks((float *)(uintptr_t)p->a, p->m, p->k, a_own, mine.m * a_cols, 1);
    move_blocks((float *)(uintptr_t)p->b, p->k, p->n, b_own, b_rows * mine.n, 1);
}

static void download(const void *problem)
{
    const struct matmul *p = problem;

    move_blocks(p->c, p->m, p->n, c_own, mine.m * mine.n, 0);
}

/* --- the product ------------------------------------------------------------------------------------ */

/* Returns which part of k holds l. */
static int owner_of(size_t l, size_t k, int parts)
{
    int p = (int)(l * (size_t)parts / k);

    while (part(k, p + 1, parts) <= l)
        p++;
    while (part(k, p, parts) > l)
        p--;
    return p;
}

/* Fills a_slice and b_slice with so many columns of A and rows of B from l on, which have one owner each. */
static void share_slice(const struct matmul *p, size_t l, size_t depth, int a_owner, int b_owner)
{
    if (a_owner == at[1])
        for (size_t i = 0; i < mine.m; i++)
            memcpy(a_slice + i * depth, a_own + i * a_cols + (l - part(p->k, at[1], grid[1])), depth * sizeof *a_slice);
    MPI_Bcast(a_slice, (int)(mine.m * depth), MPI_FLOAT, a_owner, along_row);
    if (b_owner == at[0])
        memcpy(b_slice, b_own + (l - part(p->k, at[0], grid[0])) * mine.n, depth * mine.n * sizeof *b_slice);
    MPI_Bcast(b_slice, (int)(depth * mine.n), MPI_FLOAT, b_owner, along_column);
}

static void multiply_slice(size_t depth, bool add)
{
    mine.a = a_slice;
    mine.b = b_slice;
    mine.k = depth;
    for (size_t i = 0; i < mine.m; i += kernel->rows)
        pack_a(kernel, &mine, i, 0, depth, &a_packed[i * depth]);
    for (size_t j = 0; j < mine.n; j += kernel->cols)
        pack_b(kernel, &mine, j, 0, depth, &b_packed[j * depth]);
    for (size_t i = 0; i < mine.m; i += BLOCK_ROWS)
        for (size_t j = 0; j < mine.n; j += BLOCK_COLS)
            multiply_block(kernel, &mine, i, min(i + BLOCK_ROWS, mine.m), j, min(j + BLOCK_COLS, mine.n), depth, add,
                           &a_packed[i * depth], &b_packed[j * depth]);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    if (p->k == 0)
        memset(c_own, 0, mine.m * mine.n * sizeof *c_own);
    for (size_t l = 0, depth; l < p->k; l += depth) {
        const int a_owner = owner_of(l, p->k, grid[1]), b_owner = owner_of(l, p->k, grid[0]);
        const size_t end = min(part(p->k, a_owner + 1, grid[1]), part(p->k, b_owner + 1, grid[0]));
        depth = min(end - l, kernel->depth);
        share_slice(p, l, depth, a_owner, b_owner);
        multiply_slice(depth, l > 0);
    }
}

static void release(void)
{
    packing_free();
    MPI_Comm_free(&along_row);
    MPI_Comm_free(&along_column);
    free(a_own);
    free(b_own);
    free(c_own);
    free(a_slice);
    free(b_slice);
}

SENDS("summa")

VARIANT(.idea = "a process a core, by MPI: a grid of blocks, slices sent along rows and columns",
        .base = "cpu_simd_openmp",
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
