/* Rows of incompressible liquids that stay: what dfsph.c does place by place between its solves, and
 * what walls have to do with it. */

/* What walls rub off, added to the acceleration; their gradient. */
static mote_Vec3 rubbed_at(const StayLaw *law, global StayShare *s, uint32_t count, Meets *at)
{
    for (uint32_t k = 0; k < count; ++k) at->gradient = vec3_add(at->gradient, s[k].felt.gradient);
    if (count > 0 && law->rub > 0) rub_place(law, s, count, at);
    return at->gradient;
}

/* Velocities without pressures, and what loops over pairs read; q is what moved positions last. */
kernel void flow_kick(StayLaw law, global const uint32_t *order, global const uint2 *spans,
                      global StayShare *shares, global const Real4 *places,
                      global const mote_real *a, global const mote_real *lifts,
                      global mote_real *v, global mote_real *wall, global mote_real *lift,
                      global Real4 *flow)
{
    const size_t i = get_global_id(0), stride = law.stride;
    if (i >= law.rows) return;
    Meets at = {0, 0, vector_at(v, stride, i), vector_at(a, stride, i), {0, 0, 0}};
    const mote_Vec3 g = rubbed_at(&law, shares + spans[i].x, spans[i].y, &at);
    const mote_Vec3 fresh = vec3_madd(at.v, law.push.dt, at.a);
    wall[i] = g.x, wall[stride + i] = g.y, wall[2 * stride + i] = g.z;
    v[i] = fresh.x, v[stride + i] = fresh.y, v[2 * stride + i] = law.flat ? 0 : fresh.z;
    lift[i] = lifts[order[i]];
    const Real4 p = places[i];
    flow[i] = (Real4)(p.x, p.y, p.z, lift[i]);
}

/* The lift is taken back, and velocities are what is compressed. by: what walls push over their
 * gradient and mass. */
kernel void flow_unlift(StayLaw law, global const Real4 *flow, global mote_real *v,
                        global Real4 *moves, global mote_real *by)
{
    const size_t i = get_global_id(0), stride = law.stride;
    if (i >= law.rows) return;
    const Real4 u = moves[i], at = flow[i];
    const mote_real x[3] = {at.x, at.y, at.z};
    const mote_real own[3] = {v[i] - u.x, v[stride + i] - u.y, v[2 * stride + i] - u.z};
    mote_real along = 0;
    for (int c = 0; c < 3; ++c) {
        v[c * stride + i] = own[c];
        along += own[c] * x[c];
    }
    moves[i] = (Real4)(own[0], own[1], own[2], along);
    by[i] = flow_wall_push(flow_unlifted(at.w, law.push.dt), law.push.dt);
}

/* What velocities compress, less what is thin; and pressures of the last sub-step. */
kernel void flow_source(StayLaw law, FlowPlaceLaw places, global const uint32_t *order,
                        global const uint2 *spans, global const StayShare *shares,
                        global const mote_real *v, global const mote_real *density,
                        global const mote_real *rate, global const mote_real *pressures,
                        global mote_real *source, global Real4 *flow)
{
    const size_t i = get_global_id(0);
    if (i >= law.rows) return;
    const mote_Vec3 own = vector_at(v, law.stride, i);
    mote_real approach = 0;
    for (uint32_t k = spans[i].x; k < spans[i].x + spans[i].y; ++k)
        approach += vec3_dot(vec3_sub(own, shares[k].velocity), shares[k].felt.gradient);
    const mote_real sum = law.push.dt * (rate[i] + approach);
    source[i] = sum + flow_slack(&places, density[i]);
    flow[i].w = pressures[order[i]] * places.thinner;
}

/* The velocities' pressures are final. */
kernel void flow_push(StayLaw law, FlowPlaceLaw places, global const mote_real *density,
                      global const Real4 *moves, global const mote_real *excess,
                      global const mote_real *lift, global mote_real *v,
                      global mote_real *pressure, global mote_real *source,
                      global mote_real *by, global Real4 *flow)
{
    const size_t i = get_global_id(0), stride = law.stride;
    if (i >= law.rows) return;
    const Real4 u = moves[i];
    const mote_real q = flow[i].w, dt = law.push.dt;
    v[i] += dt * u.x, v[stride + i] += dt * u.y, v[2 * stride + i] += dt * u.z;
    pressure[i] = places.rest_density * q;
    source[i] = flow_position_source(&places, density[i], excess[i]);
    by[stride + i] = flow_wall_push(q, dt);
    flow[i].w = lift[i] * places.inverse;
}

/* And those of positions: rows move. squares: of accelerations, where there are some. */
kernel void flow_finish(StayLaw law, global const StayShape *shapes, global const uint32_t *order,
                        global const uint2 *spans, global const uint32_t *counts,
                        global const Real4 *flow, global const Real4 *moves,
                        global const mote_real *density, global const mote_real *pressure,
                        global const mote_real *v, global const mote_real *excess,
                        global const mote_real *squares, uint32_t pushed,
                        global const mote_real *from, global mote_real *to_x,
                        global mote_real *to_v, global mote_real *to_density,
                        global mote_real *to_pressure, global mote_real *to_lift,
                        global mote_real *by, global uint32_t *keys, global uint32_t *cells,
                        global StayNote *notes)
{
    local StayNote all[STAY_GROUP];
    const size_t i = get_global_id(0), own = get_local_id(0), stride = law.stride;
    StayNote n = empty_note();
    if (i < law.rows) {
        const size_t row = order[i];
        const bool near = spans[i].y > 0;
        const Real4 u = moves[i];
        const mote_real q = flow[i].w, dt = law.push.dt;
        const Meets at = {density[i], pressure[i], vector_at(v, stride, i), vec3(u.x, u.y, u.z),
                          {0, 0, 0}};
        mote_Vec3 to, end;
        bool met;
        move_place(&law, shapes, vector_at(from, stride, row), near,
                   vector_at(excess, stride, i), &at, &to, &end, &met);
        store_vector(to, stride, row, to_x);
        store_vector(end, stride, row, to_v);
        to_density[row] = at.density, to_pressure[row] = at.pressure, to_lift[row] = dt * q;
        by[2 * stride + i] = flow_wall_push(q, dt);
        if (law.ahead) count_row(&law, to, (uint32_t)row, keys, cells);
        note_row(&law, to, end, &n);
        const mote_real over = at.density * law.thinner - 1;
        n.worst = over > 0 ? over : 0, n.inner = near ? 0 : n.worst;
        n.push = pushed && squares[i] > 0 ? squares[i] : 0;
        n.met = met, n.longest = counts[i], n.pairs = counts[i];
    }
    all[own] = n;
    MERGE_NOTES(all, own)
    if (own == 0) notes[get_group_id(0)] = all[0];
}

/* A plane of rows in the order that they were brought into. */
kernel void flow_follow(uint32_t rows, global const uint32_t *order, global const mote_real *from,
                        global mote_real *to)
{
    const size_t at = get_global_id(0);
    if (at < rows) to[at] = from[order[at]];
}

/* ---- sums ---- */

/* The sum of a plane, from `first` on `each` numbers from one to the next, over the places of a rod in their order,
 * or of those above 0 alone; what lists and shares wanted room for. A group has a brick, a
 * work-item a rod. */
kernel void flow_tell(RodLaw rods, uint32_t first, uint32_t each, uint32_t above,
                      global const uint32_t *table, global const uint32_t *counts,
                      global const uint32_t *counters, global const mote_real *plane,
                      global FlowTold *told)
{
    local double sums[BRICK_RODS];
    local uint32_t longest[BRICK_RODS];
    const uint32_t own = get_local_id(0), brick = get_group_id(0);
    const uint2 places = rod_of_brick(&rods, table, brick, (int)own);
    double sum = 0;
    uint32_t most = 0;
    for (uint32_t i = places.x; i < places.y; ++i) {
        const mote_real number = plane[first + (size_t)i * each];
        sum += above && !(number > 0) ? 0 : (double)number;
        most = max(most, counts[i]);
    }
    sums[own] = sum, longest[own] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own > 0) return;
    for (int k = 1; k < BRICK_RODS; ++k) sum += sums[k], most = max(most, longest[k]);
    limbs_add(told->sum, sum);
    if (most > 0) atomic_max(&told->longest, most);
    if (brick > 0) return;
    told->placed = rods.keys > 0 ? table[rods.keys - 1] : 0;
    told->shares = counters[1];
}

kernel void flow_lower(uint32_t count, uint32_t first, uint32_t each, mote_real mean,
                       global mote_real *plane)
{
    const size_t i = get_global_id(0);
    if (i < count) plane[first + i * each] -= mean;
}

/* Places that are thinner than this. */
kernel void flow_thin(uint32_t count, mote_real least, global const mote_real *density,
                      global FlowTold *told)
{
    uint32_t thin = 0;
    for (uint32_t i = get_global_id(0); i < count; i += get_global_size(0))
        thin += density[i] < least;
    if (thin > 0) atomic_add(&told->thin, thin);
}

/* What a collider gets from a place by friction, or by one of the pressures. */
static void put_load(const StayLaw *law, uint32_t set, uint32_t collider, uint32_t i,
                     global const uint2 *spans, global const StayShare *shares,
                     global const Real4 *at, global const mote_real *by,
                     local double to[STAY_LOADS])
{
    for (int k = 0; k < STAY_LOADS; ++k) to[k] = 0;
    for (uint32_t k = spans[i].x; k < spans[i].x + spans[i].y; ++k) {
        const StayShare s = shares[k];
        double load[STAY_LOADS];
        if (s.collider != collider) continue;
        mote_Vec3 change = s.rubbed;
        if (set > 0) change = vec3_scale(s.felt.gradient, by[(set - 1) * law->stride + i]);
        load_by(law, &s, change, i, at, load);
        for (int c = 0; c < STAY_LOADS; ++c) to[c] = load[c];
    }
}

/* What colliders get of each rod, as stay_rods has it: law.colliders has each of them FLOW_LOADS
 * times. */
kernel void flow_loads(StayLaw law, global const uint32_t *table, global const uint2 *spans,
                       global const StayShare *shares, global const Real4 *at,
                       global const mote_real *by, global int64_t *limbs)
{
    local double loads[STAY_ROD][STAY_LOADS];
    local uint32_t at_walls;
    const uint32_t rod = get_group_id(0), own = get_local_id(0);
    const uint32_t each = law.colliders / FLOW_LOADS;
    const uint2 places = rod_places(&law, table, rod);
    limbs = limb_set(&law, limbs, rod);
    if (own == 0) at_walls = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint32_t i = places.x + own; i < places.y; i += STAY_ROD)
        if (spans[i].y > 0) at_walls = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint32_t colliders = at_walls > 0 ? law.colliders : 0;
    for (uint32_t c = 0; c < colliders; ++c) {
        double load = 0;
        for (uint32_t begin = places.x; begin < places.y; begin += STAY_ROD) {
            const uint32_t i = begin + own, count = min(places.y - begin, (uint32_t)STAY_ROD);
            if (i < places.y)
                put_load(&law, c / each, c % each, i, spans, shares, at, by, loads[own]);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint32_t k = 0; k < count && own < STAY_LOADS; ++k) load = load + loads[k][own];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (own < STAY_LOADS) limbs_add(limbs + (c * STAY_LOADS + own) * STAY_LIMBS, load);
    }
}
