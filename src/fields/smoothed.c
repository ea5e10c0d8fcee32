/* Smoothed interpolation over particles (Gingold and Monaghan 1977): what a column A of particles
 * is at any point x,
 *
 *     A(x) = sum V_j A_j W(|x - x_j|),   grad A = sum V_j A_j grad W,   lap A = sum V_j A_j lap W,
 *     lap W = W'' + (D - 1) W' / r,      V_j = m_j / density_j,         density_i = sum m_j W_ij,
 *
 * with the plain and the volume-weighted averages that lead up to it. The particles are copied into
 * cells when a sub-step begins, since rows may be sorted later; sums are in double and in the order
 * of cells and rows. Cells are as wide as the reach, or wider where that would be too many. */
#include "fields/smoothed.h"

#include "base/status.h"
#include "particles/system.h"
#include "space/smoothing.h"

#include <math.h>
#include <string.h>

enum {
    PLANE_X = 0,
    PLANE_VOLUME = 3,
    PLANE_A = 4,
    PLANE_DENSITY = 7,
    PLANES = 8,
    ROWS_PER_TASK = 256
};

typedef struct Smoothed {
    Memory *memory;
    mote_Tasks *tasks;
    int dimension;
    const SmoothingRow *kernel;
    double reach;
    double period[3], low[3], edge; /* m */
    size_t cells[3];
    size_t *start; /* of each cell; one behind the last */
    size_t start_capacity;
    mote_real *planes; /* PLANES of `stride` */
    size_t plane_capacity, stride, count;
} Smoothed;

static mote_real *plane(const Smoothed *s, int number)
{
    return s->planes + (size_t)number * s->stride;
}

mote_Status smoothed_open(const FieldSite *site, Field *field, mote_Error *error)
{
    Smoothed *s = memory_zeroed(site->memory, sizeof *s);
    if (s == NULL) return status_no_memory(error, site->where, sizeof *s);
    s->memory = site->memory;
    s->tasks = site->tasks;
    s->dimension = site->dimension;
    field->state = s;
    return MOTE_OK;
}

void smoothed_close(Memory *memory, void *state)
{
    Smoothed *s = state;
    memory_free(memory, s->start, s->start_capacity * sizeof *s->start);
    memory_free(memory, s->planes, s->plane_capacity * sizeof *s->planes);
    memory_free(memory, s, sizeof *s);
}

/* ---- cells ---- */

static void find_bounds(Smoothed *s, const mote_System *system, double high[3])
{
    for (int c = 0; c < 3; ++c) {
        const mote_real *x = column_real(&system->columns[COLUMN_POSITION], c);
        s->low[c] = high[c] = system->count > 0 ? (double)x[0] : 0;
        for (size_t i = 1; i < system->count; ++i) {
            double a = (double)x[i];
            if (a < s->low[c]) s->low[c] = a;
            if (a > high[c]) high[c] = a;
        }
    }
}

static double count_cells(Smoothed *s, const double high[3])
{
    double all = 1;
    for (int c = 0; c < 3; ++c) {
        double n = floor((high[c] - s->low[c]) / s->edge) + 1;
        s->cells[c] = n < 1e9 ? (size_t)n : (size_t)1e9;
        all *= n;
    }
    return all;
}

/* No more than four cells a particle: memory stays in proportion. */
static void lay_cells(Smoothed *s, const mote_System *system)
{
    double high[3], most = 4 * (double)system->count + 64;
    find_bounds(s, system, high);
    s->edge = s->reach;
    while (count_cells(s, high) > most) s->edge *= 1.25;
}

static size_t cell_of(const Smoothed *s, const mote_real *const x[3], size_t row)
{
    size_t number = 0;
    for (int c = 2; c >= 0; --c) {
        double at = floor(((double)x[c][row] - s->low[c]) / s->edge);
        size_t cell = at > 0 ? (size_t)at : 0;
        if (cell >= s->cells[c]) cell = s->cells[c] - 1;
        number = number * s->cells[c] + cell;
    }
    return number;
}

static bool make_room(Smoothed *s, const mote_System *system)
{
    size_t cells = s->cells[0] * s->cells[1] * s->cells[2];
    s->count = system->count;
    s->stride = s->count + 1;
    return memory_reserve(s->memory, (void **)&s->start, &s->start_capacity, cells + 2,
                          sizeof *s->start) &&
           memory_reserve(s->memory, (void **)&s->planes, &s->plane_capacity, PLANES * s->stride,
                          sizeof *s->planes);
}

/* ---- particles into cells ---- */

static void copy_row(Smoothed *s, const mote_System *system, const mote_Column *column,
                     size_t component, size_t row, size_t to)
{
    const mote_Column *density = mote_system_column(system, "density");
    mote_real mass = column_real(&system->columns[COLUMN_MASS], 0)[row];
    bool known = system->rest_density > 0 && density != NULL;
    double rho = known ? column_value(density, 0, row) : 1;
    for (int c = 0; c < 3; ++c) {
        int from = (int)component + c;
        plane(s, PLANE_X + c)[to] = column_real(&system->columns[COLUMN_POSITION], c)[row];
        plane(s, PLANE_A + c)[to] =
            from < column->components ? (mote_real)column_value(column, from, row) : 0;
    }
    plane(s, PLANE_VOLUME)[to] = rho > 0 ? mass / (mote_real)rho : 0;
}

/* A counting sort: `start` is shifted by one while it counts. */
static void sort_rows(Smoothed *s, const mote_System *system, const mote_Column *column,
                      size_t component)
{
    const mote_Column *position = &system->columns[COLUMN_POSITION];
    const mote_real *const x[3] = {column_real(position, 0), column_real(position, 1),
                                   column_real(position, 2)};
    size_t cells = s->cells[0] * s->cells[1] * s->cells[2], *start = s->start;
    memset(start, 0, (cells + 2) * sizeof *start);
    for (size_t i = 0; i < s->count; ++i) ++start[cell_of(s, x, i) + 2];
    for (size_t k = 2; k < cells + 2; ++k) start[k] += start[k - 1];
    for (size_t i = 0; i < s->count; ++i)
        copy_row(s, system, column, component, i, start[cell_of(s, x, i) + 1]++);
}

/* ---- sums around a point ---- */

/* What is added up; A stands for three components. */
typedef struct Sums {
    double count, volume, weight;
    double mean[3], volumes[3], kernel[3], laplacian[3];
    double gradient[3]; /* of the first component */
} Sums;

static void add_row(const Smoothed *s, size_t row, const double d[3], double r, Sums *sums)
{
    double v = (double)plane(s, PLANE_VOLUME)[row];
    double w = v * smoothing_value(s->kernel, s->dimension, s->reach, r);
    double slope = v * smoothing_slope(s->kernel, s->dimension, s->reach, r);
    double laplacian = v * smoothing_laplacian(s->kernel, s->dimension, s->reach, r);
    sums->count += 1, sums->volume += v, sums->weight += w;
    for (int c = 0; c < 3; ++c) {
        double a = (double)plane(s, PLANE_A + c)[row];
        sums->mean[c] += a;
        sums->volumes[c] += v * a;
        sums->kernel[c] += w * a;
        sums->laplacian[c] += laplacian * a;
        sums->gradient[c] += slope * d[c] * (double)plane(s, PLANE_A)[row];
    }
}

static void add_cell(const Smoothed *s, size_t cell, const double at[3], Sums *sums)
{
    for (size_t i = s->start[cell]; i < s->start[cell + 1]; ++i) {
        double d[3], r2 = 0;
        for (int c = 0; c < 3; ++c) {
            d[c] = at[c] - (double)plane(s, PLANE_X + c)[i];
            r2 += d[c] * d[c];
        }
        if (r2 < s->reach * s->reach) add_row(s, i, d, sqrt(r2), sums);
    }
}

/* The cells [first, end) of an axis that may hold particles within reach. */
static void reached(const Smoothed *s, int c, double at, size_t *first, size_t *end)
{
    double from = floor((at - s->reach - s->low[c]) / s->edge);
    double to = floor((at + s->reach - s->low[c]) / s->edge) + 1;
    double most = (double)s->cells[c];
    *first = from > 0 ? (from < most ? (size_t)from : s->cells[c]) : 0;
    *end = to > 0 ? (to < most ? (size_t)to : s->cells[c]) : 0;
}

static void add_image(const Smoothed *s, const double at[3], Sums *sums)
{
    size_t first[3], end[3];
    for (int c = 0; c < 3; ++c) reached(s, c, at[c], &first[c], &end[c]);
    for (size_t z = first[2]; z < end[2]; ++z)
        for (size_t y = first[1]; y < end[1]; ++y)
            for (size_t x = first[0]; x < end[0]; ++x)
                add_cell(s, (z * s->cells[1] + y) * s->cells[0] + x, at, sums);
}

/* The point, and its images one period away. */
static Sums sums_at(const Smoothed *s, const double at[3])
{
    Sums sums = {0};
    int most[3];
    for (int c = 0; c < 3; ++c) most[c] = s->period[c] > 0 ? 1 : 0;
    if (s->count == 0) return sums;
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

/* The masses are in the plane of volumes, so the kernel's weight is the density. */
static void density_body(void *context, size_t begin, size_t end, int worker)
{
    const Smoothed *s = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const double at[3] = {(double)plane(s, 0)[i], (double)plane(s, 1)[i],
                              (double)plane(s, 2)[i]};
        plane(s, PLANE_DENSITY)[i] = (mote_real)sums_at(s, at).weight;
    }
}

static void find_volumes(Smoothed *s)
{
    mote_real *volume = plane(s, PLANE_VOLUME), *density = plane(s, PLANE_DENSITY);
    mote_parallel_for(s->tasks, s->count, ROWS_PER_TASK, density_body, s);
    for (size_t i = 0; i < s->count; ++i) volume[i] = density[i] > 0 ? volume[i] / density[i] : 0;
}

mote_Status smoothed_prepare(Field *field, double t, double dt, mote_Error *error)
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
    lay_cells(s, system);
    if (!make_room(s, system)) return status_no_memory(error, field->object.name, system->count);
    const mote_Column *column = mote_system_column(system, field->particles.column);
    sort_rows(s, system, column, (size_t)p->component);
    bool liquid = system->rest_density > 0 && mote_system_column(system, "density") != NULL;
    if (!liquid) find_volumes(s);
    return MOTE_OK;
}

/* ---- samples ---- */

static double ratio(double sum, double weight)
{
    return weight > 0 ? sum / weight : 0;
}

static double estimate_of(const Sums *sums, int estimate, int c)
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

static Sums sums_of_point(const Field *field, const FieldPoints *points, size_t i)
{
    const double at[3] = {(double)points->x[0][i], (double)points->x[1][i],
                          (double)points->x[2][i]};
    return sums_at(field->state, at);
}

void smoothed_sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_SmoothedField *p = field->object.params;
    for (size_t i = 0; i < points->count; ++i) {
        Sums sums = sums_of_point(field, points, i);
        out[0][i] = (mote_real)estimate_of(&sums, p->estimate, 0);
    }
}

void smoothed_sample_vector(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_SmoothedField *p = field->object.params;
    for (size_t i = 0; i < points->count; ++i) {
        Sums sums = sums_of_point(field, points, i);
        for (int c = 0; c < 3; ++c) out[c][i] = (mote_real)estimate_of(&sums, p->estimate, c);
    }
}

void smoothed_sample_gradient(const Field *field, const FieldPoints *points,
                              mote_real *const out[3])
{
    for (size_t i = 0; i < points->count; ++i) {
        Sums sums = sums_of_point(field, points, i);
        for (int c = 0; c < 3; ++c) out[c][i] = (mote_real)sums.gradient[c];
    }
}
