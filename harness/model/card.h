/*
 * A card: what the parent knows of a variant, without loading it.
 *
 * A variant's compiled file is a shared object, PROBLEM/STRATEGY.so, which a worker loads; or, in the
 * simulator, a program, PROBLEM/STRATEGY, which is itself the worker.  Its card lies beside it:
 * PROBLEM/STRATEGY.card.  A worker that has loaded the variant writes the card
 * (harness/worker/card_print.c).  Each line is a key and its value:
 *
 *     idea = "one thread an element"         from VARIANT(...); only idea is required
 *     base = "cpu_naive"
 *     math = "f32"                           one of math_names
 *     traits = ["shortcut", "tensor"]        of trait_names
 *     device = "gpu"                         absent: the CPU
 *     clock = true                           the device has a clock
 *     phases = ["prepare", "upload", "run"]  those that the variant defines
 *     sends = "halo"                         what the ranks of an MPI variant send in run, by SENDS()
 *     source = "variants/saxpy/cuda_naive.cu"
 *     level = 2                              what its source says at its head: how much a reader must know, 1 to 3,
 *     read = "ring.h, split.h"               and which headers beside it to open; "": none
 *     lines = 410                            of the source and these headers together
 *     machine = "x86_64"                     left out of this build, because it needs such a processor
 *     needs = "openblas"                     left out of this build, because it needs such a library
 *
 * A variant in a language that is not compiled is its own card: the lines stand in a comment block, the first in
 * the file, in the syntax of Python's PEP 723, which installers of packages read as well.
 *
 *     # /// script
 *     # dependencies = ["numpy>=2"]
 *     # [tool.rungs]
 *     # idea = "a*x into z, then z += y"
 *     # base = "cpu_naive"
 *     # engine = "dask"                     its processes are confined together (harness/worker/spaces.h)
 *     # device = "gpu"                      with clock = "stream" where its work is on CUDA's default stream
 *     # ///
 *
 * Its `phases` are those of upload, reset and download that the file has functions for.
 */
#ifndef RUNGS_CARD_H
#define RUNGS_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "common/variant.h"
#include "harness/base/error.h"

enum card_phase {
    CARD_REFUSE, CARD_PREPARE, CARD_UPLOAD, CARD_RESET, CARD_RUN, CARD_DOWNLOAD, CARD_RELEASE
};

/* The words that a card may hold; each list ends with NULL. */
extern const char *const math_names[];  /* by enum math */
extern const char *const trait_names[]; /* by bit */
extern const char *const device_names[];
extern const char *const engine_names[];
extern const char *const clock_names[]; /* of a card in another language */
extern const char *const card_phase_names[];

/* Parts of the file's path: .../saxpy/cpu_naive.so has "saxpy" and "cpu_naive". */
struct name {
    char problem[32], variant[48];
    char full[96]; /* "saxpy/cpu_naive" */
};

enum { MAX_DEPENDENCIES = 16 };

struct language;

struct card {
    struct name name;
    const char *file;   /* what a worker loads or executes */
    const char *source; /* the source file */
    const char *idea;
    const char *base;   /* STRATEGY of the variant that it is compared with; NULL: it is the first */
    const char *device; /* "cpu", "gpu", "sim" */
    const char *machine; /* the processor that it needs and this build is not for; NULL: it is in the build */
    const char *needs;   /* the library that it needs and this build lacks; NULL: it is in the build */
    const char *engine;  /* "dask", "spark": it has processes that connect to each other; NULL: it has none */
    const char *sends;   /* what its ranks send (harness/records/traffic.h); NULL: its file does not say */
    const char *read;   /* headers to open besides the source, "a.h, b.h"; NULL: the source does not say */
    int level;          /* 1 to 3; 0: the source does not say */
    int lines;          /* to read, of the source and these headers; 0: not known */
    enum math math;
    unsigned traits;    /* of enum trait */
    int resource;       /* of a ceiling (harness/model/resource.h); -1: it is a variant */
    bool clock;         /* its device has a clock, so it can be timed */
    bool stream;        /* its work is on CUDA's default stream, so events may time it; in other languages */
    unsigned phases;    /* those that it defines, one bit each: 1 << CARD_UPLOAD ... */
    const struct language *language; /* NULL: a worker loads it; else an interpreter starts it */
    const char *dependencies[MAX_DEPENDENCIES]; /* packages that it needs: "numpy>=2"; then NULL */
    struct card *next;  /* the next in its list */
};

/* Reads PROBLEM/STRATEGY.card.  Free the result with card_free().  On failure returns NULL; the error
   names file and line. */
struct card *card_read(const char *path, struct error *error);
void card_free(struct card *c);

/* Reads the card in a source file's own comment block; likewise. */
struct card *card_read_source(const char *path, struct error *error);

/* Reads all cards of a folder and puts them in front of `list`, the last name first.  A missing folder
   has none.  False: the error names the first that cannot be read; the others are in the list. */
bool cards_read(const char *folder, struct card **list, struct error *error);

/* Returns the name that a file's path gives: its folder and its own name without the extension. */
struct name card_name(const char *path);

static inline bool card_has(const struct card *c, enum card_phase phase)
{
    return (c->phases >> phase & 1) != 0;
}

/* Returns whether the variant runs as several processes, by MPI (common/mpi.h). */
static inline bool card_by_mpi(const struct card *c)
{
    return (c->traits & TRAIT_RANKS) != 0;
}

/* Returns whether its file is a shared object.  Otherwise it is a program that is itself a worker. */
static inline bool card_is_object(const struct card *c)
{
    const size_t length = strlen(c->file);

    return length > 3 && strcmp(c->file + length - 3, ".so") == 0;
}

/* Returns whether a worker of the variant has processes of its own, as MPI and other languages do. */
static inline bool card_is_tree(const struct card *c)
{
    return c->language != NULL || card_by_mpi(c);
}

/* Returns whether the variant runs on the CPU itself. */
static inline bool card_on_cpu(const struct card *c)
{
    return c->device[0] == 'c';
}

#endif
