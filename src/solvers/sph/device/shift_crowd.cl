/* The sums of shifting, one work-item a place: the loop of kernels/shift.c. */
#ifdef SHAPE_KIND /* they are in the program of the search */

kernel void shift_crowd(ShiftLaw law, uint32_t points, uint32_t room, uint32_t stride,
                        global const Real4 *packets, global const uint32_t *counts,
                        global const uint32_t *lists, global mote_real *crowd,
                        global mote_real *outward)
{
    const uint32_t i = get_global_id(0);
    if (i >= points) return;
    const uint32_t count = min((counts[i] + 7) / 8 * 8, room);
    const Real4 at = packets[i];
    const ShiftPacket own = {.x = {at.x, at.y, at.z}, .fill = at.w};
    Parts all[6];
    ShiftSums sums[PARTS];
    for (int p = 0; p < PARTS; ++p)
        for (int c = 0; c < 3; ++c) sums[p].crowd[c] = sums[p].outward[c] = (Eight)(0);
    for (uint32_t k = 0; k < count; k += 8) {
        uint32_t list[8];
        list_eight(lists, i, k, room, list);
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
            Real4 a[LANES];
            for (int l = 0; l < LANES; ++l) a[l] = packets[list[p + l * PARTS]];
            const Eight j[4] = {EIGHT_FROM(a, x), EIGHT_FROM(a, y), EIGHT_FROM(a, z),
                                EIGHT_FROM(a, w)};
            shift_eight(&law, &own, j, &sums[p]);
        }
    }
    for (int p = 0; p < PARTS; ++p)
        for (int c = 0; c < 3; ++c)
            all[c].part[p] = sums[p].crowd[c], all[3 + c].part[p] = sums[p].outward[c];
    for (int c = 0; c < 3; ++c) {
        crowd[c * stride + i] = law.volume * parts_sum(&all[c]);
        outward[c * stride + i] = law.volume * parts_sum(&all[3 + c]);
    }
}

#endif
