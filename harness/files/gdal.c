#include "harness/files/gdal.h"

#include <dlfcn.h>
#include <unistd.h>

#include "harness/base/home.h"

const struct gdal_readers *gdal_readers(struct error *error)
{
    const char *file = home_file("rungs-gdal.so");

    if (access(file, F_OK) != 0) {
        error_set(error, "this build lacks GDAL: install libgdal-dev and build again");
        return NULL;
    }
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL); /* stays until the program ends */
    const struct gdal_readers *readers = library != NULL ? dlsym(library, "rungs_gdal") : NULL;
    if (readers == NULL)
        error_set(error, "GDAL cannot be loaded: %s", dlerror());
    return readers;
}
