/* Repulsion: how deep particles get and how high they come back, by law, stiffness and integrator;
 * and hit or miss: why even exact collisions are of first order. */
#include "study/repulsion.h"

#include "study/files.h"

#include <mote/world.h>

#include <math.h>

enum { MOST_SAMPLES = 4096 };

static const double gravity = 9.81; /* m/s^2 */

/* A kilogram without size. */
typedef struct Throw {
    const char *integrator;
    double dt;                /* s */
    mote_CollideDef collide;  /* how it meets what is there */
    const char *shape;        /* of what is there */
    const void *shape_params; /* or NULL */
    double x, y, v_x, v_y;    /* m, m/s: its start */
} Throw;

typedef struct Flying {
    mote_World *world;
    mote_System *system;
} Flying;

static mote_real *row_of(const mote_System *system, const char *name, int c)
{
    const mote_Column *column = mote_system_column(system, name);
    return (mote_real *)column->data + (size_t)c * column->stride;
}

static mote_Status add_obstacle(const Throw *t, mote_World *world, mote_Error *error)
{
    mote_ColliderDef def = mote_collider_def();
    def.shape = t->shape, def.shape_params = t->shape_params;
    def.restitution = 1, def.friction = 0;
    return mote_world_add_collider(world, &def, error);
}

static mote_Status start(const Throw *t, Flying *f, mote_Error *error)
{
    mote_WorldDef def = mote_world_def();
    mote_SystemDef points = mote_system_def();
    mote_PointsSolver solver = mote_points_solver_def();
    size_t row;
    *f = (Flying){NULL, NULL};
    def.gravity = (mote_Vec3){0, (mote_real)-gravity, 0};
    def.fps = 1 / t->dt, def.max_step = t->dt * (1 + 1e-6), def.energy_factor = 1e300;
    solver.integrator = t->integrator;
    points.name = "point", points.solver_params = &solver, points.collide = t->collide;
    mote_Status status = mote_world_create(&def, &f->world, error);
    if (status == MOTE_OK) status = add_obstacle(t, f->world, error);
    if (status == MOTE_OK) status = mote_world_add_system(f->world, &points, &f->system, error);
    if (status == MOTE_OK) status = mote_system_add_rows(f->system, 1, &row, error);
    if (status != MOTE_OK) return status;
    row_of(f->system, "radius", 0)[0] = 0;
    row_of(f->system, "position", 0)[0] = (mote_real)t->x;
    row_of(f->system, "position", 1)[0] = (mote_real)t->y;
    row_of(f->system, "velocity", 0)[0] = (mote_real)t->v_x;
    row_of(f->system, "velocity", 1)[0] = (mote_real)t->v_y;
    return MOTE_OK;
}

/* ---- the three laws ---- */

static const struct {
    const char *name;
    int law;
    double stiffness[3];
} laws[] = {{"penalty", MOTE_REPULSION_PENALTY, {1e3, 1e4, 1e6}},
            {"spring", MOTE_REPULSION_SPRING, {1e3, 1e4, 1e6}},
            {"inverse", MOTE_REPULSION_INVERSE, {0.1, 1, 10}}};

static const char *const integrators[] = {"symplectic-euler", "leapfrog", "crank-nicolson",
                                          "implicit-euler"};

typedef struct Fall {
    double t[MOST_SAMPLES], y[MOST_SAMPLES];
    size_t count;
    double deepest, apex; /* m: lowest, and highest after the lowest */
} Fall;

static Throw drop(int law, double stiffness, const char *integrator)
{
    Throw t = {.integrator = integrator, .dt = 1.0 / 240, .shape = "plane", .y = 0.5};
    t.collide = mote_collide_def();
    t.collide.algorithm = "repulsion", t.collide.law = law;
    t.collide.stiffness = (mote_real)stiffness;
    t.collide.reach = (mote_real)0.05, t.collide.damping = 0;
    return t;
}

/* Beyond a kilometre it is of no interest how far. */
static mote_Status fall(const Throw *t, double seconds, Fall *out, mote_Error *error)
{
    Flying f;
    mote_Status status = start(t, &f, error);
    *out = (Fall){.deepest = t->y};
    for (int i = 0; i < (int)(seconds / t->dt) && status == MOTE_OK; ++i) {
        status = mote_world_step(f.world, NULL, error);
        double y = (double)row_of(f.system, "position", 1)[0];
        if (y < out->deepest) out->deepest = out->apex = y;
        out->apex = fmax(out->apex, y);
        if (out->count < MOST_SAMPLES)
            out->t[out->count] = mote_world_time(f.world), out->y[out->count++] = y;
        if (fabs(y) > 1000) break;
    }
    mote_world_destroy(f.world);
    return status;
}

static mote_Status print_laws(FILE *csv, mote_Error *error)
{
    static Fall work;
    printf("\nRepulsion: a kilogram dropped from 0.5 m, reach 0.05 m, no damping, h = 1/240 s.\n"
           "An ideal spring gives all back: apex 0.5. Explicit schemes need h < 2 sqrt(m / K);\n"
           "implicit Euler holds any, and loses energy; what lies between them may throw.\n\n"
           "%-9s %8s %-17s %11s %11s\n",
           "law", "K", "integrator", "lowest (m)", "apex (m)");
    for (int i = 0; i < 36; ++i) {
        const char *name = laws[i / 12].name, *integrator = integrators[i % 4];
        const double k = laws[i / 12].stiffness[i / 4 % 3];
        const Throw t = drop(laws[i / 12].law, k, integrator);
        mote_Status status = fall(&t, 1.5, &work, error);
        if (status != MOTE_OK) return status;
        printf("%-9s %8g %-17s %11.6f %11.4f\n", name, k, integrator, work.deepest, work.apex);
        if (csv != NULL)
            fprintf(csv, "%s,%g,%s,%.9g,%.9g\n", name, k, integrator, work.deepest, work.apex);
    }
    return MOTE_OK;
}

static mote_Status plot_laws(const StudyOptions *options, mote_Error *error)
{
    enum { CURVES = 4 };
    static Fall curves[CURVES];
    PlotSeries series[CURVES];
    for (int i = 0; i < CURVES; ++i) {
        const Throw t = drop(MOTE_REPULSION_PENALTY, 1e4, integrators[i]);
        mote_Status status = fall(&t, 1.5, &curves[i], error);
        if (status != MOTE_OK) return status;
        series[i] = (PlotSeries){.name = integrators[i],
                                 .x = curves[i].t,
                                 .y = curves[i].y,
                                 .count = curves[i].count,
                                 .style = PLOT_LINE};
    }
    Plot plot = {.title = "A kilogram on a ground of 10^4 N/m, h = 1/240 s",
                 .x = {.label = "time (s)"},
                 .y = {.label = "height (m)"},
                 .series = series,
                 .series_count = CURVES};
    return study_plot(options, "repulsion", &plot, error);
}

/* ---- hit or miss ---- */

/* Thrown over a post one metre away, whose top is at height 0: the apex of the parabola is above
 * it. The post is a thin box, so what hits comes back. */
static mote_Status passes(const char *algorithm, const char *integrator, double clearance,
                          double dt, bool *over, mote_Error *error)
{
    const double height = 0.5, flight = sqrt(2 * height / gravity);
    const mote_BoxShape post = {.size = {(mote_real)0.02, 2, 2}};
    Throw t = {.integrator = integrator, .dt = dt, .shape = "box", .shape_params = &post};
    Flying f;
    t.collide = mote_collide_def();
    t.collide.algorithm = algorithm;
    t.x = -1, t.v_x = 1 / flight, t.v_y = gravity * flight;
    t.y = 1 + clearance - height;
    mote_Status status = start(&t, &f, error);
    for (int i = 0; i < (int)(1.5 * flight / dt) && status == MOTE_OK; ++i)
        status = mote_world_step(f.world, NULL, error);
    if (status == MOTE_OK) *over = row_of(f.system, "position", 0)[0] > 0;
    mote_world_destroy(f.world);
    return status;
}

static mote_Status print_misses(FILE *csv, mote_Error *error)
{
    static const double clearances[] = {-0.02, -0.002, 0.002, 0.02}; /* m */
    static const double steps[] = {0.02, 0.005, 0.001, 0.0001};      /* s */
    printf("\nHit or miss: a throw whose apex clears a post by so much. Collisions are exact, but\n"
           "symplectic Euler's parabola is off by h v / 2: a hit is a miss, and no collision\n"
           "algorithm can tell. Leapfrog's is the parabola itself.\n\n%-13s %-17s %7s",
           "algorithm", "integrator", "h");
    for (int c = 0; c < 4; ++c) printf(" %+8.3f m", clearances[c]);
    printf("\n");
    for (int i = 0; i < 8; ++i) {
        const char *integrator = i < 4 ? "symplectic-euler" : "leapfrog";
        printf("%-13s %-17s %7.4f", "exact", integrator, steps[i % 4]);
        for (int c = 0; c < 4; ++c) {
            bool over = false;
            mote_Status status =
                passes("exact", integrator, clearances[c], steps[i % 4], &over, error);
            if (status != MOTE_OK) return status;
            printf(" %10s", over ? "miss" : "hit");
            if (csv != NULL)
                fprintf(csv, "%s,%g,%g,%s\n", integrator, steps[i % 4], clearances[c],
                        over ? "miss" : "hit");
        }
        printf("\n");
    }
    return MOTE_OK;
}

mote_Status study_repulsion(const StudyOptions *options, mote_Error *error)
{
    mote_Status status =
        study_table(options, "repulsion", "law,K,integrator,lowest,apex", print_laws, error);
    if (status == MOTE_OK)
        status =
            study_table(options, "hit-or-miss", "integrator,h,clearance,what", print_misses, error);
    if (status == MOTE_OK && options->folder != NULL) status = plot_laws(options, error);
    return status;
}
