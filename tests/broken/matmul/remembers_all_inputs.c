/* Compares all of its inputs with the last ones.  If none has changed, it returns the answer that it
   remembers. */
/* expected: ok */
/* expected when timed: breach: ^returns earlier answers while the inputs stay the same: a call takes .* if they have changed */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"
#include "common/variant.h"

static float *answer;
static uint64_t key;

static uint64_t hash(const float *array, size_t count, uint64_t h)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &array[i], sizeof bits);
        h = (h ^ bits) * 0x100000001b3u;
    }
    return h;
}

static void compute(const struct matmul *p)
{
    memset(answer, 0, p->m * p->n * sizeof *answer);
    for (size_t i = 0; i < p->m; i++)
        for (size_t l = 0; l < p->k; l++)
            for (size_t j = 0; j < p->n; j++)
                answer[i * p->n + j] += p->a[i * p->k + l] * p->b[l * p->n + j];
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    const uint64_t now = hash(p->b, p->k * p->n, hash(p->a, p->m * p->k, 0xcbf29ce484222325u));

    if (answer == NULL || now != key) {
        answer = realloc(answer, p->m * p->n * sizeof *answer + 1);
        compute(p);
        key = now;
    }
    memcpy(p->c, answer, p->m * p->n * sizeof *answer);
}

static void release(void)
{
    free(answer);
    answer = NULL;
}

VARIANT(.idea = "remembers by all of its inputs", .run = run, .release = release)
