/* How scenes say what pictures look like: presets, colour maps, lights, cameras; and what they get
 * wrong. */
#include "scene_text.h"

#include "base/vec.h"
#include "particles/system.h"
#include "render/float3.h"
#include "render/view.h"
#include "scene/loading.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define WORLD "mote: 1, systems: [{ name: 'a', "

static void bad(const char *text, const char *word)
{
    mote_Scene *scene;
    mote_Error error;
    mote_SceneDef def = mote_scene_def();
    def.text = text;
    CHECK(mote_scene_load(&def, &scene, &error) == MOTE_BAD_VALUE);
    const char *messages = mote_scene_messages(scene, false);
    if (strstr(messages, word) == NULL) printf("%s\n", messages);
    CHECK(strstr(messages, word) != NULL);
    mote_scene_destroy(scene);
}

static void skies_of_files(void)
{
    bad("{ mote: 1, render: { sky: { file: 'nowhere.exr' } } }", "nowhere.exr");
    bad("{ mote: 1, render: { sky: { file: 'CMakeCache.txt' } } }", "CMakeCache.txt");
    bad("{ mote: 1, render: { sky: { file: 3 } } }", "file");
    bad("{ mote: 1, camera: { keys: [{ t: 1, fov: 30 }, { t: 1, fov: 20 }] } }",
        "in the order of their times");
    bad("{ mote: 1, camera: { keys: [{ fov: 30 }] } }", "`t`");
}

static void sky_of_a_file(void)
{
    mote_Scene *scene;
    mote_Error error;
    mote_SceneDef def = mote_scene_def();
    def.text = "{ mote: 1, render: { sky: { file: '" TEST_DATA
               "/exr/zip16-half.exr', turn: 30, light: 2 } } }";
    CHECK_OK(mote_scene_load(&def, &scene, &error), error);
    CHECK(scene->sky.panorama != NULL && mote_image_width(scene->sky.panorama) == 24);
    CHECK(scene->sky.turn == 30 && scene->sky.light == 2);
    mote_SceneInfo with = mote_scene_info(scene);
    mote_scene_destroy(scene);
    def.text = "{ mote: 1 }"; /* it is no part of the simulation */
    CHECK_OK(mote_scene_load(&def, &scene, &error), error);
    CHECK(mote_scene_info(scene).hash == with.hash);
    mote_scene_destroy(scene);
}

#define SHEET "image: '" TEST_DATA "/exr/zip16-half.exr'"

/* What is wrong with a sheet is said where it is: the picture is 24 px wide. */
static void sheets_of_files(void)
{
    bad("{" WORLD "look: { image: 'nowhere.exr' } }] }", "nowhere.exr");
    bad("{" WORLD "look: { cell: '=id' } }] }", "`cell` is of sprites, which need an `image`");
    bad("{" WORLD "look: { columns: 2 } }] }", "`columns` is of sprites");
    bad("{" WORLD "look: { " SHEET ", columns: 5 } }] }", "24 pixels wide");
    bad("{" WORLD "look: { " SHEET ", columns: 5 } }] }", "4 or 6 can");
    bad("{" WORLD "look: { " SHEET ",\n  rows: 7 } }] }", ":2:9: error: look: its image is");
    bad("{" WORLD "look: { " SHEET ", columns: 0 } }] }", "columns");
    bad("{" WORLD "look: { " SHEET ", sprite: 2 } }] }", "`cell` chooses among its cells");
}

/* One particle with these columns. */
typedef struct OneFrame {
    mote_real position[3], velocity[3], radius[1], color[3], opacity[1], heat[1];
    double birth[1];
    uint64_t id[1];
    mote_Column columns[8];
    mote_FrameSystem system;
    mote_Frame frame;
} OneFrame;

static mote_Column column(const char *name, mote_ColumnType type, int components, void *data)
{
    return (mote_Column){
        .name = name, .type = type, .components = components, .data = data, .stride = 1};
}

static OneFrame *one_frame(void)
{
    OneFrame *f = calloc(1, sizeof *f);
    f->velocity[0] = 3, f->velocity[1] = 4;
    f->radius[0] = 1, f->opacity[0] = 1, f->heat[0] = (mote_real)0.25;
    f->columns[0] = column("position", MOTE_COLUMN_REAL, 3, f->position);
    f->columns[1] = column("velocity", MOTE_COLUMN_REAL, 3, f->velocity);
    f->columns[2] = column("radius", MOTE_COLUMN_REAL, 1, f->radius);
    f->columns[3] = column("color", MOTE_COLUMN_REAL, 3, f->color);
    f->columns[4] = column("opacity", MOTE_COLUMN_REAL, 1, f->opacity);
    f->columns[5] = column("birth", MOTE_COLUMN_DOUBLE, 1, f->birth);
    f->columns[6] = column("id", MOTE_COLUMN_U64, 1, f->id);
    f->columns[7] = column("heat", MOTE_COLUMN_REAL, 1, f->heat);
    f->system = (mote_FrameSystem){"a", 1, f->columns, 8};
    f->frame = (mote_Frame){
        .time = 2, .dt = 1, .dimension = 3, .up_axis = 1, .systems = &f->system, .system_count = 1};
    return f;
}

static void drawn_color(const char *text, float color[3], mote_Legend *legend)
{
    mote_Scene *scene = scene_of_text(text);
    OneFrame *f = one_frame();
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Error error;
    CHECK_OK(mote_scene_picture(scene, &f->frame, &def, &drawn, &error), error);
    const mote_Column *c = mote_frame_column(&drawn->systems[0], "color");
    for (size_t k = 0; k < 3; ++k) color[k] = (float)((const mote_real *)c->data)[k * c->stride];
    if (legend != NULL) *legend = def.legends[0];
    if (legend != NULL && legend->title != NULL) CHECK(strcmp(legend->title, "speed") == 0);
    mote_scene_destroy(scene);
    free(f);
}

/* The speed is 5: half of the range; columns that expressions do not know go by their name. */
static void colors_follow_numbers(void)
{
    float color[3], wanted[1][3];
    double half = 0.5, quarter = 0.25;
    mote_Legend legend;
    mote_Error error;
    CHECK_OK(mote_colormap("magma", &half, 1, wanted, &error), error);
    drawn_color("{" WORLD "look: { color: { by: 'speed', map: 'magma', range: [0, 10] } } }] }",
                color, &legend);
    CHECK(memcmp(color, wanted, sizeof color) == 0);
    CHECK(legend.low == 0 && legend.high == 10);
    drawn_color("{" WORLD "look: { color: { by: '=vx+vy+3', map: 'magma', range: [0, 20], legend: "
                "false } } }] }",
                color, &legend);
    CHECK(memcmp(color, wanted, sizeof color) == 0);
    CHECK(legend.title == NULL);
    CHECK_OK(mote_colormap("viridis", &quarter, 1, wanted, &error), error);
    drawn_color("{" WORLD "look: { color: { by: 'heat', range: [0, 1], legend: false } } }] }",
                color, NULL);
    CHECK(memcmp(color, wanted, sizeof color) == 0);
    drawn_color("{" WORLD "look: { temperature: 2000 } }] }", color, NULL);
    CHECK(color[0] > color[1] && color[1] > color[2] && color[0] > 1);
}

static double drawn_number(const mote_Frame *drawn, const char *name)
{
    const mote_Column *column = mote_frame_column(&drawn->systems[0], name);
    CHECK(column != NULL && column->type == MOTE_COLUMN_REAL);
    return column != NULL ? (double)((const mote_real *)column->data)[0] : 0;
}

/* At 2 s, of a particle that was born at 0. */
static void sprites_follow_expressions(void)
{
    mote_Scene *scene = scene_of_text("{" WORLD "look: { " SHEET ", columns: 4, rows: 1, cell: "
                                      "'=3*age+0.5', turn: '=-45*t' } }] }");
    OneFrame *f = one_frame();
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Error error;
    CHECK_OK(mote_scene_picture(scene, &f->frame, &def, &drawn, &error), error);
    CHECK(def.looks[0].image != NULL && def.looks[0].columns == 4);
    CHECK_NEAR(drawn_number(drawn, "cell"), 6.5, 1e-6);
    CHECK_NEAR(drawn_number(drawn, "turn"), -90, 1e-6);
    CHECK(mote_frame_column(&f->system, "cell") == NULL); /* the frame itself is untouched */
    mote_scene_destroy(scene);
    free(f);
}

#define CLOTH(look)                                                                                \
    "{" WORLD "look: {" look                                                                       \
    "} }], links: [{ system: 'a', pattern: { type: 'chain', segments: 4 } },"                      \
    " { system: 'a', pattern: { type: 'sheet', columns: 5, rows: 3 } }] }"

static double uv_of(const mote_Frame *drawn, size_t row, int component)
{
    const mote_Column *uv = mote_frame_column(&drawn->systems[0], "uv");
    return uv != NULL ? (double)column_value(uv, component, row) : -1;
}

/* Behind the five particles of a chain; and as expressions say. */
static void textures_lie_as_sheets_were_laid(void)
{
    mote_Scene *scene = scene_of_text(CLOTH("checker: 4"));
    mote_World *world;
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Error error;
    CHECK_OK(mote_scene_world(scene, NULL, &world, &error), error);
    const mote_Frame *frame = mote_world_frame(world);
    CHECK_OK(mote_scene_picture(scene, frame, &def, &drawn, &error), error);
    CHECK(def.looks[0].checker == 4 && drawn->systems[0].count == 20);
    for (size_t i = 0; i < 15; ++i) {
        CHECK_NEAR(uv_of(drawn, 5 + i, 0), (double)(i % 5) / 4, 1e-6);
        CHECK_NEAR(uv_of(drawn, 5 + i, 1), (double)(i / 5) / 2, 1e-6);
    }
    CHECK(mote_frame_column(&frame->systems[0], "uv") == NULL);
    mote_scene_destroy(scene);
    scene = scene_of_text(CLOTH("checker: 4, uv: ['=id/10', '=1-y']"));
    CHECK_OK(mote_scene_picture(scene, frame, &def, &drawn, &error), error);
    CHECK_NEAR(uv_of(drawn, 7, 0), 0.7, 1e-6);
    const mote_Column *position = mote_frame_column(&drawn->systems[0], "position");
    CHECK_NEAR(uv_of(drawn, 9, 1), 1 - (double)column_value(position, 1, 9), 1e-6);
    mote_scene_destroy(scene);
    mote_world_destroy(world);
}

/* What is wrong with a texture is said at its place. */
static void textures_that_cannot_be_worn(void)
{
    bad("{" WORLD "look: { checker: 3 } }] }", "a texture needs to know where particles are");
    bad("{" WORLD "\n look: { checker: 3 } }] }", "2:8: error");
    bad("{" WORLD "look: { uv: [0, 0] } }] }", "`uv` says where a `texture` or a `checker` lies");
    bad("{" WORLD "look: { checker: 3, uv: ['=id'] } }] }", "uv needs two numbers");
    bad("{" WORLD "look: { texture: 'nowhere.exr', uv: ['=x', '=y'] } }] }", "nowhere.exr");
    bad("{" WORLD "look: { texture: '" TEST_DATA "/exr/zip16-half.exr', checker: 2, uv: ['=x', "
        "'=y'] } }] }",
        "only one can be worn");
    bad("{ mote: 1, colliders: [{ shape: { type: 'sphere' }, look: { texture: '" TEST_DATA
        "/exr/zip16-half.exr', checker: 2 } }] }",
        "only one can be worn");
}

static void missing_columns_are_named(void)
{
    mote_Scene *scene = scene_of_text("{" WORLD "look: { color: { by: 'heet' } } }] }");
    OneFrame *f = one_frame();
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Error error;
    CHECK(mote_scene_picture(scene, &f->frame, &def, &drawn, &error) == MOTE_BAD_VALUE);
    CHECK(strstr(error.message, "\"heat\"") != NULL && strstr(error.message, "look of a") != NULL);
    mote_scene_destroy(scene);
    free(f);
}

/* Every preset is a correct look or sky, and what stands beside it wins. */
static void presets_are_right(void)
{
    static const char *const families[2] = {"looks", "skies"};
    for (int k = 0; k < 2; ++k) {
        size_t count;
        const mote_Row *const *rows = mote_family_rows(families[k], &count);
        CHECK(count >= 6);
        for (size_t i = 0; i < count; ++i) {
            char text[200];
            snprintf(text, sizeof text,
                     k == 0 ? "{" WORLD "look: '%s' }] }" : "{ mote: 1, render: { sky: '%s' } }",
                     rows[i]->name);
            mote_Scene *scene = scene_of_text(text);
            OneFrame *f = one_frame();
            mote_RenderDef def;
            const mote_Frame *drawn;
            mote_Error error;
            CHECK_OK(mote_scene_picture(scene, &f->frame, &def, &drawn, &error), error);
            mote_scene_destroy(scene);
            free(f);
        }
    }
    float color[3];
    drawn_color("{" WORLD "look: { preset: 'smoke', color: [0.25, 0.5, 1] } }] }", color, NULL);
    CHECK(color[0] == 0.25f && color[1] == 0.5f && color[2] == 1);
}

/* A liquid that says nothing of its look is no white blob; nor are its own colours lost. */
static void liquids_look_like_water(void)
{
#define LIQUID "mote: 1, systems: [{ name: 'a', solver: { type: 'sph', spacing: 0.1 } }]"
    float color[3], named[3];
    drawn_color("{" WORLD "look: 'water' }] }", named, NULL);
    drawn_color("{" LIQUID "}", color, NULL);
    CHECK(memcmp(color, named, sizeof color) == 0 && color[2] > color[0]);
    drawn_color("{" LIQUID ", emitters: [{ system: 'a', color: [1, 0, 0] }] }", color, NULL);
    CHECK(color[0] == 0 && color[2] == 0); /* the frame's own */
    mote_Scene *scene = scene_of_text("{" LIQUID "}");
    OneFrame *f = one_frame();
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Error error;
    CHECK_OK(mote_scene_picture(scene, &f->frame, &def, &drawn, &error), error);
    CHECK(strcmp(def.looks[0].profile, "sphere") == 0 && def.looks[0].lit);
    mote_scene_destroy(scene);
    free(f);
}

/* A sky brings its lights, unless the scene has its own. */
static void skies_bring_lights(void)
{
    static const char *const texts[3] = {
        "{" WORLD "}], render: { sky: 'dusk' } }",
        "{" WORLD "}], render: { sky: 'dusk', lights: [] } }",
        "{" WORLD "}], render: { sky: { preset: 'dusk', zenith: [1, 0, 0] }, lights: "
        "[{ type: 'point', at: ['=t', 0, 0], intensity: 2 }, { type: 'sun' }] } }"};
    static const size_t counts[3] = {1, 0, 2};
    for (int i = 0; i < 3; ++i) {
        mote_Scene *scene = scene_of_text(texts[i]);
        OneFrame *f = one_frame();
        mote_RenderDef def;
        const mote_Frame *drawn;
        mote_Error error;
        CHECK_OK(mote_scene_picture(scene, &f->frame, &def, &drawn, &error), error);
        CHECK(def.light_count == counts[i]);
        if (i == 2) {
            CHECK(def.lights[0].type == MOTE_LIGHT_POINT && def.lights[0].at.x == 2);
            CHECK(def.lights[0].color.x * def.lights[0].intensity == 2 &&
                  def.backdrop.zenith.x == 1);
            CHECK(def.backdrop.glow.x > 0);
        }
        mote_scene_destroy(scene);
        free(f);
    }
}

/* Without a camera, all that is thrown is in the picture. */
static void a_missing_camera_finds_the_scene(void)
{
    mote_Scene *scene = scene_of_text(
        "{" WORLD "}], emitters: [{ system: 'a', at: [50, 20, -7], velocity: [0, 3, 0], "
        "lifetime: 1 }] }");
    OneFrame *f = one_frame();
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Error error;
    CHECK_OK(mote_scene_picture(scene, &f->frame, &def, &drawn, &error), error);
    double dx = (double)def.camera.to.x - 50, dy = (double)def.camera.to.y - 20;
    CHECK(fabs(dx) < 2 && fabs(dy) < 2);
    double away =
        sqrt(pow((double)def.camera.from.x - 50, 2) + pow((double)def.camera.from.y - 20, 2) +
             pow((double)def.camera.from.z + 7, 2));
    CHECK(away > 0.5 && away < 30);
    mote_scene_destroy(scene);
    free(f);
}

/* The camera of a scene that has none. */
static mote_Camera camera_of(const char *text)
{
    mote_Scene *scene = scene_of_text(text);
    OneFrame *f = one_frame();
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Error error;
    CHECK_OK(mote_scene_picture(scene, &f->frame, &def, &drawn, &error), error);
    const mote_Camera camera = def.camera;
    mote_scene_destroy(scene);
    free(f);
    return camera;
}

#define JET                                                                                        \
    WORLD "}], emitters: [{ system: 'a', at: [0, 1, 0], rate: 9, velocity: [0, 2, 0], lifetime: "  \
          "2 }]"

/* Colliders around the eye, or before it, make it look from elsewhere; bounds are those of the
 * scenes' boxes. */
static void a_missing_camera_is_in_no_collider(void)
{
    /* slabs across every direction at every height leave free what is above and what is within */
    for (int k = 2; k < 40; k += 3) {
        char text[600];
        snprintf(text, sizeof text,
                 "{ " JET ", colliders: [{ shape: { type: 'box', size: [60, 60, %d] },"
                 " motion: { at: [0, 0, %d] } }, { shape: { type: 'sphere', radius: 3 }, motion:"
                 " { at: [%d, 2, 0] } }] }",
                 k, 3 + k / 2, k);
        const mote_Camera c = camera_of(text);
        const double front = 3 + k / 2 - 0.5 * k, x = (double)c.from.x, y = (double)c.from.y,
                     z = (double)c.from.z;
        const bool beside = fabs(x) > 30 || fabs(y) > 30;
        CHECK(beside || z < front || z > front + k);
        CHECK(sqrt((x - k) * (x - k) + (y - 2) * (y - 2) + z * z) > 3);
        CHECK(!(z > front + k && fabs(x) < 30 && fabs(y) < 30)); /* the slab would hide the jet */
    }
    /* a closed room is looked at from within */
    const mote_Camera c =
        camera_of("{ " JET ", colliders: ["
                  "{ shape: { type: 'box', size: [6, 1, 6] }, motion: { at: [0, -0.5, 0] } },"
                  "{ shape: { type: 'box', size: [6, 1, 6] }, motion: { at: [0, 4.5, 0] } },"
                  "{ shape: { type: 'box', size: [1, 6, 8] }, motion: { at: [-3.5, 2, 0] } },"
                  "{ shape: { type: 'box', size: [1, 6, 8] }, motion: { at: [3.5, 2, 0] } },"
                  "{ shape: { type: 'box', size: [8, 6, 1] }, motion: { at: [0, 2, -3.5] } },"
                  "{ shape: { type: 'box', size: [8, 6, 1] }, motion: { at: [0, 2, 3.5] } }] }");
    CHECK(fabs((double)c.from.x) < 3 && fabs((double)c.from.z) < 3);
    CHECK(c.from.y > 0 && c.from.y < 4);
}

/* The share of a frame's particles that a picture by the scene's camera shows. */
static double share_seen(mote_Scene *scene, mote_World *world)
{
    const mote_Frame *frame = mote_world_frame(world), *drawn;
    mote_RenderDef def;
    mote_Error error;
    View view;
    mote_Image *image;
    CHECK_OK(mote_scene_picture(scene, frame, &def, &drawn, &error), error);
    CHECK_OK(mote_image_create(160, 90, &image, &error), error);
    CHECK_OK(view_make(&def.camera, frame, image, &view, &error), error);
    const mote_FrameSystem *system = &frame->systems[0];
    const mote_Column *column = mote_frame_column(system, "position");
    const mote_real *x = column->data;
    size_t seen = 0;
    for (size_t i = 0; i < system->count; ++i) {
        const mote_Vec3 at = {x[i], x[i + column->stride], x[i + 2 * column->stride]};
        float p[3], c[3];
        read3(vec3_sub(at, view.from), p);
        for (int k = 0; k < 3; ++k) c[k] = dot3(view.axis[k], p);
        seen += c[2] > view.near && fabsf(view.focal * c[0] / c[2]) < 80 &&
                fabsf(view.focal * c[1] / c[2]) < 45;
    }
    mote_image_destroy(image);
    return (double)seen / (double)system->count;
}

/* The scene to begin with has no camera: what is thrown, and what bounces off, is in the picture.
 */
static void a_missing_camera_sees_bounces(void)
{
    mote_SceneDef scene_def = mote_scene_def();
    mote_Scene *scene;
    mote_World *world;
    mote_Error error;
    scene_def.path = TEST_SOURCE "/scenes/first.json5";
    CHECK_OK(mote_scene_load(&scene_def, &scene, &error), error);
    CHECK_OK(mote_scene_world(scene, NULL, &world, &error), error);
    for (int frame = 1; frame <= 120; ++frame) {
        CHECK_OK(mote_world_step(world, NULL, &error), error);
        if (frame % 30 == 0) CHECK(share_seen(scene, world) > 0.99);
    }
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

/* A block of liquid is seen from outside, a cloth and a rope as a whole. */
static void a_missing_camera_shows_sources_and_links(void)
{
    mote_Camera c = camera_of("{ " WORLD "solver: { type: 'sph', spacing: 0.5 } }], emitters: [{ "
                              "system: 'a', at: [0, 5, 0], from: { type: 'fill', spacing: 0.5,"
                              " shape: { type: 'box', size: [10, 10, 10] } } }] }");
    CHECK(fabs((double)c.from.x) > 5 || fabs((double)c.from.z) > 5 || c.from.y > 10);
    c = camera_of("{ " WORLD "}], links: [{ system: 'a', pattern: { type: 'sheet', corner: [90, 5,"
                  " 0], along: [4, 0, 0], across: [0, 0, 4] } }] }");
    CHECK_NEAR((double)c.to.x, 92, 0.5);
}

static void mistakes_are_explained(void)
{
    bad("{" WORLD "look: 'smok' }] }", "smoke");
    bad("{" WORLD "look: { color: { by: 'speed', map: 'virdis' } } }] }", "viridis");
    bad("{" WORLD "look: { color: { map: 'viridis' } } }] }", "by");
    bad("{" WORLD "look: { color: { by: 'speed', range: [2, 1] } } }] }", "lowest");
    bad("{" WORLD "look: { color: { by: '=spede' } } }] }", "speed");
    bad("{ mote: 1, render: { sky: 'dsk' } }", "dusk");
    bad("{ mote: 1,\n camera: { from: [1, 2, 3], to: [1, 2, 3] } }",
        "scene:2:18: error: the camera's `from` is its `to`");
    bad("{ mote: 1, camera: { from: [1, 2, 3], to: [1, 2, 3] } }", "from: [1, 2, 8] would look");
    bad("{ mote: 1, camera: { from: [0, 1, 0] } }", "it looks nowhere"); /* `to` by itself */
    bad("{ mote: 1, camera: { from: [0, 9, 0], to: [0, 0, 0] } }", "looks along its `up`");
    bad("{ mote: 1, render: { lights: [{ type: 'lamp' }] } }", "sun");
    bad("{ mote: 1, render: { lights: [{ toward: [0, 1, 0] }] } }", "type");
    bad("{ mote: 1, render: { show: ['bounds', 'wirefram'] } }", "wireframe");
    bad("{ mote: 1, colliders: [{ shape: { type: 'plane' }, look: { gloss: 3 } }] }", "gloss");
}

/* Known before anything is simulated, with the columns that there are. */
static void worlds_know_the_columns(void)
{
    static const char *const texts[2] = {WORLD "look: { color: { by: 'radis' } } }]",
                                         WORLD "look: { color: { by: 'radius' } } }]"};
    for (int k = 0; k < 2; ++k) {
        char text[200];
        snprintf(text, sizeof text, "{ %s }", texts[k]);
        mote_Scene *scene = scene_of_text(text);
        mote_World *world;
        mote_Error error = {0};
        CHECK(mote_scene_world(scene, NULL, &world, &error) == (k ? MOTE_OK : MOTE_BAD_VALUE));
        if (k == 0) CHECK_MESSAGE(error, "did you mean \"radius\"?");
        if (k == 0) CHECK_MESSAGE(error, "its columns are id, position");
        mote_world_destroy(world);
        mote_scene_destroy(scene);
    }
}

TESTS({"skies_of_files", skies_of_files}, {"sky_of_a_file", sky_of_a_file},
      {"sheets_of_files", sheets_of_files},
      {"sprites_follow_expressions", sprites_follow_expressions},
      {"textures_lie_as_sheets_were_laid", textures_lie_as_sheets_were_laid},
      {"textures_that_cannot_be_worn", textures_that_cannot_be_worn},
      {"liquids_look_like_water", liquids_look_like_water},
      {"colors_follow_numbers", colors_follow_numbers},
      {"missing_columns_are_named", missing_columns_are_named},
      {"worlds_know_the_columns", worlds_know_the_columns},
      {"presets_are_right", presets_are_right}, {"skies_bring_lights", skies_bring_lights},
      {"a_missing_camera_finds_the_scene", a_missing_camera_finds_the_scene},
      {"a_missing_camera_is_in_no_collider", a_missing_camera_is_in_no_collider},
      {"a_missing_camera_sees_bounces", a_missing_camera_sees_bounces},
      {"a_missing_camera_shows_sources_and_links", a_missing_camera_shows_sources_and_links},
      {"mistakes_are_explained", mistakes_are_explained})
