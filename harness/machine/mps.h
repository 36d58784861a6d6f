/* NVIDIA's Multi-Process Service, by which processes share a GPU at the same time instead of in turns. */
#ifndef RUNGS_MPS_H
#define RUNGS_MPS_H

/* Returns what runs of it on this machine: "server"; "control", the daemon alone, which starts a server for the first
   client; "none".  A container may hide processes of its host, so a control pipe in CUDA_MPS_PIPE_DIRECTORY, or where that is
   by default, counts as "control".  Nothing is started. */
const char *mps_state(void);

/* The same of any /proc and any folder of pipes, for tests. */
const char *mps_state_of(const char *proc, const char *pipes);

#endif
