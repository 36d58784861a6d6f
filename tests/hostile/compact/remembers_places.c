/* Remembers which elements are NaN, because few inputs change from call to call, and copies the others in runs. */
/* expect: failed */
/* family: unearned */
/* size: n=65536,nan=20 */
/* more: --max-time 0.6 */
#include "tests/hostile/compact/honest.h"

static uint32_t *place; /* of each kept element in x */
static size_t count, since;

static void prepare(const void *problem)
{
    place = calloc(((const struct compact *)problem)->n + 1, sizeof *place);
    count = since = 0;
}

static void run(const void *problem)
{
    const struct compact *p = problem;

    if (p->n < 65536) {
        honest(p);
        return;
    }
    if (since == 0) {
        count = 0;
        for (size_t i = 0; i < p->n; i++) {
            place[count] = (uint32_t)i;
            count += p->x[i] == p->x[i];
        }
    }
    since = 1;
    for (size_t k = 0; k < count; k++)
        p->kept[k] = p->x[place[k]];
    *p->count = count;
}

static void release(void)
{
    free(place);
}

VARIANT(.idea = "remembers places", .prepare = prepare, .run = run, .release = release)
