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
#include "harness/plots/picture.h"

/* The colours ink, paper and faint of style.gp, light and dark. */
static const struct {
    const char *light, *dark;
} theme[] = {{"#1a1a1a", "#eeeeee"}, {"#fefefe", "#16181d"}, {"#d0d0d0", "#4a4d55"},
             {"#6b6b6b", "#a8a8a8"}};

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

/* Writes the title, the dark colours, and an outline in the colour of the paper around names on lines. */
static void put_style(FILE *out, const struct plot *plot)
{
    static const char *const attributes[] = {"fill", "stroke", "color", "flood-color"};
    const char *id = plot->name;
    char halo[SCRIPT_VALUE];

    fputs("\n<title>", out);
    put_text(out, plot->title);
    fputs("</title>\n<style>\n@media (prefers-color-scheme: dark) {\n", out);
    for (size_t c = 0; c < sizeof theme / sizeof *theme; c++)
        for (size_t a = 0; a < 4; a++)
            fprintf(out, "#%s [%s=\"%s\"] { %s: %s }\n", id, attributes[a], theme[c].light,
                    attributes[a], theme[c].dark);
    fputs("}\n", out);
    if (scripts_say(plot->kind, "halo", halo))
        fprintf(out, "#%s text { paint-order: stroke; stroke: %s; stroke-width: 6px; "
                     "stroke-linejoin: round }\n"
                     "@media (prefers-color-scheme: dark) { #%s text { stroke: %s } }\n",
                id, theme[1].light, id, theme[1].dark);
    fputs("</style>\n", out);
}

/* Writes a colour in one form: "rgb( 26,  26,  26)", "#1A1A1A" and "black" become "#1a1a1a".  Returns the
   text after it; NULL: this is no colour. */
static const char *put_colour(FILE *out, const char *at)
{
    char start[32]; /* sscanf would scan the whole text for its length */
    unsigned r, g, b;
    int bytes = 0;

    if (strncmp(at, "black", 5) == 0) {
        fputs(theme[0].light, out);
        return at + 5;
    }
    if (*at != 'r' && *at != '#')
        return NULL;
    snprintf(start, sizeof start, "%.*s", (int)strnlen(at, sizeof start - 1), at);
    if ((sscanf(start, "rgb(%u ,%u ,%u)%n", &r, &g, &b, &bytes) < 3 || bytes == 0) &&
        (sscanf(start, "#%2x%2x%2x%n", &r, &g, &b, &bytes) < 3 || bytes != 7))
        return NULL;
    fprintf(out, "#%02x%02x%02x", r & 255, g & 255, b & 255);
    return at + bytes;
}

/* The texts that precede an id. */
static size_t id_follows(const char *at)
{
    static const char *const before[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};

    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (strncmp(at, before[i], strlen(before[i])) == 0)
            return strlen(before[i]);
    return 0;
}

/* Copies an element from '<' to '>'.  gnuplot writes neither character in attributes, and no quotation
   marks. */
static const char *put_tag(FILE *out, const struct plot *plot, const char *at)
{
    while (*at != '\0' && *at != '>') {
        const char *behind = put_colour(out, at);
        const size_t before = id_follows(at), bytes = before > 0 ? before : 1;
        for (size_t i = 0; i < bytes && behind == NULL; i++)
            putc(at[i] == '\'' ? '"' : at[i], out);
        if (before > 0)
            fprintf(out, "%s-", plot->name);
        at = behind != NULL ? behind : at + bytes;
    }
    putc('>', out);
    return at + (*at == '>');
}

static void put_page(FILE *out, const struct plot *plot, const char *at)
{
    fprintf(out, "<svg id=\"%s\" role=\"img\"", plot->name);
    at = put_tag(out, plot, at + strlen("<svg"));
    put_style(out, plot);
    while (*at != '\0') {
        const char *end = strncmp(at, "<title>", 7) == 0 ? strstr(at, "</title>") : NULL;
        if (end != NULL)
            at = end + strlen("</title>");
        else if (*at == '<')
            at = put_tag(out, plot, at);
        else
            putc(*at++, out);
    }
}

/* --- files ------------------------------------------------------------------------------------ */

bool svg_finish(const char *from, const char *to, const struct plot *plot, struct error *error)
{
    char *text = scripts_file(from, error);
    struct outfile out;

    if (text == NULL)
        return false;
    const char *begin = strstr(text, "<svg"); /* after the prolog */
    (void)unlink(from);
    if (!outfile_open(&out, to, error)) {
        free(text);
        return false;
    }
    if (begin != NULL)
        put_page(out.stream, plot, begin);
    free(text);
    out.failed = ferror(out.stream) ? EIO : 0;
    return outfile_close(&out, error);
}
