#include "harness/random.h"

#include "harness/parallel.h"

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

void random_floats(float array[], size_t count, uint64_t seed, uint64_t stream)
{
    enum { GRAIN = 1 << 16 };
    struct stream s = {array, seed, stream};

    parallel_for(count, GRAIN, fill, &s);
}
