#define _GNU_SOURCE
#include "workshop/lab/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/model/registry.h"
#include "harness/worker/parent.h"
#include "workshop/lab/stamps.h"
#include "workshop/lab/trial.h"

enum { ROUNDS = 5, MOST_ROUNDS = 12 };

/* --- what the benchmark prints -------------------------------------------------------------------- */

/* Reads all that the worker has printed. */
static void read_prints(const struct worker *w, char *text, size_t room)
{
    ssize_t got = w->stdout_file > 0 ? pread(w->stdout_file, text, room - 1, 0) : 0;

    text[got > 0 ? got : 0] = '\0';
}

/* Returns the number of the line "figure NAME NUMBER", or NaN. */
static double find_figure(const char *text, const char *name)
{
    char begin[48];

    snprintf(begin, sizeof begin, "figure %s ", name);
    const char *at = strstr(text, begin);
    return at != NULL ? strtod(at + strlen(begin), NULL) : NAN;
}

/* Takes the kind and the text of the first line "WORD KIND TEXT", with this kind or (NULL) any. */
static bool take_line(const char *text, const char *word, const char *wanted, struct mistake *m)
{
    char kind[32];
    int used = 0;

    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        if (sscanf(at, "%*s %31s %n", kind, &used) != 1 || (wanted != NULL && strcmp(kind, wanted) != 0))
            continue;
        mistake_set(m, kind);
        mistake_add(m, "%.*s", (int)strcspn(at + used, "\n"), at + used);
        return true;
    }
    return false;
}

/* Replaces what was asked about a time that is wrong by what follows from the pairs of stamps.  Returns false if nothing does. */
static bool explain_by_pairs(const struct exercise *e, const struct figure *f, const char *text, struct mistake *m)
{
    struct mistake found = {.kind = ""};

    mistake_set(&found, m->kind);
    mistake_add(&found, "%s", m->fact[0]);
    if (!stamps_of(text, f->name, find_figure(text, f->name), (double)e->counted.dims[0], &found))
        return false;
    *m = found;
    return true;
}

/* Looks for what explains the wrong figure (NULL: none is wrong).  If a time is wrong, that is first a mistake of the same kind that the
   benchmark itself tells, then how the time was made of the pairs of stamps, then a cause.  Other mistakes may have cancelled out. */
static void find_mistake(const struct exercise *e, const struct figure *f, const char *text, struct mistake *m)
{
    const bool of_time = strncmp(m->kind, "timed-", strlen("timed-")) == 0;
    const bool of_device = f != NULL && strcmp(f->of, "run") == 0;

    if (of_time && of_device && take_line(text, "mistake ", m->kind, m))
        return;
    if (of_time && explain_by_pairs(e, f, text, m))
        return;
    if (of_time && of_device && take_line(text, "cause ", NULL, m))
        return;
    if (take_line(text, "mistake ", NULL, m))
        return;
    if (of_time && strcmp(m->kind, "timed-too-much") == 0) {
        stamps_between(e, f->name, m);
    } else if (of_time && !of_device) {
        stamps_unread(e, "z", m);
        stamps_left_out(e, text, f->name, (double)e->counted.dims[0], m);
    }
}

/* --- what the lab measures ------------------------------------------------------------------------ */

/* Returns the least time of a call, of its run alone if it has phases; NaN if none was measured. */
static double least_time(struct worker *w)
{
    static struct reply reply;
    const struct request warm = {.op = OP_WARM, .seconds = 0.02, .target = 1e-3};
    double least = NAN;

    if (!worker_ask(w, &warm, &reply, 10.0))
        return NAN;
    const struct request block = {.op = OP_BLOCK, .samples = 10, .reps = reply.reps, .seconds = 0.05, .settle = true};
    if (!worker_ask(w, &block, &reply, 10.0))
        return NAN;
    for (unsigned i = 0; i < reply.samples.count; i++) {
        const double run = reply.samples.time[PHASE_RUN][i], whole = reply.samples.time[PHASE_E2E][i];
        least = fmin(least, run > 0.0 ? run : whole);
    }
    return least;
}

/* Runs a program once: its benchmark's prints, and its time. */
static bool run_once(const struct exercise *e, const char *program, const char *name, bool first, char *prints, size_t room,
                     double *seconds, struct error *error)
{
    struct worker w = {0};
    setenv("RUNGS_FIGURES", "1", 1);
    bool good = trial_start(&w, program, name, IN_SIMULATOR, error);
    unsetenv("RUNGS_FIGURES");
    good = good && trial_open(&w, e, &e->counted, first, error);
    if (good) {
        read_prints(&w, prints, room);
        *seconds = least_time(&w);
        if (isnan(*seconds))
            good = error_set(error, "no time could be measured: %s", w.fate.reason);
    }
    trial_stop(&w);
    return good;
}

bool figures_print(const struct exercise *e, const char *program, char *prints, size_t room, struct error *error)
{
    double ignored = NAN;

    return run_once(e, program, e->full, true, prints, room, &ignored, error);
}

/* --- the comparison ------------------------------------------------------------------------------- */

/* Describes how far apart two times are, and why that may be. */
static void compare_times(const struct figure *f, const struct figured *d, struct mistake *m)
{
    const double ratio = d->value / d->ours;

    if (!(d->value > 0.0) || ratio < 1.0 / f->factor)
        mistake_set(m, "timed-too-little");
    else
        mistake_set(m, "timed-too-much");
    mistake_add(m, "%s: yours is %.3g s, and the lab measures %.3g s", f->name, d->value, d->ours);
    if (d->value == 0.0)
        mistake_add(m, "it is exactly 0, so it is no difference of two stamps");
    else if (d->value < 0.0)
        mistake_add(m, "it is negative: the second stamp is the later one");
    else if (ratio > 5e5 && ratio < 2e6)
        mistake_add(m, "that is about a million: is it in microseconds?");
    else if (d->value > 100.0 && isfinite(d->value))
        mistake_add(m, "no call has taken so long: is it a rate or a stamp, and not a difference of two stamps?");
    else if (isfinite(d->value))
        mistake_add(m, "yours is %.3g times as long", ratio);
    if (ratio > 500.0 && ratio < 2000.0)
        mistake_add(m, "that is about a thousand: is it in milliseconds?");
    mistake_add(m, "%s", f->text);
}

static void compare_bytes(const struct exercise *e, const struct figure *f, const struct figured *d, struct mistake *m)
{
    enum { FEW = 64 };
    const double each = d->value / (double)e->counted.dims[0], more = d->value - d->ours;

    mistake_set(m, "wrong-bytes");
    mistake_add(m, "%s: yours is %.10g for %zu elements, %.3g bytes for each; that is %s than there are", f->name, d->value,
                e->counted.dims[0], each, each < f->each ? "fewer" : "more");
    if (fabs(more) <= FEW)
        mistake_add(m, "that is %.0f bytes %s than %.3g for each: these belong to no element", fabs(more), more > 0.0 ? "more" : "fewer", f->each);
    else if (4.0 * each == f->each)
        mistake_add(m, "that would be right if a float had 1 byte");
    else if (each < 0.01)
        mistake_add(m, "less than a byte for each element: what is it divided by?");
    else if (each == floor(each) && fmod(each, 4.0) == 0.0)
        mistake_add(m, "that is %.0f float%s for each element%s", each / 4.0, each == 4.0 ? "" : "s",
                    each == 24.0 ? ", or 3 numbers of 8 bytes, as a double has: x, y and z are floats, of 4 bytes" : "");
}

static bool agrees(const struct figure *f, const struct figured *d)
{
    if (f->each > 0.0)
        return fabs(d->value - d->ours) < 0.5; /* bytes are counted, and not measured */
    return d->value >= d->ours / f->factor && d->value <= d->ours * f->factor;
}

/* Other programs on the machine change a time by less than this factor. */
static const double FAR = 3.0;

/* Returns how many times a wrong figure is more, or less, than the lab's.  What is not measured has no excuse. */
static double distance(const struct figure *f, const struct figured *d)
{
    return isnan(d->value) || f->each > 0.0 || !(d->value > 0.0) ? INFINITY
                                                                  : fmax(d->value / d->ours, d->ours / d->value);
}

/* Tells the first wrong figure that is far off, else the one that is furthest: whatever else runs on the machine may change a
   time a little.  Returns it; NULL if none is wrong. */
static const struct figure *judge(const struct exercise *e, struct figured figured[], struct mistake *m)
{
    size_t worst = e->figures;
    double most = 0.0;

    for (size_t i = 0; i < e->figures; i++) {
        const double off = distance(&e->figure[i], &figured[i]);

        figured[i].kept = agrees(&e->figure[i], &figured[i]);
        if (!figured[i].kept && most < FAR && off > most) {
            worst = i;
            most = off;
        }
    }
    if (worst == e->figures)
        return NULL;
    const struct figure *f = &e->figure[worst];
    const struct figured *d = &figured[worst];
    if (isnan(d->value)) {
        mistake_set(m, "no-figure");
        mistake_add(m, "the program has printed no line \"figure %s NUMBER\"", f->name);
    } else if (f->each > 0.0) {
        compare_bytes(e, f, d, m);
    } else {
        compare_times(f, d, m);
    }
    return f;
}

/* Returns whether a time is wrong by less than other programs on the machine can do.  More rounds then tell. */
static bool is_close(const struct exercise *e, const struct figured figured[])
{
    bool close = false;

    for (size_t i = 0; i < e->figures; i++)
        if (!agrees(&e->figure[i], &figured[i])) {
            if (distance(&e->figure[i], &figured[i]) >= FAR)
                return false;
            close = true;
        }
    return close;
}

bool figures_look(const struct exercise *e, const char *program, struct figured figured[], struct mistake *m,
                  struct error *error)
{
    static char prints[1 << 14], ignored[1 << 14]; /* if they name a cause, more rounds are not needed */
    bool good = true;

    for (size_t i = 0; i < e->figures; i++)
        figured[i] = (struct figured){NAN, NAN, false};
    for (int round = 0; good && (round < ROUNDS || (round < MOST_ROUNDS && is_close(e, figured) && strstr(prints, "\ncause ") == NULL && strstr(prints, "\nmistake ") == NULL)); round++) {
        double seconds = NAN;
        good = run_once(e, program, e->full, round == 0, prints, sizeof prints, &seconds, error);
        for (size_t i = 0; good && i < e->figures; i++) {
            const struct figure *f = &e->figure[i];
            const struct card *other = registry_find(f->of);
            double ours = f->each > 0.0 ? f->each * (double)e->counted.dims[0] : seconds;
            figured[i].value = fmin(figured[i].value, find_figure(prints, f->name)); /* NaN counts as missing */
            if (other != NULL)
                good = run_once(e, other->file, f->of, false, ignored, sizeof ignored, &ours, error);
            figured[i].ours = fmin(figured[i].ours, ours);
        }
    }
    if (good)
        find_mistake(e, judge(e, figured, m), prints, m);
    return good;
}
