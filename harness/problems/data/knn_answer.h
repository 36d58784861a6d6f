/* The answer of knn as a file: CSV, NPY or GeoJSON. */
#ifndef RUNGS_DATA_KNN_ANSWER_H
#define RUNGS_DATA_KNN_ANSWER_H

#include "common/knn.h"
#include "harness/files/points.h"
#include "harness/problems/knn_tree.h"

/* What the user's files hold, and what the answer says of it. */
struct knn_points {
    struct points obs, ref;
    bool sheets; /* rows also as a spreadsheet numbers them, because rows were left out */
    bool float64;              /* the user wants the neighbours of unrounded coordinates */
    struct neighbour *nearest; /* [m][k] these, once they are there; NULL: the variant's are the answer */
    size_t answers, changed;   /* m k, and how many of them the variant's answer does not have in their place */
};

/* The Earth's mean radius (2a + b)/3 of WGS 84, km (IUGG; H. Moritz, Geodetic Reference System
   1980). */
#define EARTH_RADIUS 6371.0088

/* Returns whether there is a format for the file's name: .csv, .npy or .geojson; streams get CSV.  `points`
   is NULL for generated data, in both. */
bool knn_answer_fits(const struct knn_points *points, const char *file, struct error *error);

/* Writes the answer. */
bool knn_answer_save(const struct knn *p, const struct knn_points *points, const char *file,
                     struct error *error);

#endif
