/* Describes an address of the arena in words. */
#include <stdint.h>
#include <stdio.h>

#include "harness/model/arena.h"

/* Returns the bytes from an array to an address outside of it; 0 for addresses inside. */
static size_t bytes_away(const struct slot *slot, const char *p)
{
    if (p < slot->start)
        return (size_t)(slot->start - p);
    if (p >= slot->start + slot->bytes)
        return (size_t)(p - (slot->start + slot->bytes)) + 1;
    return 0;
}

const char *arena_locate(const struct layout *layout, const void *address,
                         const struct slot **inside)
{
    static char text[96];
    const struct slot *nearest = NULL;
    const char *p = address;

    *inside = NULL;
    if (!arena_holds(address))
        return NULL;
    if (p < (const char *)(layout + 1) && p >= (const char *)layout)
        return "the case itself, its sizes and pointers";
    for (size_t i = 0; i < layout->count; i++)
        if (nearest == NULL || bytes_away(&layout->slots[i], p) < bytes_away(nearest, p))
            nearest = &layout->slots[i];
    if (nearest == NULL)
        return NULL;

    size_t away = bytes_away(nearest, p);
    if (away == 0) {
        *inside = nearest;
        snprintf(text, sizeof text, "%s[%zu]", nearest->name,
                 (size_t)(p - nearest->start) / nearest->element);
    } else if (p < nearest->start) {
        snprintf(text, sizeof text, "%zu bytes before the start of %s", away, nearest->name);
    } else {
        snprintf(text, sizeof text, "%zu bytes past the end of %s", away - 1, nearest->name);
    }
    return text;
}
