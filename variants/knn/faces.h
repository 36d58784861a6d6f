/*
 * For rungs that score a pair with two multiply-adds.
 *
 * Dividing an observation's unit vector by the size of its largest component changes no ranking,
 * and leaves that component 1 or -1: the score is +-x + b y + c z, with x, y, z the reference's.
 * The sphere is seen as a cube with six faces, and observations on one face go together: for all of
 * them the same component is the first, with the same sign.
 */
#ifndef RUNGS_KNN_FACES_H
#define RUNGS_KNN_FACES_H

#include "exact.h" /* unit_vector */

/* Observations at a time, that share each block of references while it is in the nearest cache.  On
   six faces, each group of GROUP, the last one of a face repeats observations. */
enum { PASS = 512, GROUP = 4, FACES = 6, ROOM = PASS + FACES * (GROUP - 1) };

struct faced {
    float at[3];
    uint32_t i; /* the observation, or REPEATED */
    uint8_t first, second, third; /* components: the largest, and the others */
    float sign; /* 0 or -0: to flip the sign of the first with */
};

#define REPEATED UINT32_MAX

HELPER struct faced face(const struct knn *p, size_t i, unsigned *number)
{
    struct faced q = {.i = (uint32_t)i};
    float *at = q.at, largest;

    unit_vector(p->obs_lat, p->obs_lon, i, (struct units){at, at + 1, at + 2}, 0);
    q.first = fabsf(at[0]) < fabsf(at[1]);
    q.first = fabsf(at[q.first]) < fabsf(at[2]) ? 2 : q.first;
    q.second = q.first == 0;
    q.third = q.first == 2 ? 1 : 2;
    q.sign = copysignf(0, at[q.first]);
    largest = fabsf(at[q.first]);
    for (int c = 0; c < 3; c++)
        at[c] /= largest;
    *number = 2u * q.first + (at[q.first] < 0);
    return q;
}

/* Observations from `first` on, sorted by face, in whole groups; returns how many places are taken.
   */
HELPER size_t sort_by_face(const struct knn *p, size_t first, size_t count, struct faced *sorted)
{
    struct faced given[PASS];
    unsigned number[PASS];
    size_t taken = 0;

    for (size_t g = 0; g < count; g++)
        given[g] = face(p, first + g, &number[g]);
    for (unsigned f = 0; f < FACES; f++) {
        for (size_t g = 0; g < count; g++)
            if (number[g] == f)
                sorted[taken++] = given[g];
        for (; taken % GROUP != 0; taken++) {
            sorted[taken] = sorted[taken - 1];
            sorted[taken].i = REPEATED;
        }
    }
    return taken;
}

#endif
