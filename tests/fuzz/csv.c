/*
 * For any bytes: the points of the CSV file are in range, or the error says why there are none.
 */
#include "tests/fuzz/input.h"

#include "harness/files/points.h"

static void read_as(const char *file, const struct points_asked *asked)
{
    struct points p;
    struct error error = {""};

    if (!points_read(file, asked, &p, &error)) {
        check_error(error.text);
        return;
    }
    for (size_t i = 0; i < p.count; i++) {
        const struct point *q = &p.point[i];
        if (!(q->lat >= -1.5707964 && q->lat <= 1.5707964 && q->lon >= -3.1415928 && q->lon <= 6.2831857 && q->row < q->sheet &&
              (p.names == NULL || q->name < p.names_length)))
            abort();
    }
    points_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *file = fuzz_file(data, size);
    const struct asked none = {"--lat", NULL};

    read_as(file, &(struct points_asked){none, none, none, none, false, false});
    read_as(file, &(struct points_asked){{"--lat", "1"}, {"--lon", "2"}, {"--name", "1"}, none, true, true});
    read_as(file, &(struct points_asked){{"--lat", "b"}, none, none, none, false, true});
    return 0;
}
