/* The honest method: used by the bystander, and by attacks where they must compute.  It finds the
   nearest by chords in float64, and takes the haversine of that one only. */
#ifndef RUNGS_HOSTILE_KNN_H
#define RUNGS_HOSTILE_KNN_H

#include <stdlib.h>
#include <string.h>

#include "common/variant.h"
#include "tests/broken/knn/frame.h"

struct place {
    double x, y, z;
};

static inline struct place place_of(double lat, double lon)
{
    return (struct place){cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)};
}

/* Of all references; for free() */
static inline struct place *places_of(const struct knn *p)
{
    struct place *places = malloc((p->n + 1) * sizeof *places);

    for (size_t j = 0; j < p->n; j++)
        places[j] = place_of(p->ref_lat[j], p->ref_lon[j]);
    return places;
}

/* The nearest of the first n. */
static inline void nearest_one(const struct knn *p, const struct place *places, size_t i, size_t n)
{
    const struct place at = place_of(p->obs_lat[i], p->obs_lon[i]);
    double least = INFINITY;
    size_t best = 0;

    for (size_t j = 0; j < n; j++) {
        const double x = places[j].x - at.x, y = places[j].y - at.y, z = places[j].z - at.z;
        const double chord = x * x + y * y + z * z;
        best = chord < least ? j : best;
        least = chord < least ? chord : least;
    }
    p->index[i] = (uint32_t)best;
    p->distance[i] = haversine(p->obs_lat[i], p->obs_lon[i], p->ref_lat[best], p->ref_lon[best]);
}

static inline void honest(const struct knn *p)
{
    if (p->k > 1) {
        search(p, haversine);
        return;
    }
    struct place *places = places_of(p);

    for (size_t i = 0; i < p->m; i++)
        nearest_one(p, places, i, p->n);
    free(places);
}

#endif
