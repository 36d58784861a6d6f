/* The section about machines, builds and settings. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "harness/base/html.h"
#include "harness/base/text.h"
#include "harness/report/report.h"
#include "harness/table/ceilings.h"

/* --- facts of a run's record ------------------------------------------------------------------ */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "";
}

static void fact(FILE *out, const char *name, const char *text)
{
    if (text[0] != '\0')
        html_print(out, "<dt>%s<dd>%s\n", name, text);
}

static void gibibytes(const json_t *object, const char *key, char *text, size_t bytes)
{
    const double size = json_number_value(json_object_get(object, key));

    text[0] = '\0';
    if (size > 0)
        snprintf(text, bytes, ", %.1f GiB", size / (1 << 30));
}

static void about_host(FILE *out, const json_t *run)
{
    const json_t *host = json_object_get(run, "host"), *topology = json_object_get(run, "topology");
    long long cores = json_integer_value(json_object_get(host, "cores"));
    long long real = json_integer_value(json_object_get(topology, "cores"));
    char memory[32], text[512];

    gibibytes(host, "memory_bytes", memory, sizeof memory);
    snprintf(text, sizeof text, "%s, %lld processor%s%s", text_of(host, "cpu"), cores,
             cores == 1 ? "" : "s", memory);
    if (real > 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), " (%lld core%s)", real,
                 real == 1 ? "" : "s");
    fact(out, "processor", text);
    snprintf(text, sizeof text, "%s %s", text_of(host, "kernel"), text_of(host, "machine"));
    fact(out, "system", text);
}

static void about_devices(FILE *out, const json_t *run)
{
    const json_t *devices = json_object_get(run, "devices"), *device;
    size_t at;

    json_array_foreach(devices, at, device) {
        char memory[32], text[512];
        gibibytes(device, "memory_bytes", memory, sizeof memory);
        snprintf(text, sizeof text, "%s (%s)%s, %s", text_of(device, "name"),
                 text_of(device, "kind"), memory, text_of(device, "software"));
        fact(out, text_of(device, "device"), text);
    }
    if (json_array_size(devices) == 0)
        fact(out, "GPUs", text_of(run, "gpus"));
}

static void about_build(FILE *out, const json_t *run)
{
    const json_t *build = json_object_get(run, "build");
    char text[512];

    snprintf(text, sizeof text, "rungs %s (%s), %s", text_of(build, "version"),
             text_of(build, "commit"), text_of(build, "compiler"));
    fact(out, "build", text);
    fact(out, "flags of variants", text_of(build, "variant_flags"));
    fact(out, "nvcc", text_of(build, "nvcc"));
}

static void about_settings(FILE *out, const json_t *run)
{
    const json_t *word;
    size_t at;

    fputs("<dt>command<dd><code>", out);
    json_array_foreach(json_object_get(run, "argv"), at, word) {
        const char *text = json_string_value(word);
        html_print(out, at > 0 ? " %s" : "%s", text != NULL ? text : "?");
    }
    html_print(out, "</code>\n<dt>settings<dd>preset %s, order %s, %zu threads, seed %zu\n",
               text_of(run, "profile"), text_of(run, "order"),
               (size_t)json_integer_value(json_object_get(run, "threads")),
               (size_t)json_integer_value(json_object_get(run, "seed")));
}

static void about_warnings(FILE *out, const json_t *run)
{
    const json_t *warning;
    size_t at;

    json_array_foreach(json_object_get(run, "warnings"), at, warning) {
        const char *text = json_string_value(warning);
        if (text != NULL)
            html_print(out, "<dt>warning<dd class=warning>%s\n", text);
    }
}

/* --- ceilings --------------------------------------------------------------------------------- */

static void print_ceilings(FILE *out, const struct records *p)
{
    if (p->ceiling_count == 0)
        return;
    fputs("<details class=ceilings><summary>Measured peak rates</summary>\n", out);
    table_ceilings(out, FORMAT_HTML, p->ceilings, p->ceiling_count, "Measured peak rates");
    fputs("</details>\n", out);
}

/* --- the section ------------------------------------------------------------------------------ */

void report_machine(const struct run *run, char *text, size_t bytes)
{
    char gpus[FACT_TEXT];

    run_gpus(run, gpus, sizeof gpus);
    snprintf(text, bytes, "%s%s%s", run->cpu, gpus[0] != '\0' ? "; " : "", gpus);
}

/* Returns what a run says of its machine and build, as HTML, for free(). */
static char *facts_of(const json_t *run)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (out == NULL)
        abort();
    about_host(out, run);
    about_devices(out, run);
    about_build(out, run);
    if (fclose(out) != 0)
        abort();
    return text;
}

static void show_run(FILE *out, const struct report_file *f, size_t at)
{
    const struct run *run = &f->past.runs[at];
    char took[32];

    describe_duration(run->wall, took, sizeof took);
    html_print(out, "<h4>%s</h4>\n<dl><dt>started<dd>%s", f->name, run->started);
    if (run->ended)
        html_print(out, ", took %s, exit status %d\n", took, run->exit_status);
    else
        fputs(", <span class=bad>was interrupted</span>\n", out);
    about_warnings(out, f->runs[at]);
    about_settings(out, f->runs[at]);
    fputs("</dl>\n", out);
    if (at + 1 == f->past.run_count)
        print_ceilings(out, &f->past);
}

/* A run, and what it says of its machine and build. */
struct told {
    const struct report_file *file;
    size_t run;
    char *facts;
    bool shown;
};

static struct told *tell_all(const struct report *r, size_t *count)
{
    struct told *list;

    *count = 0;
    for (size_t i = 0; i < r->file_count; i++)
        *count += r->files[i].past.run_count;
    list = calloc(*count + 1, sizeof *list);
    if (list == NULL)
        abort();
    *count = 0;
    for (size_t i = 0; i < r->file_count; i++)
        for (size_t run = 0; run < r->files[i].past.run_count; run++)
            list[(*count)++] = (struct told){&r->files[i], run, facts_of(r->files[i].runs[run]), false};
    return list;
}

/* Prints each machine and build once, followed by the runs that were made with it. */
void report_machines(FILE *out, const struct report *r)
{
    size_t count;
    struct told *list = tell_all(r, &count);
    char machine[FACT_TEXT + 240];

    report_section(out, "machines", r->file_count > 1 ? "Machines" : "Machine");
    for (size_t i = 0; i < count; i++) {
        if (list[i].shown)
            continue;
        report_machine(&list[i].file->past.runs[list[i].run], machine, sizeof machine);
        html_print(out, "<h3>%s</h3>\n<dl>", machine);
        fputs(list[i].facts, out);
        fputs("</dl>\n", out);
        for (size_t j = i; j < count; j++)
            if (!list[j].shown && strcmp(list[i].facts, list[j].facts) == 0) {
                show_run(out, list[j].file, list[j].run);
                list[j].shown = true;
            }
    }
    for (size_t i = 0; i < count; i++)
        free(list[i].facts);
    free(list);
    fputs("</section>\n", out);
}
