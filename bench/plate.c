/* The benchmark of Gourlay, Fluid simulation for video games, part 13, table 2: flames and smoke
 * around a plate and two balls, about 980 vortons and 49 000 tracers. Milliseconds a frame, after
 * the particles' lives have filled up; z is up. */
#include "bench/bench.h"

#include "solvers/vortex/solver.h"
#include "world/world.h"

#include <mote/vortex.h>
#include <mote/world.h>

#include <stdio.h>

enum { FRAMES = 6000, LIFE = 300 };

typedef struct Plate {
    mote_World *world;
    mote_Tasks *tasks;
    mote_Error error;
    bool failed;
} Plate;

static void expect(Plate *plate, mote_Status status)
{
    if (status == MOTE_OK || plate->failed) return;
    plate->failed = true;
    fprintf(stderr, "mote: %s\n", plate->error.message);
}

static void add_systems(Plate *plate)
{
    mote_VortexSolver vortex = mote_vortex_solver_def();
    mote_TracersSolver tracers = {.of = "vortons"};
    mote_SystemDef def = mote_system_def();
    mote_System *system;
    vortex.core = 3, vortex.scheme = 0; /* as published: linear core, Euler */
    vortex.density = 1, vortex.heat_capacity = 1, vortex.buoyancy = 10;
    vortex.exchange = (mote_real)0.01, vortex.heat_exchange = (mote_real)1e-4;
    vortex.born_fuel = (mote_real)0.01, vortex.born_spin = (mote_real)1e-8;
    vortex.burn_rate = 2, vortex.smoke_rate = 5;
    def.name = "vortons", def.solver = "vortex", def.solver_params = &vortex;
    expect(plate, mote_world_add_system(plate->world, &def, &system, &plate->error));
    def.name = "smoke", def.solver = "tracers", def.solver_params = &tracers;
    expect(plate, mote_world_add_system(plate->world, &def, &system, &plate->error));
}

static void add_emitter(Plate *plate, const char *system, double rate, uint64_t burst,
                        double radius)
{
    mote_EmitterDef def = mote_emitter_def();
    mote_BoxSource box = mote_box_source_def();
    def.system = system, def.source = "box", def.source_params = &box;
    def.rate = (mote_real)rate, def.lifetime = 10, def.radius = (mote_real)radius;
    box.size = (mote_Vec3){(mote_real)0.5, (mote_real)0.5, (mote_real)0.5};
    expect(plate, mote_world_add_emitter(plate->world, &def, &plate->error));
    box.size = (mote_Vec3){(mote_real)0.22, (mote_real)0.22, (mote_real)0.22};
    def.rate = 0, def.burst = burst;
    expect(plate, mote_world_add_emitter(plate->world, &def, &plate->error));
}

static void add_collider(Plate *plate, const char *name, const char *shape, const void *params,
                         mote_Vec3 at)
{
    mote_ColliderDef def = mote_collider_def();
    def.name = name, def.shape = shape, def.shape_params = params;
    def.motion.at = at, def.restitution = (mote_real)0.01;
    if (shape[0] == 'b')
        def.motion.spin = (mote_Vec3){(mote_real)0.573, (mote_real)1.146, 0}; /* degrees */
    expect(plate, mote_world_add_collider(plate->world, &def, &plate->error));
}

static void make_world(Plate *plate, int threads)
{
    mote_TasksDef tasks = mote_tasks_def();
    mote_WorldDef def = mote_world_def();
    mote_SphereShape small = mote_sphere_shape_def(), large = small;
    mote_BoxShape box = mote_box_shape_def();
    tasks.threads = threads;
    expect(plate, mote_tasks_create(&tasks, &plate->tasks, &plate->error));
    def.tasks = plate->tasks, def.fps = 30, def.max_step = 1;
    def.gravity = (mote_Vec3){0, 0, -10};
    expect(plate, mote_world_create(&def, &plate->world, &plate->error));
    if (plate->failed) return;
    add_systems(plate);
    add_emitter(plate, "vortons", 100, 64, 0.0275);
    add_emitter(plate, "smoke", 5000, 1728, 0.009);
    small.radius = (mote_real)0.2, large.radius = (mote_real)0.5;
    box.size = (mote_Vec3){1, (mote_real)0.5, (mote_real)0.1};
    add_collider(plate, "small", "sphere", &small, (mote_Vec3){0, 0, (mote_real)-0.5});
    add_collider(plate, "large", "sphere", &large, (mote_Vec3){(mote_real)0.2, 0, 2});
    add_collider(plate, "plate", "box", &box, (mote_Vec3){0, 0, 1});
}

typedef struct Sums {
    double walls, tracers, update, frame; /* ms */
    double least[4];                      /* of one frame: boundary, tracers, update, frame */
    double vortons, tracer_count, hits, vorton_hits;
} Sums;

/* A loaded machine spoils means: the fastest frame says what the code takes. */
static void note_least(Sums *sums, const double ms[4])
{
    for (int k = 0; k < 4; ++k)
        if (!(sums->least[k] > 0) || ms[k] < sums->least[k]) sums->least[k] = ms[k];
}

static Sums run(Plate *plate, int frames)
{
    Sums sums = {0};
    const mote_System *vortons = mote_world_system(plate->world, "vortons");
    const mote_System *smoke = mote_world_system(plate->world, "smoke");
    const Vortex *vortex = plate->world->slots[0].whole->state;
    for (int k = 0; k < frames + LIFE && !plate->failed; ++k) {
        double walls = vortex->seconds[VORTEX_WALLS], update = vortex->seconds[VORTEX_UPDATE];
        uint64_t hits = vortex->hits, tracer_hits = vortex->tracer_hits;
        double tracers = vortex->seconds[VORTEX_TRACER_WALLS];
        mote_StepReport report;
        expect(plate, mote_world_step(plate->world, &report, &plate->error));
        if (k < LIFE) continue;
        walls = 1e3 * (vortex->seconds[VORTEX_WALLS] - walls);
        update = 1e3 * (vortex->seconds[VORTEX_UPDATE] - update);
        tracers = 1e3 * (vortex->seconds[VORTEX_TRACER_WALLS] - tracers);
        note_least(&sums, (double[]){walls + tracers, tracers, update, 1e3 * report.seconds});
        sums.walls += walls / frames, sums.update += update / frames;
        sums.tracers += tracers / frames, sums.frame += 1e3 * report.seconds / frames;
        sums.vortons += (double)mote_system_count(vortons) / frames;
        sums.tracer_count += (double)mote_system_count(smoke) / frames;
        sums.hits += (double)(vortex->tracer_hits - tracer_hits) / frames;
        sums.vorton_hits += (double)(vortex->hits - hits) / frames;
    }
    return sums;
}

static void print_row(const BenchOptions *options, int threads, const Sums *s)
{
    if (!options->json) {
        printf("%7d %10.3f %10.3f %10.4f %10.3f %10.3f %8.0f %8.0f %8.0f %8.1f\n", threads,
               s->tracers + s->walls, s->tracers, s->walls, s->update, s->frame, s->tracer_count,
               s->vortons, s->hits, s->vorton_hits);
        printf("%7s %10.3f %10.3f %10s %10.3f %10.3f\n", "fastest", s->least[0], s->least[1], "",
               s->least[2], s->least[3]);
        return;
    }
    const struct {
        const char *metric;
        double value;
    } figures[] = {{"boundary_ms", s->tracers + s->walls},
                   {"boundary_tracers_ms", s->tracers},
                   {"boundary_vortons_ms", s->walls},
                   {"update_ms", s->update},
                   {"frame_ms", s->frame},
                   {"tracers", s->tracer_count},
                   {"vortons", s->vortons},
                   {"tracer_hits", s->hits},
                   {"vorton_hits", s->vorton_hits},
                   {"least_boundary_ms", s->least[0]},
                   {"least_update_ms", s->least[2]},
                   {"least_frame_ms", s->least[3]}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; ++i)
        bench_print(options, &(BenchFigure){.name = "plate",
                                            .metric = figures[i].metric,
                                            .unit = "",
                                            .value = figures[i].value,
                                            .threads = threads});
}

static int bench_threads(const BenchOptions *options, int threads)
{
    Plate plate = {.failed = false};
    make_world(&plate, threads);
    if (!plate.failed) {
        Sums sums = run(&plate, options->count > 0 ? (int)options->count : FRAMES);
        print_row(options, threads, &sums);
    }
    mote_world_destroy(plate.world);
    mote_tasks_destroy(plate.tasks);
    return plate.failed;
}

int bench_plate(const BenchOptions *options)
{
    if (!options->json) {
        printf("milliseconds a frame; published (Core i7-2600, 1 and 2 threads): boundary 2.42 and "
               "1.61, update 4.12 and 2.52\n");
        printf("%7s %10s %10s %10s %10s %10s %8s %8s %8s %8s\n", "threads", "boundary", "tracers",
               "vortons", "update", "frame", "tracers", "vortons", "hits", "vortons'");
    }
    if (options->threads > 0) return bench_threads(options, options->threads);
    int failed = bench_threads(options, 1);
    return failed != 0 ? failed : bench_threads(options, 2);
}
