/*
 * The loop of a variant in a program of its own.  LOOP is the variant's source file, and PROBLEM_... its problem; both come
 * from the command line.  The file's text is used, and neither its card nor a worker.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include LOOP

#include "loop.h"

enum { HUGE = 2 << 20 };

/* Whole huge pages, as the harness's arrays have them. */
static void *array(size_t bytes)
{
    size_t room = (bytes + HUGE - 1) / HUGE * HUGE;
    void *memory = aligned_alloc(HUGE, room);

    if (memory == NULL)
        exit(2);
    madvise(memory, room, MADV_HUGEPAGE);
    memset(memory, 0, room);
    return memory;
}

static float *numbers(size_t count, double low, double high)
{
    float *filled = array(count * sizeof *filled);

    for (size_t i = 0; i < count; i++)
        filled[i] = (float)(low + (high - low) * drand48());
    return filled;
}

#if defined PROBLEM_saxpy
static struct saxpy loop;

static void make(int m)
{
    size_t n = m ? 1 << 24 : 1 << 16;

    loop = (struct saxpy){.n = n, .a = 1.5F, .x = numbers(n, -1, 1), .y = numbers(n, -1, 1), .z = numbers(n, 0, 0)};
}
#elif defined PROBLEM_stencil
static struct stencil loop;

static void make(int m)
{
    size_t side = m ? 4096 : 512, n = side * side;

    loop = (struct stencil){.rows = side, .cols = side, .sweeps = 1, .in = numbers(n, 0, 255), .out = numbers(n, 0, 0)};
}
#elif defined PROBLEM_fft
static struct fft loop;

static void make(int m)
{
    size_t batch = m ? 1 : 64, n = m ? 1000000 : 1024;

    loop = (struct fft){.batch = batch, .n = n, .x = (struct cpx *)numbers(2 * batch * n, -1, 1),
                        .X = (struct cpx *)numbers(2 * batch * n, 0, 0)};
}
#elif defined PROBLEM_matmul
static struct matmul loop;

static void make(int m)
{
    size_t side = m ? 1024 : 256, n = side * side;

    loop = (struct matmul){.m = side, .n = side, .k = side, .a = numbers(n, -1, 1), .b = numbers(n, -1, 1),
                           .c = numbers(n, 0, 0)};
}
#elif defined PROBLEM_knn
static struct knn loop;

static void make(int big)
{
    size_t m = big ? 1 << 16 : 1 << 12, n = big ? 1 << 13 : 1 << 10;

    loop = (struct knn){.m = m, .n = n, .k = 1,
                        .obs_lat = numbers(m, -1.5, 1.5), .obs_lon = numbers(m, -3, 3),
                        .ref_lat = numbers(n, -1.5, 1.5), .ref_lon = numbers(n, -3, 3),
                        .index = array(m * sizeof *loop.index), .distance = numbers(m, 0, 0)};
}
#endif

void loop_prepare(const char *size)
{
    if (strcmp(size, "S") != 0 && strcmp(size, "M") != 0) {
        fprintf(stderr, "no size %s\n", size);
        exit(2);
    }
    make(*size == 'M');
    if (rungs_variant.prepare != NULL)
        rungs_variant.prepare(&loop);
}

void loop_run(void)
{
    rungs_variant.run(&loop);
}
