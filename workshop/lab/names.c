/* The names in a function, and what is known of them. */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/finder.h"

bool finder_is_keyword(const struct tokens *t, size_t i)
{
    return token_in(t, i, "if else for while do return break continue switch case default goto sizeof true false NULL INFINITY "
                          "NAN M_PI asm");
}

/* Returns whether the word is declared there: a type, or a word and stars, stands before it, or a comma of a declaration. */
static bool is_declared(const struct tokens *t, size_t i, size_t statement)
{
    size_t before = i - 1;

    while (before > 0 && token_is(t, before, "*"))
        before--;
    if (token_is_type(t, before) || (before == i - 1 && t->list[before].kind == WORD && !finder_is_keyword(t, before)))
        return true;
    return token_is(t, before, ",") && token_is_type(t, statement) && t->list[statement].match == statement;
}

/* Notes the type: its words from token `first` on, and the brackets behind the name at `i`. */
static void describe(const struct tokens *t, struct path *p, size_t first, size_t i)
{
    size_t used = 0;

    for (; first < i; first++) {
        const struct token *w = &t->list[first];
        if (token_is_type(t, first) && !token_in(t, first, "const static __shared__ struct"))
            used += (size_t)snprintf(p->type + used, sizeof p->type - used, "%.*s", (int)(w->end - w->at), t->text + w->at);
        if (used + 8 > sizeof p->type)
            break;
    }
    if (token_is(t, i - 1, "*") && used + 4 < sizeof p->type)
        p->type[used++] = '*';
    for (; token_is(t, i + 1, "[") && used + 16 < sizeof p->type; i = t->list[i + 1].match) {
        p->type[used++] = '[';
        p->type[used] = '\0';
        for (size_t k = i + 2; k < t->list[i + 1].match && used + 16 < sizeof p->type; k++)
            used += (size_t)snprintf(p->type + used, 16, "%.*s", (int)(t->list[k].end - t->list[k].at), t->text + t->list[k].at);
        used = strlen(p->type);
    }
    p->type[used] = '\0';
}

/* Looks for the declaration of a variable, from this token on. */
static enum sort sort_from(const struct finder *f, struct path *p, size_t from)
{
    const char *name = p->text;
    const struct tokens *t = &f->t;
    size_t first = 0;
    bool real = false, integer = false, in_declaration = false;

    for (size_t i = from; i < f->end; i++) {
        if (token_is_type(t, i) && !token_is_type(t, i - 1) && !token_is_cast(t, t->list[i - 1].match)) {
            real = integer = p->constant = false;
            in_declaration = true;
            first = i;
        }
        p->constant |= token_is(t, i, "const");
        if (token_in(t, i, "float double"))
            real = true;
        if (token_in(t, i, "int unsigned size_t uint32_t uint64_t long bool"))
            integer = true;
        if (token_in(t, i, "; { }") || (token_is(t, i, ")") && !token_is_type(t, i - 1) && !token_is(t, i - 1, "*")))
            in_declaration = false;
        if (!in_declaration || !token_is(t, i, name) || token_in(t, i - 1, ". -> ("))
            continue;
        if (!token_is_type(t, i - 1) && !token_in(t, i - 1, "* ,"))
            continue;
        if (token_is(t, i - 1, "*") || token_is(t, i + 1, "["))
            return describe(t, p, first, i), POINTER;
        describe(t, p, first, i);
        return real ? REAL : integer ? INTEGER : UNKNOWN;
    }
    p->constant = false;
    return UNKNOWN;
}

/* Looks in the function with its parameters, and then in the whole file. */
static enum sort sort_of(const struct finder *f, struct path *p)
{
    const enum sort own = sort_from(f, p, f->t.list[f->begin - 1].match);

    return own != UNKNOWN ? own : sort_from(f, p, 1);
}

/* Returns where a struct begins, in these tokens, that has this member: its brace.  Sets where the declaration of the member begins, and its
   name stands.  0: there is none. */
static size_t struct_of(const struct tokens *t, const char *member, size_t *first, size_t *name)
{
    for (size_t i = 2; i < t->count; i++) {
        if (!token_is(t, i, "{") || !(token_is(t, i - 1, "struct") || token_is(t, i - 2, "struct")))
            continue;
        *first = i + 1;
        for (size_t k = i + 1; k < t->list[i].match; k++) {
            if (token_is(t, k - 1, ";"))
                *first = k;
            if (k > *first && token_is(t, k, member) && token_in(t, k + 1, "; , [")) {
                *name = k;
                return i;
            }
        }
        i = t->list[i].match;
    }
    return 0;
}

/* Returns what a member of a struct is, which the file or the header declares. */
static enum sort sort_of_member(const struct finder *f, struct path *p, const char *member)
{
    const struct tokens *const texts[] = {&f->t, &f->header};
    bool real = false;
    size_t first, name;

    for (size_t k = 0; k < 2; k++) {
        const struct tokens *t = texts[k];
        if (struct_of(t, member, &first, &name) == 0)
            continue;
        describe(t, p, first, name);
        p->constant = token_is(t, first, "const");
        for (size_t i = first; i < name; i++)
            real = real || token_in(t, i, "float double");
        if (token_is(t, name - 1, "*") || token_is(t, name + 1, "["))
            return POINTER;
        return real ? REAL : token_in(t, name - 1, "int unsigned long size_t uint32_t uint64_t int32_t int64_t bool ,") ? INTEGER : UNKNOWN;
    }
    return UNKNOWN;
}

static enum sort sort_of_path(const struct finder *f, struct path *p)
{
    const char *text = p->text;
    static const char *const builtin[] = {"threadIdx.", "blockIdx.", "blockDim.", "gridDim."};
    const char *dot = strrchr(text, '.'), *arrow = strstr(text, "->");

    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
        if (strncmp(text, builtin[i], strlen(builtin[i])) == 0)
            return INTEGER;
    if (dot == NULL && arrow == NULL) {
        if (text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")] != '\0')
            return sort_of(f, p);
        p->constant = true;
        return INTEGER;
    }
    const char *member = arrow != NULL ? arrow + 2 : dot + 1;
    if (arrow == NULL && member[1] == '\0') /* .x of a dim3 or a float2 */
        return UNKNOWN;
    const enum sort sort = sort_of_member(f, p, member);
    return sort == UNKNOWN && strncmp(member, "d_", 2) == 0 ? POINTER : sort;
}

static size_t find_path(struct finder *f, const char *text)
{
    for (size_t i = 0; i < f->paths; i++)
        if (strcmp(f->path[i].text, text) == 0)
            return i;
    if (f->paths == MOST_PATHS)
        return MOST_PATHS;
    struct path *p = &f->path[f->paths];
    snprintf(p->text, sizeof p->text, "%s", text);
    p->constant = p->remote = false;
    p->type[0] = '\0';
    p->sort = sort_of_path(f, p);
    p->scopes = 0;
    return f->paths++;
}

/* Returns where the block ends in which token i is; of a variable that the head of a loop declares, the loop. */
static size_t block_end(const struct finder *f, size_t i)
{
    size_t inner = f->begin;

    for (size_t k = f->begin; k < i; k++)
        if (token_in(&f->t, k, "{ (") && f->t.list[k].match > i)
            inner = k;
    if (token_is(&f->t, inner, "{"))
        return f->t.list[inner].match;
    const size_t body = f->t.list[inner].match + 1;
    if (token_is(&f->t, body, "{"))
        return f->t.list[body].match;
    size_t end = body;
    while (end < f->end && !token_in(&f->t, end, "; {"))
        end++;
    return token_is(&f->t, end, "{") ? f->t.list[end].match : end;
}

/* Returns the first token behind the brackets at `i`, such as [r][c]. */
static size_t behind_brackets(const struct tokens *t, size_t i)
{
    while (token_is(t, i, "["))
        i = t->list[i].match + 1;
    return i;
}

static void add_site(struct finder *f, size_t first, size_t statement)
{
    const struct tokens *t = &f->t;
    size_t last = first;
    char text[200];

    while (last + 2 < f->end && token_in(t, last + 1, ". ->") && t->list[last + 2].kind == WORD)
        last += 2;
    finder_plain(f, first, last + 1, text, sizeof text);
    if (is_declared(t, first, statement)) {
        const size_t own = last == first ? find_path(f, text) : MOST_PATHS, end = block_end(f, first);
        if (own != MOST_PATHS) {
            struct path *p = &f->path[own];
            p->from[p->scopes] = first;
            p->to[p->scopes] = end;
            p->scopes += p->scopes + 1 < MOST_SCOPES;
        }
        return;
    }
    if (token_is(t, statement, "__shared__") || token_is(t, statement, "enum"))
        return;
    if (token_is(t, last + 1, "(") || strlen(text) >= sizeof f->path->text || f->sites == MOST_SITES)
        return;
    const size_t path = find_path(f, text), end = behind_brackets(t, last + 1);
    if (path == MOST_PATHS)
        return;
    const bool assigned = token_in(t, end, "= += -= *= /= %= |= &= ^= <<= >>= ++ --") || token_in(t, first - 1, "++ --") ||
                          (token_is(t, first - 1, "&") && token_binary(t, first - 1) == 0) ||
                          (token_in(t, end, ". ->"));
    f->site[f->sites++] = (struct site){first, last, path, end, assigned, statement};
}

size_t finder_behind_lengths(const struct finder *f, size_t i, size_t statement)
{
    return f->t.list[i].kind == WORD && token_is(&f->t, i + 1, "[") && is_declared(&f->t, i, statement)
               ? behind_brackets(&f->t, i + 1)
               : i;
}

/* Adds the variables and the constants of the file. */
static void add_of_file(struct finder *f)
{
    const struct tokens *t = &f->t;
    const size_t used = f->paths;
    bool constants = false;
    char text[64];

    for (size_t i = 1; i + 1 < f->begin; i++) {
        if (token_is(t, i, "{") && !token_in(t, i - 1, ")") && t->list[i].match > i) {
            constants = token_is(t, i - 1, "enum") || token_is(t, i - 2, "enum");
            i = constants ? i + 1 : t->list[i].match;
        } else if (token_in(t, i, "{ (")) {
            i = t->list[i].match;
        }
        if (token_is(t, i, "}"))
            constants = false;
        const bool declared = token_is_type(t, i - 1) || token_in(t, i - 1, "* ,");
        if (t->list[i].kind == WORD && !token_is_type(t, i) && t->list[i].end - t->list[i].at < sizeof text &&
            (constants ? token_in(t, i - 1, "{ ,") : declared && token_in(t, i + 1, "; , = [")))
            find_path(f, finder_plain(f, i, i + 1, text, sizeof text));
    }
    for (size_t i = used; i < f->paths; i++)
        f->path[i].remote = true;
}

/* Adds the other members of the struct of which this path is one. */
static void add_members(struct finder *f, const char *path)
{
    const struct tokens *const texts[] = {&f->t, &f->header};
    const char *arrow = strstr(path, "->"), *member = arrow != NULL ? arrow + 2 : strchr(path, '.') != NULL ? strchr(path, '.') + 1 : NULL;
    size_t first, name;
    char text[64];

    if (member == NULL || strpbrk(member, ".-") != NULL || (arrow == NULL && member[1] == '\0'))
        return;
    for (size_t k = 0; k < 2; k++) {
        const struct tokens *t = texts[k];
        const size_t open = struct_of(t, member, &first, &name);
        for (size_t i = open + 1; open > 0 && i < t->list[open].match; i++)
            if (t->list[i].kind == WORD && !token_is_type(t, i) && token_in(t, i + 1, "; , [")) {
                snprintf(text, sizeof text, "%.*s%.*s", (int)(member - path), path, (int)(t->list[i].end - t->list[i].at), t->text + t->list[i].at);
                find_path(f, text);
            }
        if (open > 0)
            return;
    }
}

/* Adds names that the function may use, and does not use yet: its parameters, other members of what it uses, and in a kernel the
   thread's own number. */
static void add_unused(struct finder *f)
{
    static const char *const builtin[] = {"threadIdx.x", "blockIdx.x", "blockDim.x", "gridDim.x"};
    const struct tokens *t = &f->t;
    const size_t used = f->paths;
    char text[64];

    for (size_t i = t->list[f->begin - 1].match; i < f->begin; i++)
        if (t->list[i].kind == WORD && !token_is_type(t, i) && token_in(t, i + 1, ", )"))
            find_path(f, finder_plain(f, i, i + 1, text, sizeof text));
    for (size_t i = 0; f->kernel && i < sizeof builtin / sizeof *builtin; i++)
        find_path(f, builtin[i]);
    for (size_t i = 0; i < used; i++) {
        char path[sizeof f->path->text];
        memcpy(path, f->path[i].text, sizeof path);
        add_members(f, path);
    }
    for (size_t i = 0; i + 2 < t->count; i++) {
        if (t->list[i].kind != WORD || !token_is(t, i + 1, "->") || t->list[i + 2].kind != WORD || token_in(t, i + 3, ". ->") ||
            t->list[i + 2].end - t->list[i].at >= sizeof text)
            continue;
        const size_t base = t->list[i].end - t->list[i].at;
        for (size_t k = 0; k < used; k++)
            if (strncmp(f->path[k].text, t->text + t->list[i].at, base) == 0 && strncmp(f->path[k].text + base, "->", 2) == 0) {
                find_path(f, finder_plain(f, i, i + 3, text, sizeof text));
                break;
            }
    }
}

void finder_names(struct finder *f)
{
    const struct tokens *t = &f->t;
    size_t statement = f->begin;

    f->paths = f->sites = 0;
    for (size_t i = f->begin; i < f->end; i++) {
        if (token_in(t, i, "; { }") || (token_is(t, i, "(") && token_is(t, i - 1, "for")))
            statement = i + 1;
        const bool member = i > 0 && token_in(t, i - 1, ". ->");
        if (t->list[i].kind != WORD || member || finder_is_keyword(t, i) || token_is_type(t, i))
            continue;
        add_site(f, i, statement);
        if (finder_behind_lengths(f, i, statement) > i)
            i = finder_behind_lengths(f, i, statement) - 1; /* what follows may end the statement */
    }
    add_unused(f);
    add_of_file(f);
}

bool finder_is_known(const struct finder *f, const struct path *p, size_t token)
{
    const size_t base = strcspn(p->text, ".-");

    for (size_t i = 0; p->text[base] != '\0' && i < f->paths; i++)
        if (strncmp(f->path[i].text, p->text, base) == 0 && f->path[i].text[base] == '\0')
            return finder_is_known(f, &f->path[i], token);
    bool known = p->scopes == 0;
    for (size_t i = 0; i < p->scopes; i++)
        known = known || (token > p->from[i] && token < p->to[i]);
    return known;
}
