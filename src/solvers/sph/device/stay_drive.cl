/* Forces between particles and what comes of them, of liquids with an equation of state: one
 * work-item a place. */
#ifdef TERM_KIND /* it is what this program is for */

/* Where rows go. */
typedef struct RowPlanes {
    global mote_real *x, *v, *density, *pressure;
    global uint32_t *keys, *cells;
} RowPlanes;

/* A place whose acceleration is known moves, and tells of it. */
static StayNote drive_place(const StayLaw *law, global const StayShape *shapes,
                            global StayShare *shares, uint2 span, mote_Vec3 from,
                            mote_Vec3 excess, Meets *at, size_t row, const RowPlanes *to)
{
    StayNote n = empty_note();
    const mote_real square = at->a.x * at->a.x + at->a.y * at->a.y + at->a.z * at->a.z;
    mote_Vec3 x, v;
    bool met;
    meet_walls(law, shares + span.x, span.y, at);
    move_place(law, shapes, from, span.y > 0, excess, at, &x, &v, &met);
    store_vector(x, law->stride, row, to->x);
    store_vector(v, law->stride, row, to->v);
    to->density[row] = at->density, to->pressure[row] = at->pressure;
    if (law->ahead) count_row(law, x, (uint32_t)row, to->keys, to->cells);
    note_row(law, x, v, &n);
    const mote_real over = at->density * law->thinner - 1;
    n.worst = over > 0 ? over : 0, n.inner = span.y > 0 ? 0 : n.worst;
    n.push = square > 0 ? square : 0;
    n.met = met;
    return n;
}

kernel void stay_drive(StayLaw law, PairLaw pairs, uint32_t room, global const Real4 *packets,
                       global const uint32_t *counts, global const uint32_t *lists,
                       global const StayShape *shapes, global const uint32_t *order,
                       global const uint2 *spans, global StayShare *shares,
                       global const mote_real *density, global const mote_real *pressure,
                       global const mote_real *from, global mote_real *to_x,
                       global mote_real *to_v, global mote_real *to_density,
                       global mote_real *to_pressure, global uint32_t *keys,
                       global uint32_t *cells, global StayNote *notes)
{
    local StayNote all[STAY_GROUP];
    const size_t i = get_global_id(0), own = get_local_id(0);
    StayNote n = empty_note();
    if (i < law.rows) {
        const Packet packet = packet_at(packets, i);
        const Trait none = {.light = 1};
        const uint32_t count = counts[i];
        mote_real sums[7];
        sum_pairs(&pairs, (uint32_t)i, count, room, packets, packets, lists, &packet, &none, sums);
        const size_t row = order[i];
        const RowPlanes to = {to_x, to_v, to_density, to_pressure, keys, cells};
        const mote_real more = pairs.xsph * pairs.mass / 2;
        const mote_Vec3 excess = vec3(more * sums[4], more * sums[5], more * sums[6]);
        Meets at = {density[i], pressure[i], vec3(packet.v[0], packet.v[1], packet.v[2]),
                    vec3(law.gravity[0] + pairs.mass * sums[0],
                         law.gravity[1] + pairs.mass * sums[1],
                         law.gravity[2] + pairs.mass * sums[2]), {0, 0, 0}};
        n = drive_place(&law, shapes, shares, spans[i], vector_at(from, law.stride, row), excess,
                        &at, row, &to);
        n.longest = count, n.pairs = count;
    }
    all[own] = n;
    MERGE_NOTES(all, own)
    if (own == 0) notes[get_group_id(0)] = all[0];
}

#endif
