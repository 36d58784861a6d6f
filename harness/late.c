#include "harness/late.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *late_function(const char *name)
{
    char reason[512] = "in none of its libraries";

    for (const char *file = late_libraries; *file != '\0'; file += strlen(file) + 1) {
        void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
        void *function = library != NULL ? dlsym(library, name) : NULL;

        if (function != NULL)
            return function;
        if (library == NULL)
            snprintf(reason, sizeof reason, "%s", dlerror());
    }
    fprintf(stderr, "%s: %s\n", name, reason);
    exit(EXIT_FAILURE);
}
