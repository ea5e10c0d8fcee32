/* Forces between the particles of a liquid, gathered per particle:
 *
 *     pressure    -m (P_i/rho_i^2 + P_j/rho_j^2) grad W
 *     laminar      m nu (1/rho_i + 1/rho_j) (r.grad W)/(r^2 + e) v_ij             Morris 1997
 *     artificial   m alpha c h (v.r)/(r^2 + e) (1/rho) grad W   where v.r < 0     Monaghan 1992
 *     XSPH         xsph m (1/rho) W (v_j - v_i)                                   Monaghan 1989
 *     d rho/dt     m v_ij.grad W + 2 delta c h (m/rho_j)(rho_i - rho_j)(-r.grad W)/(r^2 + e)
 *
 * All but the last are equal and opposite for the two of a pair. */
#include "solvers/sph/kernels/packets.h"

#include "space/smoothing_lanes.h"

/* Sums over the neighbours of one particle, lane by lane. */
typedef struct Sums {
    Eight a[3], excess[3], rate;
} Sums;

/* Eight neighbours of particle i. */
EIGHT_INLINE void add_eight(const ForceInput *in, const Packet *i, const Packets *j, Sums *sums)
{
    Eight d[3], dv[3];
    for (int c = 0; c < 3; ++c) {
        d[c] = i->x[c] - j->x[c];
        if (in->periodic && in->period[c] > 0) d[c] = nearest_image(d[c], in->period[c]);
        dv[c] = i->v[c] - j->v[c];
    }
    Eight r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], r = eight_sqrt(r2);
    Eight slope = smoothing_slopes(&in->kernel, r);
    Eight along = -(i->push + j->push) * slope;
    Eight mean = i->inverse + j->inverse;
    if (in->laminar > 0 || in->shock > 0 || in->rate != NULL) {
        Eight part = slope / (r2 + in->soft);
        Eight closing = dv[0] * d[0] + dv[1] * d[1] + dv[2] * d[2];
        if (in->shock > 0) {
            Eight shock = in->shock * mean * closing * part;
            along = along + eight_where((EightBits)(closing < 0), shock);
        }
        if (in->laminar > 0) {
            Eight drag = in->laminar * mean * r2 * part;
            for (int c = 0; c < 3; ++c) sums->a[c] = sums->a[c] + drag * dv[c];
        }
        if (in->rate != NULL) {
            Eight gap = 1 / i->inverse * j->inverse - 1; /* (rho_i - rho_j) / rho_j */
            sums->rate = sums->rate + closing * slope - in->diffusion * gap * r2 * part;
        }
    }
    for (int c = 0; c < 3; ++c) sums->a[c] = sums->a[c] + along * d[c];
    if (in->xsph > 0) {
        Eight share = mean * smoothing_values(&in->kernel, r);
        for (int c = 0; c < 3; ++c) sums->excess[c] = sums->excess[c] - share * dv[c];
    }
}

static mote_real forces(const ForceInput *in, size_t begin, size_t end)
{
    mote_real largest = 0;
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        Sums sums = {.rate = {0}};
        for (size_t k = 0; k < count; k += 8) {
            Packets j = packets_load(in->packets, list + k);
            add_eight(in, &in->packets[i], &j, &sums);
        }
        mote_real square = 0;
        for (int c = 0; c < 3; ++c) {
            mote_real sum = in->a[c][i] + in->mass * eight_sum(sums.a[c]);
            in->a[c][i] = sum;
            square += sum * sum;
        }
        if (square > largest) largest = square;
        if (in->rate != NULL) in->rate[i] = in->mass * eight_sum(sums.rate);
        for (int c = 0; c < 3 && in->xsph > 0; ++c)
            in->excess[c][i] = in->xsph * in->mass / 2 * eight_sum(sums.excess[c]);
    }
    return largest;
}

const SphKernels ISA(sph_table) = {forces};
