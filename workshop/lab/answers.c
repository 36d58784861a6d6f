#define _GNU_SOURCE
#include "workshop/lab/answers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "workshop/lab/text.h"

/* Copies what stands behind "answer NAME:", up to the end of the line or of the comment. */
static void find_answer(const char *text, const char *name, char *given, size_t room)
{
    char head[64];

    snprintf(head, sizeof head, "answer %s:", name);
    const char *at = strcasestr(text, head);
    const char *from = at != NULL ? at + strlen(head) : "";
    size_t length = strcspn(from, "\n");
    const char *end = memmem(from, length, "*/", 2);

    snprintf(given, room, "%.*s", (int)(end != NULL ? (size_t)(end - from) : length), from);
    memmove(given, text_trim(given), strlen(text_trim(given)) + 1);
}

/* Compares the words in any order, and allows no other ones: "A, C" is "C A". */
static bool same_words(const char *given, const char *want)
{
    size_t letters = 0, wanted = 0;

    for (const char *g = given; *g != '\0'; g++)
        letters += isalnum((unsigned char)*g) != 0;
    for (const char *w = want; *w != '\0';) {
        size_t length = strcspn(w, " ");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)length, w);
        const char *at = strcasestr(given, word);
        if (at == NULL)
            return false;
        wanted += length;
        w += length + strspn(w + length, " ");
    }
    return letters == wanted;
}

/* "x or threadIdx.x": either is right. */
static bool same_as_one_of(const char *given, const char *want)
{
    char one[64];

    for (size_t length; *want != '\0'; want += length) {
        const char *or = strstr(want, " or ");
        length = or != NULL ? (size_t)(or - want) : strlen(want);
        snprintf(one, sizeof one, "%.*s", (int)length, want);
        if (same_words(given, one))
            return true;
        length += or != NULL ? strlen(" or ") : 0;
    }
    return false;
}

static bool is_right(const struct answer *a, const char *given)
{
    char *end, *given_end;
    double want = strtod(a->want, &end), number = strtod(given, &given_end);

    if (*end != '\0' || end == a->want)
        return same_as_one_of(given, a->want);
    if (given_end == given)
        return false;
    return number >= want / a->factor * 0.999 && number <= want * a->factor * 1.001;
}

void answers_check(const struct exercise *e, const char *text, struct mistake *m)
{
    char given[128];

    for (size_t i = 0; i < e->answers; i++) {
        const struct answer *a = &e->answer[i];
        find_answer(text, a->name, given, sizeof given);
        if (is_right(a, given))
            continue;
        mistake_set(m, given[0] == '\0' || given[0] == '?' ? "not-answered" : "wrong-answer");
        if (given[0] == '\0' || given[0] == '?')
            mistake_add(m, "the line \"answer %s:\" waits for your answer", a->name);
        else
            mistake_add(m, "answer %s: %s", a->name, given);
        if (given[0] != '\0' && given[0] != '?')
            mistake_add(m, "%s", a->text);
        return;
    }
}
