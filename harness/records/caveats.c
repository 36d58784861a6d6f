#include "harness/records/caveats.h"

#include "harness/base/clock.h"

static const double MANY_BLOCKS = 0.2, LAUNCH = 5e-6, STEPS = 100.0, ON_CPU = 0.9, NOISE = 0.05,
                    SLOW_START = 2.0;
enum { FEW = 6, RESTARTS = 4 };

const char *const flag_names[FLAGS] = {"throttled", "launch_bound", "timer_coarse", "off_cpu",
                                       "noisy",     "drift",        "few_samples",  "single_call",
                                       "first_run_slow", "any_tie", "host_clock", "varies",
                                       "engine"};
const char *const flag_meanings[FLAGS] = {
    "heat or power lowered the GPU's clock in more than 20 % of the blocks",
    "a run is shorter than 5 us, so mostly the kernel launch is timed",
    "a sample is shorter than 100 steps of the clock",
    "the only thread had a core for less than 90 % of the time",
    "half of the confidence interval is more than 5 % of the median",
    "times kept drifting after older rounds were dropped four times",
    "fewer than 6 rounds, too few for a confidence interval",
    "timed by a single call, because more would take too long: no confidence interval",
    "the first call took more than twice as long as the timed ones",
    "of equal answers it may give another one than the problem's rule says",
    "phases on the GPU by the host's clock, so with the calls that start them",
    "right, but a second call on the same data gave other bits: its sums have no fixed order",
    "an engine: its processes may connect to each other, and share files and memory",
};
const char flag_letters[FLAGS] = {'T', 'L', 'C', 'O', 'N', 'D', 'F', '1', '\0', 't', 'H', 'V', 'E'};

static bool throttled(const struct result *r)
{
    size_t count = 0;

    for (size_t i = 0; i < r->blocks; i++)
        count += telemetry_throttled(&r->telemetry[i]);
    return (double)count > MANY_BLOCKS * (double)r->blocks;
}

unsigned caveats_of(const struct result *r)
{
    if (!result_timed(r))
        return 0;
    const struct summary e2e = series_summary(&r->time[PHASE_E2E]);
    const double run = series_median(&r->time[PHASE_RUN]); /* NaN: false below */
    unsigned flags = r->any_tie ? 1u << FLAG_ANY_TIE : 0;

    flags |= r->host_clock ? 1u << FLAG_HOST_CLOCK : 0;
    flags |= r->engine[0] != '\0' ? 1u << FLAG_ENGINE : 0;
    flags |= r->varies ? 1u << FLAG_VARIES : 0;

    flags |= throttled(r) ? 1u << FLAG_THROTTLED : 0;
    flags |= run < LAUNCH && r->mpi.ranks == 0 ? 1u << FLAG_LAUNCH_BOUND : 0;
    flags |= e2e.median * (double)r->reps < STEPS * clock_step() ? 1u << FLAG_COARSE : 0;
    flags |= result_on_cpu(r) && r->threads <= 1 && r->cores < ON_CPU ? 1u << FLAG_OFF_CPU : 0;
    flags |= e2e.high - e2e.low > 2.0 * NOISE * e2e.median ? 1u << FLAG_NOISY : 0;
    flags |= r->drift_restarts >= RESTARTS ? 1u << FLAG_DRIFT : 0;
    if (result_single_call(r))
        return flags | 1u << FLAG_SINGLE_CALL;
    flags |= r->time[PHASE_E2E].rounds < FEW ? 1u << FLAG_FEW : 0;
    flags |= r->first > SLOW_START * e2e.median ? 1u << FLAG_SLOW_START : 0;
    return flags;
}
