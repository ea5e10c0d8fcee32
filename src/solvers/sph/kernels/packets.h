/* Eight particles at once: their packets are loaded whole and turned into one vector for each
 * quantity, which is several times faster than gathering the quantities one by one. */
#ifndef SOLVERS_SPH_PACKETS_H
#define SOLVERS_SPH_PACKETS_H

#include "base/lanes.h"
#include "solvers/sph/kernels.h"

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

#endif
