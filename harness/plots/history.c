/* One cell from run to run, of one machine. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plots/drawing.h"

enum { MOST_RUNS = 200 };

/* A cell of all files, by what makes it the same as another. */
struct entry {
    uint64_t key;
    const struct past *p;
    const struct past_cell *cell;
    size_t order;
};

/* --- which are the same ----------------------------------------------------------------------- */

/* FNV-1a, and an end that no text holds. */
static uint64_t hash(uint64_t h, const char *text)
{
    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3;
    return (h ^ 0xff) * 0x100000001b3;
}

static uint64_t key_of(const struct past *p, const struct past_cell *c)
{
    const struct past_run *run = &p->runs[c->run];
    char size[200], cores[40];

    past_size(c, size, sizeof size);
    /* With more devices to see, a rung of several is another. */
    snprintf(cores, sizeof cores, "%d %zu", run->cores, run->devices);
    uint64_t h = hash(hash(0xcbf29ce484222325, c->problem), size);
    h = hash(h, strcmp(c->label, "file") == 0 ? "file" : "");
    return hash(hash(hash(h, run->cpu), cores), run->gpus);
}

static const struct past_run *run_of(const struct entry *e)
{
    return &e->p->runs[e->cell->run];
}

static int by_key_and_time(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    const int started = strcmp(run_of(x)->started, run_of(y)->started);

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return started != 0 ? started : (x->order > y->order) - (x->order < y->order);
}

/* --- the picture ------------------------------------------------------------------------------ */

struct past_line {
    const struct past_run *runs[MOST_RUNS];
    const char *rungs[MOST_RUNGS];
    double kinds[MOST_RUNGS];
    size_t run_count, rung_count;
};

static bool collect(struct past_line *l, const struct entry entries[], size_t count,
                    struct error *error)
{
    *l = (struct past_line){.run_count = 0};
    for (size_t i = 0; i < count; i++) {
        const struct past_cell *c = entries[i].cell;
        size_t r = 0;
        if (l->run_count == 0 || l->runs[l->run_count - 1] != run_of(&entries[i])) {
            if (l->run_count == MOST_RUNS)
                return error_set(error, "%s:%zu: more than the %d runs that a picture holds",
                                 entries[i].p->file, c->line, MOST_RUNS);
            l->runs[l->run_count++] = run_of(&entries[i]);
        }
        while (r < l->rung_count && strcmp(l->rungs[r], c->variant) != 0)
            r++;
        if (r == MOST_RUNGS)
            return error_set(error, "%s:%zu: more than the %d rungs that a picture holds",
                             entries[i].p->file, c->line, MOST_RUNGS);
        if (r == l->rung_count) {
            l->kinds[r] = cell_shade(c);
            l->rungs[l->rung_count++] = c->variant;
        }
    }
    return true;
}

static double change(double time, double first)
{
    return 100.0 * (time / first - 1.0);
}

/* A rung's block; the changes of its medians are between `least` and `most`. */
static void put_curve(struct drawing *d, const struct past_line *l, const char *rung,
                      const struct entry entries[], size_t count, double *least, double *most)
{
    double first = NAN;

    data_comment(d, rung);
    for (size_t i = 0, run = 0; i < count; i++) {
        while (l->runs[run] != run_of(&entries[i]))
            run++;
        if (strcmp(entries[i].cell->variant, rung) != 0)
            continue;
        const struct times t = cell_e2e(entries[i].cell);
        first = isfinite(first) ? first : t.median;
        data_number(d, (double)run + 1.0);
        data_number(d, t.median);
        data_number(d, t.low);
        data_number(d, t.high);
        data_number(d, change(t.median, first));
        data_number(d, change(t.low, first));
        data_number(d, change(t.high, first));
        data_row(d);
        *least = fmin(*least, change(t.median, first));
        *most = fmax(*most, change(t.median, first));
    }
    data_block(d);
}

static void put_runs(struct drawing *d, const struct past_line *l)
{
    const char *commits[MOST_RUNS], *days[MOST_RUNS];
    const size_t day = strlen("2026-11-21"), year = strlen("2026-");
    char text[MOST_RUNS][8];
    bool one_day = true;

    for (size_t i = 1; i < l->run_count; i++)
        one_day &= strncmp(l->runs[i]->started, l->runs[0]->started, day) == 0;
    for (size_t i = 0; i < l->run_count; i++) { /* 2026-11-21T15:45:11Z: 11-21, or 15:45 */
        const char *started = l->runs[i]->started;
        const size_t from = one_day ? day + 1 : year;
        commits[i] = l->runs[i]->commit;
        snprintf(text[i], sizeof text[i], "%.5s", strlen(started) > from ? started + from : started);
        days[i] = text[i];
    }
    drawing_number(d, "runs", (double)l->run_count);
    drawing_texts(d, "commits", commits, l->run_count);
    drawing_texts(d, "days", days, l->run_count);
}

static bool draw(struct plots *plots, const struct entry entries[], size_t count,
                 struct error *error)
{
    struct past_line *l = malloc(sizeof *l);
    double least = 0.0, most = 0.0;
    struct drawing d;

    if (l == NULL)
        abort();
    bool fine = collect(l, entries, count, error);
    if (fine && l->run_count > 1) {
        const struct entry *last = &entries[count - 1];
        const struct subject of = {last->p, last->cell, false, "runs"};
        fine = drawing_start(&d, plots, PLOT_HISTORY, &of, error);
        if (fine) {
            data_comment(&d, "a block for each rung: run, end to end in s, low, high, more than "
                             "in its first run in percent, low, high");
            for (size_t i = 0; i < l->rung_count; i++)
                put_curve(&d, l, l->rungs[i], entries, count, &least, &most);
            /* By the medians: one restless interval would flatten all the others. */
            const double room = fmax(5.0, 0.3 * (most - least));
            drawing_number(&d, "least", fmax(least - room, -100.0)); /* no time at all */
            drawing_number(&d, "most", most + room);
            put_runs(&d, l);
            drawing_texts(&d, "rungs", l->rungs, l->rung_count);
            drawing_height(&d, l->rung_count);
            drawing_numbers(&d, "kind", l->kinds, l->rung_count);
            fine = drawing_end(&d);
        }
    }
    free(l);
    return fine;
}

/* All that were timed, those of one cell side by side, by time; for free(). */
static struct entry *sort_all(const struct plots *plots, const struct source *all, size_t *count,
                              struct error *error)
{
    struct entry *entries = NULL;
    size_t cells = 0;

    for (size_t f = 0; f < all->count; f++)
        cells += all->files[f]->cell_count;
    entries = calloc(cells + 1, sizeof *entries);
    if (entries == NULL)
        abort();
    *count = 0;
    for (size_t f = 0; f < all->count; f++)
        for (size_t i = 0; i < all->files[f]->cell_count; i++) {
            const struct past *p = all->files[f];
            const struct past_cell *c = &p->cells[i];
            if (!past_timed(c) || c->scale.value > 0 || shown_by_sweep(plots, p, c))
                continue;
            if (!cell_drawable(p, c, error)) {
                free(entries);
                return NULL;
            }
            entries[*count] = (struct entry){key_of(p, c), p, c, *count};
            ++*count;
        }
    qsort(entries, *count, sizeof *entries, by_key_and_time);
    return entries;
}

bool plot_history(struct plots *plots, const struct source *all, struct error *error)
{
    size_t count = 0;
    struct entry *entries = sort_all(plots, all, &count, error);
    bool fine = entries != NULL;

    for (size_t at = 0, end; fine && at < count; at = end) {
        for (end = at + 1; end < count && entries[end].key == entries[at].key; end++)
            ;
        fine = draw(plots, entries + at, end - at, error);
    }
    free(entries);
    return fine;
}
