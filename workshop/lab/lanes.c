#define _GNU_SOURCE
#include "workshop/lab/lanes.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/worker/confine.h"
#include "workshop/lab/own_lines.h"
#include "workshop/lab/text.h"
#include "workshop/lab/trial.h"

enum { WARP = 32, BANKS = 32, LEAST = 4 /* lanes that show how far apart they are */ };

static const struct {
    const char *metric, *space, *access; /* NULL: any access */
} watched[] = {
    {"shared_passes_per_request", "shared", NULL},
    {"load_sectors_per_request", "global", "load"},
    {"store_sectors_per_request", "global", "store"},
    {"sectors_per_request", "global", NULL},
};

/* A request of a warp: which elements of which array. */
struct request {
    char array[48]; /* "": not known */
    int line;
    bool shared, writes;
    size_t lanes;
    long lane[WARP], element[WARP], count; /* how many the array has */
    double parts, excess;
    long blocks, threads, high;            /* of the launch in x; of a block in x, and in y */
    bool runs;                             /* a thread that has written goes on to the element beside */
};

/* --- reading ---------------------------------------------------------------------------------- */

static double number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text != NULL ? text : "";
}

static int line_of(const char *place)
{
    const char *colon = strrchr(place, ':');

    return colon != NULL ? atoi(colon + 1) : 0;
}

static void read_request(const struct exercise *e, const json_t *o, struct request *r)
{
    const json_t *array = json_object_get(o, "array"), *offsets = json_object_get(o, "offsets");
    const double bytes = number(o, "bytes");

    r->line = line_of(text_of(o, "at"));
    r->shared = strcmp(text_of(o, "space"), "shared") == 0;
    r->writes = strcmp(text_of(o, "access"), "store") == 0;
    r->parts = number(o, "parts");
    r->excess = r->parts - number(o, "least");
    r->count = (long)(number(array, "bytes") / bytes);
    snprintf(r->array, sizeof r->array, "%s", text_of(array, "name"));
    if (r->array[0] == '\0')
        own_lines_array(e, line_of(text_of(array, "made")), r->array, sizeof r->array);
    r->lanes = json_array_size(offsets) < WARP ? json_array_size(offsets) : WARP;
    for (size_t i = 0; i < r->lanes; i++) {
        r->lane[i] = (long)json_number_value(json_array_get(json_object_get(o, "lanes"), i));
        r->element[i] = (long)(json_number_value(json_array_get(offsets, i)) / bytes);
    }
}

/* Finds the request that wastes most. */
static bool find_request(const char *path, const struct exercise *e, size_t which, struct request *worst)
{
    char *line = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "r");
    bool of_run = false, found = false, runs = false;
    struct request store = {.line = 0}; /* the last one */
    long blocks = 0, threads = 0, high = 0;

    while (f != NULL && getline(&line, &room, f) > 0) {
        json_t *o = json_loads(line, 0, NULL);
        struct request r = {.line = 0};
        if (strcmp(text_of(o, "trace"), "warp") == 0) {
            of_run = strcmp(text_of(o, "phase"), "run") == 0;
            blocks = (long)json_number_value(json_array_get(json_object_get(o, "grid"), 0));
            threads = (long)json_number_value(json_array_get(json_object_get(o, "shape"), 0));
            high = (long)json_number_value(json_array_get(json_object_get(o, "shape"), 1));
        }
        const bool request = of_run && strcmp(text_of(o, "trace"), "request") == 0 && number(o, "bytes") > 0.0;
        if (request)
            read_request(e, o, &r);
        const bool is = request && r.lanes >= LEAST && strcmp(text_of(o, "space"), watched[which].space) == 0 &&
                        (watched[which].access == NULL || strcmp(text_of(o, "access"), watched[which].access) == 0);
        if (request && r.writes && !r.shared) {
            runs = runs || (store.line == r.line && store.lane[0] == r.lane[0] && r.element[0] == store.element[0] + 1);
            store = r;
        }
        if (is && (!found || r.excess > worst->excess)) {
            *worst = r;
            worst->blocks = blocks;
            worst->threads = threads;
            worst->high = high;
            found = true;
        }
        json_decref(o);
    }
    free(line);
    if (f != NULL)
        fclose(f);
    worst->runs = runs;
    return found && worst->excess > 0.0 && worst->array[0] != '\0';
}

/* --- telling ---------------------------------------------------------------------------------- */

/* Returns how many of the lanes, from the first one on, follow each other with the same distance between their elements. */
static size_t even_lanes(const struct request *r)
{
    size_t n = 1;

    while (n < r->lanes && r->lane[n] == r->lane[n - 1] + 1 && r->element[n] - r->element[n - 1] == r->element[1] - r->element[0])
        n++;
    return n;
}

/* Returns whether the array is declared with one length only, so that the program computes the index by itself. */
static bool is_flat(const struct exercise *e, const char *array)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), word[64];
    const char *at;

    snprintf(word, sizeof word, "%s[", array);
    at = text != NULL ? strstr(text, "__shared__") : NULL;
    at = at != NULL ? strstr(at, word) : NULL;
    at = at != NULL ? strchr(at, ']') : NULL;
    const bool flat = at != NULL && at[1] != '[';
    free(text);
    return flat;
}

/* How long a row is, and how long it could be. */
static void tell_rows(const struct exercise *e, const struct request *r, long step, struct mistake *m)
{
    const long room = r->count / WARP;

    mistake_add(m, "so neighbouring lanes are %ld floats apart, and %.0f of %d lanes want the same bank", step, r->parts, WARP);
    if (step % BANKS == 0 && r->count % WARP == 0 && room > step && is_flat(e, r->array))
        mistake_add(m, "%s has %ld floats, which is room for rows of %ld; the index puts them %ld apart, so the padding is not used", r->array,
                    r->count, room, step);
    else if (step % BANKS == 0 && r->count % WARP == 0 && room > step)
        mistake_add(m, "%s has %ld floats, which is room for rows of %ld, but its rows are %ld long: the last length in the declaration is that of "
                       "a row", r->array, r->count, room, step);
    else if (step % BANKS == 0)
        mistake_add(m, step == BANKS ? "%s has %ld floats, and rows of %ld: there is no padding"
                                     : "%s has %ld floats, and rows of %ld: that is a multiple of %d again", r->array, r->count, step, BANKS);
    else if (step % 2 == 0)
        mistake_add(m, "rows of %ld floats begin %ld banks apart; only an odd length uses all banks", step, step % BANKS);
}

/* Which pixels or elements lanes use that do not lie side by side. */
static void tell_step(const struct exercise *e, const struct request *r, long step, struct mistake *m)
{
    const bool image = strcmp(e->problem->axes[0], "rows") == 0;
    const long cols = image ? (long)e->counted.dims[1] : 0;

    if (image && step > 0 && step % cols == 0)
        mistake_add(m, "so neighbouring lanes have pixels of the same column: each is %ld row%s below that of the lane before", step / cols,
                    step == cols ? "" : "s");
    else if (step > 1)
        mistake_add(m, "so neighbouring lanes are %ld elements apart%s", step,
                    step == r->blocks && r->blocks > 1              ? ", which is the number of blocks"
                    : step * WARP == r->threads && r->threads > WARP ? ", which is the number of warps in a block"
                                                                     : "");
    if (r->runs)
        mistake_add(m, "and each thread goes on to the element beside: it has a run of adjacent elements");
}

/* The first two lanes whose elements lie in the same bank. */
static void tell_pair(const struct request *r, struct mistake *m)
{
    for (size_t b = 1; b < r->lanes; b++)
        for (size_t a = 0; a < b; a++)
            if (r->element[a] != r->element[b] && r->element[a] % BANKS == r->element[b] % BANKS) {
                mistake_add(m, "lanes %ld and %ld want elements %ld and %ld: both are of bank %ld", r->lane[a], r->lane[b], r->element[a], r->element[b],
                            r->element[a] % BANKS);
                return;
            }
}

static void tell(const struct exercise *e, const struct request *r, struct mistake *m)
{
    const long step = r->element[1] - r->element[0];
    const size_t even = even_lanes(r);

    if (even < 2)
        return;
    mistake_add(m, "line %d: lanes %ld, %ld and %ld of a warp %s elements %ld, %ld and %ld of %s", r->line, r->lane[0], r->lane[1], r->lane[2],
                r->writes ? "write" : "read", r->element[0], r->element[1], r->element[2], r->array);
    if (r->shared && step > 1 && even == WARP)
        tell_rows(e, r, step, m);
    else if (r->shared)
        tell_pair(r, m);
    else if (!r->shared && step != 1)
        tell_step(e, r, step, m);
    else if (!r->shared && even < r->lanes && r->lane[even] == r->lane[even - 1] + 1)
        mistake_add(m, "lanes %ld to %ld are side by side, and lane %ld is %ld elements further on", r->lane[0], r->lane[even - 1], r->lane[even],
                    r->element[even] - r->element[even - 1]);
    if (!r->shared && r->high > 1)
        mistake_add(m, "a block is %ld thread%s wide (x) and %ld high (y)", r->threads, r->threads == 1 ? "" : "s", r->high);
    own_lines_quote(e, r->line, m);
}

/* Finds the request that wastes most.  Returns false with an error if the program could not be run; line 0: there is none. */
static bool find_worst(const struct exercise *e, const char *program, const char *metric, struct request *worst, struct mistake *m, struct error *error)
{
    char folder[] = "/tmp/rungs-lab-XXXXXX", trace[64], counters[64]; /* the program may write in this folder only */
    size_t which = 0;

    worst->line = 0;
    while (which < sizeof watched / sizeof *watched && strcmp(watched[which].metric, metric) != 0)
        which++;
    if (which == sizeof watched / sizeof *watched || mkdtemp(folder) == NULL)
        return true;
    snprintf(trace, sizeof trace, "%s/trace", folder);
    snprintf(counters, sizeof counters, "%s/counters", folder);
    confine_scratch(folder);
    setenv("RUNGS_SIM_TRACE", trace, 1);
    const bool good = trial_count(e, program, counters, m, error);
    unsetenv("RUNGS_SIM_TRACE");
    if (good && !find_request(trace, e, which, worst))
        worst->line = 0;
    unlink(trace);
    unlink(counters);
    rmdir(folder);
    return good;
}

bool lanes_look(const struct exercise *e, const char *program, const char *metric, struct mistake *m, struct error *error)
{
    struct request worst = {.line = 0};
    struct mistake found = {.kind = ""};

    if (!find_worst(e, program, metric, &worst, &found, error))
        return false;
    if (!mistaken(&found) && worst.line > 0)
        tell(e, &worst, m);
    return true;
}

bool lanes_look_apart(const struct exercise *e, const char *program, struct mistake *m, struct error *error)
{
    static const char *const metrics[] = {"shared_passes_per_request", "load_sectors_per_request"};

    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        struct request worst = {.line = 0};
        struct mistake ignored = {.kind = ""};
        if (!find_worst(e, program, metrics[i], &worst, &ignored, error))
            return false;
        const long step = worst.element[1] - worst.element[0];
        if (worst.line == 0 || step < 2 || even_lanes(&worst) < LEAST)
            continue;
        mistake_add(m, "line %d: lanes %ld, %ld and %ld of a warp %s elements %ld, %ld and %ld of %s, which are %ld apart", worst.line, worst.lane[0],
                    worst.lane[1], worst.lane[2], worst.writes ? "write" : "read", worst.element[0], worst.element[1], worst.element[2], worst.array, step);
        own_lines_quote(e, worst.line, m);
        return true;
    }
    return true;
}
