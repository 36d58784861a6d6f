/*
 * Behind mma.sync.m16n8k8 lane 4g + t holds four finished elements of a tile of C.  Here they are added to those of other lanes, by
 * __shfl_xor_sync or __shfl_down_sync, as the parts of a sum would be.
 */
#include "workshop/lab/guess_lane_sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/guess_fragments.h"

enum { WARP = 32, ROWS = 16, COLUMNS = 8, HELD = 4, MOST = 200000 /* elements of C */ };

/* The steps of the shuffles: so many lanes apart; 0: no more. */
struct steps {
    unsigned apart[5];
    bool down;      /* from the lane so far on, and not from lane ^ apart */
    unsigned width; /* of the shuffles' groups */
};

/* Where lane 4g + t has element e of its tile. */
static size_t row_of(size_t lane, size_t e)
{
    return lane / 4 + 8 * (e / 2);
}

static size_t column_of(size_t lane, size_t e)
{
    return 2 * (lane % 4) + e % 2;
}

static void add_up(double held[WARP], const struct steps *s)
{
    for (size_t k = 0; k < sizeof s->apart / sizeof *s->apart && s->apart[k] > 0; k++) {
        double before[WARP];
        memcpy(before, held, sizeof before);
        for (unsigned i = 0; i < WARP; i++) {
            const bool inside = i % s->width + s->apart[k] < s->width;
            held[i] += before[s->down ? (inside ? i + s->apart[k] : i) : i ^ s->apart[k]];
        }
    }
}

/* Adds up a tile of C.  What is outside of C is 0 there. */
static void add_up_tile(const struct matmul *p, const double *c, size_t row0, size_t column0, const struct steps *s, double *out)
{
    for (size_t e = 0; e < HELD; e++) {
        double held[WARP];
        for (size_t lane = 0; lane < WARP; lane++) {
            const size_t r = row0 + row_of(lane, e), j = column0 + column_of(lane, e);
            held[lane] = r < p->m && j < p->n ? c[r * p->n + j] : 0.0;
        }
        add_up(held, s);
        for (size_t lane = 0; lane < WARP; lane++) {
            const size_t r = row0 + row_of(lane, e), j = column0 + column_of(lane, e);
            if (r < p->m && j < p->n)
                out[r * p->n + j] = held[lane];
        }
    }
}

static bool gives(const struct matmul *p, const struct view *v, const double *c, const struct steps *s, double *out)
{
    for (size_t row0 = 0; row0 < p->m; row0 += ROWS)
        for (size_t column0 = 0; column0 < p->n; column0 += COLUMNS)
            add_up_tile(p, c, row0, column0, s, out);
    return result_equals(v, out);
}

/* Writes the steps with these bits, the largest first or last. */
static void list_steps(unsigned bits, bool falling, struct steps *s)
{
    size_t k = 0;

    memset(s->apart, 0, sizeof s->apart);
    for (unsigned i = 0; i < 5; i++) {
        const unsigned apart = falling ? 16u >> i : 1u << i;
        if ((bits & apart) != 0)
            s->apart[k++] = apart;
    }
}

static void tell(const struct view *v, const struct steps *s, struct mistake *m)
{
    char list[40];
    size_t used = 0;

    for (size_t k = 0; k < 5 && s->apart[k] > 0; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%u", k == 0 ? "" : s->apart[k + 1 < 5 ? k + 1 : k] > 0 && k < 4 ? ", " : " and ",
                                 s->apart[k]);
    mistake_set(m, "wrong-fragment");
    mistake_add(m, "elements of C of several lanes were added up, which are %s lane%s apart, as by %s: behind mma() they are not parts of one sum. Each lane "
                   "has four elements, and they are finished", list, s->apart[0] == 1 ? "" : "s", s->down ? "__shfl_down_sync" : "__shfl_xor_sync");
    m->explains = v->wrong_count;
}

bool lane_sums_look(const struct matmul *p, const struct view *v, struct mistake *m)
{
    static const unsigned widths[] = {4, 8, 16, 32};
    const size_t count = p->m * p->n;
    double *c = count <= MOST ? malloc((count + 1) * sizeof *c) : NULL, *out = c != NULL ? malloc((count + 1) * sizeof *out) : NULL;
    struct steps s = {.width = WARP};
    bool found = false;

    if (out != NULL)
        matmul_sums(p, 0, p->k, c);
    for (unsigned bits = 1; out != NULL && !found && bits < WARP; bits++) {
        list_steps(bits, true, &s);
        s.down = false;
        s.width = WARP;
        found = gives(p, v, c, &s, out);
        for (size_t w = 0; !found && w < 8; w++) {
            s.down = true;
            s.width = widths[w / 2];
            list_steps(bits, w % 2 == 0, &s);
            found = bits < s.width && gives(p, v, c, &s, out);
        }
    }
    if (found)
        tell(v, &s, m);
    free(c);
    free(out);
    return found;
}
