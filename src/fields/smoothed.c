/* Smoothed interpolation over particles (Gingold and Monaghan 1977): what a column A of particles
 * is at any point x,
 *
 *     A(x) = sum V_j A_j W(|x - x_j|),   grad A = sum V_j A_j grad W,   lap A = sum V_j A_j lap W,
 *     lap W = W'' + (D - 1) W' / r,      V_j = m_j / density_j,         density_i = sum m_j W_ij,
 *
 * with the plain and the volume-weighted averages that lead up to it. The particles are copied into
 * cells when a sub-step begins, since rows may be sorted later; sums are in double and in the order
 * of cells and rows. The cells know nothing of periods: a period may be shorter than twice the
 * reach, and every image of a point is asked by itself.
 *
 * In GAMES103's notes: MEAN is P5, VOLUME P7, the kernel sum P9, volumes P10, gradient and
 * Laplacian P12. Two of them are put right: P7 divides by n where it should by sum V_j, and P12's
 * Laplacian line repeats the gradient. */
#include "fields/field.h"

#include <mote/particles.h>

#include "base/status.h"
#include "particles/system.h"
#include "space/cells.h"
#include "space/smoothing.h"

#include <math.h>

enum { ROWS_PER_TASK = 256 };

typedef struct Smoothed {
    Memory *memory;
    mote_Tasks *tasks;
    int dimension;
    const SmoothingRow *kernel;
    double reach, period[3]; /* m */
    Arena arena;             /* of what follows */
    Cells cells;
    mote_real *volume, *a[3], *density; /* by place */
} Smoothed;

static mote_Status smoothed_open(const FieldSite *site, Field *field, mote_Error *error)
{
    Smoothed *s = memory_zeroed(site->memory, sizeof *s);
    if (s == NULL) return status_no_memory(error, site->where, sizeof *s);
    s->memory = site->memory;
    s->tasks = site->tasks;
    s->dimension = site->dimension;
    s->arena = arena_make(site->memory);
    field->state = s;
    return MOTE_OK;
}

static void smoothed_close(Memory *memory, void *state)
{
    Smoothed *s = state;
    arena_free(&s->arena);
    memory_free(memory, s, sizeof *s);
}

/* ---- particles into cells ---- */

static bool make_cells(Smoothed *s, const mote_System *system)
{
    const CellPoints points = cell_points_of(system);
    mote_real **planes[] = {&s->volume, &s->a[0], &s->a[1], &s->a[2], &s->density};
    arena_reset(&s->arena);
    for (size_t k = 0; k < sizeof planes / sizeof planes[0]; ++k) {
        *planes[k] = arena_take(&s->arena, (system->count + 1) * sizeof(mote_real));
        if (*planes[k] == NULL) return false;
    }
    return cells_make(&s->cells, &(CellSpace){.flat = false}, (mote_real)s->reach, &points,
                      &s->arena, s->tasks);
}

/* The volumes are masses where the solver knows no density. */
static void copy_rows(Smoothed *s, const mote_System *system, const mote_Column *column,
                      int component, const mote_Column *density)
{
    const mote_real *mass = column_real(&system->columns[COLUMN_MASS], 0);
    for (size_t i = 0; i < s->cells.placed; ++i) {
        const size_t row = s->cells.order[i];
        double rho = density != NULL ? column_value(density, 0, row) : 1;
        s->volume[i] = rho > 0 ? mass[row] / (mote_real)rho : 0;
        for (int c = 0; c < 3; ++c)
            s->a[c][i] = component + c < column->components
                             ? (mote_real)column_value(column, component + c, row)
                             : 0;
    }
}

/* ---- sums around a point ---- */

/* What is added up; A stands for three components. */
typedef struct SmoothedSums {
    double count, volume, weight;
    double mean[3], volumes[3], kernel[3], laplacian[3];
    double gradient[3]; /* of the first component */
} SmoothedSums;

/* All estimates at once: which of them is asked for is known when a point is done. */
static void add_row(const Smoothed *s, size_t row, const double d[3], double r, SmoothedSums *sums)
{
    double v = (double)s->volume[row];
    double w = v * smoothing_value(s->kernel, s->dimension, s->reach, r);
    double slope = v * smoothing_slope(s->kernel, s->dimension, s->reach, r);
    double laplacian = v * smoothing_laplacian(s->kernel, s->dimension, s->reach, r);
    sums->count += 1, sums->volume += v, sums->weight += w;
    for (int c = 0; c < 3; ++c) {
        double a = (double)s->a[c][row];
        sums->mean[c] += a;
        sums->volumes[c] += v * a;
        sums->kernel[c] += w * a;
        sums->laplacian[c] += laplacian * a;
        sums->gradient[c] += slope * d[c] * (double)s->a[0][row];
    }
}

static void add_run(const Smoothed *s, const CellRun *run, const double at[3], SmoothedSums *sums)
{
    for (uint32_t i = run->begin; i < run->end; ++i) {
        double d[3], r2 = 0;
        for (int c = 0; c < 3; ++c) {
            d[c] = at[c] - (double)s->cells.x[c][i];
            r2 += d[c] * d[c];
        }
        if (r2 < s->reach * s->reach) add_row(s, i, d, sqrt(r2), sums);
    }
}

static void add_image(const Smoothed *s, const double at[3], SmoothedSums *sums)
{
    BallWalk walk = ball_walk(&s->cells, at, s->reach);
    for (CellRun run; ball_next(&walk, &run);) add_run(s, &run, at, sums);
}

/* The point, and its images one period away. */
static SmoothedSums sums_at(const Smoothed *s, const double at[3])
{
    SmoothedSums sums = {0};
    int most[3];
    for (int c = 0; c < 3; ++c) most[c] = s->period[c] > 0 ? 1 : 0;
    for (int z = -most[2]; z <= most[2]; ++z)
        for (int y = -most[1]; y <= most[1]; ++y)
            for (int x = -most[0]; x <= most[0]; ++x) {
                const double image[3] = {at[0] + x * s->period[0], at[1] + y * s->period[1],
                                         at[2] + z * s->period[2]};
                add_image(s, image, &sums);
            }
    return sums;
}

/* ---- volumes of particles whose solver knows no density ---- */

/* With masses in the place of volumes the kernel's weight is the density. */
static void density_body(void *context, size_t begin, size_t end, int worker)
{
    const Smoothed *s = context;
    mote_real *const *x = s->cells.x;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const double at[3] = {(double)x[0][i], (double)x[1][i], (double)x[2][i]};
        s->density[i] = (mote_real)sums_at(s, at).weight;
    }
}

static void find_volumes(Smoothed *s)
{
    const size_t count = s->cells.placed;
    mote_parallel_for(s->tasks, count, ROWS_PER_TASK, density_body, s);
    for (size_t i = 0; i < count; ++i)
        s->volume[i] = s->density[i] > 0 ? s->volume[i] / s->density[i] : 0;
}

static mote_Status smoothed_prepare(Field *field, double t, double dt, mote_Error *error)
{
    const mote_SmoothedField *p = field->object.params;
    const mote_System *system = field->particles.system;
    Smoothed *s = field->state;
    (void)t, (void)dt;
    s->kernel = smoothing_row((SmoothingKind)p->kernel);
    s->reach = (double)(p->reach > 0 ? p->reach : system->support);
    if (!(s->reach > 0))
        return status_fail(error, MOTE_BAD_VALUE,
                           "field %s: system %s is no liquid and has no kernel of its own; set "
                           "reach, the support in m",
                           field->object.name, system->name);
    for (int c = 0; c < 3; ++c) s->period[c] = (double)field->particles.period[c];
    if (!make_cells(s, system)) return status_no_memory(error, field->object.name, system->count);
    const mote_Column *column = mote_system_column(system, field->particles.column);
    const mote_Column *density =
        system->rest_density > 0 ? mote_system_column(system, "density") : NULL;
    copy_rows(s, system, column, (int)p->component, density);
    if (density == NULL) find_volumes(s);
    return MOTE_OK;
}

/* ---- samples ---- */

static double ratio(double sum, double weight)
{
    return weight > 0 ? sum / weight : 0;
}

static double estimate_of(const SmoothedSums *sums, int estimate, int c)
{
    switch (estimate) {
    case MOTE_SMOOTHED_MEAN:
        return ratio(sums->mean[c], sums->count);
    case MOTE_SMOOTHED_VOLUME:
        return ratio(sums->volumes[c], sums->volume);
    case MOTE_SMOOTHED_CORRECTED:
        return ratio(sums->kernel[c], sums->weight);
    case MOTE_SMOOTHED_LAPLACIAN:
        return sums->laplacian[c];
    default:
        return sums->kernel[c];
    }
}

static SmoothedSums sums_of_point(const Field *field, const FieldPoints *points, size_t i)
{
    const double at[3] = {(double)points->x[0][i], (double)points->x[1][i],
                          (double)points->x[2][i]};
    return sums_at(field->state, at);
}

static void smoothed_sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_SmoothedField *p = field->object.params;
    for (size_t i = 0; i < points->count; ++i) {
        SmoothedSums sums = sums_of_point(field, points, i);
        out[0][i] = (mote_real)estimate_of(&sums, p->estimate, 0);
    }
}

static void smoothed_sample_vector(const Field *field, const FieldPoints *points,
                                   mote_real *const out[3])
{
    const mote_SmoothedField *p = field->object.params;
    for (size_t i = 0; i < points->count; ++i) {
        SmoothedSums sums = sums_of_point(field, points, i);
        for (int c = 0; c < 3; ++c) out[c][i] = (mote_real)estimate_of(&sums, p->estimate, c);
    }
}

static void smoothed_sample_gradient(const Field *field, const FieldPoints *points,
                                     mote_real *const out[3])
{
    for (size_t i = 0; i < points->count; ++i) {
        SmoothedSums sums = sums_of_point(field, points, i);
        for (int c = 0; c < 3; ++c) out[c][i] = (mote_real)sums.gradient[c];
    }
}

/* ---- the rows ---- */

static const char *const system_kind[] = {"system", NULL};
static const char *const column_kind[] = {"column", NULL};
static const char *const estimates[] = {"mean", "volume", "kernel", "corrected", "laplacian", NULL};
static const char *const kernels[] = {
    "cubic-spline", "quintic-spline", "wendland-c2", "wendland-c4",
    "wendland-c6",  "poly6",          "spiky",       NULL};

#define SYSTEM PARAM_NAME(mote_SmoothedField, system, "system of the particles", system_kind)
#define COLUMN PARAM_NAME(mote_SmoothedField, column, "name of a column of it", column_kind)
#define COMPONENT                                                                                  \
    PARAM_COUNT(mote_SmoothedField, component, "component of the column", 0, 0,                    \
                MOTE_MOST_COMPONENTS - 1)
#define ESTIMATE                                                                                   \
    PARAM_CHOICE(mote_SmoothedField, estimate,                                                     \
                 "plain or volume-weighted average, kernel sum, that over its weights, Laplacian", \
                 estimates, MOTE_SMOOTHED_KERNEL)
#define KERNEL PARAM_CHOICE(mote_SmoothedField, kernel, "smoothing kernel", kernels, 0)
#define REACH                                                                                      \
    PARAM_REAL(mote_SmoothedField, reach, "m", "the kernel's support H; 0: that of the liquid", 0, \
               0, PARAM_LARGEST)

static const mote_Param scalar_params[] = {SYSTEM, COLUMN, COMPONENT, ESTIMATE, KERNEL, REACH};
static const mote_Param vector_params[] = {SYSTEM, COLUMN, ESTIMATE, KERNEL, REACH};
static const mote_Param gradient_params[] = {SYSTEM, COLUMN, COMPONENT, KERNEL, REACH};

#define SMOOTHED_ROW(symbol, name_, doc_, params_, components_, sample_)                           \
    ISA_ONCE(FieldRow, symbol) = {.head = ROW_HEAD(name_, doc_, params_, mote_SmoothedField),      \
                                  .components = components_,                                       \
                                  .sample = sample_,                                               \
                                  .open = smoothed_open,                                           \
                                  .close = smoothed_close,                                         \
                                  .prepare = smoothed_prepare,                                     \
                                  .prepares_often = true,                                          \
                                  .takes_particles = true}

SMOOTHED_ROW(field_smoothed, "smoothed", "a column of particles, smoothed: one component",
             scalar_params, 1, smoothed_sample);
SMOOTHED_ROW(field_smoothed_vector, "smoothed-vector",
             "a column of particles, smoothed: three components", vector_params, 3,
             smoothed_sample_vector);
SMOOTHED_ROW(field_smoothed_gradient, "smoothed-gradient",
             "the gradient of a smoothed column of particles", gradient_params, 3,
             smoothed_sample_gradient);
