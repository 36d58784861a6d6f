/*
 * What the files of the simulator share.
 *
 * One lock guards everything.  Calls of the runtime put work into streams (stream.c).  Work is executed
 * as late as CUDA allows, by the host thread that waits for it.  The blocks of a kernel run one after
 * another, the threads of a block as fibers on one core (block.c), so every run is the same.  The first
 * mistake ends the process with one line that names it (report.c).
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
    MAX_THREADS = 1024, /* in a block */
    MAX_WARPS = MAX_THREADS / WARP,
    MAX_CLUSTER = 8, /* blocks */
    SHARED_BYTES = 48 << 10,        /* of a block, by default */
    SHARED_BYTES_ASKED = 227 << 10, /* with cudaFuncSetAttribute */
    STACK_BYTES = 64 << 10,         /* of a thread */
    STACK_GUARD = 4096              /* inaccessible bytes below each stack */
};

/* The place in the user's code that called.  Valid only in functions that this code calls directly. */
#define CALLER __builtin_return_address(0)

/* --- report.c: the first mistake is the last -------------------------------------------------- */

/* Ends the process with one line: the place, the thread and kernel if there is one, and the message.
   `at` is a return address in the user's code; NULL: not known. */
__attribute__((noreturn, format(printf, 2, 3))) void sim_fail(const void *at, const char *format,
                                                               ...);

/* Returns "file.cu:12" for such an address. */
const char *sim_line(const void *at);
/* The same for up to MOST_LINES addresses at once, because starting addr2line takes long. */
enum { MOST_LINES = 1024 };
struct sim_text {
    char line[200];
};
void sim_lines(const void *const at[], struct sim_text text[], size_t count);
/* Writes the lines of these calls that are in the same file as the first one outside of the simulator: "file.cu:12,40". */
void sim_calls(const void *const at[], size_t count, char *text, size_t room);

/* --- device.c: devices, the lock, errors ------------------------------------------------------ */

/* Call these around every function of the runtime.  The first call starts the simulator. */
void sim_enter(const char *call, const void *at);
extern const void *sim_entered; /* where the last call came from */
cudaError_t sim_leave(cudaError_t status); /* keeps the status for cudaGetLastError, and returns it */

/* Returns one line on what the program has not freed or not finished; NULL: nothing. */
const char *sim_left(void);

int sim_devices(void);
size_t sim_memory_free(int device); /* bytes */
int sim_device(void); /* of this host thread */
bool sim_reaches(int device, int peer);

/* --- memory.c: arrays and their shadow -------------------------------------------------------- */

/* Each device has a range of addresses; managed and pinned memory have one each.  So an address shows
   what it is.  The shadow of a byte lies MEMORY_BYTES after it. */
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
    const void *made, *freed; /* by which calls; freed NULL: it still exists */
    unsigned launched[MANAGED]; /* kernels on each device, before it was made */
    struct sim_users *users;    /* of each word: unordered.c */
};
extern unsigned sim_launched[MANAGED]; /* until now */

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
struct sim_array *sim_array_make(int region, size_t bytes, const void *at); /* NULL: out of memory */
void sim_array_free(struct sim_array *a, const void *at);
struct sim_array *sim_array_at(const void *p); /* the array, not freed, that starts there; or NULL */
const struct sim_array *sim_array_near(const void *p); /* that, or the nearest one, even if freed; or NULL */
struct sim_array *sim_array_of(const void *p); /* the array, not freed, that contains p; or NULL */
size_t sim_memory_used(int region);
/* Returns where an address may have got lost that is a null pointer now; "": that is not known. */
const char *sim_null_reason(void);

/* A device's memory is accessible only while a device works. */
void sim_memory_open(void);
void sim_memory_close(void);

bool sim_registered(const void *p, size_t bytes); /* host memory that is registered with the devices */

/* Checks that all these bytes exist and, if they are read, were written.  Otherwise ends the process.
   `what`: "cudaMemcpy". */
void sim_check(const void *p, size_t bytes, bool write, const char *what, const void *at);
/* Says what is wrong with an access to simulated memory: "reads 4 bytes, 0 bytes past the end ..." */
const char *sim_describe(const void *p, size_t bytes, bool write);
/* Returns "byte 8 of an array of 4000 bytes (memory of device 0, from saxpy.cu:12)". */
const char *sim_place_global(const void *p);

const char *sim_left_arrays(void); /* one line on what was never freed; NULL: nothing */

/* --- stream.c, event.c, graph.c: work and its order ------------------------------------------- */

struct sim_work {
    struct sim_work *next;
    unsigned long order; /* among all work ever queued */
    int device, phase;   /* the phase in which it was queued */
    void (*act)(struct sim_work *); /* NULL: only a mark, for an event */
    void (*end)(struct sim_work *); /* frees it */
};

struct cudasim_stream {
    struct cudasim_stream *next;
    int device;
    bool legacy, nonblocking, dead;
    struct sim_work *first, *last;
    struct cudasim_graph *capture; /* the graph that records this stream's work; NULL: the work will be
                                      executed */
};

extern int sim_acting_phase; /* of the work that is being executed */
unsigned long sim_acting_order(void);
int sim_acting_device(void); /* -1: nothing is being executed */

struct cudasim_stream *sim_stream(cudaStream_t handle, const void *at);
void sim_put(struct cudasim_stream *s, struct sim_work *w);
void sim_finish(struct cudasim_stream *s);
void sim_finish_before(struct cudasim_stream *s, unsigned long order);
void sim_finish_device(int device);

/* Returns whether the device has work that was queued before what is done now, and has not been done. */
bool sim_has_earlier_work(int device);
void sim_free_work(struct sim_work *w); /* for work that owns nothing else */

void sim_record(struct cudasim_graph *g, struct sim_work *w);
void sim_end_capture(const struct cudasim_graph *g);   /* for streams */
void sim_forget_events(const struct cudasim_graph *g); /* for events */

unsigned sim_left_streams(unsigned *waiting); /* returns how many, and how much work waits in them */
unsigned sim_left_events(void);

/* --- block.c, warp.c, fiber.c: threads -------------------------------------------------------- */

enum state { READY, AT_BARRIER, IN_WARP, TOGETHER, AT_MBARRIER, AT_CLUSTER, AT_UNWRITTEN, PAUSED, RETURNED };

struct sim_lane {
    void *stack; /* where it was suspended */
    struct cudasim_level *level;
    struct cudasim_shape thread;
    unsigned number; /* within its block */
    unsigned rank;   /* its place in the order in which the block's threads begin */
    enum state state;
    const struct cudasim_place *place; /* where it waits */
    int left;                          /* the line of the `return` by which it has left; 0: it has reached the end */
    enum cudasim_operation operation;
    unsigned mask;
    int argument, width;
    uint64_t value, result;
    bool fenced;     /* what it has done may be published: race.c */
    size_t acquired; /* how much of what was published it has seen */
    bool strong;     /* the present access is volatile */
    struct ptx_frame *together; /* the asm statement at which it waits: ptx.h */
    struct {
        bool fenced, open;
        unsigned batches; /* not waited for yet */
        const struct cudasim_place *place;
    } products; /* of wgmma */
    uint64_t mbarrier;     /* at which it waits */
    bool cluster_arrived;  /* it has arrived at its cluster's barrier and not waited there */
};

struct sim_warp {
    unsigned ready, waiting, alive; /* one bit for each lane; waiting: in a warp operation */
    unsigned paused;                /* until other lanes catch up: requests.c */
};

struct sim_block {
    struct cudasim_launch *launch;
    struct cudasim_shape index;
    int device;
    unsigned rank; /* within its cluster */
    unsigned threads, begun, returned, at_barrier, yes, answer;
    struct sim_warp warp[MAX_WARPS];
    unsigned short order[MAX_THREADS]; /* in which threads begin */
    unsigned short warp_order[MAX_WARPS]; /* in which warps continue */
    struct sim_lane lane[MAX_THREADS];
};

extern struct sim_block sim_block;         /* the running block */
extern __thread struct sim_lane *sim_lane; /* the running lane; NULL: host code runs */

void sim_run(struct cudasim_launch *launch, int device);
void sim_block_start(void);
bool sim_block_advance(void); /* runs the block as far as possible; returns whether anything happened */
void sim_block_end(void);
void sim_block_stuck(void);   /* no thread can continue: ends the process if the cause is known */
bool sim_block_over(void);
void sim_wait(enum state state); /* until another thread makes this lane ready */
void sim_forget_copies(void); /* those that threads of this block have not waited for */
void sim_make_ready(struct sim_lane *lane);
bool sim_try_meet(struct sim_lane *lane); /* if all have arrived, they continue */
/* Writes those of `count` threads from the first one on that are in the state (and at the place, unless NULL), "1 to 3, 5". */
const char *sim_threads_in(const struct sim_lane *first, unsigned count, enum state state, const struct cudasim_place *place, char text[80]);
/* Says where those of `count` threads that have returned have left: "at line 33" or "at the end of the kernel"; "" if not all at one place. */
const char *sim_where_left(const struct sim_lane *first, unsigned count, char text[80]);

void sim_stacks_start(void);
void *sim_stack_take(void (*entry)(void));
void sim_stack_give(const void *inside);
bool sim_on_stack(const void *p, const void *stack); /* is p on the stack that contains `stack`? */
bool sim_stack_guard(const void *p);
void fiber_switch(void **save, void *to);

/* --- cluster.c: blocks that run together ------------------------------------------------------ */

void sim_cluster_run(struct cudasim_shape first); /* the cluster with this block */
unsigned sim_cluster_size(void);
void sim_cluster_leave(void); /* the thread returns without waiting at the cluster's barrier */
struct sim_block *sim_block_of(unsigned rank); /* running or put aside */
void sim_make_ready_in(struct sim_block *b, struct sim_lane *lane);

/* --- ptx_mbarrier.c, ptx_copy.c: barriers in shared memory, and copies that arrive there ------ */

bool sim_copies_arrive(void);          /* copies to this block that a thread waits for */
bool sim_copies_wait(unsigned rank);   /* are there any for that block? */
void sim_copies_end(void);             /* the block is over */
void sim_mbarriers_stuck(void);        /* as sim_block_stuck */

/* --- order.c: in which order blocks, warps and threads run ------------------------------------- */

extern unsigned long sim_seed; /* 0: in order */
bool mutant_runs(void);        /* of a learner's program; this and the next one: mutant.c */
int mutant_at(int place);      /* which one runs there; 0: none */
extern bool sim_blocking;      /* each launch and copy is done when it is queued: stream.c */

void sim_order_start(void);
void sim_order_launch(uint64_t blocks);
uint64_t sim_order_block(uint64_t blocks); /* returns the next one */
void sim_order_threads(void);              /* of a starting block */
bool sim_order_coin(void);                 /* now or later?  Without a seed: later */
void sim_order_warps(void);                /* of a block whose threads have all begun */
unsigned sim_order_any(unsigned warp, unsigned ready);

/* Returns which of these lanes of the warp continues or begins. */
static inline unsigned sim_order_next(unsigned warp, unsigned ready)
{
    return sim_seed == 0 ? (unsigned)__builtin_ctz(ready) : sim_order_any(warp, ready);
}

/* --- hooks.c: each access of a kernel --------------------------------------------------------- */

void sim_hooks_launch(void); /* a kernel begins */

/* --- symbols.c: the program's own table ------------------------------------------------------- */

struct sim_symbol {
    const char *name;
    size_t start, bytes; /* from the program's load address, or from the start of shared memory */
    bool shared;
};
extern const struct sim_symbol *sim_symbols; /* NULL: the program was stripped */
extern size_t sim_symbol_count;

void sim_symbols_read(void);
const struct sim_symbol *sim_symbol_at(bool shared, size_t offset); /* NULL: there is none */
const struct sim_symbol *sim_symbol_near(size_t offset);            /* the nearest shared array; NULL: none */
const char *sim_symbol_name(const struct sim_symbol *s); /* "tile", of "_ZZ6kernelPfE4tile" */

/* --- shared.c: the memory of a block ---------------------------------------------------------- */

void sim_shared_launch(void); /* a kernel begins */
void sim_shared_block(void);  /* a block begins, with shared memory unwritten */
size_t sim_shared_offset(const void *p); /* within the memory of all shared arrays */
/* Returns "byte 8 of the shared array tile of 1024 bytes". */
const char *sim_place_shared(const void *p);
void sim_shared_before(const void *p, size_t bytes, bool write, const void *at); /* ends the program if this lies just before shared memory */
size_t sim_shared_bytes(void);
bool sim_shared(const void *p);
/* Returns the bytes of shared memory that the running block has: those of its launch, and the arrays that it
   has written. */
size_t sim_shared_used(void);
/* Returns an array of this kernel that no kernel can have, or NULL.  The name has `length` letters. */
const struct sim_symbol *sim_shared_too_large(const char *kernel, size_t length);
void sim_report_unwritten(void); /* of the threads that wait AT_UNWRITTEN, the first; ends the process */
/* As sim_check. */
void sim_check_shared(const char *p, size_t bytes, bool write, const void *at);
/* Returns what lies at an address as in PTX; NULL: nothing.  The upper byte names the block: 0: this
   one, else its rank plus one. */
enum { WHOSE_AT = 24 };
char *sim_shared_at(uint64_t address);
/* A copy has written these bytes of a block's shared memory. */
void sim_shared_copied(uint64_t address, size_t bytes, const void *at);
/* Puts one block's shared memory aside and restores another's, of the same cluster. */
void sim_shared_switch(unsigned from, unsigned to);
/* Return such an address after checking the access; sim_access_shared also passes it to the second
   pass. */
char *sim_check_window(uint64_t address, size_t bytes, const void *at); /* may be read */
char *sim_access_shared(uint64_t address, size_t bytes, bool write, const void *at);

/* --- watch.c: the second pass, which checks and counts each access ------------------------------ */

/* What the environment requests; one bit each. */
enum { WATCH_REQUESTS = 1, WATCH_RACES = 2, WATCH_TRACE = 4 /* only together with requests */, WATCH_WRITES = 8, WATCH_ORDER = 16, WATCH_COPIES = 32,
       WATCH_READS = 64, WATCH_USES = 128, WATCH_BRANCHES = 256, WATCH_LATE = 512, WATCH_ADDS = 1024 };
extern unsigned sim_watching;
extern bool sim_reads_unwritten; /* RUNGS_SIM_UNWRITTEN: memory that was never written may be read, to see what comes later */

/* OWN: the program's variables, __device__ and __constant__.  PRIVATE: a thread's, and parameters. */
enum sim_space { GLOBAL, SHARED, OWN, PRIVATE };
enum sim_action { LOAD, STORE, ATOMIC };

/* A place in the source that accesses memory. */
struct sim_site {
    const void *at; /* as for sim_fail */
    enum sim_space space;
    enum sim_action action;
};
enum { MAX_SITES = 1 << 16 };
extern struct sim_site sim_sites[MAX_SITES];

unsigned sim_site_of(const void *at, enum sim_space space, enum sim_action action); /* its number */

/* Return the offset of memory in its space, the size of the space, and a description of the place. */
size_t sim_space_offset(enum sim_space space, const void *p);
size_t sim_space_bytes(enum sim_space space);
const char *sim_place(enum sim_space space, const void *p);

void sim_watch_start(void);
void sim_watch(enum sim_space space, const void *p, size_t bytes, enum sim_action action,
               const void *at);
/* The running lane has requested a copy, which may arrive from now on. */
void sim_watch_copy(const void *to, size_t bytes, const void *at);
/* The running lane reads a whole matrix, for a group of threads. */
void sim_watch_matrix(const void *from, size_t bytes, const void *at);
/* The running lane changes an mbarrier, so that threads waiting there see what it has done
   (`publish`); or it has waited there. */
void sim_watch_mbarrier(const void *p, size_t bytes, bool publish, const void *at);
void sim_watch_launch(const struct cudasim_launch *launch); /* a kernel begins */
/* The running lane is about to meet the lanes of the mask; 0: all of its block. */
void sim_watch_meeting(unsigned mask);
void sim_watch_block(void);   /* a block begins */
void sim_watch_block_end(void);
void sim_watch_barrier(void); /* all threads have reached it */
/* The running lane resumes; or is suspended. */
static inline void sim_watch_resume(void);
static inline void sim_watch_stop(void);
void sim_watch_met(unsigned warp, unsigned lanes); /* in __syncwarp() */
/* No lane of the warp is ready: returns whether one is now. */
bool sim_watch_stopped(unsigned warp);

/* --- requests.c: combines the accesses of lanes into requests of warps ------------------------- */

/* `bytes` is a power of two up to 16.  The lane may be suspended here. */
void sim_request(unsigned site, uintptr_t address, unsigned bytes);
void sim_request_meeting(unsigned mask);
void sim_requests_block(void);          /* a block begins */
void sim_requests_resume(void);         /* a lane resumes */
void sim_requests_stop(void);           /* a lane is suspended */
bool sim_requests_serve(unsigned warp); /* as sim_watch_stopped */

static inline void sim_watch_resume(void)
{
    if ((sim_watching & WATCH_REQUESTS) != 0)
        sim_requests_resume();
}

void sim_late_restore(void); /* what a late read has put into memory is over: late.c */

static inline void sim_watch_stop(void)
{
    if ((sim_watching & WATCH_REQUESTS) != 0)
        sim_requests_stop();
    if ((sim_watching & WATCH_LATE) != 0)
        sim_late_restore();
}

/* --- race.c, race.h: accesses without an order ------------------------------------------------ */

void sim_race_launch(void);
void sim_race_block(void);
void sim_race_barrier(void);
void sim_race_meet(unsigned warp, unsigned lanes);   /* these of its lanes have met in __syncwarp() */
void sim_race_forget(const struct sim_array *a);     /* it was freed */

/* --- parts.c: the sectors and wavefronts that serve a request ---------------------------------- */

/* For the lanes' addresses in order, with `bytes` at each, aligned to that. */
unsigned sim_distinct_bytes(const uintptr_t address[], unsigned lanes, unsigned bytes);
unsigned sim_sectors(const uintptr_t address[], unsigned lanes, unsigned bytes);
/* Sets *least to the number without bank conflicts. */
unsigned sim_wavefronts(const uintptr_t address[], const unsigned char lane[], unsigned lanes,
                        unsigned bytes, unsigned *least);

/* --- writes.c: which elements each thread writes -------------------------------------------------- */

void sim_writes_launch(const struct cudasim_launch *launch);
void sim_writes_block(void);
void sim_writes_add(const void *p); /* the running lane stores there, in global memory */
void sim_writes_block_end(void);
void sim_writes_end(void);

/* --- touches.c: what host code reads and writes ------------------------------------------------------ */

extern bool sim_touching; /* it is asked for */
void sim_touch(const void *p, bool write);
void sim_touch_enter(void); /* a function of the program begins, */
void sim_touch_leave(void); /* and ends */

/* --- branches.c: which conditions were true before an element was stored --------------------------- */

void sim_branches_launch(void);
void sim_branches_block(void);
void sim_branches_add(const void *p, size_t bytes); /* the running lane stores there, in global memory */
void sim_branches_end(void);

/* --- adds.c: which threads make atomic changes ----------------------------------------------------- */

void sim_adds_add(const void *p, const void *at); /* the running lane makes one there, in global memory */
void sim_adds_end(void);

/* --- reads.c: which words kernels read --------------------------------------------------------------- */

void sim_reads_add(const void *p, size_t bytes); /* the running lane loads there, from global memory */
void sim_reads_end(void);                        /* of a launch */

/* --- copies.c: which bytes of the host are copied --------------------------------------------------- */

void sim_copies_add(const void *to, const void *from, size_t bytes, const void *at);

/* --- uses.c: which arrays each launch and copy uses ------------------------------------------------ */

void sim_uses_phase(const char *name); /* of the variant begins: what was queued in it may be done later */
void sim_uses_launch(void);
void sim_uses_add(const void *p, size_t bytes, bool writes); /* the running kernel does so, in global memory */
void sim_uses_end(void);                                     /* of the launch */
void sim_uses_copy(const void *to, const void *from);        /* from NULL: a memset */

/* --- counters.c: counts of memory requests ----------------------------------------------------- */

/* All requests from one site.  A request has a word for each lane that takes part. */
struct sim_tally {
    uint64_t requests;
    uint64_t bytes; /* bytes that several lanes of a request share count once */
    uint64_t parts; /* sectors of 32 bytes of global memory, wavefronts of shared memory */
    uint64_t least; /* as many as if the lanes' words were contiguous */
    uint64_t accesses; /* of lanes */
    uint32_t warps; /* of a block that have made one, a bit for each */
};

void sim_counters_start(void);
void sim_count_launch(const struct cudasim_launch *launch);
struct sim_tally *sim_tally(unsigned site); /* of the running kernel */
void sim_count_barrier(unsigned warps);
void sim_count_block(void); /* a block ends */
/* Begins a phase of the program, to which later requests belong.  Earlier counts of this phase, and of
   those that followed it, are dropped. */
void sim_phase(const char *name);
int sim_phase_now(void);
void sim_counters_report(void); /* and starts again */

/* --- traffic.c, managed.c, overlap.c: copies between host and devices -------------------------- */

void sim_count_copy(const void *to, const void *from, size_t bytes); /* from NULL: a memset */
void sim_traffic_forget(int first_phase);

void sim_managed_made(const struct sim_array *a);
void sim_managed_open(const struct sim_array *a, bool open); /* open to all, or only as far as the host
                                                                may access it */
void sim_managed_touch(const void *p, int device, bool write);
/* The host has accessed closed memory.  Returns false if this is not the cause. */
bool sim_managed_fault(const void *p, bool write);
/* Places are devices, or -1 for the host. */
void sim_managed_prefetch(const void *p, size_t bytes, int to);
void sim_managed_advise(const void *p, size_t bytes, enum cudaMemoryAdvise advice, int place);

/* COPY_IN, COPY_OUT: from and to page-locked memory of the host.  COPY_PEER: from one device to another. */
enum sim_work_kind { KERNEL, COPY_IN, COPY_OUT, COPY_PEER, OTHER_WORK };
/* `name`: of a kernel, as in its launch, or of a copy, "HtoD"; it stays valid. */
void sim_overlap_put(struct cudasim_stream *s, const struct sim_work *w,
                     enum sim_work_kind kind, size_t bytes, const char *name);
void sim_overlap_mark(const struct cudasim_stream *s, unsigned long order); /* an event is recorded */
void sim_overlap_wait(const struct cudasim_stream *s, unsigned long order); /* a stream waits for it */
void sim_overlap_host_event(unsigned long order); /* the host has waited for it */
void sim_overlap_host(const struct cudasim_stream *s); /* the host has waited for the stream */

/* --- unordered.c: launches and copies that use the same memory in no order, with WATCH_ORDER ---- */

void sim_unordered_put(size_t number); /* overlap.c has given work this number */
/* The work that is being executed does so, a kernel in the call at this place. */
void sim_unordered_use(const void *p, size_t bytes, bool writes, const void *at);

/* --- fault.c: accesses to closed addresses ---------------------------------------------------- */

void sim_faults_start(void);
void sim_faults_enter(void); /* this thread is about to run kernels */
void sim_faults_leave(void);

/* --- patience.c: launches that take too long ------------------------------------------------------ */

void sim_patience_start(void);
void sim_patience_begin(void); /* a launch, or a copy */
void sim_patience_end(void);

#endif
