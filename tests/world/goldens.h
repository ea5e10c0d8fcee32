/* The scenes whose bits are held, with what is hashed of each and its value. A change of the
 * physics changes a value: put the one here that the failing test prints. */
#ifndef TESTS_WORLD_GOLDENS_H
#define TESTS_WORLD_GOLDENS_H

#include "base/hash.h"
#include "scene/loading.h"
#include "world/scenes.h"

/* What a golden run is given. */
typedef struct GoldenRun {
    mote_Scene *scene; /* NULL: of C */
    mote_World *world;
    mote_Tasks *tasks;
} GoldenRun;

typedef struct Golden {
    const char *name;
    mote_World *(*make)(const mote_WorldDef *like); /* NULL: tests/data/golden/FILE.json5 */
    const char *file;
    int frames;
    uint64_t (*hash)(const GoldenRun *run);
    uint64_t in_float, in_double;
} Golden;

static inline uint64_t golden_frame(const GoldenRun *run)
{
    return mote_frame_hash(mote_world_frame(run->world));
}

/* Vertices, normals and triangles around the scene's first system with a surface. */
static inline uint64_t golden_surface(const GoldenRun *run)
{
    const mote_Frame *frame = mote_world_frame(run->world);
    mote_SurfaceDef def;
    mote_Surface *surface;
    mote_FrameSurface mesh;
    mote_Error error;
    const char *system;
    if (!mote_scene_surface(run->scene, 0, &system, &def)) return 0;
    def.tasks = run->tasks;
    SETUP_OK(mote_surface_create(&def, &surface, &error), error);
    SETUP_OK(mote_surface_frame(surface, frame, system, &mesh, NULL, &error), error);
    const mote_Frame alone = {.surfaces = &mesh, .surface_count = 1};
    uint64_t hash = mesh.triangle_count > 0 ? mote_frame_hash(&alone) : 0;
    mote_surface_destroy(surface);
    return hash;
}

/* The picture's numbers, before they become the codes of a file. */
static inline uint64_t golden_picture(const GoldenRun *run)
{
    const mote_SceneInfo info = mote_scene_info(run->scene);
    const size_t numbers = 4 * (size_t)info.width * (size_t)info.height;
    const mote_Frame *drawn;
    mote_RenderDef def;
    mote_Image *image;
    mote_Error error;
    SETUP_OK(mote_image_create(info.width, info.height, &image, &error), error);
    SETUP_OK(mote_scene_picture(run->scene, mote_world_frame(run->world), &def, &drawn, &error),
             error);
    def.tasks = run->tasks;
    SETUP_OK(mote_render(&def, drawn, image, &error), error);
    uint64_t hash = hash_bytes(0, mote_image_pixels(image), numbers * sizeof(float));
    mote_image_destroy(image);
    return hash;
}

/* One line a scene, so that a change is one line too. */
/* clang-format off */
static const Golden goldens[] = {
    {"fountain", scene_fountain, NULL, 30, golden_frame, 0x856748474267b871u, 0x48743768b16d96a9u},
    {"swarm", scene_swarm, NULL, 20, golden_frame, 0x8882bd1eb461c872u, 0x4ca816643bc83c4cu},
    {"tracing", scene_tracing, NULL, 20, golden_frame, 0x48d745c5aaa0a665u, 0xd9cf42c7ee69ebd8u},
    {"bodies", scene_bodies, NULL, 30, golden_frame, 0x7deb4a318c26de97u, 0x98eedcbae340c367u},
    {"wcsph", NULL, "wcsph", 20, golden_frame, 0x43afa8340b0092dfu, 0xe791564f5fdc8587u},
    {"dfsph", NULL, "dfsph", 16, golden_frame, 0x114bed5a430ee842u, 0x8eafedecf055ecbeu},
    {"iisph", NULL, "iisph", 16, golden_frame, 0x6b944a644bd0907du, 0x7fb61d30396eb7f2u},
    {"two liquids", NULL, "two-liquids", 16, golden_frame, 0x72c5b63a8ae8ba79u, 0xe85cdefb34d04cc6u},
    {"warm liquid", NULL, "warm-liquid", 16, golden_frame, 0xaee601b66cb78443u, 0xfed2f1fdb1f71eceu},
    {"fire", NULL, "fire", 16, golden_frame, 0x724ccf8cd72effc6u, 0xab2fed5add489b74u},
    {"cloth", NULL, "cloth", 16, golden_frame, 0x06e23f43f55c4250u, 0x64b3b4db64757dceu},
    {"springs", NULL, "springs", 12, golden_frame, 0x9b320e9b331af091u, 0x9b6bd6fdd5fd7796u},
    {"gravity", NULL, "gravity", 8, golden_frame, 0x1b8591371c32881bu, 0x5a8e989d8fc7eef3u},
    {"wind", NULL, "wind", 16, golden_frame, 0xf947701c40abfb76u, 0xdf34f18d96c95769u},
    {"curl-noise", NULL, "curl-noise", 16, golden_frame, 0xc8e835642ad292f6u, 0xef146b9f107bc59bu},
    {"surface", NULL, "drop", 4, golden_surface, 0x7ab18129e36cd9f9u, 0xbe8919476803bf0au},
    {"picture", NULL, "drop", 4, golden_picture, 0x0aa07a005fbad690u, 0x5280e88e6dffc7cbu},
};
/* clang-format on */

#endif
