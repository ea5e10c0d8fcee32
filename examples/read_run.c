/* A scene is run into a folder, and what it left there is read again: frames, a probe's table, and
 * a picture that is drawn into memory.
 *
 *     cc read_run.c $(pkg-config --cflags --libs mote) -o read_run && ./read_run out */
#include <mote/io.h>
#include <mote/run.h>

#include <stdio.h>

static const char scene_text[] =
    "{ mote: 1, world: { duration: 0.5, fps: 20 },"
    "  systems: [ { name: 'rain' } ],"
    "  emitters: [ { system: 'rain', from: { type: 'box', size: [2, 0, 2] }, at: [0, 3, 0],"
    "                rate: 400 } ],"
    "  colliders: [ { name: 'ground', shape: { type: 'plane' } } ],"
    "  probes: [ { name: 'rain', type: 'total', system: 'rain' } ],"
    "  output: { frames: 'none', video: 'none' }, render: { width: 64, height: 36 } }";

/* What is found out about the frames. */
typedef struct Found {
    size_t frames, particles; /* particles: of the last one */
    double lowest;            /* m */
    mote_Status status;
    mote_Error error;
} Found;

static bool read_frame(void *context, uint64_t index, const char *path)
{
    Found *found = context;
    mote_Frame *frame;
    (void)index;
    found->status = mote_frame_read(path, &frame, &found->error);
    if (found->status != MOTE_OK) return false;
    const mote_FrameSystem *rain = mote_frame_system(frame, "rain");
    const mote_Column *position = mote_frame_column(rain, "position");
    const mote_real *y = (const mote_real *)position->data + position->stride;
    ++found->frames, found->particles = rain->count;
    for (size_t i = 0; i < rain->count; ++i)
        if ((double)y[i] < found->lowest) found->lowest = (double)y[i];
    mote_frame_destroy(frame);
    return true;
}

/* How bright the middle of a picture of the scene's start is. */
static mote_Status draw(mote_Scene *scene, double *brightness, mote_Error *error)
{
    mote_World *world = NULL;
    mote_Image *image = NULL;
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Status status = mote_scene_world(scene, NULL, &world, error);
    if (status == MOTE_OK) status = mote_image_create(64, 36, &image, error);
    if (status == MOTE_OK)
        status = mote_scene_picture(scene, mote_world_frame(world), &def, &drawn, error);
    if (status == MOTE_OK) status = mote_render(&def, drawn, image, error);
    if (status == MOTE_OK) *brightness = (double)mote_image_pixels(image)[4 * (18 * 64 + 32)];
    mote_image_destroy(image);
    mote_world_destroy(world);
    return status;
}

int main(int count, char **words)
{
    mote_SceneDef scene_def = mote_scene_def();
    mote_RunDef def = mote_run_def();
    mote_Scene *scene = NULL;
    mote_ProbeSamples *table = NULL;
    Found found = {.lowest = 1e9};
    double brightness = 0;
    mote_Error error;
    scene_def.text = scene_text, scene_def.name = "rain";
    def.folder = count > 1 ? words[1] : "rain", def.force = true;
    mote_Status status = mote_scene_load(&scene_def, &scene, &error);
    if (status == MOTE_OK) status = mote_run(scene, &def, NULL, &error);
    if (status == MOTE_OK) status = mote_run_frames(def.folder, read_frame, &found, &error);
    if (status == MOTE_OK && found.status != MOTE_OK) status = found.status, error = found.error;
    if (status == MOTE_OK) status = mote_run_probe(def.folder, "rain", &table, &error);
    if (status == MOTE_OK) status = draw(scene, &brightness, &error);
    if (status == MOTE_OK)
        printf("%zu frames, %zu drops in the last, none below %.1f m, %zu samples of the probe, "
               "the sky is %s\n",
               found.frames, found.particles, found.lowest, table->count,
               brightness > 0 ? "bright" : "black");
    else
        fprintf(stderr, "%s\n", error.message);
    mote_probe_table_destroy(table);
    mote_scene_destroy(scene);
    return status != MOTE_OK;
}
