/*
 * The loop of a variant in a program of its own.  LOOP is the variant's source file, and PROBLEM_... its problem; both come
 * from the command line.  The file's text is used, and neither its card nor a worker.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include LOOP

#include "loop.h"

enum { HUGE_PAGE = 2 << 20, LINE = 64, MAX_ARRAYS = 8 };

/* An array begins at one of the first HUGE_PAGE / LINE cache lines of its room. */
static struct {
    char *room;
    void *place; /* of the pointer to it */
} arrays[MAX_ARRAYS];
static size_t count;

static void *begin(char *room)
{
    return room + lrand48() % (HUGE_PAGE / LINE) * LINE;
}

/* A room full of numbers.  An array of a huge page or more lies on huge pages, a smaller one on small pages, as the harness's
   arrays do: a second-level cache holds fewer of the lines of small pages.  Returns how many numbers there are. */
static size_t make_array(void *place, size_t floats, double low, double high)
{
    size_t bytes = (floats * sizeof(float) / HUGE_PAGE + 2) * HUGE_PAGE;
    float *room = aligned_alloc(HUGE_PAGE, bytes);

    if (room == NULL)
        exit(2);
    madvise(room, bytes, floats * sizeof(float) < HUGE_PAGE ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
    for (size_t i = 0; i < bytes / sizeof *room; i++)
        room[i] = (float)(low + (high - low) * drand48());
    arrays[count].room = (char *)room;
    arrays[count++].place = place;
    return bytes / sizeof *room;
}

void loop_move(void)
{
    for (size_t i = 0; i < count; i++) {
        void *array = begin(arrays[i].room);
        memcpy(arrays[i].place, &array, sizeof array);
    }
}

#if defined PROBLEM_saxpy
static struct saxpy loop;

static void make(int m)
{
    size_t n = m ? 1 << 24 : 1 << 16;

    loop = (struct saxpy){.n = n, .a = 1.5F};
    make_array(&loop.x, n, -1, 1);
    make_array(&loop.y, n, -1, 1);
    make_array(&loop.z, n, 0, 0);
}
#elif defined PROBLEM_stencil
static struct stencil loop;

static void make(int m)
{
    size_t side = m ? 4096 : 512, n = side * side;

    loop = (struct stencil){.rows = side, .cols = side, .sweeps = 1};
    make_array(&loop.in, n, 0, 255);
    make_array(&loop.out, n, 0, 0);
}
#elif defined PROBLEM_fft
static struct fft loop;

static void make(int m)
{
    size_t batch = m ? 1 : 64, n = m ? 1000000 : 1024;

    loop = (struct fft){.batch = batch, .n = n};
    make_array(&loop.x, 2 * batch * n, -1, 1);
    make_array(&loop.X, 2 * batch * n, 0, 0);
}
#elif defined PROBLEM_matmul
static struct matmul loop;

static void make(int m)
{
    size_t side = m ? 1024 : 256, n = side * side;

    loop = (struct matmul){.m = side, .n = side, .k = side};
    make_array(&loop.a, n, -1, 1);
    make_array(&loop.b, n, -1, 1);
    make_array(&loop.c, n, 0, 0);
}
#elif defined PROBLEM_knn
static struct knn loop;

/* Uniform on the sphere, as the harness's points: how long sines take depends on the angle. */
static void make_latitudes(void *place, size_t floats)
{
    const size_t filled = make_array(place, floats, -1, 1);
    float *latitudes = (float *)arrays[count - 1].room;

    for (size_t i = 0; i < filled; i++)
        latitudes[i] = asinf(latitudes[i]);
}

static void make(int big)
{
    size_t m = big ? 1 << 16 : 1 << 12, n = big ? 1 << 13 : 1 << 10;

    loop = (struct knn){.m = m, .n = n, .k = 1};
    make_latitudes(&loop.obs_lat, m);
    make_array(&loop.obs_lon, m, -M_PI, M_PI);
    make_latitudes(&loop.ref_lat, n);
    make_array(&loop.ref_lon, n, -M_PI, M_PI);
    make_array(&loop.index, m, 0, 0);
    make_array(&loop.distance, m, 0, 0);
}
#endif

void loop_prepare(const char *size)
{
    if (strcmp(size, "S") != 0 && strcmp(size, "M") != 0) {
        fprintf(stderr, "no size %s\n", size);
        exit(2);
    }
    srand48(time(NULL) ^ getpid());
    make(*size == 'M');
    loop_move();
    if (rungs_variant.prepare != NULL)
        rungs_variant.prepare(&loop);
}

void loop_run(void)
{
    rungs_variant.run(&loop);
}
