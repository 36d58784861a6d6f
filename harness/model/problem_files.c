#include "harness/model/problem_files.h"

const char *required_file(const char *const given[], const struct input *inputs, size_t which,
                          struct error *error)
{
    if (given[which] == NULL || given[which][0] == '\0') {
        error_set(error, "--%s FILE is missing: %s", inputs[which].name, inputs[which].help);
        return NULL;
    }
    return given[which];
}

size_t user_data_parts(const struct user_data *data, const void *opened)
{
    return opened != NULL && data->parts != NULL ? data->parts->count(opened) : 1;
}
