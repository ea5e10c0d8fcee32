/* Sums over all places in the order of rods (space/rods.h): limbs, and the rods of bricks. */
static void limbs_add(global int64_t *sum, double number)
{
    const LimbParts parts = limb_parts(as_ulong(number));
    if (parts.first == LIMB_ODD) atom_inc(&sum[number > 0 ? 7 : number < 0 ? 8 : 6]);
    for (int k = 0; k < 3 && parts.first >= 0; ++k)
        if (parts.part[k] != 0) atom_add(&sum[parts.first + k], parts.part[k]);
}

/* Rod k of a brick, in the order of sums; beyond the window and beyond the last rod there are no
 * places. */
static uint2 rod_of_brick(const RodLaw *law, global const uint32_t *table, uint32_t brick, int k)
{
    const uint32_t end = law->keys > 0 ? table[law->keys - 1] : 0;
    if (brick == law->bricks[0] * law->bricks[1] * law->bricks[2])
        return k == 0 ? (uint2)(end, law->points) : (uint2)(0, 0);
    const uint32_t at[3] = {brick % law->bricks[0], brick / law->bricks[0] % law->bricks[1],
                            brick / law->bricks[0] / law->bricks[1]};
    const int x = law->first[0] + (int)at[0] * ROD_EDGE;
    const int y = law->first[1] + (int)at[1] * ROD_EDGE + k % ROD_EDGE;
    const int z = law->first[2] + (int)at[2] * ROD_EDGE + k / ROD_EDGE;
    if (y < 0 || z < 0 || y >= (int)law->rods[1] || z >= (int)law->rods[2]) return (uint2)(0, 0);
    const uint32_t row = ((uint32_t)z * law->rods[1] + (uint32_t)y) * law->side;
    const uint32_t low = row + (uint32_t)max(x, 0);
    const uint32_t high = row + (uint32_t)min(x + ROD_EDGE, (int)law->side);
    return (uint2)(low > 0 ? table[low - 1] : 0, table[high - 1]);
}
