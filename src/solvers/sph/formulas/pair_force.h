/* Forces between the particles of a liquid, gathered per particle:
 *
 *     pressure    -m (P_i/rho_i^2 + P_j/rho_j^2) grad W
 *     laminar      m nu (1/rho_i + 1/rho_j) (r.grad W)/(r^2 + e) v_ij             Morris 1997
 *     central      m (D + 2) nu (1/rho_i + 1/rho_j) (v.r)/(r^2 + e) grad W        Monaghan 1983
 *     artificial   m (alpha c mu - beta mu^2) (1/rho) grad W,
 *                  mu = h (v.r)/(r^2 + e), where v.r < 0                          Monaghan 1992
 *                  or alpha's everywhere: a viscosity of alpha c h / (2 (dimension + 2))
 *                                                                                 Monaghan 2005
 *     XSPH         xsph m (1/rho) W (v_j - v_i)                                   Monaghan 1989
 *     d rho/dt     m v_ij.grad W + 2 delta c h (m/rho_j)(rho_i - rho_j)(r.grad W)/(r^2 + e)
 *
 * All but the last are equal and opposite for the two of a pair.
 *
 * Where liquids differ (members.c), m and rho are the host's, the sum is taken 1/s_i times, nu of a
 * pair is the harmonic mean of mu = s nu (over the host's rest density), as the stress of layers
 * one after another asks for, and artificial viscosity goes with the harmonic mean of s.
 *
 * e is 0.01 h^2, so that pairs that nearly meet divide by something. GAMES103's P23 has -nu m sum
 * V_j v_j lap W for viscosity. Its sign would make shear grow, without v_j - v_i a uniform flow
 * would feel it, and lap W of a spline changes its sign with the distance, so that it adds energy
 * on particles that are no lattice. (P15's lap W is wrong, too: space/smoothing.h.) Both laminar
 * forms here are differences of slopes, (v_j - v_i) times something positive, and can only take
 * energy. P21's pressure is not opposite between the two of a pair; here it is.
 *
 * A formula: it includes nothing, and is compiled for the processor (kernels/forces.c) and for
 * devices (device/forces.cl), to the same bits. */
#ifndef SOLVERS_SPH_FORMULAS_PAIR_FORCE_H
#define SOLVERS_SPH_FORMULAS_PAIR_FORCE_H

/* Eight neighbours. */
typedef struct Packets {
    Eight x[3], v[3], push, inverse;
} Packets;

/* What the pair's liquids give: nu, and the weight of artificial viscosity. */
typedef struct Mixed {
    Eight nu, weight;
} Mixed;

/* The harmonic mean, as layers in series have it: with the arithmetic one Couette flow of two
 * liquids is off by several per cent beside their interface. */
EIGHT_INLINE Mixed mixed_pair(const Trait *i, Eight light, Eight thin)
{
    Mixed mixed;
    mixed.nu = 2 / (i->thin + thin);
    mixed.weight = 2 / (i->light + light);
    return mixed;
}

/* Sums over the neighbours of one particle, lane by lane. */
typedef struct Sums {
    Eight a[4], excess[3]; /* a[3]: d rho/dt */
} Sums;

/* The kernel's slope, and the slope over r^2 + e. */
EIGHT_INLINE Eight slope_over(const PairLaw *law, SmoothingKind kind, Eight r2, Eight *part)
{
    const mote_real inverse = law->inverse;
    if (kind != SMOOTHING_EVEN)
        return smoothing_slope_over(kind, eight_sqrt(r2) * inverse, r2 + law->soft, part);
    const Eight slope = smoothing_even_slope(r2 * (inverse * inverse));
    *part = slope / (r2 + law->soft);
    return slope;
}

/* Eight neighbours of particle i. */
EIGHT_INLINE void add_eight(const PairLaw *law, const Terms *t, const Packet *i, const Packets *j,
                            const Mixed *pair, Sums *sums)
{
    Eight d[3], dv[3];
    for (int c = 0; c < 3; ++c) {
        d[c] = i->x[c] - j->x[c];
        if (t->periodic && law->period[c] > 0) d[c] = eight_nearest_image(d[c], law->period[c]);
        dv[c] = i->v[c] - j->v[c];
    }
    Eight r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], part;
    Eight slope = slope_over(law, t->kind, r2, &part);
    slope = law->slope_scale * slope, part = law->slope_scale * part;
    Eight along = -(i->push + j->push) * slope;
    Eight mean = i->inverse + j->inverse;
    if (t->laminar || t->central || t->shock || t->rate) {
        Eight closing = dv[0] * d[0] + dv[1] * d[1] + dv[2] * d[2];
        if (t->shock) {
            Eight shock = law->shock * mean * closing * part;
            if (t->clash)
                shock = shock - law->clash * mean * closing * closing * part / (r2 + law->soft);
            if (t->mixed) shock = shock * pair->weight;
            along = along + (t->parting ? shock : eight_where(EIGHT_MASK(closing < 0), shock));
        }
        if (t->central) {
            Eight pull = law->central * mean * closing * part;
            along = along + (t->mixed ? pull * pair->nu : pull);
        }
        if (t->laminar) {
            Eight drag = law->laminar * mean * r2 * part;
            if (t->mixed) drag = drag * pair->nu;
            for (int c = 0; c < 3; ++c) sums->a[c] = sums->a[c] + drag * dv[c];
        }
        if (t->rate) {
            Eight gap = 1 / i->inverse * j->inverse - 1; /* (rho_i - rho_j) / rho_j */
            sums->a[3] = sums->a[3] + closing * slope + law->diffusion * gap * r2 * part;
        }
    }
    for (int c = 0; c < 3; ++c) sums->a[c] = sums->a[c] + along * d[c];
    if (t->xsph) {
        Eight share =
            mean * (law->value_scale * smoothing_shape(t->value, eight_sqrt(r2) * law->inverse));
        for (int c = 0; c < 3; ++c) sums->excess[c] = sums->excess[c] - share * dv[c];
    }
}

#endif
