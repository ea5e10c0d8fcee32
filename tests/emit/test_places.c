/* SourcePlaces by number: those of a fill are the points of its lattice that are inside, in the
 * order of z, y, x, in lines with one run, with two and with none; and a large fill takes little
 * memory. */
#include "scene/loading.h"

#include "emit/emitter.h"
#include "world/world.h"

#include <math.h>

static const char text[] =
    "{ mote: 1, systems: [ { name: 'water' } ],"
    "  emitters: [ { name: 'all', system: 'water', from: { type: 'fill', spacing: %g,"
    "    shape: %s } } ] }";

static Loading open_fill(double spacing, const char *shape)
{
    char scene[600];
    snprintf(scene, sizeof scene, text, spacing, shape);
    return loading_world(scene);
}

static const SourcePlaces *places_of(const Loading *loading)
{
    return &((const Emitter *)loading->world->emitters.items[0])->places;
}

static bool in_ball(const double p[3])
{
    return p[0] * p[0] + p[1] * p[1] + p[2] * p[2] < 0.5 * 0.5;
}

/* Around y, its tube 0.15 thick and 0.35 from the middle. */
static bool in_ring(const double p[3])
{
    const double out = sqrt(p[0] * p[0] + p[2] * p[2]) - 0.35;
    return out * out + p[1] * p[1] < 0.15 * 0.15;
}

static const struct {
    const char *shape;
    bool (*inside)(const double p[3]);
    double half[3];
} solids[] = {
    {"{ type: 'sphere', radius: 0.5 }", in_ball, {0.5, 0.5, 0.5}},
    {"{ type: 'torus', radius: 0.35, tube: 0.15 }", in_ring, {0.5, 0.15, 0.5}},
};

/* The lattice is centred, with its outermost layers half a spacing inside the bounds. */
static void check_solid(size_t s)
{
    const double spacing = 0.031;
    Loading loading = open_fill(spacing, solids[s].shape);
    const SourcePlaces *places = places_of(&loading);
    size_t number = 0, wrong = 0;
    int count[3];
    for (int c = 0; c < 3; ++c) count[c] = (int)floor(2 * solids[s].half[c] / spacing + 1e-3);
    for (int k = 0; k < count[2]; ++k)
        for (int j = 0; j < count[1]; ++j)
            for (int i = 0; i < count[0]; ++i) {
                const double p[3] = {(i - (count[0] - 1) / 2.0) * spacing,
                                     (j - (count[1] - 1) / 2.0) * spacing,
                                     (k - (count[2] - 1) / 2.0) * spacing};
                if (!solids[s].inside(p) || number >= places->count) continue;
                const mote_Vec3 at = places_at(places, number++);
                wrong += fabs((double)at.x - p[0]) + fabs((double)at.y - p[1]) +
                             fabs((double)at.z - p[2]) >
                         1e-5;
            }
    CHECK(number == places->count && number > 1000);
    CHECK(wrong == 0);
    loading_end(&loading);
}

static void places_are_those_inside(void)
{
    for (size_t s = 0; s < COUNT_OF(solids); ++s) check_solid(s);
}

static void a_large_fill_takes_little_memory(void)
{
    Loading loading = open_fill(0.01, "{ type: 'box', size: [2, 1, 1] }");
    const SourcePlaces *places = places_of(&loading);
    CHECK(places->count == 2000000);
    CHECK(places->list == NULL && places->run_count == 1);
    const mote_Vec3 last = places_at(places, places->count - 1);
    CHECK_NEAR((double)last.x, 0.995, 1e-5);
    CHECK_NEAR((double)last.y, 0.495, 1e-5);
    loading_end(&loading);
    loading = open_fill(0.01, "{ type: 'sphere', radius: 0.5 }");
    places = places_of(&loading);
    CHECK(places->count > 500000 && places->run_count < 100 * 100); /* a run a line */
    loading_end(&loading);
}

TESTS({"places are those inside", places_are_those_inside},
      {"a large fill takes little memory", a_large_fill_takes_little_memory})
