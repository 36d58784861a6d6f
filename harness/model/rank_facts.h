/* What a record says of a variant that ran as several processes (common/mpi.h). */
#ifndef RUNGS_RANK_FACTS_H
#define RUNGS_RANK_FACTS_H

struct rank_facts {
    int ranks, hosts;   /* 0: it was one process */
    char library[64];   /* "Open MPI v4.1.4" */
    char sends[32];     /* the pattern of its messages in run (harness/records/traffic.h); "": its card has none */
    char transport[64]; /* what carries its messages, as far as the library tells: "ob1: vader, tcp" */
};

#endif
