/*
 * For any bytes: the array has as much data as its shape says, and is the same after it was written and
 * read; or the error says why not.
 */
#include "tests/fuzz/input.h"

#include <string.h>

#include "harness/files/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char copy[48];
    struct array a, b;
    struct error error = {""};

    if (!npy_read(fuzz_file(data, size), &a, &error)) {
        check_error(error.text);
        return 0;
    }
    if (!array_finite(&a, "x", &error))
        check_error(error.text);
    (void)snprintf(copy, sizeof copy, "/dev/shm/rungs-fuzz-%ld.npy", (long)getpid());
    if (!npy_write(copy, a.element, a.rank, a.shape, a.data, &error) || !npy_read(copy, &b, &error))
        abort();
    if (a.element != b.element || a.rank != b.rank || a.count != b.count ||
        memcmp(a.shape, b.shape, sizeof a.shape) != 0 ||
        memcmp(a.data, b.data, a.count * element_bytes(a.element)) != 0)
        abort();
    (void)unlink(copy);
    array_free(&a);
    array_free(&b);
    return 0;
}
