/* Where particles are too crowded, and which way the surface is: gradients of the share of the
 * kernel that is filled. The factor 1 + R (W / W(d))^4 parts pairs that are nearer than a spacing
 * (Monaghan 2000).
 *
 * A formula: it includes nothing, and is compiled for the processor (kernels/shift.c) and for
 * devices (device/shift_crowd.cl), to the same bits. */
#ifndef SOLVERS_SPH_FORMULAS_SHIFT_H
#define SOLVERS_SPH_FORMULAS_SHIFT_H

typedef struct ShiftSums {
    Eight crowd[3], outward[3];
} ShiftSums;

/* Eight neighbours of a particle: their places, and filled shares. The factor's 0.2 and fourth
 * power are those of Monaghan 2000. */
EIGHT_INLINE void shift_eight(const ShiftLaw *law, const ShiftPacket *i, const Eight j[4],
                              ShiftSums *sums)
{
    const mote_real share = (mote_real)0.2; /* R */
    Eight d[3], r2 = eight_all(0);
    for (int c = 0; c < 3; ++c) {
        d[c] = i->x[c] - j[c];
        if (law->period[c] > 0) d[c] = eight_nearest_image(d[c], law->period[c]);
        r2 = r2 + d[c] * d[c];
    }
    const Eight q = eight_sqrt(r2) * law->inverse;
    const Eight slope = law->slope_scale * smoothing_shape_slope((SmoothingKind)law->slope_kind, q);
    const Eight value = law->value_scale * smoothing_shape((SmoothingKind)law->value_kind, q);
    const Eight near = eight_square(eight_square(value * law->usual));
    const Eight crowd = slope * (1 + share * near), outward = slope * (i->fill - j[3]);
    for (int c = 0; c < 3; ++c) {
        sums->crowd[c] = sums->crowd[c] + crowd * d[c];
        sums->outward[c] = sums->outward[c] + outward * d[c];
    }
}

#endif
