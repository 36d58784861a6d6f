/*
 * For any bytes: the points of the CSV file are in range, or the error says why there are none.
 */
#include "tests/fuzz/input.h"

#include "harness/files/points.h"

static void read_as(const char *file, const char *lat, const char *lon, bool radians)
{
    struct points p;
    struct error error = {""};

    if (!csv_read_points(file, lat, lon, radians, &p, &error)) {
        check_error(error.text);
        return;
    }
    for (size_t i = 0; i < p.count; i++)
        if (!(p.lat[i] >= -1.5707964F && p.lat[i] <= 1.5707964F && p.lon[i] >= -3.1415927F &&
              p.lon[i] <= 6.2831855F))
            abort();
    points_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *file = fuzz_file(data, size);

    read_as(file, NULL, NULL, false);
    read_as(file, "1", "2", true);
    read_as(file, "b", NULL, false);
    return 0;
}
