/* Loops over the pairs of a liquid's particles; what acts between two is formulas/pair_force.h. */
#include "base/lanes.h"
#include "solvers/sph/kernels.h"

#include "space/smoothing_lanes.h"

#include "solvers/sph/formulas/pair_force.h"

_Static_assert(sizeof(Packet) == 8 * sizeof(mote_real), "a packet is a vector");

/* Half of the packets a and b, side by side. */
EIGHT_INLINE Eight halves(const Packet *a, const Packet *b, int half)
{
    return eight_fours((const mote_real *)a + 4 * half, (const mote_real *)b + 4 * half);
}

/* Packets at[0 .. 7]. Neighbours lie anywhere in memory: eight loads of whole packets and two turns
 * of four by four in registers take less than eight gathers of one number each. */
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

EIGHT_INLINE Mixed mix(const Trait *traits, const Trait *i, const uint32_t *at)
{
    Eight j[4];
    eight_turn(eight_fours(&traits[at[0]].light, &traits[at[4]].light),
               eight_fours(&traits[at[1]].light, &traits[at[5]].light),
               eight_fours(&traits[at[2]].light, &traits[at[6]].light),
               eight_fours(&traits[at[3]].light, &traits[at[7]].light), j);
    return mixed_pair(i, j[0], j[1]);
}

/* Sums over the neighbours of each particle, in the order of its list, so that they have the same
 * bits whichever thread takes it. Lists are filled up to eights with the particle itself, whose
 * grad W and v_ij are nothing. `t` is a constant wherever it is called from: what it leaves out is
 * not in the loop. */
EIGHT_INLINE mote_real forces_of(const ForceInput *in, const Terms t, size_t begin, size_t end)
{
    mote_real largest = 0;
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        const Packet own = in->packets[i];
        const mote_real mass = t.mixed ? in->law.mass * in->traits[i].light : in->law.mass;
        Mixed pair = {{0}, {0}};
        Sums sums = {.a = {{0}}};
        for (size_t k = 0; k < count; k += 8) {
            Packets j = packets_load(in->packets, list + k);
            if (t.mixed) pair = mix(in->traits, &in->traits[i], list + k);
            add_eight(&in->law, &t, &own, &j, &pair, &sums);
        }
        const Four all = eight_sums(sums.a);
        mote_real square = 0;
        for (int c = 0; c < 3; ++c) {
            mote_real sum = in->a[c][i] + mass * all[c];
            in->a[c][i] = sum;
            square += sum * sum;
        }
        if (square > largest) largest = square;
        if (t.rate) in->rate[i] = in->law.mass * all[3];
        for (int c = 0; c < 3 && t.xsph; ++c)
            in->excess[c][i] = in->law.xsph * in->law.mass / 2 * eight_sum(sums.excess[c]);
    }
    return largest;
}

/* The usual cases by themselves, all others together. */
static mote_real forces(const ForceInput *in, size_t begin, size_t end)
{
    const Terms t = force_terms(in);
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
