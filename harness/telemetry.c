#include "harness/telemetry.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* From NVML's reference, https://docs.nvidia.com/deploy/nvml-api; its header comes with the CUDA
   toolkit only, and its library with the driver. */
enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, TEMPERATURE_GPU = 0 };
static const unsigned long long HARMLESS = 0x1  /* idle */
                                           | 0x2    /* clocks set by the user */
                                           | 0x10   /* sync boost: as slow as its partner */
                                           | 0x100; /* clocks set for a display */

typedef void *nvml_device;

static struct {
    void *library;
    nvml_device device;
    char driver[32];
    int (*shutdown)(void);
    int (*clock)(nvml_device, int which, unsigned *mhz);
    int (*temperature)(nvml_device, int which, unsigned *celsius);
    int (*power)(nvml_device, unsigned *milliwatts);
    int (*reasons)(nvml_device, unsigned long long *mask);
    int (*processes)(nvml_device, unsigned *count, void *list);
} nvml;

/* ISO C has no cast from an object's pointer to a function's; POSIX demands that this works. */
static bool find(void *function, const char *name)
{
    void *symbol = nvml.library != NULL ? dlsym(nvml.library, name) : NULL;

    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool start(const char *bus)
{
    int (*init)(void), (*by_bus)(const char *, nvml_device *), (*version)(char *, unsigned);

    nvml.library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!find(&init, "nvmlInit_v2") || !find(&nvml.shutdown, "nvmlShutdown") ||
        !find(&by_bus, "nvmlDeviceGetHandleByPciBusId_v2") ||
        !find(&version, "nvmlSystemGetDriverVersion") ||
        !find(&nvml.clock, "nvmlDeviceGetClockInfo") ||
        !find(&nvml.temperature, "nvmlDeviceGetTemperature") ||
        !find(&nvml.power, "nvmlDeviceGetPowerUsage") ||
        !find(&nvml.reasons, "nvmlDeviceGetCurrentClocksThrottleReasons") ||
        !find(&nvml.processes, "nvmlDeviceGetComputeRunningProcesses_v3") || init() != 0)
        return false;
    version(nvml.driver, sizeof nvml.driver);
    return by_bus(bus, &nvml.device) == 0;
}

void telemetry_open(const struct devices *d)
{
    if (d->count == 0 || d->facts[0].bus[0] == '\0' || start(d->facts[0].bus))
        return;
    if (nvml.library != NULL)
        dlclose(nvml.library);
    nvml.library = NULL;
}

void telemetry_close(void)
{
    if (nvml.library == NULL)
        return;
    nvml.shutdown();
    dlclose(nvml.library);
    nvml.library = NULL;
}

const char *telemetry_driver(void)
{
    return nvml.driver;
}

int telemetry_others(void)
{
    enum { ALL_IS_WELL = 0, MORE_THAN_FIT = 7 };
    unsigned count = 0; /* room for none: it only counts */

    if (nvml.library == NULL)
        return 0;
    int status = nvml.processes(nvml.device, &count, NULL);
    return status == ALL_IS_WELL || status == MORE_THAN_FIT ? (int)count : 0;
}

static double read_cpu_mhz(void)
{
    double khz = NAN;
    FILE *f = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "re");

    if (f == NULL)
        return NAN;
    if (fscanf(f, "%lf", &khz) != 1)
        khz = NAN;
    fclose(f);
    return khz / 1e3;
}

struct telemetry telemetry_read(bool gpu)
{
    struct telemetry t = {read_cpu_mhz(), NAN, NAN, NAN, NAN, 0};
    unsigned value;

    if (!gpu || nvml.library == NULL)
        return t;
    if (nvml.clock(nvml.device, CLOCK_SM, &value) == 0)
        t.gpu_mhz = value;
    if (nvml.clock(nvml.device, CLOCK_MEMORY, &value) == 0)
        t.memory_mhz = value;
    if (nvml.temperature(nvml.device, TEMPERATURE_GPU, &value) == 0)
        t.celsius = value;
    if (nvml.power(nvml.device, &value) == 0)
        t.watts = value / 1e3;
    if (nvml.reasons(nvml.device, &t.held_back) != 0)
        t.held_back = 0;
    return t;
}

bool telemetry_throttled(const struct telemetry *t)
{
    return (t->held_back & ~HARMLESS) != 0;
}
