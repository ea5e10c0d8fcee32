/* Bodies in scenes: what is read, copies, looks, and what is refused with which words. */
#include "scene/loading.h"

#define HEAD "{ mote: 1, "

static mote_BodyState state_of(const mote_World *world, const char *name)
{
    mote_BodyState state = {0};
    mote_Error error;
    CHECK_OK(mote_world_body(world, name, &state, &error), error);
    return state;
}

static void bodies_are_read(void)
{
    Loading loading = loading_world(
        HEAD "fields: [{ name: 'sea', type: 'layers', below: 1000, above: 1 }],"
             "bodies: [{ name: 'crate', shape: { type: 'box', size: [1, 2, 3] }, density: 100,"
             "  buoyancy: 'sea', temperature: 400, heat_capacity: 7,"
             "  motion: { at: [1, 2, 3], rotate: [0, 0, 90], velocity: [4, 0, 0],"
             "  spin: [0, 180, 0] }, look: { color: '#ff0000' } },"
             "{ name: 'mill', free: false, shape: { type: 'box' },"
             "  motion: { at: [9, '=2*t', 0] } },"
             "{ name: 'tile', mass: 2, shape: { type: 'box', size: [0.1, 0.1, 0.1] },"
             "  motion: { at: [-9, 0, 0] }, copies: { count: [3, 2, 1], step: [0.5, 1, 1] },"
             "  look: { color: '#00ff00' } }] }");
    mote_BodyState crate = state_of(loading.world, "crate"), last;
    CHECK_NEAR(crate.mass, 600, 1e-9);
    CHECK_NEAR(crate.centre[1], 2, 1e-9);
    CHECK_NEAR(crate.orientation[2], sqrt(0.5), 1e-6);
    CHECK_NEAR(crate.velocity[0], 4, 1e-9);
    CHECK_NEAR(crate.spin[1], 3.14159265358979323846, 1e-5);
    CHECK(crate.temperature == 400 && crate.heat_capacity == 7);
    last = state_of(loading.world, "tile-5");
    CHECK_NEAR(last.centre[0], -8, 1e-6);
    CHECK_NEAR(last.centre[1], 1, 1e-6);
    CHECK_NEAR(last.mass, 2, 1e-12);
    const mote_Frame *frame = mote_world_frame(loading.world);
    CHECK(frame->shape_count == 8 && frame->shapes[7].body);
    for (int i = 0; i < 30; ++i)
        CHECK_OK(mote_world_step(loading.world, NULL, &loading.error), loading.error);
    CHECK_NEAR(state_of(loading.world, "mill").position[1], 2, 1e-5);
    mote_RenderDef def;
    const mote_Frame *drawn;
    CHECK_OK(mote_scene_picture(loading.scene, mote_world_frame(loading.world), &def, &drawn,
                                &loading.error),
             loading.error);
    CHECK(def.shape_count == 8); /* looks: the crate, the one that was copied, six copies */
    loading_end(&loading);
}

/* Each of many bodies keeps its own look and its own mass. */
static void looks_have_room(void)
{
    enum { BODIES = 60 };
    static char text[BODIES * 160 + 64], *end = text;
    end += sprintf(end, HEAD "bodies: [");
    for (int i = 0; i < BODIES; ++i)
        end +=
            sprintf(end,
                    "{ name: 'b%d', mass: %d, shape: { type: 'box' }, motion: { at: [%d, 0, 0] },"
                    " look: { color: [%d, 0, 1] } },",
                    i, i + 1, 3 * i, i);
    sprintf(end, "] }");
    Loading loading = loading_world(text);
    mote_RenderDef def;
    const mote_Frame *drawn;
    CHECK_OK(mote_scene_picture(loading.scene, mote_world_frame(loading.world), &def, &drawn,
                                &loading.error),
             loading.error);
    CHECK(def.shape_count == BODIES);
    for (int i = 0; i < BODIES; ++i) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        CHECK(strcmp(def.shapes[i].shape, name) == 0);
        CHECK(def.shapes[i].color.x == (mote_real)i && def.shapes[i].color.z == 1);
        CHECK_NEAR(state_of(loading.world, name).mass, i + 1, 1e-9);
    }
    loading_end(&loading);
}

/* A tetrahedron without its last face, and a dented one. */
#define OPEN                                                                                       \
    "{ type: 'convex', mesh: { vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],"            \
    " triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3]] } }"
#define DENTED                                                                                     \
    "{ type: 'convex', mesh: { vertices: [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4], [1, 1, 1]]," \
    " triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 4], [2, 3, 4], [3, 1, 4]] } }"
#define INVERTED                                                                                   \
    "{ type: 'convex', mesh: { planes: [[1, 0, 0, -1], [-1, 0, 0, -1], [0, 1, 0, -1],"             \
    " [0, -1, 0, -1], [0, 0, 1, -1], [0, 0, -1, -1]] } }"

static const struct {
    const char *text, *message;
} mistakes[] = {
    {"{ shape: " OPEN " }", "holes"},
    {"{ shape: " DENTED " }", "dents"},
    {"{ shape: " INVERTED " }", "empty"},
    {"{ shape: { type: 'plane' } }", "no volume"},
    {"{ shape: { type: 'box', size: [1, 0, 1] } }", "no volume"},
    {"{ shape: { type: 'sphere', radius: 0 } }", "radius"},
    {"{ density: 0, shape: { type: 'box' } }", "above 0"},
    {"{ mass: -1, shape: { type: 'box' } }", "mass"},
    {"{ temperature: -20, shape: { type: 'box' } }", "temperature"},
    {"{ shape: { type: 'box' }, motion: { at: ['=t', 0, 0] } }", "free: false"},
    {"{ shape: { type: 'box' }, mass: 0 }", "mass is 0, but must be above 0 kg; without it"},
    {"{ shape: { type: 'box', size: ['=1+t', 1, 1] } }", "t"},
    {"{ density: '=t', shape: { type: 'box' } }", "t"},
    {"{ shape: { type: 'box' }, buoyancy: 'sea' }", "sea"},
    {"{ shape: { type: 'box' }, frictoin: 1 }", "friction"},
    {"{ shape: { type: 'boks' } }", "did you mean `box`?"},
    {"{ name: 'a' }", "shape"},
    {"{ shape: { type: 'box' }, copies: { count: [1000, 1000, 1000] } }", "at most"},
    {"{ shape: { type: 'box' }, copies: { count: [0, 1, 1] } }", "count"},
    {"{ name: 'a', shape: { type: 'box' } }, { name: 'a', shape: { type: 'box' } }", "earlier"},
    {"{ name: 'a', shape: { type: 'box' } }, { name: 'b', shape: { type: 'box' },"
     " motion: { at: [0.5, 0.1, 0] } }",
     "inside body b"},
};

/* By the scene, or by the world that is made of it. */
static void check_refused(const char *text, const char *message)
{
    Loading loading = loading_with(text, NULL);
    if (loading.status == MOTE_OK) {
        loading.status = mote_scene_world(loading.scene, NULL, &loading.world, &loading.error);
        CHECK_HOLDS(loading.error.message, message);
    } else {
        CHECK_HOLDS(mote_scene_messages(loading.scene, false), message);
    }
    CHECK(loading.status != MOTE_OK);
    loading_end(&loading);
}

static void mistakes_are_told(void)
{
    for (size_t i = 0; i < COUNT_OF(mistakes); ++i) {
        char text[1024];
        snprintf(text, sizeof text, HEAD "bodies: [%s] }", mistakes[i].text);
        check_refused(text, mistakes[i].message);
    }
}

TESTS({"bodies_are_read", bodies_are_read}, {"looks_have_room", looks_have_room},
      {"mistakes_are_told", mistakes_are_told})
