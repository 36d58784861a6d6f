#define _GNU_SOURCE
#include "workshop/lab/found.h"

#include <stdio.h>
#include <string.h>

#include "workshop/lab/pattern.h"
#include "workshop/lab/text.h"
#include "workshop/lab/token.h"

/* Returns whether the verdict says what can be seen of the mistake, and not why. */
static bool is_symptom(const struct mistake *m)
{
    static const char *const kinds[] = {"race", "out-of-bounds", "unwritten-read", "shared-unwritten", "not-repeatable", "divergent-barrier", "null-pointer", "misplaced",
                                        "missing-lane", "same-work", "crash", "second-run", "shared-out-of-bounds", "freed-twice", "use-after-free"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(m->kind, kinds[i]) == 0)
            return !m->named;
    return pattern_rank(m) < PATTERN_CLEAR && !m->named;
}

/* Returns whether the variable gets a value in this line of the text. */
static bool is_set_in(const char *text, int number, const char *name)
{
    text = text_line(text, number);
    const char *const end = text + strcspn(text, "\n");
    const size_t length = strlen(name);

    for (const char *at = text; length > 0 && (at = memmem(at, (size_t)(end - at), name, length)) != NULL; at++) {
        const char *behind = at + length + strspn(at + length, " ");
        if ((at == text || strchr(" *,(", at[-1]) != NULL) && behind[0] == '=' && behind[1] != '=')
            return true;
    }
    return false;
}

/* Returns how often the name stands in the program, without comments. */
static int times_in(const char *program, const char *name)
{
    struct tokens t;
    int count = 0;

    const bool read = tokens_read(&t, program);
    for (size_t i = 0; read && i < t.count; i++)
        count += t.list[i].kind == WORD && token_is(&t, i, name);
    tokens_free(&t);
    return count;
}

/* Returns the other line in which the variable of a change gets its value, if it stands in these two alone; else 0. */
static int value_line(const char *text, const struct mutant *change)
{
    int lines = 1, found = 0;

    if (times_in(text, change->about) != 2)
        return 0;
    for (const char *at = text; *at != '\0'; at++)
        lines += *at == '\n';
    for (int line = 1; line <= lines; line++) {
        if (!is_set_in(text, line, change->about))
            continue;
        if (found > 0)
            return 0;
        found = line;
    }
    return found != change->line && strncmp(change->words, change->about, strlen(change->about)) == 0 ? found : 0;
}

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* Returns whether line `use` is the only one that uses a variable which gets its value in line `set`. */
static bool is_only_use(const char *text, int use, int set)
{
    const char *at = text_line(text, set), *of_use = text_line(text, use);
    char name[64], line[400];

    snprintf(line, sizeof line, "%.*s", (int)strcspn(of_use, "\n"), of_use);
    for (const char *const end = at + strcspn(at, "\n"); at < end; at++) {
        const size_t length = strspn(at, LETTERS);
        if (length == 0 || length >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (is_set_in(text, set, name) && times_in(text, name) == 2 && strstr(line, name) != NULL)
            return true;
        at += length - 1;
    }
    return false;
}

/* Of a change where a variable is used once, and one where it gets its value, the latter stays: it is the same mistake. */
static void drop_uses(struct found *found, const char *text)
{
    for (int i = 0; i < found->count; i++)
        for (int k = 0; k < found->count; k++) {
            if (i == k || !is_only_use(text, found->change[i].line, found->change[k].line))
                continue;
            found->count--;
            memmove(&found->change[i], &found->change[i + 1], (size_t)(found->count - i) * sizeof *found->change);
            i = -1;
            break;
        }
}

/* The last priorities of which a change may be called the cause: of wrong results, and of goals that are missed, which many a change reaches
   because threads do work of others. */
enum { LIKELY = 2, LIKELY_OF_COUNTS = 1 };

/* Returns whether the words name a part of a line in whose place much else would do: the line is known then, and not the part. */
static bool is_vague(const char *words)
{
    static const char *const parts[] = {" stands where another name belongs", " is not all: ", "a part of ", "the constant ", " is not what belongs here",
                                         " another part belongs together", "has a type for whole numbers only"};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(words, parts[i]) != NULL)
            return true;
    return false;
}

/* Returns whether the verdict quotes this line, or names no line at all. */
static bool agrees(const struct mistake *m, int line)
{
    bool quotes = false;
    int number, end;

    for (int i = 0; i < m->facts; i++) {
        if (m->fact[i][0] != ' ' || sscanf(m->fact[i], " %d |%n", &number, &end) != 1)
            continue;
        if (number == line)
            return true;
        quotes = true;
    }
    return !quotes;
}

/* Adds the line of a change behind a verdict that says why.  Other changes than the right one mend a sum or a sign, too, so what was
   changed, or another line than the verdict's, would be a second cause beside the first. */
static void add_place(const struct found *found, const char *text, const char *right, const struct mistake *old, struct mistake *m)
{
    if (found->count != 1 || !agrees(old, found->change[0].line))
        return;
    mistake_add(m, "with one change in line %d %s", found->change[0].line, right);
    mistake_quote(m, text, found->change[0].line);
}

/* Adds the changes behind a verdict that is a symptom: a likely one as the cause. */
static void add_changes(const struct found *found, const char *text, const char *right, bool counts, struct mistake *m)
{
    const struct mutant *one = &found->change[0];
    const bool several = found->count > 1, sure = !several && !found->misses && one->priority <= (counts ? LIKELY_OF_COUNTS : LIKELY);

    if (several && found->any)
        mistake_add(m, "there are %d places with one change of which %s, so the cause is in one of them; line %d: %s", found->count, right, one->line, one->words);
    else if (!several && found->misses)
        mistake_add(m, "with one change in line %d %s, but goals of the exercise are missed", one->line, right);
    else if (sure && is_vague(one->words))
        mistake_add(m, "the cause is most likely in line %d", one->line);
    else if (sure)
        mistake_add(m, "the cause is most likely in line %d: %s", one->line, one->words);
    else
        mistake_add(m, "with %s in line %d %s: %s", several ? "two changes, the first" : "one change", one->line, right, one->words);
    mistake_quote(m, text, one->line);
    const int set = several ? 0 : value_line(text, one);
    if (set > 0) {
        mistake_add(m, "or its value is not the right one: %s gets that in line %d", one->about, set);
        mistake_quote(m, text, set);
    }
    for (int i = 1; i < found->count; i++) {
        mistake_add(m, "%s line %d: %s", found->any ? "or" : "and the second in", found->change[i].line, found->change[i].words);
        mistake_quote(m, text, found->change[i].line);
    }
    if (sure)
        mistake_add(m, "with one change there %s", right);
}

bool found_wanted(const struct mistake *m, bool counts)
{
    if (m->named)
        return false;
    for (int i = 0; counts && i < m->facts; i++)
        if (strncmp(m->fact[i], "line ", 5) == 0 && strstr(m->fact[i], ": the host ") != NULL)
            return false;
    return strcmp(m->kind, "no-order") != 0;
}

int found_tell(struct found *found, const char *program, const char *right, bool counts, struct mistake *m)
{
    const struct mistake old = *m;

    if (found->any)
        drop_uses(found, program);
    m->facts = 0;
    if (found->count == 1 && found->misses && !agrees(&old, found->change[0].line))
        ; /* another change is needed, and the verdict has lines of its own */
    else if (counts || is_symptom(&old))
        add_changes(found, program, right, counts, m);
    else
        add_place(found, program, right, &old, m);
    const int told = m->facts;
    for (int i = 0; i < old.facts; i++)
        mistake_add(m, "%s", old.fact[i]);
    return told;
}
