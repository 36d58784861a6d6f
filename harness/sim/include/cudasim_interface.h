/* The interface between rewritten .cu files (C++) and the simulator (C). */
#ifndef CUDASIM_INTERFACE_H
#define CUDASIM_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cudasim_shape {
    unsigned x, y, z;
};

/* A launch in a queue.  Copies of the kernel's arguments follow it. */
struct cudasim_launch {
    struct cudasim_shape grid, block, cluster;
    size_t shared; /* bytes of dynamic shared memory */
    cudaStream_t stream;
    const void *kernel; /* its address; NULL: not known */
    const char *name;   /* as in the source, in parentheses */
    size_t bytes;       /* of this structure and the arguments */
    void (*run)(struct cudasim_launch *);
    void (*end)(struct cudasim_launch *);
};

void cudasim_enqueue(struct cudasim_launch *launch);

extern __thread char cudasim_dynamic_shared[];

/* The thread's index, 0: x, 1: y, 2: z.  It is constant for a thread; the attribute lets an expression
   read it once. */
__attribute__((const)) unsigned cudasim_thread(int axis);
__attribute__((const)) unsigned cudasim_block(int axis);
__attribute__((const)) unsigned cudasim_block_size(int axis);
__attribute__((const)) unsigned cudasim_grid_size(int axis);

/* Returns the value, and counts that the running thread has found this condition so: branches.c. */
bool cudasim_branch(int condition, bool value);

/* A place in the source: threads that meet must be at the same one. */
struct cudasim_place {
    const char *operation, *file;
    int line;
};

enum cudasim_operation {
    CUDASIM_SYNC,
    CUDASIM_SHFL,
    CUDASIM_SHFL_UP,
    CUDASIM_SHFL_DOWN,
    CUDASIM_SHFL_XOR,
    CUDASIM_BALLOT,
    CUDASIM_MATCH,
    CUDASIM_ADD,
    CUDASIM_MIN,
    CUDASIM_MAX,
    CUDASIM_UMIN,
    CUDASIM_UMAX,
    CUDASIM_AND,
    CUDASIM_OR,
    CUDASIM_XOR
};

/* Waits for every thread of the block.  Returns how many passed a nonzero `yes`. */
int cudasim_barrier(const struct cudasim_place *here, int yes);
/* Waits for every lane of the mask.  Returns this lane's result. */
uint64_t cudasim_meet(const struct cudasim_place *here, enum cudasim_operation operation,
                      unsigned mask, uint64_t value, int argument, int width);

/* A copy to shared memory that its thread has not waited for.  put: adds it to the open batch, which
   commit closes.  take: returns the oldest, or 0 if that belongs to one of the last `prior` batches. */
struct cudasim_copy {
    void *to;
    const void *from;
    size_t bytes, zeros; /* of the bytes, this many at the end are zeros */
    size_t batch;
};
void cudasim_copy_put(const struct cudasim_copy *c);
void cudasim_copies_commit(void);
int cudasim_copy_take(size_t prior, struct cudasim_copy *c);

/* The two halves of an atomic operation on `bytes` bytes, 8 at most. */
uint64_t cudasim_atomic_read(const void *p, size_t bytes);
void cudasim_atomic_write(void *p, size_t bytes, uint64_t value);

void cudasim_fence(void);
void cudasim_returns(int line); /* the running thread leaves its kernel there */

/* A loop that a lane is in: its place in the machine code, and a hash of that, of the loops around it
   and of the iterations of all of them.  The hash grows by one with each iteration.  A lane's loops
   lie in a ring, aligned to its size; cudasim_level points to the running lane's innermost loop. */
struct cudasim_level {
    const void *place;
    uint64_t start, hash, unused;
};
enum { CUDASIM_LEVELS = 64 };
extern struct cudasim_level *cudasim_level;

/* An asm statement, and what it was parsed into when a thread first reached it. */
struct cudasim_ptx {
    const char *text, *file;
    int line;
    struct ptx_program *program;
};

/* Executes a statement.  Operands of type l, d or n take 2 words, others 1.  `constraints` has two
   characters for each: =, + or space, and the type.  `at` is where the user's code continues. */
void cudasim_execute(struct cudasim_ptx *statement, const char *constraints, uint32_t *words,
                     const void *at);

/* Returns an address of shared memory as in PTX, 32 bits wide. */
size_t cudasim_shared_address(const void *p);

unsigned cudasim_no_activemask(void);
__attribute__((noreturn)) void cudasim_trap(void);

#ifdef __cplusplus
}
#endif
#endif
