#include "workshop/lab/view_clock.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "workshop/lab/build.h"
#include "workshop/lab/figures.h"

enum { MOST_CALLS = 200, PAIRS_DRAWN = 2, ROWS = 9 /* at most, from one stamp to the next */ };

/* What the benchmark prints in a line "calls NAME": when these returned, n for now, p for put, s for start, w for wait_for_device; and d: the
   device has done what was started. */
struct calls {
    char what[MOST_CALLS];
    double at[MOST_CALLS]; /* seconds since the first */
    int count;
};

/* How far the drawing has come. */
struct drawing {
    int stamps, waiting;       /* stamps so far; jobs that the device has not done yet */
    double first, begun, busy; /* the first stamp of the pair; when the device has begun, and for how long it has worked in the pair */
    int hidden;                /* pairs that are not drawn, with the least and the greatest of their times */
    double least, most;
    int rows; /* since the last stamp */
};

static bool read_calls(const char *prints, const char *name, struct calls *c)
{
    char begin[48];

    c->count = 0;
    snprintf(begin, sizeof begin, "calls %s ", name);
    const char *at = strstr(prints, begin);
    if (at == NULL)
        return false;
    at += strlen(begin);
    while (c->count < MOST_CALLS && strchr("npswd", *at) != NULL && *at != '\0') {
        char *end;
        c->what[c->count] = *at;
        c->at[c->count++] = strtod(at + 1, &end);
        at = end + strspn(end, " ");
    }
    return c->count > 0;
}

static void draw_time(double seconds)
{
    char number[24];

    describe_duration(seconds, number, sizeof number);
    printf("%11s  ", number);
}

/* Counts the device's work up to this moment as the pair's. */
static void count_work(struct drawing *d, double now)
{
    if (d->waiting > 0)
        d->busy += now - fmax(d->begun, d->first);
    d->begun = now;
}

/* The left part of a row. */
static void draw_row(double at, const char *call, const char *between)
{
    draw_time(at);
    printf("%-*s%s", between[0] != '\0' ? 20 : 0, call, between);
}

static void draw_rest(struct drawing *d)
{
    if (d->rows > ROWS)
        printf("        ...  %d more\n", d->rows - ROWS);
    d->rows = 0;
}

static void draw_stamp(struct drawing *d, double at, bool device, bool drawn)
{
    const bool second = d->stamps++ % 2 == 1;
    char apart[24], busy[24];

    if (!second) {
        d->first = d->begun = at;
        d->busy = 0.0;
    } else {
        count_work(d, at);
    }
    if (!drawn) {
        d->hidden += second;
        d->least = second ? fmin(d->least, at - d->first) : d->least;
        d->most = second ? fmax(d->most, at - d->first) : d->most;
        return;
    }
    draw_rest(d);
    draw_row(at, "now()", "--+ ");
    if (!second) {
        printf("the first stamp of pair %d\n", d->stamps / 2 + 1);
        return;
    }
    describe_duration(at - d->first, apart, sizeof apart);
    describe_duration(d->busy, busy, sizeof busy);
    printf("the second one, %s later", apart);
    if (device)
        printf("; the device has worked for %s of it", busy);
    printf("\n");
}

static void draw_call(struct drawing *d, char what, double at, bool drawn)
{
    static const struct {
        char what;
        const char *call, *device;
    } rows[] = {{'p', "put()", ""}, {'s', "start()", " the device begins"}, {'w', "wait_for_device()", ""}, {'d', "", " the device is done"}};

    if (what == 's' && d->waiting++ == 0)
        d->begun = at;
    if (what == 'd') {
        count_work(d, at);
        d->waiting--;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (drawn && rows[i].what == what && d->rows++ < ROWS) {
            draw_row(at, rows[i].call, d->stamps % 2 == 1 ? "  |" : rows[i].device[0] != '\0' ? "   " : "");
            printf("%s\n", what == 's' && d->waiting > 1 ? " queued behind others" : rows[i].device);
        }
}

/* A pair and what stands before it is drawn if it is one of the first; of the others a line tells the times. */
static void draw_function(const char *name, const struct calls *c)
{
    const bool device = memchr(c->what, 's', (size_t)c->count) != NULL;
    struct drawing d = {.least = INFINITY};

    printf("\n%s: when each call has returned\n\n", name);
    for (int i = 0; i < c->count; i++) {
        const bool drawn = d.stamps < 2 * PAIRS_DRAWN;
        if (c->what[i] == 'n')
            draw_stamp(&d, c->at[i], device, drawn);
        else
            draw_call(&d, c->what[i], c->at[i], drawn);
    }
    draw_rest(&d);
    if (d.hidden > 0) {
        char least[24], most[24];
        describe_duration(d.least, least, sizeof least);
        describe_duration(d.most, most, sizeof most);
        printf("        ...  %d more pair%s: %s at least, %s at most\n", d.hidden, d.hidden == 1 ? "" : "s", least, most);
    }
    if (d.stamps == 0)
        printf("  no stamp was taken: now() was not called\n");
    else if (d.stamps % 2 == 1)
        printf("  the last stamp has no second one\n");
}

bool view_clock(const struct exercise *e, struct error *error)
{
    static char said[1 << 14], prints[1 << 14];
    char program[220];
    const char *source = e->source;
    bool drawn = false;

    build_program(source, IN_SIMULATOR, program, sizeof program);
    if (!build_ready(IN_SIMULATOR, error))
        return false;
    if (!build_sources(&source, 1, IN_SIMULATOR, said, sizeof said))
        return error_set(error, "%s does not compile: build-sim/rungs lab run %02d says why", e->source, e->number);
    if (!figures_print(e, program, prints, sizeof prints, error))
        return false;
    printf("%02d %s: what lies between two stamps\n", e->number, e->title);
    for (size_t i = 0; i < e->figures; i++) {
        struct calls c;
        if (!read_calls(prints, e->figure[i].name, &c))
            continue;
        draw_function(e->figure[i].name, &c);
        drawn = true;
    }
    return drawn || error_set(error, "%02d has called nothing that could be drawn", e->number);
}
