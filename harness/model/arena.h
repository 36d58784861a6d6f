/*
 * The arena: the memory of one case, which the harness and its workers share.
 *
 * The inputs are one file in memory: the parent writes it, workers can only read it.  Each worker has a
 * second file for its outputs, which the parent maps when it judges that worker.  Both files are mapped
 * at the same addresses in every process.  So the case (sizes, scalars, pointers) itself lies in shared
 * memory, and its pointers are valid everywhere.  Each case has new files.  They are sealed: their length
 * is fixed, and only the parent can write the inputs.
 *
 *     inputs    | layout, case | guard page | x, up to its page's end | guard page | y ...
 *     outputs   | ledger       | guard page | z, up to its page's end | guard page |
 *
 * An array ends within 63 bytes of the end of its last page.  The page after it is a guard page: reading
 * or writing it faults at once.  Arrays of 2 MiB and more begin at a huge page instead, and outputs of
 * 64 KiB and more 2304 bytes into a page.  The rest of an output's pages holds a pattern, which must be
 * unchanged after a call.
 */
#ifndef RUNGS_ARENA_H
#define RUNGS_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/error.h"

enum { MAX_SLOTS = 8, CASE_BYTES = 1024 };

/* The place of one array of the case. */
struct slot {
    char name[16];
    size_t bytes;   /* of all elements */
    size_t element; /* bytes of one element */
    char *start;    /* the first element; the same address in every process */
    char *page;     /* start of its first page */
    size_t pages;   /* bytes from there to the guard page after it */
    bool output;
};

/* The beginning of the input file. */
struct layout {
    size_t input_bytes, output_bytes; /* lengths of the two files */
    size_t count;
    struct slot slots[MAX_SLOTS];
    char cell[80]; /* its name for a profiler: "M: m=65536 n=8192 k=1" */
    char text[3072]; /* the case for other languages (harness/model/members.h); "": there is none */
    _Alignas(64) char data[CASE_BYTES]; /* the case: a struct saxpy, ... */
};

struct arena; /* one in each process */

/* For problems: reserves an array of rows * columns elements.  Its memory is not touched yet. */
const void *arena_input(struct arena *a, const char *name, size_t rows, size_t columns,
                        size_t element);
void *arena_output(struct arena *a, const char *name, size_t rows, size_t columns, size_t element);

/* For the parent. */
struct arena *arena_create(struct error *error); /* returns NULL and sets the error if it fails */
void arena_begin(struct arena *a);               /* drops the last case */
/* Returns whether there is memory for the case, with outputs for this many workers.  Call the
   problem's shape() first. */
bool arena_fits(const struct arena *a, size_t workers, struct error *error);
bool arena_commit(struct arena *a, struct error *error); /* allocates the inputs */
/* From now on arena_commit shows the inputs' file to `show`, whose process may then pass it on, before only the existing
   mappings can write it.  If `show` returns false, arena_commit does. */
typedef bool arena_show_file(int file, void *context, struct error *error);
void arena_before_seal(struct arena *a, arena_show_file *show, void *context);
struct layout *arena_layout(struct arena *a); /* its ->data is the case */
const struct layout *arena_open_layout(void); /* the layout committed last, or NULL */
int arena_open_inputs(void);                  /* opens the inputs' file for reading; -1: there is none */
/* Makes a file for a worker's outputs, of this fixed length.  Returns -1 on failure. */
int arena_make_outputs(size_t bytes);
void arena_drop_outputs(int file); /* frees its memory, but not the ledger's */
void arena_poison_inputs(struct arena *a);    /* sets every byte to 0xff: NaN, or an index out of range */
/* Maps a worker's outputs in their place, instead of another worker's. */
bool arena_show(struct arena *a, int output_file, struct error *error);
void arena_poison_outputs(struct arena *a);
/* Returns whether the bytes around the outputs are unchanged.  If not, `text` says which have changed. */
bool arena_fence_holds(const struct arena *a, char *text, size_t bytes);

/* For a worker: maps the case in these files.  Ends the process if that fails.  `blind`: the inputs
   are not accessible before arena_map_inputs; reading one faults. */
const struct layout *arena_map(int input_file, int output_file, bool blind);
void arena_map_inputs(int input_file);

/* For a child process that has no case: unmaps everything. */
void arena_forget(void);

/* Returns the address range that is reserved for the arena. */
void arena_bounds(uintptr_t *begin, uintptr_t *end);

/* Returns the start of the output file, where a failing worker leaves a note
   (harness/worker/protocol.h). */
void *arena_ledger(void);

/* Returns where the case itself lies in every process that has mapped it. */
const void *arena_case_place(void);

/* Returns an address's offset in the file of inputs or of outputs, or 0 if it lies in neither. */
size_t arena_offset(const void *address);

/* Returns whether an address lies in the range reserved for the arena. */
bool arena_holds(const void *address);

/* Describes an address: "x[17]", "3 bytes past the end of x"; NULL if it is outside of the arena.
   `inside` gets the array that contains it, or NULL. */
const char *arena_locate(const struct layout *layout, const void *address,
                         const struct slot **inside);

#endif
