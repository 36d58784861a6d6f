#include "harness/model/size.h"

#include "harness/base/text.h"

size_t size_axes(const struct problem *p, bool files)
{
    size_t count = 0;

    if (files && p->data->axes > 0)
        return p->data->axes;
    while (count < MAX_AXES && p->axes[count] != NULL)
        count++;
    return count;
}

const char *size_word(const struct problem *p, size_t axis, size_t value)
{
    const char *const *words = p->words[axis];

    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        if (i == value)
            return words[i];
    return NULL;
}

void size_describe_axis(const struct problem *p, size_t axis, size_t value, char *text, size_t bytes)
{
    const char *word = size_word(p, axis, value), *blank = text[0] != '\0' ? " " : "";

    if (word != NULL)
        text_add(text, bytes, "%s%s=%s", blank, p->axes[axis], word);
    else
        text_add(text, bytes, "%s%s=%zu", blank, p->axes[axis], value);
}

void size_describe(const struct problem *p, bool files, const size_t dims[], char *text, size_t bytes)
{
    const size_t axes = size_axes(p, files);

    text[0] = '\0';
    for (size_t i = 0; i < axes; i++)
        size_describe_axis(p, i, dims[i], text, bytes);
}

void steps_describe(const struct steps *s, char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t i = 0; i < s->count; i++)
        text_add(text, bytes, "%s%d", i > 0 ? "," : "", s->value[i]);
}

const char *scale_axis(const struct scale *s)
{
    return s->threads > 0     ? "threads"
           : s->devices > 0   ? "devices"
           : s->ranks > 0     ? "ranks"
           : s->processes > 0 ? "processes"
                              : NULL;
}

int scale_value(const struct scale *s)
{
    return s->threads + s->devices + s->ranks + s->processes;
}

bool scale_same(const struct scale *a, const struct scale *b)
{
    return a->threads == b->threads && a->devices == b->devices && a->ranks == b->ranks &&
           a->processes == b->processes;
}
