/* Rays from a particle through the walls around it, as many at once as an Eight has (wall_rays.c
 * says what they are for). Formulas: they include nothing, and are compiled for the processor and
 * for devices. */
#ifndef SOLVERS_SPH_FORMULAS_WALL_RAYS_H
#define SOLVERS_SPH_FORMULAS_WALL_RAYS_H

#define RAY_SMALL ((mote_real)1e-6)
#define RAY_FAR   ((mote_real)2) /* beyond the support */

/* Directions of rays. */
typedef struct RayDirections {
    Eight x, y, z;
} RayDirections;

/* Where they are inside a body: between in and out. */
typedef struct RayInside {
    Eight in, out;
} RayInside;

EIGHT_INLINE Eight rays_along(const RayDirections *d, mote_Vec3 n)
{
    return n.x * d->x + n.y * d->y + n.z * d->z;
}

EIGHT_INLINE Eight away_from_zero(Eight a)
{
    return eight_choose(EIGHT_MASK(a < 0), eight_least(a, eight_all(-RAY_SMALL)),
                        eight_most(a, eight_all(RAY_SMALL)));
}

EIGHT_INLINE RayInside rays_between(mote_real in, mote_real out)
{
    const RayInside r = {eight_all(in), eight_all(out)};
    return r;
}

/* The part of what is inside that lies between enter and leave, too. */
EIGHT_INLINE void rays_narrow(RayInside *r, Eight enter, Eight leave)
{
    r->in = eight_most(enter, r->in);
    r->out = eight_least(leave, r->out);
}

EIGHT_INLINE void rays_cut_plane(const RayDirections *d, mote_real gap, mote_Vec3 n, RayInside *r)
{
    const Eight rate = away_from_zero(rays_along(d, n)), t = -gap / rate;
    rays_narrow(r, eight_choose(EIGHT_MASK(rate < 0), t, r->in),
                eight_choose(EIGHT_MASK(rate > 0), t, r->out));
}

/* |p + t w - axis part|^2 = radius^2; without an axis a sphere. p from the centre to the ray's
 * origin. */
EIGHT_INLINE void rays_cut_round(const RayDirections *d, mote_Vec3 p, mote_Vec3 axis,
                                 mote_real radius, RayInside *r)
{
    const mote_real along = vec3_dot(p, axis);
    const mote_real c = vec3_dot(p, p) - along * along - radius * radius;
    const Eight w = rays_along(d, axis), b = rays_along(d, p) - along * w;
    const Eight a = eight_most(1 - w * w, eight_all(RAY_SMALL)), square = b * b - a * c;
    const EightBits meets = EIGHT_MASK(square > 0);
    const Eight root = eight_sqrt(eight_where(meets, square));
    rays_narrow(r, (-b - root) / a, eight_choose(meets, (-b + root) / a, eight_all(-RAY_FAR)));
}

/* Two balls and the cylinder between them: the hull of their intervals, as it is convex. Part i, of
 * -1, 0 and 1, is added to those before. */
EIGHT_INLINE void rays_add_part(const RayDirections *d, DEVICE_LOCAL const RayWall *wall,
                                mote_Vec3 p, int i, RayInside *r)
{
    const mote_Vec3 none = {0, 0, 0};
    RayInside part = rays_between(0, RAY_FAR);
    if (i == 0) {
        mote_real along = vec3_dot(p, wall->axis);
        rays_cut_plane(d, along - wall->half_span, wall->axis, &part);
        rays_cut_plane(d, -along - wall->half_span, vec3_scale(wall->axis, -1), &part);
    }
    mote_Vec3 from = vec3_madd(p, (mote_real)i * wall->half_span, wall->axis);
    rays_cut_round(d, from, i == 0 ? wall->axis : none, wall->radius, &part);
    const EightBits has = EIGHT_MASK(part.out > part.in);
    r->in = eight_least(r->in, eight_choose(has, part.in, eight_all(RAY_FAR)));
    r->out = eight_most(r->out, eight_choose(has, part.out, eight_all(-RAY_FAR)));
}

/* What of a body those before it have covered goes into both; then it covers, too, where it meets
 * them or is the first. Bodies that a ray misses are from RAY_FAR to -RAY_FAR. */
EIGHT_INLINE void rays_cover(Eight end, RayInside *own, RayInside *covered, RayInside *both)
{
    const Eight last = eight_least(own->out, end);
    const EightBits some = EIGHT_MASK(last > own->in);
    const Eight in = eight_choose(some, own->in, eight_all(RAY_FAR));
    const Eight out = eight_choose(some, last, eight_all(-RAY_FAR));
    const Eight a = covered->in, b = covered->out;
    const Eight low = eight_most(in, a), high = eight_least(out, b);
    const EightBits joins =
        EIGHT_MASK(eight_choose(EIGHT_MASK(b < a), eight_all(1), high - low) >= 0);
    own->in = in, own->out = out;
    both->in = low, both->out = high;
    covered->in = eight_choose(joins, eight_least(in, a), a);
    covered->out = eight_choose(joins, eight_most(out, b), b);
}

#endif
