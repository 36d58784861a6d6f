/*
 * What every CUDA variant needs: error checks around calls, and named ranges for a profiler's time line.
 * Nothing here hides a CUDA call behind another name.
 */
#ifndef RUNGS_CUDA_H
#define RUNGS_CUDA_H

#include <cuda_runtime.h>
/* Declarations only.  harness/machine/device_gpu.cu alone compiles the functions of NVTX: in every file
   they took as long to compile as the variant. */
#ifndef NVTX_EXPORT_API
#define NVTX_NO_IMPL
#endif
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * CUDA(cudaMalloc(&p, bytes));    around every call of the runtime
 * CUDA(cudaGetLastError());       after every launch
 *
 * An error prints file, line, call and reason, and ends the process, since most errors leave the context
 * unusable.  The variant's row shows that line as a crash, or as `memory` if the device has no more.
 */
#define CUDA(call)                                                                                 \
    do {                                                                                           \
        cudaError_t cuda_status_ = (call);                                                         \
        if (cuda_status_ != cudaSuccess)                                                           \
            cuda_failed(__FILE__, __LINE__, #call, cudaGetErrorString(cuda_status_),               \
                        cuda_status_ == cudaErrorMemoryAllocation);                                \
    } while (0)

/* The same for cuBLAS, cuFFT and cuSOLVER.  The variant includes their headers itself. */
#define CUBLAS(call)                                                                               \
    do {                                                                                           \
        cublasStatus_t cublas_status_ = (call);                                                    \
        if (cublas_status_ != CUBLAS_STATUS_SUCCESS)                                               \
            cuda_failed(__FILE__, __LINE__, #call, cublasGetStatusString(cublas_status_),          \
                        cublas_status_ == CUBLAS_STATUS_ALLOC_FAILED);                             \
    } while (0)

#define CUFFT(call)                                                                                \
    do {                                                                                           \
        cufftResult cufft_status_ = (call);                                                        \
        if (cufft_status_ != CUFFT_SUCCESS) {                                                      \
            char cufft_reason_[32];                                                                \
            snprintf(cufft_reason_, sizeof cufft_reason_, "cuFFT status %d", (int)cufft_status_);  \
            cuda_failed(__FILE__, __LINE__, #call, cufft_reason_,                                  \
                        cufft_status_ == CUFFT_ALLOC_FAILED);                                      \
        }                                                                                          \
    } while (0)

#define CUSOLVER(call)                                                                             \
    do {                                                                                           \
        cusolverStatus_t cusolver_status_ = (call);                                                \
        if (cusolver_status_ != CUSOLVER_STATUS_SUCCESS) {                                         \
            char cusolver_reason_[32];                                                             \
            snprintf(cusolver_reason_, sizeof cusolver_reason_, "cuSOLVER status %d",              \
                     (int)cusolver_status_);                                                       \
            cuda_failed(__FILE__, __LINE__, #call, cusolver_reason_,                               \
                        cusolver_status_ == CUSOLVER_STATUS_ALLOC_FAILED);                         \
        }                                                                                          \
    } while (0)

enum { CUDA_NO_MEMORY = 123 }; /* exit status: out of device memory */

static inline void cuda_failed(const char *file, int line, const char *call, const char *reason,
                               int no_memory)
{
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, reason);
    exit(no_memory ? CUDA_NO_MEMORY : EXIT_FAILURE);
}

/*
 * cuda_enter("gather"); ...; cuda_leave();
 *
 * Opens and closes a named range of host time in Nsight, in the domain "rungs".  Ranges nest; the
 * harness opens one around each phase.  Without a profiler a pair costs a few nanoseconds.
 */
static inline nvtxDomainHandle_t cuda_domain(void)
{
    static nvtxDomainHandle_t domain;

    if (domain == NULL)
        domain = nvtxDomainCreateA("rungs");
    return domain;
}

static inline void cuda_enter(const char *name)
{
    nvtxEventAttributes_t range = {};

    range.version = NVTX_VERSION;
    range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    range.messageType = NVTX_MESSAGE_TYPE_ASCII;
    range.message.ascii = name;
    nvtxDomainRangePushEx(cuda_domain(), &range);
}

static inline void cuda_leave(void)
{
    nvtxDomainRangePop(cuda_domain());
}

#endif
