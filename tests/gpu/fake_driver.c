/*
 * A libcuda.so.1 with which CUDA does not start, as RUNGS_FAKE_DRIVER says: "too old", "hangs",
 * "crashes", or the number with which cuInit fails.
 *
 * The runtime looks its functions up by name, asks for the version, and calls cuInit.  It verifies that
 * the driver is NVIDIA's before it continues.  So later failures are staged in failing_runtime.c.
 */
#include <cuda.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *told(void)
{
    const char *mode = getenv("RUNGS_FAKE_DRIVER");

    return mode != NULL ? mode : "";
}

static CUresult version(int *number)
{
    *number = strcmp(told(), "too old") == 0 ? 9000 : CUDA_VERSION;
    return CUDA_SUCCESS;
}

static CUresult start(unsigned flags)
{
    (void)flags;
    if (strcmp(told(), "hangs") == 0)
        for (;;)
            pause();
    if (strcmp(told(), "crashes") == 0)
        raise(SIGSEGV);
    return (CUresult)atoi(told());
}

static CUresult no_table(const void **table, const CUuuid *id)
{
    (void)id;
    *table = NULL;
    return CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult anything_else(void)
{
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuGetProcAddress_v2(const char *symbol, void **function, int wanted, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status);

CUresult cuGetProcAddress_v2(const char *symbol, void **function, int wanted, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    static const struct {
        const char *name;
        uintptr_t function;
    } known[] = {
        {"cuGetProcAddress", (uintptr_t)cuGetProcAddress_v2},
        {"cuGetExportTable", (uintptr_t)no_table},
        {"cuDriverGetVersion", (uintptr_t)version},
        {"cuInit", (uintptr_t)start},
    };

    (void)wanted;
    (void)flags;
    *function = (void *)(uintptr_t)anything_else;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, symbol) == 0)
            *function = (void *)known[i].function;
    if (status != NULL)
        *status = CU_GET_PROC_ADDRESS_SUCCESS;
    return CUDA_SUCCESS;
}
