#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/machine.h"

/* What follows `key` on one of the file's lines, without blanks in front; "" if nothing does. */
static void value_of(const char *file, const char *key, char *value, size_t bytes)
{
    char line[512];
    FILE *f = fopen(file, "r");

    value[0] = '\0';
    while (f != NULL && value[0] == '\0' && fgets(line, sizeof line, f) != NULL) {
        const char *at = strstr(line, key);
        if (at == NULL)
            continue;
        at += strlen(key);
        at += strspn(at, " \t");
        snprintf(value, bytes, "%.*s", (int)strcspn(at, "\n"), at);
    }
    if (f != NULL)
        fclose(f);
}

/* "NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build ..." -> "580.95.05" */
static void driver_version(const char *facts, char *version, size_t bytes)
{
    char file[512], line[512], *rest = line;

    snprintf(file, sizeof file, "%s/version", facts);
    value_of(file, "NVRM version:", line, sizeof line);
    version[0] = '\0';
    for (const char *word; (word = strsep(&rest, " \t")) != NULL && version[0] == '\0';)
        if (word[0] >= '0' && word[0] <= '9' && strchr(word, '.') != NULL)
            snprintf(version, bytes, "%s", word);
}

static int is_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

json_t *machine_gpus(const char *facts)
{
    char folder[256], file[600], model[128], driver[128];
    struct dirent **names;
    json_t *gpus = json_array();

    snprintf(folder, sizeof folder, "%s/gpus", facts);
    int count = scandir(folder, &names, is_name, alphasort); /* by bus, as CUDA may count them */
    driver_version(facts, driver, sizeof driver);
    for (int i = 0; i < count; i++) {
        snprintf(file, sizeof file, "%s/%s/information", folder, names[i]->d_name);
        value_of(file, "Model:", model, sizeof model);
        json_array_append_new(gpus, json_pack("{s:i, s:s, s:s}", "index", i, "name", model,
                                              "driver", driver));
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    return gpus;
}
