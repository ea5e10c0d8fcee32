/* Contact by sequential impulses (Catto 2005) in small pieces of the sub-step (Macklin et al.
 * 2019), with soft constraints and relaxation (Catto, Solver2D, 2024):
 *
 *   in every piece: gravity, the impulses of the last piece (warm start), one sweep over all points
 *   in which overlaps are pushed apart as by a critically damped spring, motion, and one sweep
 *   without the spring, which takes the velocity out again that pushing apart has put in. So
 *   correcting positions adds no energy.
 *
 * A point not yet touching lets just the speed through that closes its gap: nothing tunnels. A
 * bounce is applied once the gap is closed, with the speed v^2 + 2 a s that the impact has a gap s
 * later, so that heights come out as restitution says. Friction is one vector within Coulomb's
 * cone. Arms are measured to one common point, so that every pair of impulses keeps linear and
 * angular momentum to rounding. All sums are in fixed order. */
#include "bodies/solver.h"

#include <math.h>

/* ---- softness ---- */

typedef struct Softness {
    double rate;    /* 1/s: share of an overlap that is closed in a second */
    double mass;    /* factors on impulse and accumulated impulse */
    double impulse; /* */
    double most;    /* m/s of pushing apart, per metre of thickness */
} Softness;

/* A spring of a quarter of the pieces' frequency, damped ten times over. */
static Softness make_softness(double h)
{
    const double omega_h = 2 * 3.141592653589793 * 0.25, damping = 10;
    double a1 = 2 * damping + omega_h, a2 = omega_h * a1, a3 = 1 / (1 + a2);
    return (Softness){omega_h / (h * a1), a2 * a3, a3, 8};
}

/* ---- rows ---- */

static double mass_along(const ContactRow *row, D3 u, D3 v)
{
    D3 ua = d3_cross(row->arm_a, u), va = d3_cross(row->arm_a, v);
    D3 ub = d3_cross(row->arm_b, u), vb = d3_cross(row->arm_b, v);
    double linear = (row->a->inverse_mass + row->b->inverse_mass) * d3_dot(u, v);
    return linear + d3_dot(ua, d33_times(&row->a->inverse_inertia, va)) +
           d3_dot(ub, d33_times(&row->b->inverse_inertia, vb));
}

/* Arms, gap and masses for the present poses. */
static void place_row(ContactRow *row)
{
    const ContactPoint *p = row->point;
    D3 xa = anchor_place(&p->on_a, &row->a->pose, p->normal);
    D3 xb = anchor_place(&p->on_b, &row->b->pose, d3_scale(p->normal, -1));
    D3 apart = d3_sub(xb, xa);
    row->gap = d3_dot(p->normal, apart);
    D3 aside = d3_madd(apart, -row->gap, p->normal);
    D3 x = d3_madd(d3_madd(xa, 0.5 * row->gap, p->normal), 1 - p->carrier, aside);
    row->arm_a = d3_sub(x, row->a->pose.position);
    row->arm_b = d3_sub(x, row->b->pose.position);
    D3 na = d3_cross(row->arm_a, p->normal), nb = d3_cross(row->arm_b, p->normal);
    row->turn_a = d33_times(&row->a->inverse_inertia, na);
    row->turn_b = d33_times(&row->b->inverse_inertia, nb);
    double k = row->a->inverse_mass + row->b->inverse_mass + d3_dot(na, row->turn_a) +
               d3_dot(nb, row->turn_b);
    row->mass = k > 0 ? 1 / k : 0;
    const D3 u = row->across[0], v = row->across[1];
    double k11 = mass_along(row, u, u), k12 = mass_along(row, u, v), k22 = mass_along(row, v, v);
    double det = k11 * k22 - k12 * k12, s = det > 0 ? 1 / det : 0;
    double half = 0.5 * (k11 - k22), most = 0.5 * (k11 + k22) + sqrt(half * half + k12 * k12);
    row->drag_mass[0] = k22 * s, row->drag_mass[1] = -k12 * s, row->drag_mass[2] = k11 * s;
    row->slide_mass = most > 0 ? 1 / most : 0;
}

static D3 relative_velocity(const ContactRow *row)
{
    return d3_sub(solid_velocity_at(row->b, row->arm_b), solid_velocity_at(row->a, row->arm_a));
}

static void apply(ContactRow *row, D3 impulse)
{
    solid_push(row->a, row->arm_a, d3_scale(impulse, -1));
    solid_push(row->b, row->arm_b, impulse);
}

static void push_solid(Solid *s, D3 arm, D3 impulse, D3 turn)
{
    if (s->inverse_mass == 0) return;
    s->velocity = d3_madd(s->velocity, s->inverse_mass, impulse);
    s->angular = d3_add(s->angular, d3_cross(arm, impulse));
    s->spin = d3_add(s->spin, turn);
}

/* The same along the normal, where the turns are known. */
static void apply_push(ContactRow *row, double push)
{
    D3 impulse = d3_scale(row->point->normal, push);
    push_solid(row->a, row->arm_a, d3_scale(impulse, -1), d3_scale(row->turn_a, -push));
    push_solid(row->b, row->arm_b, impulse, d3_scale(row->turn_b, push));
}

static D3 belt_of(const Solid *s, D3 normal)
{
    D3 belt = dquat_rotate(s->pose.orientation, s->belt);
    return d3_madd(belt, -d3_dot(belt, normal), normal);
}

static ContactRow make_row(Solid *a, Solid *b, ContactPoint *point)
{
    ContactRow row = {.a = a, .b = b, .point = point};
    row.across[0] = d3_across(point->normal);
    row.across[1] = d3_cross(point->normal, row.across[0]);
    row.friction = sqrt(a->friction * b->friction);
    row.restitution = fmax(a->restitution, b->restitution);
    row.belt = d3_sub(belt_of(b, point->normal), belt_of(a, point->normal));
    return row;
}

static void make_rows(const Solids *solids, const Contacts *contacts, SolveRoom *room)
{
    room->row_count = 0;
    for (size_t i = 0; i < contacts->count; ++i) {
        Manifold *m = &contacts->items[i];
        for (uint32_t k = 0; k < m->count; ++k)
            room->rows[room->row_count++] =
                make_row(solids->items[m->a], solids->items[m->b], &m->points[k]);
    }
}

/* ---- sweeps ---- */

/* Returns by how much the speed of the point changed. */
static double solve_normal(ContactRow *row, double h, const Softness *soft)
{
    ContactPoint *p = row->point;
    double speed = d3_dot(relative_velocity(row), p->normal), bias = 0, mass = 1, kept = 0;
    if (soft == NULL && p->push == 0 && row->gap > 0) return 0; /* for the next piece to meet */
    if (row->gap > 0) {
        bias = row->gap / h;
    } else if (soft != NULL) {
        double thin = fmin(row->a->smallest, row->b->smallest), most = soft->most * thin;
        bias = fmax(soft->rate * row->gap, -most);
        mass = soft->mass, kept = soft->impulse;
    }
    double change = -row->mass * mass * (speed + bias) - kept * p->push;
    double push = fmax(p->push + change, 0);
    change = push - p->push;
    p->push = push;
    if (change != 0) apply_push(row, change);
    return row->mass > 0 ? fabs(change) / row->mass : 0;
}

/* What would stop the slip; if that is beyond the cone, as much as the cone allows against the
 * slip: a step along it with one mass, because the matrix would turn the force away from it. */
static void solve_friction(ContactRow *row)
{
    ContactPoint *p = row->point;
    const D3 u = row->across[0], v = row->across[1];
    if (p->push == 0 && p->drag.x == 0 && p->drag.y == 0 && p->drag.z == 0) return;
    D3 slip = d3_add(relative_velocity(row), row->belt);
    double su = d3_dot(slip, u), sv = d3_dot(slip, v), most = row->friction * p->push;
    double du = -(row->drag_mass[0] * su + row->drag_mass[1] * sv);
    double dv = -(row->drag_mass[1] * su + row->drag_mass[2] * sv);
    D3 drag = d3_madd(d3_madd(p->drag, du, u), dv, v);
    if (d3_length(drag) > most) {
        drag = d3_madd(d3_madd(p->drag, -row->slide_mass * su, u), -row->slide_mass * sv, v);
        double length = d3_length(drag);
        if (length > most) drag = d3_scale(drag, most / length);
    }
    D3 change = d3_sub(drag, p->drag);
    p->drag = drag;
    if (change.x != 0 || change.y != 0 || change.z != 0) apply(row, change);
}

/* With good guesses one sweep is enough; an impact at several points takes more. */
static void sweep(SolveRoom *room, double h, double small, const Softness *soft)
{
    enum { MOST_SWEEPS = 16 };
    for (int n = 0; n < MOST_SWEEPS; ++n) {
        double change = 0;
        for (size_t i = 0; i < room->row_count; ++i)
            change = fmax(change, solve_normal(&room->rows[i], h, soft));
        for (size_t i = 0; i < room->row_count; ++i) solve_friction(&room->rows[i]);
        if (change <= small) return;
    }
}

static void warm_start(SolveRoom *room)
{
    for (size_t i = 0; i < room->row_count; ++i) {
        ContactRow *row = &room->rows[i];
        apply(row, d3_madd(row->point->drag, row->point->push, row->point->normal));
    }
}

/* ---- bounces ---- */

/* The speed of an impact that comes after the gap is closed under the present acceleration. */
static void note_speed(ContactRow *row, D3 pull)
{
    double speed = d3_dot(relative_velocity(row), row->point->normal);
    double square = speed * speed - 2 * d3_dot(pull, row->point->normal) * row->gap;
    row->speed = speed < 0 ? -sqrt(fmax(square, 0)) : 0;
}

static bool find_bounces(SolveRoom *room, double slowest)
{
    bool any = false;
    for (size_t i = 0; i < room->row_count; ++i) {
        ContactRow *row = &room->rows[i];
        row->bounces = row->restitution > 0 && row->speed < -slowest && row->point->push > 0;
        any = any || row->bounces;
    }
    return any;
}

static void bounce_row(ContactRow *row)
{
    ContactPoint *p = row->point;
    double wanted = -row->restitution * row->speed;
    double speed = d3_dot(relative_velocity(row), p->normal);
    double push = fmax(p->push + row->mass * (wanted - speed), 0), change = push - p->push;
    p->push = push;
    if (change != 0) apply_push(row, change);
}

/* An impact is over at once: its impulses are no guess for the next piece. */
static void bounce(SolveRoom *room, double slowest)
{
    enum { SWEEPS = 8 };
    if (!find_bounces(room, slowest)) return;
    for (int n = 0; n < SWEEPS; ++n)
        for (size_t i = 0; i < room->row_count; ++i)
            if (room->rows[i].bounces) bounce_row(&room->rows[i]);
    for (size_t i = 0; i < room->row_count; ++i) {
        ContactRow *row = &room->rows[i];
        if (!row->bounces) continue;
        solve_friction(row);
        row->point->push = 0, row->point->drag = d3(0, 0, 0);
    }
}

/* ---- motion ---- */

static void pull_bodies(const Solids *solids, const BodyStep *step, SolveRoom *room)
{
    for (size_t i = 0; i < solids->body_count; ++i) {
        const Body *body = solids->bodies[i];
        D3 force, torque;
        body_buoyancy(body, step->gravity, step->t, &force, &torque);
        D3 pull = body->def.gravity ? step->gravity : d3(0, 0, 0);
        room->accelerations[i] = d3_madd(pull, 1 / body->mass.mass, force);
        room->torques[i] = torque;
    }
}

static void kick(const Solids *solids, const SolveRoom *room, double h)
{
    for (size_t i = 0; i < solids->body_count; ++i) {
        Solid *s = solids->items[i];
        if (s->inverse_mass == 0) continue;
        s->velocity = d3_madd(s->velocity, h, room->accelerations[i]);
        s->angular = d3_madd(s->angular, h, room->torques[i]);
        body_refresh_spin(solids->bodies[i], s);
    }
}

/* How many points push each solid. */
static void count_contacts(const Solids *solids, const SolveRoom *room)
{
    for (size_t i = 0; i < solids->count; ++i) solids->items[i]->contacts = 0;
    for (size_t i = 0; i < room->row_count; ++i)
        if (room->rows[i].point->push > 0) ++room->rows[i].a->contacts, ++room->rows[i].b->contacts;
}

static void drift_body(const Body *body, Solid *s, D3 acceleration, double h)
{
    s->pose.position = d3_madd(s->pose.position, h, s->velocity);
    if (s->contacts == 0) /* free flight is a parabola, exactly */
        s->pose.position = d3_madd(s->pose.position, -0.5 * h * h, acceleration);
    s->pose.orientation = body_turned(s->pose.orientation, s->angular, body->mass.inertia, h);
    body_refresh_spin(body, s);
}

static void drift(const Solids *solids, const SolveRoom *room, double h)
{
    for (size_t i = 0; i < solids->count; ++i) {
        Solid *s = solids->items[i];
        if (s->inverse_mass > 0) {
            drift_body(solids->bodies[i], s, room->accelerations[i], h);
        } else {
            DQuat turn = dquat_of_turn(d3_scale(s->spin, h));
            s->pose.position = d3_madd(s->pose.position, h, s->velocity);
            s->pose.orientation = dquat_unit(dquat_product(turn, s->pose.orientation));
        }
    }
}

static D3 acceleration_of(const Solids *solids, const SolveRoom *room, uint32_t number)
{
    bool moves = number < solids->body_count && solids->items[number]->inverse_mass > 0;
    return moves ? room->accelerations[number] : d3(0, 0, 0);
}

static void place_rows(SolveRoom *room)
{
    for (size_t i = 0; i < room->row_count; ++i) place_row(&room->rows[i]);
}

static void note_speeds(const Solids *solids, const Contacts *contacts, SolveRoom *room)
{
    size_t n = 0;
    for (size_t i = 0; i < contacts->count; ++i) {
        const Manifold *m = &contacts->items[i];
        D3 pull = d3_sub(acceleration_of(solids, room, m->b), acceleration_of(solids, room, m->a));
        for (uint32_t k = 0; k < m->count; ++k) note_speed(&room->rows[n++], pull);
    }
}

void solids_advance(const Solids *solids, const Contacts *contacts, const BodyStep *step,
                    SolveRoom *room)
{
    const double h = step->dt / step->pieces;
    const Softness soft = make_softness(h);
    const double slowest = 2 * d3_length(step->gravity) * step->dt;
    const double small = 0.1 * d3_length(step->gravity) * h;
    make_rows(solids, contacts, room);
    pull_bodies(solids, step, room);
    for (int piece = 0; piece < step->pieces; ++piece) {
        place_rows(room);
        note_speeds(solids, contacts, room);
        kick(solids, room, h);
        warm_start(room);
        sweep(room, h, small, &soft);
        count_contacts(solids, room);
        drift(solids, room, h);
        place_rows(room);
        sweep(room, h, small, NULL);
        bounce(room, slowest);
    }
}
