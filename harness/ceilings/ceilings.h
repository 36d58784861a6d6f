/*
 * The ceilings of this machine: measured, kept in a file, found again.
 *
 * harness/ceilings/ceiling.h is about one of them, harness/ceilings/peak.h about what they mean for a variant.
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
    char file[300];
    char measured[32];   /* when, UTC */
    const char *preset; /* by which it was measured; not read back */
    double took;         /* seconds; not read back */
    size_t count;
    struct ceiling_value values[MAX_CEILINGS];
};

extern const struct preset preset_ceilings, preset_ceilings_quick;

size_t ceilings_count(void); /* how many of them come with this program */
const char *ceiling_name(size_t i); /* the file's name; NULL: there are not so many */

/* Measures all of them, one after the other; all->file stays.  What fails is a value with a reason.
   Returns false with an error if nothing could be measured at all; stops early when interrupted(). */
bool ceilings_measure(struct ceilings *all, const struct preset *preset,
                      bench_progress *progress, void *context, struct error *error);

/* --- the file: store.c ---------------------------------------------------------------- */

/* Opens what is to take the place of results/ceilings-FINGERPRINT.jsonl, or else the file named,
   which must not exist yet.  Sets all->file.  NULL: the error says why not. */
struct record *ceilings_create(struct ceilings *all, const char *file, struct error *error);

/* Writes all of them, puts the file in its place and closes it; or nothing is left of it. */
bool ceilings_save(struct record *r, const struct ceilings *all, int argc, char **argv,
                   struct error *error);
void ceilings_drop(struct record *r);

enum ceilings_found {
    CEILINGS_NONE,    /* this machine has none yet */
    CEILINGS_LOADED,
    CEILINGS_DOUBTFUL /* a file that cannot be trusted; the error says why */
};

/* Reads those of this machine. */
enum ceilings_found ceilings_load(struct ceilings *all, struct error *error);

#endif
