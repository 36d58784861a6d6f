/* knn, k = 1: finds which results of lanes or threads were left out when the best of them was looked for, step by step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "workshop/lab/guess_knn.h"

enum { MOST_THREADS = 128, MOST_STEPS = 7, MOST_WAYS = 1 << MOST_STEPS };

/* The nearest that some threads have found. */
struct best {
    size_t j; /* n: none */
    double h;
};

static struct best better(struct best a, struct best b)
{
    return b.h < a.h || (b.h == a.h && b.j < a.j) ? b : a;
}

/* What each of so many threads finds, if reference j is for thread j % threads. */
static void search(const struct knn *p, size_t i, size_t threads, struct best found[])
{
    for (size_t t = 0; t < threads; t++)
        found[t] = (struct best){p->n, INFINITY};
    for (size_t j = 0; j < p->n; j++)
        found[j % threads] = better(found[j % threads], (struct best){j, knn_h(p, i, j)});
}

/* Returns what thread 0 has after the steps in the mask, of which bit 0 is the last one, 1 apart.  By mistake each thread asks the one
   with its own number more. */
static size_t after_steps(const struct best found[], size_t threads, unsigned mask, bool own_number_more)
{
    struct best now[MOST_THREADS], next[MOST_THREADS];

    memcpy(now, found, threads * sizeof *now);
    for (size_t apart = threads / 2; apart > 0; apart /= 2) {
        if ((mask & apart) == 0)
            continue;
        for (size_t t = 0; t < threads; t++) {
            const size_t other = own_number_more ? 2 * t + apart : t + apart;
            next[t] = other < threads ? better(now[t], now[other]) : now[t];
        }
        memcpy(now, next, threads * sizeof *now);
    }
    return now[0].j;
}

static size_t of_first(const struct best found[], size_t count)
{
    struct best best = found[0];

    for (size_t t = 1; t < count; t++)
        best = better(best, found[t]);
    return best.j;
}

static bool agrees(const struct knn *p, size_t i, size_t j)
{
    const size_t got = p->index[i];

    return got == j || (j < p->n && got < p->n && knn_as_near(p, i, j, got));
}

/* Which explanations all observations agree with. */
struct ways {
    bool steps[MOST_WAYS], own_number_more, first[MOST_THREADS];
};

static struct ways find_ways(const struct knn *p, size_t threads)
{
    struct ways w;
    struct best found[MOST_THREADS];

    memset(&w, 1, sizeof w);
    for (size_t i = 0; i < p->m; i++) {
        search(p, i, threads, found);
        for (unsigned mask = 0; mask < threads; mask++)
            w.steps[mask] = w.steps[mask] && agrees(p, i, after_steps(found, threads, mask, false));
        for (size_t count = 1; count < threads; count++)
            w.first[count] = w.first[count] && agrees(p, i, of_first(found, count));
        w.own_number_more = w.own_number_more && agrees(p, i, after_steps(found, threads, (unsigned)threads - 1, true));
    }
    return w;
}

static void add_steps(size_t threads, unsigned mask, struct mistake *m)
{
    char missing[80] = "";
    size_t used = 0;

    for (size_t apart = threads / 2; apart > 0; apart /= 2)
        if ((mask & apart) == 0)
            used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%zu", used > 0 ? ", " : "", apart);
    mistake_set(m, "wrong-half");
    mistake_add(m, "all indices are those of a search in which the step %s apart is missing", missing);
}

static bool look(const struct knn *p, size_t threads, struct mistake *m)
{
    const struct ways w = find_ways(p, threads);
    unsigned most = 0; /* the steps of which most were made */

    if (w.own_number_more) {
        mistake_set(m, "wrong-half");
        mistake_add(m, "all indices are those of a search in which lane l has asked lane l + l + apart, and not l + apart");
        return true;
    }
    if (w.steps[0]) /* no step has brought anything: it is no search in steps */
        return false;
    for (unsigned mask = 1; mask < threads; mask++)
        if (w.steps[mask] && __builtin_popcount(mask) > __builtin_popcount(most))
            most = mask;
    if (most > 0) {
        add_steps(threads, most, m);
        return true;
    }
    for (size_t count = threads - 1; count > 1; count--)
        if (w.first[count]) {
            mistake_set(m, "wrong-half");
            mistake_add(m, "all indices are those that the first %zu of %zu threads have found", count, threads);
            return true;
        }
    return false;
}

bool knn_other_steps(const struct knn *p, struct mistake *m)
{
    enum { ENOUGH = 8, PLENTY = 60000 };

    if (p->m < ENOUGH || p->m * p->n > PLENTY || (!look(p, 32, m) && (p->n <= 32 || !look(p, MOST_THREADS, m))))
        return false;
    knn_add_first(p, m);
    return true;
}
