/* EXERCISE
title: All the cores
problem: saxpy
concept: OpenMP, equal shares, when threads do not help
minutes: 10
story:
  The loop of exercise 01 runs on one core, and this machine has more of them. Its turns have nothing
  to do with each other, so they may run at the same time: OpenMP starts a team of threads, and gives
  each of them a share of the turns. One asks for it by a pragma, a line for the compiler:
  "#pragma omp parallel" makes a team, all of which do what follows, and "#pragma omp for" shares the
  turns of the loop behind it among the team. Both words can stand in one line.
task:
  Put a pragma in front of the loop, so that each thread gets an equal share. Nothing else must change.
  And write down, behind "answer runs_out:", which you expect to run out first if you use more and more
  cores: arithmetic, or memory? One of the two words.
now: one thread does all the work
goal: every thread has the same share
why: the turns are equal work; a thread with twice its share makes all others wait as long
sizes: 0 1 2 3 31 32 33 257 1023 1025 104729
count: 16777216
gate: threads_at_work >= 2 | one-thread | Either there is no team, or all others of the team wait while one works.
gate: imbalance <= 1.5 | uneven | The busiest thread has much more than its share.
clue: omp for | parallel | one-thread | "omp for" shares the turns among a team, and here is none: one thread does them all.
clue: omp parallel | parallel for, omp for, omp_get_thread_num, omp sections, omp task | repeated-work | A team was made, and nothing is shared: each thread does all the turns, the same work as often as there are threads.
clock: 8388608 | saxpy/cpu_naive | saxpy/cpu_openmp | 0.75 | Some cores wait while others still work, or the
  threads are started more than once: one team and equal shares are all that ours has.
answer runs_out: memory or the memory | Two operations for 12 bytes: a core does some ten thousand million operations a second, and the memory brings that many bytes for all cores together.
starter: one-thread
hint 1:
  Which two things must OpenMP do for you: make several threads, and do what with the loop?
hint 2:
  The pragma stands directly before the `for`. Two words behind `omp` are needed, and a word that is
  misspelt is ignored: a line "mind:" in the verdict says so.
hint 3:
  #pragma omp (make a team) (share out the loop)
  for (all elements)
say not-answered:
  In the comment at the top of the file stands "answer runs_out: ?". Write arithmetic, or memory, there.
wrong unanswered: not-answered | Guess first, measure then.
wrong arithmetic: wrong-answer | How many bytes for one multiplication?
wrong only_for: one-thread | Who shares the loop, if there is no team?
wrong only_parallel: repeated-work | All do what stands behind "parallel". Who shares the loop?
wrong misspelt: one-thread | Read the compiler's warnings: an unknown pragma is ignored.
wrong one_of_them: one-thread | What do the other threads do meanwhile?
wrong big_chunks: uneven | How many chunks of that size are there, and how many threads?
wrong halves: last-missed | What is 7 / 2?
wrong no_y: term-missing | The formula has two terms.
extra:
  `build-sim/rungs bench saxpy --size n=2000` and then with n=2^24: from where on do threads pay? What
  does it cost to start them?
discuss:
  Twice as many cores are hardly ever twice as fast here. For which problem would they be?
*/
/*
 * 02 All the cores: the loop of 01, shared among the threads of a team.
 *
 * With more and more cores, what runs out first: arithmetic or memory?
 */
#if STARTER || WRONG_unanswered
/* answer runs_out: ? */
#elif WRONG_arithmetic
/* answer runs_out: arithmetic */
#else
/* answer runs_out: memory */
#endif
#include "common/saxpy.h"
#include "common/variant.h"
#if WRONG_halves
#include <omp.h>
#endif

static void run(const void *problem)
{
    const struct saxpy *p = problem;

#if STARTER
    /* One line is missing here. */
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
#elif WRONG_only_for
#pragma omp for
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
#elif WRONG_only_parallel
#pragma omp parallel
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
#elif WRONG_misspelt
#pragma omp parralel for
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
#elif WRONG_one_of_them
#pragma omp parallel
#pragma omp master
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
#elif WRONG_big_chunks
#pragma omp parallel for schedule(static, 14000000)
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
#elif WRONG_halves
#pragma omp parallel num_threads(2)
    {
        size_t half = p->n / 2, first = half * (size_t)omp_get_thread_num();

        for (size_t i = first; i < first + half; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
    }
#elif WRONG_no_y
#pragma omp parallel for
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i];
#else
#pragma omp parallel for
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
#endif
}

VARIANT(.idea = "all cores, equal shares, mine", .base = "cpu_naive", .run = run)
