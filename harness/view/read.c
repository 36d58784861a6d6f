/* Reads a trace into the document that pictures are drawn from. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/view/view.h"

const char *view_word(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text != NULL ? text : "";
}

long long view_number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

long long view_at(const json_t *list, size_t i)
{
    return json_integer_value(json_array_get(list, i));
}

/* --- sources ---------------------------------------------------------------------------------- */

static void add_source(json_t *document, const char *place)
{
    json_t *sources = json_object_get(document, "sources");
    char text[400];

    if (place[0] == '\0' || json_object_get(sources, place) != NULL)
        return;
    source_line(place, text, sizeof text);
    text_clean(text);
    json_object_set_new(sources, place, json_string(text));
}

/* Names an array by the line that makes it. */
static void name_array(json_t *document, json_t *object)
{
    json_t *array = json_object_get(object, "array");
    const char *made = view_word(array, "made");
    char name[64];

    if (made[0] == '\0')
        return;
    add_source(document, made);
    source_array(view_word(json_object_get(document, "sources"), made), name, sizeof name);
    json_object_set_new(array, "name", json_string(name));
}

/* Where the source accesses a member of an element (w[k].x), an access is smaller than an element, whose size the trace does
   not have.  Places in the array are then said in bytes. */
static void choose_unit(const json_t *document, json_t *object)
{
    const char *line = view_word(json_object_get(document, "sources"), view_word(object, "at"));

    if (strstr(line, "].") != NULL)
        json_object_set_new(object, "in_bytes", json_true());
}

static void add_places(json_t *document, json_t *object)
{
    json_t *one;
    size_t i;

    add_source(document, view_word(object, "at"));
    choose_unit(document, object);
    name_array(document, object);
    json_array_foreach(json_object_get(object, "elsewhere"), i, one) {
        add_source(document, view_word(one, "at"));
    }
    json_array_foreach(json_object_get(object, "events"), i, one) {
        add_places(document, one);
    }
    json_array_foreach(json_object_get(object, "lines"), i, one) {
        add_places(document, one);
    }
}

/* --- lines of the trace ----------------------------------------------------------------------- */

static json_t *kernel_of(const json_t *document, const json_t *line)
{
    json_t *kernels = json_object_get(document, "kernels"), *one;
    size_t i;

    json_array_foreach(kernels, i, one) {
        if (strcmp(view_word(one, "kernel"), view_word(line, "kernel")) == 0 &&
            strcmp(view_word(one, "phase"), view_word(line, "phase")) == 0)
            return one;
    }
    return NULL;
}

static void take_counters(json_t *document, json_t *line)
{
    const bool kernel = strcmp(view_word(line, "counters"), "kernel") == 0;

    if (kernel)
        json_object_set_new(line, "steps", json_array());
    json_array_append(json_object_get(document, kernel ? "kernels" : "traffic"), line);
}

/* Is it of a call, and not of what the variant prepares before? */
static bool is_of_call(const json_t *line)
{
    return strcmp(view_word(line, "phase"), "prepare") != 0;
}

/* `open`: the kernel whose requests follow. */
static void take_line(json_t *document, json_t *line, json_t **open)
{
    const char *kind = view_word(line, "trace");

    if (!is_of_call(line))
        return;
    add_places(document, line);
    if (json_object_get(line, "counters") != NULL) {
        take_counters(document, line);
    } else if (strcmp(kind, "warp") == 0) {
        *open = kernel_of(document, line);
        if (*open != NULL)
            json_object_set(*open, "warp", line);
    } else if (strcmp(kind, "request") == 0 && *open != NULL) {
        json_array_append(json_object_get(*open, "steps"), line);
    } else if (strcmp(kind, "thread") == 0) {
        json_array_append(json_object_get(document, "threads"), line);
    } else if (strcmp(kind, "work") == 0) {
        json_array_append(json_object_get(document, "works"), line);
    } else if (strcmp(kind, "mistake") == 0 || strcmp(kind, "access") == 0 || strcmp(kind, "waits") == 0) {
        json_object_set(document, kind, line);
        add_source(document, view_word(json_object_get(line, "race"), "at"));
    }
}

json_t *view_read(const char *trace, const char *title, struct error *error)
{
    json_t *document = json_pack("{s:s, s:n, s:n, s:n, s:[], s:[], s:[], s:[], s:{}}", "title", title, "mistake",
                                 "access", "waits", "threads", "kernels", "works", "traffic", "sources");
    json_t *open = NULL;
    FILE *in = fopen(trace, "re");
    char *text = NULL;
    size_t room = 0;

    while (in != NULL && getline(&text, &room, in) > 0) {
        json_t *line = json_loads(text, 0, NULL);
        if (line != NULL)
            take_line(document, line, &open);
        json_decref(line);
    }
    free(text);
    if (in != NULL)
        fclose(in);
    if (json_array_size(json_object_get(document, "kernels")) > 0 ||
        json_array_size(json_object_get(document, "traffic")) > 0 ||
        json_is_object(json_object_get(document, "mistake")))
        return document;
    json_decref(document);
    error_set(error, "%s: the simulator has traced no kernel", title);
    return NULL;
}

bool view_has_steps(const json_t *document)
{
    const json_t *kernel;
    size_t i;

    json_array_foreach((json_t *)json_object_get(document, "kernels"), i, kernel) {
        if (json_array_size(json_object_get(kernel, "steps")) > 0)
            return true;
    }
    return json_is_object(json_object_get(document, "access")) || json_is_object(json_object_get(document, "waits")) ||
           json_array_size(json_object_get(document, "works")) > 0;
}

static long long excess(const json_t *step)
{
    return view_number(step, "parts") - view_number(step, "least");
}

size_t view_first_step(const json_t *kernel)
{
    const json_t *steps = json_object_get(kernel, "steps"), *line, *step;
    long long most = -1;
    size_t l, s, best = 0;

    json_array_foreach((json_t *)json_object_get(kernel, "lines"), l, line) { /* that with most to gain comes first */
        json_array_foreach((json_t *)steps, s, step) {
            if (strcmp(view_word(step, "at"), view_word(line, "at")) == 0 &&
                strcmp(view_word(step, "access"), view_word(line, "access")) == 0 &&
                strcmp(view_word(step, "space"), view_word(line, "space")) == 0 && excess(step) > most) {
                best = s;
                most = excess(step);
            }
        }
        if (most >= 0)
            return best;
    }
    return 0;
}
