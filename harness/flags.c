#include "harness/flags.h"

#include "harness/clock.h"

static const double MANY_BLOCKS = 0.2, LAUNCH = 5e-6, STEPS = 100.0, ON_CPU = 0.9, NOISE = 0.05,
                    SLOW_START = 2.0;
enum { FEW = 6, RESTARTS = 4 };

const char *const flag_names[FLAGS] = {"throttled", "launch_bound", "timer_coarse", "off_cpu",
                                       "noisy",     "drift",        "few_samples",  "first_run_slow"};
const char *const flag_meanings[FLAGS] = {
    "in over 20 % of its blocks the card held itself back for heat or power",
    "a run is shorter than 5 us, so it is the launch that is timed",
    "a sample is shorter than 100 steps of the clock",
    "one thread, and it had its core for less than 90 % of the time",
    "half the interval is more than 5 % of the median",
    "times still moved on after older rounds had been dropped for it four times",
    "fewer than 6 rounds, too few for an interval",
    "the first call took more than twice as long as those that were timed",
};
const char flag_letters[FLAGS] = {'T', 'L', 'C', 'O', 'N', 'D', 'F', '\0'};

static bool throttled(const struct row *row)
{
    size_t count = 0;

    for (size_t i = 0; i < row->blocks; i++)
        count += telemetry_throttled(&row->telemetry[i]);
    return (double)count > MANY_BLOCKS * (double)row->blocks;
}

static bool on_cpu(const struct row *row)
{
    return row->variant->device == NULL || row->variant->device == &device_cpu;
}

unsigned row_flags(const struct row *row)
{
    if (row->recalled)
        return row->flags;
    if (!row_timed(row))
        return 0;
    const struct summary e2e = series_summary(&row->e2e);
    const double run = median_of(row->run.round, row->run.rounds); /* NaN: false below */
    unsigned flags = 0;

    flags |= throttled(row) ? 1u << FLAG_THROTTLED : 0;
    flags |= run < LAUNCH ? 1u << FLAG_LAUNCH_BOUND : 0;
    flags |= e2e.median * (double)row->reps < STEPS * clock_step() ? 1u << FLAG_COARSE : 0;
    flags |= on_cpu(row) && row->threads <= 1 && row->cores < ON_CPU ? 1u << FLAG_OFF_CPU : 0;
    flags |= e2e.high - e2e.low > 2.0 * NOISE * e2e.median ? 1u << FLAG_NOISY : 0;
    flags |= row->drift_restarts >= RESTARTS ? 1u << FLAG_DRIFT : 0;
    flags |= row->e2e.rounds < FEW ? 1u << FLAG_FEW : 0;
    flags |= row->first > SLOW_START * e2e.median ? 1u << FLAG_SLOW_START : 0;
    return flags;
}
