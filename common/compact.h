/*
 * compact: the elements of x that are not NaN, in their order, and how many there are.
 *
 *     kept  = x[i] for each i with x[i] not NaN, by rising i
 *     count = how many these are
 *
 * (G. E. Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, section 1.3: the place of an element is the number
 * of kept elements before it.)
 *
 * An element is NaN if its bits say so, (bits & 0x7fffffff) > 0x7f800000, whatever its sign and payload.  Everything else
 * is kept with all its bits: -0, infinities, subnormal numbers.
 *
 * Work   no arithmetic.
 * Bytes  4 per element in, 4 per kept element and 8 for the count out.
 */
#ifndef RUNGS_COMPACT_H
#define RUNGS_COMPACT_H

#include <stddef.h>
#include <stdint.h>

struct compact {
    size_t n;        /* elements; may be 0 */
    const float *x;  /* [n] anything, NaN of every kind among it */
    float *kept;     /* [n] the answer in its first *count; what is behind may be anything */
    uint64_t *count; /* [1] the answer */
};

#endif
