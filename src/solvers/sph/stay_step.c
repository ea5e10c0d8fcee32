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
    law.ahead = !step->periodic && !stay->beside;
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
               {STAY_SPANS, 2 * places * word},
               {STAY_SHARES, law->share_room * sizeof(StayShare)},
               {STAY_GROUPS, places / STAY_GROUP * sizeof(StayNote)}};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
        device_reserve(d->device, &d->stay->buffers[own[i].buffer], own[i].bytes);
    sph_stay_reserve_sort(d, law);
    device_reserve(d->device, &d->buffers[BUFFER_LISTS], places * d->room * word);
}

/* Walls mostly stand, and a transfer takes as long as a small kernel. False: out of memory. */
static bool keep_sent(SphStay *stay, Memory *memory, const WallScene *scene, size_t shapes)
{
    if (!memory_reserve(memory, (void **)&stay->sent_shapes, &stay->sent_shape_room, shapes,
                        sizeof *stay->sent_shapes) ||
        !memory_reserve(memory, (void **)&stay->sent_planes, &stay->sent_plane_room,
                        scene->plane_count, sizeof *stay->sent_planes))
        return false;
    memcpy(stay->sent_shapes, stay->shapes, shapes * sizeof *stay->sent_shapes);
    if (scene->plane_count > 0)
        memcpy(stay->sent_planes, scene->planes, scene->plane_count * sizeof *stay->sent_planes);
    stay->sent_shape_count = shapes, stay->sent_plane_count = scene->plane_count;
    return true;
}

static bool was_sent(const SphStay *stay, const WallScene *scene, size_t shapes)
{
    const size_t planes = scene->plane_count;
    return shapes == stay->sent_shape_count && planes == stay->sent_plane_count &&
           memcmp(stay->shapes, stay->sent_shapes, shapes * sizeof *stay->shapes) == 0 &&
           (planes == 0 ||
            memcmp(scene->planes, stay->sent_planes, planes * sizeof *stay->sent_planes) == 0);
}

static void put_walls(SphDevice *d, const SphStep *step, const StayLaw *law)
{
    const Walls *walls = &step->state->walls;
    const DeviceBuffer *b = d->stay->buffers;
    SphStay *stay = d->stay;
    if (law->shapes == 0) return;
    if (!was_sent(stay, &walls->scene, law->shapes)) {
        device_put(d->device, &b[STAY_SHAPES], 0, stay->shapes, law->shapes * sizeof(StayShape));
        device_put(d->device, &b[STAY_PLANES], 0, walls->scene.planes,
                   walls->scene.plane_count * sizeof(MeshPlane));
        if (!keep_sent(stay, step->outer->memory, &walls->scene, law->shapes))
            stay->sent_shape_count = 0;
    }
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

/* Walls, and densities and pressures with them. */
static void meet_walls(SphDevice *d, const StayLaw *law)
{
    const size_t blocks = (law->rows + STAY_BLOCK - 1) / STAY_BLOCK;
    device_launch(d->device, d->stay->kernels[KERNEL_NEAR], blocks * STAY_BLOCK, STAY_BLOCK,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(*law), S(SHAPES), S(PLANES), S(TABLE), B(PLACES),
                                   S(BOXES), S(DEALT), S(SPANS), S(SHARES), S(COUNTERS), B(SUMS),
                                   S(V_PLACES), S(DENSITY), S(PRESSURE), B(PACKETS), B(A),
                                   S(COUNTS)));
    if (law->shapes == 0) return;
    sph_stay_launch(d, KERNEL_EDGES, (size_t)STAY_EDGES * STAY_GROUP,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(*law), S(SHAPES), S(PLANES), S(TABLE), S(RAYS),
                                     B(PLACES), S(BOXES), S(DEALT), S(SPANS), S(SHARES),
                                     S(COUNTERS), B(SUMS), S(V_PLACES), S(DENSITY), S(PRESSURE),
                                     B(PACKETS), B(A)));
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

/* The rods of the window, as sums go by them. */
static RodLaw rod_law(const StayLaw *law)
{
    RodLaw rods = {.side = law->side[0], .keys = law->keys, .points = law->rows};
    for (int c = 0; c < 3; ++c) {
        rods.rods[c] = law->rods[c], rods.bricks[c] = law->bricks[c];
        rods.first[c] = law->brick_low[c] * ROD_EDGE - (int)law->low[c];
    }
    return rods;
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

/* Into the first set. */
static void merge_limbs(Limbs *limbs, const StayLaw *law)
{
    const size_t each = (size_t)law->colliders * STAY_LOADS + 1;
    for (size_t set = 1; set < STAY_SETS; ++set)
        for (size_t k = 0; k < each; ++k) limbs_merge(&limbs[k], &limbs[set * each + k]);
}

/* While it travels rows are sorted for the next sub-step. */
static void get_note(SphDevice *d, const StayLaw *law, StayNote *notes)
{
    const size_t bytes = sph_stay_note_bytes(law);
    void *pinned = device_pin(d->device, &d->stay->buffers[STAY_PINNED_NOTE], bytes);
    void *begun = device_begin_get(d->device, &d->stay->buffers[STAY_NOTE], 0,
                                   pinned != NULL ? pinned : notes, bytes);
    sph_stay_sort_ahead(d, law);
    device_end_get(d->device, begun);
    if (pinned != NULL) memcpy(notes, pinned, bytes);
}

bool sph_stay_take_note(SphDevice *d, const StayLaw *law, uint32_t colliders, StayNote *notes)
{
    const size_t bricks = (size_t)law->bricks[0] * law->bricks[1] * law->bricks[2] + 1;
    const size_t group = (size_t)BRICK_RODS * STAY_LANES;
    const uint32_t groups = (law->rows + STAY_GROUP - 1) / STAY_GROUP;
    const RodLaw rods = rod_law(law);
    device_launch(d->device, d->stay->kernels[KERNEL_NOTE], (STAY_NOTES + bricks) * group, group,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(*law), DEVICE_VALUE(rods), DEVICE_VALUE(colliders),
                                   B(BOUNDS), S(SPANS), S(SHARES), B(PLACES), S(DENSITY), S(GROUPS),
                                   DEVICE_VALUE(groups), S(COUNTERS), S(NOTE), S(NOTE)));
    get_note(d, law, notes);
    if (!device_is_well(d->device)) return false;
    d->stay->note = merge(notes);
    merge_limbs((Limbs *)(void *)(notes + STAY_NOTES), law);
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
    if (stay->placed == PLACED_END) stay->placed = PLACED_START;
    stay->away = true, stay->known = false;
    step->outer->solver->away = !stay->beside;
}

mote_Status sph_stay_lost(const SphStep *step, mote_Error *error)
{
    return device_check(step->state->device->device, sph_name(step), error);
}
