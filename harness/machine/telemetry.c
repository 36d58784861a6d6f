#include "harness/machine/telemetry.h"

#include <math.h>

#include "harness/machine/gpu_driver.h"
#include "harness/machine/machine.h"

/* NVML's reasons for a reduced clock that do not make a time unreliable. */
static const unsigned long long HARMLESS = 0x1    /* idle */
                                           | 0x2  /* clocks set by the user */
                                           | 0x10 /* sync boost: as slow as its partner GPU */
                                           | 0x100; /* clocks set for a display */

const char *const telemetry_names[TELEMETRY_FIELDS] = {"cpu_mhz", "gpu_mhz", "memory_mhz", "celsius",
                                                       "watts"};

static nvml_device card; /* NULL: no GPU or no NVML */

void telemetry_open(const struct devices *d)
{
    card = NULL;
    if (d->count > 0 && d->facts[0].bus[0] != '\0' && nvml() != NULL &&
        nvml()->by_bus(d->facts[0].bus, &card) != 0)
        card = NULL;
}

int telemetry_others(void)
{
    unsigned count = 0; /* 0 entries: only count */

    if (card == NULL)
        return 0;
    int status = nvml()->processes(card, &count, NULL);
    return status == 0 || status == NVML_NO_ROOM ? (int)count : 0;
}

static double read_cpu_mhz(void)
{
    double khz = NAN;

    (void)machine_scan("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "%lf", &khz);
    return khz / 1e3;
}

struct telemetry telemetry_read(bool gpu)
{
    struct telemetry t = {{read_cpu_mhz(), NAN, NAN, NAN, NAN}, 0};
    unsigned value;

    if (!gpu || card == NULL)
        return t;
    if (nvml()->clock(card, NVML_CLOCK_SM, &value) == 0)
        t.value[TELEMETRY_GPU_MHZ] = value;
    if (nvml()->clock(card, NVML_CLOCK_MEMORY, &value) == 0)
        t.value[TELEMETRY_MEMORY_MHZ] = value;
    if (nvml()->temperature(card, NVML_TEMPERATURE_GPU, &value) == 0)
        t.value[TELEMETRY_CELSIUS] = value;
    if (nvml()->power(card, &value) == 0)
        t.value[TELEMETRY_WATTS] = value / 1e3;
    if (nvml()->held_back(card, &t.held_back) != 0)
        t.held_back = 0;
    return t;
}

bool telemetry_throttled(const struct telemetry *t)
{
    return (t->held_back & ~HARMLESS) != 0;
}
