#include "harness/machine/gpu_driver.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/machine/machine.h"

static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);

    memcpy(function, &symbol, sizeof symbol); /* ISO C has no conversion to a function; POSIX has */
    return symbol != NULL;
}

static bool open_all(struct nvml *n)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*init)(void);

    return library != NULL && find(library, "nvmlInit_v2", &init) &&
           find(library, "nvmlSystemGetDriverVersion", &n->driver) &&
           find(library, "nvmlDeviceGetCount_v2", &n->count) &&
           find(library, "nvmlDeviceGetHandleByIndex_v2", &n->by_index) &&
           find(library, "nvmlDeviceGetHandleByPciBusId_v2", &n->by_bus) &&
           find(library, "nvmlDeviceGetName", &n->name) &&
           find(library, "nvmlDeviceGetClockInfo", &n->clock) &&
           find(library, "nvmlDeviceGetTemperature", &n->temperature) &&
           find(library, "nvmlDeviceGetPowerUsage", &n->power) &&
           find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", &n->held_back) &&
           find(library, "nvmlDeviceGetComputeRunningProcesses_v3", &n->processes) && init() == 0;
}

const struct nvml *nvml(void)
{
    static struct nvml functions;
    static bool tried, there;

    if (!tried)
        there = open_all(&functions);
    tried = true;
    return there ? &functions : NULL;
}

void machine_gpus(char *text, size_t bytes)
{
    const struct nvml *n = nvml();
    unsigned count = 0;
    char word[96];
    nvml_device device;

    text[0] = '\0';
    if (n == NULL || n->count(&count) != 0 || count == 0)
        return;
    for (unsigned i = 0; i < count; i++) {
        if (n->by_index(i, &device) != 0 || n->name(device, word, sizeof word) != 0)
            snprintf(word, sizeof word, "unknown GPU");
        text_add(text, bytes, "%s, ", word);
    }
    if (n->driver(word, sizeof word) != 0)
        snprintf(word, sizeof word, "unknown");
    text_add(text, bytes, "driver %s", word);
}
