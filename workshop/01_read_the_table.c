/* EXERCISE
title: Read the table
problem: saxpy
concept: a problem, a variant, a judge, a table
minutes: 8
story:
  Rungs has one specification for each problem, and many ways to compute it, the variants of a ladder.
  Each variant is one file, and each is judged before it is timed. The simplest problem is saxpy:
  z = a*x + y, for n elements. The simplest variant is a loop.
task:
  Fill in the loop's body. p->x[i], p->y[i] and p->z[i] are the elements with number i, p->a is the
  factor; common/saxpy.h describes all of them. And write down how many bytes an
  element moves: how many floats are read for it, how many written, and how large is one? The answer
  is a number, in place of the question mark behind "answer bytes:" at the top of the file.
now: no element of z is written
goal: all of them are right, at every size from 0 on
why: a table of times is worth nothing if a variant in it is wrong at the sizes that nobody tried
sizes: 0 1 2 3 31 32 33 257 1023 1025 104729
answer bytes: 12 | Two floats are read for each element, x[i] and y[i], and one is written, z[i]; a float has 4 bytes.
starter: nothing-written
hint 1:
  Which three arrays are there, and which of them is written? What stands on the left of the = in
  z = a*x + y, for one element?
hint 2:
  The comment with "answer bytes:" waits for a number in the place of the question mark. In the loop's
  body, one statement is missing.
hint 3:
  the element i of z  becomes  the factor times the element i of x, plus the element i of y
  bytes = 4 times (how many arrays are read + how many are written)
say not-answered:
  In the comment at the top of the file stands "answer bytes: ?". Write a number there.
say out-of-bounds:
  The last element has number n - 1. A loop to i <= n goes one too far.
say nothing-written:
  Is there a statement in the loop, with p->z[i] on the left of a single = ?
say writes-input:
  x and y are for reading; other variants get the same ones. The answer goes into z.
wrong unanswered: not-answered | A guess costs nothing. How many floats does the statement name?
wrong two_arrays: wrong-answer | Is writing free? Something is written for each element, too.
wrong no_y: term-missing | Read the formula aloud.
wrong brackets: wrong-brackets | Try it with a = 0.
wrong starts_at_one: first-missed | What is the number of the first element?
wrong one_too_far: out-of-bounds | How many turns has a loop from 0 to n inclusive?
wrong one_too_few: last-missed | At n = 1: how many turns?
wrong adds_up: doubled | What is in z before the first call, and what before the second?
wrong plus_equals: nothing-written | What is NaN plus 1? What is in z before the first call?
wrong into_y: writes-input | Where does the formula put the answer?
extra:
  `build-sim/rungs bench saxpy/cpu_*` shows the table. Which variant is the fastest here, what does `of
  limit` say it is limited by, and how many GB/s is that? Count 12 bytes for each element.
discuss:
  Two operations for 12 bytes: which of the two does a processor run out of first?
*/
/*
 * 01 Read the table: z = a*x + y, as a loop.
 *
 * How many bytes are moved for each element, read and written?
 */
#if STARTER || WRONG_unanswered
/* answer bytes: ? */
#elif WRONG_two_arrays
/* answer bytes: 8 */
#else
/* answer bytes: 12 */
#endif
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

#if WRONG_starts_at_one
    for (size_t i = 1; i < p->n; i++) {
#elif WRONG_one_too_far
    for (size_t i = 0; i <= p->n; i++) {
#elif WRONG_one_too_few
    for (size_t i = 0; i + 1 < p->n; i++) {
#else
    for (size_t i = 0; i < p->n; i++) {
#endif
#if STARTER
        /* One statement is missing here. */
#elif WRONG_no_y
        p->z[i] = p->a * p->x[i];
#elif WRONG_brackets
        p->z[i] = p->a * (p->x[i] + p->y[i]);
#elif WRONG_adds_up
        p->z[i] = p->a * p->x[i] + p->y[i];
        p->z[i] += p->z[i];
#elif WRONG_plus_equals
        p->z[i] += p->a * p->x[i] + p->y[i];
#elif WRONG_into_y
        ((float *)p->y)[i] = p->a * p->x[i] + p->y[i];
#else
        p->z[i] = p->a * p->x[i] + p->y[i];
#endif
    }
}

VARIANT(.idea = "the specification as a loop, mine", .run = run)
