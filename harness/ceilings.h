/*
 * The ceilings of this machine: measured, kept in a file, found again.
 *
 * harness/ceiling.h is about one of them, harness/limits.h about what they mean for a rung.
 */
#ifndef RUNGS_CEILINGS_H
#define RUNGS_CEILINGS_H

#include "harness/bench.h"
#include "harness/ceiling.h"
#include "harness/error.h"
#include "harness/outcome.h"

struct record;

enum { MAX_CEILINGS = 256 };

/* One ceiling at one working set, with one core or all. */
struct ceiling_value {
    char name[32];   /* of its file: "cpu_copy" */
    char idea[64];   /* how it was measured */
    char device[8];  /* "cpu", "gpu" */
    enum resource resource;
    enum math math;
    size_t bytes;    /* working set; 0: it has none */
    int cores;       /* of the CPU that took part; 0: another device's */
    int devices;     /* such devices that there are */
    struct fate fate; /* not ok: there is no value, for this reason */
    double best;     /* work a second in the fastest sample: the limit */
    double median, low, high; /* of the rounds, and its 95 % interval; NaN: too few rounds */
};

struct ceilings {
    char file[300];
    char measured[32];   /* when, UTC */
    const char *profile; /* by which it was measured; not read back */
    double took;         /* seconds; not read back */
    size_t count;
    struct ceiling_value values[MAX_CEILINGS];
};

extern const char *const resource_names[RESOURCES]; /* as in tables and records */
extern const struct profile profile_ceilings, profile_ceilings_quick;

size_t ceilings_count(void); /* how many files of them there are in this program */
const char *ceiling_name(size_t i); /* the file's name; NULL: there are not so many */

/* Measures all of them, one after the other; all->file stays.  What fails is a value with a reason.
   Returns false with an error if nothing could be measured at all; stops early when interrupted(). */
bool ceilings_measure(struct ceilings *all, const struct profile *profile,
                      bench_progress *progress, void *context, struct error *error);

/* Its rate, in 3 digits and a unit: "4.38 TB/s".  Kernels are counted in time. */
void ceilings_describe(enum resource resource, double rate, char *text, size_t bytes);

/* The rung that stands for a ceiling in its worker: "ceilings/cpu_copy"; NULL: none such. */
const struct variant *ceiling_find(const char *name);

/* --- the file: ceilings_file.c ---------------------------------------------------------------- */

/* Opens what is to take the place of results/ceilings-FINGERPRINT.jsonl, or else the file named,
   which must not exist yet.  Sets all->file.  NULL: the error says why not. */
struct record *ceilings_create(struct ceilings *all, const char *file, struct error *error);

/* Writes all of them, puts the file in its place and closes it; or nothing is left of it. */
bool ceilings_save(struct record *r, const struct ceilings *all, int argc, char **argv,
                   struct error *error);
void ceilings_drop(struct record *r);

/* Reads that of this machine.  False: there is none; or it cannot be trusted, and the error says
   why (its text is empty otherwise). */
bool ceilings_load(struct ceilings *all, struct error *error);

#endif
