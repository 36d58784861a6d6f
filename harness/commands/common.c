/* What the commands share: errors, tallies, groups, the progress line. */
#include "harness/commands/command.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/clock.h"
#include "harness/interrupt.h"
#include "harness/predict.h"
#include "harness/registry.h"

int usage_error(const struct error *error)
{
    fprintf(stderr, "rungs: %s\n", error->text);
    return STATUS_USAGE;
}

int command_end(struct record *record, int status, double wall, const struct error *error)
{
    struct error unwritten;
    struct warnings late = {.count = 0};

    if (record != NULL)
        postflight(&late);
    for (size_t i = 0; i < late.count; i++)
        fprintf(stderr, "rungs: %s\n", late.text[i]);
    bool written = record == NULL || record_end(record, status, wall, &late, &unwritten);

    record_close(record);
    if (status == STATUS_USAGE)
        return usage_error(error);
    return written ? status : usage_error(&unwritten);
}

void tally_row(struct tally *t, const struct row *row)
{
    if (outcome_failed(row->fate.outcome))
        t->failed++;
    else if (row->fate.outcome == OUTCOME_OK)
        t->ok++;
    else
        t->other++;
}

int tally_status(const struct tally *t)
{
    if (interrupted())
        return STATUS_SIGNAL + interrupted();
    if (t->failed > 0)
        return STATUS_FAILED;
    return t->ok > 0 ? STATUS_OK : STATUS_NOTHING;
}

struct group group_at(const struct variant *const rungs[], size_t count, size_t at)
{
    const struct name first = variant_name(rungs[at]);
    struct group g = {.problem = registry_problem(first.problem), .rungs = rungs + at};

    while (at + g.count < count &&
           strcmp(variant_name(rungs[at + g.count]).problem, first.problem) == 0)
        g.count++;
    return g;
}

/* --- the progress line ------------------------------------------------------------------------ */

void progress_start(struct progress *p, size_t cells)
{
    *p = (struct progress){.start = clock_now(), .all = cells};
}

void progress_show(struct progress *p, const char *what, size_t round)
{
    char left[32] = "";
    double so_far = clock_now() - p->start;

    if (!isatty(STDERR_FILENO))
        return;
    if (p->done > 0)
        describe_duration(so_far / (double)p->done * (double)(p->all - p->done), left, sizeof left);
    fprintf(stderr, "\r\033[K[%zu/%zu] %s", p->done + 1, p->all, what);
    if (round > 0)
        fprintf(stderr, "  round %zu", round);
    if (left[0] != '\0')
        fprintf(stderr, "  about %s left", left);
    fflush(stderr);
    p->shown = true;
}

void progress_clear(struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}
