/* Prints the counters as text, and as JSON Lines for programs, with the names that ncu uses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/trace.h"
#include "harness/sim/traffic.h"

static const char *path; /* the file; "1": standard error */

void sim_counters_start(void)
{
    path = getenv("RUNGS_SIM_COUNTERS");
}

/* --- metrics ---------------------------------------------------------------------------------- */

enum figure { REQUESTS, PARTS, A_REQUEST, BYTES, MORE_THAN_LEAST };

static const struct metric {
    const char *name, *about;
    enum sim_space space;
    enum sim_action action;
    enum figure figure;
} metrics[] = {
#define ON_GLOBAL(op, what, action)                                                                \
    {"l1tex__t_requests_pipe_lsu_mem_global_op_" op ".sum", "global " what ": requests of warps",  \
     GLOBAL, action, REQUESTS},                                                                    \
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_" op ".sum", "sectors of 32 bytes", GLOBAL, action,  \
     PARTS},                                                                                       \
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_" op ".ratio",                   \
     "sectors a request", GLOBAL, action, A_REQUEST},                                              \
    {"smsp__sass_data_bytes_mem_global_op_" op ".sum", "bytes, once a request", GLOBAL,            \
     action, BYTES}
#define ON_SHARED(op, what, action)                                                                \
    {"smsp__sass_inst_executed_op_shared_" op ".sum", "shared " what ": requests of warps",        \
     SHARED, action, REQUESTS},                                                                    \
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" op ".sum", "wavefronts", SHARED, action,     \
     PARTS},                                                                                       \
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" op ".sum",                               \
     "of these, for bank conflicts", SHARED, action, MORE_THAN_LEAST}
    ON_GLOBAL("ld", "loads", LOAD),
    ON_GLOBAL("st", "stores", STORE),
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "global atomics (with _op_red): requests",
     GLOBAL, ATOMIC, REQUESTS},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "sectors of 32 bytes", GLOBAL, ATOMIC,
     PARTS},
    ON_SHARED("ld", "loads", LOAD),
    ON_SHARED("st", "stores", STORE),
    {"smsp__sass_inst_executed_op_shared_atom.sum", "shared atomics: requests of warps", SHARED,
     ATOMIC, REQUESTS},
};
enum { METRICS = sizeof metrics / sizeof *metrics };

static double figure(const struct sim_tally *t, enum figure which)
{
    switch (which) {
    case REQUESTS: return (double)t->requests;
    case PARTS: return (double)t->parts;
    case BYTES: return (double)t->bytes;
    case MORE_THAN_LEAST: return (double)(t->parts - t->least);
    default: return t->requests > 0 ? (double)t->parts / (double)t->requests : 0.0;
    }
}

static void sum_up(struct sim_tally *sum, const struct sim_tally *t)
{
    sum->requests += t->requests;
    sum->bytes += t->bytes;
    sum->parts += t->parts;
    sum->least += t->least;
    sum->accesses += t->accesses;
    sum->warps |= t->warps;
}

static struct sim_tally all_of(const struct sim_kernel *k, enum sim_space space,
                               enum sim_action action)
{
    struct sim_tally sum = {0};

    for (size_t i = 1; i < k->room; i++)
        if (sim_sites[i].space == space && sim_sites[i].action == action)
            sum_up(&sum, &k->tally[i]);
    return sum;
}

/* --- lines of the text ------------------------------------------------------------------------ */

enum { MAX_LINES = 64, LINES_SHOWN = 6 };

/* One source line: a loop that the compiler has unrolled is several sites. */
struct line {
    struct sim_text at;
    enum sim_space space;
    enum sim_action action;
    struct sim_tally tally;
};

const char *const sim_space_names[] = {"global", "shared", "own", "private"};
const char *const sim_action_names[] = {"load", "store", "atomic"};

static uint64_t excess(const struct sim_tally *t)
{
    return t->parts > t->least ? t->parts - t->least : 0;
}

/* Sorts by excess requests, then by requests. */
static int by_excess(const void *a, const void *b)
{
    const struct sim_tally *x = &((const struct line *)a)->tally;
    const struct sim_tally *y = &((const struct line *)b)->tally;

    if (excess(x) != excess(y))
        return excess(x) < excess(y) ? 1 : -1;
    return (x->parts < y->parts) - (x->parts > y->parts);
}

static size_t lines_of(const struct sim_kernel *k, struct line lines[])
{
    static const void *at[MOST_LINES];
    static struct sim_text text[MOST_LINES];
    static size_t site[MOST_LINES];
    size_t sites = 0, count = 0;

    for (size_t i = 1; i < k->room && sites < MOST_LINES; i++)
        if (k->tally[i].requests > 0) {
            at[sites] = sim_sites[i].at;
            site[sites++] = i;
        }
    sim_lines(at, text, sites);
    for (size_t i = 0; i < sites; i++) {
        const struct sim_site *s = &sim_sites[site[i]];
        size_t n = 0;
        while (n < count && (lines[n].space != s->space || lines[n].action != s->action ||
                             strcmp(lines[n].at.line, text[i].line) != 0))
            n++;
        if (n == MAX_LINES)
            continue;
        if (n == count)
            lines[count++] = (struct line){text[i], s->space, s->action, {0}};
        sum_up(&lines[n].tally, &k->tally[site[i]]);
    }
    qsort(lines, count, sizeof *lines, by_excess);
    return count;
}

/* --- as text ---------------------------------------------------------------------------------- */

static void tell_metric(FILE *out, const char *name, double value, bool whole, const char *about)
{
    fprintf(out, "  %-74s %14.*f  %s\n", name, whole ? 0 : 2, value, about);
}

static void tell_kernel(FILE *out, const struct sim_kernel *k)
{
    static struct line lines[MAX_LINES];

    fprintf(out, "%s%skernel %.*s, %llu launch%s\n", sim_phase_name(k->phase),
            k->phase > 0 ? ": " : "", sim_kernel_length(k), k->name + 1,
            (unsigned long long)k->launches, k->launches == 1 ? "" : "es");
    tell_metric(out, "launch__grid_size", (double)k->blocks, true, "blocks, of all launches");
    tell_metric(out, "launch__thread_count", (double)k->threads, true, "threads");
    if (k->barriers > 0)
        tell_metric(out, "sass__inst_executed_per_opcode, BAR", (double)k->barriers, true,
                    "barriers, of warps");
    for (const struct metric *m = metrics; m < metrics + METRICS; m++) {
        struct sim_tally t = all_of(k, m->space, m->action);
        if (t.requests > 0)
            tell_metric(out, m->name, figure(&t, m->figure), m->figure != A_REQUEST, m->about);
    }
    size_t count = lines_of(k, lines);
    for (size_t i = 0; i < count && i < LINES_SHOWN; i++) {
        const struct sim_tally *t = &lines[i].tally;
        fprintf(out, "  %s: %s %s: %.2f %s a request, %.2f would do; %llu requests\n", lines[i].at.line,
                sim_space_names[lines[i].space], sim_action_names[lines[i].action], figure(t, A_REQUEST),
                lines[i].space == GLOBAL ? "sectors" : "wavefronts",
                (double)(t->least < t->parts ? t->least : t->parts) / (double)t->requests,
                (unsigned long long)t->requests);
    }
}

/* --- as JSON Lines ---------------------------------------------------------------------------- */

static void write_line(FILE *out, const struct line *l, bool first)
{
    fprintf(out,
            "%s{\"at\":\"%s\",\"space\":\"%s\",\"access\":\"%s\",\"requests\":%llu,\"bytes\":%llu,"
            "\"%s\":%llu,\"least\":%llu,\"accesses\":%llu,\"warps\":%d}",
            first ? "" : ",", l->at.line, sim_space_names[l->space], sim_action_names[l->action],
            (unsigned long long)l->tally.requests, (unsigned long long)l->tally.bytes,
            l->space == GLOBAL ? "sectors" : "wavefronts", (unsigned long long)l->tally.parts,
            (unsigned long long)l->tally.least, (unsigned long long)l->tally.accesses, __builtin_popcount(l->tally.warps));
}

static void write_kernel(FILE *out, const struct sim_kernel *k)
{
    static struct line lines[MAX_LINES];

    fprintf(out,
            "{\"counters\":\"kernel\",\"phase\":\"%s\",\"kernel\":\"%.*s\",\"launches\":%llu,"
            "\"barriers\":%llu,\"block\":%u,\"shared\":%zu,\"metrics\":{\"launch__grid_size\":%llu,"
            "\"launch__thread_count\":%llu",
            sim_phase_name(k->phase), sim_kernel_length(k), k->name + 1,
            (unsigned long long)k->launches, (unsigned long long)k->barriers, k->block, k->shared,
            (unsigned long long)k->blocks, (unsigned long long)k->threads);
    for (const struct metric *m = metrics; m < metrics + METRICS; m++) {
        struct sim_tally t = all_of(k, m->space, m->action);
        fprintf(out, ",\"%s\":%.*f", m->name, m->figure == A_REQUEST ? 4 : 0,
                figure(&t, m->figure));
    }
    fputs("},\"lines\":[", out);
    size_t count = lines_of(k, lines);
    for (size_t i = 0; i < count; i++)
        write_line(out, &lines[i], i == 0);
    fputs("]}\n", out);
}

/* --- between host and devices ----------------------------------------------------------------- */

/* The names that nsys uses. */
static const char *const directions[DIRECTIONS] = {"HtoD", "DtoH", "DtoD", "PtoP", "HtoH"};

static uint64_t bytes_of(const struct sim_flow flows[])
{
    uint64_t bytes = 0;

    for (int d = 0; d < DIRECTIONS; d++)
        bytes += flows[d].bytes;
    return bytes;
}

static void tell_flow(FILE *out, const char *what, const char *direction, struct sim_flow f)
{
    if (f.count > 0)
        fprintf(out, "  %-24s %s %14llu, of %llu bytes in all\n", what, direction,
                (unsigned long long)f.count, (unsigned long long)f.bytes);
}

static void tell_traffic(FILE *out, int phase)
{
    const struct sim_traffic *t = &sim_traffic[phase];

    if (bytes_of(t->copies) + bytes_of(t->migrated) + bytes_of(t->prefetched) + t->sets.bytes == 0)
        return;
    fprintf(out, "%s%sbetween host and devices\n", sim_phase_name(phase), phase > 0 ? ": " : "");
    for (int d = 0; d < DIRECTIONS; d++)
        tell_flow(out, "copies", directions[d], t->copies[d]);
    if (bytes_of(t->copies) > 0)
        fprintf(out, "  copies that may overlap something: %llu of %llu bytes\n",
                (unsigned long long)sim_overlapping(phase),
                (unsigned long long)bytes_of(t->copies));
    if (t->copies[PTOP].bytes > 0)
        fprintf(out, "  copies between devices that may overlap a kernel: %llu of %llu bytes\n",
                (unsigned long long)sim_overlapping_peers(phase), (unsigned long long)t->copies[PTOP].bytes);
    if (t->device > 0)
        fprintf(out, "  device that is set at the end: %d\n", t->device);
    if (t->unfinished > 0)
        fprintf(out, "  launches and copies that nothing has waited for at the end: %u\n", t->unfinished);
    tell_flow(out, "memory sets", "    ", t->sets);
    for (int d = 0; d < DIRECTIONS; d++)
        tell_flow(out, "migrations (64 KiB)", directions[d], t->migrated[d]);
    for (int d = 0; d < DIRECTIONS; d++)
        tell_flow(out, "prefetched (64 KiB)", directions[d], t->prefetched[d]);
}

static void write_flow(FILE *out, const char *name, struct sim_flow f, bool first)
{
    fprintf(out, "%s\"%s\":{\"count\":%llu,\"bytes\":%llu}", first ? "" : ",", name,
            (unsigned long long)f.count, (unsigned long long)f.bytes);
}

static void write_flows(FILE *out, const char *name, const struct sim_flow flows[])
{
    fprintf(out, ",\"%s\":{", name);
    for (int d = 0; d < DIRECTIONS; d++)
        write_flow(out, directions[d], flows[d], d == 0);
    fputs("}", out);
}

static void write_traffic(FILE *out, int phase)
{
    const struct sim_traffic *t = &sim_traffic[phase];

    if (bytes_of(t->copies) + bytes_of(t->migrated) + bytes_of(t->prefetched) + t->sets.bytes == 0)
        return;
    fprintf(out, "{\"counters\":\"traffic\",\"phase\":\"%s\"", sim_phase_name(phase));
    write_flows(out, "copies", t->copies);
    fprintf(out,
            ",\"overlapping_bytes\":%llu,\"overlapping_kernels\":%llu,\"concurrent_kernels\":%llu,"
            "\"overlapping_peer_bytes\":%llu,\"streams\":%u,\"unfinished\":%u,\"device\":%d,",
            (unsigned long long)sim_overlapping(phase), (unsigned long long)sim_overlapping_kernels(phase),
            (unsigned long long)sim_concurrent_kernels(phase), (unsigned long long)sim_overlapping_peers(phase),
            sim_streams_used(phase), t->unfinished, t->device);
    write_flow(out, "sets", t->sets, true);
    sim_places_write(out, phase);
    write_flows(out, "migrations", t->migrated);
    write_flows(out, "prefetches", t->prefetched);
    fputs("}\n", out);
}

/* --- to where --------------------------------------------------------------------------------- */

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), of_end = strlen(end);

    return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

static void report(FILE *out, bool json)
{
    for (int phase = 0; phase < MAX_PHASES && sim_phase_name(phase) != NULL; phase++) {
        for (const struct sim_kernel *k = sim_kernels; k != NULL; k = k->next)
            if (k->launches > 0 && k->phase == phase)
                (json ? write_kernel : tell_kernel)(out, k);
        (json ? write_traffic : tell_traffic)(out, phase);
    }
}

/* Appends counters and trace to the trace's file. */
static void report_trace(FILE *out)
{
    report(out, true);
    for (const struct sim_kernel *k = sim_kernels; k != NULL; k = k->next)
        if (k->launches > 0)
            sim_story_write(out, k);
    sim_overlap_write(out);
    fclose(out);
}

void sim_counters_report(void)
{
    FILE *trace, *out;

    if ((sim_watching & WATCH_REQUESTS) == 0)
        return;
    trace = sim_trace_open(false);
    if (trace != NULL)
        report_trace(trace);
    if (path != NULL) {
        out = strcmp(path, "1") == 0 ? stderr : fopen(path, "a");
        if (out == NULL) {
            fprintf(stderr, "RUNGS_SIM_COUNTERS: cannot write to %s\n", path);
            return;
        }
        report(out, ends_in(path, ".json") || ends_in(path, ".jsonl"));
        if (out != stderr)
            fclose(out);
    }
    sim_forget_phases(0);
}
