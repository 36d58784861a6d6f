/* Names on a profiler's time line: without a profiler they are nothing. */
#ifndef CUDASIM_NVTX_H
#define CUDASIM_NVTX_H

#include <stddef.h>

static inline int nvtxRangePushA(const char *name)
{
    return name == NULL;
}

static inline int nvtxRangePop(void)
{
    return 0;
}

typedef void *nvtxDomainHandle_t;
typedef struct {
    int version, size, messageType;
    struct {
        const char *ascii;
    } message;
} nvtxEventAttributes_t;
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((int)sizeof(nvtxEventAttributes_t))
#define NVTX_MESSAGE_TYPE_ASCII 1

static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *name)
{
    return (void *)name;
}

static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain,
                                        const nvtxEventAttributes_t *range)
{
    return domain == NULL || range == NULL;
}

static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain)
{
    return domain == NULL;
}

#define nvtxRangePush nvtxRangePushA
#define nvtxMarkA(name) ((void)(name))
#define nvtxMark nvtxMarkA

#endif
