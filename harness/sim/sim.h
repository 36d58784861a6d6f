/*
 * The simulator's inside.
 *
 * One lock guards all of it.  Calls of the runtime put work into streams (stream.c); work is done
 * as late as it may be, by the host thread that has to wait for it.  A kernel's blocks run one
 * after another, a block's threads as fibers on one core (block.c), so every run is the same.  The
 * first mistake ends the process with one line that names it (report.c).
 */
#ifndef CUDASIM_SIM_H
#define CUDASIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/sim/include/cuda_runtime.h"
#include "harness/sim/include/cudasim_interface.h"

enum {
    MAX_DEVICES = 8,
    WARP = 32,
    MAX_THREADS = 1024, /* of a block */
    MAX_WARPS = MAX_THREADS / WARP,
    MAX_CLUSTER = 8, /* blocks */
    SHARED_BYTES = 48 << 10,        /* of a block, without asking */
    SHARED_BYTES_ASKED = 227 << 10, /* with cudaFuncSetAttribute */
    STACK_BYTES = 64 << 10,         /* of a thread, */
    STACK_GUARD = 4096              /* below which as many are closed to all */
};

/* Where the user's code called; only what that code calls directly may ask. */
#define CALLER __builtin_return_address(0)

/* --- report.c: the first mistake is the last -------------------------------------------------- */

/* Ends the process with one line: where, in which thread of which kernel if in one, and what.
   `at` is an address in the user's code that a call returns to; NULL: not known. */
__attribute__((noreturn, format(printf, 2, 3))) void sim_fail(const void *at, const char *format,
                                                               ...);

/* "file.cu:12" for such an address. */
const char *sim_line(const void *at);
/* The same for up to MOST_LINES at once: starting addr2line takes long. */
enum { MOST_LINES = 1024 };
struct sim_text {
    char line[200];
};
void sim_lines(const void *const at[], struct sim_text text[], size_t count);

/* --- device.c: devices, the lock, errors ------------------------------------------------------ */

/* Around every call of the runtime.  The first one starts the simulator. */
void sim_enter(const char *call, const void *at);
cudaError_t sim_leave(cudaError_t status); /* notes it for cudaGetLastError, and returns it */

/* What the program has left there, or left undone, in one line; NULL: nothing. */
const char *sim_left(void);

int sim_devices(void);
size_t sim_memory_free(int device); /* bytes */
int sim_device(void); /* this host thread's */
bool sim_reaches(int device, int peer);

/* --- memory.c: arrays and their shadow -------------------------------------------------------- */

/* One range of addresses a device, one for managed and one for pinned memory: an address tells
   what it is.  MEMORY_BYTES behind each byte stands its shadow. */
enum { MANAGED = MAX_DEVICES, PINNED, REGIONS };

#define REGION_BYTES ((size_t)1 << 36)
#define MEMORY_START ((uintptr_t)0x100000000000)
#define MEMORY_BYTES (REGIONS * REGION_BYTES)

enum shadow { OUTSIDE = 0, UNWRITTEN = 1, WRITTEN = 3 };

struct sim_array {
    struct sim_array *next;
    char *start;
    size_t bytes;
    int region;
    const void *made, *freed; /* by which call; freed NULL: it is still there */
};

static inline bool sim_simulated(const void *p)
{
    return (uintptr_t)p - MEMORY_START < MEMORY_BYTES;
}

static inline int sim_region(const void *p)
{
    return (int)(((uintptr_t)p - MEMORY_START) / REGION_BYTES);
}

static inline unsigned char *sim_shadow(const void *p)
{
    return (unsigned char *)((uintptr_t)p + MEMORY_BYTES);
}

void sim_memory_start(void);
struct sim_array *sim_array_make(int region, size_t bytes, const void *at); /* NULL: no memory */
void sim_array_free(struct sim_array *a, const void *at);
struct sim_array *sim_array_at(const void *p); /* that starts there, and is not freed; or NULL */
struct sim_array *sim_array_of(const void *p); /* that this is in, and is not freed; or NULL */
size_t sim_memory_used(int region);

/* A device's memory can be touched only while one works. */
void sim_memory_open(void);
void sim_memory_close(void);

bool sim_registered(const void *p, size_t bytes); /* host memory, known to the devices */

/* Do all these bytes exist, and are they written if they are to be read?  If not, ends the process;
   `what` as in "cudaMemcpy". */
void sim_check(const void *p, size_t bytes, bool write, const char *what, const void *at);
/* What is wrong with an access to simulated memory: "reads 4 bytes, 0 bytes past the end ..." */
const char *sim_describe(const void *p, size_t bytes, bool write);
/* "byte 8 of an array of 4000 bytes (memory of device 0, from saxpy.cu:12)". */
const char *sim_place_global(const void *p);

const char *sim_left_arrays(void); /* what was never freed; NULL: nothing */

/* --- stream.c, event.c, graph.c: work and its order ------------------------------------------- */

struct sim_work {
    struct sim_work *next;
    unsigned long order; /* among all work that was ever queued */
    int device, phase;   /* the phase in which it was put there */
    void (*act)(struct sim_work *); /* NULL: only a mark, of an event */
    void (*end)(struct sim_work *); /* frees it */
};

struct cudasim_stream {
    struct cudasim_stream *next;
    int device;
    bool legacy, nonblocking, dead;
    struct sim_work *first, *last;
    struct cudasim_graph *capture; /* what records this stream's work; NULL: it is to be done */
};

extern int sim_acting_phase; /* that of the work that is being done */

struct cudasim_stream *sim_stream(cudaStream_t handle, const void *at);
void sim_put(struct cudasim_stream *s, struct sim_work *w);
void sim_finish(struct cudasim_stream *s);
void sim_finish_before(struct cudasim_stream *s, unsigned long order);
void sim_finish_device(int device);
void sim_free_work(struct sim_work *w); /* for work that holds nothing else */

void sim_record(struct cudasim_graph *g, struct sim_work *w);
void sim_end_capture(const struct cudasim_graph *g);   /* for streams */
void sim_forget_events(const struct cudasim_graph *g); /* for events */

unsigned sim_left_streams(unsigned *waiting); /* and the work that still waits in them */
unsigned sim_left_events(void);

/* --- block.c, warp.c, fiber.c: threads -------------------------------------------------------- */

enum state { READY, AT_BARRIER, IN_WARP, TOGETHER, AT_MBARRIER, AT_CLUSTER, PAUSED, RETURNED };

struct sim_lane {
    void *stack; /* where it was left */
    struct cudasim_level *level;
    struct cudasim_shape thread;
    unsigned number; /* in its block */
    unsigned rank;   /* among those of its block, in the order in which they begin */
    enum state state;
    const struct cudasim_place *place; /* where it waits */
    enum cudasim_operation operation;
    unsigned mask;
    int argument, width;
    uint64_t value, result;
    bool fenced;     /* what it has done may be published: race.c */
    size_t acquired; /* so many of what was published it has seen */
    bool strong;     /* this access is volatile */
    struct ptx_frame *together; /* the asm statement that it waits in: ptx.h */
    struct {
        bool fenced, open;
        unsigned batches; /* that it has not waited for */
        const struct cudasim_place *place;
    } products; /* of wgmma */
    uint64_t mbarrier;     /* that it waits at */
    bool cluster_arrived;  /* at its cluster's barrier, and has not waited */
};

struct sim_warp {
    unsigned ready, waiting, alive; /* a bit a lane; waiting: in a warp operation */
    unsigned paused;                /* until the others have caught up: requests.c */
};

struct sim_block {
    struct cudasim_launch *launch;
    struct cudasim_shape index;
    int device;
    unsigned rank; /* in its cluster */
    unsigned threads, begun, returned, at_barrier, yes, answer;
    struct sim_warp warp[MAX_WARPS];
    unsigned short order[MAX_THREADS]; /* in which they begin */
    unsigned short warp_order[MAX_WARPS]; /* in which they go */
    struct sim_lane lane[MAX_THREADS];
};

extern struct sim_block sim_block;         /* that is running */
extern __thread struct sim_lane *sim_lane; /* that is running here; NULL: here runs the host */

void sim_run(struct cudasim_launch *launch, int device);
void sim_block_start(void);
bool sim_block_advance(void); /* as far as it gets; has anything happened? */
void sim_block_end(void);
void sim_block_stuck(void);   /* none of its threads can go on: ends the process, if it knows why */
bool sim_block_over(void);
void sim_wait(enum state state); /* until someone makes this lane ready */
void sim_forget_copies(void); /* that threads of this block have not waited for */
void sim_make_ready(struct sim_lane *lane);
bool sim_try_meet(struct sim_lane *lane); /* if all have come, they can go on */

void sim_stacks_start(void);
void *sim_stack_take(void (*entry)(void));
void sim_stack_give(const void *inside);
bool sim_on_stack(const void *p, const void *stack); /* the stack that `stack` is on */
bool sim_stack_guard(const void *p);
void fiber_switch(void **save, void *to);

/* --- cluster.c: blocks that run together ------------------------------------------------------ */

void sim_cluster_run(struct cudasim_shape first); /* the one with this block */
unsigned sim_cluster_size(void);
void sim_cluster_leave(void); /* the thread returns, and does not wait at the cluster's barrier */
struct sim_block *sim_block_of(unsigned rank); /* the one that runs, or one that is put aside */
void sim_make_ready_in(struct sim_block *b, struct sim_lane *lane);

/* --- ptx_mbarrier.c, ptx_copy.c: barriers in shared memory, and copies that arrive there ------ */

bool sim_copies_arrive(void);          /* to this block, that someone waits for */
bool sim_copies_wait(unsigned rank);   /* are there any? */
void sim_copies_end(void);             /* the block is over */
void sim_mbarriers_stuck(void);        /* as sim_block_stuck */

/* --- order.c: who goes first ------------------------------------------------------------------ */

extern unsigned long sim_seed; /* 0: in order */

void sim_order_start(void);
void sim_order_launch(uint64_t blocks);
uint64_t sim_order_block(uint64_t blocks); /* which one is the next */
void sim_order_threads(void);              /* of a block that begins */
bool sim_order_coin(void);                 /* now or later?  Without a seed: later */
void sim_order_warps(void);                /* of a block in which all threads have begun */
unsigned sim_order_any(unsigned warp, unsigned ready);

/* Which of these lanes of the warp goes on, or begins? */
static inline unsigned sim_order_next(unsigned warp, unsigned ready)
{
    return sim_seed == 0 ? (unsigned)__builtin_ctz(ready) : sim_order_any(warp, ready);
}

/* --- hooks.c: each access of a kernel --------------------------------------------------------- */

void sim_hooks_launch(void); /* one begins */

/* --- symbols.c: the program's own table ------------------------------------------------------- */

struct sim_symbol {
    const char *name;
    size_t start, bytes; /* from where the program was loaded, or from where shared memory begins */
    bool shared;
};
extern const struct sim_symbol *sim_symbols; /* NULL: it was stripped */
extern size_t sim_symbol_count;

void sim_symbols_read(void);
const struct sim_symbol *sim_symbol_at(bool shared, size_t offset); /* NULL: nothing is there */
const char *sim_symbol_name(const struct sim_symbol *s); /* "tile", of "_ZZ6kernelPfE4tile" */

/* --- shared.c: the memory of a block ---------------------------------------------------------- */

void sim_shared_launch(void); /* one begins */
void sim_shared_block(void);  /* one begins, and none of it has been written */
size_t sim_shared_offset(const void *p); /* in the memory that holds all shared arrays */
/* "byte 8 of the shared array tile of 1024 bytes". */
const char *sim_place_shared(const void *p);
size_t sim_shared_bytes(void);
bool sim_shared(const void *p);
/* As sim_check. */
void sim_check_shared(const char *p, size_t bytes, bool write, const void *at);
/* At an address as PTX has it, of which the upper byte says whose: 0: of this block, else its rank
   and one.  NULL: nothing is there. */
enum { WHOSE_AT = 24 };
char *sim_shared_at(uint64_t address);
/* So many bytes of a block's have been written by a copy. */
void sim_shared_copied(uint64_t address, size_t bytes, const void *at);
/* Puts the memory of this block aside, and takes up another's, of its cluster. */
void sim_shared_switch(unsigned from, unsigned to);
/* And an access there, checked and watched. */
char *sim_check_window(uint64_t address, size_t bytes, const void *at); /* that it can be read */
char *sim_access_shared(uint64_t address, size_t bytes, bool write, const void *at);

/* --- watch.c: the second pass, which looks at each access again ------------------------------- */

/* What is asked for in the environment: one bit each. */
enum { WATCH_REQUESTS = 1, WATCH_RACES = 2 };
extern unsigned sim_watching;

/* OWN: the program's variables, __device__ and __constant__.  PRIVATE: a thread's, and parameters. */
enum sim_space { GLOBAL, SHARED, OWN, PRIVATE };
enum sim_action { LOAD, STORE, ATOMIC };

/* A place in the text that accesses memory. */
struct sim_site {
    const void *at; /* as for sim_fail */
    enum sim_space space;
    enum sim_action action;
};
enum { MAX_SITES = 1 << 16 };
extern struct sim_site sim_sites[MAX_SITES];

/* Where memory is in its space, and how much of it there is; and in words. */
size_t sim_space_offset(enum sim_space space, const void *p);
size_t sim_space_bytes(enum sim_space space);
const char *sim_place(enum sim_space space, const void *p);

void sim_watch_start(void);
void sim_watch(enum sim_space space, const void *p, size_t bytes, enum sim_action action,
               const void *at);
/* The running lane has asked for a copy, which may arrive from now on. */
void sim_watch_copy(const void *to, size_t bytes, const void *at);
/* It reads all of a matrix, for a whole group of threads. */
void sim_watch_matrix(const void *from, size_t bytes, const void *at);
/* It changes an mbarrier, and those who wait there will see what it has done; or it has waited. */
void sim_watch_mbarrier(const void *p, size_t bytes, bool publish, const void *at);
void sim_watch_launch(const struct cudasim_launch *launch); /* one begins */
/* The lane that runs is about to meet those of the mask; 0: all of its block. */
void sim_watch_meeting(unsigned mask);
void sim_watch_block(void);   /* one begins */
void sim_watch_barrier(void); /* which all threads have come to */
/* The lane that runs was not running, and does not any longer. */
static inline void sim_watch_resume(void);
static inline void sim_watch_stop(void);
void sim_watch_met(unsigned warp, unsigned lanes); /* in __syncwarp() */
/* No lane of the warp is ready: is any now? */
bool sim_watch_stopped(unsigned warp);

/* --- requests.c: lanes' accesses become requests of warps ------------------------------------- */

/* `bytes` is a power of two up to 16.  The lane may have to wait here. */
void sim_request(unsigned site, uintptr_t address, unsigned bytes);
void sim_request_meeting(unsigned mask);
void sim_requests_block(void);          /* one begins */
void sim_requests_resume(void);         /* a lane runs now; */
void sim_requests_stop(void);           /* and no longer */
bool sim_requests_serve(unsigned warp); /* as sim_watch_stopped */

static inline void sim_watch_resume(void)
{
    if ((sim_watching & WATCH_REQUESTS) != 0)
        sim_requests_resume();
}

static inline void sim_watch_stop(void)
{
    if ((sim_watching & WATCH_REQUESTS) != 0)
        sim_requests_stop();
}

/* --- race.c, race.h: accesses that nothing orders --------------------------------------------- */

void sim_race_launch(void);
void sim_race_block(void);
void sim_race_barrier(void);
void sim_race_meet(unsigned warp, unsigned lanes);   /* these of its lanes have, in __syncwarp() */
void sim_race_forget(const struct sim_array *a);     /* it is not there any longer */

/* --- parts.c: what requests are served in ----------------------------------------------------- */

/* Of these addresses, the lanes' in order; `bytes` from each, and each a multiple of that. */
unsigned sim_distinct_bytes(const uintptr_t address[], unsigned lanes, unsigned bytes);
unsigned sim_sectors(const uintptr_t address[], unsigned lanes, unsigned bytes);
/* And how many it would be without bank conflicts. */
unsigned sim_wavefronts(const uintptr_t address[], const unsigned char lane[], unsigned lanes,
                        unsigned bytes, unsigned *least);

/* --- counters.c: what a program asks of the memory -------------------------------------------- */

/* Of all requests from one site.  A request asks for a word of each lane that takes part. */
struct sim_tally {
    uint64_t requests;
    uint64_t bytes; /* those that several lanes of a request ask for count once */
    uint64_t parts; /* sectors of 32 bytes of global memory, wavefronts of shared memory */
    uint64_t least; /* as many would do if the lanes' words lay side by side */
};

void sim_counters_start(void);
void sim_count_launch(const struct cudasim_launch *launch);
struct sim_tally *sim_tally(unsigned site); /* of the kernel that is running */
void sim_count_barrier(unsigned warps);
/* What is asked for from now on belongs to this phase of the program: what was counted of it, and of
   those that followed it, is forgotten. */
void sim_phase(const char *name);
int sim_phase_now(void);
void sim_counters_report(void); /* and begins anew */

/* --- traffic.c, managed.c, overlap.c: what goes between host and devices ---------------------- */

void sim_count_copy(const void *to, const void *from, size_t bytes); /* from NULL: it was set */
void sim_traffic_forget(int first_phase);

void sim_managed_made(const struct sim_array *a);
void sim_managed_open(const struct sim_array *a, bool open); /* for all, or as the host may */
void sim_managed_touch(const void *p, int device, bool write);
/* The host has touched it where it is closed.  False: not because of this. */
bool sim_managed_fault(const void *p, bool write);
/* Places are devices, or -1: the host. */
void sim_managed_prefetch(const void *p, size_t bytes, int to);
void sim_managed_advise(const void *p, size_t bytes, enum cudaMemoryAdvise advice, int place);

/* COPY_IN, COPY_OUT: from and to page-locked memory of the host. */
enum sim_work_kind { KERNEL, COPY_IN, COPY_OUT, OTHER_WORK };
void sim_overlap_put(const struct cudasim_stream *s, const struct sim_work *w,
                     enum sim_work_kind kind, size_t bytes);
void sim_overlap_mark(const struct cudasim_stream *s, unsigned long order); /* an event */
void sim_overlap_wait(const struct cudasim_stream *s, unsigned long order); /* for that event */
void sim_overlap_host_event(unsigned long order); /* the host has waited for it, */
void sim_overlap_host(const struct cudasim_stream *s); /* for all of a stream's work */

/* --- fault.c: addresses that are closed ------------------------------------------------------- */

void sim_faults_start(void);
void sim_faults_enter(void); /* this thread is about to run kernels */
void sim_faults_leave(void);

#endif
