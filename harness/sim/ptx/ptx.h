/*
 * Inline PTX.  An asm statement is read when a thread first comes to it (ptx_read.c) and then
 * executed (ptx.c): each instruction has a function, named in ptx_text.h.
 */
#ifndef CUDASIM_PTX_H
#define CUDASIM_PTX_H

#include "harness/sim/ptx/ptx_text.h"
#include "harness/sim/sim.h"

enum {
    PTX_LOCALS = 8,    /* registers that a statement declares */
    PTX_GROUPS = 12,   /* of operands */
    PTX_TOGETHER = 128 /* threads that execute an instruction */
};

/* What an instruction works on: an operand of the statement, %0 and so on; a register of its own;
   a number; a special register, as %laneid; or nothing, "_". */
struct ptx_operand {
    enum { PTX_GIVEN, PTX_LOCAL, PTX_NUMBER, PTX_SPECIAL, PTX_NOTHING } kind;
    unsigned at;    /* given: its first word; local, special: which */
    unsigned words; /* given: 1 or 2 */
    uint64_t value; /* a number; else what is to be added, in [%0 + 16] */
};

struct ptx_frame;

struct ptx_instruction {
    struct cudasim_place place; /* its name, and where it stands */
    void (*run)(struct ptx_frame *f, const struct ptx_instruction *i);
    int condition; /* a local register, or -1: none */
    bool negated;
    unsigned groups;             /* {%0, %1}, [%2], %3 are three */
    unsigned first[PTX_GROUPS + 1]; /* operand of each, and the end */
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
    const struct ptx_instruction *now; /* that it waits in, with so many others */
    unsigned threads;
};

struct ptx_program *ptx_read(const struct cudasim_ptx *statement, const char *constraints,
                             const void *at);
uint64_t ptx_special(unsigned which);
unsigned ptx_special_named(const char *name, const void *at);

/* The n-th operand, those of all groups counted. */
uint64_t ptx_get(const struct ptx_frame *f, const struct ptx_instruction *i, unsigned n);
void ptx_set(struct ptx_frame *f, const struct ptx_instruction *i, unsigned n, uint64_t value);

/* Ends the process unless the instruction has so many operands. */
void ptx_expect(const struct ptx_frame *f, const struct ptx_instruction *i, unsigned operands);

/* So many threads in a row execute the instruction together: the last to come does it for all of
   them, whose frames it gets. */
typedef void ptx_act(struct ptx_frame *const of[], const struct ptx_instruction *i);
void ptx_together(struct ptx_frame *f, const struct ptx_instruction *i, unsigned threads,
                  ptx_act *act);

/* The threads that wait in such an instruction for others that do not come: ends the process. */
void ptx_report_missing(void);

void ptx_thread_ends(void); /* the running one */

/* So many bytes of a copy have arrived; the address says of which block the mbarrier is. */
void sim_mbarrier_arrived(uint64_t address, size_t bytes, const void *at);

#define PTX_DECLARE(pattern, function)                                                             \
    void function(struct ptx_frame *f, const struct ptx_instruction *i);
PTX_INSTRUCTIONS(PTX_DECLARE)
#undef PTX_DECLARE

#endif
