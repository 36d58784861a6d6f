/* Writes the page: the document, and the script that draws it. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "harness/base/html.h"
#include "harness/files/outfile.h"
#include "harness/view/view.h"

/* The assembler includes these files unchanged.  page.js uses what the others define. */
__asm__(".pushsection .rodata\n"
        "view_css: .incbin \"harness/view/page.css\"\n.byte 0\n"
        "view_js: .incbin \"harness/view/memory.js\"\n.incbin \"harness/view/threads.js\"\n"
        ".incbin \"harness/view/host.js\"\n"
        ".incbin \"harness/view/page.js\"\n.byte 0\n"
        ".popsection\n");
extern const char view_css[], view_js[];

/* Writes JSON that cannot end a script element: "<" becomes an escape. */
static void print_document(FILE *out, const json_t *document)
{
    char *text = json_dumps(document, JSON_COMPACT);

    if (text == NULL)
        abort();
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '<')
            fputs("\\u003c", out);
        else
            fputc(*c, out);
    free(text);
}

static void print_page(FILE *out, const json_t *document)
{
    uint64_t numbers[2];
    char nonce[33];

    if (getrandom(numbers, sizeof numbers, 0) != sizeof numbers)
        abort();
    snprintf(nonce, sizeof nonce, "%016llx%016llx", (unsigned long long)numbers[0], (unsigned long long)numbers[1]);
    html_print(out, "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
                    "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
                    "style-src 'unsafe-inline'; script-src 'nonce-%s'; base-uri 'none'; form-action 'none'\">\n", nonce);
    html_print(out, "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=color-scheme content=\"light dark\">\n<title>%s</title>\n<style>\n",
               view_word(document, "title"));
    fputs(view_css, out);
    fputs("</style>\n</head>\n<body>\n<main></main>\n<script type=\"application/json\" id=document>", out);
    print_document(out, document);
    html_print(out, "</script>\n<script nonce=%s>\n", nonce);
    fputs(view_js, out);
    fputs("</script>\n</body>\n</html>\n", out);
}

bool view_page(const char *file, const json_t *document, struct error *error)
{
    struct outfile out;
    char *text = NULL;
    size_t bytes = 0;
    FILE *page = open_memstream(&text, &bytes);

    if (page == NULL)
        abort();
    print_page(page, document);
    if (fclose(page) != 0)
        abort();
    bool fine = outfile_open(&out, file, error);
    if (fine) {
        outfile_write(&out, text, bytes);
        fine = outfile_close(&out, error);
    }
    free(text);
    return fine;
}
