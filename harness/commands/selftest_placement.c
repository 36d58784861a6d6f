/*
 * rungs selftest placement: times the same code at several distances from the start of its section.
 *
 * The speed of a loop can depend on its address (T. Mytkowicz et al., "Producing Wrong Data Without
 * Doing Anything Obviously Wrong!", ASPLOS 2009).  The code of a variant is aligned in a shared object of
 * its own, so that no other file moves it.  This test shows whether that is enough.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/home.h"
#include "harness/base/terminal.h"
#include "harness/commands/select.h"
#include "harness/commands/selftest.h"
#include "harness/model/registry.h"
#include "harness/table/grid.h"

/* Bytes in front of the code, within a page and beyond it.  No two agree in the address bits that
   select a set of a cache or a branch predictor. */
static const int offsets[] = {0, 16, 64, 192, 448, 1216, 2752, 4160};

enum { LAYOUTS = sizeof offsets / sizeof *offsets };

/* The largest share by which a time may depend on the layout. */
static const double ALLOWED = 0.02;

/* --- building --------------------------------------------------------------------------------- */

static char folder[] = "/tmp/rungs-placement-XXXXXX";

static bool write_pad(int bytes, struct error *error)
{
    char path[64];

    snprintf(path, sizeof path, "%s/%d.s", folder, bytes);
    FILE *f = fopen(path, "we");
    if (f == NULL)
        return error_set(error, "%s: %s", path, strerror(errno));
    fprintf(f, ".text\n.p2align 6\n");
    if (bytes > 0)
        fprintf(f, ".skip %d, 0x90\n", bytes);
    fprintf(f, ".section .note.GNU-stack,\"\",@progbits\n");
    return fclose(f) == 0 || error_set(error, "%s: %s", path, strerror(errno));
}

/* Builds by the rules of `rungs build`.  The pad is among the flags, so it is linked before the source. */
static bool make_layout(const char *source, const char *card, int bytes, struct error *error)
{
    char flags[PATH_MAX + 64], makefile[PATH_MAX];
    const char *slash = strrchr(source, '/');
    int status;

    snprintf(flags, sizeof flags, "CFLAGS=-iquote %.*s %s/%d.s", (int)(slash - source), source, folder,
             bytes);
    snprintf(makefile, sizeof makefile, "%s", home_file("variant.mk"));
    const pid_t child = fork();
    if (child == 0) {
        unsetenv("MAKEFLAGS"); /* rungs may itself run under make */
        execlp("make", "make", "-s", "-f", makefile, flags, card, (char *)NULL);
        _exit(127);
    }
    return (child > 0 && waitpid(child, &status, 0) == child && status == 0) ||
           error_set(error, "%s: the build in another layout failed", source);
}

static bool build_layouts(const struct card *v, struct error *error)
{
    char source[PATH_MAX], path[PATH_MAX], card[PATH_MAX];

    if (realpath(v->source, source) == NULL)
        return error_set(error, "%s: its source %s is missing; start rungs in the folder where it was built",
                         v->name.full, v->source);
    snprintf(path, sizeof path, "%s/%s", folder, v->name.problem);
    mkdir(path, 0777);
    for (int i = 0; i < LAYOUTS; i++) {
        snprintf(path, sizeof path, "%s/%s+%d.c", folder, v->name.full, offsets[i]);
        snprintf(card, sizeof card, "%s/%s+%d.card", folder, v->name.full, offsets[i]);
        if (symlink(source, path) != 0)
            return error_set(error, "%s: %s", path, strerror(errno));
        if (!write_pad(offsets[i], error) || !make_layout(source, card, offsets[i], error))
            return false;
    }
    return true;
}

static void remove_folder(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "rungs: cannot remove %s\n", folder);
}

/* --- results ---------------------------------------------------------------------------------- */

struct placement {
    enum format format;
    bool begun;
    size_t tables;
    double worst;
};

enum { C_VARIANT, C_LABEL, C_LEAST, C_MOST, C_SPREAD };

static void start_grid(struct grid *g, const struct result *r)
{
    static const struct grid_column columns[] = {
        [C_VARIANT] = {"variant", "variant", .left = true},
        [C_LABEL] = {.name = "label"},
        [C_LEAST] = {.heading = "fastest layout", .name = "least_s"},
        [C_MOST] = {.heading = "slowest layout", .name = "most_s"},
        [C_SPREAD] = {.heading = "difference", .name = "spread"},
    };
    char size[128];

    result_size(r, size, sizeof size);
    grid_start(g);
    grid_columns(g, columns, sizeof columns / sizeof *columns);
    grid_caption(g, "%s   %s: %s   %d layouts", r->problem, r->label, size, LAYOUTS);
}

static size_t stem(const struct result *r)
{
    return strcspn(r->variant, "+");
}

/* Finds the shortest and the longest time of one variant's layouts, in seconds; returns their number. */
static size_t take_layouts(struct result *const results[], size_t count, double *least, double *most)
{
    size_t n = 0;

    *least = INFINITY;
    *most = 0.0;
    for (; n < count && stem(results[n]) == stem(results[0]) &&
           strncmp(results[n]->variant, results[0]->variant, stem(results[0])) == 0; n++) {
        const double time = series_median(&results[n]->time[PHASE_E2E]);
        if (!result_timed(results[n]))
            continue;
        *least = fmin(*least, time);
        *most = fmax(*most, time);
    }
    return n;
}

static bool report(void *context, struct result *const results[], size_t count,
                   struct record *record, struct error *error)
{
    struct placement *p = context;
    struct grid g;
    double least, most;
    bool written = true;

    start_grid(&g, results[0]);
    for (size_t i = 0; i < count && written;) {
        const struct result *r = results[i];
        i += take_layouts(results + i, count - i, &least, &most);
        grid_row(&g);
        grid_set(&g, C_VARIANT, "%.*s", (int)stem(r), r->variant);
        grid_set(&g, C_LABEL, "%s", r->label);
        if (!(most > 0.0)) {
            grid_rest(&g, r->fate.reason);
            continue;
        }
        const double spread = most / least - 1.0;
        p->worst = fmax(p->worst, spread);
        p->tables++;
        grid_duration(&g, C_LEAST, least);
        grid_duration(&g, C_MOST, most);
        grid_number(&g, C_SPREAD, spread);
        grid_set(&g, C_SPREAD, "%.1f %%", 100.0 * spread);
        json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s%, s:i, s:f, s:f, s:f}", "record", "selftest",
                                   "test", "placement", "problem", r->problem, "label", r->label,
                                   "variant", r->variant, stem(r), "layouts", (int)LAYOUTS, "least_s",
                                   least, "most_s", most, "spread", spread);
        g.rows[g.count - 1].record = json_incref(object);
        written = record_object(record, object, error);
    }
    g.continued = p->begun;
    p->begun = true;
    grid_print(&g, p->format, stdout);
    fflush(stdout);
    grid_free(&g);
    return written;
}

static int finish(void *context, const struct tally *tally, struct record *record)
{
    const struct placement *p = context;
    const int status = tally_status(tally);

    (void)record;
    if (p->format == FORMAT_TABLE || p->format == FORMAT_MARKDOWN)
        terminal_printf(stdout, "Times differ by at most %.1f %% between layouts; %.0f %% are allowed: %s.\n",
                        100.0 * p->worst, 100.0 * ALLOWED, p->worst > ALLOWED ? "FAILED" : "passed");
    if (status != STATUS_OK)
        return status;
    return p->tables == 0 ? STATUS_NOTHING : p->worst > ALLOWED ? STATUS_FAILED : STATUS_OK;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Builds the layouts of the variants that the user names.  Without a name it takes three variants whose
   calls are short. */
static bool choose(const struct options *o, struct options *rest, struct error *error)
{
    static char *const usual[] = {"saxpy/cpu_naive", "stencil/cpu_naive", "fft/cpu_stockham"};
    static char patterns[MAX_WORDS][96];
    const struct card *chosen[MAX_VARIANTS];
    size_t n = 0;

    if (rest->patterns.count == 0)
        for (; rest->patterns.count < sizeof usual / sizeof *usual; rest->patterns.count++)
            rest->patterns.word[rest->patterns.count] = usual[rest->patterns.count];
    const size_t count = select_variants(rest, chosen, MAX_VARIANTS, error);
    if (count == 0 || mkdtemp(folder) == NULL)
        return count > 0 && error_set(error, "%s: %s", folder, strerror(errno));
    for (size_t i = 0; i < count; i++) {
        if (!card_on_cpu(chosen[i]) || n == MAX_WORDS)
            continue;
        if (!build_layouts(chosen[i], error))
            return false;
        snprintf(patterns[n], sizeof patterns[n], "%.90s+*", chosen[i]->name.full);
        rest->patterns.word[n] = patterns[n];
        n++;
    }
    rest->patterns.count = n;
    (void)o;
    return (n > 0 || error_set(error, "none of these variants runs on the CPU")) &&
           registry_load(folder, error) && registry_order(error);
}

int selftest_placement(const struct options *o, struct options *rest)
{
    struct placement p = {.format = o->format};
    const struct bench_kind kind = {.name = "selftest", .report = report, .finish = finish, .context = &p};
    struct error error;

    const int status = choose(o, rest, &error) ? bench_run(rest, &kind) : usage_error(&error);
    remove_folder();
    return status;
}
