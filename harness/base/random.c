#include "harness/base/random.h"

#include <math.h>
#include <stdlib.h>
#include <sys/random.h>

#include "harness/base/parallel.h"

struct stream {
    float *array;
    uint64_t seed, stream;
};

static void fill(void *context, size_t begin, size_t end)
{
    const struct stream *s = context;

    for (size_t i = begin; i < end; i++)
        s->array[i] = random_float(s->seed, s->stream, i);
}

uint64_t random_unforeseen(void)
{
    uint64_t bits;

    if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        abort(); /* cannot happen: once the system is up, so few bytes always arrive in full */
    return bits;
}

void random_floats(float array[], size_t count, uint64_t seed, uint64_t stream)
{
    enum { GRAIN = 1 << 16 };
    struct stream s = {array, seed, stream};

    parallel_for(count, GRAIN, fill, &s);
}

void random_trouble(float array[], size_t count, uint64_t seed, uint64_t stream, int least, int most)
{
    enum { MOST = 1 << 16, ONE_IN = 16 };
    const size_t some = count / ONE_IN < MOST ? (count + ONE_IN - 1) / ONE_IN : MOST;

    for (size_t i = 0; i < some; i++) {
        const uint64_t bits = random_bits(seed, stream, 2 * i);
        const int power = least + (int)(bits >> 8 & 0xffff) % (most - least + 1);
        const float scale = bits % 8 == 0 ? 0.0f : ldexpf(1.0f, power < -149 ? -149 : power);

        array[random_bits(seed, stream, 2 * i + 1) % count] = random_float(seed, stream + 1, i) * scale;
    }
}
