/* Boundary integrals over colliders, evaluated on the fly.
 *
 * A particle that sees one flat face only reads the half-space's tables. Near edges, corners,
 * round bodies and several walls, the integral over their union is the sum over the half-spaces at
 * the nearest points plus what rays say about the difference (wall_rays.h), so that it is
 * continuous as faces come into reach, exact for one, and counts nothing twice. */
#include "collide/wall.h"
#include "solvers/sph/walls.h"

#include "base/status.h"

/* The least distance that no-slip extrapolates over, in supports: half of it at a spacing of half a
 * support. */
#define LEAST_DISTANCE ((mote_real)0.125)

/* A wall in reach of a row. */
typedef struct WallTouch {
    const WallSolid *solid;
    mote_real distance;
    mote_Vec3 normal;
} WallTouch;

typedef struct Integral {
    const Walls *walls;
    const WallsInput *input;
    mote_real scale; /* 1 / support */
} Integral;

typedef struct BlockTouches {
    WallTouch touches[BLOCK_ROWS][WALL_NEAR];
    uint8_t counts[BLOCK_ROWS];
} BlockTouches;

/* ---- which walls ---- */

static Aabb box_of(mote_real *const x[3], size_t count)
{
    Aabb box = aabb_empty();
    for (size_t i = 0; i < count; ++i) box = aabb_add_point(&box, vec3(x[0][i], x[1][i], x[2][i]));
    return box;
}

/* Of too many, the nearest. */
static void add_touch(BlockTouches *t, size_t i, const WallTouch *touch)
{
    if (t->counts[i] < WALL_NEAR) {
        t->touches[i][t->counts[i]++] = *touch;
        return;
    }
    WallTouch *farthest = &t->touches[i][0];
    for (int k = 1; k < WALL_NEAR; ++k)
        if (t->touches[i][k].distance > farthest->distance) farthest = &t->touches[i][k];
    if (touch->distance < farthest->distance) *farthest = *touch;
}

static bool any_below(const mote_real *distance, size_t count, mote_real limit)
{
    int found = 0;
    FOR_ROWS (i, count) found |= distance[i] < limit;
    return found != 0;
}

static void touch_solid(const Integral *in, const WallSolid *solid, const WallBlock *block,
                        BlockTouches *t)
{
    mote_real distance[BLOCK_ROWS], planes[3][SCRATCH_STRIDE];
    mote_real *const normal[3] = {planes[0], planes[1], planes[2]};
    mote_real *const x[3] = {in->input->x[0] + block->begin, in->input->x[1] + block->begin,
                             in->input->x[2] + block->begin};
    const mote_real reach = in->input->support;
    posed_distance(&solid->shape, block->count, x, distance);
    if (!any_below(distance, block->count, reach)) return;
    posed_surface(&solid->shape, block->count, x, NULL, normal);
    for (size_t i = 0; i < block->count; ++i) {
        if (!(distance[i] < reach)) continue;
        WallTouch touch = {solid, distance[i], vec3(normal[0][i], normal[1][i], normal[2][i])};
        add_touch(t, i, &touch);
    }
}

static bool find_touches(const Integral *in, const WallBlock *block, BlockTouches *t)
{
    const WallScene *scene = &in->walls->scene;
    mote_real *const x[3] = {in->input->x[0] + block->begin, in->input->x[1] + block->begin,
                             in->input->x[2] + block->begin};
    Aabb box = box_of(x, block->count);
    box = aabb_grown(&box, in->input->support);
    for (size_t i = 0; i < block->count; ++i) t->counts[i] = 0;
    for (size_t k = 0; k < scene->count; ++k)
        if (aabb_overlap(&box, &scene->solids[k].bounds))
            touch_solid(in, &scene->solids[k], block, t);
    int found = 0;
    for (size_t i = 0; i < block->count; ++i) found |= t->counts[i];
    return found != 0;
}

/* ---- one row ---- */

typedef struct RowWalls {
    RayWall walls[WALL_NEAR];
    RayPlane known[WALL_KNOWN];
    mote_real distance[WALL_KNOWN]; /* of the known planes; may be negative */
    size_t wall_count, known_count;
    bool is_plain; /* half-spaces alone */
} RowWalls;

/* A half-space of the wall; rays take a row that is in it as one at its surface. */
static void add_known(RowWalls *r, int share, mote_real distance, mote_Vec3 normal, bool clamps)
{
    if (r->known_count == WALL_KNOWN || !(distance < 1)) return;
    r->distance[r->known_count] = distance;
    mote_real gap = clamps && distance < 0 ? 0 : distance;
    r->known[r->known_count++] = (RayPlane){share, gap, normal};
}

static void add_half_space(RowWalls *r, RayWall *wall, const WallTouch *touch, mote_real scale)
{
    mote_real s = touch->distance * scale;
    wall->hollow = true;
    wall->planes = 1;
    wall->gap[0] = s > 0 ? -s : 0;
    wall->normal[0] = vec3_scale(touch->normal, -1);
    add_known(r, wall->share, s, touch->normal, true);
}

/* The planes of the body that pass through the ball. */
static void add_planes(const Integral *in, RowWalls *r, RayWall *wall, const WallSolid *solid,
                       mote_Vec3 x)
{
    const MeshPlane *all = in->walls->scene.planes;
    const MeshPlane *planes = solid->planes > 0 ? all + solid->plane : NULL;
    for (size_t i = 0; i < solid->planes; ++i) {
        mote_real gap = (vec3_dot(planes[i].normal, x) - planes[i].offset) * in->scale;
        if (!(gap > -1) || wall->planes == WALL_NEAR_PLANES) continue;
        if (solid->hollow) add_known(r, wall->share, -gap, vec3_scale(planes[i].normal, -1), true);
        if (solid->hollow && gap > 0) gap = 0;
        wall->gap[wall->planes] = gap;
        wall->normal[wall->planes++] = planes[i].normal;
    }
}

/* The side of a hollow cylinder; other round hollows have their nearest point alone. */
static void add_round_hollow(RowWalls *r, const RayWall *wall, const WallTouch *touch,
                             mote_real scale)
{
    if (wall->round == WALL_CYLINDER) {
        mote_Vec3 p = vec3_scale(wall->centre, -1);
        p = vec3_madd(p, -vec3_dot(p, wall->axis), wall->axis);
        mote_real far = vec3_length(p);
        mote_Vec3 n = vec3_unit(vec3_scale(p, -1), vec3_across(wall->axis));
        add_known(r, wall->share, wall->radius - far, n, true);
    } else {
        add_known(r, wall->share, touch->distance * scale, touch->normal, true);
    }
}

static void add_wall(const Integral *in, RowWalls *r, const WallTouch *touch, int share,
                     mote_Vec3 x)
{
    const WallSolid *s = touch->solid;
    RayWall *wall = &r->walls[r->wall_count++];
    wall->hollow = s->hollow, wall->share = share, wall->planes = 0, wall->round = WALL_FLAT;
    if (s->half_space) {
        add_half_space(r, wall, touch, in->scale);
        return;
    }
    wall->round = s->round;
    wall->centre = vec3_scale(vec3_sub(s->centre, x), in->scale);
    wall->axis = s->axis;
    wall->radius = s->radius * in->scale, wall->half = s->half * in->scale;
    add_planes(in, r, wall, s, x);
    bool is_face = wall->planes == 1 && s->round == WALL_FLAT;
    r->is_plain = r->is_plain && is_face;
    if (!s->hollow) add_known(r, share, touch->distance * in->scale, touch->normal, false);
    if (s->hollow && s->round != WALL_FLAT) add_round_hollow(r, wall, touch, in->scale);
}

static void add_known_share(const Integral *in, const RayPlane *known, mote_real distance,
                            WallShare *share)
{
    WallPlaneEntry e = wall_plane_at(&in->walls->table, distance);
    mote_real away = distance > LEAST_DISTANCE ? distance : LEAST_DISTANCE;
    share->volume += e.volume;
    share->gradient = vec3_madd(share->gradient, -e.slope * in->scale, known->normal);
    share->drag += (e.drag + e.depth_drag / away) * in->scale * in->scale;
}

static void add_rays(const Integral *in, const RowWalls *r, size_t shares, WallShare *share)
{
    RaySum sums[WALL_NEAR] = {{0, {0, 0, 0}}};
    RayCase ray_case = {&in->walls->table, &in->walls->directions, r->walls, r->wall_count,
                        r->known,          r->known_count};
    in->walls->kernels->rays(&ray_case, sums);
    for (size_t k = 0; k < shares; ++k) {
        mote_real volume = share[k].volume + sums[k].volume;
        share[k].volume = volume > 0 ? volume : 0;
        share[k].gradient = vec3_madd(share[k].gradient, in->scale, sums[k].gradient);
    }
}

/* The share of a wall's collider: parts of a compound have one together. */
static size_t share_of(const WallTouch *touches, size_t k, const int *shares)
{
    for (size_t i = 0; i < k; ++i)
        if (touches[i].solid->collider == touches[k].solid->collider) return (size_t)shares[i];
    return SIZE_MAX;
}

static void integrate_row(const Integral *in, const WallTouch *touches, size_t count, mote_Vec3 x,
                          WallShare *shares, uint8_t *share_count)
{
    RowWalls r;
    int numbers[WALL_NEAR];
    r.wall_count = r.known_count = 0, r.is_plain = true;
    for (size_t k = 0; k < count; ++k) {
        const WallTouch *t = &touches[k];
        size_t share = share_of(touches, k, numbers);
        if (share == SIZE_MAX) {
            share = (*share_count)++;
            mote_Vec3 at = vec3_madd(x, -t->distance, t->normal);
            shares[share] =
                (WallShare){.velocity = wall_velocity(t->solid->collider, 0, at, t->normal),
                            .centre = t->solid->collider->pose.position,
                            .collider = t->solid->collider->number};
        }
        numbers[k] = (int)share;
        add_wall(in, &r, t, numbers[k], x);
    }
    for (size_t k = 0; k < r.known_count; ++k)
        add_known_share(in, &r.known[k], r.distance[k], &shares[r.known[k].share]);
    if (!(r.is_plain && r.known_count == 1)) add_rays(in, &r, *share_count, shares);
}

static void integrate_block(void *context, WallBlock *block)
{
    const Integral *in = context;
    BlockTouches t;
    if (!find_touches(in, block, &t)) return;
    mote_real *const *x = in->input->x;
    for (size_t i = 0; i < block->count; ++i) {
        size_t row = block->begin + i;
        if (t.counts[i] > 0)
            integrate_row(in, t.touches[i], t.counts[i], vec3(x[0][row], x[1][row], x[2][row]),
                          block->shares[i], &block->counts[i]);
    }
}

mote_Status walls_integrate(Walls *walls, const WallsInput *input, mote_Error *error)
{
    Integral in = {walls, input, 1 / input->support};
    if (!wall_scene_make(&walls->scene, input->memory, input->broad))
        return status_no_memory(error, "walls of a liquid", sizeof(WallSolid));
    return walls_fill(walls, input, integrate_block, &in, error);
}
