/* How many small messages follow one another: the inverse is alpha, what a message costs however short it is. */
/* needs: mpicc */
#include "harness/ceilings/mpi_exchange.h" /* prepare, exchange, answer, release */

enum { TIMES = 1000 }; /* so that the order to all ranks and the barrier, which every run pays, are a small part */

static void run(const void *problem)
{
    exchange(TIMES);
    answer(problem, TIMES);
}

CEILING(RESOURCE_MESSAGE, .idea = "two ranks exchange messages, one after another", .traits = TRAIT_RANKS,
        .prepare = prepare, .run = run, .release = release)
