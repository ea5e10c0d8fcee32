/* Time of impact of a parabola.
 *
 * A convex shape lies behind the plane that touches it at its point nearest to the particle. The
 * parabola meets that plane at a root of a quadratic, never after it meets the shape; there the
 * next nearest point is taken. The sequence climbs to the time of impact from below, quadratically,
 * and in one step where the surface is flat. (Newton's method on a convex function, with the
 * parabola's curvature kept.) For shapes that are not convex or turn, the parabola is swept in
 * short chords, and the hit is polished by Newton's method on the true curve. */
#include "collide/flight.h"

enum { PLANE_STEPS = 100, CHORDS = 16, POLISH_STEPS = 12 };

mote_Vec3 flight_position(const Flight *f, mote_real after)
{
    return vec3_madd(vec3_madd(f->x, after, f->v), after * after / 2, f->a);
}

mote_Vec3 flight_velocity(const Flight *f, mote_real after)
{
    return vec3_madd(f->v, after, f->a);
}

static mote_real flight_time(const Flight *f, mote_real after)
{
    return f->start + (f->end - f->start) * (after / f->duration);
}

mote_real flight_root(mote_real gap, mote_real speed, mote_real pull)
{
    mote_real inner = speed * speed - 2 * pull * gap;
    if (speed >= 0 && pull >= 0) return -1;
    if (inner < 0) return -1;
    mote_real root = REAL_SQRT(inner);
    return speed < 0 ? 2 * gap / (root - speed) : (speed + root) / -pull;
}

static void set_impact(const Flight *f, const Collider *c, mote_real after, mote_Vec3 normal,
                       Impact *impact)
{
    *impact = (Impact){.collider = c,
                       .share = after / f->duration,
                       .time = flight_time(f, after),
                       .centre = flight_position(f, after),
                       .normal = normal};
}

/* From a touching start: 0 when it moves or is pulled in, later when it is thrown out and falls
 * back, never (-1) when it leaves. */
static mote_real root_from_touch(const Flight *f, mote_real speed, mote_real pull, mote_real slack)
{
    mote_real deepest = speed * f->duration + pull * f->duration * f->duration / 2;
    if (speed * f->duration < -slack) return 0;
    if (deepest >= -slack) return -1;
    return speed * f->duration > slack ? -2 * speed / pull : 0;
}

/* The flight as the collider sees it, with an orientation that does not change. */
static Flight relative_flight(const Flight *f, const Collider *c)
{
    Flight own = *f;
    if (c->moves) own.v = vec3_sub(own.v, c->linear);
    return own;
}

static bool stays_inside(const Flight *f, const Collider *c, mote_real slack)
{
    return wall_distance(c, f->end, flight_position(f, f->duration)) - f->radius < -slack;
}

static bool meets_convex(const Flight *f, const Collider *c, mote_real *after, Impact *impact)
{
    Flight own = relative_flight(f, c);
    Way way = {f->x, flight_position(f, f->duration), f->radius, f->start, f->end};
    mote_real slack = way_slack(&way), t = 0;
    for (int i = 0; i < PLANE_STEPS; ++i) {
        WallPoint at = wall_point(c, flight_time(f, t), flight_position(f, t));
        mote_real gap = at.distance - f->radius;
        mote_real speed = vec3_dot(flight_velocity(&own, t), at.normal);
        mote_real pull = vec3_dot(f->a, at.normal), step;
        if (t == 0 && gap < -slack && stays_inside(f, c, slack)) {
            set_impact(f, c, 0, at.normal, impact);
            impact->gap = gap, impact->inside = true;
            *after = 0;
            return true;
        }
        if (t == 0 && !(gap > slack))
            step = root_from_touch(&own, speed, pull, slack);
        else
            step = flight_root(gap > 0 ? gap : 0, speed, pull);
        if (step < 0 || t + step > f->duration) return false;
        bool arrived = t + step == t || (t > 0 && !(gap > 0));
        if (arrived || (i + 1 == PLANE_STEPS && gap <= slack)) {
            set_impact(f, c, t, at.normal, impact);
            if (t == 0 && gap < -slack / 2) impact->gap = gap;
            *after = t;
            return true;
        }
        t += step;
    }
    return false;
}

/* Newton's method on the gap along the true curve, kept inside the chord. */
static mote_real polish(const Flight *f, const Collider *c, mote_real low, mote_real high,
                        mote_real t)
{
    for (int i = 0; i < POLISH_STEPS; ++i) {
        mote_Vec3 x = flight_position(f, t);
        WallPoint at = wall_point(c, flight_time(f, t), x);
        mote_Vec3 wall = wall_velocity(c, flight_time(f, t), x, at.normal);
        mote_real speed = vec3_dot(vec3_sub(flight_velocity(f, t), wall), at.normal);
        mote_real next = speed < 0 ? t - (at.distance - f->radius) / speed : t;
        next = next < low ? low : next > high ? high : next;
        if (next == t) break;
        t = next;
    }
    return t;
}

static bool meets_chords(const Flight *f, const Collider *c, mote_real *after, Impact *impact)
{
    for (int i = 0; i < CHORDS; ++i) {
        mote_real low = f->duration * (mote_real)i / CHORDS;
        mote_real high = f->duration * (mote_real)(i + 1) / CHORDS;
        Way way = {flight_position(f, low), flight_position(f, high), f->radius,
                   flight_time(f, low), flight_time(f, high)};
        Impact hit;
        if (!wall_sweep(c, &way, false, &hit)) continue;
        mote_real t = low + hit.share * (high - low);
        if (hit.share > 0) t = polish(f, c, low, high, t);
        WallPoint at = wall_point(c, flight_time(f, t), flight_position(f, t));
        set_impact(f, c, t, hit.share > 0 ? at.normal : hit.normal, impact);
        impact->gap = i == 0 ? hit.gap : 0, impact->inside = i == 0 && hit.inside;
        *after = t;
        return true;
    }
    return false;
}

bool flight_meets(const Flight *f, const Collider *c, mote_real *after, Impact *impact)
{
    if (!(f->duration > 0)) return false;
    if (c->shape->convex && !c->turns) return meets_convex(f, c, after, impact);
    return meets_chords(f, c, after, impact);
}
