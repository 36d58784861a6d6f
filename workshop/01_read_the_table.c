/* EXERCISE
title: Read the table
problem: saxpy
concept: a problem, a variant, a judge, a table
minutes: 8
story:
  Rungs has one specification of each problem and many ways to compute it. Each way is a variant, and each variant
  is one file. A judge checks the results of a variant before the variant is timed.
  The table of their times is the one of "extra" below: `build-sim/rungs bench 'saxpy/cpu_*'`.

  The simplest problem is saxpy: z = a*x + y, for n elements. The simplest variant is a loop.
task:
  - Fill in the loop's body. p->x[i], p->y[i] and p->z[i] are the elements with number i; p->a is the factor.
  - How many bytes does one element move? Count the floats that are read for it and the floats that are written.
  Write the number behind "answer bytes:" at the top of the file, in place of the question mark.
now: no element of z is written
goal: all elements are right, at every size from 0 on
why: the time of a variant is worth nothing if its results are wrong at some size
sizes: 0 1 2 3 31 32 33 257 1023 1025 104729
answer bytes: 12 | Two floats are read for each element, x[i] and y[i]. One float is written, z[i]. A float has 4 bytes.
starter: nothing-written
hint 1:
  In z = a*x + y, which array stands on the left of the =? Which two arrays are read?
hint 2:
  One statement is missing in the loop's body. Apart from that, the comment with "answer bytes:" needs a number in
  place of the question mark.
hint 3:
  element i of z  becomes  the factor times element i of x, plus element i of y
  bytes = 4 times (number of arrays read + number of arrays written)
clue: * sizeof | - | out-of-bounds | A pointer to float counts in floats, not in bytes: pointer + number * sizeof(float) is four times as far as pointer + number.
say not-answered:
  The comment at the top of the file has the line "answer bytes: ?". Write a number there.
say out-of-bounds: no element at all |
  The loop must not run once if n is 0. A loop up to i <= n does, and so does one up to i < n - 1: n is unsigned, and 0 - 1 is
  the largest number of its type. The last element has number n - 1.
say out-of-bounds: is always true |
  Count down in another way: test whether i is above 0 first, and take element i - 1.
say out-of-bounds: does not belong to this |
  The statement below is not in the loop. It is done once, behind the loop, when i is n.
say endless: goes on behind |
  Nothing ends the loop: its variable must change in each iteration, and its condition must become false when it is n.
say out-of-bounds: counts in floats |
  The loop goes on behind the last element. p->x + p->n points behind it, whatever the size of a float.
say out-of-bounds: all elements are right |
  The loop goes on behind the last element, which has number n - 1: a loop with i < n ends there, and one with i <= n does not.
say out-of-bounds: previous neighbour |
  The index on the left of the = is one too large: the first value belongs into z[0].
say out-of-bounds: only the first element is wrong |
  The elements have the numbers 0 to n - 1. Here those from 1 to n are used.
say out-of-bounds:
  The elements have the numbers 0 to n - 1. The index in the statement goes past one of the ends.
say last-missed: that is left |
  Steps of several elements leave a rest behind them: it begins at n minus the rest, and ends at n - 1.
say last-missed:
  The last element has number n - 1. Does the last turn of the loop reach it, whatever n is?
say off-by-one:
  Element i of z needs element i of x and element i of y: all three have the same index.
say reversed:
  Element i of z needs element i of x and element i of y: all three have the same index.
say same-for-all:
  Element i of z needs element i of x and element i of y. A number in the brackets is the same element every time.
say nothing-written:
  Nothing has changed z: no statement with p->z[i] on the left of an = has run.
say added-to-old:
  z holds no numbers before the call. p->z[i] stands on the left of a single =, so that what was there does not matter.
say writes-input:
  x and y are inputs and must not change, because other variants read the same arrays. The result belongs into z.
wrong unanswered: not-answered | A guess costs nothing. How many floats does the statement name?
wrong two_arrays: wrong-answer | Is writing free? One float is written for each element, too.
wrong no_y: term-missing | Read the formula aloud.
wrong brackets: wrong-brackets | Try it with a = 0.
wrong starts_at_one: first-missed | What is the number of the first element?
wrong one_too_far: out-of-bounds | How many iterations has a loop from 0 to n inclusive?
wrong below_zero: out-of-bounds | At n = 0: what is n - 1, for a number that is never below 0?
wrong next_y: off-by-one | Which y belongs to x[3]?
wrong same_y: same-for-all | Which y belongs to x[3]?
wrong one_too_few: last-missed | At n = 1: how many iterations?
wrong adds_up: doubled | What is in z before the first call, and what before the second?
wrong plus_equals: added-to-old | What is NaN plus 1? What is in z before the first call?
wrong a_for_y: wrong-operator | Read the formula aloud. Which letter stands behind the plus?
wrong running_sum: counted-again | What is in the variable when the next element begins?
wrong one_further: out-of-bounds | Where does the first value belong?
wrong rest_of_fours: gaps | Which element comes behind the last four?
wrong in_pairs: last-missed | Which elements does the last turn of the loop do when n is 3?
wrong y_from_end: reversed | Which y belongs to x[0]?
wrong into_y: writes-input | Where does the formula put the result?
right copied_first: it copies y to z, and adds to it: bytes stand in the text, and +=
extra:
  `build-sim/rungs bench 'saxpy/cpu_*'` shows the table. Which variant is the fastest here? Which resource does the column
  `% of peak` name for it? How many GB/s does it reach, if you count 12 bytes for each element?
discuss:
  An element needs two operations and 12 bytes. Which of the two does a processor run out of first?
*/
/*
 * 01 Read the table: z = a*x + y, as a loop.
 *
 * How many bytes does an element move, read and written?
 * Write a number in place of the question mark.
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
#if RIGHT_copied_first
#include <string.h>
#endif

static void run(const void *problem)
{
    const struct saxpy *p = problem;

#if RIGHT_copied_first
    if (p->n > 0)
        memcpy(p->z, p->y, p->n * sizeof *p->z);
    for (size_t i = 0; i < p->n; i++) {
#elif WRONG_starts_at_one
    for (size_t i = 1; i < p->n; i++) {
#elif WRONG_one_too_far
    for (size_t i = 0; i <= p->n; i++) {
#elif WRONG_below_zero
    for (size_t i = 0; i < p->n - 1; i++) {
#elif WRONG_rest_of_fours
    for (size_t i = 0; i < p->n / 4 * 4; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    for (size_t i = p->n / 4 * 4 + 1; i < p->n; i++) {
#elif WRONG_in_pairs
    for (size_t i = 0; i + 1 < p->n; i += 2) {
        p->z[i + 1] = p->a * p->x[i + 1] + p->y[i + 1];
#elif WRONG_one_too_few
    for (size_t i = 0; i + 1 < p->n; i++) {
#else
    for (size_t i = 0; i < p->n; i++) {
#endif
#if STARTER
        /* One statement is missing here. */
#elif RIGHT_copied_first
        p->z[i] += p->a * p->x[i];
#elif WRONG_no_y
        p->z[i] = p->a * p->x[i];
#elif WRONG_next_y
        p->z[i] = p->a * p->x[i] + p->y[i + 1];
#elif WRONG_y_from_end
        p->z[i] = p->a * p->x[i] + p->y[p->n - 1 - i];
#elif WRONG_same_y
        p->z[i] = p->a * p->x[i] + p->y[0];
#elif WRONG_brackets
        p->z[i] = p->a * (p->x[i] + p->y[i]);
#elif WRONG_adds_up
        p->z[i] = p->a * p->x[i] + p->y[i];
        p->z[i] += p->z[i];
#elif WRONG_plus_equals
        p->z[i] += p->a * p->x[i] + p->y[i];
#elif WRONG_a_for_y
        p->z[i] = p->a * p->x[i] + p->a;
#elif WRONG_running_sum
        p->z[i] = p->a * p->x[i] + p->y[i] + (i > 0 ? p->z[i - 1] : 0);
#elif WRONG_one_further
        p->z[i + 1] = p->a * p->x[i] + p->y[i];
#elif WRONG_into_y
        ((float *)p->y)[i] = p->a * p->x[i] + p->y[i];
#else
        p->z[i] = p->a * p->x[i] + p->y[i];
#endif
    }
}

VARIANT(.idea = "the specification as a loop, mine", .run = run)
