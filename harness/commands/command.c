/* The commands in the order of --help, and the functions that all of them share. */
#include "harness/commands/command.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/text.h"
#include "harness/model/registry.h"

const struct command *const commands[] = {
    &command_list,    &command_build,      &command_check,   &command_bench,   &command_sweep,
    &command_count, &command_run,     &command_ceilings,   &command_compare, &command_selftest,
    &command_show,    &command_scale,      &command_plot,       &command_report,  &command_profile, &command_view,  &command_serve,
    &command_lab,     &command_config, &command_completion, &command_help,    &command_version,
    NULL,
};

const struct command *command_find(const char *name, struct error *error)
{
    const struct command *nearest = &command_list;

    for (const struct command *const *c = commands; *c != NULL; c++) {
        if (strcmp((*c)->name, name) == 0)
            return *c;
        if (edit_distance(name, (*c)->name) < edit_distance(name, nearest->name))
            nearest = *c;
    }
    error_set(error, "there is no command %s; did you mean %s?", name, nearest->name);
    return NULL;
}

int usage_error(const struct error *error)
{
    fprintf(stderr, "rungs: %s\n", error->text);
    return STATUS_USAGE;
}

bool record_and_print(struct record *record, json_t *object, enum format format,
                      struct error *error)
{
    if (format == FORMAT_JSON) {
        char *text = record_text(json_incref(object));
        puts(text != NULL ? text : "null");
        free(text);
    }
    return record_object(record, object, error);
}

void note_cut(const struct records *p)
{
    if (p->cut > 0)
        fprintf(stderr, "rungs: %s:%zu: the last record is incomplete and is left out\n",
                p->file, p->cut);
}

void tally_result(struct tally *t, const struct result *r)
{
    if (outcome_failed(r->fate.outcome))
        t->failed++;
    else if (r->fate.outcome == OUTCOME_OK)
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

struct group group_first(const struct card *const variants[], size_t count)
{
    struct group g = {.variants = variants, .left = count};

    if (count > 0)
        g.problem = registry_problem(variants[0]->name.problem);
    while (g.left > 0 && registry_problem(variants[g.count]->name.problem) == g.problem) {
        g.count++;
        g.left--;
    }
    return g;
}

struct group group_next(const struct group *g)
{
    return group_first(g->variants + g->count, g->left);
}
