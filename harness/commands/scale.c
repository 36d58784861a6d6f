/* rungs scale: how variants by MPI would scale to more ranks than were measured, by a formula that the measured ones check. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/terminal.h"
#include "harness/base/text.h"
#include "harness/ceilings/ceilings.h"
#include "harness/commands/command.h"
#include "harness/commands/legend_due.h"
#include "harness/plots/forecast.h"
#include "harness/table/forecast.h"

struct scaling {
    size_t count, files;
    struct forecast *list;
    struct records file[MAX_WORDS];
    struct network network;
    char source[600]; /* of alpha and beta */
};

/* --- the network ---------------------------------------------------------------------------------- */

static bool find_in_cache(struct scaling *s, struct error *error)
{
    struct records p;

    ceilings_network(s->source, sizeof s->source);
    if (access(s->source, R_OK) != 0)
        return error_set(error, "alpha and beta of the network are not known: measure them by \"rungs ceilings --ranks 2\", "
                                "or give them, --network alpha=1.5us,beta=12.5GB");
    if (!records_read(s->source, &p, error))
        return false;
    const bool found = network_find(&p, &s->network);
    records_free(&p);
    return found || error_set(error, "%s has no times of messages; measure again with \"rungs ceilings --ranks 2\"", s->source);
}

/* By the option, from the files, or from the user's cache. */
static bool find_network(struct scaling *s, const struct options *o, struct error *error)
{
    if (o->network != NULL) {
        snprintf(s->source, sizeof s->source, "--network");
        return network_parse(o->network, &s->network, error);
    }
    for (size_t i = 0; i < s->files; i++)
        if (network_find(&s->file[i], &s->network)) {
            snprintf(s->source, sizeof s->source, "%s", s->file[i].file);
            return true;
        }
    return find_in_cache(s, error);
}

static void print_network(const struct scaling *s)
{
    const struct network *n = &s->network;
    char alpha[32];

    describe_duration(n->alpha, alpha, sizeof alpha);
    if (n->mpi.hosts == 0)
        terminal_printf(stdout, "Network: alpha %s, beta %.3g GB/s, as given; not measured.\n\n", alpha, n->beta / 1e9);
    else
        terminal_printf(stdout, "Network: alpha %s, beta %.3g GB/s; measured on %d host%s, %s, %s: %s\n%s%s\n", alpha,
                        n->beta / 1e9, n->mpi.hosts, n->mpi.hosts == 1 ? "" : "s", n->mpi.library, n->mpi.transport,
                        s->source,
                        n->mpi.hosts == 1 ? "Both ranks were on one host: beyond it, ~ assumes a network as fast as that.\n" : "",
                        fmax(n->alpha_width, n->beta_width) > 2.0 * FORECAST_OFF
                            ? "Other programs were at work then: alpha and beta have wide intervals. Measure them again.\n"
                            : "");
}

/* --- the curves ----------------------------------------------------------------------------------- */

static void add_curves(struct scaling *s, const struct records *p, bool weak, int most)
{
    for (size_t i = 0; i < p->result_count; i++) {
        if (!forecast_begins(p, &p->results[i], weak))
            continue;
        s->list = realloc(s->list, (s->count + 1) * sizeof *s->list);
        if (s->list == NULL)
            abort();
        forecast_make(&s->list[s->count++], p, &p->results[i], weak, &s->network, most);
    }
}

static bool find_curves(struct scaling *s, int most, struct error *error)
{
    for (size_t i = 0; i < s->files; i++) {
        add_curves(s, &s->file[i], false, most);
        add_curves(s, &s->file[i], true, most);
    }
    return s->count > 0 ||
           error_set(error, "%s: holds no variant by MPI that was timed with one rank; rungs bench stencil/cpu_mpi --ranks "
                            "1,2,4 --out FILE measures one", s->file[0].file);
}

static bool draw(const struct scaling *s, const struct options *o, struct error *error)
{
    size_t pictures;
    bool there;

    if (o->out == NULL)
        return true;
    if (!plots_forecast(s->list, s->count, o->out, o->pictures, &pictures, &there, error))
        return false;
    if (!there)
        fprintf(stderr, "rungs: gnuplot is not installed; the tables and scripts are in %s\n", o->out);
    else if (!o->quiet && o->format == FORMAT_TABLE)
        terminal_printf(stdout, "%zu picture%s in %s\n", pictures, pictures == 1 ? "" : "s", o->out);
    return true;
}

static bool scale(struct scaling *s, const struct options *o, size_t *accepted, struct error *error)
{
    const bool people = o->format == FORMAT_TABLE || o->format == FORMAT_MARKDOWN;
    const int most = o->most_ranks > 0 ? o->most_ranks : FORECAST_MOST;

    if (!find_network(s, o, error) || !find_curves(s, most, error))
        return false;
    if (people)
        print_network(s);
    for (size_t i = 0; i < s->count; i++) {
        table_forecast(stdout, o->format, &s->list[i], most, i == 0);
        *accepted += s->list[i].accepted;
    }
    if (legend_due(o, "scale"))
        printf("formula     the one-rank time times the busiest rank's share, and messages * alpha + bytes / beta\n"
               "arithmetic  the first part of it; messages: the second\n"
               "off         formula over measured\n"
               "~           extrapolated: not measured\n\n");
    return draw(s, o, error);
}

/* --- the command ---------------------------------------------------------------------------------- */

static int run(const struct options *o)
{
    static struct scaling s;
    struct error error = {.text = ""};
    size_t accepted = 0;
    bool fine = o->patterns.count > 0 || error_set(&error, "scale takes files of records");

    for (; fine && s.files < o->patterns.count; s.files += fine)
        fine = records_read(o->patterns.word[s.files], &s.file[s.files], &error);
    for (size_t i = 0; i < s.files; i++)
        note_cut(&s.file[i]);
    fine = fine && scale(&s, o, &accepted, &error);
    free(s.list);
    for (size_t i = 0; i < s.files; i++)
        records_free(&s.file[i]);
    return !fine ? usage_error(&error) : accepted > 0 ? STATUS_OK : STATUS_NOTHING;
}

const struct command command_scale = {
    .name = "scale",
    .usage = "scale FILE... [--to 4096] [--network alpha=1.5us,beta=12.5GB] [--out FOLDER]",
    .about = "extrapolate variants by MPI to more ranks, if a formula fits those measured",
    .help = "Reads records of bench --ranks 1,2,4, also with --weak, and computes the time of run with more ranks: the\n"
            "time with one rank times the largest share of the work, and messages by alpha and beta of the network.\n"
            "rungs ceilings --ranks 2 measures these.  The formula is first compared with the measured ranks.  Where it\n"
            "is more than 25 % off, the variant is refused and nothing is extrapolated.  ~ marks what was not\n"
            "measured.  --out draws pictures, with the measured part solid and the rest dashed.  If every curve is\n"
            "refused, the exit status is 4.\n",
    .words = "FILE",
    .run = run,
};
