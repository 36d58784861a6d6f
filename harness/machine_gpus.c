/*
 * The GPUs' names, from the library that comes with their driver (NVML).
 *
 * It is opened at run time, since most machines have none, and asked only what nvidia-smi -L shows.
 * The records' first line needs this from a process that never starts CUDA.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/machine.h"

/* As in nvml.h, all of which return 0 for success. */
struct nvml {
    int (*init)(void);
    int (*shutdown)(void);
    int (*driver)(char *version, unsigned length);
    int (*count)(unsigned *count);
    int (*handle)(unsigned index, void **device);
    int (*name)(void *device, char *name, unsigned length);
};

static bool find(void *library, const char *symbol, void *function)
{
    void *address = dlsym(library, symbol);

    memcpy(function, &address, sizeof address); /* ISO C has no conversion to a function */
    return address != NULL;
}

static bool open_nvml(void *library, struct nvml *n)
{
    return find(library, "nvmlInit_v2", &n->init) && find(library, "nvmlShutdown", &n->shutdown) &&
           find(library, "nvmlSystemGetDriverVersion", &n->driver) &&
           find(library, "nvmlDeviceGetCount_v2", &n->count) &&
           find(library, "nvmlDeviceGetHandleByIndex_v2", &n->handle) &&
           find(library, "nvmlDeviceGetName", &n->name);
}

static void describe(const struct nvml *n, char *text, size_t bytes)
{
    unsigned count = 0;
    size_t used = 0;
    char word[96];
    void *device;

    if (n->count(&count) != 0 || count == 0)
        return;
    for (unsigned i = 0; i < count && used < bytes; i++) {
        if (n->handle(i, &device) != 0 || n->name(device, word, sizeof word) != 0)
            snprintf(word, sizeof word, "unknown GPU");
        used += (size_t)snprintf(text + used, bytes - used, "%s, ", word);
    }
    if (n->driver(word, sizeof word) != 0)
        snprintf(word, sizeof word, "unknown");
    if (used < bytes)
        snprintf(text + used, bytes - used, "driver %s", word);
}

void machine_gpus(char *text, size_t bytes)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    struct nvml nvml;

    text[0] = '\0';
    if (library == NULL)
        return;
    if (open_nvml(library, &nvml) && nvml.init() == 0) {
        describe(&nvml, text, bytes);
        nvml.shutdown();
    }
    dlclose(library);
}
