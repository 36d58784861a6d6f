#include "workshop/lab/early.h"

#include <string.h>

/* A NaN, with the number of an input in its lowest bits.  A processor hands these on from operand to result. */
enum { INPUT = 0xff, FACTOR = 0xfe /* the number a of saxpy, which is NaN until there are values */ };
static const uint32_t mark = 0xffedab00;

/* Marks a number of the case that is NaN. */
static void mark_factor(const struct layout *layout)
{
    static const uint32_t nan = 0x7fc00000;
    const uint32_t value = mark | FACTOR;

    for (char *at = (char *)layout->data; at < layout->data + sizeof layout->data; at += sizeof value)
        if (memcmp(at, &nan, sizeof nan) == 0)
            memcpy(at, &value, sizeof value);
}

void early_mark(const struct layout *layout)
{
    mark_factor(layout);
    for (size_t i = 0; i < layout->count; i++) {
        const struct slot *s = &layout->slots[i];
        const uint32_t value = mark | (uint32_t)(i & INPUT);
        for (size_t at = 0; !s->output && s->element == sizeof value && at < s->bytes; at += sizeof value)
            memcpy(s->start + at, &value, sizeof value);
    }
}

bool early_look(const struct layout *layout, struct mistake *m)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct slot *s = &layout->slots[i];
        for (size_t at = 0; s->output && s->element == sizeof(float) && at < s->bytes; at += sizeof(float)) {
            uint32_t value;
            memcpy(&value, s->start + at, sizeof value);
            const bool factor = (value & INPUT) == FACTOR;
            if ((value & ~(uint32_t)INPUT) != mark || (!factor && (value & INPUT) >= layout->count))
                continue;
            const char *input = factor ? "a" : layout->slots[value & INPUT].name;
            mistake_set(m, "reads-early");
            mistake_add(m, "%s[%zu] was computed from %s as it was in prepare, when it had no values yet", s->name, at / sizeof(float), input);
            mistake_add(m, "so %s was copied in prepare, and not again when its values were there", input);
            return true;
        }
    }
    return false;
}
