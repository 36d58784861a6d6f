/*
 * Files of records (results/README.md), read back: the runs in a file and what each measured.
 *
 * A file is read line by line and may hold several runs, one behind the other, as `cat a b` makes
 * them.  Kinds of record and fields that are not known are passed over; what is known must be what
 * it should be, or the error names file, line and field.
 */
#ifndef RUNGS_RECORDS_H
#define RUNGS_RECORDS_H

#include "harness/records/block.h"
#include "harness/records/ceiling_value.h"
#include "harness/records/result.h"
#include "harness/records/run.h"

/* From which size on one variant is faster than the best of the others. */
struct crossover_record {
    size_t run, line;
    char problem[64], variant[64], against[64], phase[16], pays[16], unit[32], axis[64];
    double from, to;           /* items; NaN: see results/README.md */
    double axis_from, axis_to; /* the same in lengths of the axes that grow */
    char sentence[400];        /* all of it in words */
};

struct records {
    const char *file;
    size_t run_count, result_count, block_count, ceiling_count, crossover_count;
    struct run *runs;
    struct result *results; /* in the order of the file */
    struct block_record *blocks; /* likewise; only of records_read_all */
    struct ceiling_value *ceilings;
    struct crossover_record *crossovers;
    size_t cut; /* the line that ends in its middle, which was passed over; 0: none */
};

bool records_read(const char *file, struct records *p, struct error *error);
bool records_read_all(const char *file, struct records *p, struct error *error);
/* The same of the first `bytes`, which end with a line's end. */
bool records_read_part(const char *file, size_t bytes, struct records *p, struct error *error);

/* Sees each line, whole and read: the object that its text holds, and what has been read so far.
   False, with the error set: reading ends. */
struct records_visitor {
    bool (*line)(void *context, const struct records *p, const json_t *object, const char *text,
                 size_t bytes, struct error *error);
    void *context;
};

/* records_read, on which `visitor` looks. */
bool records_visit(const char *file, struct records *p, const struct records_visitor *visitor,
                   struct error *error);
void records_free(struct records *p);

/* How many results from results[at] on are of one table: of one run, problem and size. */
size_t records_table_length(const struct records *p, size_t at);

/* Pointers to these results, one behind the other in a file; for free(). */
struct result **records_table(const struct records *p, size_t at, size_t count);

#endif
