#define _GNU_SOURCE
#include "harness/machine/topology.h"

#include "harness/base/text.h"

void topology_list(const cpu_set_t *set, char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t first = 0; first < CPU_SETSIZE; first++) {
        size_t last = first;
        if (!CPU_ISSET(first, set))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
            last++;
        text_add(text, bytes, last > first ? "%s%zu-%zu" : "%s%zu", text[0] != '\0' ? "," : "",
                 first, last);
        first = last;
    }
}
