/*
 * fft / cpu_mpi
 *
 * Idea     Many signals: each rank transforms its own.  Fewer signals than ranks: six steps (D. H. Bailey, 1990), of which
 *          three transform nothing, but send every number to the rank that needs it next: contiguous parts of x become
 *          columns, columns become rows, rows become contiguous parts of X.
 * Against  cpu_simd_openmp, which has the same two steps of arithmetic, and finds columns and rows in memory.
 * Expect   Many signals: as cpu_simd_openmp.  One long signal: several times slower on one host, because three exchanges of all
 *          numbers cost more than the arithmetic.  Between hosts the network's rate is the time.
 * Try      batch=1 n=2^20 with --ranks 1,2: what do exchanges cost with one rank, which sends all numbers to itself?
 * Level    3
 * Read     avx2.h, fourstep.h, lanes.h
 */
/* needs: mpicc */
#include <immintrin.h>
#include <math.h>

#include "common/fft.h"
#include "common/mpi.h"
#include "avx2.h"     /* eight lanes: struct vec, simd_missing */
#include "fourstep.h" /* columns and rows of a signal, a lane for each */

static struct fourstep steps;
static struct mpi_cut signals; /* many: whole signals, one rank each */
static int many;

/* Few: a signal is a matrix of n1 rows t1 and n2 columns t2, its transform one of n2 rows f2 and n1 columns f1.  Each array
   has room for whole signals, so that indices are the same on every rank.  A rank uses its own part. */
static struct mpi_cut rows_in, columns, rows, rows_out; /* of t1; of t2, in groups of lanes; of f1, likewise; of f2 */
static struct cpx *x, *X;                               /* [batch][n]; many: this rank's signals */
static struct cpx *by_columns, *by_rows;                /* [n1][n2] and [n2][n1] of one signal */
static struct vec *a;                                   /* as steps.a, after the exchange */

/* Who sends what to which rank, for MPI_Alltoallw */
struct exchange {
    int *send_count, *send_at, *receive_count, *receive_at; /* [ranks]; 0 or 1 blocks, and their places in bytes */
    MPI_Datatype *send, *receive;
};
static struct exchange to_columns, to_rows, to_parts;

static const char *refuse(const void *problem)
{
    const struct fft *p = problem;
    const char *why = lanes_refuse(p->n);

    if (why != NULL)
        return why;
    const size_t n2 = fourstep_divisor(p->n, (size_t)sqrt((double)p->n)), groups = (p->n / n2 + LANES - 1) / LANES;
    why = mpi_too_many(groups * n2 * sizeof(struct vec));
    return why != NULL ? why : mpi_too_many(p->batch);
}

/* --- exchanges ------------------------------------------------------------------------------------- */

/* A block of a matrix with `wide` columns: so many rows and columns of it */
static void set_block(MPI_Datatype element, size_t wide, int height, int width, int *count, MPI_Datatype *type)
{
    *count = height > 0 && width > 0;
    MPI_Type_vector(height, width, (int)wide, element, type);
    MPI_Type_commit(type);
}

/* For a matrix with `wide` columns of elements of so many bytes: before, ranks have rows of it, and afterwards columns; or the
   other way round. */
static struct exchange exchange_new(struct mpi_cut r, struct mpi_cut c, size_t wide, size_t bytes, int from_rows)
{
    const size_t ranks = (size_t)mpi_ranks();
    int *const numbers = malloc(4 * ranks * sizeof *numbers);
    MPI_Datatype *const types = malloc(2 * ranks * sizeof(MPI_Datatype)), element;
    struct exchange e = {numbers, numbers + ranks, numbers + 2 * ranks, numbers + 3 * ranks, types, types + ranks};
    const int me = mpi_rank();

    MPI_Type_contiguous((int)bytes, MPI_BYTE, &element);
    for (int rank = 0; rank < (int)ranks; rank++) {
        const int mine = (int)(((size_t)r.offsets[me] * wide + (size_t)c.offsets[rank]) * bytes);
        const int its = (int)(((size_t)r.offsets[rank] * wide + (size_t)c.offsets[me]) * bytes);
        e.send_at[rank] = from_rows ? mine : its;
        e.receive_at[rank] = from_rows ? its : mine;
        const int row_of[2] = {r.counts[me], r.counts[rank]}, column_of[2] = {c.counts[rank], c.counts[me]};
        set_block(element, wide, row_of[!from_rows], column_of[!from_rows], &e.send_count[rank], &e.send[rank]);
        set_block(element, wide, row_of[from_rows], column_of[from_rows], &e.receive_count[rank], &e.receive[rank]);
    }
    MPI_Type_free(&element);
    return e;
}

static void exchange(const struct exchange *e, const void *from, void *to)
{
    MPI_Alltoallw(from, e->send_count, e->send_at, e->send, to, e->receive_count, e->receive_at, e->receive,
                  MPI_COMM_WORLD);
}

static void exchange_free(struct exchange *e)
{
    for (int rank = 0; rank < mpi_ranks(); rank++) {
        MPI_Type_free(&e->send[rank]);
        MPI_Type_free(&e->receive[rank]);
    }
    free(e->send_count);
    free(e->send);
}

/* --- phases ---------------------------------------------------------------------------------------- */

/* From groups of lanes to what they hold, of so many in all; the last group may have idle lanes. */
static struct mpi_cut without_groups(struct mpi_cut groups, size_t items)
{
    struct mpi_cut cut = mpi_cut(items);

    for (int r = 0; r < mpi_ranks(); r++) {
        const size_t begin = (size_t)groups.offsets[r] * LANES, end = begin + (size_t)groups.counts[r] * LANES;
        cut.offsets[r] = (int)(begin < items ? begin : items);
        cut.counts[r] = (int)(end < items ? end : items) - cut.offsets[r];
    }
    return cut;
}

static void prepare_shared(const struct fft *p)
{
    struct mpi_cut t2, f1;

    rows_in = mpi_cut(steps.n1);
    rows_out = mpi_cut(steps.n2);
    columns = mpi_cut(steps.columns);
    rows = mpi_cut(steps.rows);
    t2 = without_groups(columns, steps.n2);
    f1 = without_groups(rows, steps.n1);
    to_columns = exchange_new(rows_in, t2, steps.n2, sizeof(struct cpx), 1);
    to_rows = exchange_new(rows, t2, steps.n2, sizeof(struct vec), 0);
    to_parts = exchange_new(rows_out, f1, steps.n1, sizeof(struct cpx), 0);
    mpi_cut_free(&t2);
    mpi_cut_free(&f1);
    by_columns = malloc(p->n * sizeof *by_columns);
    by_rows = malloc(p->n * sizeof *by_rows);
    a = fourstep_alloc(steps.rows * steps.n2);
}

static void prepare(const void *problem)
{
    const struct fft *p = problem;

    many = p->batch >= (size_t)mpi_ranks();
    fourstep_prepare(&steps, p->n, fourstep_divisor(p->n, (size_t)sqrt((double)p->n)), 1, 1);
    signals = mpi_cut(p->batch);
    const size_t room = many ? signals.count : p->batch;
    x = malloc(room * p->n * sizeof *x + 1);
    X = malloc(room * p->n * sizeof *X + 1);
    if (!many)
        prepare_shared(p);
}

/* Between rank 0, which has all, and the others: contiguous parts in units of so many numbers. */
static void scatter(const struct mpi_cut *cut, size_t unit, const struct cpx *from, struct cpx *to)
{
    MPI_Datatype type;

    MPI_Type_contiguous((int)(2 * unit), MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    MPI_Scatterv(from, cut->counts, cut->offsets, type, to, (int)cut->count, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
}

static void gather(const struct mpi_cut *cut, size_t unit, const struct cpx *from, struct cpx *to)
{
    MPI_Datatype type;

    MPI_Type_contiguous((int)(2 * unit), MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    MPI_Gatherv(from, (int)cut->count, type, to, cut->counts, cut->offsets, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
}

static void upload(const void *problem)
{
    const struct fft *p = problem;

    if (many)
        scatter(&signals, p->n, p->x, x);
    for (size_t b = 0; !many && b < p->batch; b++)
        scatter(&rows_in, steps.n2, p->x != NULL ? p->x + b * p->n : NULL,
                x + b * p->n + rows_in.begin * steps.n2);
}

static void transform_together(const struct cpx *from, struct cpx *to)
{
    exchange(&to_columns, from, by_columns);
    for (size_t g = columns.begin; g < columns.begin + columns.count; g++)
        fourstep_columns(&steps, g, by_columns, steps.a, steps.work);
    exchange(&to_rows, steps.a, a);
    for (size_t g = rows.begin; g < rows.begin + rows.count; g++)
        fourstep_rows(&steps, g, a, by_rows, steps.work);
    exchange(&to_parts, by_rows, to);
}

static void run(const void *problem)
{
    const struct fft *p = problem;

    for (size_t b = 0; b < (many ? signals.count : p->batch); b++)
        if (many)
            fourstep_transform(&steps, x + b * p->n, X + b * p->n, 0);
        else
            transform_together(x + b * p->n, X + b * p->n);
}

static void download(const void *problem)
{
    const struct fft *p = problem;

    if (many)
        gather(&signals, p->n, X, p->X);
    for (size_t b = 0; !many && b < p->batch; b++)
        gather(&rows_out, steps.n1, X + b * p->n + rows_out.begin * steps.n1,
               p->X != NULL ? p->X + b * p->n : NULL);
}

static void release(void)
{
    fourstep_release(&steps);
    mpi_cut_free(&signals);
    free(x);
    free(X);
    if (many)
        return;
    mpi_cut_free(&rows_in);
    mpi_cut_free(&columns);
    mpi_cut_free(&rows);
    mpi_cut_free(&rows_out);
    exchange_free(&to_columns);
    exchange_free(&to_rows);
    exchange_free(&to_parts);
    free(by_columns);
    free(by_rows);
    free(a);
}

SENDS("all to all, few")

VARIANT(.idea = "a process a core, by MPI: own signals, or six steps with three exchanges",
        .base = "cpu_simd_openmp",
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
