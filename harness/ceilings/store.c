/* The ceilings' file: records as in any other file, but one file for each machine and build, named by both, because
   ceilings are compiled with the flags of variants. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folders.h"
#include "harness/ceilings/ceilings.h"
#include "harness/machine/machine.h"
#include "harness/machine/topology.h"
#include "harness/records/records.h"
#include "harness/records/write.h"

/* Writes the paths of the file that is written, in the user's cache (or in results/, if the user has no cache
   folder), and of the one in results/ that is read if the former is missing.  That has no build in its name. */
static void usual_files(bool network, char *path, char *here, size_t bytes)
{
    const char *kind = network ? "network" : "ceilings";
    char fingerprint[FINGERPRINT], build[FINGERPRINT], name[2 * FINGERPRINT + 32];

    machine_fingerprint(fingerprint);
    machine_build_key(build);
    snprintf(name, sizeof name, "%s-%s-%s.jsonl", kind, fingerprint, build);
    if (!folders_cache(name, path, bytes))
        snprintf(path, bytes, "results/%s", name);
    snprintf(here, bytes, "results/%s-%s.jsonl", kind, fingerprint);
}

/* --- write ------------------------------------------------------------------------------------ */

static bool write_all(struct record *r, const struct ceilings *all, int argc, char **argv,
                      struct error *error)
{
    const struct run_about run = {.argc = argc, .argv = argv, .seed = 1,
                                   .threads = topology_cores(), .preset = all->preset,
                                   .order = "serial"};

    if (!record_object(r, run_write(&run), error))
        return false;
    for (size_t i = 0; i < all->count; i++)
        if (!record_object(r, ceiling_write(&all->values[i]), error))
            return false;
    return record_end(r, 0, all->took, NULL, NULL, error);
}

struct record *ceilings_create(struct ceilings *all, const char *file, bool network, struct error *error)
{
    char path[sizeof all->file + 32], here[sizeof all->file];

    if (file != NULL) {
        snprintf(all->file, sizeof all->file, "%s", file);
        return record_open(file, "ceilings", error);
    }
    usual_files(network, all->file, here, sizeof all->file);
    snprintf(path, sizeof path, "%s.new-%ld", all->file, (long)getpid());
    return folders_make_for(path, error) ? record_open(path, "ceilings", error) : NULL;
}

void ceilings_drop(struct record *r)
{
    (void)unlink(record_path(r));
    record_close(r);
}

bool ceilings_save(struct record *r, const struct ceilings *all, int argc, char **argv,
                   struct error *error)
{
    /* The old file stays until the new one is complete. */
    if (!write_all(r, all, argc, argv, error) ||
        (rename(record_path(r), all->file) != 0 &&
         !error_set(error, "%s: %s", all->file, strerror(errno)))) {
        ceilings_drop(r);
        return false;
    }
    record_close(r);
    return true;
}

/* --- read ------------------------------------------------------------------------------------- */

/* Returns the first of this program's ceilings that is missing; NULL: none. */
static const char *missing(const struct ceilings *all)
{
    const char *name = NULL;

    for (size_t at = 0; (name = ceiling_name(at)) != NULL; at++) {
        bool there = false;
        for (size_t i = 0; i < all->count && !there; i++)
            there = strcmp(all->values[i].name, name) == 0;
        if (!there)
            break;
    }
    return name;
}

/* Takes the values.  Returns false if they are of another machine or another build, or incomplete. */
static bool take(struct ceilings *all, const struct records *p, struct error *error)
{
    const struct run *run = &p->runs[0];
    char machine[FINGERPRINT];

    machine_fingerprint(machine);
    snprintf(all->measured, sizeof all->measured, "%s", run->started);
    if (strcmp(run->compiler, build_compiler) != 0 || strcmp(run->flags, build_variant_flags) != 0)
        return error_set(error, "was measured by another build");
    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct ceiling_value *v = &p->ceilings[i];
        if (all->count == MAX_CEILINGS || strcmp(v->machine, machine) != 0 ||
            (v->fate.outcome == OUTCOME_OK && !(v->best > 0.0)))
            return error_set(error, "line %zu is not a ceiling of this machine", v->line);
        all->values[all->count++] = *v;
    }
    if (!run->ended)
        return error_set(error, "is incomplete: it has no end record");
    if (p->run_count > 1 || p->result_count > 0)
        return error_set(error, "holds other records than ceilings");
    const char *name = missing(all);
    return name == NULL || error_set(error, "has no %s", name);
}

static enum ceilings_found load(struct ceilings *all, const char *file, struct error *error)
{
    static const char advice[] = "measure again with \"rungs ceilings\"";
    struct records p;
    struct error why;

    *all = (struct ceilings){.count = 0};
    snprintf(all->file, sizeof all->file, "%s", file);
    if (access(all->file, F_OK) != 0 && errno == ENOENT)
        return CEILINGS_NONE;
    if (!records_read(all->file, &p, &why)) {
        error_set(error, "%s; %s", why.text, advice);
        return CEILINGS_DOUBTFUL;
    }
    const bool taken = take(all, &p, &why);
    records_free(&p);
    if (taken)
        return CEILINGS_LOADED;
    error_set(error, "%s: %s; %s", all->file, why.text, advice);
    all->count = 0;
    return CEILINGS_DOUBTFUL;
}

enum ceilings_found ceilings_load(struct ceilings *all, struct error *error)
{
    char cached[sizeof all->file], here[sizeof all->file];
    struct error other;

    usual_files(false, cached, here, sizeof cached);
    const enum ceilings_found found = load(all, cached, error);
    if (found == CEILINGS_LOADED)
        return found;
    const enum ceilings_found second = load(all, here, found == CEILINGS_NONE ? error : &other);
    return second == CEILINGS_NONE ? found : second == CEILINGS_LOADED ? second : CEILINGS_DOUBTFUL;
}

void ceilings_network(char *path, size_t bytes)
{
    char here[sizeof((struct ceilings *)NULL)->file];

    usual_files(true, path, here, bytes < sizeof here ? bytes : sizeof here);
}
