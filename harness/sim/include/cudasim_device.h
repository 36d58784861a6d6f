/*
 * What kernels are written with: CUDA's keywords, vector types, built-in variables, barriers, warp
 * operations, atomics, arithmetic; and launches.
 */
#ifndef CUDASIM_DEVICE_H
#define CUDASIM_DEVICE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tuple>
#include <utility>

#include "cudasim_interface.h"
#include "cudasim_loops.h"

/* --- words ------------------------------------------------------------------------------------ */

#define __CUDACC__ 1
#define __CUDA_ARCH__ 900 /* the generation that the device reports */
#define __host__
#define __device__
#define __managed__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __cluster_dims__(...) /* the scanner handles it */
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))

/* Inlines everything that a kernel calls.  Where a function returns a structure directly into memory,
   the compiler announces no access (hooks.c). */
#define __global__ __attribute__((flatten))

/* A host thread runs one block at a time, so thread-local memory is the block's.  Inside of a function
   thread_local implies static.  "used": the compiler must not replace reads of an array that is never
   written by the initial 0. */
#define __shared__ thread_local __attribute__((used))

static const int warpSize = 32;

/* --- vector types ----------------------------------------------------------------------------- */

#define CUDASIM_VECTORS(type, name, align2, align4)                                                \
    struct name##1 { type x; };                                                                    \
    struct __attribute__((aligned(align2))) name##2 { type x, y; };                                \
    struct name##3 { type x, y, z; };                                                              \
    struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; };                          \
    static inline name##1 make_##name##1(type x) { return {x}; }                                   \
    static inline name##2 make_##name##2(type x, type y) { return {x, y}; }                        \
    static inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }             \
    static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

CUDASIM_VECTORS(signed char, char, 2, 4)
CUDASIM_VECTORS(unsigned char, uchar, 2, 4)
CUDASIM_VECTORS(short, short, 4, 8)
CUDASIM_VECTORS(unsigned short, ushort, 4, 8)
CUDASIM_VECTORS(int, int, 8, 16)
CUDASIM_VECTORS(unsigned, uint, 8, 16)
CUDASIM_VECTORS(long, long, 16, 16)
CUDASIM_VECTORS(unsigned long, ulong, 16, 16)
CUDASIM_VECTORS(long long, longlong, 16, 16)
CUDASIM_VECTORS(unsigned long long, ulonglong, 16, 16)
CUDASIM_VECTORS(float, float, 8, 16)
CUDASIM_VECTORS(double, double, 16, 16)
#undef CUDASIM_VECTORS

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

/* --- launches --------------------------------------------------------------------------------- */

template <class Call, class... P> struct cudasim_launch_of : cudasim_launch {
    Call call;
    std::tuple<P...> arguments;

    template <class... A>
    cudasim_launch_of(Call c, A &&...a) : call(c), arguments(std::forward<A>(a)...) {}
};

template <class... P> struct cudasim_arguments {};

/* What precedes the arguments: kernel, shape and stream. */
template <class Call> struct cudasim_shaped {
    Call call;
    const void *kernel;
    const char *name;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    dim3 cluster = 1;

    template <class... P, class... A> void put(cudasim_arguments<P...>, A &&...a) const
    {
        using launch_of = cudasim_launch_of<Call, P...>;
        auto *l = new launch_of(call, std::forward<A>(a)...);

        l->grid = {grid.x, grid.y, grid.z};
        l->block = {block.x, block.y, block.z};
        l->cluster = {cluster.x, cluster.y, cluster.z};
        l->shared = shared;
        l->stream = stream;
        l->kernel = kernel;
        l->name = name;
        l->bytes = sizeof *l;
        l->run = [](cudasim_launch *m) {
            auto *mine = static_cast<launch_of *>(m);
            std::apply(mine->call, mine->arguments);
        };
        l->end = [](cudasim_launch *m) { delete static_cast<launch_of *>(m); };
        cudasim_enqueue(l);
    }
};

/* A kernel with an address: its parameters' types are known, so arguments are converted at the launch. */
template <class... P> struct cudasim_addressed : cudasim_shaped<void (*)(P...)> {
    void operator()(P... a) const
    {
        this->put(cudasim_arguments<P...>(), std::forward<P>(a)...);
    }
};

template <class... P>
cudasim_addressed<P...> cudasim_shape(void (*kernel)(P...), const char *name, dim3 grid, dim3 block,
                                      size_t shared = 0, cudaStream_t stream = 0)
{
    return {{kernel, (const void *)kernel, name, grid, block, shared, stream}};
}

/* A template whose arguments decide which kernel is meant. */
template <class Call> struct cudasim_deduced : cudasim_shaped<Call> {
    template <class... A> void operator()(A... a) const
    {
        this->put(cudasim_arguments<A...>(), a...);
    }
};

template <class Call>
cudasim_deduced<Call> cudasim_shape_deduced(Call call, const char *name, dim3 grid, dim3 block,
                                            size_t shared = 0, cudaStream_t stream = 0)
{
    return {{call, nullptr, name, grid, block, shared, stream}};
}

template <class Shaped> Shaped cudasim_clustered(Shaped s, dim3 cluster)
{
    s.cluster = cluster;
    return s;
}

/* A launch with attributes.  Programmatic stream serialization, which lets a kernel start early, is
   accepted and has no effect here.  Attributes that require more are unknown. */
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };

struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    union {
        int programmaticStreamSerializationAllowed;
    } val;
};

struct cudaLaunchConfig_t {
    dim3 grid, block; /* gridDim and blockDim, which mean something else here */
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *how, void (*kernel)(P...), A &&...a)
{
    cudasim_shape(kernel, "by cudaLaunchKernelEx", how->grid, how->block, how->dynamicSmemBytes,
                  how->stream)(std::forward<A>(a)...);
    return cudaGetLastError();
}

#define CUDASIM_LAUNCH(kernel, ...) cudasim_shape(kernel, #kernel, __VA_ARGS__)
#define CUDASIM_NAKED(...) __VA_ARGS__
#define CUDASIM_LAUNCH_DEDUCED(kernel, ...)                                                        \
    cudasim_shape_deduced([](auto... a) { CUDASIM_NAKED kernel(a...); }, #kernel, __VA_ARGS__)

/* --- where am I ------------------------------------------------------------------------------- */

#define threadIdx (uint3{cudasim_thread(0), cudasim_thread(1), cudasim_thread(2)})
#define blockIdx (uint3{cudasim_block(0), cudasim_block(1), cudasim_block(2)})
#define blockDim (dim3{cudasim_block_size(0), cudasim_block_size(1), cudasim_block_size(2)})
#define gridDim (dim3{cudasim_grid_size(0), cudasim_grid_size(1), cudasim_grid_size(2)})

/* --- meeting: barriers and warp operations ---------------------------------------------------- */

#define CUDASIM_HERE(operation)                                                                    \
    (__extension__({                                                                               \
        static const struct cudasim_place here_ = {operation, __FILE__, __LINE__};                 \
        &here_;                                                                                    \
    }))

#define __syncthreads() ((void)cudasim_barrier(CUDASIM_HERE("__syncthreads"), 0))
#define __syncthreads_count(p) cudasim_barrier(CUDASIM_HERE("__syncthreads_count"), (p) != 0)
#define __syncthreads_or(p) (cudasim_barrier(CUDASIM_HERE("__syncthreads_or"), (p) != 0) != 0)
#define __syncthreads_and(p) (cudasim_barrier(CUDASIM_HERE("__syncthreads_and"), (p) == 0) == 0)

static inline unsigned cudasim_lanes(unsigned mask = 0xffffffffu)
{
    return mask;
}

#define __syncwarp(...)                                                                            \
    ((void)cudasim_meet(CUDASIM_HERE("__syncwarp"), CUDASIM_SYNC, cudasim_lanes(__VA_ARGS__), 0,   \
                        0, 32))

template <class T>
T cudasim_shuffle(const cudasim_place *here, cudasim_operation operation, unsigned mask, T value,
                  int argument, int width = 32)
{
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "shuffles move 2 to 8 bytes");
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof value);
    bits = cudasim_meet(here, operation, mask, bits, argument, width);
    memcpy((void *)&value, &bits, sizeof value);
    return value;
}

#define __shfl_sync(...) cudasim_shuffle(CUDASIM_HERE("__shfl_sync"), CUDASIM_SHFL, __VA_ARGS__)
#define __shfl_up_sync(...)                                                                        \
    cudasim_shuffle(CUDASIM_HERE("__shfl_up_sync"), CUDASIM_SHFL_UP, __VA_ARGS__)
#define __shfl_down_sync(...)                                                                      \
    cudasim_shuffle(CUDASIM_HERE("__shfl_down_sync"), CUDASIM_SHFL_DOWN, __VA_ARGS__)
#define __shfl_xor_sync(...)                                                                       \
    cudasim_shuffle(CUDASIM_HERE("__shfl_xor_sync"), CUDASIM_SHFL_XOR, __VA_ARGS__)

#define CUDASIM_VOTE(name, mask, p)                                                                \
    ((unsigned)cudasim_meet(CUDASIM_HERE(name), CUDASIM_BALLOT, mask, (p) != 0, 0, 32))
#define __ballot_sync(mask, p) CUDASIM_VOTE("__ballot_sync", mask, p)
#define __any_sync(mask, p) ((int)(CUDASIM_VOTE("__any_sync", mask, p) != 0))
#define __all_sync(mask, p) ((int)(CUDASIM_VOTE("__all_sync", mask, !(p)) == 0))

template <class T>
unsigned cudasim_match(const cudasim_place *here, unsigned mask, T value)
{
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof value);
    return (unsigned)cudasim_meet(here, CUDASIM_MATCH, mask, bits, 0, 32);
}

template <class T>
unsigned cudasim_match_all(const cudasim_place *here, unsigned mask, T value, int *all)
{
    *all = cudasim_match(here, mask, value) == mask;
    return *all ? mask : 0;
}

#define __match_any_sync(mask, value)                                                              \
    cudasim_match(CUDASIM_HERE("__match_any_sync"), mask, value)
#define __match_all_sync(mask, value, all)                                                         \
    cudasim_match_all(CUDASIM_HERE("__match_all_sync"), mask, value, all)

static inline unsigned cudasim_reduce(const cudasim_place *here, cudasim_operation,
                                      cudasim_operation operation, unsigned mask, unsigned value)
{
    return (unsigned)cudasim_meet(here, operation, mask, value, 0, 32);
}

static inline int cudasim_reduce(const cudasim_place *here, cudasim_operation operation,
                                 cudasim_operation, unsigned mask, int value)
{
    return (int)cudasim_meet(here, operation, mask, (unsigned)value, 0, 32);
}

#define CUDASIM_REDUCE(name, of_int, of_unsigned, mask, value)                                     \
    cudasim_reduce(CUDASIM_HERE(name), of_int, of_unsigned, mask, value)
#define __reduce_add_sync(mask, value)                                                             \
    CUDASIM_REDUCE("__reduce_add_sync", CUDASIM_ADD, CUDASIM_ADD, mask, value)
#define __reduce_min_sync(mask, value)                                                             \
    CUDASIM_REDUCE("__reduce_min_sync", CUDASIM_MIN, CUDASIM_UMIN, mask, value)
#define __reduce_max_sync(mask, value)                                                             \
    CUDASIM_REDUCE("__reduce_max_sync", CUDASIM_MAX, CUDASIM_UMAX, mask, value)
#define __reduce_and_sync(mask, value)                                                             \
    CUDASIM_REDUCE("__reduce_and_sync", CUDASIM_AND, CUDASIM_AND, mask, value)
#define __reduce_or_sync(mask, value)                                                              \
    CUDASIM_REDUCE("__reduce_or_sync", CUDASIM_OR, CUDASIM_OR, mask, value)
#define __reduce_xor_sync(mask, value)                                                             \
    CUDASIM_REDUCE("__reduce_xor_sync", CUDASIM_XOR, CUDASIM_XOR, mask, value)

#define __activemask() cudasim_no_activemask()

static inline void __threadfence(void) { cudasim_fence(); }
static inline void __threadfence_block(void) {}
static inline void __threadfence_system(void) { cudasim_fence(); }
static inline void __nanosleep(unsigned) {}
#define __trap() cudasim_trap()

/* --- atomics ---------------------------------------------------------------------------------- */

/* Always inlined; otherwise reports would name a line of this file. */
#define CUDASIM_INLINE static inline __attribute__((always_inline))

template <class T, class F> CUDASIM_INLINE T cudasim_atomic(T *p, F change)
{
    uint64_t bits = cudasim_atomic_read(p, sizeof *p);
    T old, changed;

    memcpy(&old, &bits, sizeof old);
    changed = change(old);
    memcpy(&bits, &changed, sizeof changed);
    cudasim_atomic_write(p, sizeof *p, bits);
    return old;
}

template <class T> struct cudasim_same { using type = T; };
template <class T> using cudasim_value = typename cudasim_same<T>::type;

#define CUDASIM_ATOMIC(name, expression)                                                           \
    template <class T> CUDASIM_INLINE T name(T *p, cudasim_value<T> v)                             \
    {                                                                                              \
        return cudasim_atomic(p, [v](T old) -> T { return expression; });                          \
    }                                                                                              \
    template <class T> CUDASIM_INLINE T name##_block(T *p, cudasim_value<T> v)                     \
    {                                                                                              \
        return name(p, v);                                                                         \
    }                                                                                              \
    template <class T> CUDASIM_INLINE T name##_system(T *p, cudasim_value<T> v)                    \
    {                                                                                              \
        return name(p, v);                                                                         \
    }

CUDASIM_ATOMIC(atomicAdd, old + v)
CUDASIM_ATOMIC(atomicSub, old - v)
CUDASIM_ATOMIC(atomicExch, ((void)old, v))
CUDASIM_ATOMIC(atomicMin, v < old ? v : old)
CUDASIM_ATOMIC(atomicMax, old < v ? v : old)
CUDASIM_ATOMIC(atomicAnd, old & v)
CUDASIM_ATOMIC(atomicOr, old | v)
CUDASIM_ATOMIC(atomicXor, old ^ v)
CUDASIM_ATOMIC(atomicInc, old >= v ? 0 : old + 1)
CUDASIM_ATOMIC(atomicDec, old == 0 || old > v ? v : old - 1)
#undef CUDASIM_ATOMIC

template <class T> CUDASIM_INLINE T atomicCAS(T *p, cudasim_value<T> expected, cudasim_value<T> v)
{
    return cudasim_atomic(p, [=](T old) { return old == expected ? v : old; });
}

/* --- memory access with a hint ---------------------------------------------------------------- */

#define CUDASIM_LOAD(name) template <class T> CUDASIM_INLINE T name(const T *p) { return *p; }
#define CUDASIM_STORE(name)                                                                        \
    template <class T> CUDASIM_INLINE void name(T *p, cudasim_value<T> v) { *p = v; }
CUDASIM_LOAD(__ldg)
CUDASIM_LOAD(__ldca)
CUDASIM_LOAD(__ldcg)
CUDASIM_LOAD(__ldcs)
CUDASIM_LOAD(__ldlu)
CUDASIM_LOAD(__ldcv)
CUDASIM_STORE(__stwb)
CUDASIM_STORE(__stcg)
CUDASIM_STORE(__stcs)
CUDASIM_STORE(__stwt)
#undef CUDASIM_LOAD
#undef CUDASIM_STORE

#define __cvta_generic_to_shared(p) cudasim_shared_address(p)

#include "cudasim_math.h"
#include "cudasim_ptx.h"
#endif
