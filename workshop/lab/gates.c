#define _GNU_SOURCE
#include "workshop/lab/gates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/worker/confine.h"
#include "workshop/lab/busy.h"
#include "workshop/lab/metrics.h"
#include "workshop/lab/text.h"
#include "workshop/lab/trial.h"

/* --- the line that has most ---------------------------------------------------------------------- */

/* Metrics that are sums over lines: of which space and access (NULL: any), and of which number. */
static const struct {
    const char *metric, *space, *access, *of;
} sums[] = {
    {"load_requests", "global", "load", "requests"}, {"store_requests", "global", "store", "requests"},
    {"load_bytes", "global", "load", "bytes"},       {"load_sectors", "global", "load", "sectors"},
    {"global_sectors", "global", NULL, "sectors"},   {"atomics", "global", "atomic", "requests"},
    {"shared_requests", "shared", NULL, "requests"}, {"shared_passes", "shared", NULL, "wavefronts"},
};

/* What the host may do that spoils a metric, in the order in which it is looked for. */
static const struct {
    const char *metric, *places;
    enum host_reason reason;
} hosts[] = {
    {"overlap", "waits", HOST_WAITS},         {"concurrent", "kernel_waits", HOST_WAITS},
    {"migrations", "touches", HOST_TOUCHES},  {"overlap", "defaults", DEFAULT_STREAM},
};

/* Finds the line in which the host has done that most often, in run. */
static void find_host_line(const struct counted *c, const char *name, enum host_reason reason, struct gated *g)
{
    size_t h = 0;

    while (h < sizeof hosts / sizeof *hosts && (hosts[h].reason != reason || strstr(g->gate->metric, hosts[h].metric) == NULL))
        h++;
    for (size_t i = 0; h < sizeof hosts / sizeof *hosts && metrics_at(c, i) != NULL; i++) {
        const char *phase = json_string_value(json_object_get(metrics_at(c, i), "phase"));
        const json_t *places = json_object_get(metrics_at(c, i), hosts[h].places), *place;
        for (size_t j = 0; phase != NULL && strcmp(phase, "run") == 0 && (place = json_array_get(places, j)) != NULL; j++) {
            const char *at = strrchr(json_string_value(json_object_get(place, "at")), ':');
            if (at == NULL || strstr(json_string_value(json_object_get(place, "at")), name) == NULL || metrics_number(place, "count") <= g->there)
                continue;
            g->there = metrics_number(place, "count");
            g->line = atoi(at + 1);
            g->reason = reason;
        }
    }
}

/* Returns how many copies of run the line makes for memory of another GPU than the one that is set. */
static double copies_elsewhere(const struct counted *c, const char *name, int line)
{
    double count = 0.0;

    for (size_t i = 0; metrics_at(c, i) != NULL; i++) {
        const char *phase = json_string_value(json_object_get(metrics_at(c, i), "phase"));
        const json_t *places = json_object_get(metrics_at(c, i), "elsewhere"), *place;
        for (size_t j = 0; phase != NULL && strcmp(phase, "run") == 0 && (place = json_array_get(places, j)) != NULL; j++) {
            const char *at = json_string_value(json_object_get(place, "at")), *colon = strrchr(at, ':');
            if (colon != NULL && strstr(at, name) != NULL && atoi(colon + 1) == line)
                count += metrics_number(place, "count");
        }
    }
    return count;
}

/* Nothing waits: finds the line that uses a default stream, or else whether all is in one stream. */
static void find_streams(const struct counted *c, const char *name, struct gated *g)
{
    if (strstr(g->gate->metric, "overlap") == NULL)
        return;
    find_host_line(c, name, DEFAULT_STREAM, g);
    for (size_t i = 0; g->reason == NO_REASON && metrics_at(c, i) != NULL; i++) {
        const char *phase = json_string_value(json_object_get(metrics_at(c, i), "phase"));
        if (phase != NULL && strcmp(phase, "run") == 0 && metrics_number(metrics_at(c, i), "streams") == 1.0)
            g->reason = ONE_STREAM;
    }
}

/* Notes the kernel that has the line, and how many warps of a block reach it. */
static void note_kernel(const json_t *kernel, const json_t *place, struct gated *g)
{
    g->by.warps = (int)metrics_number(place, "warps");
    g->by.block = (int)metrics_number(kernel, "block");
    g->by.launches = metrics_number(kernel, "launches");
    g->by.blocks = metrics_number(json_object_get(kernel, "metrics"), "launch__grid_size");
}

/* Finds the line that has most of a sum, and which warps reach it. */
static void find_line(const struct counted *c, struct gated *g)
{
    const json_t *place;
    size_t s = 0;

    while (s < sizeof sums / sizeof *sums && strcmp(sums[s].metric, g->gate->metric) != 0)
        s++;
    for (size_t i = 0; s < sizeof sums / sizeof *sums && metrics_at(c, i) != NULL; i++) {
        const json_t *places = json_object_get(metrics_at(c, i), "lines");
        for (size_t j = 0; (place = json_array_get(places, j)) != NULL; j++) {
            const char *at = strrchr(json_string_value(json_object_get(place, "at")), ':');
            if (at == NULL || !metrics_is_of(place, sums[s].space, sums[s].access))
                continue;
            g->by.accesses += metrics_number(place, "accesses");
            if (metrics_number(place, sums[s].of) <= g->there)
                continue;
            g->there = metrics_number(place, sums[s].of);
            g->line = atoi(at + 1);
            note_kernel(metrics_at(c, i), place, g);
        }
    }
}

const char *gate_words(const char *metric)
{
    static const char *const words[][2] = {
        {"load_sectors_per_request", "sectors per load"},
        {"store_sectors_per_request", "sectors per store"},
        {"sectors_per_request", "sectors per request"},
        {"load_requests", "loads by warps"},
        {"store_requests", "stores by warps"},
        {"load_bytes", "bytes that warps load"},
        {"load_sectors", "sectors loaded"},
        {"floats_per_load", "floats per load of a warp"},
        {"floats_per_store", "floats per store of a warp"},
        {"store_bytes", "bytes that warps store"},
        {"barriers_per_block", "barriers per block"},
        {"shared_passes", "passes of shared memory"},
        {"global_sectors", "sectors loaded and stored"},
        {"shared_passes_per_request", "passes per shared access"},
        {"shared_requests", "accesses to shared memory"},
        {"shared_atomics", "atomics on shared memory"},
        {"copies_in", "copies to the device"},
        {"copies_out", "copies back"},
        {"copies_within", "copies on the device"},
        {"bytes_in", "bytes to the device"},
        {"bytes_out", "bytes back"},
        {"bytes_between", "bytes between GPUs"},
        {"migrations", "pages that moved"},
        {"threads_at_work", "threads at work"},
        {"imbalance", "busiest thread over average"},
        {"overlap_share", "share of copies that can overlap"},
        {"peer_overlap_share", "share of copies between GPUs"},
        {"kernel_overlap_share", "share of kernels that can overlap"},
        {"concurrent_kernel_share", "share of concurrent kernels"},
        {"concurrent_kernels", "kernels at the same time"},
        {"unfinished", "calls not waited for"},
        {"device_at_end", "GPU set at the end"},
        {"atomics", "atomics on global memory"},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], metric) == 0)
            return words[i][1];
    return metric;
}

/* --- the program, counted ------------------------------------------------------------------------- */

static bool read_lines(const char *file, void *counted)
{
    struct counted *c = counted;
    char *line = NULL;
    size_t room = 0;
    FILE *f = fopen(file, "r");

    c->lines = json_array();
    while (f != NULL && getline(&line, &room, f) > 0) {
        json_t *object = json_loads(line, 0, NULL);
        const char *kind = json_string_value(json_object_get(object, "counters"));
        if (kind != NULL)
            json_array_append(c->lines, object);
        json_decref(object);
    }
    free(line);
    if (f != NULL)
        fclose(f);
    return json_array_size(c->lines) > 0;
}

static void set(struct gated *gated, const struct gate *g, double value)
{
    *gated = (struct gated){.gate = g, .value = value, .kept = g->at_most ? value <= g->limit : value >= g->limit};
}

/* For the processor there are no counters of requests; what is compared is the time of its threads. */
static bool look_at_threads(const struct exercise *e, const char *program, struct gated gated[],
                            struct error *error)
{
    struct busy b = {0};

    if (!busy_look(e, program, &b, error))
        return false;
    for (size_t i = 0; i < e->gates; i++)
        set(&gated[i], &e->gate[i],
            strcmp(e->gate[i].metric, "threads_at_work") == 0 ? b.at_work : b.imbalance);
    return true;
}

/* Lets the program write its counters into a file, in a new folder that is the only one it may write to; `use`
   reads the file, if the program is right.  With NULL for the mistake, the file of a wrong program is read, too, if there is one. */
static bool counted_file(const struct exercise *e, const char *program, const char *name,
                         struct mistake *m, bool (*use)(const char *file, void *context),
                         void *context, struct error *error)
{
    char folder[] = "/tmp/rungs-lab-XXXXXX", file[64];
    struct mistake ignored = {.kind = ""};

    if (mkdtemp(folder) == NULL)
        return error_set(error, "/tmp: a folder for the counters cannot be made");
    snprintf(file, sizeof file, "%s/%s", folder, name);
    confine_scratch(folder);
    bool good = trial_count(e, program, file, m != NULL ? m : &ignored, error);
    if (good && (m == NULL || !mistaken(m)) && !use(file, context) && m != NULL)
        good = error_set(error, "the simulator has written no counters");
    unlink(file);
    rmdir(folder);
    return good;
}

/* Counts again as if the host did not wait: in this line, or with 1 anywhere.  Sets which gates are kept then. */
static bool count_without(const struct exercise *e, const char *program, int line, bool kept[], struct error *error)
{
    struct counted c = {NULL};
    struct mistake m = {.kind = ""};
    struct gated without;
    char text[16];

    snprintf(text, sizeof text, "%d", line);
    setenv("RUNGS_SIM_NO_WAITS", text, 1);
    const bool good = counted_file(e, program, "counters.json", &m, read_lines, &c, error);
    unsetenv("RUNGS_SIM_NO_WAITS");
    for (size_t i = 0; i < e->gates; i++) {
        if (good && !mistaken(&m))
            set(&without, &e->gate[i], metrics_value(&c, e->gate[i].metric));
        kept[i] = good && !mistaken(&m) && without.kept;
    }
    json_decref(c.lines);
    return good;
}

/* Sets whether memory is used in no order if the host does not wait in this line. */
static bool is_needed(const struct exercise *e, const char *program, int line, bool *needed, struct error *error)
{
    struct mistake m;
    char text[16];

    snprintf(text, sizeof text, "%d", line);
    setenv("RUNGS_SIM_NO_WAITS", text, 1);
    const bool good = trial_blocking(e, program, &e->counted, "2", &m, error);
    unsetenv("RUNGS_SIM_NO_WAITS");
    *needed = mistaken(&m);
    return good;
}

/* A line in which the host waits. */
struct wait {
    int line;
    double times;
};

static int compare_times(const void *a, const void *b)
{
    const struct wait *x = a, *y = b;

    return (x->times < y->times) - (x->times > y->times);
}

/* Lists the lines in which the host waits in run, those first in which it waits most often; returns how many. */
static size_t waiting_lines(const struct counted *c, const char *name, struct wait list[], size_t most)
{
    size_t count = 0;

    for (size_t i = 0; metrics_at(c, i) != NULL; i++) {
        const char *phase = json_string_value(json_object_get(metrics_at(c, i), "phase"));
        const json_t *places = json_object_get(metrics_at(c, i), "waits"), *place;
        for (size_t j = 0; phase != NULL && strcmp(phase, "run") == 0 && (place = json_array_get(places, j)) != NULL && count < most; j++) {
            const char *at = json_string_value(json_object_get(place, "at")), *colon = strrchr(at, ':');
            if (colon != NULL && strstr(at, name) != NULL)
                list[count++] = (struct wait){atoi(colon + 1), metrics_number(place, "count")};
        }
    }
    qsort(list, count, sizeof *list, compare_times);
    return count;
}

/* If the host waits in several lines, finds the one without which a gate is kept, and whose wait no result needs. */
static bool find_wait(const struct exercise *e, const char *program, const struct counted *c, const char *name, struct gated gated[],
                      struct error *error)
{
    enum { MOST = 16, TRIED = 4 };
    bool kept[sizeof e->gate / sizeof *e->gate], needed = true, good = true;
    struct wait list[MOST] = {{0, 0.0}};
    const size_t count = waiting_lines(c, name, list, MOST);

    for (size_t n = 0; count > 1 && good && needed && n < count && n < TRIED; n++) {
        bool helps = false;
        good = count_without(e, program, list[n].line, kept, error);
        for (size_t i = 0; good && i < e->gates; i++)
            helps = helps || (gated[i].reason == HOST_WAITS && kept[i]);
        good = good && (!helps || is_needed(e, program, list[n].line, &needed, error));
        for (size_t i = 0; good && helps && !needed && i < e->gates; i++)
            if (gated[i].reason == HOST_WAITS && kept[i]) {
                gated[i].line = list[n].line;
                gated[i].there = list[n].times;
            }
    }
    return good;
}

/* Counts again as if the host waited for nothing.  A gate that is not kept then either has another cause. */
static bool look_without_waits(const struct exercise *e, const char *program, const struct counted *c, const char *name, struct gated gated[],
                               struct error *error)
{
    bool kept[sizeof e->gate / sizeof *e->gate], needed = false;

    for (size_t i = 0; i < e->gates; i++)
        needed = needed || gated[i].reason == HOST_WAITS;
    if (!needed)
        return true;
    if (!count_without(e, program, 1, kept, error))
        return false;
    needed = false;
    for (size_t i = 0; i < e->gates; i++) {
        if (gated[i].reason == HOST_WAITS && !kept[i])
            set(&gated[i], &e->gate[i], gated[i].value);
        needed = needed || gated[i].reason == HOST_WAITS;
    }
    return !needed || find_wait(e, program, c, name, gated, error);
}

bool gates_look(const struct exercise *e, const char *program, struct gated gated[],
                struct mistake *m, struct error *error)
{
    const char *name = strrchr(e->source, '/') + 1;
    struct counted c = {NULL};

    if (!e->cuda)
        return look_at_threads(e, program, gated, error);
    bool good = counted_file(e, program, "counters.json", m, read_lines, &c, error);
    for (size_t i = 0; good && !mistaken(m) && i < e->gates; i++) {
        set(&gated[i], &e->gate[i], metrics_value(&c, e->gate[i].metric));
        gated[i].reads = metrics_line_sum(&c, "shared", "load", "requests");
        gated[i].threads = metrics_value(&c, "threads");
        if (!gated[i].kept && gated[i].gate->at_most)
            find_line(&c, &gated[i]);
        if (!gated[i].kept)
            find_host_line(&c, name, HOST_WAITS, &gated[i]);
        if (!gated[i].kept)
            find_host_line(&c, name, HOST_TOUCHES, &gated[i]);
    }
    good = good && (mistaken(m) || look_without_waits(e, program, &c, name, gated, error));
    for (size_t i = 0; good && !mistaken(m) && i < e->gates; i++) {
        if (!gated[i].kept && gated[i].reason == NO_REASON)
            find_streams(&c, name, &gated[i]);
        if (gated[i].reason == HOST_WAITS)
            gated[i].elsewhere = copies_elsewhere(&c, name, gated[i].line);
    }
    json_decref(c.lines);
    return good;
}

bool gates_of_wrong(const struct exercise *e, const char *program, const char *metric, double *value, struct error *error)
{
    struct counted c = {NULL};

    *value = NAN;
    if (!counted_file(e, program, "counters.json", NULL, read_lines, &c, error))
        return false;
    if (c.lines != NULL)
        *value = metrics_value(&c, metric);
    json_decref(c.lines);
    return true;
}

bool gates_bytes(const struct exercise *e, const char *program, double *bytes, struct error *error)
{
    enum { SECTOR = 32 };
    struct counted c = {NULL};
    struct mistake m = {.kind = ""};
    bool good = counted_file(e, program, "counters.json", &m, read_lines, &c, error);

    if (good && mistaken(&m))
        good = error_set(error, "%s", m.kind);
    if (good)
        *bytes = SECTOR * metrics_line_sum(&c, "global", NULL, "sectors") + metrics_flow_sum(&c, "copies", NULL, "bytes") +
                 metrics_flow_sum(&c, "migrations", NULL, "bytes");
    json_decref(c.lines);
    return good;
}

/* --- a table ---------------------------------------------------------------------------------- */

enum { MOST_COLUMNS = 8 };

/* A column: a kernel's counters, and whose it is. */
struct column {
    struct counted c;
    const char *whose;
};

/* Adds a column for each kernel that was counted. */
static size_t add_columns(const struct counted *c, const char *whose, struct column columns[], size_t count)
{
    for (size_t i = 0; metrics_at(c, i) != NULL && count < MOST_COLUMNS; i++) {
        if (json_object_get(metrics_at(c, i), "kernel") == NULL)
            continue;
        columns[count].c.lines = json_pack("[O]", metrics_at(c, i));
        columns[count++].whose = whose;
    }
    return count;
}

static void print_columns(const struct column columns[], size_t count)
{
    static const char *const rows[] = {"launches", "threads", "load_requests", "load_bytes", "load_sectors",
                                       "load_sectors_per_request", "store_requests", "store_sectors_per_request",
                                       "atomics", "shared_requests", "shared_passes", "barriers"};

    printf("  %-26s", "");
    for (size_t i = 0; i < count; i++)
        printf(" %14.14s", columns[i].whose);
    printf("\n  %-26s", "kernel");
    for (size_t i = 0; i < count; i++)
        printf(" %14.14s", json_string_value(json_object_get(metrics_at(&columns[i].c, 0), "kernel")));
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        printf("\n  %-26s", gate_words(rows[r]));
        for (size_t i = 0; i < count; i++) {
            const double value = metrics_value(&columns[i].c, rows[r]);
            if (isnan(value))
                printf(" %14s", "-");
            else
                printf(" %14.10g", value);
        }
    }
    printf("\n\n");
}

bool gates_table(const struct exercise *e, const char *const programs[], const char *const whose[], size_t count,
                 struct mistake *m, struct error *error)
{
    struct column columns[MOST_COLUMNS];
    size_t kernels = 0;
    bool good = true;

    for (size_t i = 0; good && !mistaken(m) && i < count; i++) {
        struct counted c = {NULL};
        good = counted_file(e, programs[i], "counters.json", m, read_lines, &c, error);
        kernels = good && !mistaken(m) ? add_columns(&c, whose[i], columns, kernels) : kernels;
        json_decref(c.lines);
    }
    if (good && !mistaken(m))
        print_columns(columns, kernels);
    for (size_t i = 0; i < kernels; i++)
        json_decref(columns[i].c.lines);
    return good;
}

/* --- all that was counted -------------------------------------------------------------------------- */

static bool print_file(const char *file, void *unused)
{
    struct error ignored;
    char *text = text_read(file, &ignored);

    (void)unused;
    if (text == NULL)
        return false;
    fputs(text, stdout);
    free(text);
    return true;
}

bool gates_tell(const struct exercise *e, const char *program, struct mistake *m,
                struct error *error)
{
    return counted_file(e, program, "counters.txt", m, print_file, NULL, error);
}
