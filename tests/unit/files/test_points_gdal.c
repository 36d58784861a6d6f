/* needs: gdal */
#include "tests/unit/files/gdal_files.h"

#include "harness/files/points.h"

static const double DEGREE = M_PI / 180;

static struct points points;
static struct error error;

/* Reads, or shows why not. */
static bool reads(const char *name, const struct points_asked *asked)
{
    error.text[0] = '\0';
    return points_read(scratch_path(name), asked, &points, &error);
}

static void must_read(const char *name, const struct points_asked *asked)
{
    if (!reads(name, asked))
        fail_msg("%s", error.text);
}

static void must_refuse(const char *name, const struct points_asked *asked, const char *why)
{
    if (reads(name, asked))
        fail_msg("%s: has been read", name);
    assert_error(&error, scratch_path(name), why);
}

static const char *name_of(size_t i)
{
    return points.names + points.point[i].name;
}

static void assert_place(size_t i, double lat, double lon)
{
    if (fabs(points.point[i].lat - lat * DEGREE) > 1e-12 || fabs(points.point[i].lon - lon * DEGREE) > 1e-12)
        fail_msg("%s: %zu: %.12g %.12g instead of %.12g %.12g", points.file, i, points.point[i].lat / DEGREE,
                 points.point[i].lon / DEGREE, lat, lon);
}

static const struct points_asked nothing, skip = {.skip_missing = true}, named = {.name = {"--obs-name", "NAME"}};

/* --- formats ---------------------------------------------------------------------------------- */

static void every_format_keeps_places_and_names(void **state)
{
    static const struct {
        const char *driver, *file;
    } formats[] = {{"GPKG", "p.gpkg"}, {"ESRI Shapefile", "p.shp"}, {"GeoJSON", "p.geojson"}, {"FlatGeobuf", "p.fgb"},
                   {"GPKG", "p.sqlite"}, {"Parquet", "p.parquet"}};

    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        GDALAllRegister();
        if (GDALGetDriverByName(formats[i].driver) == NULL) {
            print_message("# this GDAL lacks %s\n", formats[i].driver);
            continue;
        }
        GDALDatasetH set = gdal_new(formats[i].driver, formats[i].file);
        OGRLayerH layer = gdal_layer(set, "p", 4326, wkbPoint);
        gdal_field(layer, "name", OFTString);
        gdal_add(layer, "POINT (13.4049541 52.5200066)", "Berlin");
        gdal_add(layer, "POINT (181.25 -90)", "Nordpol \xC3\xBC");
        GDALClose(set);

        must_read(formats[i].file, &named);
        assert_int_equal(points.count, 2);
        const size_t berlin = strcmp(name_of(0), "Berlin") == 0 ? 0 : 1; /* FlatGeobuf orders by place */
        const struct point *p = &points.point[berlin];
        if (strcmp(formats[i].driver, "GeoJSON") != 0) /* GDAL writes it with seven digits */
            assert_true(p->lat == 52.5200066 * DEGREE && p->lon == 13.4049541 * DEGREE);
        assert_place(berlin, 52.5200066, 13.4049541);
        assert_place(1 - berlin, -90, 181.25);
        assert_true(points.point[1].row == 1 && points.point[1].sheet == 2);
        assert_string_equal(name_of(berlin), "Berlin");
        assert_string_equal(name_of(1 - berlin), "Nordpol \xC3\xBC");
        assert_string_equal(points.crs, "");
        points_free(&points);
    }
}

/* Standard input has no ending that names the format. */
static void a_geopackage_comes_through_a_stream(void **state)
{
    GDALDatasetH set = gdal_new("GPKG", "stream.gpkg");
    OGRLayerH layer = gdal_layer(set, "p", 4326, wkbPoint);

    (void)state;
    gdal_add(layer, "POINT (13 52)", NULL);
    GDALClose(set);
    assert_non_null(freopen(scratch_path("stream.gpkg"), "r", stdin));
    error.text[0] = '\0';
    if (!points_read("-", &nothing, &points, &error))
        fail_msg("%s", error.text);
    assert_place(0, 52, 13);
    points_free(&points);
}

static void axes_have_the_order_of_their_system(void **state)
{
    static const char gml[] =
        "<ogr:FeatureCollection xmlns:ogr=\"http://ogr.maptools.org/\" xmlns:gml=\"http://www.opengis.net/gml/3.2\">"
        "<ogr:featureMember><ogr:p><ogr:geometry><gml:Point srsName=\"urn:ogc:def:crs:EPSG::4326\">"
        "<gml:pos>52.5 13.25</gml:pos></gml:Point></ogr:geometry></ogr:p></ogr:featureMember>"
        "</ogr:FeatureCollection>";

    (void)state;
    (void)scratch_file("p.gml", gml, strlen(gml));
    must_read("p.gml", &nothing);
    assert_place(0, 52.5, 13.25);
    points_free(&points);
}

static void heights_do_not_count(void **state)
{
    GDALDatasetH set = gdal_new("GPKG", "z.gpkg");
    OGRLayerH layer = gdal_layer(set, "z", 4979, wkbUnknown);

    (void)state;
    gdal_add(layer, "POINT Z (13 52 100)", NULL);
    gdal_add(layer, "POINT M (14 53 7)", NULL);
    gdal_add(layer, "POINT ZM (15 54 1000 7)", NULL);
    GDALClose(set);
    must_read("z.gpkg", &nothing);
    for (size_t i = 0; i < 3; i++)
        assert_place(i, 52.0 + (double)i, 13.0 + (double)i);
    assert_string_equal(points.crs, "");
    points_free(&points);
}

/* --- coordinate reference systems ------------------------------------------------------------- */

/* Places that follow from the definitions of the systems, and Berlin by its known coordinates. */
static void other_systems_are_transformed(void **state)
{
    static const struct {
        int epsg;
        const char *point;
        double lat, lon, allowed;
        const char *name;
    } systems[] = {
        {3857, "POINT (10018754.171394622 0)", 0, 90, 1e-9, "WGS 84 / Pseudo-Mercator"},
        {32633, "POINT (500000 0)", 0, 15, 1e-9, "WGS 84 / UTM zone 33N"},
        {32733, "POINT (500000 10000000)", 0, 15, 1e-9, "WGS 84 / UTM zone 33S"},
        {25833, "POINT (391779 5820072)", 52.52, 13.405, 1e-4, "ETRS89 / UTM zone 33N"},
        {4258, "POINT (13.25 52.5)", 52.5, 13.25, 1e-9, "ETRS89"},
        {4269, "POINT (-100 40)", 40, -100, 1e-4, "NAD83"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        GDALDatasetH set = gdal_new("GPKG", "crs.gpkg");
        gdal_add(gdal_layer(set, "p", systems[i].epsg, wkbPoint), systems[i].point, NULL);
        GDALClose(set);
        must_read("crs.gpkg", &nothing);
        assert_true(fabs(points.point[0].lat / DEGREE - systems[i].lat) < systems[i].allowed);
        assert_true(fabs(points.point[0].lon / DEGREE - systems[i].lon) < systems[i].allowed);
        assert_string_equal(points.crs, systems[i].name);
        points_free(&points);
        scratch_files(true);
    }
}

static void numbers_without_a_system_are_refused(void **state)
{
    GDALDatasetH set = gdal_new("ESRI Shapefile", "bare.shp");

    (void)state;
    gdal_add(gdal_layer(set, "bare", 0, wkbPoint), "POINT (13 52)", NULL);
    GDALClose(set);
    must_refuse("bare.shp", &nothing,
                ": layer \"bare\" has no coordinate reference system, so its numbers could mean anything; "
                "add one, e.g. ogr2ogr -a_srs EPSG:4326");
}

/* --- features that are no points --------------------------------------------------------------- */

static void write_one(const char *geometry)
{
    GDALDatasetH set = gdal_new("GPKG", "one.gpkg");
    OGRLayerH layer = gdal_layer(set, "one", 4326, wkbUnknown);

    gdal_add(layer, "POINT (1 2)", NULL);
    gdal_add(layer, geometry, NULL);
    gdal_add(layer, "POINT (3 4)", NULL);
    GDALClose(set);
}

static void what_is_no_point_is_refused(void **state)
{
    static const struct {
        const char *geometry, *why;
    } bad[] = {
        {"POLYGON ((0 0, 1 0, 1 1, 0 0))", ": feature 2: is a POLYGON, not a point"},
        {"MULTIPOINT ((1 2))", ": feature 2: is a MULTIPOINT, not a point"},
        {"LINESTRING Z (0 0 0, 1 1 1)", ": feature 2: is a LINESTRING, not a point"},
        {"POINT (13 91)", ": feature 2: latitude 91 is not between -90 and 90"},
        {"POINT (-181 0)", ": feature 2: longitude -181 is not between -180 and 360"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        write_one(bad[i].geometry);
        must_refuse("one.gpkg", &skip, bad[i].why);
        scratch_files(true);
    }
}

static void what_is_missing_can_be_left_out(void **state)
{
    static const char *const missing[] = {NULL, "POINT EMPTY", "POLYGON EMPTY"};

    (void)state;
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        write_one(missing[i]);
        must_refuse("one.gpkg", &nothing, ": feature 2: has no geometry; --skip-missing leaves out such features");
        must_read("one.gpkg", &skip);
        assert_true(points.count == 2 && points.skipped == 1 && points.point[1].row == 2);
        assert_place(1, 4, 3);
        points_free(&points);
        scratch_files(true);
    }
}

/* --- layers and tables ------------------------------------------------------------------------ */

static void a_layer_is_chosen(void **state)
{
    const struct points_asked second = {.layer = {"--obs-layer", "towns"}},
                              other = {.layer = {"--obs-layer", "sea"}};
    GDALDatasetH set = gdal_new("GPKG", "layers.gpkg");
    OGRLayerH styles = gdal_layer(set, "styles", 0, wkbNone);

    (void)state;
    gdal_field(styles, "style", OFTString);
    gdal_add(styles, NULL, "red");
    (void)gdal_layer(set, "empty", 4326, wkbPoint);
    gdal_add(gdal_layer(set, "roads", 4326, wkbPoint), "POINT (1 2)", NULL);
    GDALClose(set);
    must_read("layers.gpkg", &nothing);
    assert_place(0, 2, 1);
    points_free(&points);

    set = GDALOpenEx(scratch_path("layers.gpkg"), GDAL_OF_VECTOR | GDAL_OF_UPDATE, NULL, NULL, NULL);
    gdal_add(gdal_layer(set, "towns", 4326, wkbPoint), "POINT (3 4)", NULL);
    GDALClose(set);
    must_refuse("layers.gpkg", &(struct points_asked){.layer = {"--obs-layer", NULL}},
                ": choose a layer with --obs-layer: \"roads\", \"empty\", \"towns\", \"styles\"");
    must_refuse("layers.gpkg", &other,
                ": --obs-layer sea: not one of the layers \"roads\", \"empty\", \"towns\", \"styles\"");
    must_read("layers.gpkg", &second);
    assert_place(0, 4, 3);
    points_free(&points);
}

static void a_table_has_columns(void **state)
{
    const struct points_asked by_number = {.lat = {"--obs-lat", "3"}, .lon = {"--obs-lon", "2"},
                                           .name = {"--obs-name", "fid"}, .skip_missing = true},
                              wrong = {.lat = {"--obs-lat", "north"}};
    GDALDatasetH set = gdal_new("GPKG", "table.gpkg");
    OGRLayerH table = gdal_layer(set, "table", 0, wkbNone);

    (void)state;
    gdal_field(table, "what", OFTString);
    gdal_field(table, "lon", OFTString);
    gdal_field(table, "lat", OFTReal);
    for (int i = 0; i < 3; i++) {
        OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(table));

        OGR_F_SetFieldString(feature, 1, i == 1 ? "NA" : "13.5");
        OGR_F_SetFieldDouble(feature, 2, 52.0 + i / 3.0);
        assert_int_equal(OGR_L_CreateFeature(table, feature), OGRERR_NONE);
        OGR_F_Destroy(feature);
    }
    GDALClose(set);
    must_refuse("table.gpkg", &nothing, ": feature 2: longitude is NA; --skip-missing leaves out such rows");
    must_refuse("table.gpkg", &wrong, ": --obs-lat north: not one of the columns \"what\", \"lon\", \"lat\", \"fid\"");
    must_read("table.gpkg", &by_number);
    assert_true(points.count == 2 && points.skipped == 1 && points.point[1].row == 2);
    assert_true(points.point[1].lat == (52.0 + 2 / 3.0) * DEGREE && points.point[1].lon == 13.5 * DEGREE);
    assert_string_equal(name_of(0), "1");
    assert_string_equal(name_of(1), "3");
    points_free(&points);
}

/* --- damage ----------------------------------------------------------------------------------- */

static void damaged_files_are_refused(void **state)
{
    static const char *const formats[][2] = {{"GPKG", "d.gpkg"}, {"ESRI Shapefile", "d.shp"}, {"GeoJSON", "d.geojson"},
                                             {"FlatGeobuf", "d.fgb"}};

    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        GDALDatasetH set = gdal_new(formats[i][0], formats[i][1]);
        OGRLayerH layer = gdal_layer(set, "d", 4326, wkbPoint);
        for (int j = 0; j < 4000; j++)
            gdal_add(layer, "POINT (1 2)", NULL);
        GDALClose(set);
        must_read(formats[i][1], &nothing);
        assert_int_equal(points.count, 4000);
        points_free(&points);

        FILE *stream = fopen(scratch_path(formats[i][1]), "r+b");
        assert_non_null(stream);
        assert_int_equal(fseek(stream, 0, SEEK_END), 0);
        assert_int_equal(ftruncate(fileno(stream), ftell(stream) * 2 / 3), 0);
        assert_int_equal(fclose(stream), 0);
        if (reads(formats[i][1], &nothing))
            fail_msg("%s: %zu points of a part of the file", formats[i][1], points.count);
        assert_null(strchr(error.text, '\n'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_keeps_places_and_names),
        cmocka_unit_test(a_geopackage_comes_through_a_stream),
        cmocka_unit_test(axes_have_the_order_of_their_system),
        cmocka_unit_test(heights_do_not_count),
        cmocka_unit_test(other_systems_are_transformed),
        cmocka_unit_test(numbers_without_a_system_are_refused),
        cmocka_unit_test(what_is_no_point_is_refused),
        cmocka_unit_test(what_is_missing_can_be_left_out),
        cmocka_unit_test(a_layer_is_chosen),
        cmocka_unit_test(a_table_has_columns),
        cmocka_unit_test(damaged_files_are_refused),
    };

    return cmocka_run_group_tests_name("points_gdal", tests, scratch_begin, scratch_end);
}
