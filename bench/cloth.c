/* Cloth: link evaluations per second of explicit steps, and a sheet that falls on a ball by an
 * explicit and by an implicit scheme: milliseconds per 1/60 s of simulated time, the largest
 * stretch of a link and the deepest particle. Against Bullet's soft bodies, which evaluate at most
 * 7e7 links a second on one core and take 112 ms for the large sheet (10 iterations). */
#include "bench/bench.h"

#include "particles/system.h"

#include <mote/world.h>

#include <math.h>
#include <stdio.h>

typedef struct Cloth {
    const char *name, *integrator;
    size_t side; /* particles */
    double dt;   /* s */
    double time; /* s, simulated */
    double stiffness, damping;
} Cloth;

static const double ball_radius = 0.5, particle_radius = 0.005;

static mote_Status add_objects(mote_World *world, const Cloth *c, mote_Error *error)
{
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef system = mote_system_def();
    mote_SheetPattern sheet = mote_sheet_pattern_def();
    mote_LinksDef links = mote_links_def();
    mote_SphereShape ball = {(mote_real)ball_radius};
    mote_ColliderDef collider = mote_collider_def();
    solver.integrator = c->integrator;
    solver.newton_most = 2, solver.newton_tolerance = 0.05, solver.cg_tolerance = 0.05;
    system.name = "cloth", system.solver_params = &solver;
    sheet.columns = sheet.rows = c->side, sheet.shear = 1, sheet.bend = false, sheet.pin = 0;
    sheet.corner = (mote_Vec3){-1, (mote_real)0.52, -1}, sheet.along = (mote_Vec3){2, 0, 0};
    sheet.across = (mote_Vec3){0, 0, 2}, sheet.mass = 1;
    sheet.radius = (mote_real)particle_radius;
    links.name = "cloth", links.system = "cloth", links.pattern = "sheet";
    links.pattern_params = &sheet, links.stiffness = (mote_real)c->stiffness;
    links.damping = (mote_real)c->damping;
    collider.name = "ball", collider.shape = "sphere", collider.shape_params = &ball;
    collider.restitution = 0;
    mote_Status status = mote_world_add_system(world, &system, NULL, error);
    if (status == MOTE_OK) status = mote_world_add_links(world, &links, error);
    if (status == MOTE_OK) status = mote_world_add_collider(world, &collider, error);
    return status;
}

static mote_World *make_world(const Cloth *c, mote_Tasks *tasks, mote_Error *error)
{
    mote_WorldDef def = mote_world_def();
    mote_World *world;
    def.fps = 60, def.max_step = c->dt * 1.0001, def.tasks = tasks;
    if (mote_world_create(&def, &world, error) != MOTE_OK) return NULL;
    if (add_objects(world, c, error) == MOTE_OK) return world;
    mote_world_destroy(world);
    return NULL;
}

/* ---- what came of it ---- */

static double coordinate(const mote_FrameSystem *system, int c, size_t row)
{
    return (double)column_real(mote_frame_column(system, "position"), c)[row];
}

/* Ids are rows here: nothing dies or is sorted. */
static double longest_link(const mote_Frame *frame, double rest)
{
    const mote_FrameMesh *mesh = &frame->meshes[0];
    double longest = 0;
    for (size_t i = 0; i < mesh->link_count; ++i) {
        double square = 0;
        if (mesh->links[mesh->link_count + i] != mesh->links[i] + 1) continue; /* along rows */
        for (int c = 0; c < 3; ++c) {
            double d = coordinate(frame->systems, c, mesh->links[mesh->link_count + i]) -
                       coordinate(frame->systems, c, mesh->links[i]);
            square += d * d;
        }
        longest = fmax(longest, sqrt(square));
    }
    return longest / rest - 1;
}

static double deepest(const mote_FrameSystem *system)
{
    double depth = 0;
    for (size_t i = 0; i < system->count; ++i) {
        double square = 0;
        for (int c = 0; c < 3; ++c) square += pow(coordinate(system, c, i), 2);
        depth = fmax(depth, ball_radius - sqrt(square));
    }
    return depth;
}

static void print_figures(const BenchOptions *options, const char *name, int threads,
                          const double values[5])
{
    const BenchFigure figures[] = {
        {name, "ms_per_frame", "ms", values[0], threads, NULL, 0},
        {name, "link_evaluations_per_s", "1/s", values[1], threads, "bullet-3.24", 7e7},
        {name, "max_stretch", "", values[2], threads, NULL, 0},
        {name, "deepest_inside", "m", values[3], threads, "bullet-3.24", 0.062 * ball_radius},
        {name, "cg_iterations_per_frame", "", values[4], threads, NULL, 0}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; ++i)
        if (i != 1 || values[4] == 0) bench_print(options, &figures[i]);
}

static int run_case(const BenchOptions *options, const Cloth *c, int threads)
{
    mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks;
    mote_Error error;
    char name[96];
    def.threads = threads;
    if (mote_tasks_create(&def, &tasks, &error) != MOTE_OK) return 1;
    mote_World *world = make_world(c, tasks, &error);
    int frames = (int)(c->time * 60), done = 0;
    double best = (double)INFINITY, mean = 0, stretch = 0, depth = 0, iterations = 0, steps = 0;
    for (; world != NULL && done < frames; ++done) {
        mote_StepReport report;
        if (mote_world_step(world, &report, &error) != MOTE_OK) break;
        const mote_Frame *frame = mote_world_frame(world);
        best = fmin(best, report.seconds), mean += report.seconds / frames;
        iterations += (double)report.cg_iterations / frames, steps = (double)report.substeps;
        stretch = fmax(stretch, longest_link(frame, 2.0 / (double)(c->side - 1)));
        depth = fmax(depth, deepest(frame->systems));
    }
    double links = world != NULL ? (double)mote_world_frame(world)->meshes[0].link_count : 0;
    mote_world_destroy(world);
    mote_tasks_destroy(tasks);
    if (done < frames) {
        fprintf(stderr, "mote: %s\n", error.message);
        return 1;
    }
    const double values[5] = {1e3 * mean, links * steps / best, stretch, depth, iterations};
    snprintf(name, sizeof name, "cloth/%s/%s/%s", c->name,
             sizeof(mote_real) == 4 ? "float" : "double", mote_isa_name());
    print_figures(options, name, threads, values);
    return 0;
}

int bench_cloth(const BenchOptions *options)
{
    static const Cloth cases[] = {
        {"100x100-explicit", "symplectic-euler", 100, 1.0 / 1200, 1.0, 100, 0.002},
        {"100x100-implicit", "implicit-euler", 100, 1.0 / 60, 1.0, 100, 0.002},
        {"300x300-explicit", "symplectic-euler", 300, 1.0 / 3000, 0.5, 50, 0.0005},
        {"300x300-implicit", "implicit-euler", 300, 1.0 / 60, 0.5, 50, 0.0005},
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        failed |= run_case(options, &cases[i], options->threads > 0 ? options->threads : 1);
    return failed;
}
