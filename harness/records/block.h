/*
 * The samples of one turn of a variant (a block), written and read as a "block" record; and the journal.
 *
 * Each block is recorded as soon as it is taken, so that a run that is killed loses only the current one.
 * A run that continues the file uses the recorded blocks in their places of the same order.
 */
#ifndef RUNGS_BLOCK_H
#define RUNGS_BLOCK_H

#include "harness/records/result.h"
#include "harness/records/schema.h"

struct record;
struct records;

struct block {
    struct samples samples;
    unsigned long reps;          /* cycles in a sample */
    double seconds, cpu_seconds; /* time that the block took; processor time of all its threads */
    double wall; /* seconds with the parent's part, which count towards --max-time; NaN: not on record */
    struct telemetry telemetry;
    uint64_t data_seed; /* from which its data were drawn; 0: not on record */
};

/* A block with its result, as a record names them. */
struct block_record {
    char problem[64], variant[64], label[32];
    struct scale scale;
    size_t axes;
    struct axis size[RESULT_AXES];
    long long pass, round; /* counted from 0 */
    struct block block;
};

json_t *block_write(const struct result *of, unsigned pass, size_t round, const struct block *b);
bool block_read(const struct record_place *p, const json_t *object, struct block_record *b);

/* Is it this block? */
bool block_is(const struct block_record *b, const struct result *of, unsigned pass, size_t round);

struct journal {
    struct record *record;
    const struct records *past; /* of the run that this one continues; NULL: none */
    size_t next;                /* the block of `past` that is most likely wanted next */
    bool broken;                /* a block could not be written; `error` says why */
    struct error error;
};

/* Gets this block from the record, if it is there.  Then it is not measured again. */
bool journal_knows(struct journal *j, const struct result *of, unsigned pass, size_t round,
                   struct block *block);

/* Records a block that was just taken. */
void journal_keep(struct journal *j, const struct result *of, unsigned pass, size_t round,
                  const struct block *block);

#endif
