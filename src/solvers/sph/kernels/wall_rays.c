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

enum { LANES = 8 };

#define SMALL ((mote_real)1e-6)
#define FAR   ((mote_real)2) /* beyond the support */

typedef mote_real Rays[WALL_RAYS];

/* Where rays are inside a body: between in and out. */
typedef struct Inside {
    Rays in, out;
} Inside;

static inline mote_real away_from_zero(mote_real a)
{
    return REAL_ABS(a) > SMALL ? a : (a < 0 ? -SMALL : SMALL);
}

static void cut_plane(const WallDirections *d, mote_real gap, mote_Vec3 n, Inside *r)
{
    FOR_ROWS (k, d->count) {
        mote_real rate = away_from_zero(n.x * d->x[k] + n.y * d->y[k] + n.z * d->z[k]);
        mote_real t = -gap / rate, in = r->in[k], out = r->out[k];
        mote_real enter = rate < 0 ? t : in, leave = rate > 0 ? t : out;
        r->in[k] = enter > in ? enter : in;
        r->out[k] = leave < out ? leave : out;
    }
}

/* |p + t w - axis part|^2 = radius^2; without an axis a sphere. p from the centre to the ray's
 * origin. */
static void cut_round(const WallDirections *d, mote_Vec3 p, mote_Vec3 axis, mote_real radius,
                      Inside *r)
{
    mote_real along = vec3_dot(p, axis);
    mote_real c = vec3_dot(p, p) - along * along - radius * radius;
    FOR_ROWS (k, d->count) {
        mote_real w = axis.x * d->x[k] + axis.y * d->y[k] + axis.z * d->z[k];
        mote_real b = p.x * d->x[k] + p.y * d->y[k] + p.z * d->z[k] - along * w;
        mote_real a = 1 - w * w, in = r->in[k], out = r->out[k];
        a = a > SMALL ? a : SMALL;
        mote_real square = b * b - a * c;
        mote_real root = REAL_SQRT(square > 0 ? square : 0);
        mote_real enter = (-b - root) / a, leave = (-b + root) / a;
        leave = square > 0 ? leave : -FAR;
        r->in[k] = enter > in ? enter : in;
        r->out[k] = leave < out ? leave : out;
    }
}

static void start_inside(const WallDirections *d, Inside *r)
{
    FOR_ROWS (k, d->count) r->in[k] = 0, r->out[k] = FAR;
}

/* Two balls and the cylinder between them: the hull of their intervals, as it is convex. */
static void cut_capsule(const WallDirections *d, const RayWall *wall, mote_Vec3 p, Inside *r)
{
    Inside part, all;
    const mote_Vec3 none = {0, 0, 0};
    FOR_ROWS (k, d->count) all.in[k] = FAR, all.out[k] = -FAR;
    for (int i = -1; i <= 1; ++i) {
        start_inside(d, &part);
        if (i == 0) {
            mote_real along = vec3_dot(p, wall->axis);
            cut_plane(d, along - wall->half, wall->axis, &part);
            cut_plane(d, -along - wall->half, vec3_scale(wall->axis, -1), &part);
        }
        mote_Vec3 from = vec3_madd(p, (mote_real)i * wall->half, wall->axis);
        cut_round(d, from, i == 0 ? wall->axis : none, wall->radius, &part);
        FOR_ROWS (k, d->count) {
            bool has = part.out[k] > part.in[k];
            mote_real in = has ? part.in[k] : FAR, out = has ? part.out[k] : -FAR;
            all.in[k] = all.in[k] < in ? all.in[k] : in;
            all.out[k] = all.out[k] > out ? all.out[k] : out;
        }
    }
    *r = all;
}

static void cut_wall(const WallDirections *d, const RayWall *wall, Inside *r)
{
    const mote_Vec3 none = {0, 0, 0}, p = vec3_scale(wall->centre, -1);
    start_inside(d, r);
    for (size_t i = 0; i < wall->planes; ++i) cut_plane(d, wall->gap[i], wall->normal[i], r);
    if (wall->round == WALL_SPHERE) cut_round(d, p, none, wall->radius, r);
    if (wall->round == WALL_CYLINDER) cut_round(d, p, wall->axis, wall->radius, r);
    if (wall->round == WALL_CAPSULE) cut_capsule(d, wall, p, r);
}

/* ---- sums ---- */

/* Adds sign times what lies between in and out, in a fixed order. */
static void add_between(const RayCase *c, const mote_real *in, const mote_real *out, mote_real sign,
                        RaySum *sum)
{
    const WallDirections *d = c->directions;
    mote_real s[4][LANES] = {{0}};
    for (size_t first = 0; first < d->count; first += LANES)
        for (size_t l = 0; l < LANES; ++l) {
            size_t k = first + l;
            if (!(out[k] > in[k]) || !(in[k] < 1)) continue;
            WallRayEntry a = wall_ray_at(c->table, in[k]), b = wall_ray_at(c->table, out[k]);
            mote_real pull = d->weight[k] * (a.pull - b.pull);
            s[0][l] += d->weight[k] * (a.mass - b.mass);
            s[1][l] += pull * d->x[k], s[2][l] += pull * d->y[k], s[3][l] += pull * d->z[k];
        }
    for (int i = 0; i < 4; ++i)
        for (int half = LANES / 2; half > 0; half /= 2)
            for (int l = 0; l < half; ++l) s[i][l] += s[i][l + half];
    sum->volume += sign * s[0][0];
    sum->gradient = vec3_madd(sum->gradient, sign, vec3(s[1][0], s[2][0], s[3][0]));
}

/* Beyond the end of the hollows: to the one whose end is the nearest, the first of equal ones. */
static void add_hollows(const RayCase *c, Rays end, RaySum *sums)
{
    Inside own[WALL_NEAR];
    const size_t count = c->directions->count;
    Rays far;
    for (size_t k = 0; k < count; ++k) end[k] = far[k] = FAR;
    for (size_t i = 0; i < c->wall_count; ++i) {
        if (!c->walls[i].hollow) continue;
        cut_wall(c->directions, &c->walls[i], &own[i]);
        FOR_ROWS (k, count) {
            bool before = own[i].out[k] < end[k];
            end[k] = before ? own[i].out[k] : end[k];
            own[i].in[k] = before ? 1 : 0; /* so far */
        }
    }
    for (size_t i = 0; i < c->wall_count; ++i) {
        if (!c->walls[i].hollow) continue;
        FOR_ROWS (k, count) {
            bool is_end = own[i].in[k] > 0 && own[i].out[k] <= end[k];
            own[i].out[k] = is_end ? end[k] : FAR;
        }
        add_between(c, own[i].out, far, 1, &sums[c->walls[i].share]);
    }
}

/* Bodies in front of the end, each without what those before it have covered. */
static void add_bodies(const RayCase *c, const Rays end, RaySum *sums)
{
    Inside own, covered, both;
    const size_t count = c->directions->count;
    FOR_ROWS (k, count) covered.in[k] = FAR, covered.out[k] = -FAR;
    for (size_t i = 0; i < c->wall_count; ++i) {
        if (c->walls[i].hollow) continue;
        cut_wall(c->directions, &c->walls[i], &own);
        FOR_ROWS (k, count) {
            mote_real in = own.in[k], out = own.out[k] < end[k] ? own.out[k] : end[k];
            mote_real a = covered.in[k], b = covered.out[k];
            mote_real low = in > a ? in : a, high = out < b ? out : b;
            bool is_empty = !(out > in), none = b < a, meets = high >= low;
            own.out[k] = out;
            both.in[k] = low, both.out[k] = is_empty ? -FAR : high;
            bool joins = !is_empty && (none || meets);
            covered.in[k] = joins && in < a ? in : a;
            covered.out[k] = joins && out > b ? out : b;
        }
        add_between(c, own.in, own.out, 1, &sums[c->walls[i].share]);
        add_between(c, both.in, both.out, -1, &sums[c->walls[i].share]);
    }
}

static void take_known(const RayCase *c, const RayPlane *plane, RaySum *sums)
{
    Inside r;
    start_inside(c->directions, &r);
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
