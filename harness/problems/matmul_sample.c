#include "harness/problems/matmul_sample.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/matmul.h"

/* Chooses the element of C for sample s; C is not empty. */
static struct element pick(const struct matmul *p, uint64_t seed, size_t s)
{
    size_t i = random_bits(seed, STREAM_ROW, s) % p->m;
    size_t j = random_bits(seed, STREAM_COLUMN, s) % p->n;

    if (s < 4) { /* the corners */
        i = s & 1 ? p->m - 1 : 0;
        j = s & 2 ? p->n - 1 : 0;
    } else if (s % 4 == 0) { /* the last row and the last column, where tiles are cut */
        i = p->m - 1;
    } else if (s % 4 == 1) {
        j = p->n - 1;
    }
    return (struct element){.row = i, .column = j};
}

/* Adds the terms of element e from `begin` up to `end`. */
static void add_terms(const struct matmul *p, struct element *e, size_t begin, size_t end)
{
    const float *a = p->a + e->row * p->k, *b = p->b + e->column;

    for (size_t l = begin; l < end; l++) {
        const double product = (double)a[l] * b[l * p->n];

        e->want += product;
        e->size += fabs(product);
        e->squares += product * product;
    }
    e->reach = fmax(e->reach, fabs(e->want));
}

struct element sample_element(const struct matmul *p, size_t row, size_t column)
{
    struct element e = {.row = row, .column = column};

    add_terms(p, &e, 0, p->k);
    return e;
}

/* Some of the terms of all samples.  A row of B is read once for all samples; a single sample would
   fetch each element of its column from far away. */
struct work {
    const struct matmul *p;
    const struct element *sample;
    struct element *part; /* [chunk][SAMPLES] */
    size_t grain;
};

static void add_rows(void *context, size_t begin, size_t end)
{
    const struct work *w = context;
    struct element *part = w->part + begin / w->grain * SAMPLES;

    for (size_t s = 0; s < SAMPLES; s++)
        part[s] = w->sample[s];
    for (size_t l = begin; l < end; l++)
        for (size_t s = 0; s < SAMPLES; s++)
            add_terms(w->p, &part[s], l, l + 1);
}

bool sample_draw(struct element sample[SAMPLES], const struct matmul *p, uint64_t seed)
{
    const size_t grain = parallel_grain(p->k, p->k / 64 > 64 ? p->k / 64 : 64);
    const size_t chunks = parallel_chunks(p->k, grain);
    struct work w = {p, sample, malloc((chunks * SAMPLES + 1) * sizeof *w.part), grain};

    if (w.part == NULL)
        return false;
    for (size_t s = 0; s < SAMPLES; s++)
        sample[s] = pick(p, seed, s);
    parallel_for(p->k, grain, add_rows, &w);
    for (size_t chunk = 0; chunk < chunks; chunk++)
        for (size_t s = 0; s < SAMPLES; s++) {
            const struct element *part = &w.part[chunk * SAMPLES + s];

            sample[s].want += part->want;
            sample[s].size += part->size;
            sample[s].squares += part->squares;
            sample[s].reach = fmax(sample[s].reach, fabs(sample[s].want));
        }
    free(w.part);
    return true;
}
