/*
 * What one turn of a variant brings, as a "block" record, both ways; and the journal of them.
 *
 * Each block is on record as soon as it is taken, so that whatever ends a run takes no more along than
 * the block in flight; and a run that goes on with such a file takes those blocks for its own, at
 * their place in the same order.
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
    double seconds, cpu_seconds; /* that the block took, and of processor time of all threads */
    struct telemetry telemetry;
};

/* Whose it is, as a record says it. */
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

/* Is it this one? */
bool block_is(const struct block_record *b, const struct result *of, unsigned pass, size_t round);

struct journal {
    struct record *record;
    const struct records *past; /* what an earlier run left; NULL: there was none */
    size_t next;                /* of its blocks: most likely the one that is asked for next */
    bool broken;                /* a block could not be written, and `error` says why */
    struct error error;
};

/* Is this block of a result on record?  Then it need not be taken again. */
bool journal_knows(struct journal *j, const struct result *of, unsigned pass, size_t round,
                   struct block *block);

/* Writes one down that was taken just now. */
void journal_keep(struct journal *j, const struct result *of, unsigned pass, size_t round,
                  const struct block *block);

#endif
