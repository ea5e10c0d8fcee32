/* Exact collisions: from one impact to the next, as often as a step needs.
 *
 * Between impacts the particle flies on the parabola with a = (v1 - v0) / dt: exact to rounding
 * under constant acceleration, first order otherwise. A bouncing ball makes infinitely many impacts
 * in a finite time (Zeno): once the next flight would last next to nothing, the rest of the step is
 * spent in contact. */
#include "collide/flight.h"
#include "collide/row_case.h"

enum { MOST_EVENTS = 1000 };

/* Flights shorter than this share of the step are contact. */
#define SHORTEST_FLIGHT (sizeof(mote_real) == 4 ? (mote_real)1e-4 : (mote_real)1e-9)

static Aabb flight_box(const Flight *f)
{
    mote_Vec3 end = flight_position(f, f->duration);
    Aabb box = {vec3_min(f->x, end), vec3_max(f->x, end)};
    mote_real bulge = vec3_length(f->a) * f->duration * f->duration / 8;
    Way way = {f->x, end, f->radius, 0, 1, NULL};
    return aabb_grown(&box, f->radius + bulge + 4 * way_slack(&way));
}

/* The first collider that the flight meets. With an `end` (the flight is cut off at an impact, and
 * may be led into what it would have missed): the first of the others that is met before it. */
static bool find_event(const RowCase *row, const Flight *f, const FlightEnd *end, mote_real *after,
                       Impact *first)
{
    const Collider *own = end != NULL ? first->collider : NULL;
    BroadWalk walk;
    broad_walk(&walk, row->broad, flight_box(f));
    bool found = false;
    for (const Collider *c; (c = broad_next(&walk)) != NULL;) {
        Impact impact;
        mote_real t;
        if (c == own) continue;
        if (!(end == NULL ? flight_meets(f, c, &t, &impact)
                          : flight_meets_before(f, c, end, &t, &impact)))
            continue;
        const bool tie = end == NULL && found && t == *after;
        if (found && !(t < *after || (tie && c->number < first->collider->number))) continue;
        *after = t, *first = impact;
        found = true;
    }
    return found;
}

static bool first_event(const RowCase *row, const Flight *f, mote_real *after, Impact *first)
{
    return find_event(row, f, NULL, after, first);
}

static bool earlier_event(const RowCase *row, const Flight *f, mote_real *after, Impact *first)
{
    const FlightEnd end = {*after, first->centre};
    return find_event(row, f, &end, after, first);
}

/* What turns bends the parabola; near such colliders the step is one of `contact`. */
static bool meets_turning(const RowCase *row, const Flight *f)
{
    BroadWalk walk;
    broad_walk(&walk, row->broad, flight_box(f));
    for (const Collider *c; row->broad->moves && (c = broad_next(&walk)) != NULL;)
        if (c->turns) return true;
    return false;
}

static bool next_event(const RowCase *row, const Flight *f, mote_real *after, Impact *impact)
{
    enum { ROUNDS = 4 };
    if (!first_event(row, f, after, impact)) return false;
    for (int i = 0; i < ROUNDS && earlier_event(row, f, after, impact); ++i) {
    }
    return true;
}

/* It lay on the wall when the step began. */
static bool lay_there(const RowCase *row, const Impact *impact, mote_real after)
{
    mote_Vec3 wall = wall_velocity(impact->collider, impact->time, impact->centre, impact->normal);
    return after == 0 && !row_approaches(impact, row->v0, wall);
}

/* The next flight after a bounce is too short to be told from lying on the wall. After a bounce
 * with `up` the flight lasts 2 up / pull. */
static bool is_contact(const Impact *impact, const Flight *f, mote_Vec3 v, mote_real shortest)
{
    const Collider *c = impact->collider;
    mote_Vec3 wall = wall_velocity(c, impact->time, impact->centre, impact->normal);
    mote_real e = c->friction->sticks ? 0 : c->def.restitution;
    mote_real up = -e * vec3_dot(vec3_sub(v, wall), impact->normal);
    mote_real pull = vec3_dot(f->a, impact->normal);
    return impact->inside || (pull < 0 && !(2 * up > -pull * shortest));
}

/* The rest of the step in contact. */
static void stay(RowCase *row, const Flight *f)
{
    RowCase rest = *row;
    rest.x0 = f->x, rest.v0 = f->v, rest.dt = f->duration, rest.start = f->start;
    rest.x1 = flight_position(f, f->duration), rest.v1 = flight_velocity(f, f->duration);
    row_contact(&rest);
    row->x1 = rest.x1, row->v1 = rest.v1;
    row->inside = row->inside || (rest.inside && f->duration == row->dt); /* not on the way */
    row->trapped = rest.trapped;
}

static void fly_on(Flight *f, mote_real after)
{
    mote_real time = f->start + (f->end - f->start) * (after / f->duration);
    f->x = flight_position(f, after), f->v = flight_velocity(f, after);
    f->duration -= after, f->start = time;
}

/* Under some schemes the step does not end where the parabola does, and there may be a wall in
 * between. Velocities of a scheme that lags are behind the parabola's. */
static void land(RowCase *row, const Flight *f)
{
    Impact impact;
    Way way = row_way(row);
    if (!row->changed && !row_first_impact(row, &way, &impact)) return;
    row->x1 = flight_position(f, f->duration);
    row->v1 = flight_velocity(f, f->duration - row->lag * row->dt);
    row->changed = true;
    row_settle(row);
}

/* Chords and roundings of long flights can leave a particle behind a surface; then the step is one
 * of `contact`, whose last sweep is a proof. */
static void prove(RowCase *row, const RowCase *start, const TouchList *touched)
{
    if (!row->changed || row_is_outside(row, row->x1)) return;
    if (row->touched != NULL) *row->touched = *touched;
    *row = *start;
    row_contact(row);
    if (row_is_outside(row, row->x1)) return;
    row->trapped = !row_is_outside(row, row->x0); /* else it stays where it was */
    row->x1 = row->x0, row->v1 = vec3(0, 0, 0), row->changed = true;
}

/* The step's forces are one acceleration, so that the way is a parabola and impacts are found on it
 * exactly. What turns bends it, and goes by `contact`; bounces that become too short or too many
 * end as contact, too, for else a ball at rest would bounce for ever. */
void row_resolve_exact(RowCase *row)
{
    const RowCase start = *row;
    TouchList touched = {.count = 0};
    if (row->touched != NULL) touched = *row->touched;
    Flight f = {.x = row->x0, .radius = row->radius, .duration = row->dt};
    f.v = row_start_velocity(row);
    f.a = vec3_scale(vec3_sub(row->v1, row->v0), 1 / row->dt);
    f.start = row->start, f.end = row->end;
    mote_real after, shortest = SHORTEST_FLIGHT * row->dt;
    Impact impact;
    if (!row->may_bounce || meets_turning(row, &f)) {
        row_resolve_contact(row);
        return;
    }
    bool stays = false;
    for (int i = 0; next_event(row, &f, &after, &impact); ++i) {
        mote_Vec3 wall;
        bool lay = i == 0 && lay_there(row, &impact, after);
        if (lay) f.v = row->v0;
        fly_on(&f, after);
        f.x = impact.centre;
        wall = wall_velocity(impact.collider, impact.time, impact.centre, impact.normal);
        row->bounced = row->bounced || row_approaches(&impact, f.v, wall);
        row->changed = true;
        bool contact = lay || is_contact(&impact, &f, f.v, shortest) || i == MOST_EVENTS;
        mote_real e = contact ? 0 : impact.collider->def.restitution;
        f.v = row_reflect(row, &impact, e, f.v);
        if (contact && f.duration > 0) {
            stay(row, &f);
            stays = true;
            break;
        }
    }
    if (!stays) land(row, &f);
    prove(row, &start, &touched);
}
