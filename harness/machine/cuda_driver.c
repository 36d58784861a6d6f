#include "harness/machine/cuda_driver.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/machine/devices.h"

enum { SUCCESS = 0, MULTIPROCESSORS = 16, CACHE = 38, MAJOR = 75, MINOR = 76 }; /* of cuda.h */

struct cuda_driver cu;

static int devices;
static void *contexts[MAX_DEVICES]; /* by device; NULL: nothing uses this one yet */

/* --- opening ---------------------------------------------------------------------------------- */

static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);

    memcpy(function, &symbol, sizeof symbol); /* ISO C has no conversion to a function; POSIX has */
    return symbol != NULL;
}

static bool open_driver(void)
{
    const struct {
        const char *name;
        void *function;
    } all[] = {
        {"cuInit", &cu.init}, {"cuDriverGetVersion", &cu.version}, {"cuDeviceGetCount", &cu.count},
        {"cuDeviceGetName", &cu.name}, {"cuDeviceGetPCIBusId", &cu.bus}, {"cuDeviceTotalMem_v2", &cu.memory},
        {"cuDeviceGetAttribute", &cu.attribute}, {"cuDevicePrimaryCtxGetState", &cu.state},
        {"cuDevicePrimaryCtxRetain", &cu.retain}, {"cuCtxPushCurrent_v2", &cu.push},
        {"cuCtxPopCurrent_v2", &cu.pop}, {"cuCtxSynchronize", &cu.wait}, {"cuGetErrorString", &cu.words},
        {"cuEventCreate", &cu.event}, {"cuEventRecord", &cu.record}, {"cuEventElapsedTime", &cu.elapsed},
        {"cuModuleLoadData", &cu.module}, {"cuModuleGetFunction", &cu.function}, {"cuLaunchKernel", &cu.launch},
        {"cuMemAlloc_v2", &cu.allocate}, {"cuMemsetD8_v2", &cu.fill},
    };
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    bool there = library != NULL;

    for (size_t i = 0; there && i < sizeof all / sizeof *all; i++)
        there = find(library, all[i].name, all[i].function);
    return there;
}

static const char *say(int status)
{
    const char *text = NULL;

    return cu.words(status, &text) == SUCCESS && text != NULL ? text : "unknown error of the driver";
}

void cuda_driver_check(const char *call, int status)
{
    if (status == SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", call, say(status));
    _Exit(EXIT_FAILURE);
}

static const char *start(void)
{
    if (!open_driver())
        return "no CUDA driver";
    int status = cu.init(0);
    if (status == SUCCESS)
        status = cu.count(&devices);
    if (status == SUCCESS && devices == 0)
        return "no CUDA device";
    if (devices > MAX_DEVICES)
        devices = MAX_DEVICES;
    if (status == SUCCESS)
        status = cu.retain(&contexts[0], 0); /* creates it */
    return status == SUCCESS ? NULL : say(status);
}

const char *cuda_driver_missing(void)
{
    static const char *why;
    static bool started;

    if (!started)
        why = start();
    started = true;
    return why;
}

int cuda_driver_facts(struct device_facts list[], int room)
{
    int driver = 0, major = 0, minor = 0, cache = 0;

    cu.version(&driver);
    for (int i = 0; i < devices && i < room; i++) {
        struct device_facts *f = &list[i];
        snprintf(f->software, sizeof f->software, "driver for CUDA %d.%d", driver / 1000, driver % 1000 / 10);
        cu.name(f->name, sizeof f->name, i);
        cu.bus(f->bus, sizeof f->bus, i);
        cu.memory(&f->memory, i);
        cu.attribute(&f->units, MULTIPROCESSORS, i);
        cu.attribute(&cache, CACHE, i);
        f->cache = (size_t)cache;
        cu.attribute(&major, MAJOR, i);
        cu.attribute(&minor, MINOR, i);
        snprintf(f->kind, sizeof f->kind, "sm_%d%d", major, minor);
    }
    return devices < room ? devices : room;
}

/* --- contexts ----------------------------------------------------------------------------------- */

/* A variant may come to use another device later. */
static bool in_use(int device)
{
    unsigned flags;
    int active = 0;

    if (contexts[device] == NULL && cu.state(device, &flags, &active) == SUCCESS && active)
        (void)cu.retain(&contexts[device], device);
    return contexts[device] != NULL;
}

static void push(int device)
{
    cuda_driver_check("cuCtxPushCurrent", cu.push(contexts[device]));
}

void cuda_driver_enter(void)
{
    push(0);
}

void cuda_driver_leave(void)
{
    void *ours;

    cu.pop(&ours);
}

void cuda_driver_wait(void)
{
    for (int i = 0; i < devices; i++)
        if (in_use(i)) {
            push(i);
            cuda_driver_check("cuCtxSynchronize", cu.wait());
            cuda_driver_leave();
        }
}
