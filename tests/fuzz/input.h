/*
 * For the fuzzers: their bytes as a named file, on a machine with little memory.
 */
#ifndef RUNGS_FUZZ_INPUT_H
#define RUNGS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

size_t memory_available(void)
{
    return (size_t)64 << 20;
}

/* One file for the whole run; it now contains these bytes. */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char name[32];
    static int file = -1;

    if (file < 0) {
        char made[] = "/dev/shm/rungs-fuzz-XXXXXX";

        file = mkstemp(made);
        (void)unlink(made);
        (void)snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    return name;
}

/* Checks that there is an error and that it is one line. */
static inline void check_error(const char *text)
{
    if (text[0] == '\0')
        abort();
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ')
            abort();
}

#endif
