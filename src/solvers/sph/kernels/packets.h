/* Eight particles at once: their packets are loaded whole and turned into one vector for each
 * quantity, which is several times faster than gathering the quantities one by one. */
#ifndef SOLVERS_SPH_PACKETS_H
#define SOLVERS_SPH_PACKETS_H

#include "solvers/sph/kernels.h"
#include "space/eight.h"

typedef mote_real Four __attribute__((vector_size(4 * sizeof(mote_real))));

typedef struct Packets {
    Eight x[3], v[3], push, inverse;
} Packets;

_Static_assert(sizeof(Packet) == 8 * sizeof(mote_real), "a packet is a vector");

EIGHT_INLINE Four four_load(const mote_real *from)
{
    Four a;
    __builtin_memcpy(&a, from, sizeof a);
    return a;
}

/* The half `half` of packets a and b, side by side. */
EIGHT_INLINE Eight halves(const Packet *a, const Packet *b, int half)
{
    Four low = four_load((const mote_real *)a + 4 * half);
    Four high = four_load((const mote_real *)b + 4 * half);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* From rows (0, 4), (1, 5), (2, 6), (3, 7) of four quantities to four vectors of a quantity each.
 */
EIGHT_INLINE void turn(Eight r04, Eight r15, Eight r26, Eight r37, Eight out[4])
{
    Eight a = __builtin_shufflevector(r04, r15, 0, 8, 1, 9, 4, 12, 5, 13);
    Eight b = __builtin_shufflevector(r04, r15, 2, 10, 3, 11, 6, 14, 7, 15);
    Eight c = __builtin_shufflevector(r26, r37, 0, 8, 1, 9, 4, 12, 5, 13);
    Eight d = __builtin_shufflevector(r26, r37, 2, 10, 3, 11, 6, 14, 7, 15);
    out[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    out[1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    out[2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    out[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

/* Packets at[0 .. 7]. */
EIGHT_INLINE Packets packets_load(const Packet *packets, const uint32_t *at)
{
    Eight half[2][4];
    for (int h = 0; h < 2; ++h)
        turn(halves(&packets[at[0]], &packets[at[4]], h),
             halves(&packets[at[1]], &packets[at[5]], h),
             halves(&packets[at[2]], &packets[at[6]], h),
             halves(&packets[at[3]], &packets[at[7]], h), half[h]);
    return (Packets){.x = {half[0][0], half[0][1], half[0][2]},
                     .v = {half[0][3], half[1][0], half[1][1]},
                     .push = half[1][2],
                     .inverse = half[1][3]};
}

/* The nearest image of a difference along a periodic axis. */
EIGHT_INLINE Eight nearest_image(Eight d, mote_real period)
{
    const mote_real half = period / 2;
    d = d - eight_where((EightBits)(d > half), eight_all(period));
    return d + eight_where((EightBits)(d < -half), eight_all(period));
}

#endif
