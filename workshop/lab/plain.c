#include "workshop/lab/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/own_lines.h"

/* Turns "reads 4 bytes past the end of an array of 4 bytes" into "reads d_x[1], and d_x has 1 element"; `array` is the
   place of "an array" in the text.  Returns false if it is no whole element. */
static bool name_element(const char *text, const char *array, const char *name, size_t bytes,
                         char *whole, size_t room)
{
    const char *reads = strstr(text, "reads "), *writes = strstr(text, "writes ");
    const char *verb = reads != NULL && reads < array ? reads : writes;
    size_t access = 4, at = 0;

    if (verb == NULL || verb > array || strncmp(text, "cuda", 4) == 0)
        return false;
    const char *does = verb == reads ? "reads" : "writes";
    if (strstr(verb, " past the end of ") != NULL) {
        if (sscanf(verb, "%*s %zu bytes, %zu past", &access, &at) < 1 || access == 0 ||
            bytes % access != 0 || at % access != 0)
            return false;
        snprintf(whole, room, "%s %s[%zu], and %s has %zu element%s", does, name, (bytes + at) / access,
                 name, bytes / access, bytes == access ? "" : "s");
    } else if (sscanf(verb, "%*s %zu bytes, %zu before the start", &access, &at) == 2) {
        if (access == 0 || at % access != 0)
            return false;
        snprintf(whole, room, "%s %s[-%zu], and %s begins with %s[0]", does, name, at / access, name,
                 name);
    } else if ((sscanf(verb, "%*s %zu bytes at byte %zu of", &access, &at) == 2 ||
                sscanf(verb, "%*s byte %zu of", &at) == 1) && access == 4 && bytes % access == 0) {
        snprintf(whole, room, "%s %s[%zu], of %zu element%s", does, name, at / access, bytes / access,
                 bytes == access ? "" : "s");
    } else {
        return false;
    }
    return true;
}

static void replace(char *text, const char *what, const char *by)
{
    char *at = strstr(text, what);

    if (at == NULL || strlen(by) > strlen(what))
        return;
    memmove(at + strlen(by), at + strlen(what), strlen(at + strlen(what)) + 1);
    while (*by != '\0')
        *at++ = *by++;
}

/* Replaces "an array of 4 bytes (made in line 26)" by the array's name in line 26. */
static void name_array(const struct exercise *e, char *text, size_t room)
{
    const char *array = strstr(text, "an array of "), *made = strstr(text, " (made in line ");
    char name[48], whole[300], behind[300];
    size_t bytes = 0;

    if (array == NULL || made == NULL || made < array ||
        !own_lines_array(e, atoi(made + strlen(" (made in line ")), name, sizeof name))
        return;
    sscanf(array, "an array of %zu", &bytes);
    snprintf(behind, sizeof behind, "%s", made);
    if (name_element(text, array, name, bytes, whole, sizeof whole))
        replace(behind, " them at line", " it at line");
    else
        snprintf(whole, sizeof whole, "%.*s%s, which has %zu bytes", (int)(array - text), text, name,
                 bytes);
    snprintf(text, room, "%s%s", whole, behind);
}

const char *plain_thread(const char *said, char *text, size_t room)
{
    unsigned b[3], t[3];
    const char *kernel = strstr(said, "kernel "), *end;

    text[0] = '\0';
    end = kernel != NULL ? strstr(kernel, ", thread (") : NULL;
    end = end != NULL ? strchr(end, ')') : NULL;
    if (end != NULL && strncmp(end, "), RUNGS_SIM_SEED=", 18) == 0)
        end = strchr(end, ':') != NULL ? strchr(end, ':') - 1 : NULL;
    if (end == NULL || strncmp(end + 1, ": ", 2) != 0)
        return said;
    const char *block = strstr(kernel, ", block (");
    if (block == NULL || sscanf(block, ", block (%u,%u,%u), thread (%u,%u,%u)", &b[0], &b[1], &b[2],
                                &t[0], &t[1], &t[2]) != 6)
        return said;
    if (b[1] + b[2] + t[1] + t[2] == 0)
        snprintf(text, room, "thread %u of block %u: ", t[0], b[0]);
    else
        snprintf(text, room, "thread (x %u, y %u) of block (x %u, y %u): ", t[0], t[1], b[0], b[1]);
    return end + 3;
}

/* Turns every "some/where/03_first_kernel.cu:12" into "line 12". */
static void shorten_places(char *text, const char *name)
{
    for (char *at = text; (at = strstr(at, name)) != NULL;) {
        char *from = at, *end = at + strlen(name);
        char number[24];
        while (from > text && from[-1] != ' ' && from[-1] != '(')
            from--;
        size_t digits = *end == ':' ? strspn(end + 1, "0123456789") : 0;
        snprintf(number, sizeof number, "line %.*s", (int)(digits < 9 ? digits : 9), end + 1);
        if (digits == 0 || strlen(number) > (size_t)(end + 1 + digits - from)) {
            at = end;
            continue;
        }
        memmove(from + strlen(number), end + 1 + digits, strlen(end + 1 + digits) + 1);
        for (const char *n = number; *n != '\0'; n++)
            *from++ = *n;
        at = from;
    }
}

/* Turns "(3,0,0)" into "3", and "(3,1,0)" into "(x 3, y 1)". */
static void plain_threads(char *text, size_t room)
{
    char plain[600];
    size_t used = 0;
    unsigned x, y, z;
    int length;

    for (const char *at = text; *at != '\0' && used + 40 < sizeof plain; at += length) {
        length = 0;
        if (*at == '(' && sscanf(at, "(%u,%u,%u)%n", &x, &y, &z, &length) == 3 && length > 0) {
            used += (size_t)snprintf(plain + used, sizeof plain - used,
                                     y + z == 0 ? "%u" : "(x %u, y %u)", x, y);
            continue;
        }
        plain[used++] = *at;
        length = 1;
    }
    plain[used] = '\0';
    snprintf(text, room, "%s", plain);
}

/* Turns "memory of device 2, from line 104" into "made in line 104, on GPU 2", as the array's name is looked for there. */
static void name_device(char *text)
{
    char *at = strstr(text, "memory of device ");
    char made[40];
    int device, line, used = 0;

    if (at == NULL || sscanf(at, "memory of device %d, from line %d%n", &device, &line, &used) != 2 || used == 0)
        return;
    const int length = snprintf(made, sizeof made, "made in line %d, on GPU %d", line, device);
    if (length > used)
        return;
    memmove(at + length, at + used, strlen(at + used) + 1);
    for (int i = 0; i < length; i++)
        at[i] = made[i];
}

void plain_message(const struct exercise *e, const char *name, char *text, size_t room)
{
    shorten_places(text, name);
    replace(text, "out of bounds: ", "");
    replace(text, "never written: ", "");
    replace(text, ", 0 past the end of", " past the end of");
    replace(text, "memory of device 0, from line", "made in line");
    name_device(text);
    replace(text, "managed memory, from line", "made in line");
    name_array(e, text, room);
    plain_threads(text, room);
}
