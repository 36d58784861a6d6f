/*
 * rungs selftest placement: times the same code at several distances from the start of its section.
 *
 * The speed of a loop can depend on its address (T. Mytkowicz et al., "Producing Wrong Data Without
 * Doing Anything Obviously Wrong!", ASPLOS 2009).  The code of a variant is aligned in a shared object of
 * its own, so that no other file moves it.  This test shows whether that is enough.
 *
 * Two processes with one layout differ as well, because of the pages that they get and of what else the
 * machine does.  So as many copies of the first layout are timed in the same rounds.  A layout counts only
 * if the medians of the layouts vary more than those of the copies (the F test of two variances).
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

/* The 0.99 quantile of F with LAYOUTS - 1 degrees of freedom in both places: six rows of noise fail once in 17 runs. */
static const double F_LIMIT = 6.993;

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

/* Builds NAME+SUFFIX behind a pad, by the rules of `rungs build`.  The pad is among the flags, so it is
   linked before the source. */
static bool make_layout(const char *source, const char *name, const char *suffix, int bytes, struct error *error)
{
    char flags[PATH_MAX + 64], makefile[PATH_MAX], link[PATH_MAX], card[PATH_MAX];
    const char *slash = strrchr(source, '/');
    int status;

    snprintf(link, sizeof link, "%s/%s+%s.c", folder, name, suffix);
    snprintf(card, sizeof card, "%s/%s+%s.card", folder, name, suffix);
    if (symlink(source, link) != 0)
        return error_set(error, "%s: %s", link, strerror(errno));
    if (!write_pad(bytes, error))
        return false;
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
    char source[PATH_MAX], path[PATH_MAX], suffix[16];

    if (realpath(v->source, source) == NULL)
        return error_set(error, "%s: its source %s is missing; start rungs in the folder where it was built",
                         v->name.full, v->source);
    snprintf(path, sizeof path, "%s/%s", folder, v->name.problem);
    mkdir(path, 0777);
    for (int i = 0; i < 2 * LAYOUTS; i++) {
        const int bytes = i < LAYOUTS ? offsets[i] : offsets[0];
        snprintf(suffix, sizeof suffix, i < LAYOUTS ? "%d" : "copy%d", i < LAYOUTS ? bytes : i - LAYOUTS);
        if (!make_layout(source, v->name.full, suffix, bytes, error))
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

/* The medians of eight processes, in seconds. */
struct medians {
    size_t count;
    double least, most;
    double sum, squares; /* of their logarithms */
};

static void add_median(struct medians *m, double seconds)
{
    const double x = log(seconds);

    m->least = m->count > 0 ? fmin(m->least, seconds) : seconds;
    m->most = fmax(m->most, seconds);
    m->sum += x;
    m->squares += x * x;
    m->count++;
}

static double spread(const struct medians *m)
{
    return m->most / m->least - 1.0;
}

static double variance(const struct medians *m)
{
    const double n = (double)m->count;

    return fmax(m->squares - m->sum * m->sum / n, 0.0) / (n - 1.0);
}

enum effect { ALIKE, UNCLEAR, DEPENDS };

static const char *const effects[] = {
    [ALIKE] = "same", [UNCLEAR] = "unresolved", [DEPENDS] = "depends on its layout"};

static enum effect judge(const struct medians *layouts, const struct medians *copies)
{
    if (spread(layouts) <= ALLOWED)
        return ALIKE;
    return variance(layouts) > F_LIMIT * variance(copies) ? DEPENDS : UNCLEAR;
}

struct placement {
    enum format format;
    bool begun;
    size_t found[DEPENDS + 1];
};

enum { C_VARIANT, C_LABEL, C_LEAST, C_MOST, C_LAYOUTS, C_COPIES, C_VERDICT };

static void start_grid(struct grid *g, const struct result *r)
{
    static const struct grid_column columns[] = {
        [C_VARIANT] = {"variant", "variant", .left = true},
        [C_LABEL] = {.name = "label"},
        [C_LEAST] = {.heading = "fastest layout", .name = "least_s"},
        [C_MOST] = {.heading = "slowest layout", .name = "most_s"},
        [C_LAYOUTS] = {.heading = "layouts differ by", .name = "spread"},
        [C_COPIES] = {.heading = "copies differ by", .name = "copies_spread"},
        [C_VERDICT] = {"verdict", "verdict", .left = true},
    };
    char size[128];

    result_size(r, size, sizeof size);
    grid_start(g);
    grid_columns(g, columns, sizeof columns / sizeof *columns);
    grid_caption(g, "%s   %s: %s   %d layouts, %d copies of one", r->problem, r->label, size, LAYOUTS, LAYOUTS);
}

static size_t stem(const struct result *r)
{
    return strcspn(r->variant, "+");
}

/* Takes the medians of one variant's layouts and copies.  Returns how many results these were. */
static size_t take_medians(struct result *const results[], size_t count, struct medians *layouts, struct medians *copies)
{
    size_t n = 0;

    *layouts = *copies = (struct medians){.count = 0};
    for (; n < count && stem(results[n]) == stem(results[0]) &&
           strncmp(results[n]->variant, results[0]->variant, stem(results[0])) == 0; n++)
        if (result_timed(results[n]))
            add_median(results[n]->variant[stem(results[n]) + 1] == 'c' ? copies : layouts,
                       series_median(&results[n]->time[PHASE_E2E]));
    return n;
}

static void set_spread(struct grid *g, size_t column, double value)
{
    grid_number(g, column, value);
    grid_set(g, column, "%.1f %%", 100.0 * value);
}

static bool report(void *context, struct result *const results[], size_t count,
                   struct record *record, struct error *error)
{
    struct placement *p = context;
    struct medians layouts, copies;
    struct grid g;
    bool written = true;

    start_grid(&g, results[0]);
    for (size_t i = 0; i < count && written;) {
        const struct result *r = results[i];
        i += take_medians(results + i, count - i, &layouts, &copies);
        grid_row(&g);
        grid_set(&g, C_VARIANT, "%.*s", (int)stem(r), r->variant);
        grid_set(&g, C_LABEL, "%s", r->label);
        if (layouts.count < LAYOUTS || copies.count < LAYOUTS) {
            grid_rest(&g, r->fate.reason);
            continue;
        }
        const enum effect effect = judge(&layouts, &copies);
        p->found[effect]++;
        grid_duration(&g, C_LEAST, layouts.least);
        grid_duration(&g, C_MOST, layouts.most);
        set_spread(&g, C_LAYOUTS, spread(&layouts));
        set_spread(&g, C_COPIES, spread(&copies));
        grid_set(&g, C_VERDICT, "%s", effects[effect]);
        json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s%, s:i, s:f, s:f, s:f, s:f, s:s}", "record", "selftest",
                                   "test", "placement", "problem", r->problem, "label", r->label,
                                   "variant", r->variant, stem(r), "layouts", (int)LAYOUTS, "least_s",
                                   layouts.least, "most_s", layouts.most, "spread", spread(&layouts),
                                   "copies_spread", spread(&copies), "verdict", effects[effect]);
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
    if (p->format == FORMAT_TABLE || p->format == FORMAT_MARKDOWN) {
        const char *verdict = p->found[DEPENDS] > 0 ? "FAILED" : p->found[UNCLEAR] > 0 ? "not settled" : "passed";
        terminal_printf(stdout, "%zu same within %.0f %%, %zu unresolved, %zu depend on the layout: %s.\n", p->found[ALIKE],
                        100.0 * ALLOWED, p->found[UNCLEAR], p->found[DEPENDS], verdict);
        if (p->found[UNCLEAR] > 0)
            terminal_printf(stdout, "Unresolved: copies of one layout differ as much, so this machine cannot tell; a longer "
                                    "--max-time on an idle one may.\n");
    }
    if (status != STATUS_OK)
        return status;
    return p->found[DEPENDS] > 0 ? STATUS_FAILED : p->found[ALIKE] > 0 ? STATUS_OK : STATUS_NOTHING;
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
