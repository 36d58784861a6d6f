#define _GNU_SOURCE
#include "workshop/lab/retype.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/mutant.h"
#include "workshop/lab/token.h"

static bool is_whole(const struct tokens *t, size_t i)
{
    return token_in(t, i, "int unsigned long size_t int32_t uint32_t uint64_t int64_t");
}

/* Returns whether the variable is a part of an index, or is counted, or has bits. */
static bool counts(const struct tokens *t, size_t name)
{
    size_t brackets = 0;

    for (size_t i = 0; i < t->count; i++) {
        brackets += token_is(t, i, "[");
        brackets -= token_is(t, i, "]");
        if (!tokens_equal(t, i, name, 1) || i == name)
            continue;
        if (brackets > 0 || token_in(t, i + 1, "++ -- % & | << >>") || (i > 0 && token_in(t, i - 1, "++ -- % | << >>")))
            return true;
    }
    return false;
}

/* Returns whether the variable must be whole: it counts, or it keeps the value of one that does, e.g. by "which = (uint32_t)j;". */
static bool must_be_whole(const struct tokens *t, size_t name)
{
    for (size_t i = 0; i + 3 < t->count; i++) {
        if (!tokens_equal(t, i, name, 1) || !token_is(t, i + 1, "="))
            continue;
        const size_t value = token_is(t, i + 2, "(") ? t->list[i + 2].match + 1 : i + 2;
        if (t->list[value].kind == WORD && token_is(t, value + 1, ";") && counts(t, value))
            return true;
    }
    return counts(t, name);
}

/* Returns whether an if around token i, or before it, tests for the first thread, warp or lane: its condition ends with "== 0". */
static bool by_one(const struct tokens *t, size_t from, size_t i)
{
    for (size_t k = from; k < i; k++) {
        if (!token_is(t, k, "if") || !token_is(t, t->list[k + 1].match - 1, "0") || !token_is(t, t->list[k + 1].match - 2, "=="))
            continue;
        const size_t body = t->list[k + 1].match + 1;
        size_t end = token_is(t, body, "{") ? t->list[body].match : body;
        while (!token_is(t, body, "{") && end < i && !token_is(t, end, ";"))
            end++;
        if (end >= i && body <= i)
            return true;
    }
    return false;
}

/* Returns whether the variable that is declared at `name` gets its values from one thread, and is used behind that. */
static bool is_of_one(const struct tokens *t, size_t name)
{
    size_t block = name, last = 0;
    bool all_by_one = true;

    while (block > 0 && !(token_is(t, block, "{") && t->list[block].match > name))
        block--;
    for (size_t i = name + 2; i < t->list[block].match; i++) {
        if (!tokens_equal(t, i, name, 1) || token_in(t, i - 1, ". ->"))
            continue;
        const bool one = by_one(t, block, i);
        const bool assigned = token_in(t, i + 1, "= += -= *=") || token_is(t, i - 1, "&");
        all_by_one = all_by_one && (!assigned || one);
        last = one ? (assigned ? 1 : last) : last > 0 ? 2 : 0;
        if (last == 2)
            break;
    }
    return all_by_one && last == 2;
}

/* Returns whether token i is in a kernel. */
static bool in_kernel(const struct tokens *t, size_t i)
{
    bool kernel = false;

    for (size_t k = 0; k < i; k++) {
        kernel = kernel || token_is(t, k, "__global__");
        if (!token_is(t, k, "{"))
            continue;
        if (t->list[k].match > i)
            return kernel;
        k = t->list[k].match;
        kernel = false;
    }
    return false;
}

size_t share_find(const char *text, struct retype list[], size_t most)
{
    struct tokens t;
    size_t count = 0;

    const bool read = tokens_read(&t, text);
    for (size_t i = 1; read && i + 3 < t.count && count < most; i++) {
        size_t end = i + 2;
        if (!token_is_type(&t, i) || t.list[i + 1].kind != WORD || !token_in(&t, i + 2, "= ;") || !token_in(&t, i - 1, "; { }") ||
            !in_kernel(&t, i) || !is_of_one(&t, i + 1))
            continue;
        while (end + 1 < t.count && !token_in(&t, end, "; ,"))
            end = token_in(&t, end, "( [") ? t.list[end].match + 1 : end + 1;
        if (!token_is(&t, end, ";"))
            continue;
        struct retype *r = &list[count];
        const struct token *name = &t.list[i + 1];
        const int length = (int)(name->end - name->at);
        r->line = t.list[i].line;
        snprintf(r->words, sizeof r->words, "one thread sets %.*s, and each thread has one of its own: it belongs into shared memory", length < 60 ? length : 60,
                 text + name->at);
        if (asprintf(&r->text, "%.*s__shared__ %.*s; if (threadIdx.x + threadIdx.y == 0) { %.*s %.*s; } __syncthreads();%s", (int)t.list[i].at, text,
                     (int)(name->end - t.list[i].at), text + t.list[i].at, length, text + name->at,
                     (int)(t.list[end].at - name->end), text + name->end, text + t.list[end].end) >= 0)
            count++;
    }
    tokens_free(&t);
    return count;
}

size_t retype_find(const char *text, const char *starter, struct retype list[], size_t most)
{
    bool *learners = mutants_lines(text, starter);
    struct tokens t;
    size_t count = 0;

    const bool read = tokens_read(&t, text);
    for (size_t i = 1; read && learners != NULL && i + 2 < t.count && count < most; i++) {
        const bool parameter = token_in(&t, i + 2, ", )") && token_in(&t, i - 1, "( , const"); /* of a function, or of a cast or sizeof: that has no name */
        const bool variable = token_in(&t, i + 2, "= ;") && token_in(&t, i - 1, "; { } const");
        if (!is_whole(&t, i) || t.list[i + 1].kind != WORD || token_is_type(&t, i + 1) || !(parameter || variable) ||
            !learners[t.list[i].line] || must_be_whole(&t, i + 1))
            continue;
        struct retype *r = &list[count];
        const struct token *name = &t.list[i + 1];
        r->line = t.list[i].line;
        snprintf(r->words, sizeof r->words, "%.*s has a type for whole numbers only, so it loses its fraction", (int)(name->end - name->at < 60 ? name->end - name->at : 60),
                 text + name->at);
        if (asprintf(&r->text, "%.*sfloat%s", (int)t.list[i].at, text, text + t.list[i].end) >= 0)
            count++;
    }
    tokens_free(&t);
    free(learners);
    return count;
}

/* --- below 0 ------------------------------------------------------------------------------------------ */

/* Returns whether a type without numbers below 0 stands there, and what has them instead; NULL: it does not. */
static const char *with_sign(const struct tokens *t, size_t i)
{
    static const char *const types[][2] = {{"unsigned", "int"}, {"size_t", "long"}, {"uint32_t", "int"}, {"uint64_t", "long long"}};

    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (token_is(t, i, types[k][0]) && !token_is_type(t, i + 1) && !token_is_type(t, i - 1 - token_is(t, i - 1, "const")))
            return types[k][1];
    return NULL;
}

/* Returns whether the variable at `name` is meant to be below 0: it begins with -1, or with something less 1, or is compared with 0. */
static bool may_be_below(const struct tokens *t, size_t name)
{
    const size_t end = name + 5 < t->count ? name + 5 : name;

    if (token_is(t, name + 1, "=") && (token_is(t, name + 2, "-") || (token_is(t, end - 1, "1") && token_is(t, end - 2, "-"))))
        return true;
    for (size_t i = name + 1; i + 2 < t->count; i++)
        if (tokens_equal(t, i, name, 1) && token_in(t, i + 1, "< >=") && token_is(t, i + 2, "0"))
            return true;
    return false;
}

size_t sign_find(const char *text, const char *starter, struct retype list[], size_t most)
{
    bool *learners = mutants_lines(text, starter);
    char *all = NULL;
    struct tokens t;
    size_t count = 0, size = 0, at = 0;
    FILE *out = open_memstream(&all, &size);

    const bool read = tokens_read(&t, text);
    for (size_t i = 1; read && out != NULL && learners != NULL && i + 2 < t.count && count < most; i++) {
        const char *other = with_sign(&t, i);
        if (other == NULL || t.list[i + 1].kind != WORD || !token_in(&t, i + 2, "= ;") || !learners[t.list[i].line] || !may_be_below(&t, i + 1))
            continue;
        const struct token *name = &t.list[i + 1];
        struct retype *r = &list[count];
        r->line = t.list[i].line;
        snprintf(r->words, sizeof r->words, "%.*s has a type without numbers below 0", (int)(name->end - name->at < 60 ? name->end - name->at : 60), text + name->at);
        fprintf(out, "%.*s%s", (int)(t.list[i].at - at), text + at, other);
        at = t.list[i].end;
        if (asprintf(&r->text, "%.*s%s%s", (int)t.list[i].at, text, other, text + t.list[i].end) >= 0)
            count++;
    }
    if (out != NULL)
        fprintf(out, "%s", text + at);
    if (out != NULL && fclose(out) == 0 && count > 1 && count < most) { /* all of them together */
        list[count] = (struct retype){.line = list[0].line, .text = all};
        snprintf(list[count].words, sizeof list->words, "this type has no numbers below 0, here and in other declarations");
        all = NULL;
        count++;
    }
    free(all);
    tokens_free(&t);
    free(learners);
    return count;
}

/* --- constants ---------------------------------------------------------------------------------------- */

/* Returns whether an enum, or an array with this bracket before its length, is declared there. */
static bool is_constant(const struct tokens *t, size_t open)
{
    if (token_is(t, open, "{"))
        return token_is(t, open - 1, "enum") || (open > 1 && token_is(t, open - 2, "enum"));
    size_t name = open - 1;
    while (token_is(t, name, "]"))
        name = t->list[name].match - 1;
    if (!token_is(t, open, "[") || t->list[name].kind != WORD)
        return false;
    while (name > 1 && token_is(t, name - 1, ",")) { /* float a[N], b[N] */
        name -= 2;
        while (token_is(t, name, "]"))
            name = t->list[name].match - 1;
    }
    return token_is_type(t, name - 1);
}

static void add_constant(const struct tokens *t, size_t first, size_t end, const char *before, const char *behind, struct retype *r)
{
    const size_t at = t->list[first].at, to = t->list[end - 1].end;
    const int length = (int)(to - at);

    r->line = t->list[first].line;
    snprintf(r->words, sizeof r->words, token_is(t, first - 1, "[") ? "the length %.*s of the array is not right" : "the constant %.*s is not right", length < 60 ? length : 60,
             t->text + at);
    if (asprintf(&r->text, "%.*s%s%.*s%s%s", (int)at, t->text, before, length, t->text + at, behind, t->text + to) < 0)
        r->text = NULL;
}

/* Adds those of the list that this bracket opens: those that are computed, or those that are a number or a name alone. */
static size_t add_constants(const struct tokens *t, size_t open, const bool *learners, bool computed, struct retype list[], size_t most)
{
    static const char *const forms[][2] = {{"(2 * (", "))"}, {"((", ") / 2)"}, {"((", ") + 1)"}, {"((", ") - 1)"}};
    const bool length = token_is(t, open, "[");
    size_t count = 0;

    for (size_t k = open + 1, end; k < t->list[open].match; k = end + 1) {
        for (end = k; end < t->list[open].match && !token_is(t, end, ",");)
            end++;
        const size_t first = length ? k : k + 2;
        if ((!length && !token_is(t, k + 1, "=")) || first >= end || !learners[t->list[first].line] || (end > first + 1) != computed)
            continue;
        for (int form = length ? 2 : 0; form < 4 && count < most; form++) {
            add_constant(t, first, end, forms[form][0], forms[form][1], &list[count]);
            count += list[count].text != NULL;
        }
    }
    return count;
}

size_t constants_find(const char *text, const char *starter, struct retype list[], size_t most)
{
    bool *learners = mutants_lines(text, starter);
    struct tokens t;
    size_t count = 0;

    const bool read = tokens_read(&t, text);
    for (int computed = 1; computed >= 0; computed--)
        for (size_t i = 1; read && learners != NULL && i < t.count; i++)
            if (token_in(&t, i, "{ [") && is_constant(&t, i))
                count += add_constants(&t, i, learners, computed == 1, list + count, most - count);
    tokens_free(&t);
    free(learners);
    return count;
}
