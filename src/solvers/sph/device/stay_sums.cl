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
                    global const Real4 *places, double load[STAY_LOADS])
{
    const double m = -(double)law->mass;
    const mote_Vec3 at = place_at(places, i);
    const double arm[3] = {(double)at.x - (double)s->centre.x, (double)at.y - (double)s->centre.y,
                           (double)at.z - (double)s->centre.z};
    const double p[3] = {m * (double)by.x, m * (double)by.y, m * (double)by.z};
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        load[c] = p[c];
        load[3 + c] = arm[d] * p[e] - arm[e] * p[d];
    }
}

/* What a collider gets from a place, twice: by friction, by pressure. */
static void put_loads(const StayLaw *law, uint32_t collider, uint32_t i, global const uint2 *spans,
                      global const StayShare *shares, global const Real4 *at,
                      local double (*to)[STAY_LOADS])
{
    for (int k = 0; k < STAY_LOADS; ++k) to[0][k] = to[1][k] = 0;
    for (uint32_t k = spans[i].x; k < spans[i].x + spans[i].y; ++k) {
        const StayShare s = shares[k];
        double load[STAY_LOADS];
        if (s.collider != collider) continue;
        for (int part = 0; part < 2; ++part) {
            load_by(law, &s, part == 0 ? s.rubbed : s.pressed, i, at, load);
            for (int c = 0; c < STAY_LOADS; ++c) to[part][c] = load[c];
        }
    }
}

/* The set of limbs that a group adds to, behind the notes. */
static global int64_t *limb_set(const StayLaw *law, global int64_t *notes, uint32_t group)
{
    return notes + STAY_NOTES * sizeof(StayNote) / sizeof(int64_t) +
           (size_t)(group % STAY_SETS) * (law->colliders * STAY_LOADS + 1) * STAY_LIMBS;
}

static double crowding_of(const StayLaw *law, mote_real density)
{
    const mote_real by = density * law->thinner - 1;
    return (double)(by > 0 ? by : 0);
}

/* Every so many, from one on. */
static void gather_notes(global const StayNote *groups, uint32_t count, uint32_t first,
                         local StayNote *to)
{
    *to = empty_note();
    for (uint32_t k = first; k < count; k += STAY_NOTES * STAY_GROUP) {
        const StayNote n = groups[k];
        merge_notes(to, &n);
    }
}

/* Groups of work-items have a brick each: STAY_LANES of them fetch numbers of a rod's places, and one
 * of these adds them up in the order of places; rods stand side by side. What colliders get goes rod
 * by rod into limbs, how dense it is brick by brick, into those behind. The first STAY_NOTES groups
 * put together what groups noted of places instead, in as many parts. */
kernel void stay_note(StayLaw law, RodLaw rods, uint32_t colliders, global const uint32_t *table,
                      global const uint2 *spans, global const StayShare *shares,
                      global const Real4 *at, global const mote_real *density,
                      global const StayNote *groups, uint32_t group_count,
                      global const uint32_t *counters, global StayNote *notes,
                      global int64_t *limbs)
{
    local StayNote all[STAY_GROUP];
    local double over[BRICK_RODS][STAY_FETCHED], crowds[BRICK_RODS];
    local double loads[BRICK_RODS][STAY_LANES][2][STAY_LOADS];
    local uint2 places[BRICK_RODS];
    local uint32_t at_walls;
    const uint32_t own = get_local_id(0), rod = own / STAY_LANES, lane = own % STAY_LANES;
    const uint32_t group = get_group_id(0), brick = group - STAY_NOTES;
    const bool notes_it = group < STAY_NOTES;
    limbs = limb_set(&law, limbs, group);
    global int64_t *total = limbs + law.colliders * STAY_LOADS * STAY_LIMBS;
    if (own == 0) at_walls = 0;
    if (lane == 0)
        places[rod] = notes_it ? (uint2)(0, 0) : rod_of_brick(&rods, table, brick, (int)rod);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint32_t longest = 0;
    for (int k = 0; k < BRICK_RODS; ++k) longest = max(longest, places[k].y - places[k].x);
    const uint2 mine = places[rod];
    double sum = 0;
    for (uint32_t first = 0; first < longest; first += STAY_FETCHED) {
        const uint32_t begin = mine.x + first, end = min(begin + STAY_FETCHED, mine.y);
        for (uint32_t i = begin + lane; i < end; i += STAY_LANES) {
            over[rod][i - begin] = crowding_of(&law, density[i]);
            if (spans[i].y > 0) at_walls = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint32_t i = begin; i < end && lane == 0; ++i) sum += over[rod][i - begin];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) crowds[rod] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 1; k < BRICK_RODS && own == 0; ++k) sum += crowds[k];
    if (own == 0 && !notes_it) limbs_add(total, sum);
    const uint32_t some = at_walls > 0 ? colliders : 0;
    for (uint32_t c = 0; c < some; ++c) {
        double load = 0;
        for (uint32_t first = 0; first < longest; first += STAY_LANES) {
            const uint32_t i = mine.x + first + lane;
            if (i < mine.y) put_loads(&law, c, i, spans, shares, at, loads[rod][lane]);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint32_t k = 0; k < STAY_LANES && mine.x + first + k < mine.y; ++k)
                if (lane < STAY_LOADS)
                    load = load + loads[rod][k][0][lane] + loads[rod][k][1][lane];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (lane < STAY_LOADS) limbs_add(limbs + (c * STAY_LOADS + lane) * STAY_LIMBS, load);
    }
    if (own < STAY_GROUP)
        gather_notes(groups, notes_it ? group_count : 0, group * STAY_GROUP + own, &all[own]);
    MERGE_NOTES(all, own)
    if (own > 0 || !notes_it) return;
    StayNote n = all[0];
    n.near = counters[0], n.shares = counters[1];
    notes[group] = n;
}
