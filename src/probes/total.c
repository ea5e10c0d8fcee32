/* Sums: over a system, and of what a collider got.
 *
 * Those over a system are in double and in the order of its rows. The error of density counts what
 * is denser than at rest: near a free surface every kernel is short of particles. */
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

static void add_motion(const mote_System *system, size_t row, double *sums)
{
    double mass = (double)column_real(&system->columns[COLUMN_MASS], 0)[row], speed2 = 0;
    for (int c = 0; c < 3; ++c) {
        double x = (double)column_real(&system->columns[COLUMN_POSITION], c)[row];
        double v = (double)column_real(&system->columns[COLUMN_VELOCITY], c)[row];
        sums[X + c] += mass * x;
        sums[PX + c] += mass * v;
        speed2 += v * v;
    }
    sums[MASS] += mass;
    sums[KINETIC] += 0.5 * mass * speed2;
    if (speed2 > sums[SPEED]) sums[SPEED] = speed2;
}

static void measure_density(const mote_System *system, double *sums)
{
    const mote_Column *column = mote_system_column(system, "density");
    sums[ERROR] = sums[ERROR_MAX] = (double)NAN;
    if (column == NULL || column->type != MOTE_COLUMN_REAL || !(system->rest_density > 0)) return;
    double sum = 0, most = 0;
    for (size_t i = 0; i < system->count; ++i) {
        double error = (double)column_real(column, 0)[i] / (double)system->rest_density - 1;
        if (!(error > 0)) continue;
        sum += error;
        if (error > most) most = error;
    }
    sums[ERROR] = system->count > 0 ? sum / (double)system->count : 0;
    sums[ERROR_MAX] = most;
}

static bool sample(Probe *probe, const ProbeSite *site, double *values)
{
    const mote_System *system = probe->system;
    (void)site;
    for (int c = 0; c < COLUMNS; ++c) values[c] = 0;
    for (size_t i = 0; i < system->count; ++i) add_motion(system, i, values);
    values[COUNT] = (double)system->count;
    for (int c = 0; c < 3; ++c)
        values[X + c] = values[MASS] > 0 ? values[X + c] / values[MASS] : (double)NAN;
    values[SPEED] = sqrt(values[SPEED]);
    measure_density(system, values);
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
