/* The processes of a worker: a variant in another language may keep some, e.g. a pool.  They rest, end and are counted
   with their worker. */
#ifndef RUNGS_TREE_H
#define RUNGS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { TREE_ROOM = 1024 };

/* Lists a process and all that descend from it, parents first, at most `room`.  Returns how many. */
size_t tree_list(pid_t root, pid_t list[], size_t room);

/* Stops all of them, or lets them go on. */
void tree_rest(pid_t root, bool rest);

/* Ends all of them. */
void tree_end(pid_t root);

/* Returns whether each of their threads is stopped, or has ended. */
bool tree_stands_still(pid_t root);

/* Returns the processor seconds that they have used, and those of their own that they have waited for. */
double tree_cpu(pid_t root);

/* The processor time of each thread of a tree. */
struct tree_threads {
    size_t count;
    struct thread_time {
        pid_t id;
        unsigned long long used; /* ns */
    } thread[TREE_ROOM];
};
void tree_threads(pid_t root, struct tree_threads *t);

/* Returns the sum of the most memory that each has had resident since tree_forget_peak(), without what it shares with
   other processes on purpose, such as a case's arrays.  Pages of a library count once a process. */
double tree_peak(pid_t root);
void tree_forget_peak(pid_t root);

#endif
