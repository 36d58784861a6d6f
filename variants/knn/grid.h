/*
 * Reference points sorted by the cubes of a grid, for cpu_index, which compares nearby ones only.
 *
 * The box around all unit vectors is cut into cubes, so a cluster gets as fine a grid as the whole sphere.  Most
 * cubes are empty, because all points lie on the sphere: with `edge` cubes along an edge, it passes through
 * some 4.7 edge^2 of the edge^3.  Poles and the date line need no special case.
 *
 *     sorted[]   | cube 0 | cube 1 | cube 2 ...     references, cube by cube; z changes fastest, then y
 *     start[]      ^        ^        ^              where each cube begins
 */
#ifndef RUNGS_KNN_GRID_H
#define RUNGS_KNN_GRID_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/knn.h"

static const double per_cube = 2;    /* references in a cube, if spread evenly over the sphere */
static const double most_edge = 128; /* 8 MB of table */
static const double slack = 1e-14;   /* more than float64 rounds a chord (docs/knn-exactness.md) */

struct point {
    double at[3];
    uint32_t index;
    uint32_t cube;
};

static struct {
    size_t edge;                  /* cubes along the longest edge of the box */
    double low[3], side;          /* the box's corner; the length of a cube's edge */
    ptrdiff_t cubes[3];           /* along each axis */
    struct point *given, *sorted; /* [n] by index, and by cube */
    uint32_t *start;              /* [cubes + 2] where in `sorted` each cube begins */
} grid;

static void grid_new(size_t n)
{
    grid.edge = (size_t)fmin(sqrt((double)n / (per_cube * 4.7)) + 1, most_edge);
    grid.given = malloc(n * sizeof *grid.given);
    grid.sorted = malloc(n * sizeof *grid.sorted);
    grid.start = malloc((grid.edge * grid.edge * grid.edge + 2) * sizeof *grid.start);
}

static void grid_free(void)
{
    free(grid.given);
    free(grid.sorted);
    free(grid.start);
}

/* The unit vector in float64, in which two points of one cluster still differ */
static void unit(double lat, double lon, double at[3])
{
    at[0] = cos(lat) * cos(lon);
    at[1] = cos(lat) * sin(lon);
    at[2] = sin(lat);
}

/* The cube's number along one axis.  Points outside the box belong to the outermost cube. */
static ptrdiff_t cube_on(int axis, double x)
{
    double cube = (x - grid.low[axis]) / grid.side;

    return (ptrdiff_t)fmin(fmax(cube, 0), (double)grid.cubes[axis] - 1);
}

static size_t cube_at(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z)
{
    return (size_t)((x * grid.cubes[1] + y) * grid.cubes[2] + z);
}

static void grid_measure(size_t n)
{
    double extent[3];

    for (int a = 0; a < 3; a++) {
        double low = 1, high = -1;

        for (size_t j = 0; j < n; j++) {
            low = fmin(low, grid.given[j].at[a]);
            high = fmax(high, grid.given[j].at[a]);
        }
        grid.low[a] = low;
        extent[a] = high - low;
    }
    grid.side = fmax(extent[0], fmax(extent[1], extent[2])) / (double)grid.edge;
    if (!(grid.side > slack))
        grid.side = 1; /* all in one place */
    for (int a = 0; a < 3; a++)
        grid.cubes[a] = (ptrdiff_t)fmin(extent[a] / grid.side + 1, (double)grid.edge);
}

/* Sorts the references by cube: counts those of each cube, which says where each cube begins, and then writes
   each reference to its place. */
static void grid_build(const struct knn *p)
{
    size_t cubes;

#pragma omp parallel for
    for (size_t j = 0; j < p->n; j++)
        unit(p->ref_lat[j], p->ref_lon[j], grid.given[j].at);
    grid_measure(p->n);
    cubes = (size_t)(grid.cubes[0] * grid.cubes[1] * grid.cubes[2]);
    memset(grid.start, 0, (cubes + 2) * sizeof *grid.start);
    for (size_t j = 0; j < p->n; j++) {
        const double *at = grid.given[j].at;

        grid.given[j].index = (uint32_t)j;
        grid.given[j].cube =
            (uint32_t)cube_at(cube_on(0, at[0]), cube_on(1, at[1]), cube_on(2, at[2]));
        grid.start[grid.given[j].cube + 2]++;
    }
    for (size_t c = 0; c < cubes; c++)
        grid.start[c + 1] += grid.start[c];
    /* start[c + 1] is where cube c begins; each reference that is written moves it on, in the end to where the
       next cube begins. */
    for (size_t j = 0; j < p->n; j++)
        grid.sorted[grid.start[grid.given[j].cube + 1]++] = grid.given[j];
}

#endif
