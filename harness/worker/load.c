#include "harness/worker/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* A program that is a worker has its variant in it: the simulator's, and the workshop's. */
extern const struct variant rungs_variant __attribute__((weak));

/* Other compiled languages have no VARIANT: functions of these names are the phases.  NULL: there is no run. */
static const struct variant *by_names(void *object)
{
    static struct variant v;

    *(void **)&v.refuse = dlsym(object, "refuse");
    *(void **)&v.prepare = dlsym(object, "prepare");
    *(void **)&v.upload = dlsym(object, "upload");
    *(void **)&v.reset = dlsym(object, "reset");
    *(void **)&v.run = dlsym(object, "run");
    *(void **)&v.download = dlsym(object, "download");
    *(void **)&v.release = dlsym(object, "release");
    return v.run != NULL ? &v : NULL;
}

/* Local: what a variant calls its own helpers hides nothing of this program's. */
const struct variant *variant_load(const char *file)
{
    if (&rungs_variant != NULL)
        return &rungs_variant;
    void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return NULL;
    }
    const struct variant *v = dlsym(object, "rungs_variant");
    if (v == NULL)
        v = by_names(object);
    if (v == NULL)
        fprintf(stderr, "%s: exports neither rungs_variant nor a function run\n", file);
    return v;
}
