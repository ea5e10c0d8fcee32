/* Boundary conditions at one point each (Gourlay, parts 4 and 13; with what was wrong put right).
 *
 * A vorton within `reach` core radii of a surface is a contact: P its nearest place there, n the
 * outward normal, U the body's velocity at P. With w = u - U, the flow relative to the body, it is
 * put at P + l m, m the part of n across w, where strength alpha* = c m x w induces exactly -w at
 * P: neither through the surface nor along it does anything flow there. A vorton induces nothing at
 * its own place, so u is without it; published is u - u_self(P), which counts it out twice, and
 * then strengths grow as long as others do not stop the flow alone. How much of alpha* - alpha the
 * contacts of a body take in a sub-step, and what the body gets for it, is in shed.c. Bodies
 * exchange heat with vortons that touch them.
 *
 * Rows that touch are found and placed in pieces, by any worker; what they then want is added up in
 * the order of the rows: same bits for any number of threads.
 *
 * Symbols: `point` is P, `normal` n, `body_velocity` U, `away` l, what side_of gives m. For the
 * linear core alpha* = 4 pi l^2 m x w; for others the core is asked (stopping_strength). In two
 * dimensions all is in the plane. */
#include "solvers/vortex/boundary.h"

#include "base/loop.h"
#include "base/math.h"
#include "bodies/body.h"
#include "geometry/posed.h"
#include "solvers/vortex/penalise.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/sheets.h"
#include "solvers/vortex/solver.h"
#include "solvers/vortex/spins.h"

typedef struct VortonContact {
    const Collider *collider;
    size_t row;
    mote_Pose pose; /* at the end of the sub-step */
    mote_Vec3 point, normal, body_velocity;
    mote_real distance;
} VortonContact;

static const BoundaryRow *const rows_of_boundaries[] = {
#define BOUNDARY_ADDRESS(row, name) &row,
    BOUNDARY_ROWS(BOUNDARY_ADDRESS)};

const BoundaryRow *boundary_row(int number)
{
    return rows_of_boundaries[number];
}

bool boundary_sheds(int boundary)
{
    return boundary_row(boundary)->finish != NULL;
}

bool boundary_meshes(int boundary)
{
    return boundary_row(boundary)->meshes;
}

const BoundaryRow boundary_published = {
    .head = {.name = "published", .doc = "vortons that touch stop the flow, each at its place"},
    .flat = true,
};

const BoundaryRow boundary_panels = {
    .head = {.name = "panels", .doc = "vortex sheets that let nothing through, and shed vortons"},
    .begin = sheets_give_birth,
    .place = sheets_place,
    .carry = sheets_carry,
    .finish = sheets_finish,
};

const BoundaryRow boundary_penalised = {
    .head = {.name = "penalised", .doc = "on a mesh, the flow inside of bodies is made theirs"},
    .begin = penalise_begin,
    .place = penalise_place,
    .carry = penalise_carry,
    .finish = penalise_finish,
    .meshes = true,
    .flat = true,
};

/* What a vorton of this strength at `at` induces at `point`. */
static mote_Vec3 induced(const CoreRow *core, mote_Vec3 at, mote_Vec3 strength, mote_real radius,
                         mote_Vec3 point)
{
    mote_real core2 = radius * radius, out[3] = {0};
    const Sources vorton = {{&at.x, &at.y, &at.z, &strength.x, &strength.y, &strength.z, &core2},
                            1};
    InduceJob job = velocity_job(vorton, (const mote_real *[]){&point.x, &point.y, &point.z}, 1,
                                 (mote_real *[]){&out[0], &out[1], &out[2]});
    core->velocity(&job);
    return vec3(out[0], out[1], out[2]);
}

/* More than eight walls at once is a vorton in a narrow corner; what is left over is met in the
 * next sub-step. */
enum {
    LOOK_ROWS = 64, /* 20 ns each, as VORTON_PIECE; a row that touches takes ten times as long */
    MEET_ROWS = 4,
    ROW_CONTACTS = 8, /* of a row in a sub-step: more wait for the next */
    PUSHES = 16,
};

/* A row that touches a wall, and what came of it. */
typedef struct VortonGuest {
    size_t row, count;
    ShedContact contacts[ROW_CONTACTS];
} VortonGuest;

/* A sub-step at walls. */
struct VortonWalls {
    const VortexWork *work;
    const VortonRows *rows;
    const SolverStep *step;
    PosedFrame *frames; /* of each collider, at the end of the sub-step */
    uint8_t *touches;   /* of each row */
    VortonGuest *guests;
    size_t guest_count;
    Shedding shedding;
};

static bool find_contact(const VortonWalls *walls, const Collider *collider, size_t i,
                         mote_real thickness, VortonContact *contact)
{
    const PosedFrame *frame = &walls->frames[collider->number];
    mote_Vec3 x = row_vector(walls->rows->x, i);
    mote_real distance = posed_point(frame, x, &contact->normal);
    if (!(distance < thickness)) return false;
    contact->collider = collider;
    contact->row = i;
    contact->pose = frame->shape.pose;
    contact->distance = distance;
    contact->point = vec3_madd(x, -distance, contact->normal);
    PoseVelocity velocity = {collider->linear, collider->angular};
    contact->body_velocity = pose_point_velocity(&contact->pose, &velocity, contact->point);
    return true;
}

/* The part of a across the direction `along`, which is of length 1. */
static mote_Vec3 across(mote_Vec3 a, mote_Vec3 along)
{
    return vec3_madd(a, -vec3_dot(a, along), along);
}

/* The direction from the contact's point to where the vorton stops the flow w: the part of n across
 * it. Where w is along n that is none, but flow that meets a face goes apart, and comes together
 * behind: the direction that this tends to is away from the body's middle, so that the vortons of a
 * face make rings about it. n itself in the middle, or where there is no flow. 1e-12 m/s is no flow
 * at all, and 1e-3 of n is where m's direction is rounding. */
static mote_Vec3 side_of(const VortonContact *contact, mote_Vec3 w, mote_real speed, bool *flows)
{
    mote_Vec3 n = contact->normal;
    *flows = speed > (mote_real)1e-12;
    if (!*flows) return n;
    mote_Vec3 along = vec3_scale(w, 1 / speed), m = across(n, along);
    if (vec3_length(m) < (mote_real)1e-3)
        m = across(vec3_sub(contact->point, contact->pose.position), along);
    return vec3_unit(m, n);
}

/* The strength at `at` that induces -w at the contact's point, as far as it can. alpha* = - (u . w)
 * / |u|^2 m x w, u being what m x w induces at P: the least-squares solution, exact where u is
 * along w. */
static mote_Vec3 stopping_strength(const VortexWork *work, const VortonRows *rows, size_t i,
                                   const VortonContact *contact, mote_Vec3 m, mote_Vec3 w)
{
    mote_Vec3 trial = vec3_cross(m, w);
    mote_Vec3 u =
        induced(work->core, row_vector(rows->x, i), trial, rows->radius[i], contact->point);
    mote_real size = vec3_dot(u, u);
    return size > 0 ? vec3_scale(trial, -vec3_dot(u, w) / size) : vec3(0, 0, 0);
}

/* Heat across the core's cross-section, no more than brings both to one temperature. Q = h A (T_b -
 * T_v) dt, A the core's cross-section, and Q_eq = (T_b - T_v) / (1 / (m c) + 1 / C_b) is what makes
 * both equal: more would swing back and forth where a step is long or a vorton small. */
static void give_heat(const VortexWork *work, const VortonRows *rows, size_t i, const Body *body,
                      mote_ColliderLoad *load)
{
    if (body == NULL || !(body->def.heat_transfer > 0)) return;
    double radius = (double)rows->radius[i];
    double area = rows->flat ? 2 * radius : 3.14159265358979324 * radius * radius;
    double capacity =
        (double)vorton_mass(work->params, rows, i) * (double)work->params->heat_capacity;
    double warmth = body->state.temperature + load->heat / body->heat_capacity; /* by now */
    double gap = warmth - (double)rows->temperature[i];
    double heat = (double)body->def.heat_transfer * area * gap * (double)work->dt;
    double even = gap / (1 / capacity + 1 / body->heat_capacity);
    if ((gap > 0) == (heat > even)) heat = even;
    mote_real old = rows->temperature[i], warmed = old + (mote_real)(heat / capacity);
    rows->temperature[i] = warmed;
    load->heat -= capacity * ((double)warmed - (double)old); /* what arrived, rounded as it was */
}

/* The flow at the contact's point relative to the body, without what vorton i does. */
static mote_Vec3 flow_past(const VortexWork *work, const VortonRows *rows, size_t i,
                           const VortonContact *contact)
{
    mote_Vec3 x = row_vector(rows->x, i), u = row_vector(rows->v, i);
    u = vec3_add(u, spins_between(work, x, contact->point));
    return vec3_sub(u, contact->body_velocity);
}

/* A sheet stops the flow: the vorton is kept out, and no more. */
static ShedContact stay_outside(const VortonRows *rows, const VortonContact *contact,
                                ShedContact out)
{
    mote_real least = rows->radius[out.row] / 8;
    out.to = out.from;
    if (contact->distance < least) out.to = vec3_madd(contact->point, least, contact->normal);
    set_row(rows->x, out.row, out.to);
    return out;
}

/* Puts the vorton beside the wall. The strength that it wants, less the one it has. */
static ShedContact resolve(const VortexWork *work, const VortonRows *rows,
                           const VortonContact *contact, mote_Vec3 w)
{
    size_t i = contact->row;
    mote_real radius = rows->radius[i], speed = vec3_length(w);
    ShedContact out = {.collider = contact->collider,
                       .row = i,
                       .centre = contact->pose.position,
                       .from = row_vector(rows->x, i)};
    bool flows;
    if (sheets_have(work, contact->collider)) return stay_outside(rows, contact, out);
    mote_Vec3 m = side_of(contact, w, speed, &flows);
    mote_real away = contact->distance > radius ? contact->distance : radius;
    out.to = vec3_madd(contact->point, away, m);
    set_row(rows->x, i, out.to);
    if (!flows) return out;
    mote_Vec3 wanted = stopping_strength(work, rows, i, contact, m, w);
    out.reply = vec3_length(wanted) / speed;
    out.change = vec3_sub(wanted, row_vector(rows->strength, i));
    return out;
}

static void walk_row(const VortonWalls *walls, size_t i, mote_real reach, BroadWalk *walk)
{
    mote_Vec3 x = row_vector(walls->rows->x, i), r = vec3(reach, reach, reach);
    broad_walk(walk, walls->step->walls[0], (Aabb){vec3_sub(x, r), vec3_add(x, r)});
}

static mote_real reach_of(const VortonWalls *walls, size_t i)
{
    return walls->work->params->reach * walls->rows->radius[i];
}

/* Pushes a row out of all walls that it is in: where it stops the flow best may be behind the next
 * face of a room, or in another body. */
static void settle(const VortonWalls *walls, VortonGuest *guest)
{
    const VortonRows *rows = walls->rows;
    const mote_real margin = rows->radius[guest->row] / 64; /* more than rounding */
    bool inside = true;
    for (int push = 0; push < PUSHES && inside; ++push) {
        BroadWalk walk;
        const Collider *collider;
        VortonContact contact;
        inside = false;
        walk_row(walls, guest->row, margin, &walk);
        while ((collider = broad_next(&walk)) != NULL) {
            if (!find_contact(walls, collider, guest->row, 0, &contact)) continue;
            set_row(rows->x, guest->row, vec3_madd(contact.point, margin, contact.normal));
            inside = true;
        }
    }
    guest->contacts[guest->count - 1].to = row_vector(rows->x, guest->row);
}

static void meet_row(const VortonWalls *walls, VortonGuest *guest)
{
    const VortexWork *work = walls->work;
    const VortonRows *rows = walls->rows;
    mote_real reach = reach_of(walls, guest->row);
    BroadWalk walk;
    const Collider *collider;
    walk_row(walls, guest->row, reach, &walk);
    while (guest->count < ROW_CONTACTS && (collider = broad_next(&walk)) != NULL) {
        VortonContact contact;
        if (!find_contact(walls, collider, guest->row, reach, &contact)) continue;
        mote_Vec3 w = flow_past(work, rows, guest->row, &contact);
        guest->contacts[guest->count++] = resolve(work, rows, &contact, w);
    }
    settle(walls, guest);
}

static void meet_body(void *context, size_t begin, size_t end, int worker)
{
    const VortonWalls *walls = context;
    (void)worker;
    for (size_t k = begin; k < end; ++k) meet_row(walls, &walls->guests[k]);
}

/* ---- who touches ---- */

/* Fewer walls than these are sooner asked one after another than by their tree. */
enum { FEW_WALLS = 8 };

static bool touches_few(const VortonWalls *walls, size_t i, mote_real reach)
{
    const Broad *broad = walls->step->walls[0];
    const mote_Vec3 x = row_vector(walls->rows->x, i), r = vec3(reach, reach, reach);
    const Aabb box = {vec3_sub(x, r), vec3_add(x, r)};
    VortonContact contact;
    for (size_t k = 0; k < broad->count; ++k)
        if (aabb_overlap(&box, &broad->colliders[k]->bounds) &&
            find_contact(walls, broad->colliders[k], i, reach, &contact))
            return true;
    return false;
}

static bool touches_any(const VortonWalls *walls, size_t i)
{
    mote_real reach = reach_of(walls, i);
    BroadWalk walk;
    const Collider *collider;
    VortonContact contact;
    if (!(walls->rows->lifetime[i] > 0)) return false; /* born inside */
    if (walls->step->walls[0]->count < FEW_WALLS) return touches_few(walls, i, reach);
    walk_row(walls, i, reach, &walk);
    while ((collider = broad_next(&walk)) != NULL)
        if (find_contact(walls, collider, i, reach, &contact)) return true;
    return false;
}

static void look_body(void *context, size_t begin, size_t end, int worker)
{
    const VortonWalls *walls = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) walls->touches[i] = touches_any(walls, i);
}

static bool invite_guests(VortonWalls *walls)
{
    size_t rows = walls->rows->count, count = 0;
    mote_parallel_for(walls->work->tasks, rows, LOOK_ROWS, look_body, walls);
    for (size_t i = 0; i < rows; ++i) count += walls->touches[i];
    walls->guests = arena_take(walls->work->arena, (count + 1) * sizeof *walls->guests);
    if (walls->guests == NULL) return false;
    for (size_t i = 0; i < rows; ++i) {
        if (!walls->touches[i]) continue;
        walls->guests[walls->guest_count].row = i;
        walls->guests[walls->guest_count++].count = 0;
    }
    return true;
}

/* ---- all ---- */

static bool begin_walls(VortonWalls *walls)
{
    const Broad *broad = walls->step->walls[0];
    walls->frames = arena_take(walls->work->arena, walls->step->load_count * sizeof *walls->frames);
    walls->touches = arena_take(walls->work->arena, walls->rows->count + 1);
    if (walls->frames == NULL || walls->touches == NULL) return false;
    for (size_t k = 0; k < broad->count; ++k) {
        const Collider *collider = broad->colliders[k];
        walls->frames[collider->number] =
            posed_frame(collider->shape, collider->object.params,
                        pose_advance(&collider->pose, &collider->change, 1));
    }
    return shed_begin(&walls->shedding, walls->work, walls->rows, walls->step);
}

/* Heat and the wanted strengths, in the order of the rows. */
static bool take_contacts(VortonWalls *walls, const VortonGuest *guest)
{
    for (size_t k = 0; k < guest->count; ++k) {
        const ShedContact *contact = &guest->contacts[k];
        mote_ColliderLoad *load = &walls->step->loads[contact->collider->number];
        give_heat(walls->work, walls->rows, guest->row, contact->collider->body, load);
        ++load->particles;
        if (!shed_note(&walls->shedding, contact)) return false;
    }
    return true;
}

VortonWalls *vortons_meet_walls(const VortexWork *work, const VortonRows *rows,
                                const SolverStep *step)
{
    VortonWalls *walls = arena_take(work->arena, sizeof *walls);
    if (walls == NULL) return NULL;
    *walls = (VortonWalls){.work = work, .rows = rows, .step = step};
    if (step->walls[0] == NULL || step->walls[0]->count == 0) return walls;
    if (!begin_walls(walls) || !invite_guests(walls)) return NULL;
    mote_parallel_for(work->tasks, walls->guest_count, MEET_ROWS, meet_body, walls);
    return walls;
}

bool vortons_leave_walls(VortonWalls *walls, uint64_t *hits)
{
    for (size_t k = 0; k < walls->guest_count; ++k)
        if (!take_contacts(walls, &walls->guests[k])) return false;
    if (walls->guest_count > 0) shed_finish(&walls->shedding);
    *hits += walls->shedding.count;
    return true;
}
