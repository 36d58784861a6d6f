/*
 * The arena: one case in memory that the harness and its workers share.
 *
 * Inputs are in one file in memory, written by the parent, read-only for every worker.  Outputs
 * are in a file of each worker's own, which the parent maps when it judges that worker.  Both lie
 * at the same addresses in every process, so the case (sizes, scalars, pointers) is itself in the
 * shared memory and its pointers are good everywhere.  Each case has files of its own.  They are
 * sealed: their length is fixed, and only the parent can write the inputs.
 *
 *     inputs    | layout, case | guard page | x, up to its page's end | guard page | y ...
 *     outputs   | ledger       | guard page | z, up to its page's end | guard page |
 *
 * An array ends within 63 bytes of its last page's end (arrays of 2 MiB and more begin a huge page
 * instead), and the page after it cannot be touched: who writes or reads beyond it is caught in
 * the act.  The rest of its pages holds a pattern that must come back unchanged.
 */
#ifndef RUNGS_ARENA_H
#define RUNGS_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/error.h"

enum { MAX_SLOTS = 8, CASE_BYTES = 1024 };

/* Where one array of the case lies. */
struct slot {
    char name[16];
    size_t bytes;   /* of the elements */
    size_t element; /* bytes of one */
    char *start;    /* the first element, in every process */
    char *page;     /* start of its first page ... */
    size_t pages;   /* ... and the bytes from there to the guard page after it */
    bool output;
};

/* The head of the input file. */
struct layout {
    size_t input_bytes, output_bytes; /* lengths of the two files */
    size_t count;
    struct slot slots[MAX_SLOTS];
    char cell[80]; /* what a profiler is to call it: "M: m=65536 n=8192 k=1" */
    char text[3072]; /* the case for other languages (harness/model/members.h); "": it has no such text */
    _Alignas(64) char data[CASE_BYTES]; /* the case: struct saxpy, ... */
};

struct arena; /* one in a process */

/* For problems: carve an array of rows * columns elements; it is not touched yet. */
const void *arena_input(struct arena *a, const char *name, size_t rows, size_t columns,
                        size_t element);
void *arena_output(struct arena *a, const char *name, size_t rows, size_t columns, size_t element);

/* For the parent. */
struct arena *arena_create(struct error *error); /* NULL: the error says why */
void arena_begin(struct arena *a);               /* forget the last case */
/* After the problem's shape(): is there memory for it, with outputs for so many workers? */
bool arena_fits(const struct arena *a, size_t workers, struct error *error);
bool arena_commit(struct arena *a, struct error *error); /* gives the inputs their memory */
struct layout *arena_layout(struct arena *a); /* ->data is the case */
const struct layout *arena_open_layout(void); /* the one committed last; NULL if there is none */
int arena_open_inputs(void);                  /* its inputs' file, for reading; -1: there is none */
/* A file for a worker's outputs, of so many bytes for good; -1: there is none to be had. */
int arena_make_outputs(size_t bytes);
void arena_drop_outputs(int file); /* gives their memory back, but for the ledger's */
void arena_poison_inputs(struct arena *a);    /* every byte 0xff: NaN, or an index out of range */
/* A worker's outputs, mapped at their place; instead of those of another worker. */
bool arena_show(struct arena *a, int output_file, struct error *error);
void arena_poison_outputs(struct arena *a);
/* Are the bytes around the outputs as they were?  If not, says which in `text`. */
bool arena_fence_holds(const struct arena *a, char *text, size_t bytes);

/* For a worker: map the case that the files hold now.  Ends the process if that fails.  `blind`: its
   inputs are not there until arena_map_inputs; who reads one dies in the act. */
const struct layout *arena_map(int input_file, int output_file, bool blind);
void arena_map_inputs(int input_file);

/* For a child that takes no part: nothing of a case is mapped any longer. */
void arena_forget(void);

/* The part of the address space that the arena keeps for itself. */
void arena_bounds(uintptr_t *begin, uintptr_t *end);

/* The start of the output file, for a note that a dying worker leaves (harness/worker/protocol.h). */
void *arena_ledger(void);

/* Returns where the case itself lies in every process that has mapped it. */
const void *arena_case_place(void);

/* Returns where an address lies in the file of inputs or of outputs; 0: in none of them. */
size_t arena_offset(const void *address);

/* Is the address in the part of the address space that the arena keeps for itself? */
bool arena_holds(const void *address);

/* What lies at an address: "x[17]", "3 bytes past the end of x"; NULL if it is not the arena's.
   `inside` gets the array that it is in, else NULL. */
const char *arena_locate(const struct layout *layout, const void *address,
                         const struct slot **inside);

#endif
