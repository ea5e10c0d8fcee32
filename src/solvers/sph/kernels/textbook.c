/* Forces of the rows `textbook` and `mueller` (textbook.c says which), gathered per particle. */
#include "base/lanes.h"
#include "solvers/sph/kernels.h"

#include "space/smoothing_lanes.h"

typedef struct Pair {
    Eight d[3], dv[3], r2;
    Eight pressure, inverse; /* P and 1 / rho of the neighbours */
    Eight thin;              /* theirs, where liquids differ */
} Pair;

EIGHT_INLINE Pair pair_load(const TextbookInput *in, const Packet *i, const uint32_t *at)
{
    Pair p = {.r2 = {0}};
    for (int k = 0; k < 8; ++k) {
        const Packet *j = &in->packets[at[k]];
        for (int c = 0; c < 3; ++c) p.d[c][k] = i->x[c] - j->x[c], p.dv[c][k] = j->v[c] - i->v[c];
        p.pressure[k] = j->push, p.inverse[k] = j->inverse;
        if (in->traits != NULL) p.thin[k] = in->traits[at[k]].thin;
    }
    for (int c = 0; c < 3; ++c) {
        if (in->periodic && in->period[c] > 0) p.d[c] = eight_nearest_image(p.d[c], in->period[c]);
        p.r2 = p.r2 + p.d[c] * p.d[c];
    }
    return p;
}

/* w''(q), without the scale: the second derivatives of the shapes in space/formulas/smoothing.h.
 * All but the last, that of the spiky kernel, change their sign within the support, which is why a
 * Laplacian of W makes bad friction (textbook.c). */
EIGHT_INLINE Eight shape_curvature(SmoothingKind kind, Eight q)
{
    const EightBits inside = (EightBits)(q < 1);
    const Eight far = 1 - q, far2 = far * far, q2 = q * q, even = 1 - q2;
    Eight w;
    switch (kind) {
    case SMOOTHING_CUBIC:
        w = eight_choose((EightBits)(q < (mote_real)0.5), 36 * q - 12, 12 * far);
        break;
    case SMOOTHING_QUINTIC: {
        const Eight a = eight_most(3 - 3 * q, eight_all(0)),
                    b = eight_most(2 - 3 * q, eight_all(0)),
                    c = eight_most(1 - 3 * q, eight_all(0));
        w = 9 * (20 * (a * a * a) - 120 * (b * b * b) + 300 * (c * c * c));
        break;
    }
    case SMOOTHING_WENDLAND_C2:
        w = far2 * (80 * q - 20);
        break;
    case SMOOTHING_WENDLAND_C4:
        w = (mote_real)(-56.0 / 3) * (far2 * far2) * (1 + 4 * q - 35 * q2);
        break;
    case SMOOTHING_WENDLAND_C6:
        w = -22 * (far2 * far2 * far2) * (1 + q * (6 - q * (15 + 160 * q)));
        break;
    case SMOOTHING_POLY6:
        w = -6 * even * (1 - 5 * q2);
        break;
    case SMOOTHING_EVEN:
        w = -10 * (even * even * even) * (1 - 9 * q2);
        break;
    default:
        w = 6 * far;
    }
    return eight_where(inside, w);
}

/* What stands for the Laplacian of W, 1 / m^(D + 2): Mueller's positive (H - r), or W'' + (D - 1)
 * W' / r, which is what the Laplacian of a function of r alone is. */
EIGHT_INLINE Eight laplacian(const TextbookInput *in, Eight q, Eight slope)
{
    if (in->falling > 0) return in->falling * eight_where((EightBits)(q < 1), 1 - q);
    const Eight curve = in->kernel.slope_scale * shape_curvature(in->kernel.gradient_kind, q);
    return curve + (mote_real)(in->dimension - 1) * slope;
}

/* Accelerations over the mass: -P_j / (rho_i rho_j) grad W and nu / rho_j lap W (v_j - v_i) of
 * `textbook`; `mean` makes them Mueller's (10) and (14), with mu = nu rho0. */
EIGHT_INLINE void add_pair(const TextbookInput *in, const Packet *i, const Trait *own,
                           const Pair *p, Eight sum[4])
{
    const Eight q = eight_sqrt(p->r2) * in->kernel.inverse;
    const Eight slope = in->kernel.slope_scale * smoothing_shape_slope(in->kernel.gradient_kind, q);
    const Eight pressure = in->mean ? (mote_real)0.5 * (i->push + p->pressure) : p->pressure;
    const Eight along = -i->inverse * p->inverse * pressure * slope;
    for (int c = 0; c < 3; ++c) sum[c] = sum[c] + along * p->d[c];
    if (!(in->nu > 0)) return;
    Eight rub = in->nu * p->inverse * laplacian(in, q, slope);
    if (in->mean) rub = rub * (in->rest_density * i->inverse);
    if (own != NULL) rub = rub * (2 / (own->thin + p->thin));
    for (int c = 0; c < 3; ++c) sum[c] = sum[c] + rub * p->dv[c];
}

static mote_real forces(const TextbookInput *in, size_t begin, size_t end)
{
    mote_real largest = 0;
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        const Trait *own = in->traits != NULL ? &in->traits[i] : NULL;
        Eight sum[4] = {{0}};
        for (size_t k = 0; k < count; k += 8) {
            const Pair p = pair_load(in, &in->packets[i], list + k);
            add_pair(in, &in->packets[i], own, &p, sum);
        }
        const Four all = eight_sums(sum);
        const mote_real mass = own != NULL ? own->light * in->mass : in->mass;
        mote_real square = 0;
        for (int c = 0; c < 3; ++c) {
            const mote_real a = in->a[c][i] += mass * all[c];
            square += a * a;
        }
        if (square > largest) largest = square;
    }
    return largest;
}

const TextbookKernels ISA(textbook_table) = {forces};
