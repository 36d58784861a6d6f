/* What lies at an address of the arena, for people. */
#include <stdio.h>
#include <unistd.h>

#include "harness/arena.h"

const char *arena_locate(const struct layout *layout, const void *address,
                         const struct slot **inside)
{
    static char text[96];
    const char *p = address;
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);

    *inside = NULL;
    for (size_t i = 0; i < layout->count; i++) {
        const struct slot *slot = &layout->slots[i];
        const char *end = slot->start + slot->bytes;
        if (p >= slot->start && p < end) {
            *inside = slot;
            snprintf(text, sizeof text, "%s[%zu]", slot->name,
                     (size_t)(p - slot->start) / slot->element);
            return text;
        }
        if (p >= end && p < slot->page + slot->pages + guard) {
            snprintf(text, sizeof text, "%zu bytes past the end of %s", (size_t)(p - end),
                     slot->name);
            return text;
        }
        if (p >= slot->page - guard && p < slot->start) {
            snprintf(text, sizeof text, "%zu bytes before the start of %s",
                     (size_t)(slot->start - p), slot->name);
            return text;
        }
    }
    return NULL;
}
