#include "harness/commands/variables.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/commands/defaults.h"

extern char **environ;

static const char prefix[] = "RUNGS_";

/* Those that are no options' (tests/cli/options.t compares them with the sources). */
static const char *const others[] = {
    "RUNGS_CONFINE", "RUNGS_FIGURES", "RUNGS_LAB_SEARCH", "RUNGS_MPI", "RUNGS_PATH", "RUNGS_PERF", "RUNGS_PLOTS", "RUNGS_PROGRAM", "RUNGS_PYTHON",
    "RUNGS_SEAT", "RUNGS_SIM_ADDS", "RUNGS_SIM_BLOCKING", "RUNGS_SIM_BRANCHES", "RUNGS_SIM_COPIES", "RUNGS_SIM_COUNTERS", "RUNGS_SIM_DEVICES",
    "RUNGS_SIM_LATE", "RUNGS_SIM_MEMORY", "RUNGS_SIM_MUTANT", "RUNGS_SIM_NO_WAITS", "RUNGS_SIM_PATIENCE", "RUNGS_SIM_RACES", "RUNGS_SIM_READS",
    "RUNGS_SIM_SEED", "RUNGS_SIM_TOUCHES", "RUNGS_SIM_TRACE", "RUNGS_SIM_UNWRITTEN", "RUNGS_SIM_USES", "RUNGS_SIM_WRITES", "RUNGS_VARIANTS",
};

enum { OTHERS = sizeof others / sizeof *others };

/* Writes the name of the i-th variable that Rungs reads.  Returns false behind the last one. */
static bool known(size_t i, char *name, size_t bytes)
{
    const struct option_row *rows;
    const size_t count = option_table(&rows);

    if (i >= OTHERS + count)
        return false;
    if (i < OTHERS)
        snprintf(name, bytes, "%s", others[i]);
    else
        defaults_variable(&rows[i - OTHERS], name, bytes);
    return true;
}

/* Two letters may be wrong in a name of five or more, one in a shorter one. */
static unsigned most_wrong(const char *name)
{
    return strlen(name) - strlen(prefix) >= 5 ? 2 : 1;
}

static void look_at(const char *name)
{
    unsigned least = most_wrong(name) + 1;
    char one[128], nearest[128] = "";

    for (size_t i = 0; known(i, one, sizeof one) && least > 0; i++) {
        const unsigned distance = edit_distance(name, one);
        if (distance < least && (distance == 0 || strlen(one) > strlen(prefix) + 2)) {
            least = distance;
            snprintf(nearest, sizeof nearest, "%s", one);
        }
    }
    if (least > 0 && nearest[0] != '\0')
        fprintf(stderr, "rungs: nothing reads the variable %s; did you mean %s?\n", name, nearest);
}

void variables_name_misspelt(void)
{
    char name[128];

    for (char **at = environ; *at != NULL; at++) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*at, "="), *at);
        if (strncmp(name, prefix, strlen(prefix)) == 0)
            look_at(name);
    }
}
