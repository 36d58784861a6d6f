#define _GNU_SOURCE
#include "harness/worker/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/home.h"
#include "harness/machine/topology.h"
#include "harness/worker/hand_over.h"
#include "harness/worker/protocol.h"

/* Ranks have as many processors as there are ranks, and each takes one of them (harness/worker/ranks.c).  Settings of the
   environment reach Open MPI and, for version 5, its PRRTE; other libraries ignore them, and need none. */
static void settle(int ranks)
{
    static const char *const settings[][2] = {
        {"OMPI_MCA_hwloc_base_binding_policy", "none"}, {"PRTE_MCA_hwloc_default_binding_policy", "none"},
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"},     {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
        {"OMPI_ALLOW_RUN_AS_ROOT", "1"},                {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"PRTE_ALLOW_RUN_AS_ROOT", "1"},                {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    };

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        setenv(settings[i][0], settings[i][1], 0);
    if (ranks >= topology_cores()) /* otherwise one that waits keeps all others of the machine from its processor */
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

_Noreturn void launch_ranks(const struct card *v, int ranks, size_t memory, const char *folder, int connection)
{
    enum { MOST = 64 };
    const char *asked = getenv("RUNGS_MPI");
    char name[HAND_OVER_NAME], count[16], bytes[32], command[1024], *words[MOST + 10], *rest = command;
    int n = 0;

    if (!hand_over_begin(connection, name)) {
        perror("a socket for rank 0");
        _exit(WORKER_BROKEN);
    }
    settle(ranks);
    if (folder[0] != '\0')
        setenv("TMPDIR", folder, 1);
    snprintf(command, sizeof command, "%s", asked != NULL && asked[0] != '\0' ? asked : "mpirun");
    for (char *word; n < MOST && (word = strtok_r(rest, " ", &rest)) != NULL;)
        words[n++] = word;
    snprintf(count, sizeof count, "%d", ranks);
    snprintf(bytes, sizeof bytes, "%zu", memory / (size_t)ranks);
    const char *const program = card_is_object(v) ? home_file("rungs-ranks") : v->file;
    const char *const more[] = {"-n",         count,   program, count,  name,
                                v->name.full, v->file, bytes,   folder, v->device, NULL};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        words[n++] = (char *)(uintptr_t)more[i];
    execvp(words[0], words);
    fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
    _exit(WORKER_BROKEN);
}
