/* Running the scene: frames, probes, and what the view and the renderer make of a frame. */
#include "playground/playground.h"

#include "base/status.h"

#include <string.h>

void playground_stop(void)
{
    surfaces_close(&playground.surfaces);
    history_close(&playground.history);
    mote_world_destroy(playground.world);
    playground.world = NULL, playground.frame = NULL;
}

static mote_Status take_frame(mote_Error *error)
{
    const mote_Frame *frame = mote_world_frame(playground.world);
    if (frame == NULL) return status_no_memory(error, "a frame", 1);
    return surfaces_make(&playground.surfaces, frame, &playground.frame, error);
}

/* ---- answers ---- */

static void put_samples(JsonWriter *json, const mote_ProbeSamples *samples)
{
    json_begin(json, NULL, '{');
    json_put_text(json, "name", samples->name);
    json_put_text(json, "type", samples->type);
    json_begin(json, "columns", '[');
    for (size_t c = 0; c < samples->column_count; ++c) {
        json_begin(json, NULL, '{');
        json_put_text(json, "name", samples->columns[c].name);
        json_put_text(json, "unit", samples->columns[c].unit);
        json_finish(json, '}');
    }
    json_finish(json, ']');
    json_begin(json, "times", '[');
    for (size_t i = 0; i < samples->count; ++i) json_put_double(json, NULL, samples->times[i]);
    json_finish(json, ']');
    json_begin(json, "values", '[');
    for (size_t i = 0; i < samples->count * samples->column_count; ++i)
        json_put_double(json, NULL, samples->values[i]);
    json_finish(json, ']');
    json_finish(json, '}');
}

/* What the last step did, and what its probes have measured. */
static int answer_step(const mote_StepReport *report)
{
    JsonWriter *json = answer_begin();
    json_put_u64(json, "frame", report->frame);
    json_put_double(json, "time", report->time);
    json_put_u64(json, "particles", report->particles);
    json_put_u64(json, "substeps", report->substeps);
    json_put_double(json, "seconds", report->seconds);
    json_begin(json, "picked", '{');
    picked_put(&playground.picked, playground.frame, json);
    json_finish(json, '}');
    json_begin(json, "probes", '[');
    for (size_t i = 0; i < mote_world_count(playground.world, MOTE_KIND_PROBE); ++i) {
        const mote_ProbeSamples samples = mote_world_probe(playground.world, i);
        if (samples.name != NULL) put_samples(json, &samples);
    }
    json_finish(json, ']');
    return answer_end(0);
}

static uint64_t count_rows(const mote_Frame *frame)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < frame->system_count; ++i) rows += frame->systems[i].count;
    return rows;
}

/* ---- steps ---- */

EXPORT(int, run_start, void)
{
    mote_Error error = {0};
    playground_stop();
    const uint32_t history = mote_scene_info(playground.scene).history;
    mote_Status status = mote_scene_world(playground.scene, NULL, &playground.world, &error);
    if (status == MOTE_OK) status = mote_world_start(playground.world, &error);
    if (status == MOTE_OK) status = mote_world_sample_probes(playground.world, &error);
    if (status == MOTE_OK) status = history_open(&playground.history, history, &error);
    if (status == MOTE_OK)
        status = surfaces_open(&playground.surfaces, playground.scene, NULL, &error);
    if (status == MOTE_OK) status = take_frame(&error);
    if (status != MOTE_OK) return answer_error(&error);
    return answer_step(&(mote_StepReport){.particles = count_rows(playground.frame)});
}

EXPORT(int, run_step, void)
{
    mote_Error error = {0};
    mote_StepReport report;
    mote_Status status = history_keep(&playground.history, playground.frame, &error);
    if (status == MOTE_OK) status = mote_world_step(playground.world, &report, &error);
    if (status == MOTE_OK) status = take_frame(&error);
    return status == MOTE_OK ? answer_step(&report) : answer_error(&error);
}

/* ---- a frame: its hash, its message for the view, its picture ---- */

EXPORT(uint64_t, frame_hash, void)
{
    return mote_frame_hash(mote_world_frame(playground.world));
}

/* How the present frame is drawn. */
static mote_Status dress(mote_RenderDef *def, const mote_Frame **drawn, mote_Error *error)
{
    mote_Status status = mote_scene_picture(playground.scene, playground.frame, def, drawn, error);
    def->history = (const mote_Frame *const *)playground.history.frames;
    def->history_count = playground.history.count;
    return status;
}

/* A message of view/message.h; `meshes` of shapes are in it where they are asked for. */
EXPORT(int, frame_message, int meshes)
{
    mote_RenderDef def;
    mote_Error error = {0};
    ViewFrame input = {.def = &def, .meshes = meshes != 0};
    mote_Status status = dress(&def, &input.frame, &error);
    if (status == MOTE_OK) status = view_message_make(&playground.message, &input, &error);
    if (status != MOTE_OK) return answer_error(&error);
    answer_is(playground.message.bytes.bytes, playground.message.bytes.size);
    return 0;
}

/* The particle nearest to a place, of the system whose name is in the room; none without a name.
 * Its columns come with every step from now on. */
EXPORT(int, frame_pick, double x, double y, double z)
{
    size_t at = 0;
    const mote_Vec3 place = {(mote_real)x, (mote_real)y, (mote_real)z};
    playground.picked = picked_at(playground.frame, room_text(&at), place);
    picked_put(&playground.picked, playground.frame, answer_begin());
    return answer_end(0);
}

static bool add_png(void *context, const void *bytes, size_t size)
{
    ViewBytes *png = context;
    void **place = (void **)&png->bytes;
    if (!memory_reserve(&playground.memory, place, &png->capacity, png->size + size, 1))
        return false;
    memcpy(png->bytes + png->size, bytes, size);
    png->size += size;
    return true;
}

/* The renderer's picture of the frame, as a PNG file; a size of 0 is the scene's own. */
EXPORT(int, frame_picture, int width, int height)
{
    const mote_SceneInfo info = mote_scene_info(playground.scene);
    const mote_Frame *drawn;
    mote_RenderDef def;
    mote_Image *image = NULL;
    mote_Error error = {0};
    playground.png.size = 0;
    mote_Status status = dress(&def, &drawn, &error);
    def.trace.samples = 0; /* minutes of a page that does not answer */
    if (status == MOTE_OK)
        status = mote_image_create(width > 0 ? width : info.width,
                                   height > 0 ? height : info.height, &image, &error);
    if (status == MOTE_OK) status = mote_render(&def, drawn, image, &error);
    if (status == MOTE_OK)
        status = mote_image_encode_png(image, info.bits == 16 ? 16 : 8, add_png, &playground.png,
                                       &error);
    mote_image_destroy(image);
    if (status != MOTE_OK) return answer_error(&error);
    answer_is(playground.png.bytes, playground.png.size);
    return 0;
}
