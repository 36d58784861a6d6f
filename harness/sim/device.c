/* The devices, their properties, and the lock around every call. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/sim/sim.h"

/* A small GPU.  The numbers say nothing about speed; programs choose their grids by them. */
enum {
    PROCESSORS = 4,
    THREADS_OF_PROCESSOR = 2048,
    BLOCKS_OF_PROCESSOR = 32,
    SHARED_OF_PROCESSOR = 228 << 10
};
enum { MEMORY = 8 << 10, MOST_MEMORY = 32 << 10 }; /* of a device, MiB; the default, and the maximum */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static size_t memory;
static bool peers[MAX_DEVICES][MAX_DEVICES];
static __thread bool inside; /* this thread is inside of a call */
static __thread int current;
static __thread cudaError_t last_error;

/* --- start and end ---------------------------------------------------------------------------- */

const char *sim_left(void)
{
    static char text[128];
    unsigned waiting, streams = sim_left_streams(&waiting), events = sim_left_events();

    if (waiting > 0)
        snprintf(text, sizeof text, "unfinished: no call has waited for the last %u launches and "
                 "copies", waiting);
    else if (streams + events > 0)
        snprintf(text, sizeof text, "leak: %u streams and %u events never destroyed", streams,
                 events);
    else
        return sim_left_arrays();
    return text;
}

/* At a normal exit, checks what the program has left behind. */
static void at_exit(int status, void *unused)
{
    const char *left = status == EXIT_SUCCESS ? sim_left() : NULL;

    (void)unused;
    sim_counters_report();
    if (left == NULL)
        return;
    fflush(stdout);
    fprintf(stderr, "%s\n", left);
    _exit(EXIT_FAILURE);
}

/* Reads a number from the environment. */
static int setting(const char *name, int usual, int most)
{
    const char *text = getenv(name);
    int value = text != NULL ? atoi(text) : usual;

    if (value < 1 || value > most)
        sim_fail(NULL, "%s=%s: 1 to %d are possible", name, text, most);
    return value;
}

static void start(void)
{
    count = setting("RUNGS_SIM_DEVICES", 1, MAX_DEVICES);
    memory = (size_t)setting("RUNGS_SIM_MEMORY", MEMORY, MOST_MEMORY) << 20;
    sim_memory_start();
    sim_stacks_start();
    sim_faults_start();
    sim_patience_start();
    sim_watch_start();
    sim_order_start();
    on_exit(at_exit, NULL);
}

const void *sim_entered;

void sim_enter(const char *call, const void *at)
{
    if (sim_lane != NULL)
        sim_fail(at, "%s in a kernel", call);
    if (inside)
        sim_fail(at, "%s in a function that a stream calls", call);
    pthread_mutex_lock(&lock);
    sim_entered = at;
    inside = true;
    if (count == 0)
        start();
}

cudaError_t sim_leave(cudaError_t status)
{
    inside = false;
    pthread_mutex_unlock(&lock);
    if (status != cudaSuccess)
        last_error = status;
    return status;
}

/* --- errors ----------------------------------------------------------------------------------- */

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled",
     "peer access is already enabled"},
    {cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled",
     "peer access has not been enabled"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
};

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;

    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].name;
    return "cudaErrorUnknown";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].text;
    return "unknown error";
}

/* --- devices ---------------------------------------------------------------------------------- */

int sim_devices(void)
{
    return count;
}

size_t sim_memory_free(int device)
{
    size_t used = sim_memory_used(device);

    return used < memory ? memory - used : 0;
}

int sim_device(void)
{
    return current;
}

static bool is_device(int device)
{
    return device >= 0 && device < count;
}

cudaError_t cudaGetDeviceCount(int *devices)
{
    sim_enter("cudaGetDeviceCount", CALLER);
    *devices = count;
    return sim_leave(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    sim_enter("cudaSetDevice", CALLER);
    if (!is_device(device))
        return sim_leave(cudaErrorInvalidDevice);
    current = device;
    return sim_leave(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    sim_enter("cudaGetDevice", CALLER);
    *device = current;
    return sim_leave(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    sim_enter("cudaGetDeviceProperties", CALLER);
    if (!is_device(device))
        return sim_leave(cudaErrorInvalidDevice);
    *p = (struct cudaDeviceProp){
        .totalGlobalMem = memory, .sharedMemPerBlock = SHARED_BYTES,
        .totalConstMem = 64 << 10, .sharedMemPerMultiprocessor = SHARED_OF_PROCESSOR,
        .sharedMemPerBlockOptin = SHARED_BYTES_ASKED, .memPitch = 0x7fffffff,
        .reservedSharedMemPerBlock = 1 << 10, .regsPerBlock = 1 << 16, .warpSize = WARP,
        .maxThreadsPerBlock = MAX_THREADS, .maxThreadsDim = {1024, 1024, 64},
        .maxGridSize = {0x7fffffff, 65535, 65535}, .major = 9, .minor = 0,
        .multiProcessorCount = PROCESSORS, .canMapHostMemory = 1, .concurrentKernels = 1,
        .pciBusID = device, .asyncEngineCount = 2, .unifiedAddressing = 1, .memoryBusWidth = 64,
        .l2CacheSize = 1 << 20, .maxThreadsPerMultiProcessor = THREADS_OF_PROCESSOR,
        .regsPerMultiprocessor = 1 << 16, .managedMemory = 1, .concurrentManagedAccess = 1,
        .maxBlocksPerMultiProcessor = BLOCKS_OF_PROCESSOR, .hostRegisterSupported = 1,
        .hostRegisterReadOnlySupported = 1, .memoryPoolsSupported = 1,
    };
    snprintf(p->name, sizeof p->name, "simulated device");
    return sim_leave(cudaSuccess);
}

static int attribute_of(enum cudaDeviceAttr attribute)
{
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY: return MAX_THREADS;
    case cudaDevAttrMaxBlockDimZ: return 64;
    case cudaDevAttrMaxGridDimX: return 0x7fffffff;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: return 65535;
    case cudaDevAttrMaxSharedMemoryPerBlock: return SHARED_BYTES;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return SHARED_BYTES_ASKED;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return SHARED_OF_PROCESSOR;
    case cudaDevAttrTotalConstantMemory: return 64 << 10;
    case cudaDevAttrWarpSize: return WARP;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: return 1 << 16;
    case cudaDevAttrMultiProcessorCount: return PROCESSORS;
    case cudaDevAttrGlobalMemoryBusWidth: return 64;
    case cudaDevAttrL2CacheSize: return 1 << 20;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return THREADS_OF_PROCESSOR;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return BLOCKS_OF_PROCESSOR;
    case cudaDevAttrAsyncEngineCount: return 2;
    case cudaDevAttrComputeCapabilityMajor: return 9;
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrHostRegisterReadOnlySupported:
    case cudaDevAttrMemoryPoolsSupported: return 1;
    default: return 0; /* unsupported, or needs a clock */
    }
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    sim_enter("cudaDeviceGetAttribute", CALLER);
    if (!is_device(device))
        return sim_leave(cudaErrorInvalidDevice);
    *value = attribute_of(attribute);
    return sim_leave(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *total)
{
    sim_enter("cudaMemGetInfo", CALLER);
    *total = memory;
    *left = sim_memory_free(current);
    return sim_leave(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    (void)flags;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}

/* --- peers ------------------------------------------------------------------------------------ */

bool sim_reaches(int device, int peer)
{
    return device == peer || peers[device][peer];
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    sim_enter("cudaDeviceCanAccessPeer", CALLER);
    if (!is_device(device) || !is_device(peer))
        return sim_leave(cudaErrorInvalidDevice);
    *can = device != peer;
    return sim_leave(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)flags;
    sim_enter("cudaDeviceEnablePeerAccess", CALLER);
    if (!is_device(peer) || peer == current)
        return sim_leave(cudaErrorInvalidDevice);
    if (peers[current][peer])
        return sim_leave(cudaErrorPeerAccessAlreadyEnabled);
    peers[current][peer] = true;
    return sim_leave(cudaSuccess);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    sim_enter("cudaDeviceDisablePeerAccess", CALLER);
    if (!is_device(peer) || !peers[current][peer])
        return sim_leave(cudaErrorPeerAccessNotEnabled);
    sim_finish_device(current);
    peers[current][peer] = false;
    return sim_leave(cudaSuccess);
}
