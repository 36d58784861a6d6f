#include "harness/model/size.h"

#include "harness/base/text.h"

void size_describe(const struct problem *p, const size_t dims[], char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t i = 0; i < MAX_AXES && p->axes[i] != NULL; i++)
        text_add(text, bytes, "%s%s=%zu", i > 0 ? " " : "", p->axes[i], dims[i]);
}

void steps_describe(const struct steps *s, char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t i = 0; i < s->count; i++)
        text_add(text, bytes, "%s%d", i > 0 ? "," : "", s->value[i]);
}

const char *scale_axis(const struct scale *s)
{
    return s->threads > 0 ? "threads" : s->devices > 0 ? "devices" : NULL;
}
