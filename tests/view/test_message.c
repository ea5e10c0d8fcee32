/* Messages of the view: what is in them, against the frame that they were made from. The head and
 * the blocks are read here byte by byte; decode.mjs reads the same files with the page's own code.
 */
#include "setup.h"

#include "view/message.h"

#include <mote/scene.h>

/* Points, a cloth, a rope, boxes of two forms, a mesh in a compound, a plane, a legend. */
static const char scene_text[] =
    "{ mote: 1, world: { fps: 20, max_step: 0.01, duration: 1 },"
    "  systems: ["
    "    { name: \"dots\", look: { color: { by: \"x\", map: \"viridis\", range: [-1, 1],"
    "      title: \"place (m)\" }, size: \"=0.01+0.001*id\", profile: \"soft\", blend: \"add\","
    "      trail: 3, faint: 0.25 } },"
    "    { name: \"sheet\", look: { color: [0.8, 0.2, 0.1] } },"
    "    { name: \"rope\", look: { color: [4, 1, 0.25], opacity: 0.5, line: 0.03 } } ],"
    "  emitters: [ { name: \"e\", system: \"dots\", rate: 0, burst: 50, from: { type: \"box\","
    "      size: [2, 1, 0.5] } } ],"
    "  links: [ { name: \"cloth\", system: \"sheet\", pattern: { type: \"sheet\","
    "      corner: [0, 2, 0], along: [1, 0, 0], across: [0, -0.8, 0], columns: 5, rows: 4 } },"
    "    { name: \"line\", system: \"rope\", pattern: { type: \"chain\", segments: 5,"
    "      from: [2, 2, 0], to: [2, 1, 0] } } ],"
    "  colliders: [ { name: \"floor\", shape: { type: \"plane\", offset: -1 } },"
    "    { name: \"a\", shape: { type: \"box\", size: [1, 2, 3] }, motion: { at: [5, 0, 0] } },"
    "    { name: \"b\", shape: { type: \"box\", size: [1, 2, 3] }, motion: { at: [7, 0, 0],"
    "      rotate: [0, 90, 0] } },"
    "    { name: \"c\", shape: { type: \"box\", size: [1, 1, 1] }, motion: { at: [9, 0, 0] },"
    "      look: { color: [0.1, 0.2, 0.3] } },"
    "    { name: \"d\", shape: { type: \"inverted\", shape: { type: \"sphere\", radius: 20 } } } ] "
    "}";

typedef struct Made {
    mote_Scene *scene;
    mote_World *world;
    mote_Frame *history[2]; /* newest first */
    mote_RenderDef def;
    const mote_Frame *drawn;
    ViewMessage message;
} Made;

static void make(Made *made, bool meshes)
{
    mote_SceneDef def = mote_scene_def();
    mote_Error error = {0};
    def.text = scene_text;
    if (mote_scene_load(&def, &made->scene, &error) != MOTE_OK) {
        fputs(mote_scene_messages(made->scene, false), stderr);
        exit(2);
    }
    SETUP_OK(mote_scene_world(made->scene, NULL, &made->world, &error), error);
    for (int i = 3; i-- > 0;) {
        SETUP_OK(mote_world_step(made->world, NULL, &error), error);
        if (i > 0)
            SETUP_OK(mote_frame_copy(mote_world_frame(made->world), &made->history[i - 1], &error),
                     error);
    }
    SETUP_OK(mote_scene_picture(made->scene, mote_world_frame(made->world), &made->def,
                                &made->drawn, &error),
             error);
    made->def.history = (const mote_Frame *const *)made->history;
    made->def.history_count = 2;
    view_message_init(&made->message);
    const ViewFrame input = {made->drawn, &made->def, meshes};
    CHECK_OK(view_message_make(&made->message, &input, &error), error);
}

static void unmake(Made *made)
{
    view_message_free(&made->message);
    for (int i = 0; i < 2; ++i) mote_frame_destroy(made->history[i]);
    mote_world_destroy(made->world);
    mote_scene_destroy(made->scene);
}

static size_t read_u32(const unsigned char *at)
{
    return at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

static void head_tells_the_lengths(void)
{
    Made made;
    make(&made, false);
    const unsigned char *bytes = made.message.bytes.bytes;
    CHECK(memcmp(bytes, "mote", 4) == 0);
    CHECK(read_u32(bytes + 4) == (VIEW_VERSION | VIEW_KIND_FRAME << 16));
    const size_t text = read_u32(bytes + 8), data = read_u32(bytes + 12);
    CHECK(text % 8 == 0 && VIEW_HEAD + text + data == made.message.bytes.size);
    CHECK(bytes[VIEW_HEAD] == '{' && bytes[VIEW_HEAD + text - 1] != 0);
    unmake(&made);
}

/* Nothing of an earlier message is left in a later one. */
static void the_same_frame_gives_the_same_bytes(void)
{
    Made made;
    mote_Error error;
    make(&made, true);
    const size_t size = made.message.bytes.size;
    unsigned char *first = malloc(size);
    memcpy(first, made.message.bytes.bytes, size);
    const ViewFrame input = {made.drawn, &made.def, true};
    CHECK_OK(view_message_make(&made.message, &input, &error), error);
    CHECK(made.message.bytes.size == size && memcmp(made.message.bytes.bytes, first, size) == 0);
    free(first);
    unmake(&made);
}

/* A value that is not finite has no place, and the others keep theirs. */
static void bad_numbers_spoil_nothing(void)
{
    mote_real x[4] = {0, 1, (mote_real)NAN, 2}, y[4] = {0, 0, (mote_real)INFINITY, 0};
    ViewMessage message;
    view_message_init(&message);
    const ViewPoints points = {.planes = {x, y, y}, .count = 4, .stride = 1, .planar = true};
    view_put_points(&message, NULL, &points);
    uint16_t *out = (uint16_t *)(void *)message.data.bytes;
    CHECK(out[0] == 0 && out[1] == 32768 && out[3] == 65535);
    CHECK(strstr(message.json.text, "nan") == NULL && strstr(message.json.text, "inf") == NULL);
    view_message_free(&message);
}

/* Where sixteen bits are too coarse for the particles' size, places are floats. */
static void far_places_are_floats(void)
{
    mote_real x[2] = {0, 1000};
    for (int coarse = 0; coarse < 2; ++coarse) {
        ViewMessage message;
        view_message_init(&message);
        const ViewPoints points = {.planes = {x, x, x},
                                   .count = 2,
                                   .stride = 1,
                                   .planar = true,
                                   .fine = coarse ? 0.001 : 1};
        view_put_points(&message, NULL, &points);
        CHECK((strstr(message.json.text, "f32") != NULL) == (coarse == 1));
        if (coarse) CHECK(((float *)(void *)message.data.bytes)[1] == 1000);
        view_message_free(&message);
    }
}

/* ---- files for decode.mjs: a message, and the frame in plain text ---- */

static void write_values(FILE *file, const mote_FrameSystem *system, const char *name)
{
    const mote_Column *column = mote_frame_column(system, name);
    fprintf(file, "\"%s\": [", name);
    for (size_t i = 0; i < system->count; ++i)
        for (int k = 0; k < column->components; ++k)
            fprintf(file, "%s%.9g", i + (size_t)k > 0 ? ", " : "",
                    (double)((const mote_real *)column->data)[(size_t)k * column->stride + i]);
    fprintf(file, "],\n");
}

/* Where the dots were, and which. */
static void write_earlier(FILE *file, const mote_Frame *frame)
{
    const mote_FrameSystem *dots = mote_frame_system(frame, "dots");
    const uint64_t *id = mote_frame_column(dots, "id")->data;
    fprintf(file, "{");
    write_values(file, dots, "position");
    fprintf(file, "\"id\": [");
    for (size_t i = 0; i < dots->count; ++i)
        fprintf(file, "%s%llu", i > 0 ? ", " : "", (unsigned long long)id[i]);
    fprintf(file, "]}");
}

static void write_frame(const Made *made, const char *path)
{
    const mote_Frame *frame = made->drawn;
    FILE *file = fopen(path, "w");
    fprintf(file, "{\"time\": %.17g, \"systems\": [\n", frame->time);
    for (size_t i = 0; i < frame->system_count; ++i) {
        const mote_FrameSystem *system = &frame->systems[i];
        fprintf(file, "%s{", i > 0 ? ", " : "");
        for (size_t n = 0; n < 4; ++n)
            write_values(file, system,
                         (const char *[]){"position", "radius", "color", "opacity"}[n]);
        fprintf(file, "\"name\": \"%s\", \"count\": %zu}\n", system->name, system->count);
    }
    fprintf(file, "], \"shapes\": {");
    for (size_t i = 0; i < frame->shape_count; ++i) {
        const mote_FrameShape *s = &frame->shapes[i];
        fprintf(file, "%s\"%s\": [%.9g, %.9g, %.9g, %.9g, %.9g, %.9g, %.9g]", i > 0 ? ", " : "",
                s->name, s->position[0], s->position[1], s->position[2], s->orientation[0],
                s->orientation[1], s->orientation[2], s->orientation[3]);
    }
    fprintf(file, "}, \"earlier\": [");
    write_earlier(file, frame);
    for (int i = 0; i < 2; ++i) fprintf(file, ", "), write_earlier(file, made->history[i]);
    fprintf(file, "]}\n");
    fclose(file);
}

static void writes_files(void)
{
    Made made;
    make(&made, true);
    FILE *file = fopen("view-message.bin", "wb");
    CHECK(fwrite(made.message.bytes.bytes, 1, made.message.bytes.size, file) ==
          made.message.bytes.size);
    fclose(file);
    write_frame(&made, "view-message.json");
    unmake(&made);
}

TESTS({"head_tells_the_lengths", head_tells_the_lengths},
      {"the_same_frame_gives_the_same_bytes", the_same_frame_gives_the_same_bytes},
      {"bad_numbers_spoil_nothing", bad_numbers_spoil_nothing},
      {"far_places_are_floats", far_places_are_floats}, {"writes_files", writes_files})
