/* Boundary integrals over colliders, evaluated on the fly.
 *
 * A particle that sees one flat face only reads the half-space's tables. Near edges, corners,
 * round bodies and several walls, the integral over their union is the sum over the half-spaces at
 * the nearest points plus what rays say about the difference (wall_rays.h), so that it is
 * continuous as faces come into reach, exact for one, and counts nothing twice. */
#include "collide/wall.h"
#include "solvers/sph/walls.h"

#include "base/status.h"

/* A wall in reach of a row. */
typedef struct WallTouch {
    const WallSolid *solid;
    WallNear near;
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
        if (t->touches[i][k].near.distance > farthest->near.distance) farthest = &t->touches[i][k];
    if (touch->near.distance < farthest->near.distance) *farthest = *touch;
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
        WallTouch touch = {solid, {distance[i], vec3(normal[0][i], normal[1][i], normal[2][i])}};
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

/* ---- one row (formulas/wall_row.h) ---- */

static void add_rays(const Integral *in, const RowWalls *r, size_t shares, WallFelt *felt)
{
    RaySum sums[WALL_NEAR] = {{0, {0, 0, 0}}};
    RayCase ray_case = {&in->walls->table, &in->walls->directions, r->walls, r->wall_count,
                        r->known,          r->known_count};
    in->walls->kernels->rays(&ray_case, sums);
    for (size_t k = 0; k < shares; ++k) add_ray_sum(&sums[k], in->scale, &felt[k]);
}

/* A share of its own for a wall's collider. */
static WallShare begin_share(const WallTouch *t, mote_Vec3 x)
{
    const Collider *c = t->solid->collider;
    mote_Vec3 at = vec3_madd(x, -t->near.distance, t->near.normal);
    return (WallShare){.velocity = wall_velocity(c, 0, at, t->near.normal),
                       .centre = c->pose.position,
                       .collider = c->number};
}

/* One flat face, as most rows at walls have. */
static bool integrate_face(const Integral *in, const WallTouch *t, mote_Vec3 x, WallShare *share)
{
    const WallForm *form = &t->solid->form;
    const MeshPlane *planes = form->planes > 0 ? in->walls->scene.planes + form->plane : NULL;
    RayPlane known;
    mote_real distance;
    WallFelt felt = {.volume = 0};
    if (!wall_is_face(form, planes, &t->near, in->scale, x, &known, &distance)) return false;
    add_known_share(&in->walls->table, in->scale, &known, distance, &felt);
    *share = begin_share(t, x);
    share->volume = felt.volume, share->gradient = felt.gradient, share->drag = felt.drag;
    return true;
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
    const MeshPlane *planes = in->walls->scene.planes;
    RowWalls r;
    WallFelt felt[WALL_NEAR];
    int numbers[WALL_NEAR];
    if (count == 1 && integrate_face(in, &touches[0], x, &shares[0])) {
        *share_count = 1;
        return;
    }
    r.wall_count = r.known_count = 0, r.is_plain = true;
    for (size_t k = 0; k < count; ++k) {
        const WallTouch *t = &touches[k];
        const WallForm *form = &t->solid->form;
        size_t share = share_of(touches, k, numbers);
        if (share == SIZE_MAX) {
            share = (*share_count)++;
            shares[share] = begin_share(t, x), felt[share] = (WallFelt){.volume = 0};
        }
        numbers[k] = (int)share;
        r.walls[r.wall_count++].share = numbers[k];
        add_wall(&r, form, form->planes > 0 ? planes + form->plane : NULL, &t->near, in->scale, x);
    }
    for (size_t k = 0; k < r.known_count; ++k)
        add_known_share(&in->walls->table, in->scale, &r.known[k], r.distance[k],
                        &felt[r.known[k].share]);
    if (!(r.is_plain && r.known_count == 1)) add_rays(in, &r, *share_count, felt);
    for (size_t k = 0; k < *share_count; ++k) {
        shares[k].volume = felt[k].volume, shares[k].gradient = felt[k].gradient;
        shares[k].drag = felt[k].drag;
    }
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
