/* The study of collision: a block on an incline and a bouncing ball, by every algorithm, beside the
 * exact answers. */
#include "base/status.h"
#include "study/files.h"
#include "study/repulsion.h"

#include <mote/world.h>

#include <math.h>

/* Symplectic Euler, as in the notes that the algorithms come from; `exact` with leapfrog, whose
 * steps end on the parabola. */
static const struct Way {
    const char *algorithm, *integrator; /* NULL: the solver's own */
} ways[] = {{"interference", NULL},
            {"micro", NULL},
            {"micro-safe", NULL},
            {"contact", NULL},
            {"exact", "leapfrog"}};

enum { ALGORITHMS = sizeof ways / sizeof ways[0], APEXES = 3, MOST_SAMPLES = 4096 };

static const double gravity = 9.81; /* m/s^2 */

/* ---- a particle without size over a plane ---- */

typedef struct Setup {
    const struct Way *way;
    double dt;    /* s */
    double slope; /* rad */
    double restitution, friction;
    double height; /* m, at the start */
} Setup;

typedef struct Trial {
    mote_World *world;
    mote_System *system;
} Trial;

static mote_Vec3 vector(double x, double y)
{
    return (mote_Vec3){(mote_real)x, (mote_real)y, 0};
}

static mote_Status add_plane(const Setup *s, mote_World *world, mote_Error *error)
{
    mote_ColliderDef def = mote_collider_def();
    mote_PlaneShape plane = mote_plane_shape_def();
    plane.normal = vector(sin(s->slope), cos(s->slope));
    def.shape_params = &plane;
    def.restitution = (mote_real)s->restitution, def.friction = (mote_real)s->friction;
    return mote_world_add_collider(world, &def, error);
}

static mote_real *plane_of(const mote_System *system, const char *name, int c)
{
    const mote_Column *column = mote_system_column(system, name);
    return (mote_real *)column->data + (size_t)c * column->stride;
}

static mote_Status make_trial(const Setup *s, Trial *trial, mote_Error *error)
{
    mote_WorldDef def = mote_world_def();
    mote_SystemDef points = mote_system_def();
    mote_PointsSolver solver = mote_points_solver_def();
    size_t row;
    def.gravity = vector(0, -gravity);
    def.fps = 1 / s->dt, def.max_step = s->dt * (1 + 1e-6);
    points.name = "point", points.collide.algorithm = s->way->algorithm;
    if (s->way->integrator != NULL) solver.integrator = s->way->integrator;
    points.solver_params = &solver;
    mote_Status status = mote_world_create(&def, &trial->world, error);
    if (status == MOTE_OK) status = add_plane(s, trial->world, error);
    if (status == MOTE_OK)
        status = mote_world_add_system(trial->world, &points, &trial->system, error);
    if (status == MOTE_OK) status = mote_system_add_rows(trial->system, 1, &row, error);
    if (status != MOTE_OK) return status;
    plane_of(trial->system, "radius", 0)[0] = 0;
    plane_of(trial->system, "position", 1)[0] = (mote_real)s->height;
    return MOTE_OK;
}

/* ---- the incline ---- */

typedef struct Slide {
    double speed, moved, off; /* m/s along the plane, m along it, most m off it */
} Slide;

static mote_Status run_slide(const Setup *s, double seconds, Slide *slide, mote_Error *error)
{
    Trial trial = {NULL, NULL};
    double sine = sin(s->slope), cosine = cos(s->slope);
    mote_Status status = make_trial(s, &trial, error);
    *slide = (Slide){0, 0, 0};
    for (int i = 0; i < (int)(seconds / s->dt + 0.5) && status == MOTE_OK; ++i) {
        status = mote_world_step(trial.world, NULL, error);
        double x = (double)plane_of(trial.system, "position", 0)[0];
        double y = (double)plane_of(trial.system, "position", 1)[0];
        double u = (double)plane_of(trial.system, "velocity", 0)[0];
        double v = (double)plane_of(trial.system, "velocity", 1)[0];
        slide->speed = u * cosine - v * sine;
        slide->moved = x * cosine - y * sine;
        slide->off = fmax(slide->off, x * sine + y * cosine);
    }
    mote_world_destroy(trial.world);
    return status;
}

static const double frictions[] = {0.3, 0.57, 0.6}, bounces[] = {0, 0.4, 0.8};

static mote_Status print_inclines(FILE *csv, mote_Error *error)
{
    const double slope = 30 * 3.14159265358979 / 180, seconds = 2;
    printf("A block on an incline of 30 degrees (tan = 0.577), h = 0.01 s, after 2 s.\n"
           "Exact: slides with g (sin - mu cos), or sticks when mu >= tan.\n\n"
           "%-13s %5s %5s   %10s %10s   %10s %10s %9s\n",
           "", "mu", "eps", "speed", "exact", "moved", "exact", "off plane");
    for (int a = 0; a < ALGORITHMS; ++a)
        for (int k = 0; k < 9; ++k) {
            Setup s = {&ways[a], 0.01, slope, bounces[k % 3], frictions[k / 3], 0};
            Slide slide;
            double pull = gravity * (sin(slope) - s.friction * cos(slope));
            mote_Status status = run_slide(&s, seconds, &slide, error);
            if (status != MOTE_OK) return status;
            pull = pull > 0 ? pull : 0;
            printf("%-13s %5.2f %5.1f   %10.6f %10.6f   %10.6f %10.6f %9.1e\n", s.way->algorithm,
                   s.friction, s.restitution, slide.speed, pull * seconds, slide.moved,
                   0.5 * pull * seconds * seconds, slide.off);
            if (csv != NULL)
                fprintf(csv, "%s,%g,%g,%.9g,%.9g,%.9g,%.9g,%.3g\n", s.way->algorithm, s.friction,
                        s.restitution, slide.speed, pull * seconds, slide.moved,
                        0.5 * pull * seconds * seconds, slide.off);
        }
    return MOTE_OK;
}

/* ---- the ball ---- */

typedef struct Bounce {
    double t[MOST_SAMPLES], y[MOST_SAMPLES];
    size_t count;
    double apexes[APEXES];
    double last_speed; /* m/s, at the end */
} Bounce;

static mote_Status run_bounce(const Setup *s, double seconds, Bounce *b, mote_Error *error)
{
    Trial trial = {NULL, NULL};
    mote_Status status = make_trial(s, &trial, error);
    double before = s->height, now = s->height;
    int found = 0, steps = (int)(seconds / s->dt + 0.5);
    *b = (Bounce){.count = 0};
    for (int i = 0; i < steps && status == MOTE_OK; ++i) {
        status = mote_world_step(trial.world, NULL, error);
        double next = (double)plane_of(trial.system, "position", 1)[0];
        if (now > before && now >= next && i > 2 && found < APEXES) b->apexes[found++] = now;
        before = now, now = next;
        b->last_speed = fabs((double)plane_of(trial.system, "velocity", 1)[0]);
        if (i % (steps / MOST_SAMPLES + 1) != 0) continue;
        b->t[b->count] = mote_world_time(trial.world), b->y[b->count++] = next;
    }
    mote_world_destroy(trial.world);
    return status;
}

static const double steps_of_bounces[] = {0.01, 0.001, 0.0001};

static mote_Status print_bounces(FILE *csv, Bounce *b, mote_Error *error)
{
    printf("\nA ball dropped from 1 m, restitution 0.8: apexes 0.64, 0.4096, 0.262144; at rest\n"
           "after 4.0637 s. Speed: what is left at 6 s.\n\n%-13s %7s   %8s %8s %8s   %9s\n",
           "", "h", "1st", "2nd", "3rd", "speed");
    for (int a = 0; a < ALGORITHMS; ++a)
        for (int k = 0; k < 3; ++k) {
            Setup s = {&ways[a], steps_of_bounces[k], 0, 0.8, 0, 1};
            mote_Status status = run_bounce(&s, 6, b, error);
            if (status != MOTE_OK) return status;
            printf("%-13s %7.4f   %8.6f %8.6f %8.6f   %9.2e\n", s.way->algorithm, s.dt,
                   b->apexes[0], b->apexes[1], b->apexes[2], b->last_speed);
            if (csv != NULL)
                fprintf(csv, "%s,%g,%.9g,%.9g,%.9g,%.3g\n", s.way->algorithm, s.dt, b->apexes[0],
                        b->apexes[1], b->apexes[2], b->last_speed);
        }
    return MOTE_OK;
}

/* ---- files ---- */

static mote_Status plot_bounces(const StudyOptions *options, mote_Error *error)
{
    static Bounce curves[ALGORITHMS];
    PlotSeries series[ALGORITHMS];
    for (int a = 0; a < ALGORITHMS; ++a) {
        Setup s = {&ways[a], 0.01, 0, 0.8, 0, 1};
        mote_Status status = run_bounce(&s, 5, &curves[a], error);
        if (status != MOTE_OK) return status;
        series[a] = (PlotSeries){.name = ways[a].algorithm,
                                 .x = curves[a].t,
                                 .y = curves[a].y,
                                 .count = curves[a].count,
                                 .style = PLOT_LINE};
    }
    Plot plot = {.title = "A bouncing ball, restitution 0.8, h = 0.01 s",
                 .x = {.label = "time (s)"},
                 .y = {.label = "height (m)"},
                 .series = series,
                 .series_count = ALGORITHMS};
    return study_plot(options, "bounce", &plot, error);
}

enum { MUS = 41 };

typedef struct SpeedCurve {
    double mu[MUS], speed[MUS]; /* m/s after 2 s */
} SpeedCurve;

static mote_Status run_speeds(const struct Way *way, double slope, SpeedCurve *curve,
                              mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (int k = 0; k < MUS && status == MOTE_OK; ++k) {
        const double mu = (double)k / (MUS - 1), pull = gravity * (sin(slope) - mu * cos(slope));
        const Setup s = {way, 0.01, slope, 0.8, mu, 0};
        Slide slide = {2 * fmax(pull, 0), 0, 0};
        if (way != NULL) status = run_slide(&s, 2, &slide, error);
        curve->mu[k] = mu, curve->speed[k] = slide.speed;
    }
    return status;
}

/* Speeds over friction coefficients, and last the exact answer. */
static mote_Status plot_inclines(const StudyOptions *options, mote_Error *error)
{
    static SpeedCurve curves[ALGORITHMS + 1];
    const double slope = 30 * 3.14159265358979 / 180;
    PlotSeries series[ALGORITHMS + 1];
    for (int a = 0; a <= ALGORITHMS; ++a) {
        const struct Way *way = a < ALGORITHMS ? &ways[a] : NULL;
        mote_Status status = run_speeds(way, slope, &curves[a], error);
        if (status != MOTE_OK) return status;
        series[a] = (PlotSeries){.name = way != NULL ? way->algorithm : "g t (sin - mu cos)",
                                 .x = curves[a].mu,
                                 .y = curves[a].speed,
                                 .count = MUS,
                                 .style = way != NULL ? PLOT_LINE : PLOT_DASHED};
    }
    Plot plot = {.title = "A block on an incline of 30 degrees after 2 s, restitution 0.8",
                 .x = {.label = "friction coefficient"},
                 .y = {.label = "speed (m/s)"},
                 .series = series,
                 .series_count = ALGORITHMS + 1};
    return study_plot(options, "incline", &plot, error);
}

static mote_Status bounce_table(FILE *csv, mote_Error *error)
{
    static Bounce work;
    return print_bounces(csv, &work, error);
}

mote_Status study_collision(const StudyOptions *options, mote_Error *error)
{
    mote_Status status = study_expect_plain(options, error);
    if (status == MOTE_OK) status = study_make_folder(options, error);
    if (status == MOTE_OK)
        status =
            study_table(options, "incline",
                        "algorithm,mu,restitution,speed,exact_speed,moved,exact_moved,off_plane",
                        print_inclines, error);
    if (status == MOTE_OK)
        status = study_table(options, "bounce", "algorithm,h,apex1,apex2,apex3,speed_at_6s",
                             bounce_table, error);
    if (status == MOTE_OK && options->folder != NULL) status = plot_inclines(options, error);
    if (status == MOTE_OK && options->folder != NULL) status = plot_bounces(options, error);
    return status == MOTE_OK ? study_repulsion(options, error) : status;
}
