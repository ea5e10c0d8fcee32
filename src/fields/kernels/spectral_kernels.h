/* Interpolation in the tables of spectral fields, in the instruction set that is being compiled. */
#ifndef FIELDS_KERNELS_SPECTRAL_KERNELS_H
#define FIELDS_KERNELS_SPECTRAL_KERNELS_H

#include "base/loop.h"
#include "fields/spectral.h"

/* Where a block of points lies in a table. */
typedef struct SpectralPlaces {
    size_t count;                  /* at most BLOCK_ROWS */
    int32_t base[BLOCK_ROWS];      /* floats to the point below, in all axes */
    mote_real part[3][BLOCK_ROWS]; /* of the way to the next point, 0 to 1 */
} SpectralPlaces;

/* The places of points given in the grid's own frame, m. */
void ISA(spectral_locate)(const SpectralView *view, size_t count, mote_real *const x[3],
                          SpectralPlaces *places);

/* Writes SPECTRAL_LANES values for every place. */
typedef void SpectralInterpolate(const SpectralView *view, const SpectralPlaces *places,
                                 mote_real *values);
SpectralInterpolate ISA(spectral_linear), ISA(spectral_cubic), ISA(spectral_curl);

SpectralBlend ISA(spectral_blend);

/* What a row asks for. */
typedef struct SpectralSum {
    Spectral *spectral;
    double travelled[3]; /* m, by the mean wind */
    mote_real strength;  /* factor on the field */
    bool carried;        /* finer grids are carried by coarser ones */
    double turnover;     /* s, of the eddies that carry; and the key of the shifts */
    RandomKey key;
} SpectralSum;

/* Writes one plane or three. */
void ISA(spectral_sum)(const SpectralSum *sum, const FieldPoints *points, mote_real *const out[3]);

#endif
