#include "harness/model/members.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/model/arena.h"

static const char *const type_names[] = {
    [MEMBER_F4] = "f4", [MEMBER_C8] = "c8", [MEMBER_U1] = "u1",
    [MEMBER_U4] = "u4", [MEMBER_U8] = "u8", [MEMBER_I2] = "i2", [MEMBER_I4] = "i4",
};

/* Shapes are given by members of type size_t, or by numbers, or by the sum of a member and a number. */
static size_t length_of(const struct member members[], const char *name, size_t bytes, const void *data)
{
    const char *plus = memchr(name, '+', bytes);
    const size_t letters = plus != NULL ? (size_t)(plus - name) : bytes;
    size_t length = strtoul(name, NULL, 10); /* 0 for a name */

    for (const struct member *f = members; f->name != NULL; f++)
        if (strlen(f->name) == letters && strncmp(f->name, name, letters) == 0)
            memcpy(&length, (const char *)data + f->offset, sizeof length);
    return length + (plus != NULL ? strtoul(plus + 1, NULL, 10) : 0);
}

static void add_shape(const struct member members[], const char *shape, const void *data, char *text,
                      size_t bytes)
{
    const char *separator = "";

    text_add(text, bytes, "\"shape\":[");
    while (*shape != '\0') {
        const size_t letters = strcspn(shape, ",");
        text_add(text, bytes, "%s%zu", separator, length_of(members, shape, letters, data));
        separator = ",";
        shape += letters + (shape[letters] == ',');
    }
    text_add(text, bytes, "],");
}

static void add_array(const struct member members[], const struct member *f, const void *data, char *text,
                      size_t bytes)
{
    const void *start;

    memcpy(&start, (const char *)data + f->offset, sizeof start);
    text_add(text, bytes, "\"%s\":{\"type\":\"%s\",", f->name, type_names[f->type]);
    add_shape(members, f->shape, data, text, bytes);
    text_add(text, bytes, "\"file\":\"%s\",\"at\":%zu,\"address\":%zu}", f->output ? "out" : "in",
             arena_offset(start), (size_t)(uintptr_t)start);
}

bool members_describe(const struct member members[], const char *problem, const char *cell, const void *data,
                     char *text, size_t bytes)
{
    snprintf(text, bytes, "{\"abi\":1,\"problem\":\"%s\",\"cell\":\"%s\",\"scalars\":{", problem, cell);
    for (int arrays = 0; arrays < 2; arrays++) {
        const char *separator = "";
        for (const struct member *f = members; f->name != NULL; f++) {
            if ((f->shape != NULL) != (arrays == 1))
                continue;
            text_add(text, bytes, "%s", separator);
            separator = ",";
            if (arrays)
                add_array(members, f, data, text, bytes);
            else
                text_add(text, bytes, "\"%s\":{\"type\":\"%s\",\"at\":%zu,\"address\":%zu}", f->name,
                         type_names[f->type], arena_offset(arena_case_place()) + f->offset,
                         (size_t)(uintptr_t)arena_case_place() + f->offset);
        }
        text_add(text, bytes, arrays ? "}}" : "},\"arrays\":{");
    }
    return strlen(text) + 1 < bytes;
}

static size_t count_of(const struct member members[], const struct member *f, const void *data)
{
    size_t count = 1;

    for (const char *shape = f->shape; *shape != '\0';) {
        const size_t letters = strcspn(shape, ",");
        count *= length_of(members, shape, letters, data);
        shape += letters + (shape[letters] == ',');
    }
    return count;
}

static void add_number(enum member_type type, const void *start, size_t i, char *text, size_t bytes)
{
    switch (type) {
    case MEMBER_F4: text_add(text, bytes, "%.9g", (double)((const float *)start)[i]); break;
    case MEMBER_C8:
        text_add(text, bytes, "%.9g%+.9gi", (double)((const float *)start)[2 * i], (double)((const float *)start)[2 * i + 1]);
        break;
    case MEMBER_U1: text_add(text, bytes, "%u", ((const uint8_t *)start)[i]); break;
    case MEMBER_U4: text_add(text, bytes, "%u", ((const uint32_t *)start)[i]); break;
    case MEMBER_U8: text_add(text, bytes, "%llu", (unsigned long long)((const uint64_t *)start)[i]); break;
    case MEMBER_I2: text_add(text, bytes, "%d", ((const int16_t *)start)[i]); break;
    case MEMBER_I4: text_add(text, bytes, "%d", ((const int32_t *)start)[i]); break;
    }
}

void members_answer(const struct member members[], const void *data, size_t most, char *text, size_t bytes)
{
    text[0] = '\0';
    for (const struct member *f = members; f->name != NULL; f++) {
        const void *start;
        if (f->shape == NULL || !f->output)
            continue;
        memcpy(&start, (const char *)data + f->offset, sizeof start);
        const size_t count = start != NULL ? count_of(members, f, data) : 0;
        if (count == 0 || count > most)
            continue;
        text_add(text, bytes, "%s%s=", text[0] != '\0' ? " " : "", f->name);
        for (size_t i = 0; i < count; i++) {
            text_add(text, bytes, "%s", i > 0 ? "," : "");
            add_number(f->type, start, i, text, bytes);
        }
    }
}
