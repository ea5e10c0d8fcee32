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
    uint64_t newton; /* steps at most */
    bool ball;       /* else the sheet falls freely: springs alone */
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
    solver.newton_most = c->newton, solver.newton_tolerance = 0.05, solver.cg_tolerance = 0.1;
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
    if (status == MOTE_OK && c->ball) status = mote_world_add_collider(world, &collider, error);
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
            double d = coordinate(frame->systems, c, (size_t)mesh->links[mesh->link_count + i]) -
                       coordinate(frame->systems, c, (size_t)mesh->links[i]);
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

/* What a case came to. */
typedef struct Outcome {
    double mean, best; /* s a frame */
    double rate;       /* links evaluated per second */
    double stretch, depth, iterations;
} Outcome;

static void print_outcome(const BenchOptions *options, const Cloth *c, const char *name,
                          int threads, const Outcome *o)
{
    const BenchFigure figures[] = {
        {name, "link_evaluations_per_s", "1/s", o->rate, threads, "bullet-3.24", 7e7},
        {name, "ms_per_frame", "ms", 1e3 * o->mean, threads, NULL, 0},
        {name, "best_ms_per_frame", "ms", 1e3 * o->best, threads, NULL, 0},
        {name, "max_stretch", "", o->stretch, threads, NULL, 0},
        {name, "deepest_inside", "m", o->depth, threads, "bullet-3.24", 0.062 * ball_radius},
        {name, "cg_iterations_per_frame", "", o->iterations, threads, NULL, 0}};
    size_t first = o->iterations > 0 ? 1 : 0, end = o->iterations > 0 ? 6 : c->ball ? 5 : 1;
    for (size_t i = first; i < end; ++i) bench_print(options, &figures[i]);
}

static bool measure(const Cloth *c, mote_World *world, Outcome *o, mote_Error *error)
{
    int frames = (int)(c->time * 60);
    *o = (Outcome){.best = (double)INFINITY};
    for (int i = 0; i < frames; ++i) {
        mote_StepReport report;
        if (mote_world_step(world, &report, error) != MOTE_OK) return false;
        const mote_Frame *frame = mote_world_frame(world);
        double links = (double)frame->meshes[0].link_count * (double)report.substeps;
        o->best = fmin(o->best, report.seconds), o->mean += report.seconds / frames;
        o->rate = fmax(o->rate, links / report.seconds);
        o->iterations += (double)report.cg_iterations / frames;
        if (!c->ball) continue;
        o->stretch = fmax(o->stretch, longest_link(frame, 2.0 / (double)(c->side - 1)));
        o->depth = fmax(o->depth, deepest(frame->systems));
    }
    return true;
}

static int run_case(const BenchOptions *options, const Cloth *c, int threads)
{
    mote_Tasks *tasks = bench_tasks(threads);
    mote_Error error;
    Outcome outcome;
    char name[96];
    if (tasks == NULL) return 1;
    mote_World *world = make_world(c, tasks, &error);
    bool good = world != NULL && measure(c, world, &outcome, &error);
    mote_world_destroy(world);
    mote_tasks_destroy(tasks);
    if (!good) {
        fprintf(stderr, "mote: %s\n", error.message);
        return 1;
    }
    snprintf(name, sizeof name, "cloth/%s/%s/%s", c->name,
             sizeof(mote_real) == 4 ? "float" : "double", mote_isa_name());
    print_outcome(options, c, name, threads, &outcome);
    return 0;
}

int bench_cloth(const BenchOptions *options)
{
    static const Cloth cases[] = {
        {"springs-100", "symplectic-euler", 100, 1.0 / 3000, 0.5, 100, 0, 1, false},
        {"springs-300", "symplectic-euler", 300, 1.0 / 3000, 0.2, 50, 0, 1, false},
        {"100x100-explicit", "symplectic-euler", 100, 1.0 / 3000, 1, 100, 0.002, 1, true},
        {"100x100-implicit", "implicit-euler", 100, 1.0 / 60, 1, 100, 0.002, 2, true},
        {"100x100-implicit-4", "implicit-euler", 100, 1.0 / 240, 1, 100, 0.002, 1, true},
        {"300x300-explicit", "symplectic-euler", 300, 1.0 / 3000, 0.5, 50, 0.0005, 1, true},
        {"300x300-implicit", "implicit-euler", 300, 1.0 / 60, 0.5, 50, 0.0005, 2, true},
        {"300x300-implicit-4", "implicit-euler", 300, 1.0 / 240, 0.5, 50, 0.0005, 1, true},
    };
    int failed = 0;
    if (!options->json)
        printf("Bullet's figures are of the same sheets, from docs/design/0006-links.md\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        failed |= run_case(options, &cases[i], options->threads > 0 ? options->threads : 1);
    return failed;
}
