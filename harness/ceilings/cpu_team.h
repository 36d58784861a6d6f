/*
 * A thread for each core, and each stays on its own: a system may take 20 ms to part two threads
 * that it has woken on one core, which is longer than a block.
 */
#include <omp.h>
#include <sched.h>

static cpu_set_t allowed; /* to this process */

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
        sched_setaffinity(0, sizeof mine, &mine); /* of this thread; if it fails, nothing is lost */
    }
}

static void team_end(void)
{
    sched_setaffinity(0, sizeof allowed, &allowed); /* threads to come inherit the first one's */
}
