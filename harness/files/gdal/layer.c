#include "harness/files/gdal/layer.h"

#include <ogr_api.h>

#include "harness/base/text.h"

static OGRLayerH layer(const struct dataset *set, int i)
{
    return GDALDatasetGetLayer(set->handle, i);
}

/* Returns the only layer that has features, geometry or not.  NULL: `count` of them have. */
static OGRLayerH only_one(const struct dataset *set, bool geometry, size_t *count)
{
    OGRLayerH found = NULL;

    *count = 0;
    for (int i = 0; i < GDALDatasetGetLayerCount(set->handle); i++)
        if ((OGR_L_GetGeomType(layer(set, i)) != wkbNone) == geometry && OGR_L_GetFeatureCount(layer(set, i), TRUE) != 0) {
            found = layer(set, i);
            ++*count;
        }
    return *count == 1 ? found : NULL;
}

static OGRLayerH refuse(const struct dataset *set, const struct asked *asked, struct error *error)
{
    char names[300] = "";

    for (int i = 0; i < GDALDatasetGetLayerCount(set->handle); i++)
        text_add(names, sizeof names, "%s\"%s\"", i > 0 ? ", " : "", OGR_L_GetName(layer(set, i)));
    if (asked->value != NULL)
        error_set(error, "%s: %s %s: not one of the layers %s", set->name, asked->option, asked->value, names);
    else
        error_set(error, "%s: choose a layer with %s: %s", set->name, asked->option, names);
    return NULL;
}

OGRLayerH layer_choose(const struct dataset *set, const struct asked *asked, struct error *error)
{
    const int layers = GDALDatasetGetLayerCount(set->handle);
    size_t count;
    OGRLayerH found;

    if (asked->value != NULL) {
        found = GDALDatasetGetLayerByName(set->handle, asked->value);
    } else if (layers == 1) {
        found = layer(set, 0);
    } else {
        found = only_one(set, true, &count);
        if (count == 0)
            found = only_one(set, false, &count);
        if (count == 0) {
            error_set(error, "%s: has no points", set->name);
            return NULL;
        }
    }
    return found != NULL ? found : refuse(set, asked, error);
}
