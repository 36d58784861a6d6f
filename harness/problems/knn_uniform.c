#include "harness/problems/knn_uniform.h"

#include <math.h>

#include "harness/base/random.h"

static const float pi = 3.14159274f, half_pi = 1.57079637f; /* rounded to float32 */

void knn_uniform_point(float *lat, float *lon, size_t i, uint64_t seed, uint64_t stream)
{
    double turn = 2.0 * 3.14159265358979 * random_unit(seed, stream + 1, i);
    double start = random_bits(seed, stream + 2, i) & 1 ? 0.0 : -3.14159265358979;

    lat[i] = (float)asin(2.0 * random_unit(seed, stream, i) - 1.0);
    lon[i] = (float)(start + turn);
}

/* Makes point i one that variants tend to get wrong.  If it needs a neighbour, that is point j of
   (other_lat, other_lon). */
static void fill_nasty(float *lat, float *lon, size_t i, uint64_t choice, const float *other_lat,
                       const float *other_lon, size_t j)
{
    switch (choice % 9) {
    case 0: lat[i] = half_pi; break;  /* a pole, where all longitudes are the same point */
    case 1: lat[i] = -half_pi; break;
    case 2: lon[i] = pi; break;       /* the date line, from one side */
    case 3: lon[i] = -pi; break;      /* and from the other */
    case 4: lat[i] = lon[i] = 0.0f; break;
    case 5: /* the same place: distance 0, and the first of equal references is right */
        lat[i] = other_lat[j];
        lon[i] = other_lon[j];
        break;
    case 6: /* a neighbour at the limit of what float32 can distinguish */
        lat[i] = nextafterf(other_lat[j], 0.0f);
        lon[i] = other_lon[j];
        break;
    case 7: /* the antipode: rounding can lift h above 1 */
        lat[i] = -other_lat[j];
        lon[i] = other_lon[j] > 0.0f ? other_lon[j] - pi : other_lon[j] + pi;
        break;
    case 8: /* in a crowd within 1e-10, where float64's unit vectors do not tell how far points are apart */
        lat[i] = 0.75f;
        lon[i] = 0x1p-14f * (1.0f + (float)(j % 16) * 0x1p-23f);
        break;
    }
}

/* Makes point i one of a crowd within 1e-5 radians, too close for the cosine of an angle to
   distinguish. */
static void fill_crowd(float *lat, float *lon, size_t i, uint64_t seed, uint64_t stream)
{
    lat[i] = 0.7f + (float)(1e-5 * random_unit(seed, stream, i));
    lon[i] = -1.2f + (float)(1e-5 * random_unit(seed, stream + 1, i));
}

/* Makes point i one of a coarse lattice, on which many distances are equal. */
static void fill_lattice(float *lat, float *lon, size_t i, uint64_t seed, uint64_t stream)
{
    lat[i] = 0.25f * (float)((int)(random_bits(seed, stream, i) % 13) - 6);
    lon[i] = 0.25f * (float)((int)(random_bits(seed, stream + 1, i) % 25) - 12);
}

void knn_uniform_fill(const struct knn_set *s, size_t i)
{
    const struct knn *p = &s->of->knn;
    const uint64_t seed = s->of->seed, stream = s->references ? REFERENCES : OBSERVATIONS;
    const size_t rarity = s->count / 256 > 8 ? s->count / 256 : 8;
    const uint64_t mood = p->n < 1024 ? (p->n + seed) % 4 : 0;
    const uint64_t choice = random_bits(seed, stream + 3, i);
    /* among other points any; among its own, an earlier one */
    const size_t others = s->references ? i : p->n;

    if (mood == 1)
        fill_crowd(s->lat, s->lon, i, seed, stream);
    else if (mood == 2)
        fill_lattice(s->lat, s->lon, i, seed, stream);
    else
        knn_uniform_point(s->lat, s->lon, i, seed, stream);
    if (choice % rarity == 0 && others > 0)
        fill_nasty(s->lat, s->lon, i, choice >> 32, p->ref_lat, p->ref_lon, (choice >> 40) % others);
    /* A wrong farthest reference only shows if all are requested.  Then every observation has an
       antipode. */
    if (p->k == p->n && p->n > 8 && !s->references)
        fill_nasty(s->lat, s->lon, i, 7, p->ref_lat, p->ref_lon, (choice >> 40) % others);
}
