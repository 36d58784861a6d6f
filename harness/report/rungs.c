/* Section: each rung's idea, its source, and how that differs from its base's. */
#include <stdlib.h>
#include <string.h>

#include "harness/report/html.h"
#include "harness/report/report.h"

/* --- is it what was measured? ----------------------------------------------------------------- */

enum { COMMITS = 64 };

struct history {
    size_t count;
    struct changes commit[COMMITS];
};

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
                h->commit[h->count++] = source_changes(commit);
        }
}

static void print_history(FILE *out, const struct history *h)
{
    fputs("<p>Sources are those of the checkout in which this report was made.", out);
    for (size_t i = 0; i < h->count; i++) {
        const struct changes *c = &h->commit[i];
        const bool dirty = strstr(c->commit, "-dirty") != NULL;
        if (!c->known)
            html_print(out, " Git does not know commit %s here, so they may not be what it had.",
                       c->commit[0] != '\0' ? c->commit : "(none)");
        else if (c->list != NULL && c->list[0] != '\0')
            html_print(out, " Some have changed since commit %s, which the records are of; these "
                            "say so.", c->commit);
        if (dirty)
            html_print(out, " %s was built with changes that were not committed.", c->commit);
    }
    fputs("</p>\n", out);
}

/* --- one rung --------------------------------------------------------------------------------- */

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

/* Comments, which are the lesson, in a colour of their own. */
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

/* The element of a line: added, removed, where it is; NULL: as it was. */
static const char *element_of(const char *line)
{
    return *line == '+' ? "ins" : *line == '-' ? "del" : *line == '@' ? "b" : NULL;
}

/* Lines of a kind, one behind the other, are one element. */
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

static void print_source(FILE *out, const struct source *s, const struct history *h)
{
    html_print(out, "<details><summary>source, %s</summary>", s->path);
    for (size_t i = 0; i < h->count; i++)
        if (source_changed(&h->commit[i], s->path))
            html_print(out, "<p class=mind>This file has changed since commit %s.</p>",
                       h->commit[i].commit);
    fputs("<pre tabindex=0>", out);
    print_code(out, s->text != NULL ? s->text : "");
    fputs("</pre></details>\n", out);
    if (s->base[0] == '\0')
        return;
    html_print(out, "<details><summary>difference to %s</summary>", s->base);
    if (s->no_diff || s->difference == NULL) {
        fputs("<p class=mind>The program diff is not on this machine (apt-get install "
              "diffutils).</p>", out);
    } else {
        fputs("<pre tabindex=0 class=diff>", out);
        print_difference(out, s->difference);
        fputs("</pre>", out);
    }
    fputs("</details>\n", out);
}

static void print_rung(FILE *out, const struct report_rung *rung, const struct history *h)
{
    const struct past_cell *c = rung->cell;

    if (html_is_id(c->problem) && html_is_id(c->variant))
        html_print(out, "<article id=\"%s.%s\">", c->problem, c->variant);
    else
        fputs("<article>", out);
    html_print(out, "<h4>%s/%s</h4><p>%s", c->problem, c->variant, c->idea);
    if (c->base[0] != '\0')
        html_print(out, " <small>improves on %s</small>", c->base);
    fputs("</p>\n", out);
    if (rung->source.path[0] != '\0')
        print_source(out, &rung->source, h);
    else
        fputs("<p><small>No source of that name in this checkout.</small></p>\n", out);
    fputs("</article>\n", out);
}

void report_rungs(FILE *out, const struct report *r)
{
    static struct history h;

    if (r->rung_count == 0)
        return;
    look_back(&h, r);
    fputs("<section id=rungs aria-labelledby=h-rungs><h2 id=h-rungs>Rungs</h2>\n", out);
    print_history(out, &h);
    for (size_t i = 0; i < r->rung_count; i++) {
        const char *problem = r->rungs[i].cell->problem;
        if (i == 0 || strcmp(problem, r->rungs[i - 1].cell->problem) != 0)
            html_print(out, "<h3>%s</h3>\n", problem);
        print_rung(out, &r->rungs[i], &h);
    }
    fputs("</section>\n", out);
    for (size_t i = 0; i < h.count; i++)
        free(h.commit[i].list);
}
