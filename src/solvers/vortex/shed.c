/* What the contacts of a body take of the vorticity they want, and what the body gets for it.
 *
 * Each contact wants the strength that stops the flow at its place alone. All of them follow at the
 * rate k = `shedding`: what is left of the flow falls as exp(-k (1 + c) t), so a contact takes the
 * share (1 - exp(-k (1 + c) dt)) / (1 + c) in a sub-step, however long that is, where c says how
 * much more the contacts do together than each by itself:
 * sum of strength over flow / area of the surface, a lumped row of the matrix that a common
 * solution would have, and for a free body what they make it yield, their added mass / its mass. So
 * vortons may overlap as they like, and bodies may be light.
 *
 * Coupling `impulse`: a body makes no vorticity in sum (Kelvin), so each contact gives back the
 * mean of what they took. The fluid's impulse rho/2 sum r x alpha and its angular impulse rho/3 sum
 * r x (r x alpha) (Saffman, Vortex Dynamics, 1992, ch. 3) change by that and by the displacement;
 * the body takes the opposite. Lift, drag and torque are reactions to shed vorticity, and the sum
 * of fluid and bodies stays; tracers only show the flow.
 *
 * Coupling `tracers`, as published, and walls without end: bodies take the momentum of tracers that
 * bounce off (walls.c), and from a vorton the spin that it loses, (2/5) m s^2 (omega - omega') / 2.
 */
#include "solvers/vortex/shed.h"

#include "base/math.h"
#include "bodies/body.h"

#include <string.h>

bool shed_begin(Shedding *shedding, const VortexWork *work, const VortonRows *rows,
                const SolverStep *step)
{
    size_t bytes = step->load_count * sizeof(ShedSums);
    *shedding = (Shedding){
        .work = work, .rows = rows, .step = step, .sums = arena_take(work->arena, bytes)};
    if (shedding->sums == NULL) return false;
    memset(shedding->sums, 0, bytes);
    for (size_t k = 0; k < step->load_count; ++k) shedding->sums[k].box = aabb_empty();
    return true;
}

static bool reserve_one(Shedding *s)
{
    if (s->count < s->capacity) return true;
    size_t capacity = 2 * s->capacity + 64;
    ShedContact *room = arena_take(s->work->arena, capacity * sizeof *room);
    if (room == NULL) return false;
    if (s->count > 0) memcpy(room, s->contacts, s->count * sizeof *room);
    s->contacts = room, s->capacity = capacity;
    return true;
}

bool shed_note(Shedding *s, const ShedContact *contact)
{
    if (!reserve_one(s)) return false;
    s->contacts[s->count++] = *contact;
    ShedSums *sums = &s->sums[contact->collider->number];
    mote_Vec3 x = contact->to;
    double r = (double)vec3_length(vec3_sub(x, contact->centre)), reply = (double)contact->reply;
    ++sums->count;
    sums->change = vec3_add(sums->change, contact->change);
    sums->reply += reply, sums->linear += reply * r, sums->angular += reply * r * r * r;
    sums->box = aabb_join(&sums->box, &(Aabb){x, x});
    sums->collider = contact->collider;
    return true;
}

/* Of the surface that the contacts are spread over: half of the area of their box; in two
 * dimensions of its sides. */
static double area_of(const Aabb *box, bool flat)
{
    mote_Vec3 d = vec3_sub(box->high, box->low);
    if (flat) return (double)(d.x + d.y);
    return (double)(d.x * d.y + d.y * d.z + d.z * d.x);
}

/* How much a free body yields to what its contacts do. A contact's added mass: the impulse that its
 * strength over the flow has at its arm, rho r reply / 2, over the mass; of angular impulse rho r^3
 * reply / 3, over the least moment. */
static double yield_of(const ShedSums *sums, const Body *body, double density)
{
    if (body == NULL || !body->def.free) return 0;
    D3 inertia = body->mass.inertia;
    double least = inertia.x < inertia.y ? inertia.x : inertia.y;
    least = inertia.z < least ? inertia.z : least;
    return density * (sums->linear / (2 * body->mass.mass) + sums->angular / (3 * least));
}

/* `own` is one contact's share, taken off because a contact stops its own flow as it should. */
static mote_real gain_of(const Shedding *s, const ShedSums *sums)
{
    const mote_VortexSolver *p = s->work->params;
    double own = sums->reply / (double)sums->count;
    double together = 0; /* a sheet's contacts stop no flow, and one alone has no area */
    if (sums->reply > 0)
        together = (sums->reply - own) / (area_of(&sums->box, s->rows->flat) + own);
    if (sheds_impulse(p, sums->collider))
        together += yield_of(sums, sums->collider->body, (double)p->density);
    double rate = (double)p->shedding * (1 + together);
    return (mote_real)((1 - math_exp(-rate * (double)s->work->dt)) / (1 + together));
}

/* The body gets the impulse, linear and about its position, of strength that vanishes at r. I =
 * rho/2 r x alpha and rho/3 r x (r x alpha); the body loses what the fluid gains. */
static void give_impulse(const VortexWork *work, mote_Vec3 r, mote_Vec3 strength,
                         mote_ColliderLoad *load)
{
    mote_Vec3 once = vec3_cross(r, strength), twice = vec3_cross(r, once);
    double density =
        (double)work->params->density; /* in two dimensions rho x x a, rho/2 x x (x x a) */
    double half = density / (work->flat ? 1 : 2), third = density / (work->flat ? 2 : 3);
    load->impulse[0] += half * (double)once.x;
    load->impulse[1] += half * (double)once.y;
    load->impulse[2] += half * (double)once.z;
    load->angular[0] += third * (double)twice.x;
    load->angular[1] += third * (double)twice.y;
    load->angular[2] += third * (double)twice.z;
}

/* A ball of uniform vorticity turns with omega / 2, and its moment of inertia is (2/5) m s^2. */
static void give_spin(const VortexWork *work, const VortonRows *rows, size_t i, mote_Vec3 lost,
                      mote_ColliderLoad *load)
{
    mote_real radius = rows->radius[i],
              inertia = (mote_real)0.4 * vorton_mass(work->params, rows, i) * radius * radius;
    mote_real scale = inertia / (2 * vorton_volume(rows, i));
    load->angular[0] += (double)(scale * lost.x);
    load->angular[1] += (double)(scale * lost.y);
    load->angular[2] += (double)(scale * lost.z);
}

static void take_strength(const Shedding *s, const ShedContact *contact)
{
    const ShedSums *sums = &s->sums[contact->collider->number];
    mote_ColliderLoad *load = &s->step->loads[contact->collider->number];
    mote_Vec3 old = row_vector(s->rows->strength, contact->row);
    mote_Vec3 change = contact->change;
    bool impulse = sheds_impulse(s->work->params, contact->collider);
    if (impulse) change = vec3_madd(change, -1 / (mote_real)sums->count, sums->change);
    change = vec3_scale(change, sums->gain);
    set_row(s->rows->strength, contact->row, vec3_add(old, change));
    if (!impulse) {
        give_spin(s->work, s->rows, contact->row, vec3_scale(change, -1), load);
        return;
    }
    give_impulse(s->work, vec3_sub(contact->from, contact->centre), old, load);
    mote_Vec3 gone = vec3_scale(vec3_add(old, change), -1);
    give_impulse(s->work, vec3_sub(contact->to, contact->centre), gone, load);
}

void shed_finish(const Shedding *s)
{
    for (size_t k = 0; k < s->step->load_count; ++k)
        if (s->sums[k].count > 0) s->sums[k].gain = gain_of(s, &s->sums[k]);
    for (size_t k = 0; k < s->count; ++k) take_strength(s, &s->contacts[k]);
}
