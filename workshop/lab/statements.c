/* Mutants of statements: one that is left out, exchanged or inserted. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

size_t finder_statement_end(const struct finder *f, size_t i)
{
    size_t end = i;

    if (finder_is_keyword(&f->t, i) || token_is_type(&f->t, i) || f->t.list[i].kind != WORD || f->t.list[i + 1].kind == WORD)
        return i;
    if (token_is(&f->t, i + 1, "*") && token_in(&f->t, i + 3, "= ; ,"))
        return i; /* a declaration */
    while (end < f->end && !token_in(&f->t, end, "; { }"))
        end = token_in(&f->t, end, "( [ <<<") ? f->t.list[end].match + 1 : end + 1;
    return end < f->end && token_is(&f->t, end, ";") ? end + 1 : i;
}

/* Returns the token behind a statement that is no loop and no condition. */
static size_t behind_simple(const struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;

    if (token_is(t, i, "{"))
        return t->list[i].match + 1;
    while (i < f->end && !token_in(t, i, "; }"))
        i = token_in(t, i, "( [ { <<<") ? t->list[i].match + 1 : i + 1;
    return token_is(t, i, ";") ? i + 1 : i;
}

size_t finder_behind_statement(const struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;
    bool loops = false;

    for (;;) {
        if (token_in(t, i, "if for while switch") && token_is(t, i + 1, "(")) {
            i = t->list[i + 1].match + 1;
            continue;
        }
        if (token_is(t, i, "do")) {
            loops = true;
            i++;
            continue;
        }
        i = behind_simple(f, i);
        if (loops && token_is(t, i, "while") && token_is(t, i + 1, "(")) {
            i = t->list[i + 1].match + 2;
            loops = false;
        }
        if (!token_is(t, i, "else"))
            return i;
        i++;
    }
}

bool finder_begins_statement(const struct finder *f, size_t i)
{
    if (token_is(&f->t, i, "while") && token_is(&f->t, i - 1, "}") && token_is(&f->t, f->t.list[i - 1].match - 1, "do"))
        return false; /* the end of that loop */
    if (token_is(&f->t, i, ";") || (token_is(&f->t, i - 1, "}") && token_in(&f->t, f->t.list[i - 1].match - 1, "= , (")))
        return false; /* behind values in braces */
    return token_in(&f->t, i - 1, "; }") ||
           (token_is(&f->t, i - 1, "{") && (token_in(&f->t, i - 2, ") else do") || i - 1 == f->begin));
}

static void insert(struct finder *f, size_t i, int priority, const char *text, const char *words)
{
    finder_change(f, finder_begin(f, i, priority, "%s", words), BEFORE, i, i + 1, text);
}

/* Another value for a variable, before token i. */
static void insert_assignments(struct finder *f, size_t i)
{
    char text[120], words[120];

    for (size_t a = 0; a < f->paths; a++)
        for (size_t b = 0; b < f->paths; b++) {
            const struct path *x = &f->path[a], *y = &f->path[b];
            if (x->constant || x->remote || y->remote || strcmp(x->type, y->type) != 0 || strpbrk(x->text, ".-") != NULL || strpbrk(y->text, ".-") != NULL || x->sort != y->sort || a == b ||
                !finder_is_known(f, x, i) || !finder_is_known(f, y, i))
                continue;
            snprintf(words, sizeof words, "%s needs a new value before this line", x->text);
            snprintf(text, sizeof text, "%s = %s;", x->text, y->text);
            insert(f, i, 6, text, words);
            if (x->sort != INTEGER)
                continue;
            snprintf(text, sizeof text, "%s -= %s;", x->text, y->text);
            insert(f, i, 6, text, words);
        }
}

/* A wait for all that was launched and copied, or for a stream. */
static void insert_waits(struct finder *f, size_t i)
{
    const int priority = f->hint->order ? 0 : 5; /* behind another stream for what is there */
    char text[120];

    insert(f, i, priority, "cudaDeviceSynchronize();", "the host has to wait for the GPU before this line");
    for (size_t k = 0; k < f->paths; k++)
        if (strncmp(f->path[k].type, "cudaStream_t", 12) == 0 && f->path[k].sort != POINTER && finder_is_known(f, &f->path[k], i)) {
            snprintf(text, sizeof text, "cudaStreamSynchronize(%s);", f->path[k].text);
            insert(f, i, priority + 1, text, "the host has to wait for a stream before this line");
        }
}

/* A step, such as i++, for what is not constant. */
static void insert_steps(struct finder *f, size_t i)
{
    char text[120];

    for (size_t k = 0; k < f->paths; k++) {
        const struct path *p = &f->path[k];
        if ((p->sort != INTEGER && p->sort != POINTER) || p->constant || p->scopes == 0 || !finder_is_known(f, p, i))
            continue;
        snprintf(text, sizeof text, "%s++;", p->text);
        insert(f, i, 6, text, "a step is missing before this line");
    }
}

/* A first value for the thread's place of an array in shared memory. */
static void insert_first_values(struct finder *f, size_t i)
{
    static const char *const values[] = {"0", "INFINITY"};
    char text[120], words[120];

    for (size_t k = 0; k < f->paths; k++) {
        const struct path *p = &f->path[k];
        const char *brackets = strchr(p->type, '[');
        const bool real = strncmp(p->type, "float[", 6) == 0;
        if (brackets == NULL || strchr(brackets + 1, '[') != NULL || p->remote || p->scopes == 0 || strstr(p->type, "float2") != NULL || !finder_is_known(f, p, i))
            continue;
        for (int v = 0; v < (real ? 2 : 1); v++) {
            snprintf(words, sizeof words, "%s has no first values before this line", p->text);
            snprintf(text, sizeof text, "%s[threadIdx.x] = %s;", p->text, values[v]);
            insert(f, i, f->hint->unset ? 0 : 4, text, words);
        }
    }
}

/* The GPU with a loop's number is set. */
static void insert_devices(struct finder *f, size_t i)
{
    char text[120];

    for (size_t k = 0; k < f->paths; k++) {
        const struct path *p = &f->path[k];
        if (p->sort != INTEGER || p->constant || p->scopes == 0 || strpbrk(p->text, ".-") != NULL || !finder_is_known(f, p, i))
            continue;
        snprintf(text, sizeof text, "cudaSetDevice((int)%s);", p->text);
        insert(f, i, strlen(p->text) == 1 ? 2 : 4, text, "cudaSetDevice is missing before this line");
    }
}

/* Returns whether token i stands in a branch: not all threads get there, so a barrier there is no mend, and the mutant may wait for ever. */
static bool in_branch(const struct finder *f, size_t i)
{
    const struct tokens *t = &f->t;

    for (size_t k = f->begin + 1; k < i; k++)
        if (token_is(t, k, "{") && t->list[k].match > i &&
            (token_is(t, k - 1, "else") || (token_is(t, k - 1, ")") && token_is(t, t->list[k - 1].match - 1, "if"))))
            return true;
    return false;
}

void mutate_statement(struct finder *f, size_t i)
{
    const size_t end = finder_statement_end(f, i);
    const bool inserts = finder_begins_statement(f, i);
    const bool behind_head = f->t.list[i].kind == WORD && /* if (...), for (...); not a cast */
                             (token_is(&f->t, i - 1, "else") ||
                              (token_is(&f->t, i - 1, ")") && token_in(&f->t, f->t.list[i - 1].match - 1, "if for while")));

    if (!inserts && !behind_head)
        return;

    if (end > i && finder_is_learners(f, i)) {
        const bool needed = token_is(&f->t, i + 1, "(") && !token_in(&f->t, i, "CUDA __syncthreads __syncwarp") && !f->hint->counts; /* a call, most likely */
        finder_change(f, finder_begin(f, i, needed ? 3 : 2, "this statement is too much"), GUARD, i, end, "0");
        mutate_when(f, i, end);
    }
    if (!inserts || token_is(&f->t, i, "else"))
        return;
    if (f->kernel && !token_is(&f->t, i, "__syncthreads"))
        insert(f, i, !f->hint->order ? 5 : in_branch(f, i) ? 3 : 0, "__syncthreads();", "a barrier is missing before this line");
    if (f->kernel && f->hint->order)
        insert(f, i, 3, "__syncwarp();", "a __syncwarp() is missing before this line");
    if (!f->kernel && f->all->cuda)
        insert_waits(f, i);
    if (!f->kernel && strstr(f->t.text, "cudaSetDevice") != NULL)
        insert_devices(f, i);
    if (f->kernel && token_in(&f->t, i, "for while if"))
        insert_first_values(f, i);
    if (finder_is_learners(f, i) || finder_is_learners(f, i - 1))
        insert_assignments(f, i);
    if (finder_is_learners(f, i) || finder_is_learners(f, i - 1))
        insert_steps(f, i);
}
