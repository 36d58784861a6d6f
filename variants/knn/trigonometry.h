/*
 * Unit vectors and distances in float64 without calls and branches, so that a compiler turns loops over many
 * points into vector instructions, whichever the caller is compiled for.
 *
 * Error    Series and polynomials are off by less than 2^-30, so that rounding to float32, u = 2^-24, is all
 *          that counts (docs/knn-exactness.md, "CPU: precise unit vectors").
 */
#ifndef RUNGS_KNN_TRIGONOMETRY_H
#define RUNGS_KNN_TRIGONOMETRY_H

#include <math.h>

#include "exact.h" /* INLINE */

static const double half_turn = 3.14159265358979323846;

/* For |x| < 2^51.  The sum with 1.5 * 2^52 has no bits for a fraction. */
INLINE double nearest_integer(double x)
{
    return x + 0x1.8p52 - 0x1.8p52;
}

/* Taylor series, |x| <= pi/2 */
INLINE double sine(double x)
{
    double z = x * x;

    return x * (1 + z * (-1. / 6 + z * (1. / 120 + z * (-1. / 5040 + z * (1. / 362880 +
           z * (-1. / 39916800 + z * (1. / 6227020800 + z * (-1. / 1307674368000))))))));
}

/* Taylor series, |x| <= pi/2 */
INLINE double cosine(double x)
{
    double z = x * x;

    return 1 + z * (-1. / 2 + z * (1. / 24 + z * (-1. / 720 + z * (1. / 40320 +
           z * (-1. / 3628800 + z * (1. / 479001600 + z * (-1. / 87178291200 +
           z * (1. / 20922789888000))))))));
}

/* sine() with more terms, off by float64's own rounding, |x| <= pi/2 */
INLINE double fine_sine(double x)
{
    double z = x * x;

    return x + x * z * (-1. / 6 + z * (1. / 120 + z * (-1. / 5040 + z * (1. / 362880 +
           z * (-1. / 39916800 + z * (1. / 6227020800 + z * (-1. / 1307674368000 +
           z * (1. / 355687428096000 + z * (-1. / 121645100408832000 +
           z * (1. / 51090942171709440000.))))))))));
}

/* cosine() with more terms, |x| <= pi/2 */
INLINE double fine_cosine(double x)
{
    double z = x * x;

    return 1 + z * (-1. / 2 + z * (1. / 24 + z * (-1. / 720 + z * (1. / 40320 +
           z * (-1. / 3628800 + z * (1. / 479001600 + z * (-1. / 87178291200 +
           z * (1. / 20922789888000 + z * (-1. / 6402373705728000 +
           z * (1. / 2432902008176640000. + z * (-1. / 1124000727777607680000.)))))))))));
}

/* A polynomial fitted at Chebyshev nodes, 0 <= x <= sqrt(1/2) */
INLINE double arcsine(double x)
{
    double z = x * x;

    return x * (0.99999999976241092 + z * (0.1666667614887702 + z * (0.074993812876090636 +
           z * (0.044797868635070888 + z * (0.028433801421089385 + z * (0.036208175733244808 +
           z * (-0.041068087463525258 + z * (0.16083178188328771 + z * (-0.19554627204723674 +
           z * 0.143151061104904)))))))));
}

/* The unit vector of (lat, lon).  Half a turn changes the signs of both sine and cosine of lon. */
INLINE void to_unit_vector(double lat, double lon, double *x, double *y, double *z)
{
    double turns = nearest_integer(lon / half_turn);
    double odd = turns / 2 - nearest_integer(turns / 2); /* 0, or one half of either sign */
    double ahead = lon - turns * half_turn;
    double radius = cosine(lat) * (1 - 8 * odd * odd);

    *x = radius * cosine(ahead);
    *y = radius * sine(ahead);
    *z = sine(lat);
}

/* The same by fine_sine() and fine_cosine() */
INLINE void to_fine_unit_vector(double lat, double lon, double *x, double *y, double *z)
{
    double turns = nearest_integer(lon / half_turn);
    double odd = turns / 2 - nearest_integer(turns / 2);
    double ahead = lon - turns * half_turn;
    double radius = fine_cosine(lat) * (1 - 8 * odd * odd);

    *x = radius * fine_cosine(ahead);
    *y = radius * fine_sine(ahead);
    *z = fine_sine(lat);
}

/* The haversine formula; for more than a right angle, by the distance from the antipode. */
INLINE double angle_between(double lat1, double lon1, double lat2, double lon2)
{
    double turn = (lon2 - lon1) / 2;
    double sin_lat = sine((lat2 - lat1) / 2);
    double sin_lon = sine(turn - nearest_integer(turn / half_turn) * half_turn);
    double h = sin_lat * sin_lat + cosine(lat1) * cosine(lat2) * sin_lon * sin_lon;
    double rest = 1 - h > 0 ? 1 - h : 0;
    double angle = 2 * arcsine(sqrt(h < rest ? h : rest));

    return h < rest ? angle : half_turn - angle;
}

#endif
