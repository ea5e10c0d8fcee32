/* Traced pictures: water of 88 000 particles that lie like a dam break, in a tank of glass on a
 * dull floor below sun and sky, 1280 x 720. What one more path a pixel costs is measured, so that
 * making the trees is not in it; and that, and a whole picture of 16 paths without noise. */
#include "bench/bench.h"
#include "bench/dam_shape.h"

#include <mote/render.h>
#include <mote/shapes.h>
#include <mote/surface.h>

#include <stdio.h>
#include <string.h>

enum { WIDTH = 1280, HEIGHT = 720, PARTICLES = 88000, FEW = 1, MORE = 5, DENOISED = 16 };

typedef struct Tank {
    mote_PlaneShape floor;
    mote_BoxShape box;
    mote_Shapes *inside;
    mote_InvertedShape glass;
    mote_FrameShape shapes[2];
    mote_FrameSurface surface;
    mote_FrameSystem system;
    mote_Frame frame;
    mote_ShapeLook look;
    mote_Light sun;
    mote_RenderDef def;
} Tank;

static mote_Status tank_set(Tank *t, mote_Error *error)
{
    t->floor = mote_plane_shape_def(), t->box = mote_box_shape_def();
    t->floor.offset = (mote_real)-0.02;
    t->box.size = (mote_Vec3){4, (mote_real)2.4, 2};
    const mote_ShapeDef box = {
        .type = "box", .params = &t->box, .pose = {.orientation = {0, 0, 0, 1}}};
    mote_Status status = mote_shapes_create(&box, 1, mote_default_allocator(), &t->inside, error);
    t->glass.shape = t->inside;
    t->shapes[0] = (mote_FrameShape){
        .name = "floor", .type = "plane", .params = &t->floor, .orientation = {0, 0, 0, 1}};
    t->shapes[1] = (mote_FrameShape){.name = "tank",
                                     .type = "inverted",
                                     .params = &t->glass,
                                     .position = {2, 1.2, 1},
                                     .orientation = {0, 0, 0, 1}};
    t->look = mote_shape_look_def();
    t->look.shape = "tank", t->look.glass = t->look.open = true;
    t->sun = mote_light_def();
    t->sun.toward = (mote_Vec3){(mote_real)-0.5, 1, (mote_real)0.55};
    t->system = (mote_FrameSystem){.name = "water"};
    t->frame = (mote_Frame){.dt = 1,
                            .dimension = 3,
                            .up_axis = 1,
                            .systems = &t->system,
                            .system_count = 1,
                            .surfaces = &t->surface,
                            .surface_count = 1,
                            .shapes = t->shapes,
                            .shape_count = 2};
    t->def = mote_render_def();
    t->def.shapes = &t->look, t->def.shape_count = 1;
    t->def.lights = &t->sun, t->def.light_count = 1;
    t->def.camera.from = (mote_Vec3){(mote_real)4.2, (mote_real)2.4, (mote_real)6.6};
    t->def.camera.to = (mote_Vec3){2, (mote_real)0.8, 1};
    return status;
}

/* Seconds of the processor. */
static mote_Status draw(const Tank *t, mote_Image *image, double *seconds, mote_Error *error)
{
    const double begun = bench_processor_seconds();
    const mote_Status status = mote_render(&t->def, &t->frame, image, error);
    *seconds = bench_processor_seconds() - begun;
    return status;
}

static void print(const BenchOptions *options, const char *name, double seconds)
{
    bench_print(options, &(BenchFigure){name, "processor", "s", seconds,
                                        options->threads > 0 ? options->threads : 1, NULL, 0});
}

static bool wanted(const BenchOptions *options, const char *name)
{
    return options->only == NULL || strcmp(options->only, name) == 0;
}

static mote_Status measure_sample(const BenchOptions *options, Tank *t, mote_Image *image,
                                  mote_Error *error)
{
    double few, more = 0;
    t->def.trace.denoise = false, t->def.trace.samples = FEW;
    mote_Status status = draw(t, image, &few, error);
    t->def.trace.samples = MORE;
    if (status == MOTE_OK) status = draw(t, image, &more, error);
    if (status != MOTE_OK) return status;
    const double one = (more - few) / (MORE - FEW);
    print(options, "trace/tank/sample", one);
    print(options, "trace/tank/trees", few - FEW * one);
    return MOTE_OK;
}

static mote_Status measure_denoised(const BenchOptions *options, Tank *t, mote_Image *image,
                                    mote_Error *error)
{
    double seconds;
    t->def.trace.denoise = true, t->def.trace.samples = DENOISED;
    const mote_Status status = draw(t, image, &seconds, error);
    if (status == MOTE_OK) print(options, "trace/tank/denoised-16", seconds);
    return status;
}

static mote_Status measure(const BenchOptions *options, Tank *t, mote_Image *image,
                           mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (wanted(options, "sample")) status = measure_sample(options, t, image, error);
    if (status == MOTE_OK && wanted(options, "denoised"))
        status = measure_denoised(options, t, image, error);
    return status;
}

static mote_Status mesh_and_measure(const BenchOptions *options, const DamBreak *dam, Tank *tank,
                                    mote_Error *error)
{
    const mote_SurfacePoints points = {.count = dam->count, .x = {dam->x[0], dam->x[1], dam->x[2]}};
    mote_SurfaceDef def = mote_surface_def();
    mote_SurfaceReport report;
    mote_Surface *mesher = NULL;
    mote_Image *image = NULL;
    def.radius = dam->spacing / 2;
    mote_Status status = mote_surface_create(&def, &mesher, error);
    if (status == MOTE_OK)
        status = mote_surface_points(mesher, &points, &tank->surface, &report, error);
    tank->surface.name = "water";
    if (status == MOTE_OK) status = mote_image_create(WIDTH, HEIGHT, &image, error);
    if (status == MOTE_OK) status = measure(options, tank, image, error);
    mote_image_destroy(image);
    mote_surface_destroy(mesher);
    return status;
}

int bench_trace(const BenchOptions *options)
{
    DamBreak dam;
    Tank tank = {.inside = NULL};
    mote_Error error = {.message = "out of memory"};
    if (!wanted(options, "sample") && !wanted(options, "denoised"))
        return bench_unknown_case("trace", options);
    const bool made = dam_make(&dam, options->count > 0 ? options->count : PARTICLES);
    mote_Status status = made ? tank_set(&tank, &error) : MOTE_NO_MEMORY;
    tank.def.tasks = bench_tasks(options->threads > 0 ? options->threads : 1);
    if (status == MOTE_OK) status = mesh_and_measure(options, &dam, &tank, &error);
    if (tank.inside != NULL) mote_shapes_release(tank.inside);
    mote_tasks_destroy(tank.def.tasks);
    dam_free(&dam);
    if (status != MOTE_OK) fprintf(stderr, "mote: %s\n", error.message);
    return status != MOTE_OK;
}
