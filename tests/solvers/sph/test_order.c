/* The order of a liquid's sums: rows that are shuffled before every sub-step, and other numbers of
 * threads, give the same bits to every particle, body, load and report. */
#include "scene/loading.h"
#include "world/world.h"

#include <string.h>

#define LIQUID "{ name: 'water', solver: { type: 'sph', spacing: 0.05, "

/* What floats, pours, is drained, is measured, and touched. */
#define TANK                                                                                       \
    "  emitters: [ { name: 'pool', system: 'water', at: [0, 0.15, 0], from: { type: 'fill',"       \
    "      spacing: 0.05, shape: { type: 'box', size: [0.6, 0.3, 0.4] } } },"                      \
    "    { name: 'jet', system: 'water', at: [-0.15, 0.6, 0], velocity: [0.3, -2, 0],"             \
    "      from: { type: 'inflow', spacing: 0.05, radius: 0.07 } } ],"                             \
    "  bodies: [ { name: 'crate', density: 400, shape: { type: 'box', size: [0.2, 0.15, 0.2] },"   \
    "      motion: { at: [0.1, 0.42, 0], velocity: [0, -2, 0], rotate: [20, 0, 30] } } ],"         \
    "  colliders: [ { name: 'tank', measure: true, shape: { type: 'inverted', shape: { type:"      \
    "      'box', size: [0.6, 2, 0.4] } }, motion: { at: [0, 1, 0] } } ],"                         \
    "  probes: [ { name: 'all', type: 'total', system: 'water' },"                                 \
    "    { name: 'level', type: 'height', system: 'water', at: [-0.1, 0, 0] },"                    \
    "    { name: 'deep', type: 'pressure', system: 'water', at: [0, 0.05, 0], radius: 0.05 } ] }"

/* Oil runs into water, and lies on it. */
#define OIL                                                                                        \
    "{ name: 'oil', solver: { type: 'sph', joins: 'water', rest_density: 600, viscosity: 1e-3 } "  \
    "} ],"
#define TANK_OF_TWO                                                                                \
    "  emitters: [ { name: 'pool', system: 'water', at: [0, 0.1, 0], from: { type: 'fill',"        \
    "      spacing: 0.05, shape: { type: 'box', size: [0.6, 0.2, 0.4] } } },"                      \
    "    { name: 'layer', system: 'oil', at: [0, 0.25, 0], from: { type: 'fill',"                  \
    "      spacing: 0.05, shape: { type: 'box', size: [0.6, 0.1, 0.4] } } },"                      \
    "    { name: 'jet', system: 'oil', at: [-0.15, 0.6, 0], velocity: [0.3, -2, 0],"               \
    "      from: { type: 'inflow', spacing: 0.05, radius: 0.07 } } ],"                             \
    "  colliders: [ { name: 'tank', measure: true, shape: { type: 'inverted', shape: { type:"      \
    "      'box', size: [0.6, 2, 0.4] } }, motion: { at: [0, 1, 0] } } ],"                         \
    "  probes: [ { name: 'all', type: 'total', system: 'oil' } ] }"

/* A box without walls: a shear layer. */
#define BOX                                                                                        \
    "  emitters: [ { name: 'all', system: 'water', at: [0.25, 0.25, 0.2], velocity: ['=1', 0, 0]," \
    "      from: { type: 'fill', spacing: 0.05, shape: { type: 'box', size: [0.5, 0.25, 0.4] } } " \
    "},"                                                                                           \
    "    { name: 'rest', system: 'water', at: [0.25, 0.5, 0.2],"                                   \
    "      from: { type: 'fill', spacing: 0.05, shape: { type: 'box', size: [0.5, 0.25, 0.4] } } " \
    "}"                                                                                            \
    "  ] }"
#define PERIODIC                                                                                   \
    "{ mote: 1, world: { fps: 100, max_step: 0.005, gravity: [0, 0, 0], periodic_x: true,"         \
    "  periodic_y: true, periodic_z: true, box_min: [0, 0.125, 0], box_max: [0.5, 0.625, 0.4] },"
#define OPEN "{ mote: 1, world: { fps: 100, max_step: 0.005 },"

/* Grains on a body that gives way, and on a floor. */
#define GRAINS                                                                                     \
    "  emitters: [ { name: 'all', system: 'water', burst: 400, at: [0, 0.6, 0], velocity:"         \
    "      [0, -4, 0], spread: 0.2, from: { type: 'box', size: [0.4, 0.4, 0.4] }, mass: 0.001 } "  \
    "],"                                                                                           \
    "  bodies: [ { name: 'crate', density: 20, shape: { type: 'box', size: [0.3, 0.1, 0.3] },"     \
    "      motion: { at: [0, 0.3, 0], rotate: [10, 0, 20] } } ],"                                  \
    "  colliders: [ { name: 'floor', measure: true, shape: { type: 'plane' } } ] }"

typedef struct Case {
    const char *name, *text;
    int frames;
} Case;

static const Case cases[] = {
    {"wcsph",
     OPEN "systems: [ " LIQUID "pressure: 'wcsph', xsph: 0.1, wall_forces: true } } ]," TANK, 20},
    {"wcsph, continuity, shifting",
     OPEN "systems: [ " LIQUID "pressure: 'wcsph', density: 'continuity', shifting: 0.5,"
          " impact: 1 } } ]," TANK,
     12},
    {"dfsph", OPEN "systems: [ " LIQUID "pressure: 'dfsph' } } ]," TANK, 90},
    {"dfsph, linear, shifting",
     OPEN "systems: [ " LIQUID "pressure: 'dfsph', divergence: 'linear', shifting: 0.5 } } ]," TANK,
     25},
    {"iisph, sampled walls",
     OPEN "systems: [ " LIQUID "pressure: 'iisph', boundary: 'sampled' } } ]," TANK, 25},
    {"implicit viscosity",
     OPEN "systems: [ " LIQUID "pressure: 'dfsph', viscosity: 0.05, viscosity_model: 'monaghan',"
          " support: 2.4 } } ]," TANK,
     20},
    {"two liquids by wcsph",
     OPEN "systems: [ " LIQUID "pressure: 'wcsph', viscosity: 1e-4 } }, " OIL TANK_OF_TWO, 12},
    {"two liquids by dfsph, linear, implicit viscosity",
     OPEN "systems: [ " LIQUID "divergence: 'linear', viscosity: 0.02 } }, " OIL TANK_OF_TWO, 30},
    {"heat",
     OPEN "systems: [ " LIQUID "viscosity: 0.01, heat: 'conduction', conductivity: 3e4, expansion:"
          " 1e-3, thinning: 1000, emissivity: 0.5, surroundings: 100 } } ]," TANK,
     20},
    {"tension", OPEN "systems: [ " LIQUID "tension: 'csf', surface_tension: 50 } } ]," TANK, 20},
    {"pairs", OPEN "systems: [ " LIQUID "tension: 'pair', surface_tension: 50 } } ]," TANK, 20},
    {"foam",
     OPEN "systems: [ " LIQUID "} }, { name: 'foam', solver: { type: 'foam', joins: 'water',"
          " trapped_from: 0.1, energy_from: 0.1, trapped: 100 } } ]," TANK,
     25},
    {"periodic dfsph, linear",
     PERIODIC "systems: [ " LIQUID "pressure: 'dfsph', divergence: 'linear' } } ]," BOX, 40},
    {"periodic iisph", PERIODIC "systems: [ " LIQUID "pressure: 'iisph' } } ]," BOX, 40},
    {"periodic wcsph",
     PERIODIC "systems: [ " LIQUID "pressure: 'wcsph', background: 1000, clamp: false } } ]," BOX,
     10},
};

static const Case grains = {"grains", OPEN "systems: [ { name: 'water' } ]," GRAINS, 40};

/* ---- shuffling ---- */

typedef struct Shuffle {
    bool on;
    uint64_t state;
    size_t times;
} Shuffle;

static void shuffle_system(mote_World *world, mote_System *system, Shuffle *shuffle)
{
    uint32_t *order = arena_take(&world->arena, (system->count + 1) * sizeof *order);
    for (size_t i = 0; i < system->count; ++i) order[i] = (uint32_t)i;
    for (size_t i = system->count; i > 1 && shuffle->on; --i) {
        const size_t j = (size_t)(setup_bits(&shuffle->state) % i);
        const uint32_t kept = order[i - 1];
        order[i - 1] = order[j], order[j] = kept;
    }
    CHECK(system_reorder(system, order, &world->arena, NULL));
}

static mote_Status shuffle_rows(void *context, mote_World *world, double t, mote_Error *error)
{
    Shuffle *shuffle = context;
    (void)t, (void)error;
    for (size_t s = 0; s < world->slot_count; ++s)
        shuffle_system(world, world->slots[s].system, shuffle);
    ++shuffle->times;
    return MOTE_OK;
}

static Loading open_case(const Case *c, mote_Tasks *tasks, Shuffle *shuffle)
{
    Loading loading = loading_good(c->text);
    SETUP_OK(mote_scene_world(loading.scene, tasks, &loading.world, &loading.error), loading.error);
    loading.world->def.before_substep = shuffle_rows;
    loading.world->def.before_context = shuffle;
    return loading;
}

/* ---- comparing ---- */

static size_t *rows_by_id(const mote_System *system)
{
    const uint64_t *ids = system->columns[COLUMN_ID].data;
    size_t *rows = calloc((size_t)system->next_id + 1, sizeof *rows);
    for (size_t i = 0; i < system->count; ++i) rows[ids[i]] = i + 1;
    return rows;
}

static bool same_row(const mote_Column *a, size_t i, const mote_Column *b, size_t j)
{
    const size_t size = column_item_size(a->type);
    bool same = a->components == b->components;
    for (int c = 0; c < a->components && same; ++c)
        same = memcmp(column_plane(a, c) + i * size, column_plane(b, c) + j * size, size) == 0;
    return same;
}

/* How many numbers of particles differ. */
static size_t differing(const mote_System *a, const mote_System *b)
{
    size_t *of_a = rows_by_id(a), *of_b = rows_by_id(b), count = 0;
    CHECK(a->count == b->count && a->next_id == b->next_id && a->column_count == b->column_count);
    for (uint64_t id = 0; id < a->next_id && id < b->next_id; ++id) {
        CHECK((of_a[id] > 0) == (of_b[id] > 0));
        for (size_t c = 0; c < a->column_count && of_a[id] > 0 && of_b[id] > 0; ++c)
            count += !same_row(&a->columns[c], of_a[id] - 1, &b->columns[c], of_b[id] - 1);
    }
    free(of_a), free(of_b);
    return count;
}

static bool same_numbers(const double *a, const double *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

static void check_reports(const mote_StepReport *a, const mote_StepReport *b)
{
    CHECK(same_numbers(&a->kinetic, &b->kinetic, 1));
    CHECK(same_numbers(&a->potential, &b->potential, 1));
    CHECK(same_numbers(a->momentum, b->momentum, 3));
    CHECK(same_numbers(&a->density_error, &b->density_error, 1));
    CHECK(same_numbers(&a->dt, &b->dt, 1));
    CHECK(a->iterations == b->iterations && a->pairs == b->pairs && a->substeps == b->substeps);
}

static void check_colliders(const mote_World *a, const mote_World *b)
{
    for (size_t i = 0; i < a->shop.collider_count; ++i) {
        const Collider *one = a->shop.colliders[i], *other = b->shop.colliders[i];
        CHECK(memcmp(&one->load, &other->load, sizeof one->load) == 0);
        CHECK(memcmp(&one->pose, &other->pose, sizeof one->pose) == 0);
    }
}

static void check_probes(const mote_World *a, const mote_World *b)
{
    for (size_t i = 0; i < a->probes.count; ++i) {
        const mote_ProbeSamples one = mote_world_probe(a, i), other = mote_world_probe(b, i);
        const size_t last = (one.count - 1) * one.column_count;
        CHECK(one.count == other.count && one.count > 0);
        CHECK(same_numbers(one.values + last, other.values + last, one.column_count));
    }
}

/* Both runs; says in which frame they first differ. */
static void check_case(const Case *c, mote_Tasks *tasks)
{
    Shuffle still = {.on = false}, mixed = {.on = true, .state = 17};
    Loading a = open_case(c, NULL, &still), b = open_case(c, tasks, &mixed);
    const int before = check_failures;
    const int frames = getenv("MOTE_LONG") != NULL ? 8 * c->frames : c->frames;
    const size_t enough = TEST_SANITIZED ? 30 : SIZE_MAX; /* sub-steps: sanitizers are slow */
    uint64_t hits = 0;
    for (int frame = 0; frame < frames && check_failures == before && mixed.times < enough;
         ++frame) {
        const mote_StepReport one = setup_step(a.world), other = setup_step(b.world);
        size_t differ = 0;
        for (size_t s = 0; s < a.world->slot_count; ++s)
            differ += differing(a.world->slots[s].system, b.world->slots[s].system);
        CHECK(differ == 0);
        if (c != &grains) check_reports(&one, &other); /* whose energies go by rows */
        check_colliders(a.world, b.world);
        check_probes(a.world, b.world);
        hits += one.hits;
        if (check_failures > before)
            fprintf(stderr, "  %s: frame %d, %zu numbers differ\n", c->name, frame, differ);
    }
    printf("%s: %zu sub-steps, %zu rows, %llu hits\n", c->name, mixed.times,
           mote_system_count(mote_world_system(b.world, "water")), (unsigned long long)hits);
    CHECK(mixed.times == still.times && mixed.times >= 20);
    loading_end(&a), loading_end(&b);
}

static void shuffled_rows_change_nothing(void)
{
    mote_Tasks *tasks = setup_tasks(3);
    for (size_t i = 0; i < COUNT_OF(cases); ++i) check_case(&cases[i], tasks);
    mote_tasks_destroy(tasks);
}

static void shuffled_touches_change_nothing(void)
{
    check_case(&grains, NULL);
}

TESTS({"shuffled rows change nothing", shuffled_rows_change_nothing},
      {"shuffled touches change nothing", shuffled_touches_change_nothing})
