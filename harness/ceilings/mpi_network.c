/* How many bytes a second go each way while both ways are busy: beta. */
/* needs: mpicc */
#include "harness/ceilings/mpi_exchange.h" /* prepare, exchange, answer, release */

enum { BYTES = 32 << 20 }; /* of a run at least: what else every run pays is then a small part */

static void run(const void *problem)
{
    const int times = BYTES / length > 1 ? BYTES / length : 1;

    exchange(times);
    answer(problem, (double)times * length);
}

CEILING(RESOURCE_NETWORK, .idea = "two ranks exchange large messages", .traits = TRAIT_RANKS,
        .prepare = prepare, .run = run, .release = release)
