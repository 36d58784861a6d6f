/*
 * For CUDA variants that search the tree of cuda_tree.h: a warp searches for 32 observations at a time, which are
 * near each other, because they are sorted along a curve.
 *
 *     a node      a lane for each of its 32 boxes: can it hold what any of the 32 observations looks for?  The boxes that
 *                 can are taken up in the order of their distance from one observation, the leader
 *     a leaf      a lane for each observation: the chords to its references, eight at a time
 *     the leader  has found all that it looks for, once the nearest box left is too far from it.  Then a lane that needs
 *                 that box becomes the leader; if there is none, no lane needs it
 *
 * Boxes    A box is left out if it is farther from the box around all 32 observations than what the last of them has
 *          found.  That leaves out nothing if they are spread more widely than the references, as in an ocean seen from a
 *          town.  If many boxes are left, they are compared with the reference i that is nearest to the observation b in
 *          the middle: reference j is farther than i from all points within r of b if |b-j|^2 - |b-i|^2 > 2 r |i-j|.
 * Far      Beyond a quarter of the globe chords hardly differ, and are poor bounds: boxes are flat, and the earth between
 *          is not.  But |q-j|^2 = 4 - |-q-j|^2, so the nearest reference has the longest chord from the antipode -q, which
 *          is short.  If all references are that far, a warp searches from the antipodes.  A value is what it minimizes:
 *          |q-j|^2, or -|-q-j|^2.
 * Error    docs/knn-exactness.md, "GPU: tree of boxes"
 */
#ifndef RUNGS_KNN_CUDA_WALK_H
#define RUNGS_KNN_CUDA_WALK_H

#include "cuda_tree.h" /* tree, box, middle, precise_vector */

enum { MANY = 6 }; /* boxes left: then it pays to compare them with the nearest reference */
static const float start_limit = 8; /* above any value; -start_limit is below */

/* What a lane looks for: its observation.  A variant derives from it, with
       static constexpr bool one        it looks for one reference
       unsigned spot(), float found()   if so: where in tree.point a reference is, and the value that it has at most
       void reach(radius)               called before a leaf: references are within `radius` of its centre
       void look(value, first)          eight references, from place `first` of tree.point on.  What is beyond `limit`
                                        does not matter; it may fall */
struct seeker {
    float4 at, rest; /* the unit vector of the observation or its antipode, as a sum of two float32 */
    float sign;      /* 1, or -1: from the antipode */
    float cos_lat;   /* of the observation */
    float limit;     /* no reference with a larger value matters */
};

struct crowd { /* the observations of a warp; the same in all lanes */
    box around;
    unsigned centre; /* the lane in the middle */
    float radius;    /* all others are as near to it */
};

/* Near the antipode distances are rounded that coarsely: float64 gives h = 1 - d^2/4 to multiples of 2^-53 */
static const float nearly_opposite = 0x1p-46f;

/* The bits of a float as an integer of the same order, and back */
__device__ static int in_order(int bits)
{
    return bits ^ (bits >> 31 & INT32_MAX);
}

__device__ static float warp_max(float x)
{
    return __int_as_float(in_order(~warp_min(~in_order(__float_as_int(x)))));
}

__device__ static float4 of_lane(float4 v, unsigned lane)
{
    return make_float4(__shfl_sync(all_lanes, v.x, lane), __shfl_sync(all_lanes, v.y, lane),
                       __shfl_sync(all_lanes, v.z, lane), 0);
}

__device__ static float square(float x, float y, float z)
{
    return x * x + y * y + z * z;
}

/* A lower bound of the values between two boxes */
__device__ static float apart2(float sign, box a, box b)
{
    if (sign < 0)
        return -square(fmaxf(a.high.x - b.low.x, b.high.x - a.low.x), fmaxf(a.high.y - b.low.y, b.high.y - a.low.y),
                       fmaxf(a.high.z - b.low.z, b.high.z - a.low.z));
    return square(fmaxf(fmaxf(a.low.x - b.high.x, b.low.x - a.high.x), 0),
                  fmaxf(fmaxf(a.low.y - b.high.y, b.low.y - a.high.y), 0),
                  fmaxf(fmaxf(a.low.z - b.high.z, b.low.z - a.high.z), 0));
}

/* The square of the largest distance of a point of the box from (x, y, z) */
__device__ static float farthest2(float x, float y, float z, box b)
{
    return square(fmaxf(fabsf(b.low.x - x), fabsf(b.high.x - x)), fmaxf(fabsf(b.low.y - y), fabsf(b.high.y - y)),
                  fmaxf(fabsf(b.low.z - z), fabsf(b.high.z - z)));
}

/* A lower bound of the values of all points of the sphere in the box */
__device__ static float least_value(float sign, float4 from, box b)
{
    if (sign < 0)
        return -farthest2(from.x, from.y, from.z, b);

    const float near = square(fmaxf(fmaxf(b.low.x - from.x, from.x - b.high.x), 0),
                              fmaxf(fmaxf(b.low.y - from.y, from.y - b.high.y), 0),
                              fmaxf(fmaxf(b.low.z - from.z, from.z - b.high.z), 0));

    if (near < 2)
        return near;
    return fmaxf(near, 4 - 0x1p-18f - farthest2(-from.x, -from.y, -from.z, b));
}

/* A whole warp calls this. */
__device__ static crowd crowd_of(float4 at)
{
    const unsigned lane = threadIdx.x % WARP;
    crowd c;

    c.around = around({at, at}, WARP);

    const float4 m = middle(c.around.low, c.around.high);
    const float off = square(at.x - m.x, at.y - m.y, at.z - m.z);

    c.centre = (unsigned)warp_min((int)((__float_as_uint(off) & ~(WARP - 1)) | lane)) % WARP;

    const float4 b = of_lane(at, c.centre);

    c.radius = sqrtf(warp_max(square(at.x - b.x, at.y - b.y, at.z - b.z))) * (1 + 0x1p-20f) + 0x1p-22f;
    return c;
}

/* Is every reference of the box farther from all observations than the one that the lane in the middle has found, at
   `spot` and with the value `found` at most?  `at` is that lane's observation. */
__device__ static bool is_beaten(tree t, const crowd &c, float sign, float4 at, float found, unsigned spot, box b)
{
    const float4 m = middle(t.low[0][spot / LEAF], t.high[0][spot / LEAF]), p = t.point[spot];
    const float away = sqrtf(farthest2(m.x + p.x, m.y + p.y, m.z + p.z, b)) + 0x1p-21f;

    const float least = least_value(sign, at, b);

    return least - fabsf(least) * 0x1p-17f - found > 2 * c.radius * away;
}

template <typename mine> __device__ static void search_leaf(tree t, mine *s, unsigned leaf)
{
    const float4 low = t.low[0][leaf], high = t.high[0][leaf], m = middle(low, high);
    const float x = s->at.x - m.x + s->rest.x, y = s->at.y - m.y + s->rest.y, z = s->at.z - m.z + s->rest.z;

    s->reach(low.w);
#pragma unroll
    for (unsigned first = leaf * LEAF; first < (leaf + 1) * LEAF; first += EIGHT) {
        float value[EIGHT];

#pragma unroll
        for (unsigned e = 0; e < EIGHT; e++) {
            const float4 p = t.point[first + e];

            value[e] = s->sign * square(p.x - x, p.y - y, p.z - z);
        }
        s->look(value, first);
    }
}

/* Searches the boxes of level LEVEL that are in this node.  A whole warp calls this. */
template <int LEVEL, typename mine>
__device__ static void search_node(tree t, mine *s, const crowd &c, unsigned node, unsigned leader)
{
    const unsigned lane = threadIdx.x % WARP, first = node * FAN;
    bool open = LEVEL == 0 || first + lane < t.boxes[LEVEL];
    const box b = {t.low[LEVEL][open ? first + lane : first], t.high[LEVEL][open ? first + lane : first]};
    open = open && b.low.x < nowhere;

    const float apart = apart2(s->sign, c.around, b);
    float key = least_value(s->sign, of_lane(s->at, leader), b);

    for (bool changed = true;;) {
        if (changed) {
            const float farthest = warp_max(s->limit);

            open = open && apart <= farthest;
            if constexpr (mine::one)
                if (__popc(__ballot_sync(all_lanes, open)) > MANY) {
                    const float4 centre = of_lane(s->at, c.centre);
                    const float found = __shfl_sync(all_lanes, s->found(), c.centre);
                    const unsigned spot = __shfl_sync(all_lanes, s->spot(), c.centre);

                    open = open && !(found < start_limit && is_beaten(t, c, s->sign, centre, found, spot, b));
                }
            changed = false;
        }

        const int order = in_order(__float_as_int(key)) & ~(WARP - 1);
        const int nearest = warp_min(open ? order | (int)lane : INT32_MAX);
        if (nearest == INT32_MAX)
            return;

        const unsigned which = (unsigned)nearest % WARP;
        const float least = __int_as_float(in_order(nearest & ~(WARP - 1)));

        if (least > __shfl_sync(all_lanes, s->limit, leader)) {
            const box its = {t.low[LEVEL][first + which], t.high[LEVEL][first + which]};
            const unsigned need = __ballot_sync(all_lanes, least_value(s->sign, s->at, its) <= s->limit);

            if (need == 0)
                open = open && lane != which;
            else {
                leader = __ffs((int)need) - 1;
                key = least_value(s->sign, of_lane(s->at, leader), b);
            }
            continue;
        }
        open = open && lane != which;
        if constexpr (LEVEL == 0)
            search_leaf(t, s, first + which);
        else
            search_node<LEVEL - 1>(t, s, c, first + which, leader);
        changed = true;
    }
}

__device__ static float4 opposite(float4 v)
{
    return make_float4(-v.x, -v.y, -v.z, v.w);
}

/* Searches the whole tree.  A whole warp calls this. */
template <typename mine> __device__ static void search(tree t, mine *s)
{
    const unsigned lane = threadIdx.x % WARP, top = t.boxes[1] <= FAN ? 1 : 2;
    const bool there = lane < t.boxes[top];
    const box b = {t.low[top][there ? lane : 0], t.high[top][there ? lane : 0]};
    crowd c = crowd_of(s->at);

    if (__all_sync(all_lanes, apart2(1, c.around, b) > 2)) {
        s->sign = -1;
        s->at = opposite(s->at);
        s->rest = opposite(s->rest);
        c.around = {opposite(c.around.high), opposite(c.around.low)};
    }
    if (top == 1)
        search_node<1>(t, s, c, 0, c.centre);
    else
        search_node<2>(t, s, c, 0, c.centre);
}

__device__ static seeker seeker_of(const observation &its)
{
    return {its.at, its.rest, 1, its.also.x, start_limit};
}

/* Taylor series up to x^13, |x| <= pi/2 */
__device__ static float sine(float x)
{
    const float z = x * x;

    return fmaf(x * z, fmaf(z, fmaf(z, fmaf(z, fmaf(z, fmaf(z, 1.f / 6227020800, -1.f / 39916800), 1.f / 362880),
                                          -1.f / 5040), 1.f / 120), -1.f / 6), x);
}

/* The arcsine of x, 0 to 1 (S. L. Moshier, Cephes Mathematical Library, 1992: asinf) */
__device__ static float arcsine(float x)
{
    const bool far = x > .5f;
    const float z = far ? .5f * (1 - x) : x * x, y = far ? z * rsqrtf(fmaxf(z, 1e-36f)) : x;
    const float a = fmaf(y * z, fmaf(z, fmaf(z, fmaf(z, fmaf(z, 4.2163199048e-2f, 2.4181311049e-2f), 4.5470025998e-2f),
                                             7.4953002686e-2f), 1.6666752422e-1f), y);

    return far ? fmaf(-2, a, 1.57079637f) : a;
}

/* The distance between an observation, whose w is the cosine of its latitude, and a reference of tree.place, in float32.
   Across the date line the difference of longitudes is nearly a whole turn, so what is rounded off it is kept. */
__device__ static float distance_f32(float lat, float lon, float cosine, float4 to)
{
    const float turn = to.y - lon, back = turn - to.y, rest = (to.y - (turn - back)) - (lon + back);
    const float half = fabsf(turn) * .5f, half_rest = (turn < 0 ? -rest : rest) * .5f;
    const float x = half > 1.57079637f ? half - 3.14159274f + (half_rest + 8.742278e-8f) : half + half_rest;
    const float sin_lat = sine((to.x - lat) * .5f), sin_lon = sine(x);
    const float h = fminf(fmaf(sin_lat, sin_lat, cosine * to.z * (sin_lon * sin_lon)), 1);

    return 2 * arcsine(h * rsqrtf(fmaxf(h, 1e-36f)));
}

#endif
