/* What pressures of an incompressible liquid do, and what velocities compress; kernels.h says what
 * the letters are.
 *
 * A formula: it includes nothing, and is compiled for the processor (kernels/dfsph.c) and for
 * devices (device/operators.cl), to the same bits. */
#ifndef SOLVERS_SPH_FORMULAS_FLOW_H
#define SOLVERS_SPH_FORMULAS_FLOW_H

/* Eight neighbours. */
typedef struct Flows {
    Eight x[3], q;
} Flows;

EIGHT_INLINE void differences(const mote_real period[3], bool periodic, const mote_real own[3],
                              const Eight other[3], Eight d[3])
{
    for (int c = 0; c < 3; ++c) {
        d[c] = own[c] - other[c];
        if (periodic && period[c] > 0) d[c] = eight_nearest_image(d[c], period[c]);
    }
}

/* u.x, and the sum of (u_i - u_j).g_ij, g_ij = s_ij (x_i - x_j), as u_i.sum g_ij - x_i.sum s u_j +
 * sum s u_j.x_j: four numbers of a neighbour instead of six. What cancels is not larger than the
 * error that places have in single precision anyway. Of one place or of eight. */
#define FLOW_CLOSING(Number, along, closing)                                                       \
    EIGHT_INLINE Number along(const Number u[3], const Number x[3])                                \
    {                                                                                              \
        return u[0] * x[0] + u[1] * x[1] + u[2] * x[2];                                            \
    }                                                                                              \
    EIGHT_INLINE Number closing(const Number u[3], const Number uneven[3], const Number others[4], \
                                const Number x[3])                                                 \
    {                                                                                              \
        return along(u, uneven) - along(others, x) + others[3];                                    \
    }

FLOW_CLOSING(mote_real, along_x, flow_closing)
FLOW_CLOSING(Eight, along_eight, flow_closing_of_eight)

/* V W'/r of eight pairs; added to sums: g_ij, and its square over s_j. */
EIGHT_INLINE Eight flow_prepare_eight(const FlowLaw *law, const FlowTerms *t, const FlowPacket *i,
                                      const Flows *j, Eight light, Eight sums[4])
{
    Eight d[3];
    differences(law->period, t->periodic, i->x, j->x, d);
    Eight r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const mote_real inverse = law->inverse;
    const Eight shape = t->kind == SMOOTHING_EVEN
                            ? smoothing_even_slope(r2 * (inverse * inverse))
                            : smoothing_shape_slope(t->kind, eight_sqrt(r2) * inverse);
    Eight slope = law->volume * law->slope_scale * shape;
    Eight square = slope * slope * r2;
    for (int c = 0; c < 3; ++c) sums[c] = sums[c] + slope * d[c];
    sums[3] = sums[3] + (t->mixed ? light * square : square);
    return slope;
}

/* Of those sums, with the walls' gradient. */
EIGHT_INLINE mote_real flow_stiffness(mote_real light, const mote_real sums[4],
                                      const mote_real wall[3])
{
    mote_real square = 0;
    for (int c = 0; c < 3; ++c) {
        mote_real g = sums[c] + wall[c];
        square += g * g;
    }
    return light * square + sums[3];
}

/* Adds what the pressures of eight pairs do, without its sign. */
EIGHT_INLINE void flow_push_eight(const FlowLaw *law, bool periodic, const FlowPacket *i,
                                  const Flows *j, Eight slope, Eight sums[3])
{
    Eight d[3], push = (i->q + j->q) * slope;
    differences(law->period, periodic, i->x, j->x, d);
    for (int c = 0; c < 3; ++c) sums[c] = sums[c] + push * d[c];
}

/* One component of the acceleration, of such a sum, with the wall's part. Of one place or of eight.
 */
#define FLOW_ACCELERATION(Number, acceleration)                                                    \
    EIGHT_INLINE Number acceleration(Number light, Number sum, Number q, Number wall)              \
    {                                                                                              \
        return light * (-sum - q * wall);                                                          \
    }

FLOW_ACCELERATION(mote_real, flow_acceleration)
FLOW_ACCELERATION(Eight, flow_acceleration_of_eight)

/* Across periodic sides x_j is elsewhere: there by differences. */
EIGHT_INLINE Eight flow_closing_eight(const FlowLaw *law, const mote_real u[3], const FlowPacket *i,
                                      const Flows *at, const Eight move[4], Eight slope, Eight sum)
{
    Eight d[3], along = eight_all(0);
    differences(law->period, true, i->x, at->x, d);
    for (int c = 0; c < 3; ++c) along = along + (u[c] - move[c]) * d[c];
    return sum + along * slope;
}

#endif
