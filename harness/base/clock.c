#include "harness/base/clock.h"

double clock_step(void)
{
    enum { TRIALS = 100 };
    static double step;

    if (step > 0.0)
        return step;
    for (int i = 0; i < TRIALS; i++) {
        double a = clock_now(), b = clock_now();
        while (b == a)
            b = clock_now();
        if (step == 0.0 || b - a < step)
            step = b - a;
    }
    return step;
}

double clock_cpu_of(pid_t process)
{
    clockid_t its;

    return clock_getcpuclockid(process, &its) == 0 ? clock_read(its) : 0.0;
}
