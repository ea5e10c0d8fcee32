/* Hashes of a scene's frames, and of the PNG file of its last one, as the native library computes
 * them: hashes FRAMES SCENE... */
#include <mote/scene.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *path, const mote_Error *error)
{
    fprintf(stderr, "%s: %s\n", path, error->message);
    return 1;
}

/* FNV-1a. */
static bool add_bytes(void *context, const void *bytes, size_t size)
{
    uint64_t *sum = context;
    for (size_t i = 0; i < size; ++i)
        *sum = (*sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return true;
}

static mote_Status picture_sum(mote_Scene *scene, mote_World *world, uint64_t *sum,
                               mote_Error *error)
{
    const mote_Frame *drawn;
    mote_RenderDef def;
    mote_Image *image = NULL;
    *sum = 0xcbf29ce484222325u;
    mote_Status status = mote_scene_picture(scene, mote_world_frame(world), &def, &drawn, error);
    if (status == MOTE_OK) status = mote_image_create(320, 180, &image, error);
    if (status == MOTE_OK) status = mote_render(&def, drawn, image, error);
    if (status == MOTE_OK) status = mote_image_encode_png(image, 8, add_bytes, sum, error);
    mote_image_destroy(image);
    return status;
}

static int print_hashes(const char *path, uint64_t frames)
{
    mote_SceneDef def = mote_scene_def();
    mote_Error error = {0};
    mote_Scene *scene;
    mote_World *world = NULL;
    def.path = path;
    mote_Status status = mote_scene_load(&def, &scene, &error);
    if (status == MOTE_OK) status = mote_scene_world(scene, NULL, &world, &error);
    if (status == MOTE_OK) status = mote_world_start(world, &error);
    if (status == MOTE_OK) status = mote_world_sample_probes(world, &error);
    for (uint64_t frame = 0; status == MOTE_OK && frame <= frames; ++frame) {
        printf("%s %" PRIu64 " %016" PRIx64 "\n", mote_scene_info(scene).name, frame,
               mote_frame_hash(mote_world_frame(world)));
        if (frame < frames) status = mote_world_step(world, NULL, &error);
    }
    uint64_t sum;
    if (status == MOTE_OK) status = picture_sum(scene, world, &sum, &error);
    if (status == MOTE_OK) printf("%s picture %016" PRIx64 "\n", mote_scene_info(scene).name, sum);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    return status == MOTE_OK ? 0 : fail(path, &error);
}

int main(int count, char **words)
{
    int failed = count < 3;
    for (int i = 2; i < count && !failed; ++i)
        failed = print_hashes(words[i], strtoull(words[1], NULL, 10));
    return failed;
}
