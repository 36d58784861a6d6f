/*
 * rewrite FILE.cu > FILE.cc
 *
 * Turns the parts of CUDA C that are not C++ into C++, marks the kernels' loops, and leaves the rest to a
 * header (include/cuda_runtime.h) and to the compiler:
 *
 *     k<T><<<grid, block>>>(x);           CUDASIM_LAUNCH((k<T>), grid, block)(x);
 *     extern __shared__ float s[];        float *const s = (float *)cudasim_dynamic_shared;
 *     #include "beside.h"                 its text, rewritten as well; common/ stays as it is
 *     for (...) x++;                      CUDASIM_LOOP for (...) CUDASIM_TURN x++;  (loops.c)
 *     asm("text" : "=r"(x));              cudasim_asm(CUDASIM_PTX("text"), ...);    (asm.c)
 *
 * Lines keep their numbers, and #line names the .cu file, so messages point to the original text.
 *
 * A file that cannot be simulated (PTX that is not in ptx_text.h, a library) becomes a variant of the
 * same name and card that refuses, with the reason.
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/rewrite/source.h"

enum { MAX_KERNELS = 64, MAX_BRACES = 256, PATH_BYTES = 1024 };

struct kernel {
    char name[128];
    int parameters; /* of its template */
};

static struct kernel templates[MAX_KERNELS]; /* kernels in all files read so far */
static size_t template_count;

/* Kernels with __cluster_dims__(shape). */
static struct clustered {
    char name[128], shape[128];
} clustered[MAX_KERNELS];
static size_t clustered_count;

/* --- launches --------------------------------------------------------------------------------- */

static bool is_keyword(const struct source *s, size_t at)
{
    static const char *const words[] = {"if", "else", "do", "while", "for", "return", "case",
                                        "switch"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(s, at, words[i]))
            return true;
    return false;
}

/* Returns where the expression starts that ends before `at`: a::b<3>, (p), table[1], x->kernel,
   get(2). */
static size_t callee(const struct source *s, size_t at)
{
    size_t start = at;

    for (size_t end = backward(s, at); end > 0; end = backward(s, start)) {
        char c = s->text[end - 1];
        bool open = false; /* does this need something before it? */

        if (c == '>' || c == ']') {
            start = opening(s, end - 1);
            continue;
        }
        if (c == ')') {
            start = opening(s, end - 1);
            end = backward(s, start);
            open = end > 0 && in_word(s->text[end - 1]);
        }
        if (open || in_word(c)) {
            size_t word = end;
            while (word > 0 && in_word(s->text[word - 1]))
                word--;
            if (is_keyword(s, word))
                break;
            start = word;
        } else if (c != ')') {
            break;
        }
        end = backward(s, start);
        if (end >= 2 && (memcmp(s->text + end - 2, "::", 2) == 0 ||
                         memcmp(s->text + end - 2, "->", 2) == 0))
            start = end - 2;
        else if (end >= 1 && s->text[end - 1] == '.')
            start = end - 1;
        else
            break;
    }
    return start;
}

/* Returns the >>> that ends the shape of the launch at `at`: outside of all brackets, before the
   arguments. */
static size_t shape_end(const struct source *s, size_t at)
{
    int depth = 0;

    for (size_t i = at; i + 2 < s->length; i++) {
        char c = s->text[i];
        if (s->kind[i] != CODE)
            continue;
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (depth == 0 && strncmp(s->text + i, ">>>", 3) == 0 &&
            s->text[forward(s, i + 3)] == '(')
            return i;
    }
    give_up("%s:%d: a launch without >>>", s->path, line_of(s, at));
}

/* Returns the name in a callee, which may be followed by template arguments. */
static size_t callee_name(const struct source *s, size_t start, size_t end, size_t *name_end)
{
    *name_end = backward(s, end);
    if (s->text[*name_end - 1] == '>')
        *name_end = backward(s, opening(s, *name_end - 1));
    size_t name = *name_end;
    while (name > start && in_word(s->text[name - 1]))
        name--;
    return name;
}

/* Returns the shape of its clusters; NULL: it has none. */
static const char *clusters_of(const struct source *s, size_t start, size_t end)
{
    size_t name_end, name = callee_name(s, start, end, &name_end);

    for (size_t i = 0; i < clustered_count; i++)
        if (strlen(clustered[i].name) == name_end - name &&
            memcmp(clustered[i].name, s->text + name, name_end - name) == 0)
            return clustered[i].shape;
    return NULL;
}

/* Returns whether the callee has all its template arguments and so has an address.  Otherwise its
   arguments decide which function it is. */
static bool has_address(const struct source *s, size_t start, size_t end)
{
    int arguments = 0;
    size_t last = backward(s, end), name_end, name = callee_name(s, start, end, &name_end);

    if (s->text[last - 1] == '>') {
        int commas = 0;
        closing(s, opening(s, last - 1), &commas);
        arguments = commas + 1;
    }
    for (size_t i = 0; i < template_count; i++)
        if (strlen(templates[i].name) == name_end - name &&
            memcmp(templates[i].name, s->text + name, name_end - name) == 0)
            return arguments == templates[i].parameters;
    return true;
}

/* --- declarations ----------------------------------------------------------------------------- */

/* Returns the name of the function declared from `at` on: the first word before a bracket, except
   attributes.  The end: it is not a function. */
static size_t function_name(const struct source *s, size_t at)
{
    int ignored = 0;

    for (size_t i = at; i < s->length && s->text[i] != ';' && s->text[i] != '{'; i++) {
        if (s->kind[i] != CODE || !in_word(s->text[i]))
            continue;
        size_t end = word_end(s, i), next = forward(s, end);
        if (s->text[next] == '(') {
            if (!is_word(s, i, "__launch_bounds__") && !is_word(s, i, "__cluster_dims__") &&
                !is_word(s, i, "__attribute__"))
                return i;
            end = closing(s, next, &ignored) + 1;
        }
        i = end - 1;
    }
    return s->length;
}

static bool has_word(const struct source *s, size_t from, size_t to, const char *word)
{
    for (size_t i = from; i < to; i++)
        if (s->kind[i] == CODE && !in_word(s->text[i - 1]) && is_word(s, i, word))
            return true;
    return false;
}

/* At "template": notes the name if it is a kernel's. */
static void note_template(const struct source *s, size_t at)
{
    struct kernel *k = &templates[template_count];
    size_t open = forward(s, at + strlen("template"));
    int commas = 0;

    if (s->text[open] != '<' || template_count == MAX_KERNELS)
        return;
    const size_t start = closing(s, open, &commas) + 1, name = function_name(s, start);
    if (name == s->length || !has_word(s, start, name, "__global__"))
        return;
    snprintf(k->name, sizeof k->name, "%.*s", (int)(word_end(s, name) - name), s->text + name);
    k->parameters = commas + 1;
    template_count++;
}

/* At __cluster_dims__(shape): notes it for the kernel that is declared. */
static void note_clusters(const struct source *s, size_t at)
{
    struct clustered *c = &clustered[clustered_count];
    const size_t open = forward(s, at + strlen("__cluster_dims__"));
    int ignored = 0;

    if (s->text[open] != '(' || clustered_count == MAX_KERNELS)
        return;
    const size_t end = closing(s, open, &ignored) + 1, name = function_name(s, end);
    if (name == s->length)
        return;
    snprintf(c->shape, sizeof c->shape, "%.*s", (int)(end - open), s->text + open);
    snprintf(c->name, sizeof c->name, "%.*s", (int)(word_end(s, name) - name), s->text + name);
    clustered_count++;
}

static void put(const struct source *s, size_t from, size_t to)
{
    fwrite(s->text + from, 1, to - from, stdout);
}

static void put_newlines(const struct source *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (s->text[i] == '\n')
            putchar('\n');
}

/* extern __shared__ TYPE NAME[]...;  Its memory is one array for a whole launch. */
static size_t dynamic_shared(const struct source *s, size_t at, bool in_function)
{
    size_t start = forward(s, at + strlen("extern"));
    size_t type = forward(s, start + strlen("__shared__"));
    size_t open;
    int ignored = 0;

    while (is_word(s, type, "__align__") || is_word(s, type, "alignas") ||
           is_word(s, type, "__attribute__"))
        type = forward(s, closing(s, forward(s, word_end(s, type)), &ignored) + 1);
    for (open = type; open < s->length && s->text[open] != '['; open++)
        if (s->text[open] == ';')
            give_up("%s:%d: dynamic shared memory that is no array", s->path, line_of(s, at));
    size_t name_end = backward(s, open), name = name_end;
    while (name > 0 && in_word(s->text[name - 1]))
        name--;
    size_t rest = closing(s, open, &ignored) + 1, end = rest;
    while (end < s->length && s->text[end] != ';')
        end++;
    int type_bytes = (int)(name - type), name_bytes = (int)(name_end - name);
    int rest_bytes = (int)(end - rest);
    const char *t = s->text;

    if (in_function && rest_bytes == 0)
        printf("%.*s *const %.*s = (%.*s *)cudasim_dynamic_shared;", type_bytes, t + type,
               name_bytes, t + name, type_bytes, t + type);
    else if (in_function)
        printf("%.*s (*const %.*s)%.*s = (%.*s (*)%.*s)cudasim_dynamic_shared;", type_bytes,
               t + type, name_bytes, t + name, rest_bytes, t + rest, type_bytes, t + type,
               rest_bytes, t + rest);
    else
        printf("extern __thread %.*s %.*s[]%.*s __asm__(\"cudasim_dynamic_shared\");", type_bytes,
               t + type, name_bytes, t + name, rest_bytes, t + rest);
    put_newlines(s, at, end);
    return end + 1;
}

/* __shared__ alignas(16): C++ requires the opposite order. */
static bool put_aligned(const struct source *s, size_t *at)
{
    const size_t align = forward(s, *at + strlen("__shared__"));
    int ignored = 0;

    if (!is_word(s, *at, "__shared__") || !is_word(s, align, "alignas"))
        return false;
    *at = closing(s, forward(s, align + strlen("alignas")), &ignored) + 1;
    put(s, align, *at);
    fputs(" __shared__", stdout);
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void rewrite(const char *path, int depth);

/* At the # of a directive.  Returns its end if it was replaced, else `at`. */
static size_t directive(const struct source *s, size_t at, int depth)
{
    char name[PATH_BYTES], path[2 * PATH_BYTES], here[PATH_BYTES];
    char quote;

    if (sscanf(s->text + at, "# include %c%1023[^>\"\n]", &quote, name) != 2)
        return at;
    refuse_header(s, at, name);
    if (quote != '"' || strncmp(name, "common/", strlen("common/")) == 0)
        return at;

    snprintf(here, sizeof here, "%s", s->path);
    snprintf(path, sizeof path, "%s/%s", dirname(here), name);
    FILE *beside = fopen(path, "r");
    if (beside == NULL)
        snprintf(path, sizeof path, "%s", name); /* relative to the repository's root */
    else
        fclose(beside);
    size_t end = at + strcspn(s->text + at, "\n");
    rewrite(path, depth + 1);
    printf("\n#line %d \"%s\"", line_of(s, at) + 1, s->path);
    return end;
}

/* Returns whether the brace at `at` opens a namespace or extern "C", which are not function bodies. */
static bool opens_namespace(const struct source *s, size_t at)
{
    size_t start = at;

    while (start > 0 && !(s->kind[start - 1] == CODE && strchr(";{}", s->text[start - 1]) != NULL))
        start--;
    for (size_t i = start; i < at; i++)
        if (s->kind[i] == CODE && (i == 0 || !in_word(s->text[i - 1])) &&
            (is_word(s, i, "namespace") || (is_word(s, i, "extern") &&
                                            strchr("\"{", s->text[forward(s, i + 6)]) != NULL &&
                                            forward(s, forward(s, i + 6) + 3) == at)))
            return true;
    return false;
}

/* Finds the next launch, and where its callee starts. */
static void find_launch(const struct source *s, size_t from, size_t *start, size_t *shape)
{
    for (size_t i = from; i + 2 < s->length; i++)
        if (s->kind[i] == CODE && strncmp(s->text + i, "<<<", 3) == 0) {
            *shape = i;
            *start = callee(s, i);
            return;
        }
    *shape = *start = s->length;
}

/* As in __attribute__((__noinline__)), which the C++ library uses; otherwise it could be a macro. */
static bool in_parentheses(const struct source *s, size_t at)
{
    size_t before = backward(s, at);

    return before > 0 && s->text[before - 1] == '(';
}

static void rewrite(const char *path, int depth)
{
    struct source s = read_source(path);
    const struct marks loops = mark_loops(&s);
    size_t start, shape, end = s.length, i = 0, functions = 0, braces = 0, marked = 0;
    bool function[MAX_BRACES] = {false};
    struct asm_statement ptx = {.close = 0};
    const char *clusters = NULL; /* of the launch */

    if (depth > 20)
        give_up("%s: includes itself", path);
    printf("#line 1 \"%s\"\n", path);
    find_launch(&s, 0, &start, &shape);
    while (i < s.length) {
        for (; marked < loops.count && loops.mark[marked].at <= i; marked++)
            fputs(loops.mark[marked].text, stdout);
        if (i == start && shape < s.length) {
            end = shape_end(&s, shape);
            clusters = clusters_of(&s, start, shape);
            printf("%s%s((", clusters != NULL ? "cudasim_clustered(" : "",
                   has_address(&s, start, shape) ? "CUDASIM_LAUNCH" : "CUDASIM_LAUNCH_DEDUCED");
            put(&s, start, shape);
            fputs("), ", stdout);
            i = shape + 3;
            find_launch(&s, end + 3, &start, &shape);
        } else if (i == end) {
            putchar(')');
            if (clusters != NULL)
                printf(", dim3%s)", clusters);
            i += 3;
            end = s.length;
        } else if (put_constraint(&s, &i)) {
            ;
        } else if (s.kind[i] != CODE || (i > 0 && in_word(s.text[i - 1]) && in_word(s.text[i]))) {
            putchar(s.text[i++]);
        } else if (is_word(&s, i, "asm") || is_word(&s, i, "__asm__")) {
            ptx = asm_at(&s, i);
            put_asm(&s, &ptx, &i);
        } else if (ptx.close > 0 && i <= ptx.close && put_asm(&s, &ptx, &i)) {
            ;
        } else if (s.text[i] == '#') {
            size_t after = directive(&s, i, depth);
            if (after == i)
                putchar(s.text[i++]);
            else
                i = after;
        } else if (s.text[i] == '{' || s.text[i] == '}') {
            if (s.text[i] == '{' && braces < MAX_BRACES)
                functions += function[braces++] = !opens_namespace(&s, i);
            else if (s.text[i] == '}' && braces > 0)
                functions -= function[--braces];
            putchar(s.text[i++]);
        } else if (is_word(&s, i, "extern") &&
                   is_word(&s, forward(&s, i + strlen("extern")), "__shared__")) {
            i = dynamic_shared(&s, i, functions > 0);
        } else if (put_aligned(&s, &i)) {
            ;
        } else if (is_word(&s, i, "__noinline__") && !in_parentheses(&s, i)) {
            i += strlen("__noinline__"); /* see __global__ in cudasim_device.h */
        } else {
            if (is_word(&s, i, "template"))
                note_template(&s, i);
            if (is_word(&s, i, "__cluster_dims__"))
                note_clusters(&s, i);
            putchar(s.text[i++]);
        }
    }
    free(s.text);
    free(s.kind);
    free(loops.mark);
}

int main(int argc, char **argv)
{
    char *text = NULL;
    size_t bytes = 0;

    if (argc != 2)
        give_up("usage: rewrite FILE.cu > FILE.cc");
    FILE *out = stdout;
    stdout = open_memstream(&text, &bytes); /* until it is known whether the text will be used */
    if (stdout == NULL)
        give_up("no memory");
    rewrite(argv[1], 0);
    fclose(stdout);
    stdout = out;
    if (!write_refusing(argv[1]))
        fwrite(text, 1, bytes, stdout);
    free(text);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
