/* Sums: over a system, and of what a collider got.
 *
 * Those over a system are of each row by itself, so that the order of rows does not count. The
 * error of density counts what is denser than at rest: near a free surface every kernel is short of
 * particles. */
#include "probes/probe.h"

#include <assert.h>

#include <math.h>
#include <string.h>

static const char *const system_kind[] = {"system", NULL};

static const mote_Param params[] = {
    PARAM_NAME(mote_TotalProbe, system, "the system", system_kind),
};

enum { COUNT, MASS, X, PX = X + 3, KINETIC = PX + 3, SPEED, ERROR, ERROR_MAX, COLUMNS };

static const mote_ProbeColumn columns[COLUMNS] = {{"count", ""},
                                                  {"mass", "kg"},
                                                  {"x", "m"},
                                                  {"y", "m"},
                                                  {"z", "m"},
                                                  {"momentum_x", "kg m/s"},
                                                  {"momentum_y", "kg m/s"},
                                                  {"momentum_z", "kg m/s"},
                                                  {"kinetic", "J"},
                                                  {"speed_max", "m/s"},
                                                  {"density_error", ""},
                                                  {"density_error_max", ""}};

static_assert((int)COLUMNS <= (int)MOTE_PROBE_COLUMNS, "a probe has room for its columns");

/* Some of the rows, and a number of each of them. */
typedef struct TotalRows {
    const mote_System *system;
    size_t first, count;
    double numbers[LIMBS_AT_ONCE];
} TotalRows;

/* The masses, times a component of a column. */
static void add_moments(TotalRows *rows, int column, int c, Limbs *sum)
{
    const mote_real *mass = column_real(&rows->system->columns[COLUMN_MASS], 0) + rows->first;
    const mote_real *of = column_real(&rows->system->columns[column], c) + rows->first;
    for (size_t i = 0; i < rows->count; ++i) rows->numbers[i] = (double)mass[i] * (double)of[i];
    limbs_add_many(sum, rows->numbers, rows->count);
}

/* Returns the largest square of a speed. */
static double add_energies(TotalRows *rows, Limbs *sums)
{
    const mote_real *mass = column_real(&rows->system->columns[COLUMN_MASS], 0) + rows->first;
    double squares[LIMBS_AT_ONCE] = {0}, most = 0;
    for (int c = 0; c < 3; ++c) {
        const mote_real *v = column_real(&rows->system->columns[COLUMN_VELOCITY], c) + rows->first;
        for (size_t i = 0; i < rows->count; ++i) squares[i] += (double)v[i] * (double)v[i];
    }
    for (size_t i = 0; i < rows->count; ++i) {
        rows->numbers[i] = (double)mass[i];
        if (squares[i] > most) most = squares[i];
        squares[i] *= 0.5 * (double)mass[i];
    }
    limbs_add_many(&sums[MASS], rows->numbers, rows->count);
    limbs_add_many(&sums[KINETIC], squares, rows->count);
    return most;
}

static const mote_Column *density_of(const mote_System *system)
{
    const mote_Column *column = mote_system_column(system, "density");
    const bool has = column != NULL && column->type == MOTE_COLUMN_REAL;
    return has && system->rest_density > 0 ? column : NULL;
}

/* Returns the largest. */
static double add_errors(TotalRows *rows, const mote_Column *density, Limbs *sum)
{
    double most = 0;
    for (size_t i = 0; i < rows->count; ++i) {
        double error =
            (double)column_real(density, 0)[rows->first + i] / (double)rows->system->rest_density -
            1;
        rows->numbers[i] = error > 0 ? error : 0;
        if (error > most) most = error;
    }
    limbs_add_many(sum, rows->numbers, rows->count);
    return most;
}

static double larger(double a, double b)
{
    return b > a ? b : a;
}

static void finish(const mote_System *system, double *values)
{
    for (int c = 0; c < 3; ++c)
        values[X + c] = values[MASS] > 0 ? values[X + c] / values[MASS] : (double)NAN;
    values[SPEED] = sqrt(values[SPEED]);
    values[ERROR] = values[COUNT] > 0 ? values[ERROR] / values[COUNT] : 0;
    if (density_of(system) == NULL) values[ERROR] = values[ERROR_MAX] = (double)NAN;
}

static bool sample(Probe *probe, const ProbeSite *site, double *values)
{
    const mote_System *system = probe->system;
    const mote_Column *density = density_of(system);
    Limbs sums[COLUMNS] = {{.odd = 0}};
    double speed2 = 0, error = 0;
    limbs_add(&sums[COUNT], (double)system->count);
    for (size_t first = 0; first < system->count; first += LIMBS_AT_ONCE) {
        const size_t left = system->count - first;
        TotalRows rows = {system, first, left < LIMBS_AT_ONCE ? left : LIMBS_AT_ONCE, {0}};
        for (int c = 0; c < 3; ++c) {
            add_moments(&rows, COLUMN_POSITION, c, &sums[X + c]);
            add_moments(&rows, COLUMN_VELOCITY, c, &sums[PX + c]);
        }
        speed2 = larger(speed2, add_energies(&rows, sums));
        if (density != NULL) error = larger(error, add_errors(&rows, density, &sums[ERROR]));
    }
    double most[] = {speed2, error};
    probe_sum(site, sums, COLUMNS);
    probe_most(site, most, 2);
    for (int c = 0; c < COLUMNS; ++c) values[c] = limbs_value(&sums[c]);
    values[SPEED] = most[0], values[ERROR_MAX] = most[1];
    finish(system, values);
    return true;
}

const ProbeRow probe_total = {
    .head =
        ROW_HEAD("total", "number, mass, centre, momentum, energy and density error of a system",
                 params, mote_TotalProbe),
    PROBE_COLUMNS(columns),
    .sample = sample,
};

/* ---- load ---- */

/* Force and torque on a collider: the impulses it got since the last sample, over that time. */

static const char *const collider_kind[] = {"collider", NULL};

static const mote_Param load_params[] = {
    PARAM_NAME(mote_LoadProbe, collider, "the collider", collider_kind),
};
static const mote_ProbeColumn load_columns[] = {{"fx", "N"},   {"fy", "N"},   {"fz", "N"},
                                                {"tx", "N m"}, {"ty", "N m"}, {"tz", "N m"}};

void probe_collect(Probe *probe)
{
    if (probe->collider == NULL) return;
    const mote_ColliderLoad *load = &probe->collider->load;
    double now[6];
    memcpy(now, load->impulse, sizeof load->impulse);
    memcpy(now + 3, load->angular, sizeof load->angular);
    for (int c = 0; c < 6; ++c) probe->saved[c] += now[c] - probe->seen[c];
    memcpy(probe->seen, now, sizeof now);
}

/* Before any time has passed there is no force to tell. */
static bool load_sample(Probe *probe, const ProbeSite *site, double *values)
{
    double *since = &probe->saved[6], span = site->t - *since;
    for (int c = 0; c < 6; ++c) {
        values[c] = span > 0 ? probe->saved[c] / span : (double)NAN;
        probe->saved[c] = 0;
    }
    *since = site->t;
    return true;
}

const ProbeRow probe_load = {
    .head = ROW_HEAD("load", "mean force and torque of particles on a collider", load_params,
                     mote_LoadProbe),
    PROBE_COLUMNS(load_columns),
    .sample = load_sample,
};
