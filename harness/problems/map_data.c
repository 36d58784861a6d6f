/* map: the data of each function, ordinary and awkward. */
#include <math.h>
#include <string.h>

#include "common/map.h"
#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/map.h"

enum { X = 1, Y = 100, AWKWARD = 200, KIND, PLACE, THRESHOLD }; /* streams of random numbers */
enum { RARE = 256, OFTEN = 8 };  /* one element in so many is awkward */
enum { USUAL_THRESHOLD = 50 };

static float from_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static float subnormal(uint64_t bits)
{
    return from_bits((uint32_t)(bits & 0x807fffffu) | 1);
}

static float between(double least, double most, double unit)
{
    return (float)(least + (most - least) * unit);
}

/* --- trig ------------------------------------------------------------------------------------- */

/* Next to a multiple of pi/2: there sine or cosine is small, and each digit of pi counts. */
static float near_quarter_turn(uint64_t seed, uint64_t stream, size_t i)
{
    const uint64_t bits = random_bits(seed, stream, i);
    const double quarters = (double)((int64_t)(bits >> 44) - (1 << 19)) * (bits % 2 == 0 ? 1.0 : 0x1p-16);
    const float nearest = (float)(rint(quarters) * M_PI_2);

    switch (bits / 2 % 3) {
    case 0: return nextafterf(nearest, -INFINITY);
    case 1: return nextafterf(nearest, INFINITY);
    default: return nearest;
    }
}

/* Of all float32 numbers above 2^17 some that are nearest to a multiple of pi/2: to 2^-29 at the first, 2^-27 at the last. */
static const float nearest_of_all[] = {
    0x1.f37c8ap+95F, 0x1.47d0fep+34F, 0x1.f37c8ap+96F, 0x1.32ede2p+85F,
    0x1.628d4cp+40F, 0x1.13093p+76F,  0x1.4665d2p+25F, 0x1.abb4bp+89F,
};

/* `any`: numbers of any size too, which take more digits of pi than timed data ask for. */
static float awkward_angle(uint64_t seed, uint64_t stream, size_t i, bool any)
{
    enum { KNOWN = sizeof nearest_of_all / sizeof nearest_of_all[0] };
    const uint64_t bits = random_bits(seed, PLACE + stream, i);
    const double unit = random_unit(seed, stream, i);

    switch (random_bits(seed, KIND + stream, i) % (any ? 8 : 6)) {
    case 0: return between(-M_PI, M_PI, unit);
    case 1: return between(-100.0, 100.0, unit);
    case 2: return between(-0x1p20, 0x1p20, unit);
    case 3: return near_quarter_turn(seed, PLACE + stream, i);
    case 4: return from_bits((uint32_t)(bits & 1) << 31);
    case 5: return subnormal(bits);
    case 6: return nearest_of_all[bits % KNOWN];
    default: return from_bits((uint32_t)(bits % 0x7f800000u) | (uint32_t)(bits >> 63) << 31); /* any finite number */
    }
}

static void fill_trig(const struct map *p, uint64_t seed, size_t i, size_t one_in)
{
    const uint64_t draw = random_bits(seed, AWKWARD, i);
    float *x = (float *)p->x + i, *y = (float *)p->y + i;
    const bool any = one_in == OFTEN;

    *x = draw % one_in == 0 ? awkward_angle(seed, X, i, any) : (float)(random_bits(seed, X, i) >> 40) * 0x1p-24F;
    *y = draw / one_in % one_in == 0 ? awkward_angle(seed, Y, i, any) : (float)(random_bits(seed, Y, i) >> 40) * 0x1p-24F;
}

/* --- reldiff ---------------------------------------------------------------------------------- */

/* A sum of twelve uniform numbers less 6: nearly a standard normal number. */
static double normal(uint64_t seed, uint64_t stream, size_t i)
{
    enum { BITS = 21, EACH = 3, DRAWS = 4 };
    uint64_t sum = 0;

    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        const uint64_t bits = random_bits(seed, stream + draw, i);
        for (int part = 0; part < EACH; part++)
            sum += bits >> BITS * part & ((1 << BITS) - 1);
    }
    return (double)sum / (1 << BITS) - 6.0;
}

static float ordinary_x(uint64_t seed, size_t i)
{
    const float x = (float)(1.0 + normal(seed, X, i));

    return x == 0.0f ? 1.0f : x; /* where y is 0, too, there is no answer */
}

static void fill_reldiff(const struct map *p, uint64_t seed, size_t i, size_t one_in)
{
    const uint64_t draw = random_bits(seed, AWKWARD, i), bits = random_bits(seed, PLACE, i);
    float x = ordinary_x(seed, i), y = (float)(1.1 + normal(seed, Y, i));

    if (draw % one_in == 0)
        switch (random_bits(seed, KIND, i) % 7) {
        case 0: y = -x; break; /* infinite */
        case 1: y = nextafterf(-x, bits % 2 == 0 ? INFINITY : -INFINITY); break;
        case 2: y = x; break;
        case 3: y = nextafterf(x, bits % 2 == 0 ? INFINITY : -INFINITY); break;
        case 4: x = subnormal(bits); break;
        case 5: y = subnormal(bits), x = subnormal(bits >> 32); break;
        case 6: x *= 0x1p119f, y *= 0x1p119f; break; /* of 7 in size at most: below MAP_RELDIFF_MOST */
        }
    ((float *)p->x)[i] = x;
    ((float *)p->y)[i] = y;
}

/* --- suppress --------------------------------------------------------------------------------- */

static void fill_suppress(const struct map *p, uint64_t seed, size_t i, size_t one_in)
{
    const uint64_t bits = random_bits(seed, X, i);
    const int t = p->threshold, awkward[] = {INT16_MIN, INT16_MAX, t, -t, t + 1, -t - 1};
    int x = (int)(bits % 8192) - 4096;

    if ((bits >> 13) % one_in == 0)
        x = awkward[(bits >> 32) % 6];
    ((int16_t *)p->x16)[i] = (int16_t)(x > INT16_MAX ? INT16_MAX : x);
}

/* Thresholds at both ends of their range, and any: by size, so that each kind comes. */
static int awkward_threshold(uint64_t seed, size_t n)
{
    const int kinds[] = {INT16_MAX, 0, (int)(random_bits(seed, THRESHOLD, n) >> 49)};

    return kinds[n % 3];
}

/* --- all -------------------------------------------------------------------------------------- */

struct filling {
    const struct map *p;
    uint64_t seed;
    size_t one_in;
};

static void fill_range(void *context, size_t begin, size_t end)
{
    static void (*const of[])(const struct map *, uint64_t, size_t, size_t) = {
        [MAP_TRIG] = fill_trig, [MAP_RELDIFF] = fill_reldiff, [MAP_SUPPRESS] = fill_suppress};
    const struct filling *f = context;

    for (size_t i = begin; i < end; i++)
        of[f->p->f](f->p, f->seed, i, f->one_in);
}

static void fill_with(struct map *p, uint64_t seed, size_t one_in)
{
    enum { GRAIN = 1 << 16 };
    struct filling f = {p, seed, one_in};

    if (p->f == MAP_SUPPRESS)
        p->threshold = one_in == OFTEN ? awkward_threshold(seed, p->n) : USUAL_THRESHOLD;
    parallel_for(p->n, GRAIN, fill_range, &f);
}

void map_fill(void *c, uint64_t seed)
{
    fill_with(c, seed, RARE);
}

void map_trouble(void *c, uint64_t seed)
{
    fill_with(c, seed, OFTEN);
}

/* The answer changes whatever was there. */
void map_touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    const struct map *p = c;

    if (p->f == MAP_SUPPRESS) {
        const int16_t value = (int16_t)(USUAL_THRESHOLD + 1 + random_bits(seed, X, index) % 4000);
        memcpy(element, &value, sizeof value);
        return;
    }
    const float value = p->f == MAP_TRIG       ? (float)random_unit(seed, X, index)
                        : array->name[0] == 'x' ? ordinary_x(seed, index)
                                                : (float)(1.1 + normal(seed, Y, index));

    memcpy(element, &value, sizeof value);
}
