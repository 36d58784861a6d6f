/*
 * A libcuda.so.1 with one GPU that computes nothing: harness/machine/cuda_driver.c finds in it what it calls.
 *
 * Its default stream is a thread, which does in order what it is given: the harness's kernels, events, and the work of
 * variants of tests/languages/gpu/, by gpu_give().  A variant may also work in threads of its own, as on other streams:
 * between gpu_begins() and gpu_ends() the GPU is busy, and cuCtxSynchronize() waits.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST = 65536, EVENTS = 64 };

struct item {
    double spin;        /* seconds */
    double *stamp;      /* an event's; NULL: none */
    void (*work)(void); /* a variant's; NULL: none */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static struct item queue[MOST];
static size_t given, done;
static int busy;
static double stamps[EVENTS];

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *stream(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (done == given)
            pthread_cond_wait(&change, &mutex);
        const struct item item = queue[done % MOST];
        pthread_mutex_unlock(&mutex);

        const double end = now() + item.spin;
        while (item.spin > 0.0 && now() < end)
            ;
        if (item.work != NULL)
            item.work();
        if (item.stamp != NULL)
            *item.stamp = now();

        pthread_mutex_lock(&mutex);
        done++;
        pthread_cond_broadcast(&change);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static int give(struct item item)
{
    static pthread_t thread;
    static int started;

    pthread_mutex_lock(&mutex);
    if (!started)
        pthread_create(&thread, NULL, stream, NULL);
    started = 1;
    while (given - done == MOST)
        pthread_cond_wait(&change, &mutex);
    queue[given++ % MOST] = item;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&mutex);
    return 0;
}

/* --- for variants ------------------------------------------------------------------------------- */

void gpu_give(void (*work)(void))
{
    give((struct item){.work = work});
}

void gpu_begins(void)
{
    pthread_mutex_lock(&mutex);
    busy++;
    pthread_mutex_unlock(&mutex);
}

void gpu_ends(void)
{
    pthread_mutex_lock(&mutex);
    busy--;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&mutex);
}

int gpu_busy(void)
{
    pthread_mutex_lock(&mutex);
    const int now_busy = busy;
    pthread_mutex_unlock(&mutex);
    return now_busy;
}

/* --- the driver --------------------------------------------------------------------------------- */

int cuCtxSynchronize(void)
{
    pthread_mutex_lock(&mutex);
    while (busy > 0 || done != given)
        pthread_cond_wait(&change, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int cuEventCreate(void **event, unsigned flags)
{
    static size_t count;

    *event = &stamps[count++ % EVENTS];
    return flags != 0;
}

int cuEventRecord(void *event, void *on)
{
    return on != NULL || give((struct item){.stamp = event});
}

int cuEventElapsedTime(float *milliseconds, void *from, void *to)
{
    *milliseconds = (float)((*(double *)to - *(double *)from) * 1e3);
    return 0;
}

static const char spin[] = "spin", other[] = "other";

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    *function = (void *)(uintptr_t)(strcmp(name, spin) == 0 ? spin : other);
    return module != &busy;
}

int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned a, unsigned b, unsigned c, unsigned shared,
                   void *on, void **arguments, void **more)
{
    (void)x, (void)y, (void)z, (void)a, (void)b, (void)c, (void)shared, (void)on, (void)more;
    return give((struct item){.spin = function == (const void *)spin ? 1e-9 * (double)*(uint64_t *)arguments[0] : 0.0});
}

int cuInit(unsigned flags) { return flags != 0; }
int cuDriverGetVersion(int *version) { *version = 13000; return 0; }
int cuDeviceGetCount(int *count) { *count = 1; return 0; }
int cuDeviceGetName(char *name, int bytes, int device) { snprintf(name, (size_t)bytes, "fake GPU %d", device); return 0; }
int cuDeviceGetPCIBusId(char *name, int bytes, int device) { snprintf(name, (size_t)bytes, "0000:%02d:00.0", device); return 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = 1 << 30; return device; }
int cuDeviceGetAttribute(int *value, int which, int device) { *value = which; return device; }
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) { *flags = 0; *active = 1; return device; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = &busy; return device; }
int cuCtxPushCurrent_v2(void *context) { return context != &busy; }
int cuCtxPopCurrent_v2(void **context) { *context = &busy; return 0; }
int cuGetErrorString(int status, const char **text) { *text = "a status that no call returns"; return status == 0; }
int cuModuleLoadData(void **module, const void *ptx) { *module = &busy; return ptx == NULL; }
int cuMemAlloc_v2(unsigned long long *at, size_t bytes) { *at = bytes; return 0; }
int cuMemsetD8_v2(unsigned long long at, unsigned char value, size_t bytes) { return value != 0 || at != bytes; }
