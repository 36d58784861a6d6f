/*
 * knn / cuda_shared
 *
 * Idea     The threads of a block bring a tile of references to shared memory, with what depends on
 *          the reference alone: halved angles, the cosine of the latitude.  And 2 asin(sqrt(h))
 *          never falls as h rises: h alone finds the nearest; root and arcsine wait for the k
 *          answers.
 * Against  cuda_naive, which computes all of it for every pair.
 * Expect   Two sines remain of six special functions, and the units for these, one for eight lanes,
 *          bound it: __sinf is one instruction there, and a product, at the price of an absolute
 *          error, which makes the arithmetic "fast".
 * Try      sinf instead of __sinf: how many times slower, and how many answers change?
 * Level    2
 * Read     cuda_buffers.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat and all that */

/* TILE: threads of a block, and references of a tile: each thread brings one.  GROUP: pairs that
   are under way together, with a single branch, hardly ever taken. */
enum { TILE = 256, GROUP = 8 };

/* Puts (h, j) into the list of k, nearest first; returns the last h of the list. */
__device__ static float insert(float h, size_t j, size_t k, float *list, uint32_t *index)
{
    size_t place = k - 1;

    for (; place > 0 && h < list[place - 1]; place--) {
        list[place] = list[place - 1];
        index[place] = index[place - 1];
    }
    list[place] = h;
    index[place] = (uint32_t)j;
    return list[k - 1];
}

__global__ static void knn_shared(size_t m, size_t n, size_t k, const float *obs_lat,
                                  const float *obs_lon, const float *ref_lat, const float *ref_lon,
                                  uint32_t *index, float *distance)
{
    /* lat/2, lon/2, cos(lat), and nothing: 16 bytes can be read at once. */
    __shared__ float4 tile[TILE];
    const size_t i = (size_t)blockIdx.x * TILE + threadIdx.x;
    const bool mine = i < m; /* no thread may leave: the others wait for it at the barriers */
    const float half_lat = mine ? obs_lat[i] / 2 : 0, half_lon = mine ? obs_lon[i] / 2 : 0;
    const float cos_lat = cosf(2 * half_lat);
    float largest = mine ? INFINITY : -1; /* of the k values of h held; none is below -1 */

    index += i * k; /* the answer's own places are the list of the nearest so far */
    distance += i * k;
    for (size_t r = 0; mine && r < k; r++)
        distance[r] = INFINITY, index[r] = 0;

    for (size_t first = 0; first < n; first += TILE) {
        const size_t j = first + threadIdx.x;

        /* What is not there is NaN, and so is its h: nothing is nearer than that, nor farther. */
        tile[threadIdx.x] = make_float4(NAN, NAN, NAN, 0);
        if (j < n)
            tile[threadIdx.x] = make_float4(ref_lat[j] / 2, ref_lon[j] / 2, cosf(ref_lat[j]), 0);
        __syncthreads(); /* the tile is complete */
        for (unsigned t = 0; t < TILE; t += GROUP) {
            float h[GROUP], least = INFINITY;

#pragma unroll
            for (unsigned g = 0; g < GROUP; g++) {
                const float4 at = tile[t + g];
                const float sin_lat = __sinf(at.x - half_lat), sin_lon = __sinf(at.y - half_lon);

                h[g] = sin_lat * sin_lat + cos_lat * at.z * (sin_lon * sin_lon);
                least = fminf(least, h[g]);
            }
            if (!(least < largest))
                continue;
#pragma unroll
            for (unsigned g = 0; g < GROUP; g++)
                if (h[g] < largest)
                    largest = insert(h[g], first + t + g, k, distance, index);
        }
        __syncthreads(); /* and is done with */
    }

    float last = 0;

    /* Rounding can lift h above 1 at an antipode and, as __sinf rounds, push it below 0 at a pole.
       And asinf may be off by an ulp either way, yet distances must not fall along the list. */
    for (size_t r = 0; mine && r < k; r++)
        distance[r] = last = fmaxf(last, 2 * asinf(sqrtf(fminf(fmaxf(distance[r], 0), 1))));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    size_t blocks = (p->m + TILE - 1) / TILE;

    if (blocks == 0)
        return;
    knn_shared<<<(unsigned)blocks, TILE>>>(p->m, p->n, p->k, d_obs_lat, d_obs_lon, d_ref_lat,
                                           d_ref_lon, d_index, d_distance);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "tiles of references in shared memory, two sines a pair",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_FAST,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
