/* The GPUs' names, as nvidia-smi -L shows them: for a process that never starts CUDA. */
#include <stdio.h>

#include "harness/machine.h"
#include "harness/nvml.h"

void machine_gpus(char *text, size_t bytes)
{
    const struct nvml *n = nvml();
    unsigned count = 0;
    size_t used = 0;
    char word[96];
    nvml_device device;

    text[0] = '\0';
    if (n == NULL || n->count(&count) != 0 || count == 0)
        return;
    for (unsigned i = 0; i < count && used < bytes; i++) {
        if (n->by_index(i, &device) != 0 || n->name(device, word, sizeof word) != 0)
            snprintf(word, sizeof word, "unknown GPU");
        used += (size_t)snprintf(text + used, bytes - used, "%s, ", word);
    }
    if (n->driver(word, sizeof word) != 0)
        snprintf(word, sizeof word, "unknown");
    if (used < bytes)
        snprintf(text + used, bytes - used, "driver %s", word);
}
