#include "harness/measure/latin_square.h"

#include <stdbool.h>
#include <stdlib.h>

#include "harness/base/random.h"

static bool is_prime(size_t p)
{
    for (size_t d = 2; d * d <= p; d++)
        if (p % d == 0)
            return false;
    return p > 1;
}

size_t latin_square_cycle(size_t count)
{
    size_t p = count + 1;

    while (!is_prime(p))
        p++;
    return p > 1 ? p - 1 : 1;
}

/* Returns 0 .. count - 1 in an order drawn from the seed. */
static size_t *shuffled(size_t count, uint64_t seed, uint64_t stream)
{
    size_t *all = calloc(count, sizeof *all);

    if (all == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        const size_t j = (size_t)(random_bits(seed, stream, i) % (i + 1));
        all[i] = all[j];
        all[j] = i;
    }
    return all;
}

void latin_square_round(size_t order[], size_t count, size_t round, uint64_t seed)
{
    if (count == 0)
        return;

    const size_t cycle = latin_square_cycle(count), first = round - round % cycle;
    size_t *places = shuffled(count, seed, 2 * first);
    size_t *steps = shuffled(cycle, seed, 2 * first + 1);
    const size_t step = steps[round % cycle] + 1;

    for (size_t i = 1, taken = 0; i <= cycle; i++) {
        const size_t place = i * step % (cycle + 1) - 1;
        if (place < count)
            order[taken++] = places[place];
    }
    free(places);
    free(steps);
}
