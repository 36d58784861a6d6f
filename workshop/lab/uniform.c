#include "workshop/lab/uniform.h"

#include <string.h>

#include "workshop/lab/directives.h"
#include "workshop/lab/scope.h"

enum { MOST = 128 };

/* A kernel's body, and the names whose values may differ from thread to thread. */
struct values {
    const struct tokens *t;
    size_t begin, end;
    bool of_warp; /* the number of a warp does not count: it is the same for all its lanes */
    size_t name[MOST];
    size_t count;
};

/* Returns the body of the kernel that contains token i, at its "{"; 0: it is in no kernel. */
static size_t kernel_around(const struct tokens *t, size_t i)
{
    for (size_t k = 1; k < i; k++) {
        if (!token_is(t, k, "__global__"))
            continue;
        while (k < i && !token_in(t, k, "{ ;"))
            k++;
        if (token_is(t, k, "{") && i > k && i < t->list[k].match)
            return k;
    }
    return 0;
}

/* Returns whether the name is a constant of 32: "WARP = 32". */
static bool is_warp_size(const struct tokens *t, size_t i)
{
    if (token_in(t, i, "32 32u warpSize"))
        return true;
    for (size_t k = 0; k + 2 < t->count && t->list[i].kind == WORD; k++)
        if (tokens_equal(t, k, i, 1) && token_is(t, k + 1, "=") && token_in(t, k + 2, "32 32u"))
            return true;
    return false;
}

/* Returns the token behind "threadIdx.x", or behind a variable that was set to just that, which begins at i; else i. */
static size_t behind_thread_number(const struct tokens *t, size_t i)
{
    if (token_is(t, i, "threadIdx") && token_is(t, i + 2, "x"))
        return i + 3;
    const size_t declared = t->list[i].kind == WORD ? scope_declared(t, i) : 0;
    size_t value = declared + 2;
    if (declared == 0 || !token_is(t, declared + 1, "="))
        return i;
    if (token_is(t, value, "(") && token_is_cast(t, t->list[value].match))
        value = t->list[value].match + 1;
    return token_is(t, value, "threadIdx") && token_is(t, value + 2, "x") && token_in(t, value + 3, ", ;") ? i + 1 : i;
}

/* Returns the token behind "threadIdx.x / 32" or "threadIdx.x >> 5", which begins at i; else i. */
static size_t behind_warp_number(const struct tokens *t, size_t i)
{
    const size_t behind = behind_thread_number(t, i);

    if (behind > i && ((token_is(t, behind, "/") && is_warp_size(t, behind + 1)) || (token_is(t, behind, ">>") && token_in(t, behind + 1, "5 5u"))))
        return behind + 2;
    return i;
}

/* Returns whether what is called at token i may return something else in each thread. */
static bool call_varies(const struct values *v, size_t i)
{
    static const char *const others[] = {"shfl", "ballot", "atomic", "match", "activemask", "clock", "rank", "this_thread", "partition", "lane"};
    char name[64] = "";
    const size_t length = v->t->list[i].end - v->t->list[i].at, body = scope_body(v->t, i);

    memcpy(name, v->t->text + v->t->list[i].at, length < sizeof name ? length : sizeof name - 1);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strstr(name, others[k]) != NULL)
            return true;
    for (size_t k = body; body > 0 && k < v->t->list[body].match; k++) /* a function of the file that asks for the thread */
        if (token_is(v->t, k, "threadIdx") || (v->t->list[k].kind == WORD && token_is(v->t, k + 1, "(") && scope_body(v->t, k) > 0))
            return true;
    return false;
}

static bool name_varies(const struct values *v, size_t i)
{
    for (size_t k = 0; k < v->count; k++)
        if (tokens_equal(v->t, v->name[k], i, 1))
            return true;
    return false;
}

/* Returns whether what the tokens say may differ from thread to thread. */
static bool varies(const struct values *v, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const size_t behind = v->of_warp ? behind_warp_number(v->t, i) : i;
        if (behind > i) {
            i = behind - 1;
            continue;
        }
        if (token_in(v->t, i, "threadIdx threadIndex") || (v->t->list[i].kind == WORD && !token_in(v->t, i - 1, ". ->") && name_varies(v, i)))
            return true;
        if (v->t->list[i].kind == WORD && token_is(v->t, i + 1, "(") && call_varies(v, i))
            return true;
    }
    return false;
}

/* Returns where the innermost loop around token i ends; if there is none, the kernel. */
static size_t loop_end(const struct values *v, size_t i)
{
    size_t end = v->end;

    for (size_t k = v->begin; k < i; k++) {
        const size_t behind = token_in(v->t, k, "for while switch") ? directive_statement_end(v->t, k)
                              : token_is(v->t, k, "do")             ? directive_statement_end(v->t, k + 1)
                                                                    : 0;
        end = behind > i && behind < end ? behind : end;
    }
    return end;
}

/* Returns up to where the condition at k decides who gets there: to the end of its statement, or of what a jump in it leaves. */
static size_t reach_of(const struct values *v, size_t k)
{
    const size_t behind = directive_statement_end(v->t, k);
    size_t end = behind;

    for (size_t j = k; j < behind; j++)
        if (token_is(v->t, j, "return"))
            end = v->end;
        else if (token_is(v->t, k, "if") && token_in(v->t, j, "break continue") && end < loop_end(v, k))
            end = loop_end(v, k);
    return end;
}

/* Returns the condition or loop that decides for some threads only that token i is executed; 0: there is none. */
static size_t choice_of(const struct values *v, size_t i)
{
    const struct tokens *t = v->t;

    for (size_t k = v->begin; k < i; k++) {
        if (token_is(t, k, "do")) {
            const size_t end = directive_statement_end(t, k + 1); /* while (condition) stands there */
            if (i < end && varies(v, end + 1, t->list[end + 1].match))
                return k;
        }
        if (!token_in(t, k, "if for while switch") || !token_is(t, k + 1, "("))
            continue;
        const size_t end = reach_of(v, k);
        if (i < end && i > t->list[k + 1].match && varies(v, k + 2, t->list[k + 1].match))
            return k;
    }
    return 0;
}

/* Returns whether what is stored by the name at i is in memory that all threads of the block share: all that read an element read the same. */
static bool is_shared(const struct values *v, size_t i, bool element)
{
    const size_t declared = scope_declared(v->t, i);

    if (declared == 0)
        return false;
    if (element && declared < v->begin && kernel_around(v->t, v->begin + 1) == v->begin && token_is(v->t, declared - 1, "*"))
        return true; /* a parameter that points to memory of the GPU */
    return scope_has(v->t, declared, "__shared__") || scope_is_outside(v->t, declared);
}

static bool is_assignment(const struct tokens *t, size_t i)
{
    return token_in(t, i, "= += -= *= /= %= |= &= ^= <<= >>= ++ --");
}

/* Returns where the statement of token i ends: at ; or at a comma between declarations, or at the bracket that closes a loop's head. */
static size_t value_end(const struct tokens *t, size_t i)
{
    while (i < t->count && !token_in(t, i, "; , ) ] }"))
        i = token_in(t, i, "( [ {") ? t->list[i].match + 1 : i + 1;
    return i;
}

/* Adds the name, if the value that is given to it there may differ.  Returns whether it is new. */
static bool note(struct values *v, size_t i)
{
    const struct tokens *t = v->t;
    size_t behind = i + 1;

    if (t->list[i].kind != WORD || token_is_type(t, i) || token_in(t, i - 1, ". ->") || name_varies(v, i) || v->count == MOST)
        return false;
    while (token_is(t, behind, "[") || token_is(t, behind, "."))
        behind = token_is(t, behind, "[") ? t->list[behind].match + 1 : behind + 2;
    const bool element = behind > i + 1 && token_is(t, i + 1, "[");
    const bool given = is_assignment(t, behind) || token_in(t, i - 1, "++ --"), place = token_is(t, i - 1, "&") && token_in(t, i - 2, "( ,");
    if ((!given && !place) || is_shared(v, i, element))
        return false;
    if (!place && element && token_is(t, i - 1, "*"))
        return false;
    if (!place && !varies(v, i + 1, value_end(t, behind)) && choice_of(v, i) == 0)
        return false;
    v->name[v->count++] = i;
    return true;
}

static void find_values(struct values *v)
{
    bool more = true;

    while (more) {
        more = false;
        for (size_t i = v->begin + 1; i < v->end; i++)
            more = note(v, i) || more;
    }
}

/* Returns whether the text has what this file does not understand: functions that get variables themselves, names for threadIdx. */
static bool is_beyond(const struct tokens *t, size_t begin, size_t end)
{
    for (const char *at = t->text; (at = strstr(at, "#define")) != NULL; at++) {
        const char *thread = strstr(at, "threadIdx");
        if (thread != NULL && thread < at + strcspn(at, "\n"))
            return true;
    }
    for (size_t i = begin; i < end; i++) {
        if (token_in(t, i, "goto asm __asm__ auto"))
            return true;
        const size_t body = t->list[i].kind == WORD && token_is(t, i + 1, "(") ? scope_body(t, i) : 0;
        for (size_t k = body; k > 0 && !token_in(t, k, "; }") && !tokens_equal(t, k, i, 1); k--)
            if (token_is(t, k, "&"))
                return true;
    }
    return false;
}

static bool is_uniform(const struct tokens *t, size_t kernel, size_t i, bool of_warp)
{
    struct values v = {.t = t, .begin = kernel, .end = t->list[kernel].match, .of_warp = of_warp};
    size_t behind = i + 1;

    find_values(&v);
    while (token_is(t, behind, "[") || token_is(t, behind, "."))
        behind = token_is(t, behind, "[") ? t->list[behind].match + 1 : behind + 2;
    return v.count < MOST && !varies(&v, i, behind) && choice_of(&v, i) == 0;
}

enum uniform uniform_store(const struct tokens *t, size_t i)
{
    const size_t kernel = kernel_around(t, i);

    if (kernel == 0 || is_beyond(t, kernel, t->list[kernel].match))
        return UNIFORM_NOT;
    if (is_uniform(t, kernel, i, false))
        return UNIFORM_BLOCK;
    for (size_t k = kernel; k < t->list[kernel].match; k++)
        if (token_is(t, k, "threadIdx") && !token_is(t, k + 2, "x")) /* in a plane, threads of one warp may have several rows */
            return UNIFORM_NOT;
    return is_uniform(t, kernel, i, true) ? UNIFORM_WARP : UNIFORM_NOT;
}

size_t uniform_choice(const struct tokens *t, size_t i)
{
    const size_t kernel = kernel_around(t, i);
    struct values v = {.t = t, .begin = kernel, .end = kernel > 0 ? t->list[kernel].match : 0};

    if (kernel == 0 || is_beyond(t, kernel, v.end))
        return 0;
    find_values(&v);
    return choice_of(&v, i);
}
