/*
 * Binds one thread to each core.  A system may take 20 ms to separate two threads that it started on one
 * core, which is longer than a block.
 */
#include <omp.h>
#include <sched.h>

static cpu_set_t allowed; /* the processors of this process */

static void team_start(int cores)
{
    sched_getaffinity(0, sizeof allowed, &allowed);
    if (cores == 1)
        return;
#pragma omp parallel num_threads(cores)
    {
        cpu_set_t mine;
        int before = omp_get_thread_num();

        CPU_ZERO(&mine);
        for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, &allowed) && before-- == 0)
                CPU_SET(cpu, &mine);
        sched_setaffinity(0, sizeof mine, &mine); /* of this thread; failure does no harm */
    }
}

static void team_end(void)
{
    sched_setaffinity(0, sizeof allowed, &allowed); /* new threads inherit this from the first */
}
