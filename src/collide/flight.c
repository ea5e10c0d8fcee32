/* Time of impact of a parabola.
 *
 * A convex shape lies behind the plane that touches it at its point nearest to the particle. The
 * parabola meets that plane at a root of a quadratic, never after it meets the shape; there the
 * next nearest point is taken. The sequence climbs to the time of impact from below, quadratically,
 * and in one step where the surface is flat. (Newton's method on a convex function, with the
 * parabola's curvature kept.) For shapes that are not convex the parabola is swept in
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

/* y + v t + a t^2 / 2 = 0 in the form that does not cancel: 2 y / (sqrt(v^2 - 2 a y) - v) for v <
 * 0. The textbook's single formula loses up to 8e-4 of t where v^2 is much larger than a y. */
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

/* On a long flight rounding may have put the particle inside: to the surface. */
static void lift_impact(const Flight *f, const Collider *c, Impact *impact)
{
    mote_real gap = wall_distance(c, impact->time, impact->centre) - f->radius;
    if (gap < 0 && !impact->inside)
        impact->centre = vec3_madd(impact->centre, -gap, impact->normal);
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

/* A parabola against a convex wall by tangent planes: the root of the flight over the plane at the
 * present point is never late, since the wall lies behind that plane. */
static bool meets_convex(const Flight *f, const Collider *c, mote_real *after, Impact *impact)
{
    Flight own = relative_flight(f, c);
    Way way = {f->x, flight_position(f, f->duration), f->radius, f->start, f->end, NULL};
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
        if (arrived || i + 1 == PLANE_STEPS) { /* late is never: stop short of a grazing hit */
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

/* Takes the polished impact unless it is on another side: a thin plate may lie between chord and
 * curve. */
static void try_polished(const Flight *f, const Collider *c, mote_real t, mote_real *after,
                         Impact *impact)
{
    mote_Vec3 x = flight_position(f, t);
    WallPoint at = wall_point(c, flight_time(f, t), x);
    mote_real gap = at.distance - f->radius, slack = 4 * point_slack(x, f->radius);
    if (!(vec3_dot(at.normal, impact->normal) > (mote_real)0.5)) return;
    if (!(REAL_ABS(gap) <= slack + 32 * REAL_EPSILON * vec3_length(c->pose.position))) return;
    set_impact(f, c, t, at.normal, impact);
    *after = t;
}

/* The chord that ends at vertex i + 1, or where the flight is cut off. */
static Way chord(const Flight *f, int i, const FlightEnd *end)
{
    mote_real low = f->duration * (mote_real)i / CHORDS;
    mote_real high = f->duration * (mote_real)(i + 1) / CHORDS;
    bool last = high >= end->after;
    return (Way){flight_position(f, low), last ? end->x : flight_position(f, high), f->radius,
                 flight_time(f, low),     flight_time(f, last ? end->after : high), NULL};
}

static bool meets_chords(const Flight *f, const Collider *c, const FlightEnd *end, mote_real *after,
                         Impact *impact)
{
    for (int i = 0; i < CHORDS && f->duration * (mote_real)i / CHORDS < end->after; ++i) {
        Way way = chord(f, i, end);
        if (!wall_sweep(c, &way, impact)) continue;
        mote_real low = f->duration * (mote_real)i / CHORDS;
        mote_real high = f->duration * (mote_real)(i + 1) / CHORDS;
        high = high < end->after ? high : end->after;
        mote_real share = impact->share, t = low + share * (high - low);
        *after = t;
        impact->share = t / f->duration;
        bool whole = end->after >= f->duration;
        if (share > 0 && whole) try_polished(f, c, polish(f, c, low, high, t), after, impact);
        return true;
    }
    return false;
}

bool flight_meets_before(const Flight *f, const Collider *c, const FlightEnd *end, mote_real *after,
                         Impact *impact)
{
    if (c->shape->convex) return false;
    return meets_chords(f, c, end, after, impact);
}

bool flight_meets(const Flight *f, const Collider *c, mote_real *after, Impact *impact)
{
    if (!(f->duration > 0)) return false;
    const FlightEnd end = {f->duration, flight_position(f, f->duration)};
    bool meets = c->shape->convex ? meets_convex(f, c, after, impact)
                                  : meets_chords(f, c, &end, after, impact);
    if (meets) lift_impact(f, c, impact);
    return meets;
}
