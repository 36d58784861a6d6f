/*
 * For the tests of file readers: a folder of their own, files in it, and a machine with as much
 * memory as the test says.  A test that includes this is linked without harness/base/memory.c.
 */
#ifndef RUNGS_SCRATCH_H
#define RUNGS_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <dirent.h>

#include "harness/base/error.h"
#include "harness/base/memory.h"

static size_t scratch_memory = (size_t)1 << 30;
static char scratch_folder[] = "/tmp/rungs-test-XXXXXX";

size_t memory_available(void)
{
    return scratch_memory;
}

static inline int scratch_begin(void **state)
{
    (void)state;
    return mkdtemp(scratch_folder) == NULL;
}

/* How many files are there; they are removed if `clear` says so. */
static inline int scratch_files(bool clear)
{
    DIR *folder = opendir(scratch_folder);
    int files = 0;

    assert_non_null(folder);
    for (struct dirent *e = readdir(folder); e != NULL; e = readdir(folder)) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        files++;
        if (clear)
            assert_int_equal(unlinkat(dirfd(folder), e->d_name, 0), 0);
    }
    closedir(folder);
    return files;
}

static inline int scratch_end(void **state)
{
    (void)state;
    scratch_files(true);
    return rmdir(scratch_folder);
}

static inline const char *scratch_path(const char *name)
{
    static char path[128];

    (void)snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    return path;
}

/* The path of a new file with these bytes. */
static inline const char *scratch_file(const char *name, const void *bytes, size_t size)
{
    const char *path = scratch_path(name);
    FILE *stream = fopen(path, "wb");

    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
    return path;
}

/* The error is one line, the file's path and then `rest`. */
static inline void assert_error(const struct error *error, const char *path, const char *rest)
{
    char expected[sizeof error->text + 128];

    (void)snprintf(expected, sizeof expected, "%s%s", path, rest);
    assert_string_equal(error->text, expected);
}

/* Real inputs, which are not part of the repository; NULL, and a word, where they are not there.
   (cmocka 1.1.7 reports its skip() to prove as a failure.) */
static inline const char *real_data(const char *name)
{
    static char path[128];

    (void)snprintf(path, sizeof path, "../shared/data/%s", name);
    if (access(path, R_OK) != 0) {
        print_message("# skipped: %s is not there\n", path);
        return NULL;
    }
    return path;
}

#endif
