/*
 * The ceilings of this machine: measured, saved in a file, loaded again.
 *
 * harness/ceilings/ceiling.h describes one of them, harness/ceilings/peak.h what they mean for a variant.
 */
#ifndef RUNGS_CEILINGS_H
#define RUNGS_CEILINGS_H

#include "harness/base/error.h"
#include "harness/ceilings/ceiling.h"
#include "harness/measure/bench.h"
#include "harness/records/ceiling_value.h"

struct record;

enum { MAX_CEILINGS = 256 };

struct ceilings {
    char file[512];
    char measured[32];   /* UTC */
    const char *preset; /* the preset that measured it; not read back */
    double took;         /* seconds that measuring took; not read back */
    size_t count;
    struct ceiling_value values[MAX_CEILINGS];
};

extern const struct preset preset_ceilings, preset_ceilings_quick;

size_t ceilings_count(void); /* Returns how many ceilings this program has. */
const char *ceiling_name(size_t i); /* returns the name of ceiling i; NULL: i is too large */

/* Measures all ceilings, one after another; leaves all->file unchanged.  `ranks` above 0: those of the network between
   so many, and no others.  A ceiling that fails is a value with a reason.  Returns false and sets the error if nothing could be measured.  Stops early
   when interrupted(). */
bool ceilings_measure(struct ceilings *all, const struct preset *preset, int ranks,
                      bench_progress *progress, void *context, struct error *error);

/* --- the file: store.c ---------------------------------------------------------------- */

/* Opens a file that will replace ceilings-MACHINE-BUILD.jsonl in the user's cache folder, or network-MACHINE-BUILD.jsonl
   (`network`); or the file named, which must not exist yet.  Sets all->file.  On failure returns NULL and sets the error. */
struct record *ceilings_create(struct ceilings *all, const char *file, bool network, struct error *error);

/* Writes all values, puts the file in its place and closes it.  On failure nothing remains of the
   file. */
bool ceilings_save(struct record *r, const struct ceilings *all, int argc, char **argv,
                   struct error *error);
void ceilings_drop(struct record *r);

enum ceilings_found {
    CEILINGS_NONE,    /* this machine has none yet */
    CEILINGS_LOADED,
    CEILINGS_DOUBTFUL /* a file that is not valid; the error says why */
};

/* Loads the ceilings of this machine: from the user's cache folder, else from results/. */
enum ceilings_found ceilings_load(struct ceilings *all, struct error *error);

/* Writes the path of the file of the network, which need not be there. */
void ceilings_network(char *path, size_t bytes);

#endif
