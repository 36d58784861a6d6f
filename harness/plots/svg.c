/*
 * gnuplot's SVG, made fit for a page.  The prolog goes, and so do the titles of curves, which would
 * show as tooltips; ids begin with the picture's name, since a page may hold many; and the three
 * colours of the theme (plots/style.gp) become those that a reader who asks for dark wants.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/files/outfile.h"
#include "harness/plots/drawing.h"

enum { MOST_BYTES = 64 << 20 };

/* What style.gp calls ink, paper and faint in the light; and in the dark. */
static const struct {
    const char *light, *dark;
} theme[] = {{"#1a1a1a", "#eeeeee"}, {"#fefefe", "#16181d"}, {"#d0d0d0", "#4a4d55"},
             {"#6b6b6b", "#a8a8a8"}};

struct page {
    const struct plot *plot;
    FILE *out;
};

/* --- text ------------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        default: putc(*text, out);
        }
}

/* --- tags ------------------------------------------------------------------------------------- */

/* "rgb( 26,  26,  26)", "#1A1A1A" and "black" are one colour: "#1a1a1a". */
static void put_value(const struct page *page, const char *name, size_t name_bytes,
                      const char *value, size_t bytes)
{
    const char *id = page->plot->name;
    char text[32] = "";
    int r, g, b;

    if (name_bytes == 2 && memcmp(name, "id", 2) == 0)
        fprintf(page->out, "%s-%.*s", id, (int)bytes, value);
    else if (bytes > 1 && value[0] == '#' && name_bytes >= 4 &&
             memcmp(name + name_bytes - 4, "href", 4) == 0)
        fprintf(page->out, "#%s-%.*s", id, (int)bytes - 1, value + 1);
    else if (bytes > 5 && memcmp(value, "url(#", 5) == 0)
        fprintf(page->out, "url(#%s-%.*s", id, (int)bytes - 5, value + 5);
    else if (bytes < sizeof text && (memcpy(text, value, bytes), text[bytes] = '\0', true) &&
             (sscanf(text, "rgb(%d ,%d ,%d)", &r, &g, &b) == 3 ||
              (bytes == 7 && sscanf(text, "#%2x%2x%2x", (unsigned *)&r, (unsigned *)&g,
                                    (unsigned *)&b) == 3)))
        fprintf(page->out, "#%02x%02x%02x", r & 255, g & 255, b & 255);
    else if (bytes == 5 && memcmp(value, "black", 5) == 0)
        fputs(theme[0].light, page->out);
    else
        fwrite(value, 1, bytes, page->out);
}

/* From '<' up to behind '>'. */
static void put_tag(const struct page *page, const char *tag, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (tag[i] != '\'' && tag[i] != '"') {
            putc(tag[i], page->out);
            continue;
        }
        const char *end = memchr(tag + i + 1, tag[i], bytes - i - 1);
        size_t length = end != NULL ? (size_t)(end - tag) - i - 1 : 0, name_end = i, name = 0;
        while (name_end > 0 && (tag[name_end - 1] == '=' || tag[name_end - 1] == ' '))
            name_end--;
        for (name = name_end; name > 0 && tag[name - 1] != ' ' && tag[name - 1] != '\n';)
            name--;
        putc('"', page->out);
        put_value(page, tag + name, name_end - name, tag + i + 1, length);
        putc('"', page->out);
        i += length + 1;
    }
}

/* Paper around the letters of names that stand on lines. */
static void put_halo(const struct page *page)
{
    const char *id = page->plot->name;

    fprintf(page->out, "#%s text { paint-order: stroke; stroke: %s; stroke-width: 6px; "
                       "stroke-linejoin: round }\n"
                       "@media (prefers-color-scheme: dark) { #%s text { stroke: %s } }\n",
            id, theme[1].light, id, theme[1].dark);
}

static void put_style(const struct page *page)
{
    const char *id = page->plot->name;
    static const char *const attributes[] = {"fill", "stroke", "color", "flood-color"};

    fprintf(page->out, "<title>");
    put_text(page->out, page->plot->title);
    fprintf(page->out, "</title>\n<style>\n@media (prefers-color-scheme: dark) {\n");
    for (size_t c = 0; c < sizeof theme / sizeof *theme; c++)
        for (size_t a = 0; a < 4; a++)
            fprintf(page->out, "#%s [%s=\"%s\"] { %s: %s }\n", id, attributes[a], theme[c].light,
                    attributes[a], theme[c].dark);
    fputs("}\n", page->out);
    if (page->plot->kind == PLOT_ROOFLINE)
        put_halo(page);
    fputs("</style>\n", page->out);
}

static bool is_tag(const char *at, const char *name)
{
    return strncmp(at, name, strlen(name)) == 0;
}

/* Tag by tag; gnuplot has no '>' in an attribute. */
static void put_page(const struct page *page, const char *at)
{
    const char *end = NULL;

    while (*at != '\0') {
        size_t text = strcspn(at, "<");
        fwrite(at, 1, text, page->out);
        at += text;
        if (*at == '\0' || (end = strchr(at, '>')) == NULL)
            break;
        if (is_tag(at, "<title>")) {
            end = strstr(at, "</title>");
            at = end != NULL ? end + 8 : at + strlen(at);
            continue;
        }
        if (is_tag(at, "<svg")) {
            fprintf(page->out, "<svg id=\"%s\" role=\"img\"", page->plot->name);
            put_tag(page, at + 4, (size_t)(end + 1 - at) - 4);
            putc('\n', page->out);
            put_style(page);
        } else {
            put_tag(page, at, (size_t)(end + 1 - at));
        }
        at = end + 1;
    }
}

/* --- files ------------------------------------------------------------------------------------ */

static char *read_whole(const char *path, struct error *error)
{
    FILE *f = fopen(path, "rb");
    char *text = f != NULL ? malloc(MOST_BYTES) : NULL;
    size_t got = text != NULL ? fread(text, 1, MOST_BYTES, f) : 0;

    if (f != NULL)
        fclose(f);
    if (text == NULL || got == 0 || got == MOST_BYTES) {
        free(text);
        error_set(error, "%s: could not be read", path);
        return NULL;
    }
    text[got] = '\0';
    return text;
}

bool svg_finish(const char *from, const char *to, const struct plot *plot, struct error *error)
{
    char *text = read_whole(from, error);
    struct outfile out;

    if (text == NULL)
        return false;
    const char *begin = strstr(text, "<svg"); /* behind the prolog */
    (void)unlink(from);
    if (!outfile_open(&out, to, error)) {
        free(text);
        return false;
    }
    if (begin != NULL)
        put_page(&(struct page){plot, out.stream}, begin);
    free(text);
    out.failed = ferror(out.stream) ? EIO : 0;
    return outfile_close(&out, error);
}
