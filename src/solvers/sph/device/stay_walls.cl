/* Walls around places: what wall_integral.c does, for walls whose surfaces are formulas. */
static mote_Vec3 point_in(const StayPose *pose, mote_Vec3 x)
{
    const mote_Vec3 r = vec3_sub(x, pose->at);
    if (!pose->turned) return r;
    return vec3(vec3_dot(pose->x, r), vec3_dot(pose->y, r), vec3_dot(pose->z, r));
}

static mote_Vec3 direction_out(const StayPose *pose, mote_Vec3 n)
{
    if (!pose->turned) return n;
    const mote_Vec3 a = vec3_scale(pose->x, n.x);
    return vec3_madd(vec3_madd(a, n.y, pose->y), n.z, pose->z);
}

static SurfaceAt core_at(const StayShape *s, mote_Vec3 x)
{
    switch (s->core) {
    case STAY_PLANE: return plane_surface(s->vector, s->size[0], x);
    case STAY_SPHERE: return sphere_surface(s->size[0], x);
    case STAY_BOX: return box_surface(s->vector, x);
    case STAY_CAPSULE: return capsule_surface(s->size[0], s->size[1], x);
    default: return cylinder_surface(s->size[0], s->size[1], x);
    }
}

static WallNear shape_at(const StayShape *s, mote_Vec3 x)
{
    mote_Vec3 p = point_in(&s->pose, x);
    if (s->nested) p = point_in(&s->own, p);
    const SurfaceAt at = core_at(s, p);
    WallNear near = {at.distance, at.normal};
    if (s->nested) {
        const mote_Vec3 n = direction_out(&s->own, at.normal);
        near.distance = -at.distance;
        near.normal = vec3(-n.x, -n.y, -n.z);
    }
    near.normal = direction_out(&s->pose, near.normal);
    return near;
}

static mote_Vec3 vector_at(global const mote_real *planes, size_t stride, size_t i)
{
    return vec3(planes[i], planes[stride + i], planes[2 * stride + i]);
}

/* Boxes around blocks of places, grown by the support: lows, then highs. */
kernel void stay_boxes(StayLaw law, global const mote_real *x, global mote_real *boxes)
{
    const size_t block = get_global_id(0), begin = block * STAY_BLOCK;
    const mote_real end = (mote_real)1e30;
    mote_Vec3 low = {end, end, end}, high = {-end, -end, -end};
    if (begin >= law.rows) return;
    for (size_t i = begin; i < begin + STAY_BLOCK && i < law.rows; ++i) {
        const mote_Vec3 at = vector_at(x, law.stride, i);
        low = vec3_min(low, at), high = vec3_max(high, at);
    }
    const mote_Vec3 margin = vec3(law.support, law.support, law.support);
    vstore3((Real3)(low.x - margin.x, low.y - margin.y, low.z - margin.z), 2 * block, boxes);
    vstore3((Real3)(high.x + margin.x, high.y + margin.y, high.z + margin.z), 2 * block + 1, boxes);
}

/* Whether the box of a place's block meets the wall's. */
static bool may_be_near(const StayShape *s, global const mote_real *boxes, size_t i)
{
    const Real3 low = vload3(i / STAY_BLOCK * 2, boxes), high = vload3(i / STAY_BLOCK * 2 + 1, boxes);
    return !(low.x > s->high.x) && !(low.y > s->high.y) && !(low.z > s->high.z) &&
           !(s->low.x > high.x) && !(s->low.y > high.y) && !(s->low.z > high.z);
}

/* Lists the places that a wall is near; the others have no shares. counters: places, shares. */
kernel void stay_near(StayLaw law, global const StayShape *shapes, global const mote_real *x,
                      global const mote_real *boxes, global uint32_t *list, global uint2 *spans,
                      global uint32_t *counters)
{
    const size_t i = get_global_id(0);
    if (i >= law.rows) return;
    bool near = false;
    for (uint32_t k = 0; k < law.shapes && !near; ++k) {
        const StayShape s = shapes[k];
        near = may_be_near(&s, boxes, i) &&
               shape_at(&s, vector_at(x, law.stride, i)).distance < law.support;
    }
    spans[i] = (uint2)(0, 0);
    if (near) list[atomic_inc(&counters[0])] = i;
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

static void find_touches(const StayLaw *law, global const StayShape *shapes,
                         global const mote_real *boxes, size_t i, mote_Vec3 x, Touches *t)
{
    t->count = 0;
    for (uint32_t k = 0; k < law->shapes; ++k) {
        const StayShape s = shapes[k];
        if (!may_be_near(&s, boxes, i)) continue;
        const WallNear near = shape_at(&s, x);
        if (near.distance < law->support) add_touch(t, k, &near);
    }
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

/* Returns the number of shares. */
static uint32_t integrate(const StayLaw *law, global const StayShape *shapes,
                          global const MeshPlane *planes, global const WallTable *table,
                          global const mote_real *rays, const Touches *t, mote_Vec3 x,
                          StayShare shares[WALL_NEAR])
{
    const mote_real scale = 1 / law->support;
    RowWalls r;
    uint32_t count = 0;
    r.wall_count = r.known_count = 0, r.is_plain = true;
    for (uint32_t k = 0; k < t->count; ++k) {
        const StayShape s = shapes[t->shape[k]];
        uint32_t share = 0;
        while (share < count && shares[share].collider != s.collider) ++share;
        if (share == count) shares[count++] = begin_share(&s, &t->near[k], x);
        r.walls[r.wall_count++].share = (int)share;
        add_wall(&r, &s.form, planes + s.form.plane, &t->near[k], scale, x);
    }
    for (size_t k = 0; k < r.known_count; ++k)
        add_known_share(table, scale, &r.known[k], r.distance[k], &shares[r.known[k].share].felt);
    if (r.is_plain && r.known_count == 1) return count;
    RaySum sums[WALL_NEAR];
    for (int k = 0; k < WALL_NEAR; ++k) sums[k].volume = 0, sums[k].gradient = vec3(0, 0, 0);
    ray_sums(&r, table, rays, sums);
    for (uint32_t k = 0; k < count; ++k) add_ray_sum(&sums[k], scale, &shares[k].felt);
    return count;
}

kernel void stay_walls(StayLaw law, global const StayShape *shapes, global const MeshPlane *planes,
                       global const WallTable *table, global const mote_real *rays,
                       global const mote_real *x, global const mote_real *boxes,
                       global const uint32_t *list, global uint2 *spans, global StayShare *shares,
                       global uint32_t *counters)
{
    const size_t n = get_global_id(0);
    if (n >= counters[0]) return;
    const uint32_t i = list[n];
    const mote_Vec3 at = vector_at(x, law.stride, i);
    Touches touches;
    StayShare own[WALL_NEAR];
    find_touches(&law, shapes, boxes, i, at, &touches);
    const uint32_t count = integrate(&law, shapes, planes, table, rays, &touches, at, own);
    const uint32_t first = atomic_add(&counters[1], count);
    if (first + count > law.share_room) return; /* all is done again with more room */
    for (uint32_t k = 0; k < count; ++k) shares[first + k] = own[k];
    spans[i] = (uint2)(first, count);
}
