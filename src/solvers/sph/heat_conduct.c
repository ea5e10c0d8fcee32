/* How temperatures of a liquid even out.
 *
 *     rho c dT_i/dt = sum_j 2 V k_ij |W'|/r (T_j - T_i) + k_i sum_w drag_w (T_w - T_i) - loss
 *
 * k_ij is the harmonic mean. Walls with a temperature act as no-slip walls do on velocities
 * (walls.h), and get the opposite; those with a flux give it through the area V |G|, G the gradient
 * of their share, whose sum over the layers of a lattice is the wall's own (wall_table.h); others
 * let nothing through. A surface of the area 2 V |n|, n the gradient of the filled share, loses h
 * (T - Ta) + e sigma (T^4 - Ta^4).
 *
 * Sub-steps beyond h^2 rho c / (8 k) look for the temperatures at their end, by conjugate gradients
 * in the product weighted with rho c, from no change: residuals have no sum then but for walls, and
 * heat is kept to rounding. Walls and losses are taken at the end of the sub-step in any case.
 *
 * Reference: Cleary and Monaghan 1999. */
#include "solvers/sph/boundary.h"

#include "base/status.h"
#include "bodies/body.h"
#include "solvers/points/slot.h"
#include "solvers/sph/gradients.h"

#include <math.h>
#include <string.h>

ISA_KERNELS(heat_kernels, HeatKernels, heat_table)

/* ---- walls ---- */

/* The temperature of a collider's surface, less the host's reference; false: it lets none through.
 */
static bool wall_theta(const SphStep *step, const WallShare *share, double *theta)
{
    const Collider *collider = step->outer->shop->colliders[share->collider];
    const Body *body = collider->body;
    double kelvin = (double)collider->def.temperature;
    if (body != NULL) kelvin = body->def.heat_transfer > 0 ? body->state.temperature : 0;
    *theta = kelvin - sph_heat_reference(step);
    return kelvin > 0;
}

/* W/m^3 that a wall without a temperature gives to a place. Bodies have their own heat. */
static double wall_flux(const SphStep *step, const WallShare *share)
{
    const Collider *collider = step->outer->shop->colliders[share->collider];
    const double flux = collider->body == NULL ? (double)collider->def.flux : 0;
    return flux != 0 ? flux * (double)vec3_length(share->gradient) : 0;
}

/* ---- conduction ---- */

/* Planes by place: change u of theta, residual r, way p, and A p or before that the flow. */
typedef struct Conduction {
    SphStep *step;
    HeatInput input;
    const HeatKernels *kernels;
    HeatPacket *packets;
    mote_real *u, *r, *p, *ap;
    mote_real *capacity;    /* rho c, J/(m^3 K) */
    mote_real *hold, *pull; /* dt / (rho c) of what walls and air do: -hold theta + pull */
    const mote_real *of;    /* what flows are made of */
    Gradients gradients;
} Conduction;

static const double boltzmann = 5.670374419e-8; /* W/(m^2 K^4) */

enum { MOST_ITERATIONS = 200 };

static const double left_over = 1e-4; /* of the first residual */

static bool take_planes(Conduction *h)
{
    mote_real **const planes[] = {&h->u, &h->r, &h->p, &h->ap, &h->capacity, &h->hold, &h->pull};
    bool room = true;
    for (size_t k = 0; k < sizeof planes / sizeof planes[0]; ++k) {
        *planes[k] = sph_plane(h->step);
        room = room && *planes[k] != NULL;
    }
    h->packets = arena_take(h->step->outer->arena, (h->step->rows + 1) * sizeof *h->packets);
    h->gradients.sums = sph_rod_plane(h->step);
    return room && h->packets != NULL && h->gradients.sums != NULL;
}

static void flow_body(void *context, size_t begin, size_t end, int worker)
{
    const Conduction *h = context;
    (void)worker;
    h->kernels->conduct(&h->input, begin, end);
}

static void pack_body(void *context, size_t begin, size_t end, int worker)
{
    const Conduction *h = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) h->packets[i].theta = h->of[i];
}

/* Flows between particles at these temperatures, into ap. */
static void apply(Conduction *h, const mote_real *of)
{
    h->of = of;
    gradients_for_places(&h->gradients, pack_body);
    gradients_for_places(&h->gradients, flow_body);
}

/* dt / (rho c). */
static mote_real share_of(const Conduction *h, size_t i)
{
    return h->step->dt / h->capacity[i];
}

static void set_capacity(SphStep *step, const SphRows *rows, void *context, int worker)
{
    const Conduction *h = context;
    const mote_LiquidHeat *heat = &rows->member->heat;
    const mote_real capacity = rows->member->weight * step->rest_density * heat->capacity;
    (void)worker;
    for (size_t k = 0; k < rows->count; ++k) {
        const size_t i = rows->place[k];
        h->capacity[i] = capacity;
        for (int c = 0; c < 3; ++c) h->packets[i].x[c] = step->flat && c == 2 ? 0 : step->x[c][i];
    }
}

/* W/(m^2 K) of air and sky, as a factor of the difference. T^4 - Ta^4 = (T - Ta) (T + Ta) (T^2 +
 * Ta^2), taken at the temperature of now: linear in what is looked for. */
static double surface_rate(const mote_LiquidHeat *heat, double kelvin)
{
    const double air = (double)heat->surroundings;
    return (double)heat->surface_transfer +
           (double)heat->emissivity * boltzmann * (kelvin + air) * (kelvin * kelvin + air * air);
}

/* Area over volume of the surface at a place, 1/m: over the layers of a flat one the sum of d |n|
 * is 1/2. Noise in the liquid is no surface, nor is a place that a wall fills: the slopes of its
 * share are not those of the liquid's kernel. */
static double surface_at(const Conduction *h, size_t i)
{
    const SphStep *step = h->step;
    const mote_Vec3 wall = walls_gradient(&step->state->walls, i);
    const double n[3] = {(double)(h->input.outward[0][i] + wall.x),
                         (double)(h->input.outward[1][i] + wall.y),
                         (double)(h->input.outward[2][i] + (step->flat ? 0 : wall.z))};
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const bool walled = walls_volume(&step->state->walls, i) > 0 &&
                        (double)step->density[i] > 0.9 * (double)step->rest_density;
    return !walled && length * (double)step->params->spacing > 0.05 ? 2 * length : 0;
}

static bool has_surface(const mote_LiquidHeat *heat)
{
    return heat->surface_transfer > 0 || heat->emissivity > 0;
}

/* What walls and air do. */
static void set_bounds(SphStep *step, const SphRows *rows, void *context, int worker)
{
    const Conduction *h = context;
    const Walls *walls = &step->state->walls;
    const mote_LiquidHeat *heat = &rows->member->heat;
    const double host = sph_heat_reference(step), air = (double)heat->surroundings - host;
    (void)worker;
    for (size_t k = 0; k < rows->count; ++k) {
        const size_t i = rows->place[k];
        double hold = 0, pull = 0, theta;
        FOR_WALL_SHARES (s, walls, i) {
            if (!wall_theta(step, s, &theta)) {
                pull += wall_flux(step, s);
                continue;
            }
            const double drag = (double)heat->conductivity * (double)s->drag;
            hold += drag, pull += drag * theta;
        }
        if (has_surface(heat)) {
            const double loss =
                surface_at(h, i) * surface_rate(heat, (double)step->theta[i] + host);
            hold += loss, pull += loss * air;
        }
        h->hold[i] = (mote_real)hold * share_of(h, i),
        h->pull[i] = (mote_real)pull * share_of(h, i);
    }
}

/* The change that the temperatures there are ask for; and what conjugate gradients begin with. */
static double first_residual(void *context, size_t begin, size_t end)
{
    Conduction *h = context;
    double sum = 0;
    for (size_t i = begin; i < end; ++i) {
        const mote_real flow =
            share_of(h, i) * h->ap[i] + h->pull[i] - h->hold[i] * h->step->theta[i];
        h->p[i] = h->r[i] = flow, h->u[i] = 0;
        sum += (double)h->capacity[i] * (double)flow * (double)flow;
    }
    return sum;
}

/* A p, and p.A p. */
static double answer(void *context, size_t begin, size_t end)
{
    Conduction *h = context;
    double sum = 0;
    for (size_t i = begin; i < end; ++i) {
        const mote_real p = h->p[i];
        h->ap[i] = p + h->hold[i] * p - share_of(h, i) * h->ap[i];
        sum += (double)h->capacity[i] * (double)p * (double)h->ap[i];
    }
    return sum;
}

static double advance(void *context, size_t begin, size_t end)
{
    Conduction *h = context;
    const mote_real along = h->gradients.along;
    double sum = 0;
    for (size_t i = begin; i < end; ++i) {
        h->u[i] += along * h->p[i];
        const mote_real r = h->r[i] -= along * h->ap[i];
        sum += (double)h->capacity[i] * (double)r * (double)r;
    }
    return sum;
}

static void turn_body(void *context, size_t begin, size_t end, int worker)
{
    const Conduction *h = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) h->p[i] = h->r[i] + h->gradients.forward * h->p[i];
}

static void apply_to_way(void *context)
{
    Conduction *h = context;
    apply(h, h->p);
}

/* Between particles as it is now, with walls and air as it is in the end. */
static void explicit_body(void *context, size_t begin, size_t end, int worker)
{
    const Conduction *h = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) h->u[i] = h->r[i] / (1 + h->hold[i]);
}

/* By the sub-step's length alone. 0.125 h^2 over the diffusivity k / (rho c): the limit of explicit
 * friction, since it is the same operator. */
static bool is_explicit(const SphStep *step)
{
    const double h = (double)step->kernel.support / 2;
    double most = 0;
    for (size_t m = 0; m < step->state->member_count; ++m) {
        const SphMember *member = &step->state->members[m];
        const double capacity =
            (double)(member->weight * step->rest_density) * (double)member->heat.capacity;
        most = fmax(most, (double)member->heat.conductivity / capacity);
    }
    return (double)step->dt * most <= 0.125 * h * h;
}

/* ---- what comes of it ---- */

static void write_rows(SphStep *step, const SphRows *rows, void *context, int worker)
{
    const SphMember *member = rows->member;
    const Conduction *h = context;
    mote_real *own = column_real(&member->system->columns[member->column[SPH_TEMPERATURE]], 0);
    mote_real *rest = column_real(&member->system->columns[member->column[SPH_WARMTH]], 0);
    (void)worker;
    for (size_t k = 0; k < rows->count; ++k) {
        const size_t i = rows->place[k], row = rows->first + k;
        const double kelvin = (double)own[row] + (double)rest[row] + (double)h->u[i];
        own[row] = (mote_real)kelvin, rest[row] = (mote_real)(kelvin - (double)own[row]);
        step->theta[i] += h->u[i];
    }
}

static double heat_of_wall(const SphStep *step, size_t i, const WallShare *share)
{
    double theta;
    const double volume = (double)step->mass / (double)step->rest_density;
    if (!wall_theta(step, share, &theta))
        return -volume * wall_flux(step, share) * (double)step->dt;
    const double conductivity = 1 / (double)step->traits[i].resist;
    return volume * conductivity * (double)share->drag * ((double)step->theta[i] - theta) *
           (double)step->dt;
}

static HeatInput make_input(const Conduction *h)
{
    const SphStep *step = h->step;
    HeatInput input = {.packets = h->packets,
                       .traits = step->traits,
                       .lists = step->lists,
                       .kernel = step->kernel,
                       .periodic = step->periodic,
                       .volume = step->mass / step->rest_density,
                       .flow = h->ap};
    for (int c = 0; c < 3; ++c) input.period[c] = step->period[c];
    return input;
}

/* Where surfaces are, which the first pass over the pairs says. */
static bool take_surface(Conduction *h)
{
    bool wanted = false, room = true;
    for (size_t m = 0; m < h->step->state->member_count; ++m)
        wanted = wanted || has_surface(&h->step->state->members[m].heat);
    for (int c = 0; c < 3 && wanted; ++c) {
        h->input.outward[c] = sph_plane(h->step);
        room = room && h->input.outward[c] != NULL;
    }
    return room;
}

mote_Status sph_conduct(SphStep *step, mote_Error *error)
{
    if (step->theta == NULL) return MOTE_OK;
    Conduction h = {.step = step, .kernels = heat_kernels(step->outer->isa)};
    h.gradients = (Gradients){.step = step,
                              .context = &h,
                              .apply = apply_to_way,
                              .answer = answer,
                              .advance = advance,
                              .turn = turn_body};
    if (!take_planes(&h)) return sph_no_memory(step, error);
    h.input = make_input(&h);
    if (!take_surface(&h)) return sph_no_memory(step, error);
    sph_for_rows(step, set_capacity, &h);
    apply(&h, step->theta);
    sph_for_rows(step, set_bounds, &h);
    for (int c = 0; c < 3; ++c) h.input.outward[c] = NULL;
    const double left = gradients_sum(&h.gradients, first_residual);
    if (is_explicit(step))
        gradients_for_places(&h.gradients, explicit_body);
    else
        gradients_solve(&h.gradients, left, left_over * left_over * left, MOST_ITERATIONS);
    sph_for_rows(step, write_rows, &h);
    sph_heat_walls(step, heat_of_wall);
    return MOTE_OK;
}
