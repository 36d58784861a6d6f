/*
 * Executes asm statements: simple instructions and registers here, and the meeting of threads that
 * execute an instruction together.  ptx_matrix.c and the others have the rest.
 */
#include <stdlib.h>

#include "harness/sim/ptx/ptx.h"

/* --- operands --------------------------------------------------------------------------------- */

enum special { LANE, WARP_NUMBER, CLUSTER_RANK, CLUSTER_SIZE };

static const char *const specials[] = {
    [LANE] = "laneid",
    [WARP_NUMBER] = "warpid",
    [CLUSTER_RANK] = "cluster_ctarank",
    [CLUSTER_SIZE] = "cluster_nctarank",
};

unsigned ptx_special_named(const char *name, const void *at)
{
    for (unsigned i = 0; i < sizeof specials / sizeof *specials; i++)
        if (strcmp(name, specials[i]) == 0)
            return i;
    sim_fail(at, "PTX cannot be simulated: register %%%s", name);
}

uint64_t ptx_special(unsigned which)
{
    switch ((enum special)which) {
    case LANE: return sim_lane->number % WARP;
    case WARP_NUMBER: return sim_lane->number / WARP;
    case CLUSTER_RANK: return sim_block.rank;
    default: return sim_cluster_size();
    }
}

uint64_t ptx_get(const struct ptx_frame *f, const struct ptx_instruction *i, unsigned n)
{
    const struct ptx_operand *o = &i->operand[n];
    uint64_t value;

    switch (o->kind) {
    case PTX_GIVEN:
        value = f->words[o->at];
        if (o->words == 2)
            value |= (uint64_t)f->words[o->at + 1] << 32;
        return value + o->value;
    case PTX_LOCAL: return f->local[o->at] + o->value;
    case PTX_SPECIAL: return ptx_special(o->at);
    default: return o->value;
    }
}

void ptx_set(struct ptx_frame *f, const struct ptx_instruction *i, unsigned n, uint64_t value)
{
    const struct ptx_operand *o = &i->operand[n];

    if (o->kind == PTX_LOCAL) {
        f->local[o->at] = value;
    } else if (o->kind == PTX_GIVEN) {
        f->words[o->at] = (uint32_t)value;
        if (o->words == 2)
            f->words[o->at + 1] = (uint32_t)(value >> 32);
    }
}

/* --- simple instructions ---------------------------------------------------------------------- */

void ptx_expect(const struct ptx_frame *f, const struct ptx_instruction *i, unsigned operands)
{
    if (i->first[i->groups] != operands)
        sim_fail(f->at, "PTX cannot be simulated: %s with %u operands", i->place.operation,
                 i->first[i->groups]);
}

void ptx_move(struct ptx_frame *f, const struct ptx_instruction *i)
{
    ptx_expect(f, i, 2); /* in the place of one operand, {a, b} would be two */
    ptx_set(f, i, 0, ptx_get(f, i, 1));
}

/* setp.eq, setp.ne, of 32 bits */
void ptx_compare(struct ptx_frame *f, const struct ptx_instruction *i)
{
    ptx_expect(f, i, 3);
    const bool equal = (uint32_t)ptx_get(f, i, 1) == (uint32_t)ptx_get(f, i, 2);

    ptx_set(f, i, 0, equal == (i->place.operation[strlen("setp.")] == 'e'));
}

void ptx_select(struct ptx_frame *f, const struct ptx_instruction *i)
{
    ptx_expect(f, i, 4);
    ptx_set(f, i, 0, ptx_get(f, i, ptx_get(f, i, 3) != 0 ? 1 : 2));
}

/* instructions that only matter on a GPU */
void ptx_nothing(struct ptx_frame *f, const struct ptx_instruction *i)
{
    (void)f;
    (void)i;
}

/* --- together --------------------------------------------------------------------------------- */

/* Returns the first of the threads that will meet with this one. */
static struct sim_lane *first_of(const struct sim_lane *lane, unsigned threads)
{
    return &sim_block.lane[lane->number / threads * threads];
}

static bool is_here(const struct sim_lane *lane, const struct ptx_instruction *i)
{
    return lane->state == TOGETHER && lane->together->now == i;
}

void ptx_together(struct ptx_frame *f, const struct ptx_instruction *i, unsigned threads,
                  ptx_act *act)
{
    struct ptx_frame *of[PTX_TOGETHER];
    struct sim_lane *first = first_of(sim_lane, threads);

    f->now = i;
    f->threads = threads;
    sim_lane->together = f;
    sim_lane->place = &i->place;
    if (sim_watching != 0)
        sim_watch_meeting(~0u);
    for (unsigned n = 0; n < threads; n++) {
        if (&first[n] != sim_lane && !is_here(&first[n], i)) {
            sim_wait(TOGETHER);
            return;
        }
        of[n] = first[n].together;
    }
    act(of, i);
    for (unsigned n = 0; n < threads; n++)
        if (&first[n] != sim_lane)
            sim_make_ready(&first[n]);
}

void ptx_report_missing(void)
{
    for (unsigned n = 0; n < sim_block.threads; n++) {
        const struct sim_lane *lane = &sim_block.lane[n];
        if (lane->state != TOGETHER)
            continue;
        const struct ptx_instruction *i = lane->together->now;
        const unsigned threads = lane->together->threads;
        const struct sim_lane *other = first_of(lane, threads);
        while (is_here(other, i) && other->number + 1 < sim_block.threads)
            other++;
        sim_lane = &sim_block.lane[n];
        if (sim_block.threads % threads != 0 && is_here(other, i))
            sim_fail(lane->together->at, "missing lane: %s is for %u threads, but the block ends "
                     "before", i->place.operation, threads);
        if (other->state == RETURNED)
            sim_fail(lane->together->at, "missing lane: %s waits for thread %u, which has returned",
                     i->place.operation, other->number);
        sim_fail(lane->together->at, "missing lane: %s waits for thread %u, which waits in %s "
                 "(%s:%d)", i->place.operation, other->number, other->place->operation,
                 other->place->file, other->place->line);
    }
}

/* --- statements ------------------------------------------------------------------------------- */

void cudasim_execute(struct cudasim_ptx *statement, const char *constraints, uint32_t *words,
                     const void *at)
{
    struct ptx_frame f = {.words = words, .at = at};

    if (statement->program == NULL)
        statement->program = ptx_read(statement, constraints, at);
    const struct ptx_program *p = statement->program;
    if (sim_lane == NULL && p->count > 0)
        sim_fail(at, "PTX outside a kernel: %s", p->instruction->place.operation);
    for (unsigned n = 0; n < p->count; n++) {
        const struct ptx_instruction *i = &p->instruction[n];
        if (i->condition < 0 || (f.local[i->condition] != 0) != i->negated)
            i->run(&f, i);
    }
}
