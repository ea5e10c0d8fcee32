/* A sub-step of a liquid that stays on a device: what is done there, in its order. */
#include "solvers/sph/stay.h"

#include "base/status.h"
#include "solvers/points/slot.h"
#include "solvers/sph/boundary.h"
#include "space/formulas/search_law.h"

#include <math.h>
#include <string.h>

/* Neighbours that a list has room for beyond the longest one seen, so that a sub-step is seldom
 * done again; shares of walls that there is room for at first. */
enum { SPARE_ROOM = 8, FIRST_SHARES = 1024 };

/* ---- what it goes by ---- */

static void take_vec(mote_Vec3 v, mote_real to[3])
{
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

StayLaw sph_stay_law(const SphStep *step, const ExplicitLaw *explicit)
{
    const SolverStep *outer = step->outer;
    SphStay *stay = step->state->device->stay;
    const mote_real rub = sph_wall_viscosity(step, 0);
    mote_Vec3 gravity = {0, 0, 0};
    if (stay->share_room == 0) stay->share_room = FIRST_SHARES;
    StayLaw law = {.support = step->kernel.support,
                   .mass = step->mass,
                   .thinner = 1 / step->rest_density,
                   .rub = rub > 0 ? rub : 0,
                   .tait = explicit->tait,
                   .push = explicit->push,
                   .rows = (uint32_t)step->rows,
                   .stride = (uint32_t)stay->plane,
                   .flat = step->flat,
                   .xsph = explicit->terms.xsph > 0,
                   .shapes = (uint32_t)sph_stay_shape_count(step),
                   .share_room = stay->share_room,
                   .colliders = (uint32_t)outer->load_count};
    points_uniform(&outer->slots[0]->points, &gravity);
    take_vec(gravity, law.gravity);
    take_vec(vec3_unit(outer->gravity, vec3(0, 0, 0)), law.down);
    take_vec(outer->box_max, law.end);
    sph_stay_set_cells(step, &law);
    return law;
}

static SearchLaw search_law(const SphDevice *d, const SphStep *step, const StayLaw *law)
{
    SearchLaw search = {.limit = step->cells.reach * step->cells.reach,
                        .sharp = step->kernel.inverse,
                        .scale = step->kernel.value_scale,
                        .middle = step->kernel.middle,
                        .beyond = 4 * step->kernel.square,
                        .flat = law->flat,
                        .points = law->rows,
                        .placed = law->rows,
                        .room = d->room,
                        .stride = law->stride};
    for (int c = 0; c < 3; ++c) {
        search.anchor[c] = law->anchor[c], search.inverse[c] = law->inverse[c];
        search.low[c] = law->low[c], search.last[c] = law->last[c];
        search.period[c] = law->period[c], search.side[c] = law->side[c];
    }
    return search;
}

/* ---- memory ---- */

static void reserve_step(SphDevice *d, const SphStep *step, const StayLaw *law)
{
    const size_t places = law->stride, plane = places * sizeof(mote_real), word = sizeof(uint32_t);
    const size_t rods = (size_t)law->rods[0] * law->rods[1] * law->rods[2] + 1;
    const struct {
        StayBuffer buffer;
        size_t bytes;
    } own[] = {{STAY_DENSITY, plane},
               {STAY_PRESSURE, plane},
               {STAY_SHAPES, (law->shapes + 1) * sizeof(StayShape)},
               {STAY_PLANES, (step->state->walls.scene.plane_count + 1) * sizeof(MeshPlane)},
               {STAY_TABLE, sizeof(WallTable)},
               {STAY_RAYS, (size_t)4 * WALL_RAYS * sizeof(mote_real)},
               {STAY_BOXES, (places / STAY_BLOCK + 1) * 6 * sizeof(mote_real)},
               {STAY_NEAR, places * word},
               {STAY_SPANS, 2 * places * word},
               {STAY_SHARES, law->share_room * sizeof(StayShare)},
               {STAY_ROD_SUMS, rods * sizeof(double)},
               {STAY_GROUPS, places / STAY_GROUP * sizeof(StayNote)}};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
        device_reserve(d->device, &d->stay->buffers[own[i].buffer], own[i].bytes);
    sph_stay_reserve_sort(d, law);
    device_reserve(d->device, &d->buffers[BUFFER_LISTS], places * d->room * word);
}

static void put_walls(SphDevice *d, const SphStep *step, const StayLaw *law)
{
    const Walls *walls = &step->state->walls;
    const DeviceBuffer *b = d->stay->buffers;
    if (law->shapes == 0) return;
    device_put(d->device, &b[STAY_SHAPES], 0, d->stay->shapes, law->shapes * sizeof(StayShape));
    device_put(d->device, &b[STAY_PLANES], 0, walls->scene.planes,
               walls->scene.plane_count * sizeof(MeshPlane));
    if (d->stay->tabled) return;
    device_put(d->device, &b[STAY_TABLE], 0, &walls->table, sizeof walls->table);
    device_put(d->device, &b[STAY_RAYS], 0, walls->directions.x,
               (size_t)4 * WALL_RAYS * sizeof(mote_real));
    d->stay->tabled = true;
}

/* ---- stages ---- */

#define S(buffer) STAY_MEMORY(d, buffer)
#define B(buffer) SPH_MEMORY(d, buffer)

static void search(SphDevice *d, const SphStep *step, const StayLaw *law)
{
    const SearchLaw by = search_law(d, step, law);
    device_launch(d->device, d->search, law->rows, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(by), B(PLACES), B(BOUNDS), B(KEYS), B(COUNTS),
                                   B(LISTS), B(SUMS)));
}

static void meet_walls(SphDevice *d, const StayLaw *law)
{
    const size_t blocks = (law->rows + STAY_BLOCK - 1) / STAY_BLOCK;
    device_launch(d->device, d->stay->kernels[KERNEL_NEAR], blocks * STAY_NEAR_GROUP,
                  STAY_NEAR_GROUP,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(*law), S(SHAPES), S(PLANES), S(TABLE), B(X),
                                   S(BOXES), S(NEAR), S(SPANS), S(SHARES), S(COUNTERS)));
    if (law->shapes == 0) return;
    sph_stay_launch(d, KERNEL_EDGES, (size_t)STAY_EDGES * STAY_GROUP,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(*law), S(SHAPES), S(PLANES), S(TABLE), S(RAYS),
                                     B(X), S(BOXES), S(NEAR), S(SPANS), S(SHARES), S(COUNTERS)));
}

void sph_stay_begin(SphDevice *d, const SphStep *step, StayLaw *law)
{
    law->share_room = d->stay->share_room;
    reserve_step(d, step, law);
    put_walls(d, step, law);
    sph_stay_sort(d, law);
    search(d, step, law);
    meet_walls(d, law);
}

void sph_stay_press(SphDevice *d, const StayLaw *law)
{
    sph_stay_launch(d, KERNEL_PRESS, law->rows,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(*law), B(SUMS), S(SPANS), S(SHARES), B(X),
                                     S(V_PLACES), S(DENSITY), S(PRESSURE), B(PACKETS), B(A)));
}

void sph_stay_forces(SphDevice *d, const StayLaw *law, const ForceProgram *program,
                     const PairLaw *pairs)
{
    const uint32_t points = law->rows, stride = law->stride;
    device_launch(d->device, program->forces, points, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(*pairs), DEVICE_VALUE(points),
                                   DEVICE_VALUE(d->room), DEVICE_VALUE(stride), B(PACKETS),
                                   B(TRAITS), B(COUNTS), B(LISTS), B(A), B(RATE), B(EXCESS),
                                   B(SQUARES)));
}

static void move(SphDevice *d, const StayLaw *law)
{
    sph_stay_launch(d, KERNEL_MOVE, law->rows,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(*law), S(SHAPES), S(ORDER), S(SPANS), S(SHARES),
                                     B(COUNTS), S(DENSITY), S(PRESSURE), S(V_PLACES), B(A),
                                     B(EXCESS), B(SQUARES), S(X), S(X_END), S(V_END),
                                     S(DENSITY_ROWS), S(PRESSURE_ROWS), S(GROUPS)));
}

void sph_stay_rods(SphDevice *d, const StayLaw *law)
{
    const size_t rods = (size_t)law->rods[0] * law->rods[1] * law->rods[2] + 1;
    device_launch(d->device, d->stay->kernels[KERNEL_RODS], rods * STAY_ROD, STAY_ROD,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(*law), B(BOUNDS), S(SPANS), S(SHARES), B(X),
                                   S(DENSITY), S(ROD_SUMS), S(NOTE)));
}

/* Groups on a device cannot wait for one another, so the last of the reduction is done here. */
static StayNote merge(const StayNote *notes)
{
    StayNote all = notes[0];
    for (int k = 1; k < STAY_NOTES; ++k) {
        const StayNote *n = &notes[k];
        for (int c = 0; c < 3; ++c) {
            if (n->low[c] < all.low[c]) all.low[c] = n->low[c];
            if (n->high[c] > all.high[c]) all.high[c] = n->high[c];
        }
        if (n->square > all.square) all.square = n->square;
        if (n->least < all.least) all.least = n->least;
        if (n->most > all.most) all.most = n->most;
        if (n->push > all.push) all.push = n->push;
        if (n->worst > all.worst) all.worst = n->worst;
        if (n->inner > all.inner) all.inner = n->inner;
        if (n->longest > all.longest) all.longest = n->longest;
        all.met |= n->met, all.pairs += n->pairs;
    }
    return all;
}

/* Limbs stand behind the notes. */
bool sph_stay_take_note(SphDevice *d, const StayLaw *law, StayNote *notes)
{
    const size_t bricks = (size_t)law->bricks[0] * law->bricks[1] * law->bricks[2] + 1;
    const uint32_t groups = (law->rows + STAY_GROUP - 1) / STAY_GROUP;
    sph_stay_launch(d, KERNEL_NOTE, stay_larger(bricks, (size_t)STAY_NOTES * STAY_GROUP),
                    DEVICE_ARGUMENTS(DEVICE_VALUE(*law), S(ROD_SUMS), S(GROUPS),
                                     DEVICE_VALUE(groups), S(COUNTERS), S(NOTE), S(NOTE)));
    device_get(d->device, &d->stay->buffers[STAY_NOTE], 0, notes, sph_stay_note_bytes(law));
    if (!device_is_well(d->device)) return false;
    d->stay->note = merge(notes);
    return true;
}

/* ---- what came of it ---- */

/* False: something was cut, and there is more room now. Nothing of the sub-step counts yet, so it
 * is done again from where rows were. */
bool sph_stay_had_room(SphDevice *d, uint32_t longest, uint32_t shares)
{
    const bool lists = longest <= d->room, all_shares = shares <= d->stay->share_room;
    if (!lists) d->room = (longest + SPARE_ROOM + 7) / 8 * 8;
    if (!all_shares) d->stay->share_room = shares + shares / 2;
    return lists && all_shares;
}

static void take_loads(SphStep *step, const StayLaw *law, const Limbs *limbs)
{
    for (size_t k = 0; k < law->colliders; ++k)
        sph_add_load(&step->outer->loads[k], limbs + k * STAY_LOADS);
}

void sph_stay_accept(SphStep *step, const StayLaw *law, const Limbs *crowding)
{
    SphDevice *d = step->state->device;
    SphStay *stay = d->stay;
    const StayNote *note = &stay->note;
    step->pairs = note->pairs;
    step->state->last = (double)step->dt;
    sph_tell_crowding(step, limbs_value(crowding), (double)note->worst, (double)note->inner);
    if (step->periodic && !note->met && !stay->beside)
        sph_stay_launch(d, KERNEL_WRAP, law->rows, DEVICE_ARGUMENTS(DEVICE_VALUE(*law), S(X_END)));
    sph_stay_swap(stay, STAY_X, STAY_X_END), sph_stay_swap(stay, STAY_V, STAY_V_END);
    stay->away = true;
}

mote_Status sph_stay_lost(const SphStep *step, mote_Error *error)
{
    return device_check(step->state->device->device, sph_name(step), error);
}

mote_Status sph_stay_step(SphStep *step, mote_Error *error)
{
    SphDevice *d = step->state->device;
    ExplicitLaw explicit;
    step->state->pressure->law(step, &explicit);
    const ForceInput input = sph_force_input(step, &explicit.terms, NULL);
    const Terms terms = force_terms(&input);
    const ForceProgram *program = sph_force_program(d, &terms, error);
    if (program == NULL) return MOTE_UNAVAILABLE;
    StayLaw law = sph_stay_law(step, &explicit);
    StayNote *notes = arena_take(step->outer->arena, sph_stay_note_bytes(&law));
    const Limbs *limbs = (const Limbs *)(const void *)(notes + STAY_NOTES);
    if (notes == NULL) return sph_no_memory(step, error);
    do {
        sph_stay_begin(d, step, &law);
        sph_stay_press(d, &law);
        sph_stay_forces(d, &law, program, &input.law);
        move(d, &law);
        sph_stay_rods(d, &law);
        if (!sph_stay_take_note(d, &law, notes)) return sph_stay_lost(step, error);
    } while (!sph_stay_had_room(d, d->stay->note.longest, d->stay->note.shares));
    step->state->push = sqrt((double)d->stay->note.push);
    sph_stay_accept(step, &law, &limbs[law.colliders * STAY_LOADS]);
    step->state->pressure->keep(step);
    take_loads(step, &law, limbs);
    return MOTE_OK;
}
