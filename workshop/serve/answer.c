#include "workshop/serve/answer.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/serve/command.h"

/* The assembler includes the page's files unchanged. */
__asm__(".pushsection .rodata\n"
        "page_html: .incbin \"workshop/serve/page.html\"\n.byte 0\n"
        "page_css: .incbin \"workshop/serve/page.css\"\n.byte 0\n"
        "page_js: .incbin \"workshop/serve/page.js\"\n.byte 0\n"
        "texts_js: .incbin \"workshop/serve/texts.js\"\n.byte 0\n"
        "request_js: .incbin \"workshop/serve/request.js\"\n.byte 0\n"
        "edit_js: .incbin \"workshop/serve/edit.js\"\n.byte 0\n"
        ".popsection\n");
extern const char page_html[], page_css[], page_js[], texts_js[], request_js[], edit_js[];

static const struct {
    const char *name, *type, *text;
} files[] = {
    {"", "text/html; charset=utf-8", page_html},
    {"page.css", "text/css; charset=utf-8", page_css},
    {"page.js", "text/javascript; charset=utf-8", page_js},
    {"texts.js", "text/javascript; charset=utf-8", texts_js},
    {"request.js", "text/javascript; charset=utf-8", request_js},
    {"edit.js", "text/javascript; charset=utf-8", edit_js},
};

/* What a request may run: METHOD NN/name runs "rungs lab WORD NN", and ARGUMENT of the query behind it. */
static const struct route {
    const char *method, *name, *word, *argument;
    bool terminal, judges, reads;
} routes[] = {
    {"GET", "", "data", NULL, .reads = true},
    {"PUT", "", "save", "version", .reads = false},
    {"POST", "run", "run", NULL, .terminal = true, .judges = true},
    {"POST", "hint", "hint", "level", .terminal = true},
    {"POST", "reset", "reset", NULL, .terminal = true},
    {"POST", "compare", "compare", NULL, .terminal = true},
    {"POST", "keep", "keep", NULL, .terminal = true},
};

/* --- sending ---------------------------------------------------------------------------------- */

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status, const char *type,
                                 const char *exit_status, size_t bytes, void *text, enum MHD_ResponseMemoryMode mode)
{
    static const char *const headers[][2] = {
        {"Cache-Control", "no-store"},
        {"Connection", "close"},
        {"Content-Security-Policy",
         "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"}, /* the address has the token */
        {"X-Content-Type-Options", "nosniff"},
    };
    struct MHD_Response *response = MHD_create_response_from_buffer(bytes, text, mode);

    if (response == NULL)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    if (exit_status != NULL)
        MHD_add_response_header(response, "Rungs-Status", exit_status);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

enum MHD_Result answer_line(struct MHD_Connection *connection, unsigned status, const char *line)
{
    return send_text(connection, status, "text/plain; charset=utf-8", NULL, strlen(line), (void *)line,
                     MHD_RESPMEM_PERSISTENT);
}

/* The status of HTTP for the status of a command.  A verdict that is not good is an answer all the same. */
static unsigned http_status(const struct route *route, const struct said *said)
{
    if (said->text == NULL)
        return MHD_HTTP_INTERNAL_SERVER_ERROR;
    if (said->status == 0 || (said->status == 1 && route->judges))
        return MHD_HTTP_OK;
    if (route->reads)
        return MHD_HTTP_NOT_FOUND;
    /* save ends with 1 if the file is not the version that the page knows */
    return said->status == 1 && strcmp(route->word, "save") == 0 ? MHD_HTTP_PRECONDITION_FAILED
                                                                 : MHD_HTTP_BAD_REQUEST;
}

static enum MHD_Result send_said(struct MHD_Connection *connection, const struct route *route, struct said *said)
{
    char status[16];

    if (said->text == NULL)
        return answer_line(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "the command could not be started\n");
    if (said->stopped) {
        free(said->text);
        return answer_line(connection, MHD_HTTP_CONFLICT, "stopped, because a newer version of the file was saved\n");
    }
    snprintf(status, sizeof status, "%d", said->status);
    return send_text(connection, http_status(route, said),
                     route->reads && said->status == 0 ? "application/json" : "text/plain; charset=utf-8", status,
                     said->bytes, said->text, MHD_RESPMEM_MUST_FREE);
}

/* --- routes ----------------------------------------------------------------------------------- */

/* Returns the value of an argument in the query if it consists of at most 16 letters and digits, else NULL. */
static const char *argument(struct MHD_Connection *connection, const char *name)
{
    const char *value = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
    size_t length = 0;

    while (value != NULL && isalnum((unsigned char)value[length]))
        length++;
    return length > 0 && length <= 16 && value[length] == '\0' ? value : NULL;
}

static int columns_of(struct MHD_Connection *connection)
{
    const char *text = argument(connection, "columns");
    const int columns = text != NULL ? atoi(text) : 0;

    return columns < 40 ? 96 : columns > 200 ? 200 : columns;
}

static enum MHD_Result follow(struct MHD_Connection *connection, const struct route *route, const char *number,
                              const struct request_in *r)
{
    struct command c = {.words = {route->word}, .judges = route->judges, .reads = route->reads};
    int words = 1;

    if (number[0] != '\0')
        c.words[words++] = number;
    if (route->argument != NULL && (c.words[words++] = argument(connection, route->argument)) == NULL)
        return answer_line(connection, MHD_HTTP_BAD_REQUEST, "the request lacks an argument\n");
    if (route->judges && argument(connection, "gpu") != NULL)
        c.words[words++] = "--gpu";
    if (route->terminal)
        c.columns = columns_of(connection);
    if (strcmp(r->method, "PUT") == 0) {
        c.input = r->body != NULL ? r->body : "";
        c.input_bytes = r->bytes;
        command_stop(); /* its verdict would be on the version before */
    }
    struct said said = command_run(&c);
    return send_said(connection, route, &said);
}

/* The path is "exercises", "03", or "03/run". */
enum MHD_Result answer(struct MHD_Connection *connection, const struct request_in *r)
{
    const bool numbered = isdigit((unsigned char)r->path[0]) && isdigit((unsigned char)r->path[1]) &&
                          (r->path[2] == '\0' || r->path[2] == '/');
    const char *name = !numbered ? r->path : r->path[2] == '/' ? r->path + 3 : "";
    const bool list = strcmp(r->path, "exercises") == 0;
    char number[3] = "";

    for (size_t i = 0; !numbered && i < sizeof files / sizeof *files; i++)
        if (strcmp(r->method, "GET") == 0 && strcmp(name, files[i].name) == 0)
            return send_text(connection, MHD_HTTP_OK, files[i].type, NULL, strlen(files[i].text),
                             (void *)files[i].text, MHD_RESPMEM_PERSISTENT);
    if (numbered)
        memcpy(number, r->path, 2);
    for (size_t i = 0; (numbered || list) && i < sizeof routes / sizeof *routes; i++)
        if (strcmp(r->method, routes[i].method) == 0 && strcmp(list ? "" : name, routes[i].name) == 0 &&
            (!list || routes[i].reads))
            return follow(connection, &routes[i], number, r);
    return answer_line(connection, MHD_HTTP_NOT_FOUND, "there is nothing at this address\n");
}
