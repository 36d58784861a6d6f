/*
 * A loop with arrays of its own, and nothing of Rungs around it: what a clock is put round in alone.c and benchmark.cc.
 */
#ifndef ALONE_LOOP_H
#define ALONE_LOOP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates and fills the arrays; `size` is S or M.  Ends the program if there is no such size. */
void loop_prepare(const char *size);

/* Moves all arrays to other places, drawn at random: where arrays lie to each other can matter several times over. */
void loop_move(void);

/* One call. */
void loop_run(void);

#ifdef __cplusplus
}
#endif
#endif
