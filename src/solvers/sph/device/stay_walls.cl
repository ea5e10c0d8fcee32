/* Walls around places: what wall_integral.c does, for walls whose surfaces are formulas. */
/* The box around a block of places, grown by the support. */
typedef struct BlockBox {
    mote_Vec3 low, high;
} BlockBox;

/* Whether it meets the wall's. */
static bool may_be_near(const StayShape *s, const BlockBox *box)
{
    return !(box->low.x > s->high.x) && !(box->low.y > s->high.y) && !(box->low.z > s->high.z) &&
           !(s->low.x > box->high.x) && !(s->low.y > box->high.y) && !(s->low.z > box->high.z);
}

/* A share of its own for a wall's collider. */
static StayShare begin_share(const StayShape *s, const WallNear *near, mote_Vec3 x)
{
    const mote_Vec3 none = {0, 0, 0}, at = vec3_madd(x, -near->distance, near->normal);
    StayShare share;
    share.felt.volume = share.felt.drag = 0, share.felt.gradient = none;
    share.velocity = wall_velocity_at(&s->motion, at, near->normal);
    share.centre = s->centre;
    share.rubbed = share.pressed = none;
    share.collider = s->collider;
    return share;
}

/* The walls that a place is near: how many, and the last of them. */
typedef struct Nearby {
    uint32_t count, last;
    WallNear near;
} Nearby;

static Nearby find_nearby(const StayLaw *law, global const StayShape *shapes, const BlockBox *box,
                          mote_Vec3 x)
{
    Nearby found = {.count = 0};
    for (uint32_t k = 0; k < law->shapes; ++k) {
        const StayShape s = shapes[k];
        if (!may_be_near(&s, box)) continue;
        const WallNear near = shape_at(&s, x);
        if (!(near.distance < law->support)) continue;
        ++found.count, found.last = k, found.near = near;
    }
    return found;
}

/* A place at one flat face has its share at once; others that a wall is near are listed, for
 * stay_edges. counters: places listed, shares. */
static uint2 share_at(const StayLaw *law, global const StayShape *shapes,
                      global const MeshPlane *planes, global const WallTable *table,
                      const BlockBox *box, mote_Vec3 at, uint32_t i, global uint32_t *list,
                      global StayShare *shares, global uint32_t *counters)
{
    const Nearby found = find_nearby(law, shapes, box, at);
    if (found.count == 0) return (uint2)(0, 0);
    const StayShape s = shapes[found.last];
    const mote_real scale = 1 / law->support;
    RayPlane known;
    mote_real distance;
    if (found.count > 1 ||
        !wall_is_face(&s.form, planes + s.form.plane, &found.near, scale, at, &known, &distance)) {
        list[atomic_inc(&counters[0])] = i;
        return (uint2)(0, 0);
    }
    const uint32_t first = atomic_inc(&counters[1]);
    if (first >= law->share_room) return (uint2)(0, 0); /* all is done again with more room */
    StayShare share = begin_share(&s, &found.near, at);
    add_known_share(table, scale, &known, distance, &share.felt);
    shares[first] = share;
    return (uint2)(first, 1);
}

/* Whether a wall may be near a place. Where it is near none of a block, nobody asks for its box;
 * that is so for most, and boxes take time. */
static bool is_walled(const StayLaw *law, global const StayShape *shapes, mote_Vec3 at)
{
    const mote_real rounded = 64 * REAL_EPSILON * (fabs(at.x) + fabs(at.y) + fabs(at.z));
    const mote_real reach = law->support + law->support / 64 + rounded;
    const mote_Vec3 by = vec3(reach, reach, reach);
    const BlockBox box = {vec3_sub(at, by), vec3_add(at, by)};
    bool walled = false;
    for (uint32_t k = 0; k < law->shapes && !walled; ++k) {
        const StayShape s = shapes[k];
        walled = may_be_near(&s, &box);
    }
    return walled;
}

static void grow_box(local BlockBox *box, const BlockBox *by)
{
    box->low = vec3_min(box->low, by->low);
    box->high = vec3_max(box->high, by->high);
}

/* What goes by place for its pressure, and comes of it. */
typedef struct PressPlaces {
    global const mote_real *sums, *v;
    global const Real4 *places;
    global const StayShare *shares;
    global mote_real *density, *pressure;
    global Real4 *packets;
    global mote_real *a;
} PressPlaces;

/* Density and pressure of a place whose walls are known, and what forces go by. */
static void press_place(const StayLaw *law, size_t i, uint2 span, const PressPlaces *p)
{
    const size_t stride = law->stride;
    global const mote_real *v = p->v;
    mote_real rho = law->mass * p->sums[i], volume = 0;
    for (uint32_t k = 0; k < span.y; ++k) volume += p->shares[span.x + k].felt.volume;
    rho += law->push.rest_density * volume;
    const mote_real pressure = tait_pressure(&law->tait, rho), inverse = 1 / rho;
    p->density[i] = rho, p->pressure[i] = pressure;
    if (!law->flows) {
        p->packets[2 * i + 1].zw = (Real2)(pressure * inverse * inverse, inverse);
        return;
    }
    const Real4 at = p->places[i];
    p->packets[2 * i] = (Real4)(at.x, at.y, at.z, v[i]);
    p->packets[2 * i + 1] =
        (Real4)(v[stride + i], law->flat ? 0 : v[2 * stride + i], 0, inverse);
    for (int c = 0; c < 3; ++c) p->a[c * stride + i] = law->gravity[c];
}

/* A group has a block. Places that are listed get their pressure with their walls. Nobody needs the
 * counts of cells any more: they are cleared. */
kernel void stay_near(StayLaw law, global const StayShape *shapes, global const MeshPlane *planes,
                      global const WallTable *table, global const Real4 *places,
                      global BlockBox *boxes, global uint32_t *list, global uint2 *spans,
                      global StayShare *shares, global uint32_t *counters,
                      global const mote_real *sums, global const mote_real *v,
                      global mote_real *density, global mote_real *pressure,
                      global Real4 *packets, global mote_real *a, global uint32_t *cells)
{
    local BlockBox all[STAY_BLOCK];
    local uint32_t walled;
    const PressPlaces by_place = {sums, v, places, shares, density, pressure, packets, a};
    const uint32_t own = get_local_id(0), begin = get_group_id(0) * STAY_BLOCK;
    const uint32_t i = begin + own;
    for (size_t k = i; k <= law.keys; k += get_global_size(0)) cells[k] = 0;
    const mote_real far = (mote_real)1e30;
    const BlockBox none = {{far, far, far}, {-far, -far, -far}};
    all[own] = none;
    if (i < law.rows) {
        const mote_Vec3 at = place_at(places, i);
        const BlockBox point = {at, at};
        grow_box(&all[own], &point);
    }
    if (own == 0) walled = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < law.rows && is_walled(&law, shapes, place_at(places, i))) walled = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint32_t span = walled ? STAY_BLOCK / 2 : 0; span > 0; span /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own < span) {
            const BlockBox other = all[own + span];
            grow_box(&all[own], &other);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const mote_Vec3 margin = vec3(law.support, law.support, law.support);
    const BlockBox box = {vec3_sub(all[0].low, margin), vec3_add(all[0].high, margin)};
    if (own == 0) boxes[begin / STAY_BLOCK] = box;
    bool near = false;
    for (uint32_t k = 0; k < law.shapes && walled && !near; ++k) {
        const StayShape s = shapes[k];
        near = may_be_near(&s, &box);
    }
    if (i >= law.rows) return;
    const uint2 span = !near ? (uint2)(0, 0)
                             : share_at(&law, shapes, planes, table, &box,
                                        place_at(places, i), i, list, shares, counters);
    spans[i] = span;
    press_place(&law, i, span, &by_place);
}

/* The walls near a place; of too many, the nearest. */
typedef struct Touches {
    uint32_t shape[WALL_NEAR];
    WallNear near[WALL_NEAR];
    uint32_t count;
} Touches;

static void add_touch(Touches *t, uint32_t shape, const WallNear *near)
{
    uint32_t at = t->count;
    if (t->count == WALL_NEAR) {
        at = 0;
        for (uint32_t k = 1; k < WALL_NEAR; ++k)
            if (t->near[k].distance > t->near[at].distance) at = k;
        if (!(near->distance < t->near[at].distance)) return;
    } else {
        ++t->count;
    }
    t->shape[at] = shape, t->near[at] = *near;
}

static void find_touches(const StayLaw *law, global const StayShape *shapes, const BlockBox *box,
                         mote_Vec3 x, Touches *t)
{
    t->count = 0;
    for (uint32_t k = 0; k < law->shapes; ++k) {
        const StayShape s = shapes[k];
        if (!may_be_near(&s, box)) continue;
        const WallNear near = shape_at(&s, x);
        if (near.distance < law->support) add_touch(t, k, &near);
    }
}

/* What a group of work-items has of a place. */
typedef struct Edge {
    RowWalls walls;
    StayShare shares[WALL_NEAR];
    RaySum sums[WALL_NEAR];
    RayTerm terms[WALL_NEAR * 2 + WALL_KNOWN];
    uint32_t share_count, term_count;
} Edge;

/* By one work-item: walls, shares and half-spaces, and which sums of rays there are. */
static void begin_edge(const StayLaw *law, global const StayShape *shapes,
                       global const MeshPlane *planes, global const WallTable *table,
                       const BlockBox *box, mote_Vec3 x, local Edge *e)
{
    const mote_real scale = 1 / law->support;
    local RowWalls *r = &e->walls;
    Touches t;
    find_touches(law, shapes, box, x, &t);
    r->wall_count = r->known_count = 0, r->is_plain = true, e->share_count = 0;
    for (uint32_t k = 0; k < t.count; ++k) {
        const StayShape s = shapes[t.shape[k]];
        uint32_t share = 0;
        while (share < e->share_count && e->shares[share].collider != s.collider) ++share;
        if (share == e->share_count) e->shares[e->share_count++] = begin_share(&s, &t.near[k], x);
        r->walls[r->wall_count++].share = (int)share;
        add_wall(r, &s.form, planes + s.form.plane, &t.near[k], scale, x);
    }
    for (size_t k = 0; k < r->known_count; ++k) {
        const RayPlane known = r->known[k];
        WallFelt felt = e->shares[known.share].felt;
        add_known_share(table, scale, &known, r->distance[k], &felt);
        e->shares[known.share].felt = felt;
    }
    for (int k = 0; k < WALL_NEAR; ++k) e->sums[k].volume = 0, e->sums[k].gradient = vec3(0, 0, 0);
    e->term_count = r->is_plain && r->known_count == 1 ? 0 : list_ray_terms(r, e->terms);
}

static uint2 end_edge(const StayLaw *law, local Edge *e, global StayShare *shares,
                      global uint32_t *counters)
{
    const uint32_t first = atomic_add(&counters[1], e->share_count);
    if (first + e->share_count > law->share_room)
        return (uint2)(0, 0); /* all is done again with more room */
    for (uint32_t k = 0; k < e->share_count; ++k) {
        const RaySum sum = e->sums[k];
        StayShare share = e->shares[k];
        if (e->term_count > 0) add_ray_sum(&sum, 1 / law->support, &share.felt);
        shares[first + k] = share;
    }
    return (uint2)(first, e->share_count);
}

/* Places at edges, at round walls and at several: a group each, one ray a work-item. */
kernel void stay_edges(StayLaw law, global const StayShape *shapes, global const MeshPlane *planes,
                       global const WallTable *table, global const mote_real *rays,
                       global const Real4 *places, global const BlockBox *boxes,
                       global const uint32_t *list, global uint2 *spans, global StayShare *shares,
                       global uint32_t *counters, global const mote_real *sums,
                       global const mote_real *v, global mote_real *density,
                       global mote_real *pressure, global Real4 *packets, global mote_real *a)
{
    const PressPlaces by_place = {sums, v, places, shares, density, pressure, packets, a};
    local Edge e;
    local Eight cut[RAY_ITEMS][4];
    const uint32_t own = get_local_id(0), listed = counters[0];
    const uint32_t items = (table->dimension == 2 ? 64 : WALL_RAYS) / 8 * PARTS;
    for (uint32_t n = get_group_id(0); n < listed; n += get_num_groups(0)) {
        const uint32_t i = list[n];
        const BlockBox box = boxes[i / STAY_BLOCK];
        if (own == 0)
            begin_edge(&law, shapes, planes, table, &box, place_at(places, i), &e);
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint32_t terms = e.term_count;
        for (uint32_t t = 0; t < terms; ++t) {
            for (uint32_t item = own; item < items; item += STAY_GROUP)
                cut_rays(&e.walls, table, rays, &e.terms[t], item, cut[item]);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (own < 4 * PARTS) add_cuts(cut, items, own);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (own == 0) add_ray_term(cut, &e.terms[t], &e.sums[e.terms[t].share]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (own == 0) {
            const uint2 span = end_edge(&law, &e, shares, counters);
            spans[i] = span;
            press_place(&law, i, span, &by_place);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
