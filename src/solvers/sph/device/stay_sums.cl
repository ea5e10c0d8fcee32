/* Sums over all places in the order of rods (space/rods.h), and what is told at the end. */
/* The places of a rod; the last one has those in no cell. */
static uint2 rod_places(const StayLaw *law, global const uint32_t *table, uint32_t rod)
{
    const uint32_t along = rod % law->rods[0], cells = rod / law->rods[0];
    if (cells == law->rods[1] * law->rods[2])
        return (uint2)(law->keys > 0 ? table[law->keys - 1] : 0, law->rows);
    const int first = (law->brick_low[0] + (int)along) * 4 - (int)law->low[0], side = law->side[0];
    const uint32_t low = cells * side + max(first, 0), high = cells * side + min(first + 4, side);
    return (uint2)(low > 0 ? table[low - 1] : 0, table[high - 1]);
}

/* What a collider gets of a change of the velocity at a place. */
static void load_by(const StayLaw *law, const StayShare *s, mote_Vec3 by, uint32_t i,
                    global const mote_real *x, double load[STAY_LOADS])
{
    const double m = -(double)law->mass;
    const double arm[3] = {(double)x[i] - (double)s->centre.x,
                           (double)x[law->stride + i] - (double)s->centre.y,
                           (double)x[2 * law->stride + i] - (double)s->centre.z};
    const double p[3] = {m * (double)by.x, m * (double)by.y, m * (double)by.z};
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        load[c] = p[c];
        load[3 + c] = arm[d] * p[e] - arm[e] * p[d];
    }
}

/* What a collider gets from a place, twice: by friction, by pressure. */
static void put_loads(const StayLaw *law, uint32_t collider, uint32_t i, global const uint2 *spans,
                      global const StayShare *shares, global const mote_real *x,
                      local double (*to)[STAY_LOADS])
{
    for (int k = 0; k < STAY_LOADS; ++k) to[0][k] = to[1][k] = 0;
    for (uint32_t k = spans[i].x; k < spans[i].x + spans[i].y; ++k) {
        const StayShare s = shares[k];
        double load[STAY_LOADS];
        if (s.collider != collider) continue;
        for (int part = 0; part < 2; ++part) {
            load_by(law, &s, part == 0 ? s.rubbed : s.pressed, i, x, load);
            for (int c = 0; c < STAY_LOADS; ++c) to[part][c] = load[c];
        }
    }
}

/* Of each rod: how dense it is; and what colliders get, into limbs. A group has a rod: its
 * work-items fetch numbers of places, and one of them adds those up in the order of places. */
kernel void stay_rods(StayLaw law, global const uint32_t *table, global const uint2 *spans,
                      global const StayShare *shares, global const mote_real *x,
                      global const mote_real *density, global double *sums, global int64_t *limbs)
{
    local double over[STAY_ROD], loads[STAY_ROD][2][STAY_LOADS];
    local uint32_t at_walls;
    const uint32_t rod = get_group_id(0), own = get_local_id(0);
    const uint2 places = rod_places(&law, table, rod);
    double sum = 0;
    limbs += STAY_NOTES * sizeof(StayNote) / sizeof(int64_t);
    if (own == 0) at_walls = 0;
    for (uint32_t begin = places.x; begin < places.y; begin += STAY_ROD) {
        const uint32_t i = begin + own, count = min(places.y - begin, (uint32_t)STAY_ROD);
        barrier(CLK_LOCAL_MEM_FENCE);
        const mote_real by = i < places.y ? density[i] * law.thinner - 1 : 0;
        over[own] = (double)(by > 0 ? by : 0);
        if (i < places.y && spans[i].y > 0) at_walls = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint32_t k = 0; k < count && own == 0; ++k) sum += over[k];
    }
    if (own == 0) sums[rod] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint32_t colliders = at_walls > 0 ? law.colliders : 0;
    for (uint32_t c = 0; c < colliders; ++c) {
        double load = 0;
        for (uint32_t begin = places.x; begin < places.y; begin += STAY_ROD) {
            const uint32_t i = begin + own, count = min(places.y - begin, (uint32_t)STAY_ROD);
            if (i < places.y) put_loads(&law, c, i, spans, shares, x, loads[own]);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint32_t k = 0; k < count && own < STAY_LOADS; ++k)
                load = load + loads[k][0][own] + loads[k][1][own];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (own < STAY_LOADS) limbs_add(limbs + (c * STAY_LOADS + own) * STAY_LIMBS, load);
    }
}

/* The rods of a brick in their order, into the limbs behind the colliders'. */
static void add_brick(const StayLaw *law, global const double *sums, uint32_t brick,
                      global int64_t *limbs)
{
    const uint32_t all = law->bricks[0] * law->bricks[1] * law->bricks[2];
    global int64_t *total = limbs + STAY_NOTES * sizeof(StayNote) / sizeof(int64_t) +
                            law->colliders * STAY_LOADS * STAY_LIMBS;
    if (brick == all) limbs_add(total, sums[law->rods[0] * law->rods[1] * law->rods[2]]);
    if (brick >= all) return;
    const uint32_t at[3] = {brick % law->bricks[0], brick / law->bricks[0] % law->bricks[1],
                            brick / law->bricks[0] / law->bricks[1]};
    int low[3], high[3];
    for (int c = 1; c < 3; ++c) {
        const int first = (law->brick_low[c] + (int)at[c]) * 4 - (int)law->low[c];
        low[c] = max(first, 0), high[c] = min(first + 4, (int)law->rods[c]);
    }
    double sum = 0;
    for (int z = low[2]; z < high[2]; ++z)
        for (int y = low[1]; y < high[1]; ++y)
            sum += sums[(z * law->rods[1] + y) * law->rods[0] + at[0]];
    limbs_add(total, sum);
}

/* By every work-item: bricks, and notes of groups, in STAY_NOTES parts. */
kernel void stay_note(StayLaw law, global const double *sums, global const StayNote *groups,
                      uint32_t group_count, global const uint32_t *counters,
                      global StayNote *notes, global int64_t *limbs)
{
    local StayNote all[STAY_GROUP];
    const uint32_t item = get_global_id(0), own = get_local_id(0);
    const uint32_t end = item < STAY_NOTES * STAY_GROUP ? group_count : 0;
    add_brick(&law, sums, item, limbs);
    all[own] = empty_note();
    for (uint32_t k = item; k < end; k += STAY_NOTES * STAY_GROUP) {
        const StayNote n = groups[k];
        merge_notes(&all[own], &n);
    }
    MERGE_NOTES(all, own)
    if (own > 0 || end == 0) return;
    StayNote n = all[0];
    n.near = counters[0], n.shares = counters[1];
    notes[get_group_id(0)] = n;
}
