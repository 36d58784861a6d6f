#include "harness/machine/fingerprint.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/error.h"
#include "harness/base/text.h"

/* Where a "run" record has a fact. */
static const struct {
    const char *name, *group, *key; /* group NULL: at the top level */
} places[FACTS] = {
    {"machine", "host", "machine"},
    {"processor", "host", "cpu"},
    {"cores", "host", "cores"},
    {"--threads", NULL, "threads"},
    {"governor", "host", "governor"},
    {"processor quota", "host", "cgroup_cpu_max"},
    {"huge pages", "host", "huge_pages"},
    {"GPUs", NULL, "gpus"}, /* and their driver */
};

/* Null is a value as well: there is no governor.  Returns false if the record lacks the fact. */
static bool take(const json_t *run, size_t i, char *text)
{
    const json_t *from = places[i].group != NULL ? json_object_get(run, places[i].group) : run;
    const json_t *value = json_object_get(from, places[i].key);

    if (value == NULL)
        return false;
    if (json_is_string(value))
        snprintf(text, FACT_TEXT, "%s", json_string_value(value));
    else if (json_is_integer(value))
        snprintf(text, FACT_TEXT, "%lld", (long long)json_integer_value(value));
    text_clean(text); /* a file may hold anything, and the text will be shown on a terminal */
    return true;
}

/* FNV-1a, 64 bits. */
static uint64_t hash(uint64_t h, const char *text)
{
    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3;
    return (h ^ 0xff) * 0x100000001b3; /* a separator that no text contains */
}

struct fingerprint fingerprint_of(const json_t *run)
{
    struct fingerprint f = {.hash = ""};
    uint64_t h = 0xcbf29ce484222325;

    for (size_t i = 0; i < FACTS; i++) {
        f.known[i] = take(run, i, f.fact[i]);
        h = hash(hash(h, places[i].name), f.fact[i]);
    }
    snprintf(f.hash, sizeof f.hash, "%016llx", (unsigned long long)h);
    return f;
}

bool fingerprint_differs(const struct fingerprint *a, const struct fingerprint *b, char *text,
                         size_t bytes)
{
    text[0] = '\0';
    for (size_t i = 0; i < FACTS; i++) {
        if (!a->known[i] || !b->known[i] || strcmp(a->fact[i], b->fact[i]) == 0)
            continue;
        const char *was = a->fact[i][0] != '\0' ? a->fact[i] : "none";
        const char *is = b->fact[i][0] != '\0' ? b->fact[i] : "none";
        text_add(text, bytes, "%s%s %s and %s", text[0] != '\0' ? ", " : "", places[i].name, was,
                 is);
    }
    return text[0] != '\0';
}
