#define _GNU_SOURCE
#include "harness/topology.h"

#include <stdio.h>

void topology_list(const cpu_set_t *set, char *text, size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t first = 0; first < CPU_SETSIZE && used < bytes; first++) {
        size_t last = first;
        if (!CPU_ISSET(first, set))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
            last++;
        used += (size_t)snprintf(text + used, bytes - used, last > first ? "%s%zu-%zu" : "%s%zu",
                                 used > 0 ? "," : "", first, last);
        first = last;
    }
}
