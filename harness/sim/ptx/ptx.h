/*
 * Inline PTX.  An asm statement is parsed when a thread first reaches it (ptx_read.c) and then executed
 * (ptx.c). ptx_text.h names a function for each instruction.
 */
#ifndef CUDASIM_PTX_H
#define CUDASIM_PTX_H

#include "harness/sim/ptx/ptx_text.h"
#include "harness/sim/sim.h"

enum {
    PTX_LOCALS = 8,    /* registers that a statement may declare */
    PTX_GROUPS = 12,   /* of operands */
    PTX_TOGETHER = 128 /* threads that execute an instruction together */
};

/* An operand of an instruction: an operand of the statement (%0 ...), a register of its own, a number,
   a special register (%laneid ...), or nothing ("_"). */
struct ptx_operand {
    enum { PTX_GIVEN, PTX_LOCAL, PTX_NUMBER, PTX_SPECIAL, PTX_NOTHING } kind;
    unsigned at;    /* given: its first word; local, special: its index */
    unsigned words; /* given: 1 or 2 */
    uint64_t value; /* a number; otherwise the offset in [%0 + 16] */
};

struct ptx_frame;

struct ptx_instruction {
    struct cudasim_place place; /* its name and place */
    void (*run)(struct ptx_frame *f, const struct ptx_instruction *i);
    int condition; /* the condition's local register; -1: none */
    bool negated;
    unsigned groups;             /* {%0, %1}, [%2], %3 are three */
    unsigned first[PTX_GROUPS + 1]; /* first operand of each group, and the end */
    struct ptx_operand *operand;
};

struct ptx_program {
    unsigned count;
    struct ptx_instruction *instruction;
};

/* A thread that executes a statement. */
struct ptx_frame {
    uint32_t *words; /* the operands, one after another */
    uint64_t local[PTX_LOCALS];
    const void *at; /* as for sim_fail */
    const struct ptx_instruction *now; /* at which it waits for this many others */
    unsigned threads;
};

struct ptx_program *ptx_read(const struct cudasim_ptx *statement, const char *constraints,
                             const void *at);
uint64_t ptx_special(unsigned which);
unsigned ptx_special_named(const char *name, const void *at);

/* Read or write operand n, counted through all groups. */
uint64_t ptx_get(const struct ptx_frame *f, const struct ptx_instruction *i, unsigned n);
void ptx_set(struct ptx_frame *f, const struct ptx_instruction *i, unsigned n, uint64_t value);

/* Ends the process unless the instruction has this many operands. */
void ptx_expect(const struct ptx_frame *f, const struct ptx_instruction *i, unsigned operands);

/* Lets consecutive threads execute an instruction together.  The last to arrive executes it for all,
   and gets their frames. */
typedef void ptx_act(struct ptx_frame *const of[], const struct ptx_instruction *i);
void ptx_together(struct ptx_frame *f, const struct ptx_instruction *i, unsigned threads,
                  ptx_act *act);

/* Ends the process because threads wait at such an instruction for others that do not arrive. */
void ptx_report_missing(void);

void ptx_thread_ends(void); /* the running thread */

/* Bytes of a copy have arrived.  The address says which block the mbarrier belongs to. */
void sim_mbarrier_arrived(uint64_t address, size_t bytes, const void *at);

#define PTX_DECLARE(pattern, function)                                                             \
    void function(struct ptx_frame *f, const struct ptx_instruction *i);
PTX_INSTRUCTIONS(PTX_DECLARE)
#undef PTX_DECLARE

#endif
