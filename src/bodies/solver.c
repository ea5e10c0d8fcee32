/* Contact by sequential impulses (Catto 2005) in small pieces of the sub-step (Macklin et al.
 * 2019), with soft constraints and relaxation (Catto, Solver2D, 2024):
 *
 *   in every piece: gravity, the impulses of the last piece (warm start), one sweep over all points
 *   in which overlaps are pushed apart as by a strongly damped spring, motion, and one sweep
 *   without the spring, which takes the velocity out again that pushing apart has put in. So
 *   correcting positions adds no energy.
 *
 * A point not yet touching lets just the speed through that closes its gap: nothing tunnels. What
 * nears faster than that bounces before (impacts.c). Friction is one vector within Coulomb's cone.
 * All sums are in fixed order. */
#include "bodies/solver.h"

#include <math.h>

/* ---- softness ---- */

typedef struct Softness {
    double rate;    /* 1/s: share of an overlap that is closed in a second */
    double mass;    /* factors on impulse and accumulated impulse */
    double impulse; /* */
    double most;    /* m/s of pushing apart, per metre of thickness */
} Softness;

/* A spring of a quarter of the pieces' frequency, damped ten times over. With w h = omega_h and
 * zeta = damping: the implicit step of m u' = -2 zeta w m u - w^2 m s takes from the gap s the
 * share w h / (h (2 zeta + w h)) a second, and scales the impulse by a2 / (1 + a2) and the
 * accumulated one by 1 / (1 + a2), a2 = w h (2 zeta + w h) (Catto, Soft constraints, GDC 2011). */
static Softness make_softness(double h)
{
    const double omega_h = 2 * 3.141592653589793 * 0.25, damping = 10;
    double a1 = 2 * damping + omega_h, a2 = omega_h * a1, a3 = 1 / (1 + a2);
    return (Softness){omega_h / (h * a1), a2 * a3, a3, 8};
}

/* ---- rows ---- */

static void make_rows(const Solids *solids, const Contacts *contacts, SolveRoom *room)
{
    room->row_count = 0;
    for (size_t i = 0; i < contacts->count; ++i) {
        Manifold *m = &contacts->items[i];
        for (uint32_t k = 0; k < m->count && !m->asleep; ++k)
            room->rows[room->row_count++] =
                contact_row_make(solids->items[m->a], solids->items[m->b], &m->points[k]);
    }
}

/* ---- sweeps ---- */

typedef struct SolverSweep {
    double h;             /* s, of the piece */
    double small;         /* m/s: changes below this are none */
    double slowest;       /* m/s, of impacts that bounce */
    const Softness *soft; /* NULL: the sweep after the motion */
} SolverSweep;

/* What does not push yet when the piece is over is for the next one: to meet, or to bounce. */
static bool is_later(const ContactRow *row, double speed, const SolverSweep *sweep)
{
    if (sweep->soft != NULL || row->point->push > 0) return false;
    return row->gap > 0 || (row->restitution > 0 && speed < -sweep->slowest);
}

/* Returns by how much the speed of the point changed. lambda += -m_eff mass_scale (v_n + bias) -
 * impulse_scale lambda, not below 0 in sum. */
static double solve_normal(ContactRow *row, const SolverSweep *sweep)
{
    ContactPoint *p = row->point;
    const Softness *soft = sweep->soft;
    double speed = contact_row_speed(row), bias = 0, mass = 1, kept = 0;
    if (is_later(row, speed, sweep)) return 0;
    if (row->gap > 0) {
        bias = row->gap / sweep->h;
    } else if (soft != NULL) {
        double thin = fmin(row->a->smallest, row->b->smallest), most = soft->most * thin;
        bias = fmax(soft->rate * row->gap, -most);
        mass = soft->mass, kept = soft->impulse;
    }
    double change = -row->mass * mass * (speed + bias) - kept * p->push;
    change = contact_row_push_by(row, change);
    return row->mass > 0 ? fabs(change) / row->mass : 0;
}

/* With good guesses one round is enough; an impact at several points takes more. */
static void sweep_rows(SolveRoom *room, const SolverSweep *sweep)
{
    enum { MOST_ROUNDS = 16 };
    for (int n = 0; n < MOST_ROUNDS; ++n) {
        double change = 0;
        for (size_t i = 0; i < room->row_count; ++i)
            change = fmax(change, solve_normal(&room->rows[i], sweep));
        for (size_t i = 0; i < room->row_count; ++i) contact_row_drag(&room->rows[i]);
        if (change <= sweep->small) return;
    }
}

static void warm_start(SolveRoom *room)
{
    for (size_t i = 0; i < room->row_count; ++i) {
        ContactRow *row = &room->rows[i];
        contact_row_apply(row, d3_madd(row->point->drag, row->point->push, row->point->normal));
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
        if (s->inverse_mass == 0 || s->asleep) continue;
        s->velocity = d3_madd(s->velocity, h, room->accelerations[i]);
        s->angular = d3_madd(s->angular, h, room->torques[i]);
        body_refresh_spin(solids->bodies[i], s);
    }
}

/* How many points push each solid. */
static void count_contacts(const Solids *solids, const Contacts *contacts)
{
    for (size_t i = 0; i < solids->count; ++i) solids->items[i]->contacts = 0;
    for (size_t i = 0; i < contacts->count; ++i) {
        const Manifold *m = &contacts->items[i];
        for (uint32_t k = 0; k < m->count; ++k) {
            if (!(m->points[k].push > 0)) continue;
            ++solids->items[m->a]->contacts, ++solids->items[m->b]->contacts;
        }
    }
}

void solids_move(const Solids *solids, size_t number, double h)
{
    Solid *s = solids->items[number];
    s->pose.position = d3_madd(s->pose.position, h, s->velocity);
    if (s->inverse_mass > 0) {
        const Body *body = solids->bodies[number];
        s->pose.orientation = body_turned(s->pose.orientation, s->angular, body->mass.inertia, h);
        body_refresh_spin(body, s);
    } else {
        DQuat turn = dquat_of_turn(d3_scale(s->spin, h));
        s->pose.orientation = dquat_unit(dquat_product(turn, s->pose.orientation));
    }
}

/* Free flight is a parabola, exactly. Velocities were kicked before, so that h v has h^2 g of it:
 * half is taken back where nothing touches. */
static void drift(const Solids *solids, const SolveRoom *room, double h)
{
    for (size_t i = 0; i < solids->count; ++i) {
        Solid *s = solids->items[i];
        if (s->asleep) continue;
        solids_move(solids, i, h);
        if (s->inverse_mass > 0 && s->contacts == 0)
            s->pose.position = d3_madd(s->pose.position, -0.5 * h * h, room->accelerations[i]);
    }
}

static D3 acceleration_of(const Solids *solids, const SolveRoom *room, uint32_t number)
{
    bool moves = number < solids->body_count && solids->items[number]->inverse_mass > 0;
    return moves ? room->accelerations[number] : d3(0, 0, 0);
}

static void place_rows(SolveRoom *room)
{
    for (size_t i = 0; i < room->row_count; ++i) contact_row_place(&room->rows[i]);
}

static void set_pulls(const Solids *solids, const Contacts *contacts, SolveRoom *room)
{
    size_t n = 0;
    for (size_t i = 0; i < contacts->count; ++i) {
        const Manifold *m = &contacts->items[i];
        D3 pull = d3_sub(acceleration_of(solids, room, m->b), acceleration_of(solids, room, m->a));
        for (uint32_t k = 0; k < m->count && !m->asleep; ++k, ++n)
            room->rows[n].pull = d3_dot(pull, m->points[k].normal);
    }
}

/* `slowest` is what gravity gives in two sub-steps: nearer to rest there is no bounce, or a heap
 * would never be still. */
void solids_advance(const Solids *solids, const Contacts *contacts, const BodyStep *step,
                    SolveRoom *room)
{
    const double h = step->dt / step->pieces, gravity = d3_length(step->gravity);
    const Softness soft = make_softness(h);
    SolverSweep sweep = {.h = h, .small = 0.002 * gravity * h, .slowest = 2 * gravity * step->dt};
    make_rows(solids, contacts, room);
    pull_bodies(solids, step, room);
    set_pulls(solids, contacts, room);
    for (int piece = 0; piece < step->pieces; ++piece) {
        place_rows(room);
        impacts_resolve(solids, contacts, h, sweep.slowest, room);
        kick(solids, room, h);
        warm_start(room);
        sweep.soft = &soft;
        sweep_rows(room, &sweep);
        count_contacts(solids, contacts);
        drift(solids, room, h);
        place_rows(room);
        sweep.soft = NULL;
        sweep_rows(room, &sweep);
    }
}
