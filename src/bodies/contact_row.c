/* Points of contact: where they are, and impulses in them. Both arms go to one common point, so
 * that every pair of impulses keeps linear and angular momentum to rounding. */
#include "bodies/solver.h"

#include <math.h>

static D3 belt_of(const Solid *s, D3 normal)
{
    D3 belt = dquat_rotate(s->pose.orientation, s->belt);
    return d3_madd(belt, -d3_dot(belt, normal), normal);
}

/* Of two materials the geometric mean of the frictions and the larger of the restitutions, as Box2D
 * mixes them. */
ContactRow contact_row_make(Solid *a, Solid *b, ContactPoint *point)
{
    ContactRow row = {.a = a, .b = b, .point = point};
    row.across[0] = d3_across(point->normal);
    row.across[1] = d3_cross(point->normal, row.across[0]);
    row.friction = sqrt(a->friction * b->friction);
    row.restitution = fmax(a->restitution, b->restitution);
    row.belt = d3_sub(belt_of(b, point->normal), belt_of(a, point->normal));
    return row;
}

/* ---- placing ---- */

/* k = 1/m_a + 1/m_b + (r_a x u) . I_a^-1 (r_a x v) + the same of b: how much relative speed along u
 * an impulse along v makes. */
static double mass_along(const ContactRow *row, D3 u, D3 v)
{
    D3 ua = d3_cross(row->arm_a, u), va = d3_cross(row->arm_a, v);
    D3 ub = d3_cross(row->arm_b, u), vb = d3_cross(row->arm_b, v);
    double linear = (row->a->inverse_mass + row->b->inverse_mass) * d3_dot(u, v);
    return linear + d3_dot(ua, d33_times(&row->a->inverse_inertia, va)) +
           d3_dot(ub, d33_times(&row->b->inverse_inertia, vb));
}

static void set_masses(ContactRow *row)
{
    const D3 n = row->point->normal, u = row->across[0], v = row->across[1];
    D3 na = d3_cross(row->arm_a, n), nb = d3_cross(row->arm_b, n);
    row->turn_a = d33_times(&row->a->inverse_inertia, na);
    row->turn_b = d33_times(&row->b->inverse_inertia, nb);
    double k = row->a->inverse_mass + row->b->inverse_mass + d3_dot(na, row->turn_a) +
               d3_dot(nb, row->turn_b);
    row->mass = k > 0 ? 1 / k : 0;
    double k11 = mass_along(row, u, u), k12 = mass_along(row, u, v), k22 = mass_along(row, v, v);
    double det = k11 * k22 - k12 * k12, s = det > 0 ? 1 / det : 0;
    double half = 0.5 * (k11 - k22), most = 0.5 * (k11 + k22) + sqrt(half * half + k12 * k12);
    row->drag_mass[0] = k22 * s, row->drag_mass[1] = -k12 * s, row->drag_mass[2] = k11 * s;
    row->slide_mass = most > 0 ? 1 / most : 0;
}

void contact_row_place(ContactRow *row)
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
    set_masses(row);
}

/* ---- impulses ---- */

D3 contact_row_velocity(const ContactRow *row)
{
    return d3_sub(solid_velocity_at(row->b, row->arm_b), solid_velocity_at(row->a, row->arm_a));
}

void contact_row_apply(ContactRow *row, D3 impulse)
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

/* The turns are known. */
static void push_both(ContactRow *row, double push)
{
    D3 impulse = d3_scale(row->point->normal, push);
    push_solid(row->a, row->arm_a, d3_scale(impulse, -1), d3_scale(row->turn_a, -push));
    push_solid(row->b, row->arm_b, impulse, d3_scale(row->turn_b, push));
}

double contact_row_push_by(ContactRow *row, double change)
{
    ContactPoint *p = row->point;
    double push = fmax(p->push + change, 0);
    change = push - p->push;
    p->push = push;
    if (change != 0) push_both(row, change);
    return change;
}

/* What would stop the slip; if that is beyond the cone, as much as the cone allows against the
 * slip: a step along it with one mass, because the matrix would turn the force away from it. */
void contact_row_drag(ContactRow *row)
{
    ContactPoint *p = row->point;
    const D3 u = row->across[0], v = row->across[1];
    if (p->push == 0 && p->drag.x == 0 && p->drag.y == 0 && p->drag.z == 0) return;
    D3 slip = d3_add(contact_row_velocity(row), row->belt);
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
    if (change.x != 0 || change.y != 0 || change.z != 0) contact_row_apply(row, change);
}
