/* EXERCISE
title: All the cores
problem: saxpy
concept: OpenMP, equal shares, when threads do not help
minutes: 10
story:
  The loop of exercise 01 runs on one core, and this machine has more. The iterations do not depend on each other, so
  they may run at the same time. OpenMP does this with a team of threads. You ask for it with a pragma, which is a line
  for the compiler. "#pragma omp parallel" makes a team, and every thread of it does all of what follows. "#pragma omp for"
  divides the iterations of the loop behind it among the team. Both words may stand in one line.
task:
  - Put a pragma in front of the loop, so that each thread gets an equal share. Nothing else has to change.
  - With more and more cores, which do you expect to run out first: arithmetic, or memory? Write one of these two words
  behind "answer runs_out:" at the top of the file.
now: one thread does all the work
goal: every thread has the same share
why: all iterations take equally long; if one thread has twice its share, all the others wait for it
sizes: 0 1 2 3 31 32 33 257 1023 1025 104729
count: 16777216
gate: threads_at_work >= 2 | one-thread | One thread does all of the work at this size.
gate: imbalance <= 1.5 | uneven | The busiest thread has much more than its share.
clue: omp for | parallel | one-thread | "omp for" divides the iterations among a team, but there is no team: one thread does them all.
clue: without parallel | omp for | one-thread | No line has "parallel", so there is no team: one thread does all iterations.
clue: alone omp single | omp task, omp_get_thread_num, omp for, parallel for | one-thread | "omp single" gives what follows to one thread of the team, and the others wait for it.
clue: omp master | omp_get_thread_num, omp for, parallel for | one-thread | "omp master" gives what follows to thread 0, and the others do nothing.
clue: omp_get_thread_num() == 0 | omp for, parallel for | one-thread | The condition omp_get_thread_num() == 0 holds for thread 0 of the team only, so it does all of what follows alone.
clue: num_threads(1) | - | one-thread | num_threads(1) asks for a team of one thread.
clue: omp critical | - | uneven | "omp critical" lets one thread at a time in, so the threads wait for each other.
clue: omp ordered | - | uneven | "omp ordered" lets the iterations run one after another, so the threads wait for each other.
clue: parallel for if | - | one-thread | The clause if(...) of the pragma decides whether there is a team: there is none where its condition does not hold.
clock: 8388608 | saxpy/cpu_naive | saxpy/cpu_openmp | 0.75 | Either some cores wait while others work (critical does that, and unequal shares), or threads are
  started more than once, or the shares are tiny: schedule(dynamic) gives a thread one iteration at a time. saxpy/cpu_openmp
  has one team and equal shares, and nothing else.
answer runs_out: memory or mem or bandwidth or ram | An element needs 2 operations and 12 bytes. One core does 10 operations in a nanosecond or more, and would need 60 bytes for them. Memory brings some tens of bytes in a nanosecond, for all cores together.
starter: one-thread
hint 1:
  OpenMP must do two things for you. It must make several threads. What must it do with the loop?
hint 2:
  The pragma stands directly before the `for`. Two words are needed behind `omp`. The compiler ignores a word that is
  misspelt, and warns: look for a line "compiler:" in the verdict.
hint 3:
  #pragma omp (make a team) (divide the loop)
  for (all elements)
say not-answered:
  The comment at the top of the file has the line "answer runs_out: ?". Write arithmetic or memory there.
say out-of-bounds: before the start |
  A share begins before element 0. The threads of a team have the numbers 0 to T - 1, so the first share is that of thread 0.
say out-of-bounds:
  Element n does not exist. A share that is rounded up may end behind the last element: cut its end at n.
say part-missing: share of a whole thread |
  A thread's share goes from its own start to its own start plus the length of a share. Thread 0 alone has a share that begins at 0.
say tail-missing: share of a whole thread |
  A thread's share goes from its own start to its own start plus the length of a share. Thread 0 alone has a share that begins at 0.
say last-missed: a rest is left |
  n need not be a multiple of the number of threads. If you divide by hand, no thread gets the rest of the division. The
  pragma of the task gives it to one.
say last-missed:
  The last element has number n - 1. Does the loop, or the last thread's share, reach it? The pragma of the task divides all elements.
say tail-missing: a rest is left |
  n need not be a multiple of the number of threads. If you divide by hand, no thread gets the rest of the division. The
  pragma of the task gives it to one.
say tail-missing:
  The last element has number n - 1. Does the loop, or the last thread's share, reach it? The pragma of the task divides all elements.
say first-missed:
  The first element has number 0. Threads have the numbers 0, 1 and so on.
say gaps: so the step is |
  The step of each thread's loop must be the number of threads in the team, omp_get_num_threads(): it differs from machine to machine.
  The pragma of the task does this.
say gaps:
  If you divide by hand: thread t of T threads takes elements t, t + T, t + 2T and so on, or a block of its own without a gap
  to the next one's. The pragma of the task does this.
say race: outside of all functions |
  Declare the variable where it is set, inside of the loop or of the function that sets it: then each thread has its own.
say race: as static |
  A static variable lives in one place for the whole program. Leave the word out: then each thread has its own.
say race:
  What is declared before the team is shared by its threads: one may read what another one has just written there. Declare the
  variable where it is set, inside of the team's block, or name it in private(...).
say no-gain:
  In this measurement threads hardly helped our own solution. If other programs were running, measure again. Otherwise: one core can read and write nearly as fast as the memory allows, so
  more cores share the same memory, and starting a team takes time. You have done what was asked.
wrong unanswered: not-answered | Guess first, then measure.
wrong arithmetic: wrong-answer | How many bytes does one multiplication need here?
wrong only_for: one-thread | Who divides the loop, if there is no team?
wrong only_parallel: repeated-work | Every thread does all of what stands behind "parallel". What divides the loop?
wrong only_simd: one-thread | Which word of OpenMP begins a team?
wrong misspelt: one-thread | Read the compiler's warnings: it ignores a pragma that it does not know.
wrong one_of_them: one-thread | What do the other threads do meanwhile?
wrong big_chunks: uneven | How many chunks of that size are there, and how many threads?
wrong halves: last-missed | What is 7 / 2?
wrong fixed_step: gaps | How many threads has the team, and who says so?
wrong private_p: uninitialized | Which p does each thread get, and who sets it?
wrong team_before: repeated-work | How many threads are there before the team begins?
wrong two_teams: repeated-work | What does each thread of the first team do at the second pragma?
wrong single: one-thread | What do the other threads do meanwhile?
wrong one_number: race | How many variables t are there, and how many threads set it?
wrong divided_number: race | How many variables t are there, and how many threads set it?
wrong static_number: race | What does the word static change for t?
wrong team_of_function: repeated-work | Which threads call the function, and what does each of them do there?
wrong no_y: term-missing | The formula has two terms.
right large_only: a clause decides whether there is a team
right two_lines: there are two blanks in a pragma, and shares are dealt out
right rest: thread 0 has the rest as well as its share
extra:
  Run `build-sim/rungs bench saxpy --size n=2000`, and again with n=2^24. From which size on do threads pay off? What does it
  cost to start them?
discuss:
  Twice as many cores are hardly ever twice as fast here. If one core can use up most of the memory's bandwidth, more threads
  may even be slower. For which problem would twice as many cores be twice as fast?
*/
/*
 * 02 All the cores: the loop of 01, divided among the threads of a team.
 *
 * With more and more cores, what runs out first: arithmetic or memory?
 * Write one of these two words in place of the question mark.
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
#if WRONG_team_before || WRONG_halves || WRONG_one_number || WRONG_fixed_step || RIGHT_rest
#include <omp.h>
#endif

#if WRONG_team_of_function
static void all_elements(const struct saxpy *p)
{
#pragma omp parallel for
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

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
#elif WRONG_only_simd
#pragma omp simd
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
#elif WRONG_fixed_step
#pragma omp parallel
    for (size_t i = (size_t)omp_get_thread_num(); i < p->n; i += 1000)
        p->z[i] = p->a * p->x[i] + p->y[i];
#elif WRONG_halves
#pragma omp parallel num_threads(2)
    {
        size_t half = p->n / 2, first = half * (size_t)omp_get_thread_num();

        for (size_t i = first; i < first + half; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
    }
#elif WRONG_team_before
    size_t count = (size_t)omp_get_num_threads();

#pragma omp parallel
    for (size_t i = (size_t)omp_get_thread_num(); i < p->n; i += count)
        p->z[i] = p->a * p->x[i] + p->y[i];
#elif WRONG_two_teams
#pragma omp parallel
    {
#pragma omp parallel for
        for (size_t i = 0; i < p->n; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
    }
#elif WRONG_single
#pragma omp parallel
#pragma omp single
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
#elif WRONG_one_number
    size_t t, count;

#pragma omp parallel
    {
        t = (size_t)omp_get_thread_num();
        count = (size_t)omp_get_num_threads();
        for (size_t i = t * p->n / count; i < (t + 1) * p->n / count; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
    }
#elif WRONG_divided_number
    float t;

#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (size_t i = 0; i < p->n; i++) {
            t = p->a * p->x[i];
            p->z[i] = t + p->y[i];
        }
    }
#elif WRONG_static_number
#pragma omp parallel for
    for (size_t i = 0; i < p->n; i++) {
        static float t;

        t = p->a * p->x[i];
        p->z[i] = t + p->y[i];
    }
#elif WRONG_team_of_function
#pragma omp parallel
    all_elements(p);
#elif WRONG_private_p
#pragma omp parallel for private(p)
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
#elif RIGHT_large_only
#pragma omp parallel for if (p->n > 1000)
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
#elif RIGHT_two_lines
#pragma omp parallel
    {
#pragma omp  for schedule(dynamic, 1024)
        for (size_t i = 0; i < p->n; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
    }
#elif RIGHT_rest
#pragma omp parallel
    {
        const size_t t = (size_t)omp_get_thread_num(), each = p->n / (size_t)omp_get_num_threads();

        for (size_t i = t * each; i < (t + 1) * each; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
        if (omp_get_thread_num() == 0)
            for (size_t i = each * (size_t)omp_get_num_threads(); i < p->n; i++)
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
