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
 * energy. P21's pressure is not opposite between the two of a pair; here it is. */
#include "base/lanes.h"
#include "solvers/sph/kernels.h"

#include "space/smoothing_lanes.h"

typedef struct Packets {
    Eight x[3], v[3], push, inverse;
} Packets;

_Static_assert(sizeof(Packet) == 8 * sizeof(mote_real), "a packet is a vector");

/* Half of the packets a and b, side by side. */
EIGHT_INLINE Eight halves(const Packet *a, const Packet *b, int half)
{
    return eight_fours((const mote_real *)a + 4 * half, (const mote_real *)b + 4 * half);
}

/* Packets at[0 .. 7]. */
EIGHT_INLINE Packets packets_load(const Packet *packets, const uint32_t *at)
{
    Eight half[2][4];
    for (int h = 0; h < 2; ++h)
        eight_turn(halves(&packets[at[0]], &packets[at[4]], h),
                   halves(&packets[at[1]], &packets[at[5]], h),
                   halves(&packets[at[2]], &packets[at[6]], h),
                   halves(&packets[at[3]], &packets[at[7]], h), half[h]);
    return (Packets){.x = {half[0][0], half[0][1], half[0][2]},
                     .v = {half[0][3], half[1][0], half[1][1]},
                     .push = half[1][2],
                     .inverse = half[1][3]};
}

/* What the pair's liquids give: nu, and the weight of artificial viscosity. */
typedef struct Mixed {
    Eight nu, weight;
} Mixed;

/* The harmonic mean, as layers in series have it: with the arithmetic one Couette flow of two
 * liquids is off by several per cent beside their interface. */
EIGHT_INLINE Mixed mix(const Trait *traits, const Trait *i, const uint32_t *at)
{
    Eight j[4];
    eight_turn(eight_fours(&traits[at[0]].light, &traits[at[4]].light),
               eight_fours(&traits[at[1]].light, &traits[at[5]].light),
               eight_fours(&traits[at[2]].light, &traits[at[6]].light),
               eight_fours(&traits[at[3]].light, &traits[at[7]].light), j);
    return (Mixed){.nu = 2 / (i->thin + j[1]), .weight = 2 / (i->light + j[0])};
}

/* Sums over the neighbours of one particle, lane by lane. */
typedef struct Sums {
    Eight a[4], excess[3]; /* a[3]: d rho/dt */
} Sums;

/* What the compiler is told about a loop, so that it leaves out the rest. Each set of them is a
 * loop of its own: branches on constants vanish, and the usual loops hold nothing that they do not
 * need. */
typedef struct Terms {
    SmoothingKind kind; /* of gradients */
    bool periodic, laminar, central, shock, clash, parting, rate, xsph, mixed;
} Terms;

/* The kernel's slope, and the slope over r^2 + e. */
EIGHT_INLINE Eight slope_over(const ForceInput *in, SmoothingKind kind, Eight r2, Eight *part)
{
    const mote_real inverse = in->kernel.inverse;
    if (kind != SMOOTHING_EVEN)
        return smoothing_slope_over(kind, eight_sqrt(r2) * inverse, r2 + in->soft, part);
    const Eight slope = smoothing_even_slope(r2 * (inverse * inverse));
    *part = slope / (r2 + in->soft);
    return slope;
}

/* Eight neighbours of particle i. */
EIGHT_INLINE void add_eight(const ForceInput *in, const Terms *t, const Packet *i, const Packets *j,
                            const Mixed *pair, Sums *sums)
{
    Eight d[3], dv[3];
    for (int c = 0; c < 3; ++c) {
        d[c] = i->x[c] - j->x[c];
        if (t->periodic && in->period[c] > 0) d[c] = eight_nearest_image(d[c], in->period[c]);
        dv[c] = i->v[c] - j->v[c];
    }
    Eight r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], part;
    Eight slope = slope_over(in, t->kind, r2, &part);
    slope = in->kernel.slope_scale * slope, part = in->kernel.slope_scale * part;
    Eight along = -(i->push + j->push) * slope;
    Eight mean = i->inverse + j->inverse;
    if (t->laminar || t->central || t->shock || t->rate) {
        Eight closing = dv[0] * d[0] + dv[1] * d[1] + dv[2] * d[2];
        if (t->shock) {
            Eight shock = in->shock * mean * closing * part;
            if (t->clash)
                shock = shock - in->clash * mean * closing * closing * part / (r2 + in->soft);
            if (t->mixed) shock = shock * pair->weight;
            along = along + (t->parting ? shock : eight_where((EightBits)(closing < 0), shock));
        }
        if (t->central) {
            Eight pull = in->central * mean * closing * part;
            along = along + (t->mixed ? pull * pair->nu : pull);
        }
        if (t->laminar) {
            Eight drag = in->laminar * mean * r2 * part;
            if (t->mixed) drag = drag * pair->nu;
            for (int c = 0; c < 3; ++c) sums->a[c] = sums->a[c] + drag * dv[c];
        }
        if (t->rate) {
            Eight gap = 1 / i->inverse * j->inverse - 1; /* (rho_i - rho_j) / rho_j */
            sums->a[3] = sums->a[3] + closing * slope + in->diffusion * gap * r2 * part;
        }
    }
    for (int c = 0; c < 3; ++c) sums->a[c] = sums->a[c] + along * d[c];
    if (t->xsph) {
        Eight share = mean * smoothing_values(&in->kernel, eight_sqrt(r2));
        for (int c = 0; c < 3; ++c) sums->excess[c] = sums->excess[c] - share * dv[c];
    }
}

EIGHT_INLINE mote_real forces_of(const ForceInput *in, const Terms t, size_t begin, size_t end)
{
    mote_real largest = 0;
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        const Packet own = in->packets[i];
        const mote_real mass = t.mixed ? in->mass * in->traits[i].light : in->mass;
        Mixed pair = {{0}, {0}};
        Sums sums = {.a = {{0}}};
        for (size_t k = 0; k < count; k += 8) {
            Packets j = packets_load(in->packets, list + k);
            if (t.mixed) pair = mix(in->traits, &in->traits[i], list + k);
            add_eight(in, &t, &own, &j, &pair, &sums);
        }
        const Four all = eight_sums(sums.a);
        mote_real square = 0;
        for (int c = 0; c < 3; ++c) {
            mote_real sum = in->a[c][i] + mass * all[c];
            in->a[c][i] = sum;
            square += sum * sum;
        }
        if (square > largest) largest = square;
        if (t.rate) in->rate[i] = in->mass * all[3];
        for (int c = 0; c < 3 && t.xsph; ++c)
            in->excess[c][i] = in->xsph * in->mass / 2 * eight_sum(sums.excess[c]);
    }
    return largest;
}

/* The usual cases by themselves, all others together. */
static mote_real forces(const ForceInput *in, size_t begin, size_t end)
{
    const Terms t = {.kind = in->kernel.gradient_kind,
                     .periodic = in->periodic,
                     .laminar = in->laminar > 0,
                     .central = in->central > 0,
                     .shock = in->shock > 0 || in->clash > 0,
                     .clash = in->clash > 0,
                     .parting = in->parting,
                     .rate = in->rate != NULL,
                     .xsph = in->xsph > 0,
                     .mixed = in->traits != NULL};
    if (t.mixed && !t.periodic && t.laminar && !t.central && t.shock && !t.clash && !t.rate &&
        !t.xsph && t.kind == SMOOTHING_CUBIC)
        return forces_of(in,
                         (Terms){.kind = SMOOTHING_CUBIC,
                                 .laminar = true,
                                 .shock = true,
                                 .parting = t.parting,
                                 .mixed = true},
                         begin, end);
    if (t.mixed) return forces_of(in, t, begin, end);
    bool usual = !t.periodic && t.laminar && !t.central && t.shock && !t.rate && !t.xsph;
    bool plain = usual && !t.parting && !t.clash;
    if (usual && t.parting && t.kind == SMOOTHING_CUBIC)
        return forces_of(
            in, (Terms){.kind = SMOOTHING_CUBIC, .laminar = true, .shock = true, .parting = true},
            begin, end);
    if (plain && t.kind == SMOOTHING_CUBIC)
        return forces_of(in, (Terms){.kind = SMOOTHING_CUBIC, .laminar = true, .shock = true},
                         begin, end);
    if (plain && t.kind == SMOOTHING_EVEN)
        return forces_of(in, (Terms){.kind = SMOOTHING_EVEN, .laminar = true, .shock = true}, begin,
                         end);
    if (plain && t.kind == SMOOTHING_WENDLAND_C2)
        return forces_of(in, (Terms){.kind = SMOOTHING_WENDLAND_C2, .laminar = true, .shock = true},
                         begin, end);
    return forces_of(in, t, begin, end);
}

const SphKernels ISA(sph_table) = {forces};
