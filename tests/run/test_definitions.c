/* Every function that takes a definition looks at its size before anything else. */
#include "run/scenario.h"

#include <mote/noise.h>
#include <mote/surface.h>

static mote_World *world;
static mote_Scene *scene;
static mote_Mesh *mesh;
static mote_Frame no_frame;
static mote_Image *image;

/* A call with a definition at `def`, whatever it holds but its size. */
typedef struct Taker {
    const char *type;
    size_t size;
    mote_Status (*call)(const void *def, mote_Error *error);
} Taker;

#define TAKER(name, ...)                                                                           \
    static mote_Status name(const void *def, mote_Error *error)                                    \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
TAKER(world_create, mote_world_create(def, &(mote_World *){NULL}, error))
TAKER(add_system, mote_world_add_system(world, def, NULL, error))
TAKER(add_field, mote_world_add_field(world, def, error))
TAKER(add_force, mote_world_add_force(world, def, error))
TAKER(add_emitter, mote_world_add_emitter(world, def, error))
TAKER(add_collider, mote_world_add_collider(world, def, error))
TAKER(add_body, mote_world_add_body(world, def, error))
TAKER(add_links, mote_world_add_links(world, def, error))
TAKER(add_probe, mote_world_add_probe(world, def, error))
TAKER(noise_sample, mote_noise_sample(def, &(mote_NoisePoints){.count = 0}, NULL, NULL, error))
TAKER(frame_read, mote_frame_read_with("none", def, &(mote_Frame *){NULL}, error))
TAKER(mesh_create, mote_mesh_create(def, &(mote_Mesh *){NULL}, error))
TAKER(mesh_check, mote_mesh_check(mesh, def, NULL, 0, &(mote_MeshCheck){0}, error))
TAKER(surface_create, mote_surface_create(def, &(mote_Surface *){NULL}, error))
TAKER(tasks_create, mote_tasks_create(def, &(mote_Tasks *){NULL}, error))
TAKER(render, mote_render(def, &no_frame, image, error))
TAKER(run, mote_run(scene, def, NULL, error))
TAKER(run_room, mote_run_room(scene, def, &(mote_RunRoom){0}, error))
TAKER(run_judge, mote_run_judge(scene, def, &(mote_RunRoom){0}, error))
TAKER(run_render, mote_run_render(def, NULL, error))
TAKER(run_export, mote_run_export(def, NULL, error))
TAKER(run_info, mote_run_info(def, &(mote_RunInfo){.state = ""}, error))
TAKER(scene_load, mote_scene_load(def, &(mote_Scene *){NULL}, error))

#define TAKES(Type, call)                                                                          \
    {                                                                                              \
#Type, sizeof(Type), call                                                                  \
    }
static const Taker takers[] = {TAKES(mote_WorldDef, world_create),
                               TAKES(mote_SystemDef, add_system),
                               TAKES(mote_FieldDef, add_field),
                               TAKES(mote_ForceDef, add_force),
                               TAKES(mote_EmitterDef, add_emitter),
                               TAKES(mote_ColliderDef, add_collider),
                               TAKES(mote_BodyDef, add_body),
                               TAKES(mote_LinksDef, add_links),
                               TAKES(mote_ProbeDef, add_probe),
                               TAKES(mote_NoiseDef, noise_sample),
                               TAKES(mote_FrameReadDef, frame_read),
                               TAKES(mote_MeshDef, mesh_create),
                               TAKES(mote_MeshCheckDef, mesh_check),
                               TAKES(mote_SurfaceDef, surface_create),
                               TAKES(mote_TasksDef, tasks_create),
                               TAKES(mote_RenderDef, render),
                               TAKES(mote_RunDef, run),
                               TAKES(mote_RunDef, run_room),
                               TAKES(mote_RunDef, run_judge),
                               TAKES(mote_RenderRunDef, run_render),
                               TAKES(mote_ExportDef, run_export),
                               TAKES(mote_RunInfoDef, run_info),
                               TAKES(mote_SceneDef, scene_load)};

/* The rest is no pointer that could be followed: whoever looks at it before the size falls. */
static void check_refusal(const Taker *taker, size_t size, const char *message)
{
    unsigned char bytes[2048];
    mote_Error error = {0};
    memset(bytes, 0xa5, sizeof bytes);
    memcpy(bytes, &size, sizeof size);
    CHECK(taker->size < sizeof bytes);
    CHECK(taker->call(bytes, &error) == MOTE_BAD_VALUE);
    CHECK(strncmp(error.message, taker->type, strlen(taker->type)) == 0);
    CHECK_MESSAGE(error, message);
}

static void sizes_are_looked_at_first(void)
{
    mote_WorldDef def = setup_def(0.01);
    mote_Error error;
    static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    mote_MeshDef pyramid = mote_mesh_def();
    pyramid.vertices = corners, pyramid.vertex_count = 4;
    pyramid.triangles = faces, pyramid.triangle_count = 4;
    world = setup_world(&def), scene = scenario_scene(NULL);
    CHECK_OK(mote_mesh_create(&pyramid, &mesh, &error), error);
    CHECK_OK(mote_image_create(4, 4, &image, &error), error);
    for (size_t i = 0; i < COUNT_OF(takers); ++i) {
        check_refusal(&takers[i], 0, "its size is 0");
        check_refusal(&takers[i], takers[i].size - 8, "built against an older header");
        check_refusal(&takers[i], takers[i].size + 8, "built against a newer header");
    }
    mote_image_destroy(image);
    mote_mesh_release(mesh);
    mote_scene_destroy(scene);
    mote_world_destroy(world);
}

TESTS({"sizes_are_looked_at_first", sizes_are_looked_at_first})
