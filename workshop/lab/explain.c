#include "workshop/lab/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/text.h"

enum { MAX_KINDS = 256 };

static char *all;
static const char *heading[MAX_KINDS];
static char kind[MAX_KINDS][32];
static size_t count;

bool explain_read(struct error *error)
{
    all = text_read("workshop/explain.md", error);
    if (all == NULL)
        return false;
    for (char *at = strstr(all, "\n## "); at != NULL; at = strstr(at, "\n## ")) {
        if (count == MAX_KINDS)
            return error_set(error, "workshop/explain.md has more than %d pages", MAX_KINDS);
        at += 4;
        snprintf(kind[count], sizeof kind[0], "%.*s", (int)strcspn(at, ":\n"), at);
        heading[count++] = at;
    }
    return count > 0 || error_set(error, "workshop/explain.md has no pages");
}

const char *explain_kind(size_t i)
{
    return i < count ? kind[i] : NULL;
}

bool explain_find(const char *word, char *words, size_t words_room, char *page, size_t page_room)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(kind[i], word) != 0)
            continue;
        const char *rest = heading[i] + strcspn(heading[i], ":\n");
        rest += strspn(rest, ": ");
        const char *body = rest + strcspn(rest, "\n");
        const char *end = strstr(body, "\n## ");
        snprintf(words, words_room, "%.*s", (int)(body - rest), rest);
        body += strspn(body, "\n");
        snprintf(page, page_room, "%.*s", (int)(end != NULL ? (size_t)(end - body) : strlen(body)),
                 body);
        return true;
    }
    return false;
}
