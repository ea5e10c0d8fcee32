/* Where rows are counted: by cell, over a table of the window. What is not finite has a key of its
 * own, the last. */
static void count_row(const StayLaw *law, mote_Vec3 x, uint32_t row, global uint32_t *keys,
                      global uint32_t *table)
{
    const mote_real own[3] = {x.x, x.y, x.z};
    mote_real odd = 0;
    uint32_t at[3];
    for (int c = 0; c < 3; ++c) {
        odd += own[c] - own[c];
        const mote_real cell = cell_of_axis(placed_in(own[c], law->start[c], law->period[c]),
                                            law->anchor[c], law->inverse[c]);
        at[c] = (uint32_t)cell_in_window(cell, law->low[c], law->last[c]);
    }
    const uint32_t key = (at[2] * law->side[1] + at[1]) * law->side[0] + at[0];
    keys[row] = odd == 0 ? key : law->keys;
    atomic_inc(&table[keys[row]]);
}
