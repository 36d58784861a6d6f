#define _GNU_SOURCE
#include "workshop/lab/answers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "workshop/lab/text.h"

/* --- what was written ----------------------------------------------------------------------------- */

/* Returns what follows "answer NAME:" (or "answer NAME ="), or "". */
static const char *find_answer(const char *text, const char *name)
{
    static const char word[] = "answer";

    for (const char *at = text; (at = strcasestr(at, word)) != NULL;) {
        at += strlen(word);
        const char *rest = at + strspn(at, " \t");
        if (rest == at || strncasecmp(rest, name, strlen(name)) != 0)
            continue;
        rest += strlen(name);
        rest += strspn(rest, " \t");
        if (*rest == ':' || *rest == '=')
            return rest + 1;
    }
    return "";
}

/* Copies the answer, up to the end of the line or of the comment. */
static void copy_answer(const char *text, const char *name, char *given, size_t room)
{
    const char *from = find_answer(text, name);
    const size_t length = strcspn(from, "\n");
    const char *end = memmem(from, length, "*/", 2);

    snprintf(given, room, "%.*s", (int)(end != NULL ? (size_t)(end - from) : length), from);
    memmove(given, text_trim(given), strlen(text_trim(given)) + 1);
}

/* --- words ---------------------------------------------------------------------------------------- */

enum { MAX_WORDS = 12 };

struct words {
    char word[MAX_WORDS][24];
    size_t count;
    bool too_many;
};

static bool is_filler(const char *word)
{
    static const char *const fillers[] = {"the", "a", "an", "of", "is", "it", "its", "and", "kernel",
                                          "i", "think", "thread", "threads", "line", "lines"};

    for (size_t i = 0; i < sizeof fillers / sizeof *fillers; i++)
        if (strcmp(word, fillers[i]) == 0)
            return true;
    return false;
}

static void add_word(struct words *w, const char *from, size_t length)
{
    while (length > 0 && from[length - 1] == '.')
        length--;
    while (length > 0 && *from == '.')
        from++, length--;
    if (length == 0)
        return;
    w->too_many |= w->count == MAX_WORDS;
    if (w->count == MAX_WORDS)
        return;
    char *to = w->word[w->count];
    snprintf(to, sizeof w->word[0], "%.*s", (int)length, from);
    for (char *c = to; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    w->count += length == 1 || !is_filler(to); /* "A" may be an answer */
}

/* Splits a text of `length` into words without fillers, in lower case.  A reason behind "because" or
   in brackets does not count. */
static struct words split(const char *text, size_t length)
{
    struct words w = {.count = 0};

    for (size_t i = 0; i < length;) {
        size_t end = i;
        while (end < length && (isalnum((unsigned char)text[end]) || strchr("_.", text[end]) != NULL))
            end++;
        if (text[i] == '(' && w.count > 0) /* what is in brackets explains */
            break;
        if (end - i == strlen("because") && strncasecmp(text + i, "because", end - i) == 0)
            break;
        if (end > i)
            add_word(&w, text + i, end - i);
        i = end + 1;
    }
    return w;
}

static bool has_word(const struct words *w, const char *word)
{
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->word[i], word) == 0)
            return true;
    return false;
}

/* Returns whether the words are the same, in any order; letters may stand together: "BC" is "B C". */
static bool same_words(const struct words *given, const struct words *want)
{
    bool letters = true;
    size_t found = 0;

    for (size_t i = 0; i < want->count; i++) {
        letters = letters && strlen(want->word[i]) == 1;
        found += has_word(given, want->word[i]);
    }
    if (found == want->count && given->count == want->count)
        return true;
    if (!letters || given->count != 1 || strlen(given->word[0]) != want->count)
        return false;
    for (size_t i = 0; i < want->count; i++)
        if (strchr(given->word[0], want->word[i][0]) == NULL)
            return false;
    return true;
}

/* "x or threadIdx.x": either is right, and so is "x, threadIdx.x". */
static bool same_as_one_of(const char *text, const char *want)
{
    const struct words given = split(text, strlen(text));
    struct words single = {.count = 0};

    if (given.count == 0 || given.too_many)
        return false;
    for (size_t length; *want != '\0'; want += length) {
        const char *or = strstr(want, " or ");
        length = or != NULL ? (size_t)(or - want) : strlen(want);
        const struct words one = split(want, length);
        if (same_words(&given, &one))
            return true;
        if (one.count == 1)
            add_word(&single, one.word[0], strlen(one.word[0]));
        length += or != NULL ? strlen(" or ") : 0;
    }
    for (size_t i = 0; i < given.count; i++)
        if (!has_word(&single, given.word[i]))
            return false;
    return true;
}

/* --- numbers -------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return isdigit((unsigned char)c) != 0;
}

/* Returns whether three digits follow, and no fourth: then what stands here separates thousands. */
static bool is_group(const char *at)
{
    return is_digit(at[1]) && is_digit(at[2]) && is_digit(at[3]) && !is_digit(at[4]);
}

/* Reads "8000", "8,000", "8 000", "8e3", "8k" or "2^13", and moves `at` behind it.  Returns NaN if no number is there. */
static double read_number(const char **at)
{
    char digits[64];
    size_t used = 0;
    const char *from = *at + strcspn(*at, "0123456789");

    if (*from == '\0')
        return NAN;
    while (used + 1 < sizeof digits && (is_digit(*from) || (*from == '.' && is_digit(from[1])) ||
                                        (strchr(",' _", *from) != NULL && *from != '\0' && is_group(from)))) {
        if (is_digit(*from) || *from == '.')
            digits[used++] = *from;
        from++;
    }
    digits[used] = '\0';
    double number = strtod(digits, NULL);
    if ((*from == 'e' || *from == 'E') && is_digit(from[1]))
        number *= pow(10.0, (double)strtol(from + 1, (char **)(uintptr_t)&from, 10));
    else if (*from == '^' && is_digit(from[1]))
        number = pow(number, (double)strtol(from + 1, (char **)(uintptr_t)&from, 10));
    from += strspn(from, " ");
    if (*from == 'k' || *from == 'K' || strncasecmp(from, "thousand", 8) == 0)
        number *= 1e3;
    else if (*from == 'M' || strncasecmp(from, "million", 7) == 0)
        number *= 1e6;
    *at = from;
    return number;
}

/* Returns the number of an answer such as "about 8000", "12 bytes", "3 * 4", "3 * 4 = 12" or "5/4"; NaN if it has none. */
static double number_of(const char *given)
{
    const char *at = strrchr(given, '=') != NULL ? strrchr(given, '=') + 1 : given;
    double number = read_number(&at);

    while (*at == '*' || *at == 'x') {
        at++;
        number *= read_number(&at);
    }
    if (*at == '/' && is_digit(at[1 + strspn(at + 1, " ")]))
        number /= read_number(&at);
    return number;
}

/* --- the verdict ---------------------------------------------------------------------------------- */

/* Returns whether the answer is no number as number_of reads them: "twelve", "8 + 4". */
static bool unreadable(const struct answer *a, const char *given)
{
    char *end;

    strtod(a->want, &end);
    return end != a->want && *end == '\0' && (strpbrk(given, "0123456789") == NULL || strpbrk(given, "+%") != NULL);
}

/* The ? of the starter may still stand before the answer. */
static const char *behind_mark(const char *given)
{
    return given + strspn(given, "? ");
}

static enum answered judge(const struct answer *a, const char *marked)
{
    const char *given = behind_mark(marked);
    char *end;
    const double want = strtod(a->want, &end), number = number_of(given);

    if (given[0] == '\0')
        return NOT_ANSWERED;
    if (*end != '\0' || end == a->want)
        return same_as_one_of(given, a->want) ? ANSWERED_RIGHT : ANSWERED_WRONG;
    if (!(number >= want / a->factor * 0.999 && number <= want * a->factor * 1.001))
        return ANSWERED_WRONG;
    return fabs(number - want) <= 1e-3 * want ? ANSWERED_RIGHT : ANSWERED_NEAR;
}

enum answered answers_look(const struct answer *a, const char *text, char *given, size_t room)
{
    copy_answer(text, a->name, given, room);
    return judge(a, given);
}

/* Returns what an answer counts that is so many times the right one, or NULL. */
static const char *other_unit(const struct answer *a, const char *given)
{
    static const struct {
        double times;
        const char *words;
    } units[] = {{32, "32 times what is asked for: a sector has 32 bytes, and a warp has 32 lanes"},
                 {4, "4 times what is asked for: a float has 4 bytes"},
                 {0.25, "a quarter of what is asked for: a float has 4 bytes"},
                 {12, "12 times what is asked for: three floats have 12 bytes"},
                 {1.0 / 12, "a twelfth of what is asked for: three floats have 12 bytes"},
                 {1000, "1000 times what is asked for"},
                 {1024, "1024 times what is asked for"},
                 {1e-3, "a thousandth of what is asked for"}};
    char *end;
    const double want = strtod(a->want, &end), number = number_of(behind_mark(given));

    for (size_t i = 0; *end == '\0' && end != a->want && i < sizeof units / sizeof *units; i++)
        if (fabs(number - units[i].times * want) <= 1e-3 * number)
            return units[i].words;
    return NULL;
}

void answers_check(const struct exercise *e, const char *text, struct mistake *m)
{
    char given[128];

    for (size_t i = 0; i < e->answers; i++) {
        const struct answer *a = &e->answer[i];
        const enum answered how = answers_look(a, text, given, sizeof given);
        if (how >= ANSWERED_NEAR)
            continue;
        mistake_set(m, how == NOT_ANSWERED ? "not-answered" : "wrong-answer");
        if (how == NOT_ANSWERED) {
            mistake_add(m, "the line \"answer %s:\" waits for your answer, in place of the ?", a->name);
        } else {
            const char *unit = other_unit(a, given);
            mistake_add(m, "answer %s: %s", a->name, given);
            if (unreadable(a, given))
                mistake_add(m, "write the result as one number in digits, such as 20");
            else if (unit != NULL)
                mistake_add(m, "that is %s. Does it count in another unit, or several for one?", unit);
            else
                mistake_add(m, "%s", a->text);
        }
        return;
    }
}
