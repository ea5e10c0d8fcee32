/* Rows that stay: a counting sort by cell and id, as space/cells_sort.c leaves it, over a table of
 * all cells of the window. What is not finite has a key of its own, the last. */
kernel void stay_count(StayLaw law, global const mote_real *x, global uint32_t *keys,
                       global uint32_t *table)
{
    const uint32_t row = get_global_id(0);
    if (row >= law.rows) return;
    count_row(&law, vector_at(x, law.stride, row), row, keys, table);
}

/* Each count in [begin, end) becomes the sum of those before it there; what all come to. */
static uint32_t sum_before(global uint32_t *counts, uint32_t begin, uint32_t end)
{
    uint32_t sum = 0;
    for (uint32_t k = begin; k < end; ++k) {
        const uint32_t count = counts[k];
        counts[k] = sum;
        sum += count;
    }
    return sum;
}

/* sums[i + 1] of each work-item i of a group becomes that of all up to it. */
static void add_up(local uint32_t *sums)
{
    sums[0] = 0;
    for (int i = 0; i < STAY_GROUP; ++i) sums[i + 1] += sums[i];
}

/* Where each key of a group's share begins in it, and what the share comes to. */
kernel void stay_scan(global uint32_t *table, uint32_t count, global uint32_t *tops)
{
    local uint32_t sums[STAY_GROUP + 1];
    const uint32_t own = get_local_id(0), each = STAY_SCAN / STAY_GROUP;
    const uint32_t begin = get_group_id(0) * STAY_SCAN + own * each;
    sums[own + 1] = sum_before(table, begin, min(begin + each, count));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own == 0) {
        add_up(sums);
        tops[get_group_id(0)] = sums[STAY_GROUP];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint32_t k = begin; k < begin + each && k < count; ++k) table[k] += sums[own];
}

/* The same for the shares, by one group. */
kernel void stay_tops(global uint32_t *tops, uint32_t count)
{
    local uint32_t sums[STAY_GROUP + 1];
    const uint32_t own = get_local_id(0), each = (count + STAY_GROUP - 1) / STAY_GROUP;
    const uint32_t begin = own * each;
    sums[own + 1] = sum_before(tops, begin, min(begin + each, count));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own == 0) add_up(sums);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint32_t k = begin; k < begin + each && k < count; ++k) tops[k] += sums[own];
}

/* Rows into their cells in any order; the table then has where each key ends, in its share. What
 * the sub-step will count is cleared: `counters`, and limbs behind the notes. */
kernel void stay_deal(StayLaw law, global const uint32_t *keys, global uint32_t *table,
                      global const uint32_t *tops, global uint32_t *dealt,
                      global uint32_t *counters, global int64_t *limbs)
{
    const uint32_t row = get_global_id(0);
    if (row < 2) counters[row] = 0;
    if (row < STAY_SETS * (law.colliders * STAY_LOADS + 1) * STAY_LIMBS)
        limbs[STAY_NOTES * sizeof(StayNote) / sizeof(int64_t) + row] = 0;
    if (row >= law.rows) return;
    const uint32_t key = keys[row];
    dealt[atomic_inc(&table[key]) + tops[key / STAY_SCAN]] = row;
}

static uint32_t end_of_key(global const uint32_t *table, global const uint32_t *tops, uint32_t key)
{
    return table[key] + tops[key / STAY_SCAN];
}

/* Each finds its place among those of its cell, and what goes by place goes there; and where keys
 * end, of all. Fours of places have z twice, as pairs see it and as it is. Velocities go into the
 * packets that forces go by, or, of incompressible liquids, into planes. */
kernel void stay_place(StayLaw law, global const uint32_t *keys, global const uint32_t *table,
                       global const uint32_t *tops, global const uint32_t *dealt,
                       global const uint64_t *ids, global const mote_real *rows_x,
                       global const mote_real *rows_v, global uint32_t *ends,
                       global uint32_t *order, global mote_real *v, global Real4 *packets,
                       global Real4 *places)
{
    const uint32_t at = get_global_id(0);
    if (at < law.keys) ends[at] = end_of_key(table, tops, at);
    if (at >= law.rows) return;
    const uint32_t row = dealt[at], key = keys[row], end = end_of_key(table, tops, key);
    const uint32_t begin = key > 0 ? end_of_key(table, tops, key - 1) : 0;
    const uint64_t id = ids[row];
    mote_real to[3], speed[3];
    uint32_t place = begin;
    for (uint32_t k = begin; k < end; ++k) place += ids[dealt[k]] < id;
    order[place] = row;
    for (int c = 0; c < 3; ++c) {
        const size_t plane = c * law.stride;
        to[c] = placed_in(rows_x[plane + row], law.start[c], law.period[c]);
        speed[c] = law.flat && c == 2 ? 0 : rows_v[plane + row];
        if (law.flows) v[plane + place] = speed[c];
    }
    const mote_real z = law.flat ? 0 : to[2];
    places[place] = (Real4)(to[0], to[1], z, to[2]);
    if (law.flows) return;
    packets[2 * place] = (Real4)(to[0], to[1], z, speed[0]);
    packets[2 * place + 1] = (Real4)(speed[1], speed[2], 0, 0);
}

/* Rows change their order for that of places. `home`: where each is at the processor's; not
 * `moved`: where it is here. */
kernel void stay_reorder(StayLaw law, global const uint32_t *order, uint32_t moved,
                         global const mote_real *x, global const mote_real *v,
                         global const uint64_t *ids, global const uint32_t *home,
                         global mote_real *to_x, global mote_real *to_v, global uint64_t *to_ids,
                         global uint32_t *to_home)
{
    const size_t at = get_global_id(0);
    if (at >= law.rows) return;
    const size_t row = order[at];
    for (int c = 0; c < 3; ++c) {
        to_x[c * law.stride + at] = x[c * law.stride + row];
        to_v[c * law.stride + at] = v[c * law.stride + row];
    }
    to_ids[at] = ids[row];
    to_home[at] = moved ? home[row] : (uint32_t)row;
}
