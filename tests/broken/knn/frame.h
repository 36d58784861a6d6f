/* A right search in parts, for the files of this folder to get one of them wrong. */
#ifndef RUNGS_BROKEN_KNN_FRAME_H
#define RUNGS_BROKEN_KNN_FRAME_H

#include <math.h>
#include <stdbool.h>

#include "common/knn.h"

static inline float haversine(float lat1, float lon1, float lat2, float lon2)
{
    float sin_lat = sinf((lat2 - lat1) / 2.0f), sin_lon = sinf((lon2 - lon1) / 2.0f);
    float h = sin_lat * sin_lat + cosf(lat1) * cosf(lat2) * sin_lon * sin_lon;

    return 2.0f * asinf(sqrtf(fminf(h, 1.0f)));
}

/* Keeps a list of k in order.  A new one of equal distance goes behind those that are there. */
static inline void insert(size_t k, uint32_t *index, float *distance, uint32_t j, float d)
{
    size_t place = k;

    while (place > 0 && d < distance[place - 1])
        place--;
    for (size_t r = k; r > place + 1; r--) {
        index[r - 1] = index[r - 2];
        distance[r - 1] = distance[r - 2];
    }
    if (place < k) {
        index[place] = j;
        distance[place] = d;
    }
}

/* Finds the k nearest of observation i among the references that `among` lists, in order; NULL: all of them. */
static inline void search_one(const struct knn *p, size_t i, float (*between)(float, float, float, float),
                              const uint32_t *among, size_t count)
{
    uint32_t *index = p->index + i * p->k;
    float *distance = p->distance + i * p->k;

    for (size_t r = 0; r < p->k; r++)
        distance[r] = INFINITY;
    for (size_t c = 0; c < (among != NULL ? count : p->n); c++) {
        const uint32_t j = among != NULL ? among[c] : (uint32_t)c;
        insert(p->k, index, distance, j, between(p->obs_lat[i], p->obs_lon[i], p->ref_lat[j], p->ref_lon[j]));
    }
}

/* Finds the k nearest of each observation, by the given measure of distance. */
static inline void search(const struct knn *p, float (*between)(float, float, float, float))
{
    for (size_t i = 0; i < p->m; i++)
        search_one(p, i, between, NULL, 0);
}

/* The points that were found, by whatever measure, put in order with their right distances. */
static inline void measure(const struct knn *p)
{
    for (size_t i = 0; i < p->m; i++) {
        uint32_t *index = p->index + i * p->k;
        float *distance = p->distance + i * p->k;

        for (size_t r = 0; r < p->k; r++) {
            uint32_t j = index[r];

            distance[r] = INFINITY;
            insert(r + 1, index, distance, j,
                   haversine(p->obs_lat[i], p->obs_lon[i], p->ref_lat[j], p->ref_lon[j]));
        }
    }
}

#endif
