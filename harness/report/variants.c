/* The section with each variant's idea, its source, and the difference to its base. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/html.h"
#include "harness/report/report.h"

enum { LARGEST = 1 << 20 /* bytes of a source, and of a program's output */ };

/* --- files of the checkout -------------------------------------------------------------------- */

/* Returns the folder that has variants/: the current one, or the one above the build folder. */
static const char *checkout(void)
{
    static char root[PATH_MAX];
    char *slash;

    if (root[0] != '\0')
        return root;
    ssize_t length = readlink("/proc/self/exe", root, sizeof root - 16);
    root[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2 && (slash = strrchr(root, '/')) != NULL; up++)
        *slash = '\0';
    if (access("variants", R_OK) == 0 || length <= 0)
        strcpy(root, ".");
    return root;
}

/* Is it safe as a part of a path? */
static bool is_name(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-";

    return *text != '\0' && text[strspn(text, allowed)] == '\0';
}

/* Finds the source of a variant.  The names come from records and may contain anything. */
static bool find_path(const char *problem, const char *variant, char *path, size_t bytes)
{
    static const char *const endings[] = {"c", "cu", "py"};
    char whole[PATH_MAX + 200];
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(variant, "@"), variant); /* without the "@2" of a twin */
    for (size_t i = 0; is_name(problem) && is_name(name) && i < 3; i++) {
        snprintf(path, bytes, "variants/%s/%s.%s", problem, name, endings[i]);
        snprintf(whole, sizeof whole, "%s/%s", checkout(), path);
        if (access(whole, R_OK) == 0)
            return true;
    }
    path[0] = '\0';
    return false;
}

/* Reads up to LARGEST bytes; without a file "".  For free(). */
static char *read_text(FILE *in)
{
    char *text = malloc(LARGEST + 1);

    if (text == NULL)
        abort();
    text[in != NULL ? fread(text, 1, LARGEST, in) : 0] = '\0';
    return text;
}

static char *read_source(const char *path)
{
    char whole[PATH_MAX + 200];

    snprintf(whole, sizeof whole, "%s/%s", checkout(), path);
    FILE *in = fopen(whole, "rbe");
    char *text = read_text(in);
    if (in != NULL)
        (void)fclose(in);
    return text;
}

/* Runs a command in the checkout and returns its standard output, for free().  No word of it may have a
   meaning for the shell.  *status: its exit status; 127: the program is missing. */
static char *output_of(const char *command, int *status)
{
    char line[1024];

    setenv("RUNGS_CHECKOUT", checkout(), 1);
    snprintf(line, sizeof line, "cd -- \"$RUNGS_CHECKOUT\" && exec </dev/null 2>/dev/null %s",
             command);
    FILE *in = popen(line, "re");
    char *text = read_text(in);
    const int how = in != NULL ? pclose(in) : -1;
    *status = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    return text;
}

/* --- changes since the records ---------------------------------------------------------------- */

enum { COMMITS = 64 };

/* The files in variants/ and common/ that git reports as changed since a commit. */
struct changes {
    char commit[64]; /* as in records, perhaps with "-dirty" */
    bool known;      /* false: there is no git, or no such commit */
    char *list;      /* changed files, one a line; for free() */
};

struct history {
    size_t count;
    struct changes commit[COMMITS];
};

static struct changes changes_since(const char *commit)
{
    struct changes c = {.known = false};
    size_t digits = strspn(commit, "0123456789abcdef");
    int status;

    snprintf(c.commit, sizeof c.commit, "%s", commit);
    if (digits < 4 || (commit[digits] != '\0' && strcmp(commit + digits, "-dirty") != 0))
        return c;
    char command[200];
    snprintf(command, sizeof command, "git --no-optional-locks diff --name-only --relative %.*s -- "
             "variants common", (int)digits, c.commit);
    c.list = output_of(command, &status);
    c.known = status == 0;
    return c;
}

static bool has_changed(const struct changes *c, const char *path)
{
    const size_t length = strlen(path);
    const char *line = c->known ? c->list : "";

    while (*line != '\0' && (strcspn(line, "\n") != length || memcmp(line, path, length) != 0)) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return *line != '\0';
}

static void look_back(struct history *h, const struct report *r)
{
    h->count = 0;
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.run_count && h->count < COMMITS; i++) {
            const char *commit = r->files[f].past.runs[i].commit;
            bool known = false;
            for (size_t c = 0; c < h->count; c++)
                known |= strcmp(h->commit[c].commit, commit) == 0;
            if (!known)
                h->commit[h->count++] = changes_since(commit);
        }
}

static void print_history(FILE *out, const struct history *h)
{
    fputs("<p>The sources are those of the checkout in which this report was made.", out);
    for (size_t i = 0; i < h->count; i++) {
        const struct changes *c = &h->commit[i];
        const bool dirty = strstr(c->commit, "-dirty") != NULL;
        if (!c->known)
            html_print(out, " Git does not know commit %s here, so the sources may differ from those measured.",
                       c->commit[0] != '\0' ? c->commit : "(none)");
        else if (c->list != NULL && c->list[0] != '\0')
            html_print(out, " Some have changed since commit %s, with which the records were made; they "
                            "are marked.", c->commit);
        if (dirty)
            html_print(out, " %s was built with uncommitted changes.", c->commit);
    }
    fputs("</p>\n", out);
}

/* --- one variant --------------------------------------------------------------------------------- */

static void print_part(FILE *out, const char *element, const char *text, size_t length)
{
    char *part = strndup(text, length);

    if (part == NULL)
        abort();
    if (element != NULL)
        fprintf(out, "<%s>", element);
    html_text(out, part);
    if (element != NULL)
        fprintf(out, "</%s>", element);
    free(part);
}

/* Prints a source with its comments in another colour. */
static void print_code(FILE *out, const char *text)
{
    while (*text != '\0') {
        const char *line = strstr(text, "//"), *block = strstr(text, "/*"), *end = NULL;
        const char *begin = block == NULL || (line != NULL && line < block) ? line : block;
        if (begin == NULL)
            break;
        end = begin == line ? strchr(begin, '\n') : strstr(begin + 2, "*/");
        end = end == NULL ? begin + strlen(begin) : begin == line ? end : end + 2;
        print_part(out, NULL, text, (size_t)(begin - text));
        print_part(out, "i", begin, (size_t)(end - begin));
        text = end;
    }
    html_text(out, text);
}

/* Returns the element of a line of a diff: added, removed, position; NULL: unchanged. */
static const char *element_of(const char *line)
{
    return *line == '+' ? "ins" : *line == '-' ? "del" : *line == '@' ? "b" : NULL;
}

/* Prints a diff.  Consecutive lines of a kind are one element. */
static void print_difference(FILE *out, const char *text)
{
    while (*text != '\0') {
        const char *element = element_of(text), *end = text;
        while (*end != '\0' && element_of(end) == element) {
            end += strcspn(end, "\n");
            end += *end == '\n';
        }
        print_part(out, element, text, (size_t)(end - text));
        text = end;
    }
}

static void print_source(FILE *out, const char *path, const struct history *h)
{
    char *text = read_source(path);

    html_print(out, "<details><summary>source, %s</summary>", path);
    for (size_t i = 0; i < h->count; i++)
        if (has_changed(&h->commit[i], path))
            html_print(out, "<p class=warning>This file has changed since commit %s.</p>",
                       h->commit[i].commit);
    fputs("<pre tabindex=0>", out);
    print_code(out, text);
    fputs("</pre></details>\n", out);
    free(text);
}

static void print_base(FILE *out, const char *path, const char *base)
{
    char command[800];
    int status;

    snprintf(command, sizeof command, "diff -u --label %s --label %s %s %s", base, path, base, path);
    char *text = output_of(command, &status);
    html_print(out, "<details><summary>difference to %s</summary>", base);
    if (status == 0 || status == 1) { /* 1: they differ */
        fputs("<pre tabindex=0 class=diff>", out);
        print_difference(out, text);
        fputs("</pre>", out);
    } else {
        fputs("<p class=warning>The program diff is not installed (apt-get install "
              "diffutils).</p>", out);
    }
    fputs("</details>\n", out);
    free(text);
}

static void print_variant(FILE *out, const struct result *r, const struct history *h)
{
    char path[160], base[160];

    if (html_is_id(r->problem) && html_is_id(r->variant))
        html_print(out, "<article id=\"%s.%s\">", r->problem, r->variant);
    else
        fputs("<article>", out);
    html_print(out, "<h4>%s/%s</h4><p>%s", r->problem, r->variant, r->idea);
    if (r->base[0] != '\0')
        html_print(out, " <small>base %s</small>", r->base);
    fputs("</p>\n", out);
    if (find_path(r->problem, r->variant, path, sizeof path)) {
        print_source(out, path, h);
        if (find_path(r->problem, r->base, base, sizeof base))
            print_base(out, path, base);
    } else {
        fputs("<p><small>No source of that name in this checkout.</small></p>\n", out);
    }
    fputs("</article>\n", out);
}

void report_variants(FILE *out, const struct report *r)
{
    static struct history h;

    if (r->variant_count == 0)
        return;
    look_back(&h, r);
    report_section(out, "variants", "Variants");
    print_history(out, &h);
    for (size_t i = 0; i < r->variant_count; i++) {
        const char *problem = r->variants[i]->problem;
        if (i == 0 || strcmp(problem, r->variants[i - 1]->problem) != 0)
            html_print(out, "<h3>%s</h3>\n", problem);
        print_variant(out, r->variants[i], &h);
    }
    fputs("</section>\n", out);
    for (size_t i = 0; i < h.count; i++)
        free(h.commit[i].list);
}
