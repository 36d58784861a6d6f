/*
 * For the variants of cuda_refine.h: what they do where points crowd.
 *
 * In a town or a country many observations are in doubt, and many of these have more candidates than the second step lists.  Where an
 * eighth of all are in doubt, or more than CROWD have many candidates, these kernels answer them instead: the references in order
 * along a curve (cuda_order.h), and of the tiles of 64 those that can be near enough (cuda_ordered_refine.h).  How many there are
 * is known on the device alone, so the kernels are launched in each call of LARGE observations or more, and end at once where there
 * is no crowd.
 */
#ifndef RUNGS_KNN_CUDA_CROWD_H
#define RUNGS_KNN_CUDA_CROWD_H

#include "cuda_ordered_refine.h" /* ordered_sweep, refine_listed, put_in_order, only_if */

static const unsigned CROWD = 1 << 11;        /* observations; the order alone takes as long as some 2000 of them */
static const size_t LARGE = (size_t)1 << 17;  /* observations of a call: four kernels that end at once take 10 us */

/* What the steps before take on.  Of uniform points 3 in 100 are in doubt. */
static refined most_of(points obs)
{
    return obs.count < LARGE ? any_number : refined{(unsigned)(obs.count / 8), CROWD};
}

__global__ static void __launch_bounds__(GROUP) knn_crowd_tiles(ordered_sweep s)
{
    if (s.many[0] > CROWD)
        place_in_tile(s, (size_t)blockIdx.x * GROUP + threadIdx.x);
}

__global__ static void __launch_bounds__(ANSWER) knn_crowd_refine(ordered_sweep s, points obs)
{
    if (s.many[0] > CROWD)
        refine_listed(s, obs, s.many, NULL);
}

/* Goes on where refine(s, obs, stream, most_of(obs)) ended. */
static void refine_crowd(ordered_sweep s, points obs, cudaStream_t stream)
{
    if (obs.count < LARGE)
        return;
    put_in_order(&s.by_place, s.ref.count, s.ref.lat, s.ref.lon, stream, {s.many, CROWD});
    knn_crowd_tiles<<<s.groups, GROUP, 0, stream>>>(s);
    CUDA(cudaGetLastError());
    knn_crowd_refine<<<resident_blocks<knn_crowd_refine>(), ANSWER, 0, stream>>>(s, obs);
    CUDA(cudaGetLastError());
}

#endif
