/* What passes between rewritten .cu files (C++) and the simulator (C). */
#ifndef CUDASIM_INTERFACE_H
#define CUDASIM_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cudasim_shape {
    unsigned x, y, z;
};

/* A launch in a queue.  The kernel's arguments follow it, copied when it was made. */
struct cudasim_launch {
    struct cudasim_shape grid, block, cluster;
    size_t shared; /* bytes of dynamic shared memory */
    cudaStream_t stream;
    const void *kernel; /* its address; NULL: not known */
    const char *name;   /* as written, in parentheses */
    size_t bytes;       /* of this and the arguments */
    void (*run)(struct cudasim_launch *);
    void (*end)(struct cudasim_launch *);
};

void cudasim_enqueue(struct cudasim_launch *launch);

extern __thread char cudasim_dynamic_shared[];

/* Where the thread is, 0: x, 1: y, 2: z.  No thread ever sees another value, hence const: an
   expression that needs one asks once. */
__attribute__((const)) unsigned cudasim_thread(int axis);
__attribute__((const)) unsigned cudasim_block(int axis);
__attribute__((const)) unsigned cudasim_block_size(int axis);
__attribute__((const)) unsigned cudasim_grid_size(int axis);

/* A place in the text: threads that meet must be at the same one. */
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

/* Waits for every thread of the block: how many of them say yes? */
int cudasim_barrier(const struct cudasim_place *here, int yes);
/* Waits for every lane of the mask: what does this one get? */
uint64_t cudasim_meet(const struct cudasim_place *here, enum cudasim_operation operation,
                      unsigned mask, uint64_t value, int argument, int width);

/* A copy to shared memory that its thread has not waited for yet.  put: into the batch that is open,
   which commit closes; take: the oldest, if it is of none of the last `prior` batches, or 0. */
struct cudasim_copy {
    void *to;
    const void *from;
    size_t bytes, zeros; /* of the bytes, so many at the end are zeros instead */
    size_t batch;
};
void cudasim_copy_put(const struct cudasim_copy *c);
void cudasim_copies_commit(void);
int cudasim_copy_take(size_t prior, struct cudasim_copy *c);

/* An atomic operation's two halves, of `bytes` bytes, 8 at most. */
uint64_t cudasim_atomic_read(const void *p, size_t bytes);
void cudasim_atomic_write(void *p, size_t bytes, uint64_t value);

void cudasim_fence(void);

/* A loop that a lane is in: where it stands in the machine's code, and a hash of that, of the loops
   around it, and of all their turns; one more for each turn of its own.  Those of a lane lie in a
   ring, aligned to its size; the innermost of the lane that runs is at cudasim_level. */
struct cudasim_level {
    const void *place;
    uint64_t start, hash, unused;
};
enum { CUDASIM_LEVELS = 64 };
extern struct cudasim_level *cudasim_level;

/* An asm statement, and what was made of it when a thread first came to it. */
struct cudasim_ptx {
    const char *text, *file;
    int line;
    struct ptx_program *program;
};

/* Its operands lie in words, 2 of type l, d or n, 1 of others.  Of each, two of the constraints'
   characters: =, + or space, and the type.  `at` is where the user's code goes on. */
void cudasim_execute(struct cudasim_ptx *statement, const char *constraints, uint32_t *words,
                     const void *at);

/* An address of shared memory as PTX has it, 32 bits wide. */
size_t cudasim_shared_address(const void *p);

unsigned cudasim_no_activemask(void);
__attribute__((noreturn)) void cudasim_trap(void);

#ifdef __cplusplus
}
#endif
#endif
