#include "tests/unit/files/scratch.h"

#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <sys/stat.h>

#include "harness/files/points.h"

/* Reads points with the columns that a user asks for. */
static bool read_points(const char *file, const char *lat, const char *lon, bool radians,
                        struct points *points, struct error *error)
{
    const struct points_asked asked = {{"--obs-lat", lat}, {"--obs-lon", lon}, {"--obs-name", NULL},
                                       .radians = radians};

    return points_read(file, &asked, points, error);
}

/* A text, the requested columns, and the error after the file's name. */
struct bad {
    const char *text, *lat, *lon, *error;
    bool radians;
    size_t length; /* where the text has a NUL; else 0 */
};

static const struct bad bads[] = {
    {.text = "", .error = ": is empty"},
    {.text = "\xEF\xBB\xBF", .error = ": is empty"},
    {.text = "lat,lon\n", .error = ": has a header and no rows"},
    {.text = "lat,lon\n\n\n", .error = ": has a header and no rows"},
    {.text = "sep=;\r\n", .error = ": is empty"},
    {.text = "sep=;\nlat;lon\n91;2\n", .error = ":3:1: latitude 91 is not between -90 and 90; is it the longitude?"},
    {.text = "\n \n\t\n", .error = ": is empty"},
    {.text = "\n\nlat,lon\n\n91,2\n", .error = ":5:1: latitude 91 is not between -90 and 90; is it the longitude?"},
    {.text = "lat;lon\n1;\"2\"x\n", .error = ":2:6: after a closing quotation mark there must be a "
                                           "semicolon or the end of the line"},
    {.text = "lat\tlon\n1\t2\t3\n",
     .error = ":2: the number of columns is 3 here and 2 in the first row"},
    {.text = "lat;lon\n1,2,3;4\n", .error = ":2:1: latitude 1,2,3 has \",2,3\" after the number"},

    {.text = "lat,lon\n91,2\n", .error = ":2:1: latitude 91 is not between -90 and 90; is it the longitude?"},
    {.text = "lat,lon\n-90.01,2\n", .error = ":2:1: latitude -90.01 is not between -90 and 90; is it the longitude?"},
    {.text = "lat,lon\n1,2\n1,361\n", .error = ":3:3: longitude 361 is not between -180 and 360"},
    {.text = "lat,lon\n1,-181", .error = ":2:3: longitude -181 is not between -180 and 360"},
    {.text = "lat,lon\n1.58,1\n", .radians = true,
     .error = ":2:1: latitude 1.58 is not between -pi/2 and pi/2"},
    {.text = "lat,lon\n1,6.3\n", .radians = true,
     .error = ":2:3: longitude 6.3 is not between -pi and 2 pi"},
    {.text = "lat,lon\nnan,2\n", .error = ":2:1: latitude is nan; --skip-missing leaves out such rows"},
    {.text = "lat,lon\n1,-inf\n", .error = ":2:3: longitude -inf is not finite"},
    {.text = "lat,lon\n1e999,0\n", .error = ":2:1: latitude 1e999 is not finite"},
    {.text = "lat,lon\n,2\n", .error = ":2:1: latitude is empty; --skip-missing leaves out such rows"},
    {.text = "lat,lon\n1,N/A\n", .error = ":2:3: longitude is N/A; --skip-missing leaves out such rows"},
    {.text = "lat,lon\n1,\" \"\n", .error = ":2:3: longitude is empty; --skip-missing leaves out such rows"},
    {.text = "lat,lon\nnorth,2\n", .error = ":2:1: latitude \"north\" is not a number"},
    {.text = "lat,lon\n12.5N,2\n", .error = ":2:1: latitude 12.5N has \"N\" after the number; write decimal "
                                       "degrees, south and west negative, e.g. -33.87"},
    {.text = "lat,lon\n1,W2\n", .error = ":2:3: longitude \"W2\" is not a number; write decimal degrees, south and "
                                        "west negative, e.g. -33.87"},
    {.text = "lat,lon\n\xE2\x88\x92" "1,2\n", .error = ":2:1: latitude \"\xE2\x88\x92" "1\" is not a number; a minus sign "
                                                      "is the character -"},
    {.text = "lat,lon\n1N,2\n", .radians = true, .error = ":2:1: latitude 1N has \"N\" after the number"},
    {.text = "lat,lon\n0x10,2\n", .error = ":2:1: latitude 0x10 has \"x10\" after the number"},
    {.text = "lat,lon\n\"1,5\",2\n", .error = ":2:1: latitude 1,5 has \",5\" after the number; decimal commas "
                                          "need semicolons or tabs between columns"},

    {.text = "lat,lon\n1\n", .error = ":2: the number of columns is 1 here and 2 in the first row"},
    {.text = "lat,lon\n1,2,3\n",
     .error = ":2: the number of columns is 3 here and 2 in the first row"},
    {.text = "lat,lon\n1,\"2\n3,4\n", .error = ":2:3: this quotation mark is never closed"},
    {.text = "lat,lon\n\"1\"2,3\n", .error = ":2:4: after a closing quotation mark there must be a "
                                            "comma or the end of the line"},
    {.text = "lat,lon\n1,\0 2\n", .length = 14,
     .error = ":2:3: a NUL byte; is this UTF-16, or no text at all?"},

    /* Lines are those of the file; columns are characters. */
    {.text = "a,lat,lon\n\"x\ny\",91,0\n", .error = ":3:4: latitude 91 is not between -90 and 90; is it the longitude?"},
    {.text = "a,lat,lon\r\n\"\xC3\xA4\xE2\x82\xAC\",91,0\r\n",
     .error = ":2:6: latitude 91 is not between -90 and 90; is it the longitude?"},
    {.text = "lat,lon\r1,2\r91,0\r", .error = ":3:1: latitude 91 is not between -90 and 90; is it the longitude?"},

    {.text = "a,b\n1,2\n",
     .error = ":1: no column looks like the latitude; give --obs-lat NAME or NUMBER, one of \"a\", \"b\""},
    {.text = "lat,b\n1,2\n",
     .error = ":1: no column looks like the longitude; give --obs-lon NAME or NUMBER, one of \"lat\", "
              "\"b\""},
    {.text = "lat,Lat,lon\n1,2,3\n", .error = ":1: columns 1 and 2 could both be the latitude; "
                                             "choose with --obs-lat NUMBER: \"lat\", \"Lat\", \"lon\""},
    {.text = "latitude_rad,lon\n1,2\n", .error = ":1: no column looks like the latitude; give --obs-lat NAME "
                                                 "or NUMBER, one of \"latitude_rad\", \"lon\""},
    {.text = "a,b\n1,2\n", .lat = "c",
     .error = ":1: --obs-lat c: not one of the columns \"a\", \"b\""},
    {.text = "a,b\n1,2\n", .lat = "1", .lon = "3",
     .error = ":1: --obs-lon 3: the columns are 1 to 2: \"a\", \"b\""},
    {.text = "a,b\n1,2\n", .lat = "0", .lon = "1",
     .error = ":1: --obs-lat 0: the columns are 1 to 2: \"a\", \"b\""},
    {.text = "a,b\n1,2\n", .lat = "2", .lon = "2",
     .error = ":1: column 2 cannot be both latitude and longitude: \"a\", \"b\""},
    {.text = "1,b\n1,2\n", .lat = "1", .lon = "2",
     .error = ":1:3: longitude \"b\" is not a number"},
};

static void refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        const struct bad *b = &bads[i];
        size_t length = b->length > 0 ? b->length : strlen(b->text);
        const char *path = scratch_file("bad.csv", b->text, length);
        struct points points;
        struct error error = {""};

        assert_false(read_points(path, b->lat, b->lon, b->radians, &points, &error));
        assert_error(&error, path, b->error);
        assert_null(points.point);
    }
}

/* A text whose last point is 1.5 degrees north, -2.25 east. */
struct good {
    const char *text, *lat, *lon;
    size_t count;
};

static const struct good goods[] = {
    {"lat,lon\n1.5,-2.25\n", NULL, NULL, 1},
    {"lat,lon\n1.5,-2.25", NULL, NULL, 1},
    {"lat,lon\r\n0,0\r\n1.5,-2.25\r\n\r\n\n", NULL, NULL, 2},
    {"lat,lon\r1.5,-2.25\r", NULL, NULL, 1},
    {"\xEF\xBB\xBF\"lat\",lon\n1.5,-2.25\n", NULL, NULL, 1},
    {"\xEF\xBD\x8C,lat,lon\n0,1.5,-2.25\n", NULL, NULL, 1}, /* begins like a byte order mark */
    {"LATITUDE , lng\n +1.5 ,\t-225e-2 \n", NULL, NULL, 1},
    {"name,x,y\n\"say \"\"hi\"\", and\nbye\",-2.25,1.5\n", NULL, NULL, 1},
    {"name,lat,lon\n5\" pipe,1.5,-2.25\n", NULL, NULL, 1},
    {"dme_latitude_deg,latitude_deg,longitude_deg\n,1.5,-2.25\n", NULL, NULL, 1},
    {"y,x,GPS latitude,GPS longitude\n8,9,1.5,-2.25\n", NULL, NULL, 1},
    {"lat,lon,Lat\n8,-2.25,1.5\n", "Lat", NULL, 1},
    {"lat,B,c\n8,1.5,-2.25\n", "b", "C", 1},
    {"a,b\n1.5,-2.25\n", "1", "2", 1},
    {"0,9\n-2.25,1.5\n", "2", "1", 2}, /* no header */
    {"\n\nlat,lon\n\n0,0\n  \n1.5,-2.25\n\n", NULL, NULL, 2},
    {"lat;lon\n1.5;-2.25\n", NULL, NULL, 1},
    {"lat;lon\r\n1,5;-2,25\r\n", NULL, NULL, 1}, /* decimal commas */
    {"\xEF\xBB\xBFsep=;\r\nlat;lon;a,b,c,d\r\n1,5;-2,25;\r\n", NULL, NULL, 1},
    {"SEP=\t\nlat\tlon\n1,5\t-2,25", NULL, NULL, 1},
    {"name\tlat\tlon\na, b; c\t1.5\t-2.25\n", NULL, NULL, 1},
    {"\"a,b,c\";lat;lon\n\"say \"\"1,2\"\"\";1.5;-2.25\n", NULL, NULL, 1}, /* quoted separators do not count */
    {"\"say \"\",,,\"\"\";lat;lon\n0;1.5;-2.25\n", NULL, NULL, 1},
    {"5\" pipe;lat;lon\n0;1.5;-2.25\n", NULL, NULL, 1},
    {"h,0,9\nj,1.5,-2.25\n", "2", "3", 2}, /* no header */
};

static void reads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof goods / sizeof goods[0]; i++) {
        const struct good *g = &goods[i];
        const char *path = scratch_file("good.csv", g->text, strlen(g->text));
        struct points points;
        struct error error = {""};

        if (!read_points(path, g->lat, g->lon, false, &points, &error))
            fail_msg("%s", error.text);
        assert_int_equal(points.count, g->count);
        assert_true(points.point[g->count - 1].lat == 1.5 * (M_PI / 180));
        assert_true(points.point[g->count - 1].lon == -2.25 * (M_PI / 180));
        points_free(&points);
    }
}

static void keeps_the_ends_of_the_ranges(void **state)
{
    static const char degrees[] = "lat,lon\n90,360\n-90,-180\n";
    static const char radians[] = "lat,lon\n1.5707964,6.2831855\n-1.5707964,-3.1415927\n";
    struct points p;
    struct error error = {""};

    (void)state;
    for (int in_radians = 0; in_radians < 2; in_radians++) {
        const char *text = in_radians ? radians : degrees;

        assert_true(read_points(scratch_file("ends.csv", text, strlen(text)), NULL, NULL,
                                    in_radians, &p, &error));
        assert_true((float)p.point[0].lat == (float)M_PI_2 && (float)p.point[0].lon == (float)(2 * M_PI));
        assert_true((float)p.point[1].lat == -(float)M_PI_2 && (float)p.point[1].lon == -(float)M_PI);
        points_free(&p);
    }
}

static void grows(void **state)
{
    const char *path = scratch_path("many.csv");
    FILE *stream = fopen(path, "w");
    struct points p;
    struct error error = {""};

    (void)state;
    assert_non_null(stream);
    fputs("lat,lon\n", stream);
    for (int i = 0; i < 5000; i++)
        fprintf(stream, "%g,%g\n", i / 100.0, -i / 50.0);
    assert_int_equal(fclose(stream), 0);

    assert_true(read_points(path, NULL, NULL, false, &p, &error));
    assert_int_equal(p.count, 5000);
    for (int i = 0; i < 5000; i++) {
        assert_true(fabs(p.point[i].lat - i / 100.0 * M_PI / 180) < 1e-6);
        assert_true(fabs(p.point[i].lon + i / 50.0 * M_PI / 180) < 1e-6);
    }
    points_free(&p);

    scratch_memory = 10000;
    assert_false(read_points(path, NULL, NULL, false, &p, &error));
    scratch_memory = (size_t)1 << 30;
    assert_error(&error, path, ": needs 40.0 KiB of memory, and this machine has 9.8 KiB free");
}

/* Rows keep their numbers, whatever was left out, and names their text. */
static void leaves_out_rows_and_keeps_names(void **state)
{
    static const char text[] = "name,lat,lon\nA,,\n\n\"B, \"\"C\"\"\",1,2\nD,NaN,1\nE,na,2\nF,3,n/a\nG,4,NULL\n"
                               "H,none,1\n,5,6\n";
    struct points_asked asked = {.name = {"--obs-name", "NAME"}, .skip_missing = true};
    const char *path = scratch_file("gaps.csv", text, strlen(text));
    struct points p;
    struct error error = {""};

    (void)state;
    assert_true(points_read(path, &asked, &p, &error));
    assert_int_equal(p.count, 2);
    assert_int_equal(p.skipped, 6);
    assert_int_equal(p.point[0].row, 1);
    assert_int_equal(p.point[0].sheet, 4);
    assert_string_equal(p.names + p.point[0].name, "B, \"C\"");
    assert_int_equal(p.point[1].row, 7);
    assert_int_equal(p.point[1].sheet, 10);
    assert_string_equal(p.names + p.point[1].name, "");
    points_free(&p);

    asked.name.value = "title";
    assert_false(points_read(path, &asked, &p, &error));
    assert_error(&error, path, ":1: --obs-name title: not one of the columns \"name\", \"lat\", \"lon\"");
    asked.name.value = "lat"; /* one column for both */
    assert_true(points_read(path, &asked, &p, &error));
    assert_true(p.point[1].lat == 5 * (M_PI / 180));
    assert_string_equal(p.names + p.point[1].name, "5");
    points_free(&p);

    static const char none[] = "lat,lon\n,\nNA,NA\n";
    asked.name.value = NULL;
    path = scratch_file("none.csv", none, strlen(none));
    assert_false(points_read(path, &asked, &p, &error));
    assert_error(&error, path, ": none of the 2 rows has coordinates");

    static const char headless[] = ",\n1,2\n"; /* the first row is data, although it is empty */
    asked.lat.value = "1";
    asked.lon.value = "2";
    path = scratch_file("headless.csv", headless, strlen(headless));
    assert_true(points_read(path, &asked, &p, &error));
    assert_int_equal(p.skipped, 1);
    assert_int_equal(p.point[0].row, 1);
    assert_int_equal(p.point[0].sheet, 2);
    points_free(&p);

    static const char stated[] = "sep=,\n1,2\n"; /* no spreadsheet shows its first line */
    path = scratch_file("stated.csv", stated, strlen(stated));
    assert_true(points_read(path, &asked, &p, &error));
    assert_int_equal(p.point[0].sheet, 1);
    points_free(&p);
}

static void refuses_a_long_name_and_a_long_head(void **state)
{
    enum { LONG = 1100000 };
    const struct points_asked asked = {.name = {"--obs-name", "3"}};
    static const char row[] = "lat,lon,name\n1,2,";
    char *text = malloc(LONG);
    struct points p;
    struct error error = {""};

    (void)state;
    assert_non_null(text);
    memset(text, 'x', LONG);
    memcpy(text, row, sizeof row - 1);
    const char *path = scratch_file("long.csv", text, 400);
    assert_false(points_read(path, &asked, &p, &error));
    assert_error(&error, path, ":2:5: the name is longer than 255 bytes");
    memset(text, 'x', 20);
    path = scratch_file("long.csv", text, LONG);
    assert_false(points_read(path, &asked, &p, &error));
    assert_error(&error, path, ":1: the first row is longer than 1048576 bytes; is this a table?");
    free(text);
}

/* The rounding is that of the worst point: here longitude 179.9, half a unit in the last place at most. */
static void tells_the_rounding(void **state)
{
    static const char text[] = "lat,lon\n0,0\n0,179.9\n0,1\n";
    struct points p;
    struct error error = {""};
    const double exact = 179.9 * M_PI / 180;

    (void)state;
    assert_true(read_points(scratch_file("r.csv", text, strlen(text)), NULL, NULL, false, &p, &error));
    assert_true(p.rounding == fabs((double)(float)exact - exact));
    assert_true(p.rounding > 1e-9 && p.rounding <= 0x1p-23);
    points_free(&p);
}

static void reads_standard_input(void **state)
{
    static const char text[] = "lat;lon\n1.5;-2.25\n91;0\n";
    struct points p;
    struct error error = {""};

    (void)state;
    assert_non_null(freopen(scratch_file("in.csv", text, strlen(text)), "r", stdin));
    assert_false(read_points("-", NULL, NULL, false, &p, &error));
    assert_string_equal(error.text, "standard input:3:1: latitude 91 is not between -90 and 90; is it the longitude?");
    assert_false(read_points("-", NULL, NULL, false, &p, &error));
    assert_string_equal(error.text, "standard input is read once, so only one file can be -");
}

static void minds_no_locale(void **state)
{
    static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    static const char text[] = "lat,lon\n1.5,-2.25\n";
    const char *set = NULL;
    struct points p;
    struct error error = {""};

    (void)state;
    for (size_t i = 0; i < sizeof with_comma / sizeof with_comma[0] && set == NULL; i++)
        set = setlocale(LC_ALL, with_comma[i]);
    if (set == NULL) {
        print_message("# skipped: no locale with a decimal comma is there\n");
        return;
    }
    assert_true(read_points(scratch_file("l.csv", text, strlen(text)), NULL, NULL, false, &p,
                                &error));
    assert_true(p.point[0].lat == 1.5 * (M_PI / 180));
    points_free(&p);
    assert_string_equal(localeconv()->decimal_point, ",");
    setlocale(LC_ALL, "C");
}

static void reads_what_is_no_file(void **state)
{
    static const char text[] = "lat,lon\n1.5,-2.25\n";
    struct points p;
    struct error error = {""};
    char pipe_name[32];
    int ends[2];

    (void)state;
    assert_false(read_points("/nonexistent.csv", NULL, NULL, false, &p, &error));
    assert_string_equal(error.text, "/nonexistent.csv: No such file or directory");
    assert_false(read_points(scratch_folder, NULL, NULL, false, &p, &error));
    assert_error(&error, scratch_folder, ": is a folder, not a file");
    assert_false(read_points("/dev/null", NULL, NULL, false, &p, &error));
    assert_string_equal(error.text, "/dev/null: is empty");

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
    close(ends[1]);
    (void)snprintf(pipe_name, sizeof pipe_name, "/dev/fd/%d", ends[0]);
    assert_true(read_points(pipe_name, NULL, NULL, false, &p, &error));
    assert_int_equal(p.count, 1);
    points_free(&p);
    close(ends[0]);

    const char *path = scratch_file("locked.csv", text, strlen(text));
    assert_int_equal(chmod(path, 0), 0);
    if (geteuid() == 0)
        return; /* root may read everything */
    assert_false(read_points(path, NULL, NULL, false, &p, &error));
    assert_error(&error, path, ": Permission denied");
}

static void errors_are_one_line(void **state)
{
    static const char text[] = "a\x1b[31m\xFF,\"b\nc\"\n1,2\n";
    struct points p;
    struct error error = {""};
    const char *path = scratch_file("rude.csv", text, strlen(text));

    (void)state;
    assert_false(read_points(path, NULL, NULL, false, &p, &error));
    assert_error(&error, path, ":1: no column looks like the latitude; give --obs-lat NAME or NUMBER, "
                               "one of \"a?[31m?\", \"b?c\"");
}

static void reads_earthquakes(void **state)
{
    const char *path = real_data("earthquakes-23k.csv");
    struct points p;
    struct error error = {""};

    (void)state;
    if (path == NULL)
        return;
    assert_true(read_points(path, NULL, NULL, false, &p, &error));
    assert_int_equal(p.count, 23412);
    assert_true(p.point[0].lat == 19.246 * (M_PI / 180));
    assert_true(p.point[23411].lon == 141.4103 * (M_PI / 180));
    points_free(&p);
}

static void reads_navaids(void **state)
{
    const char *path = real_data("navaids.csv");
    struct points p;
    struct error error = {""};

    (void)state;
    if (path == NULL)
        return;
    assert_true(read_points(path, NULL, NULL, false, &p, &error));
    assert_int_equal(p.count, 11008);
    assert_true(p.point[0].lat == 52.55889892578125 * (M_PI / 180));
    assert_true(p.point[11007].lon == -97.89689636230469 * (M_PI / 180));
    points_free(&p);
    assert_false(read_points(path, "dme_latitude_deg", NULL, false, &p, &error));
    assert_error(&error, path, ":2:114: latitude is empty; --skip-missing leaves out such rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses),
        cmocka_unit_test(reads),
        cmocka_unit_test(keeps_the_ends_of_the_ranges),
        cmocka_unit_test(grows),
        cmocka_unit_test(leaves_out_rows_and_keeps_names),
        cmocka_unit_test(refuses_a_long_name_and_a_long_head),
        cmocka_unit_test(tells_the_rounding),
        cmocka_unit_test(reads_standard_input),
        cmocka_unit_test(minds_no_locale),
        cmocka_unit_test(reads_what_is_no_file),
        cmocka_unit_test(errors_are_one_line),
        cmocka_unit_test(reads_earthquakes),
        cmocka_unit_test(reads_navaids),
    };

    return cmocka_run_group_tests_name("csv", tests, scratch_begin, scratch_end);
}
