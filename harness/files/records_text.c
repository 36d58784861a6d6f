/* What records are called, and what they were made with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/records.h"

struct rounds past_rounds(const struct past_series *s)
{
    struct rounds r = {.count = s->rounds, .time = s->round};

    memcpy(r.sitting, s->sitting, sizeof r.sitting);
    return r;
}

bool past_timed(const struct past_cell *c)
{
    return strcmp(c->status, "ok") == 0 && c->e2e.rounds > 0;
}

/* Is it --NAME or --NAME=VALUE, and how many words is that? */
static size_t words_taken(const char *word, const char *name)
{
    const size_t length = strlen(name);

    if (strncmp(word, name, length) != 0)
        return 0;
    return word[length] == '=' ? 1 : word[length] == '\0' ? 2 : 0;
}

char *past_words(const char *const argv[], size_t count)
{
    static const char *const others[] = {"--resume", "--out", "--format"};
    size_t bytes = 1, used = 0;

    for (size_t i = 0; i < count; i++)
        bytes += strlen(argv[i]) + 1;
    char *text = calloc(bytes, 1);
    if (text == NULL)
        abort();
    for (size_t i = 1; i < count;) {
        size_t taken = 0;
        for (size_t o = 0; o < sizeof others / sizeof *others && taken == 0; o++)
            taken = words_taken(argv[i], others[o]);
        if (taken == 0)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", used > 0 ? " " : "", argv[i]);
        i += taken > 0 ? taken : 1;
    }
    text_clean(text);
    return text;
}

bool past_is_size(const struct past_axis size[], size_t axes, const char *const names[], size_t room,
                  const size_t values[])
{
    size_t count = 0;

    while (count < room && names[count] != NULL)
        count++;
    for (size_t a = 0; a < count && axes == count; a++)
        if (strcmp(size[a].name, names[a]) != 0 || size[a].value != (long long)values[a])
            return false;
    return axes == count;
}

void past_name(const struct past_cell *c, char *text, size_t bytes)
{
    snprintf(text, bytes, c->scale.value > 0 ? "%s@%lld" : "%s", c->variant, c->scale.value);
}

void past_size(const struct past_cell *c, char *text, size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < c->axes && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s=%lld", i > 0 ? " " : "",
                                 c->size[i].name, c->size[i].value);
}

void past_gpus(const struct past_run *run, char *text, size_t bytes)
{
    size_t used = 0, length, same;

    text[0] = '\0';
    for (const char *one = run->gpus; *one != '\0' && used < bytes; one += same * length) {
        length = strcspn(one, ",");
        length += strspn(one + length, ", ");
        for (same = 1; strncmp(one, one + same * length, length) == 0;)
            same++;
        if (same > 1)
            used += (size_t)snprintf(text + used, bytes - used, "%zu x ", same);
        if (used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, "%.*s", (int)length, one);
    }
}
