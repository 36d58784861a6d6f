/*
 * Reads files of records (results/README.md): the runs in a file and what each measured.
 *
 * A file is read line by line and may contain several runs, as `cat a b` makes them.  Unknown kinds of record
 * and unknown fields are skipped.  Known fields must have the right type, or the error names file, line and
 * field.
 */
#ifndef RUNGS_RECORDS_H
#define RUNGS_RECORDS_H

#include "harness/records/block.h"
#include "harness/records/ceiling_value.h"
#include "harness/records/result.h"
#include "harness/records/run.h"

/* From which size on a variant is faster than the fastest of the baseline. */
struct crossover_record {
    size_t run, line;
    char problem[64], variant[64], against[64], phase[16], pays[16], unit[32], axis[64];
    double from, to;           /* items; NaN: see results/README.md */
    double axis_from, axis_to; /* the same in lengths of the axes that grow */
    char sentence[400];        /* the crossover in words */
};

struct records {
    const char *file;
    size_t run_count, result_count, block_count, ceiling_count, crossover_count;
    struct run *runs;
    struct result *results; /* in the order of the file */
    struct block_record *blocks; /* in the order of the file; only records_read_all() reads them */
    struct ceiling_value *ceilings;
    struct crossover_record *crossovers;
    size_t cut; /* number of the last line if it is incomplete, and was skipped; else 0 */
};

bool records_read(const char *file, struct records *p, struct error *error);
/* The same, with blocks. */
bool records_read_all(const char *file, struct records *p, struct error *error);
/* The same of the first `bytes` of the file, which end with a line. */
bool records_read_part(const char *file, size_t bytes, struct records *p, struct error *error);

/* Is called for each complete line, with its object and all that was read so far.  If it returns false, with the
   error set, reading ends. */
struct records_visitor {
    bool (*line)(void *context, const struct records *p, const json_t *object, const char *text,
                 size_t bytes, struct error *error);
    void *context;
};

/* As records_read(), with a visitor. */
bool records_visit(const char *file, struct records *p, const struct records_visitor *visitor,
                   struct error *error);
void records_free(struct records *p);

/* Returns how many results from results[at] on belong to one table: one run, problem and size. */
size_t records_table_length(const struct records *p, size_t at);

/* Returns pointers to these results, for free(). */
struct result **records_table(const struct records *p, size_t at, size_t count);

#endif
