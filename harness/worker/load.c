#include "harness/worker/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* A simulated variant, and one of the workshop, is linked into its worker. */
extern const struct variant rungs_variant __attribute__((weak));

/* RTLD_LOCAL: names of the variant's helpers replace none of this program's. */
const struct variant *variant_load(const char *file)
{
    if (&rungs_variant != NULL)
        return &rungs_variant;
    void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const struct variant *v = object != NULL ? dlsym(object, "rungs_variant") : NULL;

    if (v == NULL)
        fprintf(stderr, "%s\n", dlerror());
    return v;
}
