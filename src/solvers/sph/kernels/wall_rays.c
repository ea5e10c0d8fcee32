/* Rays from a particle through the walls around it.
 *
 * Along a direction w the wall fills intervals of distance: beyond `end`, where the ray leaves the
 * hollow (or the half-space) that the particle is in, and between `in` and `out` of bodies. With
 * mass(r) and pull(r) of the table,
 *   volume   = mean over w of the sum over intervals of mass(in) - mass(out)
 *   gradient = mean over w of w (pull(in) - pull(out)).
 * What two walls share counts once. Half-spaces whose integral is known are subtracted, so that the
 * error is that of the overlaps alone and a lone half-space is exact. */
#include "solvers/sph/wall_rays.h"
#include "base/lanes.h"

#include "solvers/sph/formulas/wall_rays.h"

#define FAR RAY_FAR

typedef mote_real Rays[WALL_RAYS];

/* Where rays are inside a body: between in and out. */
typedef struct Inside {
    Rays in, out;
} Inside;

/* Eight rays at a time: k is the first of them. */
#define FOR_EIGHTS(k, count) for (size_t k = 0; k < (count); k += 8)

EIGHT_INLINE RayDirections directions_at(const WallDirections *d, size_t k)
{
    return (RayDirections){eight_load(d->x + k), eight_load(d->y + k), eight_load(d->z + k)};
}

EIGHT_INLINE RayInside inside_at(const Inside *r, size_t k)
{
    return (RayInside){eight_load(r->in + k), eight_load(r->out + k)};
}

EIGHT_INLINE void set_inside(Inside *r, size_t k, RayInside of)
{
    eight_store(r->in + k, of.in), eight_store(r->out + k, of.out);
}

static void cut_plane(const WallDirections *d, mote_real gap, mote_Vec3 n, Inside *r)
{
    FOR_EIGHTS(k, d->count)
    {
        const RayDirections w = directions_at(d, k);
        RayInside of = inside_at(r, k);
        rays_cut_plane(&w, gap, n, &of);
        set_inside(r, k, of);
    }
}

static void cut_round(const WallDirections *d, mote_Vec3 p, mote_Vec3 axis, mote_real radius,
                      Inside *r)
{
    FOR_EIGHTS(k, d->count)
    {
        const RayDirections w = directions_at(d, k);
        RayInside of = inside_at(r, k);
        rays_cut_round(&w, p, axis, radius, &of);
        set_inside(r, k, of);
    }
}

static void start_inside(const WallDirections *d, mote_real in, mote_real out, Inside *r)
{
    FOR_EIGHTS(k, d->count)
    eight_store(r->in + k, eight_all(in)), eight_store(r->out + k, eight_all(out));
}

static void cut_capsule(const WallDirections *d, const RayWall *wall, mote_Vec3 p, Inside *r)
{
    FOR_EIGHTS(k, d->count)
    {
        const RayDirections w = directions_at(d, k);
        RayInside of = rays_between(FAR, -FAR);
        for (int i = -1; i <= 1; ++i) rays_add_part(&w, wall, p, i, &of);
        set_inside(r, k, of);
    }
}

static void cut_wall(const WallDirections *d, const RayWall *wall, Inside *r)
{
    const mote_Vec3 none = {0, 0, 0}, p = vec3_scale(wall->centre, -1);
    start_inside(d, 0, FAR, r);
    for (size_t i = 0; i < wall->planes; ++i) cut_plane(d, wall->gap[i], wall->normal[i], r);
    if (wall->round == WALL_SPHERE) cut_round(d, p, none, wall->radius, r);
    if (wall->round == WALL_CYLINDER) cut_round(d, p, wall->axis, wall->radius, r);
    if (wall->round == WALL_CAPSULE) cut_capsule(d, wall, p, r);
}

/* ---- sums ---- */

/* Both ends of a cell of the table, for the cells of two rays. */
EIGHT_INLINE Eight cell_pair(const WallTable *table, int32_t a, int32_t b)
{
    return eight_fours((const mote_real *)&table->ray[a], (const mote_real *)&table->ray[b]);
}

/* wall_ray_at of eight distances. */
EIGHT_INLINE void entries_at(const WallTable *table, Eight r, Eight *mass, Eight *pull)
{
    const Eight inside = eight_least(eight_where((EightBits)(r > 0), r), eight_all(1));
    const Eight at = inside * (mote_real)WALL_CELLS;
    const I8 cell = __builtin_convertvector(at, I8);
    const Eight f = at - __builtin_convertvector(cell, Eight);
    Eight e[4]; /* mass and pull of the cells' beginnings, then of their ends */
    eight_turn(cell_pair(table, cell[0], cell[4]), cell_pair(table, cell[1], cell[5]),
               cell_pair(table, cell[2], cell[6]), cell_pair(table, cell[3], cell[7]), e);
    *mass = e[0] + f * (e[2] - e[0]);
    *pull = e[1] + f * (e[3] - e[1]);
}

/* Adds sign times what lies between in and out, in a fixed order. */
static void add_between(const RayCase *c, const mote_real *in, const mote_real *out, mote_real sign,
                        RaySum *sum)
{
    const WallDirections *d = c->directions;
    Eight s[4] = {{0}};
    for (size_t k = 0; k < d->count; k += 8) {
        const Eight from = eight_load(in + k), to = eight_load(out + k);
        const EightBits some = (EightBits)(to > from); /* beyond 1 both ends are 0 */
        if ((eight_bits(some) & eight_bits((EightBits)(from < 1))) == 0) continue;
        Eight mass[2], pull[2];
        entries_at(c->table, from, &mass[0], &pull[0]);
        entries_at(c->table, to, &mass[1], &pull[1]);
        const Eight weight = eight_where(some, eight_load(d->weight + k));
        const Eight force = weight * (pull[0] - pull[1]);
        s[0] = s[0] + weight * (mass[0] - mass[1]);
        s[1] = s[1] + force * eight_load(d->x + k);
        s[2] = s[2] + force * eight_load(d->y + k);
        s[3] = s[3] + force * eight_load(d->z + k);
    }
    const Four all = eight_sums(s);
    sum->volume += sign * all[0];
    sum->gradient = vec3_madd(sum->gradient, sign, vec3(all[1], all[2], all[3]));
}

/* Beyond the end of the hollows: to the one whose end is the nearest, the first of equal ones. */
static void add_hollows(const RayCase *c, Rays end, RaySum *sums)
{
    Inside own[WALL_NEAR];
    const size_t count = c->directions->count;
    Rays far;
    FOR_EIGHTS(k, count)
    eight_store(end + k, eight_all(FAR)), eight_store(far + k, eight_all(FAR));
    for (size_t i = 0; i < c->wall_count; ++i) {
        if (!c->walls[i].hollow) continue;
        cut_wall(c->directions, &c->walls[i], &own[i]);
        FOR_EIGHTS(k, count)
        {
            const Eight out = eight_load(own[i].out + k), so_far = eight_load(end + k);
            const EightBits before = (EightBits)(out < so_far);
            eight_store(end + k, eight_least(out, so_far));
            eight_store(own[i].out + k, eight_choose(before, out, eight_all(FAR)));
        }
    }
    for (size_t i = 0; i < c->wall_count; ++i) {
        if (!c->walls[i].hollow) continue;
        FOR_EIGHTS(k, count)
        {
            const Eight out = eight_load(own[i].out + k), last = eight_load(end + k);
            eight_store(own[i].out + k,
                        eight_choose((EightBits)(out <= last), last, eight_all(FAR)));
        }
        add_between(c, own[i].out, far, 1, &sums[c->walls[i].share]);
    }
}

static void cover(size_t k, const Rays end, Inside *own, Inside *covered, Inside *both)
{
    RayInside one = inside_at(own, k), all = inside_at(covered, k), shared;
    rays_cover(eight_load(end + k), &one, &all, &shared);
    set_inside(own, k, one), set_inside(covered, k, all), set_inside(both, k, shared);
}

/* Bodies in front of the end, each without what those before it have covered. */
static void add_bodies(const RayCase *c, const Rays end, RaySum *sums)
{
    Inside own, covered, both;
    start_inside(c->directions, FAR, -FAR, &covered);
    for (size_t i = 0; i < c->wall_count; ++i) {
        if (c->walls[i].hollow) continue;
        cut_wall(c->directions, &c->walls[i], &own);
        FOR_EIGHTS(k, c->directions->count) cover(k, end, &own, &covered, &both);
        add_between(c, own.in, own.out, 1, &sums[c->walls[i].share]);
        add_between(c, both.in, both.out, -1, &sums[c->walls[i].share]);
    }
}

static void take_known(const RayCase *c, const RayPlane *plane, RaySum *sums)
{
    Inside r;
    start_inside(c->directions, 0, FAR, &r);
    cut_plane(c->directions, plane->gap, plane->normal, &r);
    add_between(c, r.in, r.out, -1, &sums[plane->share]);
}

static void rays(const RayCase *c, RaySum *sums)
{
    Rays end;
    add_hollows(c, end, sums);
    add_bodies(c, end, sums);
    for (size_t i = 0; i < c->known_count; ++i) take_known(c, &c->known[i], sums);
}

const WallKernels ISA(wall_kernels_table) = {.rays = rays};
