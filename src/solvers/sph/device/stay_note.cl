/* Sums over all places in the order of rods (space/rods.h), and the note of a sub-step. */
static void limbs_add(global int64_t *sum, double number)
{
    const LimbParts parts = limb_parts(as_ulong(number));
    if (parts.first == LIMB_ODD) atom_inc(&sum[number > 0 ? 7 : number < 0 ? 8 : 6]);
    for (int k = 0; k < 3 && parts.first >= 0; ++k)
        if (parts.part[k] != 0) atom_add(&sum[parts.first + k], parts.part[k]);
}

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

static void load_rod(const StayLaw *law, uint2 places, uint32_t collider, global const uint2 *spans,
                     global const StayShare *shares, global const mote_real *x, double sums[6])
{
    for (uint32_t i = places.x; i < places.y; ++i)
        for (uint32_t k = spans[i].x; k < spans[i].x + spans[i].y; ++k) {
            const StayShare s = shares[k];
            if (s.collider != collider) continue;
            const double m = -(double)law->mass;
            const double arm[3] = {(double)x[i] - (double)s.centre.x,
                                   (double)x[law->stride + i] - (double)s.centre.y,
                                   (double)x[2 * law->stride + i] - (double)s.centre.z};
            for (int part = 0; part < 2; ++part) {
                const mote_Vec3 by = part == 0 ? s.rubbed : s.pressed;
                const double p[3] = {m * (double)by.x, m * (double)by.y, m * (double)by.z};
                for (int c = 0; c < 3; ++c) {
                    const int d = (c + 1) % 3, e = (c + 2) % 3;
                    sums[c] += p[c];
                    sums[3 + c] += arm[d] * p[e] - arm[e] * p[d];
                }
            }
        }
}

/* Of each rod: how dense it is; and what colliders get, into limbs. */
kernel void stay_rods(StayLaw law, global const uint32_t *table, global const uint2 *spans,
                      global const StayShare *shares, global const mote_real *x,
                      global const mote_real *density, global double *sums, global mote_real *worst,
                      global mote_real *inner, global int64_t *limbs)
{
    const uint32_t rod = get_global_id(0);
    limbs += STAY_NOTES * sizeof(StayNote) / sizeof(int64_t);
    if (rod > law.rods[0] * law.rods[1] * law.rods[2]) return;
    const uint2 places = rod_places(&law, table, rod);
    double sum = 0;
    mote_real most = 0, free_most = 0;
    bool walls = false;
    for (uint32_t i = places.x; i < places.y; ++i) {
        mote_real over = density[i] * law.thinner - 1;
        over = over > 0 ? over : 0;
        sum += (double)over;
        most = over > most ? over : most;
        if (over > free_most && spans[i].y == 0) free_most = over;
        walls = walls || spans[i].y > 0;
    }
    sums[rod] = sum, worst[rod] = most, inner[rod] = free_most;
    for (uint32_t c = 0; c < law.colliders && walls; ++c) {
        double loads[STAY_LOADS] = {0, 0, 0, 0, 0, 0};
        load_rod(&law, places, c, spans, shares, x, loads);
        for (int k = 0; k < STAY_LOADS; ++k)
            limbs_add(limbs + (c * STAY_LOADS + k) * STAY_LIMBS, loads[k]);
    }
}

/* The rods of each brick in their order, into the limbs behind the colliders'. */
kernel void stay_bricks(StayLaw law, global const double *sums, global int64_t *limbs)
{
    const uint32_t brick = get_global_id(0);
    const uint32_t all = law.bricks[0] * law.bricks[1] * law.bricks[2];
    global int64_t *total =
        limbs + STAY_NOTES * sizeof(StayNote) / sizeof(int64_t) + law.colliders * STAY_LOADS * STAY_LIMBS;
    if (brick > all) return;
    if (brick == all) {
        limbs_add(total, sums[law.rods[0] * law.rods[1] * law.rods[2]]);
        return;
    }
    const uint32_t at[3] = {brick % law.bricks[0], brick / law.bricks[0] % law.bricks[1],
                            brick / law.bricks[0] / law.bricks[1]};
    int low[3], high[3];
    for (int c = 1; c < 3; ++c) {
        const int first = (law.brick_low[c] + (int)at[c]) * 4 - (int)law.low[c];
        low[c] = max(first, 0), high[c] = min(first + 4, (int)law.rods[c]);
    }
    double sum = 0;
    for (int z = low[2]; z < high[2]; ++z)
        for (int y = low[1]; y < high[1]; ++y)
            sum += sums[(z * law.rods[1] + y) * law.rods[0] + at[0]];
    limbs_add(total, sum);
}

/* Where a row is when periodic axes are wrapped. */
static mote_real inside_of(const StayLaw *law, int c, mote_real x)
{
    return law->period[c] > 0 ? wrap_into(x, law->start[c], law->end[c]) : x;
}

kernel void stay_wrap(StayLaw law, global mote_real *x)
{
    const size_t row = get_global_id(0);
    for (int c = 0; c < 3 && row < law.rows; ++c)
        x[c * law.stride + row] = inside_of(&law, c, x[c * law.stride + row]);
}

static void note_row(const StayLaw *law, mote_Vec3 to, mote_Vec3 v, StayNote *n)
{
    const mote_Vec3 x = vec3(inside_of(law, 0, to.x), inside_of(law, 1, to.y),
                             inside_of(law, 2, to.z));
    const mote_real at[3] = {x.x, x.y, x.z}, huge = (mote_real)1e30;
    for (int c = 0; c < 3; ++c) {
        n->low[c] = at[c] < n->low[c] && at[c] > -huge ? at[c] : n->low[c];
        n->high[c] = at[c] > n->high[c] && at[c] < huge ? at[c] : n->high[c];
    }
    const mote_real square = v.x * v.x + v.y * v.y + v.z * v.z;
    const mote_real down = x.x * law->down[0] + x.y * law->down[1] + x.z * law->down[2];
    n->square = square > n->square ? square : n->square;
    n->least = down < n->least ? down : n->least;
    n->most = down > n->most ? down : n->most;
}

static void merge_notes(StayNote *n, const local StayNote *o)
{
    for (int c = 0; c < 3; ++c) {
        n->low[c] = o->low[c] < n->low[c] ? o->low[c] : n->low[c];
        n->high[c] = o->high[c] > n->high[c] ? o->high[c] : n->high[c];
    }
    n->square = o->square > n->square ? o->square : n->square;
    n->least = o->least < n->least ? o->least : n->least;
    n->most = o->most > n->most ? o->most : n->most;
    n->push = o->push > n->push ? o->push : n->push;
    n->worst = o->worst > n->worst ? o->worst : n->worst;
    n->inner = o->inner > n->inner ? o->inner : n->inner;
    n->met |= o->met;
    n->longest = o->longest > n->longest ? o->longest : n->longest;
    n->pairs += o->pairs;
}

/* All that the processor asks for, in STAY_NOTES parts. */
kernel void stay_note(StayLaw law, global const mote_real *x, global const mote_real *v,
                      global const mote_real *squares, global const uint32_t *met,
                      global const uint32_t *counts, global const mote_real *worst,
                      global const mote_real *inner, global const uint32_t *counters,
                      global StayNote *notes)
{
    local StayNote all[STAY_GROUP];
    const uint32_t own = get_global_id(0), step = get_global_size(0);
    const uint32_t rods = law.rods[0] * law.rods[1] * law.rods[2] + 1;
    const mote_real huge = (mote_real)1e30;
    StayNote n = {.low = {huge, huge, huge},
                  .high = {-huge, -huge, -huge},
                  .least = (mote_real)INFINITY,
                  .most = -(mote_real)INFINITY};
    for (uint32_t i = own; i < law.rows; i += step) {
        note_row(&law, vector_at(x, law.stride, i), vector_at(v, law.stride, i), &n);
        n.push = squares[i] > n.push ? squares[i] : n.push;
        n.met |= met[i];
        n.longest = counts[i] > n.longest ? counts[i] : n.longest;
        n.pairs += counts[i];
    }
    for (uint32_t rod = own; rod < rods; rod += step) {
        n.worst = worst[rod] > n.worst ? worst[rod] : n.worst;
        n.inner = inner[rod] > n.inner ? inner[rod] : n.inner;
    }
    n.near = counters[0], n.shares = counters[1];
    all[get_local_id(0)] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) > 0) return;
    for (int i = 1; i < STAY_GROUP; ++i) merge_notes(&n, &all[i]);
    notes[get_group_id(0)] = n;
}
