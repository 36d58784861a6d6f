#include "workshop/lab/schema.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *schema_plain(const char *text, size_t at, size_t end)
{
    char *plain = malloc(end - at + 1);
    size_t used = 0;

    while (plain != NULL && at < end) {
        const char *closed = strncmp(text + at, "/*", 2) == 0 ? strstr(text + at + 2, "*/") : NULL;
        if (closed != NULL)
            at = (size_t)(closed + 2 - text);
        else if (strncmp(text + at, "//", 2) == 0)
            at += strcspn(text + at, "\n");
        else if (!isspace((unsigned char)text[at]))
            plain[used++] = text[at++];
        else if (at++ > 0 && used > 0 && plain[used - 1] != ' ')
            plain[used++] = ' ';
    }
    while (plain != NULL && used > 0 && plain[used - 1] == ' ')
        used--;
    if (plain != NULL)
        plain[used] = '\0';
    return plain;
}

/* --- writing -------------------------------------------------------------------------------------- */

static bool is_inserted(const struct change *c)
{
    return c->kind == BEFORE || c->kind == DECLARE;
}

/* Outer changes come before inner ones. */
static int compare_places(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (is_inserted(x) != is_inserted(y))
        return is_inserted(x) ? -1 : 1;
    if (is_inserted(x) && x->kind != y->kind)
        return x->kind == DECLARE ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->mutant < y->mutant ? -1 : x->mutant > y->mutant;
}

struct writer {
    struct mutants *all;
    FILE *out;
    size_t line;
    int place;
};

static void put(struct writer *w, const char *text, size_t length)
{
    fwrite(text, 1, length, w->out);
    for (size_t i = 0; i < length; i++)
        w->line += text[i] == '\n';
}

/* Notes that what follows is this mutant's, up to the next one. */
static void note(struct writer *w, size_t mutant)
{
    struct mutants *all = w->all;

    if (w->line >= all->lines) {
        const size_t lines = 2 * w->line + 64;
        size_t *more = realloc(all->of_line, lines * sizeof *more);
        if (more == NULL)
            return;
        memset(more + all->lines, 0, (lines - all->lines) * sizeof *more);
        all->of_line = more;
        all->lines = lines;
    }
    all->of_line[w->line] = mutant + 1;
}

static bool is_written(const struct mutants *all, const struct change *c)
{
    return !all->list[c->mutant].dead && !all->list[c->mutant].out;
}

/* Returns whether the expression's type may be named in a template.  In the simulator some functions are statements, which have no
   place there. */
static bool is_typed(const struct writer *w, const char *plain)
{
    return w->all->cuda && strstr(plain, "_sync") == NULL && strstr(plain, "__syncthreads") == NULL && strstr(plain, "atomic") == NULL;
}

/* Writes a change in a line of its own, by which the compiler's messages find its mutant. */
static void put_change(struct writer *w, const struct change *c)
{
    char *plain = schema_plain(w->all->program, c->at, c->end), head[64];
    struct mutant *m = &w->all->list[c->mutant];

    int p = 0;
    while (p + 1 < MUTANT_PLACES && m->place[p] != 0)
        p++;
    m->place[p] = w->place;
    snprintf(head, sizeof head, "mutant_at(%d) == %zu", w->place, c->mutant + 1);
    note(w, c->mutant);
    if (c->kind == BEFORE)
        fprintf(w->out, "if (%s) { %s }", head, c->text);
    else if (c->kind == DECLARE)
        fprintf(w->out, "%.*sif (%s)%s", (int)strcspn(c->text, "@"), c->text, head, c->text + strcspn(c->text, "@") + 1);
    else if (c->kind == GUARD)
        fprintf(w->out, "if (!(%s) || (%s))", head, c->text);
    else if (c->kind == PLACE)
        fprintf(w->out, "%s ? (%s) :", head, c->text);
    else if (is_typed(w, plain))
        fprintf(w->out, "%s ? mutant_as<std::decay_t<decltype(%s)>>(%s) :", head, plain, c->text);
    else
        fprintf(w->out, "%s ? (__typeof__(%s))(%s) :", head, plain, c->text);
    put(w, "\n", 1);
    free(plain);
}

static bool same_place(const struct change *a, const struct change *b)
{
    return a->at == b->at && a->end == b->end && (a->kind <= PLACE ? b->kind <= PLACE : a->kind == BEFORE && b->kind == BEFORE);
}

static void put_text(struct writer *w, const char *text)
{
    put(w, text, strlen(text));
}

/* Begins what the program has, as a value of its own type.  A choice inside of it may have made that const: mutant_as would take it for
   nothing, and all mutants would be wrong. */
static void put_type(struct writer *w, const char *plain)
{
    put_text(w, "(std::decay_t<decltype(");
    put_text(w, plain);
    put_text(w, ")>)(");
}

/* Writes changes of an expression, `count` of them, and what it is without them.  The expression itself follows.  Returns what
   closes it. */
static const char *put_choice(struct writer *w, const struct change *c, size_t count)
{
    char *plain = schema_plain(w->all->program, c->at, c->end);
    bool value = is_typed(w, plain);

    for (size_t i = 0; i < count; i++) {
        value = value && c[i].kind == VALUE;
        if (is_written(w->all, &c[i]))
            put_change(w, &c[i]);
    }
    if (value)
        put_type(w, plain);
    else
        put_text(w, "(");
    put_text(w, plain);
    put_text(w, ")) :\n");
    if (value)
        put_type(w, plain);
    else
        put_text(w, "("); /* in C, a ? b : c = d is (a ? b : c) = d */
    free(plain);
    return "))";
}

/* Writes changes of one place, `count` of them; returns what closes it.  Whether the mutant is one of these is asked first, and not
   for each: a loop would take many times as long. */
static const char *put_changes(struct writer *w, const struct change *c, size_t count)
{
    char here[40];

    w->place++;
    snprintf(here, sizeof here, "(mutant_at(%d))", w->place);
    if (c->kind == GUARD || c->kind == DECLARE) {
        put_text(w, c->kind == GUARD ? "{\n" : "");
        put_change(w, c);
        return c->kind == GUARD ? "}" : "";
    }
    if (c->kind == BEFORE) {
        put_text(w, "if ");
        put_text(w, here);
        put_text(w, " {\n");
        for (size_t i = 0; i < count; i++)
            if (is_written(w->all, &c[i]))
                put_change(w, &c[i]);
        put_text(w, "}\n");
        return "";
    }
    put_text(w, "(");
    put_text(w, here);
    put_text(w, " ? (\n");
    return put_choice(w, c, count);
}

static void write_all(struct writer *w)
{
    enum { DEPTH = 4096 };
    static struct {
        size_t end;
        const char *close;
    } open[DEPTH];
    struct mutants *all = w->all;
    const size_t length = strlen(all->program);
    size_t next = 0, depth = 0;

    for (size_t at = 0;; at++) {
        while (depth > 0 && open[depth - 1].end == at)
            put_text(w, open[--depth].close);
        while (next < all->change_count && all->changes[next].at == at) {
            const struct change *c = &all->changes[next];
            size_t count = 0, written = 0;
            do {
                written += is_written(all, &all->changes[next]);
                count++;
                next++;
            } while (next < all->change_count && same_place(c, &all->changes[next]));
            if (written == 0 || depth == DEPTH || (depth > 0 && c->end > open[depth - 1].end))
                continue;
            const char *close = put_changes(w, c, count);
            if (!is_inserted(c)) {
                open[depth].end = c->end;
                open[depth++].close = close;
            }
        }
        if (at == length)
            return;
        put(w, all->program + at, 1);
    }
}

/* Returns the text with numbers in the place of threadIdx.x and the like, which are members of temporaries in the simulator: of
   those in a choice GCC 12 uses a place before it is set. */
static char *without_temporaries(const char *text)
{
    static const char *const names[][2] = {{"threadIdx.", "thread"}, {"blockIdx.", "block"}, {"blockDim.", "block_size"},
                                           {"gridDim.", "grid_size"}};
    char *out = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&out, &size);

    while (to != NULL && *text != '\0') {
        size_t n = 0, length = 0;
        for (; n < sizeof names / sizeof *names; n++) {
            length = strlen(names[n][0]);
            if (strncmp(text, names[n][0], length) == 0 && text[length] >= 'x' && text[length] <= 'z')
                break;
        }
        if (n < sizeof names / sizeof *names) {
            fprintf(to, "((unsigned)cudasim_%s(%d))", names[n][1], text[length] - 'x');
            text += length + 1;
        } else {
            putc(*text++, to);
        }
    }
    if (to != NULL)
        fclose(to);
    return out;
}

char *mutants_write(struct mutants *all)
{
    static const char *const head = "#ifdef __cplusplus\n#include <type_traits>\n"
                              "template <class T, class U> __attribute__((always_inline)) static inline T mutant_as(U value)\n"
                              "{\nif constexpr (std::is_convertible_v<U, T>)\nreturn value;\nelse\nreturn T{};\n}\nextern \"C\"\n#endif\n"
                              "int mutant_at(int place) __attribute__((const));\n";
    char *text = NULL;
    size_t size = 0;
    struct writer w = {.all = all, .out = open_memstream(&text, &size), .line = 1};

    if (w.out == NULL)
        return NULL;
    qsort(all->changes, all->change_count, sizeof *all->changes, compare_places);
    for (size_t i = 0; i < all->count; i++)
        memset(all->list[i].place, 0, sizeof all->list[i].place);
    if (all->lines > 0)
        memset(all->of_line, 0, all->lines * sizeof *all->of_line);
    put(&w, head, strlen(head));
    write_all(&w);
    fclose(w.out);
    char *code = text != NULL ? without_temporaries(text) : NULL;
    free(text);
    return code;
}

static size_t mutant_at(const struct mutants *all, size_t line)
{
    return line < all->lines ? all->of_line[line] : 0;
}

/* Returns whether the mutant changes what is assigned to. */
static bool changes_place(const struct mutants *all, size_t mutant)
{
    for (size_t i = 0; i < all->change_count; i++)
        if (all->changes[i].mutant == mutant && all->changes[i].kind == PLACE)
            return true;
    return false;
}

static void drop_place(struct mutants *all, int place)
{
    for (size_t i = 0; i < all->count; i++)
        for (int p = 0; p < MUTANT_PLACES && all->list[i].place[p] != 0; p++)
            all->list[i].dead = all->list[i].dead || all->list[i].place[p] == place;
}

bool mutants_drop(struct mutants *all, int line, bool place, bool whole)
{
    enum { NEAR = 3, FAR = 100 }; /* the compiler may notice a change some lines later */
    bool dropped = false;

    for (int at = line + NEAR; place && at > 0 && at > line - FAR; at--) {
        const size_t mutant = mutant_at(all, (size_t)at);
        if (mutant == 0 || !changes_place(all, mutant - 1))
            continue;
        all->list[mutant - 1].dead = true;
        dropped = true;
    }
    for (int at = line; !dropped && at > 0 && at > line - NEAR; at--) {
        const size_t mutant = mutant_at(all, (size_t)at);
        if (mutant == 0)
            continue;
        all->list[mutant - 1].dead = true;
        if (whole)
            drop_place(all, all->list[mutant - 1].place[0]);
        dropped = true;
    }
    return dropped;
}

size_t mutants_list(const struct mutants *all, struct mutant **list)
{
    *list = all->list;
    return all->count;
}

void mutants_free(struct mutants *all)
{
    for (size_t i = 0; all != NULL && i < all->change_count; i++)
        free(all->changes[i].text);
    if (all != NULL) {
        free(all->changes);
        free(all->list);
        free(all->of_line);
    }
    free(all);
}
