#include "workshop/lab/stamps.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/own_lines.h"
#include "workshop/lab/text.h"

/* --- what a figure was made of -------------------------------------------------------------------- */

enum { MOST_PAIRS = 100 };

struct pairs {
    double seconds[MOST_PAIRS];
    int count, cold, starts; /* starts: in the pair that has most */
};

/* Reads the line of this figure.  Returns false if there is none, as in files of earlier starters. */
static bool read_pairs(const char *prints, const char *name, struct pairs *p)
{
    char begin[48];
    int used = 0;

    *p = (struct pairs){.count = 0};
    snprintf(begin, sizeof begin, "pairs %s ", name);
    const char *at = strstr(prints, begin);
    if (at == NULL || sscanf(at + strlen(begin), "%d %d%n", &p->cold, &p->starts, &used) != 2)
        return false;
    at += strlen(begin) + (size_t)used;
    for (char *end; p->count < MOST_PAIRS && *at == ' '; at = end)
        p->seconds[p->count++] = strtod(at, &end);
    return true;
}

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static double least_of(const struct pairs *p, int from)
{
    double least = INFINITY;

    for (int i = from; i < p->count; i++)
        least = fmin(least, p->seconds[i]);
    return least;
}

static double most_of(const struct pairs *p, int from)
{
    double most = 0.0;

    for (int i = from; i < p->count; i++)
        most = fmax(most, p->seconds[i]);
    return most;
}

static double sum_of(const struct pairs *p, int from)
{
    double sum = 0.0;

    for (int i = from; i < p->count; i++)
        sum += p->seconds[i];
    return sum;
}

/* Returns the whole number above 1 by which the whole was divided: n, or a small one, since any number is near a large one.  0: there
   is none. */
static double divisor(double whole, double value, double n)
{
    const double by = round(whole / value);

    return by >= 2.0 && (by <= 1000.0 || by == n) && same(whole / by, value) ? by : 0.0;
}

/* Adds which pair has the first start of all, if it is among those that count. */
static void add_cold(const struct pairs *p, int from, struct mistake *m)
{
    if (p->cold <= from)
        return;
    mistake_set(m, "no-warm-up");
    mistake_add(m, "the first start of all lies between the two stamps");
    if (p->count > 1)
        mistake_add(m, "it is in pair %d, which took %.3g s, and the least one took %.3g s", p->cold, p->seconds[p->cold - 1], least_of(p, 0));
}

/* Finds a figure that is made of all pairs, or all but the first, which may be a warm-up. */
static bool of_all(const struct pairs *p, int from, double value, double n, struct mistake *m)
{
    const double sum = sum_of(p, from), most = most_of(p, from);
    const int count = p->count - from;
    const char *which = from == 0 ? "" : ", without the first";

    if (same(sum, value)) {
        mistake_add(m, "the program takes %d pairs of stamps, and this is the sum of their times%s: the time of %d calls, and not of one", p->count,
                    which, count);
    } else if (same(sum / count, value)) {
        add_cold(p, from, m);
        mistake_add(m, "it is the mean of the times of the %d pairs%s, and not the least of them", p->count, which);
    } else if (divisor(sum, value, n) > 0.0) {
        mistake_add(m, "it is the sum of the times of the %d pairs%s, divided by %.0f", p->count, which, divisor(sum, value, n));
    } else if (same(most, value)) {
        add_cold(p, from, m);
        mistake_add(m, "it is the greatest of the times of the %d pairs%s; the least is %.3g s", p->count, which, least_of(p, from));
    } else {
        return false;
    }
    return true;
}

/* Finds a figure that is one pair's time, or is computed from it. */
static bool of_one(const struct pairs *p, int i, double value, double n, struct mistake *m)
{
    static const struct {
        double by;
        const char *text;
    } unit[] = {{1e3, "in milliseconds"}, {1e6, "in microseconds"}, {1e9, "in nanoseconds"}};
    static const double moved[] = {1.0, 2.0, 3.0, 4.0, 8.0, 12.0}; /* elements, floats or bytes, for each element */
    const double t = p->seconds[i];
    const char *which = p->count == 1 ? "the time of the only pair" : same(t, least_of(p, 0)) ? "the least time of a pair" : "the time of a pair";

    if (p->starts > 1 && divisor(t, value, n) == p->starts) { /* that is right, if it is not the first start, and none is late */
        if (p->cold == i + 1)
            add_cold(p, 0, m);
        else if (strcmp(m->kind, "timed-too-much") == 0)
            mistake_add(m, "it is %s, %.3g s, divided by the %d calls of start() in it: the mean of %d calls, and not the least time of one", which, t,
                        p->starts, p->starts);
        return p->cold == i + 1 || strcmp(m->kind, "timed-too-much") == 0;
    }
    for (size_t u = 0; u < sizeof unit / sizeof *unit; u++)
        if (same(value, t * unit[u].by)) {
            mistake_add(m, "it is %s, %.3g s, times %.0f: %s, and not in seconds?", which, t, unit[u].by, unit[u].text);
            return true;
        }
    for (size_t b = 0; b < sizeof moved / sizeof *moved; b++)
        if (same(value, moved[b] * n / t) || same(value, 1e-9 * moved[b] * n / t)) {
            mistake_add(m, "it is %.0f%s divided by %s, %.3g s: a rate, and not a time", moved[b] * n, value < n / t ? " * 1e-9" : "", which, t);
            return true;
        }
    if (same(value, 1.0 / t))
        mistake_add(m, "it is 1 divided by %s, %.3g s: calls in a second, and not a time", which, t);
    else if (same(value, -t))
        mistake_add(m, "the two stamps are %.3g s apart, and the figure is the negative of it: the second stamp is the later one", t);
    else if (divisor(t, value, n) > 0.0 && p->starts == 0) /* of the processor's loop, which takes no start */
        mistake_add(m, "it is %s, %.3g s, divided by %.0f", which, t, divisor(t, value, n));
    else if (divisor(t, value, n) > 0.0)
        mistake_add(m, "it is %s, %.3g s, divided by %.0f; between its two stamps there %s %d call%s of start()", which, t, divisor(t, value, n),
                    p->starts == 1 ? "is" : "are", p->starts, p->starts == 1 ? "" : "s");
    else if (divisor(value, t, n) > 0.0)
        mistake_add(m, "it is %s, %.3g s, times %.0f", which, t, divisor(value, t, n));
    else
        return false;
    return true;
}

/* Finds a figure that is the time of one pair, but of another one than the least. */
static bool of_another(const struct pairs *p, double value, struct mistake *m)
{
    for (int i = p->count; i-- > 0;) {
        if (!same(p->seconds[i], value))
            continue;
        if (p->cold == i + 1)
            add_cold(p, 0, m);
        mistake_add(m, "it is the time of pair %d of %d%s; the least is %.3g s", i + 1, p->count,
                    i == p->count - 1 ? ", the last one" : "", least_of(p, 0));
        return true;
    }
    return false;
}

bool stamps_of(const char *prints, const char *name, double value, double n, struct mistake *m)
{
    struct pairs p;

    if (!read_pairs(prints, name, &p))
        return false;
    if (p.count == 0) {
        mistake_add(m, "no two stamps were taken: now() was called less than twice");
        return true;
    }
    if (isinf(value)) {
        mistake_add(m, "it is infinite, and each of the %d pairs of stamps took a finite time: so no time of a pair has ever replaced INFINITY, "
                       "with which the search for the least begins", p.count);
        return true;
    }
    if (p.count == 1 && p.starts == 1 && p.cold == 0 && same(value, p.seconds[0]) && strcmp(m->kind, "timed-too-much") == 0) {
        mistake_add(m, "it is the time of the only pair of stamps, with one call of start(): there is no other time to compare it with");
        return true;
    }
    if (value == 0.0 || isnan(value) || same(value, least_of(&p, 0))) /* the least time is a right way; others of a few ns agree by chance */
        return false;
    for (int from = 0; from < 2 && p.count - from > 1; from++)
        if (of_all(&p, from, value, n, m))
            return true;
    if (p.count > 1 && value > 1.5 * least_of(&p, 0) && of_another(&p, value, m))
        return true;
    for (int i = 0; i < p.count; i++)
        if (!same(p.seconds[i], value) && of_one(&p, i, value, n, m))
            return true;
    return false;
}

/* --- what the text has between two stamps ---------------------------------------------------------- */

/* Returns the text with blanks in place of its comments, up to what the learner need not touch. */
static char *own_part(const struct exercise *e)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), *rest = text != NULL ? strstr(text, "nothing to do here") : NULL;

    if (rest != NULL)
        *rest = '\0';
    for (char *at = text != NULL ? strstr(text, "/*") : NULL; at != NULL; at = strstr(at, "/*")) {
        const char *end = strstr(at + 2, "*/");
        for (; *at != '\0' && (end == NULL || at < end + 2); at++)
            *at = *at == '\n' ? '\n' : ' ';
    }
    return text;
}

/* Returns where a function's body begins, and its end; NULL: the text has none of this name. */
static const char *body_of(const char *text, const char *name, const char **end)
{
    char begin[64];

    snprintf(begin, sizeof begin, "%s(", name);
    for (const char *at = text; (at = strstr(at, begin)) != NULL; at++) {
        const char *brace = strstr(at, ")\n{"), *semicolon = strchr(at, ';');
        if (brace == NULL || (semicolon != NULL && semicolon < brace))
            continue;
        *end = strstr(brace, "\n}");
        return *end != NULL ? brace : NULL;
    }
    return NULL;
}

enum line { PLAIN, LOOP, CALL, SEEN };

/* Returns what a line between the stamps has: a loop, a call but those of the work, or else a use of `seen`. */
static enum line line_has(const char *line, size_t length)
{
    static const char *const work[] = {"now", "start", "wait_for_device", "if", "fmin", "fmax", "sizeof"};
    char word[32];
    bool seen = false;

    for (size_t i = 0, begin = 0; i < length; i++) {
        if (isalnum((unsigned char)line[i]) || line[i] == '_')
            continue;
        snprintf(word, sizeof word, "%.*s", (int)(i - begin), line + begin);
        begin = i + 1;
        if (strcmp(word, "for") == 0 || strcmp(word, "while") == 0)
            return LOOP;
        seen = seen || strcmp(word, "seen") == 0;
        bool known = word[0] == '\0' || line[i] != '(';
        for (size_t w = 0; w < sizeof work / sizeof *work && !known; w++)
            known = strcmp(word, work[w]) == 0;
        if (!known)
            return CALL;
    }
    return seen ? SEEN : PLAIN;
}

static int number_of(const char *text, const char *at)
{
    int number = 1;

    for (; text < at; text++)
        number += *text == '\n';
    return number;
}

/* Returns whether the part has z[...] anywhere but on the left of a single =, or in the declaration. */
static bool reads(const char *text, const char *array)
{
    char name[40];
    const size_t length = (size_t)snprintf(name, sizeof name, "%s[", array);

    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        const char *behind = strchr(at, ']'), *line = at;
        if (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
            continue;
        while (line > text && line[-1] != '\n')
            line--;
        behind = behind != NULL ? behind + 1 + strspn(behind + 1, " ") : NULL;
        const bool written = behind != NULL && behind[0] == '=' && behind[1] != '=';
        if (!written && strncmp(line, "static ", 7) != 0)
            return true;
    }
    return false;
}

void stamps_unread(const struct exercise *e, const char *array, struct mistake *m)
{
    char *text = own_part(e), passed[3][40];
    bool read = text == NULL || reads(text, array);

    snprintf(passed[0], sizeof passed[0], "(%s)", array); /* to a function, which may read it */
    snprintf(passed[1], sizeof passed[1], "(%s,", array);
    snprintf(passed[2], sizeof passed[2], " %s,", array);
    for (int i = 0; i < 3 && !read; i++)
        read = strstr(text, passed[i]) != NULL;
    if (!read)
        mistake_add(m, "nothing reads %s: it is only written", array);
    free(text);
}

static size_t indent_of(const char *line)
{
    return strspn(line, " ");
}

/* What the lines between the two stamps have. */
struct between {
    int loops, calls;
    size_t indent; /* of the last loop */
    bool nested;   /* that loop stands in the one before */
};

/* Counts what this line has, and returns it.  What stands in no loop and is no call takes no time to speak of. */
static enum line count_line(const char *line, struct between *b)
{
    const enum line has = line_has(line, strcspn(line, "\n") + 1);

    if (has == SEEN && (b->loops == 0 || indent_of(line) <= b->indent))
        return PLAIN;
    if (has == LOOP) {
        b->nested = b->loops > 0 && indent_of(line) > b->indent;
        b->indent = indent_of(line);
    }
    b->loops += has == LOOP;
    b->calls += has == CALL || has == SEEN;
    return has;
}

void stamps_between(const struct exercise *e, const char *name, struct mistake *m)
{
    char *text = own_part(e);
    const char *end = NULL, *body = text != NULL ? body_of(text, name, &end) : NULL;
    const char *first = body != NULL ? strstr(body, "now()") : NULL, *second = first != NULL ? strstr(first + 1, "now()") : NULL;
    struct between all = {.loops = 0};

    if (second == NULL || second >= end)
        first = NULL;
    for (int quote = 0; quote < 2; quote++) {
        const char *line = first != NULL ? strchr(first, '\n') : NULL;
        struct between so_far = {.loops = 0};
        for (; line != NULL && strchr(line + 1, '\n') < second; line = strchr(line + 1, '\n')) {
            const enum line has = count_line(line + 1, quote == 0 ? &all : &so_far);
            const int number = number_of(text, line + 1);
            if (quote == 0 || has == PLAIN || (has == LOOP && all.loops < 2))
                continue;
            own_lines_quote(e, number, m);
            if (has == LOOP && line_has(strchr(line + 1, '\n') + 1, strcspn(strchr(line + 1, '\n') + 1, "\n") + 1) == PLAIN)
                own_lines_quote(e, number + 1, m);
        }
        if (quote == 0 && all.nested)
            mistake_add(m, "between the two stamps there is a loop in a loop, so the work may be done several times there:");
        else if (quote == 0 && all.loops > 1)
            mistake_add(m, "between the two stamps there are %d loops, and the work is only one of them:", all.loops);
        else if (quote == 0 && all.calls > 0)
            mistake_add(m, "between the two stamps the program does this as well, so its time is counted:");
    }
    free(text);
}

/* Returns whether a line before `end` has a loop up to n. */
static bool loops_over_all(const char *line, const char *end)
{
    for (; line != NULL && line < end; line = strchr(line + 1, '\n')) {
        const size_t length = strcspn(line + 1, "\n");
        const char *all = strstr(line + 1, "< n;");
        if (all != NULL && all < line + 1 + length && line_has(line + 1, length + 1) == LOOP)
            return true;
    }
    return false;
}

bool stamps_left_out(const struct exercise *e, const char *prints, const char *name, double n, struct mistake *m)
{
    const double fastest = 1e-12; /* seconds for an element: no core reads its 8 bytes in this time */
    struct pairs p;
    char *text = own_part(e);
    const char *end = NULL, *body = text != NULL ? body_of(text, name, &end) : NULL;
    const char *first = body != NULL ? strstr(body, "now()") : NULL, *second = first != NULL ? strstr(first + 1, "now()") : NULL;
    const char *line = second != NULL && second < end ? strchr(first, '\n') : NULL;
    struct between b = {.loops = 0};
    bool told = false;

    if (line != NULL && read_pairs(prints, name, &p) && p.count > 0 && least_of(&p, 0) < fastest * n) {
        for (const char *at = line; at != NULL && strchr(at + 1, '\n') < second; at = strchr(at + 1, '\n'))
            count_line(at + 1, &b);
        told = true;
        if (loops_over_all(line, second))
            mistake_add(m, "the loop over all elements stands between the two stamps, and these are %.2g s apart. No processor computes %.0f elements in that "
                           "time: the compiler has left the loop out, because nothing that counts comes of z", least_of(&p, 0), n);
        else if (b.loops + b.calls == 0)
            mistake_add(m, "between the two stamps of %s there is neither a loop nor a call, and they are %.2g s apart", name, least_of(&p, 0));
        else
            told = false;
    }
    free(text);
    return told;
}
