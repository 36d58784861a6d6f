/*
 * The parts in which a warp's request is served: sectors of global memory, wavefronts of shared memory.
 */
#include <string.h>

#include "harness/sim/sim.h"

enum { SECTOR = 32, BANKS = 32, WORD = 4, WAVEFRONT = BANKS * WORD };

/* --- sets of sectors or words ----------------------------------------------------------------- */

enum { PLACES = 256 }; /* twice the maximum number of members of a request */

static struct {
    uintptr_t member[PLACES];
    uint64_t set[PLACES]; /* for which the member was added */
    uint64_t now;
} seen;

/* Returns false if it is there already. */
static bool add(uintptr_t member)
{
    size_t i = member % PLACES;

    while (seen.set[i] == seen.now && seen.member[i] != member)
        i = (i + 1) % PLACES;
    if (seen.set[i] == seen.now)
        return false;
    seen.set[i] = seen.now;
    seen.member[i] = member;
    return true;
}

/* --- global memory ---------------------------------------------------------------------------- */

/* Returns whether each address is `stride` after the one before.  Most requests are like that. */
static bool has_stride(const uintptr_t address[], unsigned lanes, uintptr_t stride)
{
    uintptr_t other = 0;

    for (unsigned i = 0; i < lanes; i++)
        other |= address[i] ^ (address[0] + i * stride);
    return other == 0;
}

unsigned sim_distinct_bytes(const uintptr_t address[], unsigned lanes, unsigned bytes)
{
    const uintptr_t stride = lanes > 1 ? address[1] - address[0] : bytes;
    unsigned count = 0;

    if (has_stride(address, lanes, stride))
        return stride == 0 ? bytes : lanes * bytes;
    seen.now++;
    for (unsigned i = 0; i < lanes; i++)
        count += add(address[i] / bytes);
    return count * bytes;
}

unsigned sim_sectors(const uintptr_t address[], unsigned lanes, unsigned bytes)
{
    uintptr_t stride = lanes > 1 ? address[1] - address[0] : 0, last = 0;
    unsigned count = 0;

    if (stride <= SECTOR && has_stride(address, lanes, stride))
        return (unsigned)((address[lanes - 1] + bytes - 1) / SECTOR - address[0] / SECTOR) + 1;
    seen.now++;
    for (unsigned i = 0; i < lanes; i++)
        for (uintptr_t s = address[i] / SECTOR; s <= (address[i] + bytes - 1) / SECTOR; s++)
            if (s != last) {
                count += add(s);
                last = s;
            }
    return count;
}

/* --- shared memory ---------------------------------------------------------------------------- */

/* Returns how often the busiest bank is read. */
static unsigned most_wanted(const uintptr_t address[], unsigned lanes, unsigned bytes)
{
    unsigned wanted[BANKS] = {0}, most = 0;

    if (bytes == WORD && (has_stride(address, lanes, 0) || has_stride(address, lanes, WORD)))
        return 1;
    seen.now++;
    for (unsigned i = 0; i < lanes; i++)
        for (uintptr_t w = address[i] / WORD; w <= (address[i] + bytes - 1) / WORD; w++)
            if (add(w) && ++wanted[w % BANKS] > most)
                most = wanted[w % BANKS];
    return most;
}

/* Returns whether lanes i and i^distance access the same address wherever both take part. */
static bool paired(const uintptr_t address[], const unsigned char lane[], unsigned lanes,
                   unsigned distance)
{
    for (unsigned i = 0; i < lanes; i++)
        for (unsigned j = i + 1; j < lanes && lane[j] <= lane[i] + distance; j++)
            if ((lane[i] ^ distance) == lane[j] && address[i] != address[j])
                return false;
    return true;
}

/* Wide words are served for a half or a quarter of the warp at a time; for twice as many lanes if
   neighbours, or lanes two apart, access the same address. */
unsigned sim_wavefronts(const uintptr_t address[], const unsigned char lane[], unsigned lanes,
                        unsigned bytes, unsigned *least)
{
    unsigned at_once = bytes <= WORD ? WARP : WAVEFRONT / bytes, count = 0;

    if (bytes > WORD && (paired(address, lane, lanes, 1) || paired(address, lane, lanes, 2)))
        at_once *= 2;
    *least = 0;
    for (unsigned from = 0, to; from < lanes; from = to) {
        for (to = from + 1; to < lanes && lane[to] / at_once == lane[from] / at_once;)
            to++;
        count += most_wanted(address + from, to - from, bytes);
        ++*least;
    }
    return count;
}
