/* Probes at a point of a system: pressure, velocity, any column. */
#include "base/math.h"
#include "base/status.h"
#include "base/vec.h"
#include "collide/wall.h"
#include "probes/estimate.h"

#include <math.h>

static const char *const system_kind[] = {"system", NULL};
static const char *const column_kind[] = {"column", NULL};

#define REACH_PARAM(S)                                                                             \
    PARAM_REAL(S, reach, "m", "radius within which particles count; 0: that of the liquid", 0, 0,  \
               PARAM_LARGEST)

static const double pi = 3.14159265358979323846;

/* ---- pressure ---- */

static const mote_Param pressure_params[] = {
    PARAM_NAME(mote_PressureProbe, system, "the liquid", system_kind),
    PARAM_VEC3(mote_PressureProbe, at, "m", "where", 0, 0, 0),
    PARAM_REAL(mote_PressureProbe, radius, "m", "radius of a disc over which the mean is taken", 0,
               0, PARAM_LARGEST),
    PARAM_VEC3(mote_PressureProbe, normal, "", "direction the disc faces", 0, 1, 0),
    REACH_PARAM(mote_PressureProbe),
    PARAM_BOOL(mote_PressureProbe, wall,
               "what walls do to the liquid over their area, along `normal`, as a gauge in a wall "
               "feels it; needs solver.wall_forces",
               0),
    PARAM_BOOL(mote_PressureProbe, mean,
               "mean over the time since the last sample, as of a gauge; else at that moment", 0),
};
static const mote_ProbeColumn pressure_columns[] = {{"pressure", "Pa"}};

static mote_Status open_pressure(Probe *probe, const char *where, mote_Error *error)
{
    const mote_PressureProbe *p = probe->object.params;
    if (mote_system_column(probe->system, "pressure") == NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: system %s has no pressure; only liquids (solver sph) do", where,
                           probe->system->name);
    if (p->wall && mote_system_column(probe->system, "wall_force") == NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: the forces of walls are not kept; set wall_forces: true in the "
                           "solver of system %s",
                           where, probe->system->name);
    if ((p->radius > 0 || p->wall) && !(vec3_length(p->normal) > 0))
        return status_fail(error, MOTE_BAD_VALUE, "%s: normal is zero, but must be a direction",
                           where);
    return estimate_check_reach(probe, p->reach, where, error);
}

/* A lone drop at the edge of the kernel is no pressure on the whole of it, so less than a corner's
 * filling, 1/4, is not made up for. */
static double pressure_of(const Estimate *estimate)
{
    double share = estimate->filled < 0.25 ? estimate->filled / 0.25 : 1;
    return estimate->filled > 0 ? share * estimate->value[0] : 0;
}

enum { PAIRS = ESTIMATE_POINTS / 2, DISC = 2 * PAIRS };

/* Points of a sunflower, as even as points of a disc can be (Vogel 1979), and their opposites, so
 * that the mean of a linear pressure is that of the middle; the middle alone where there is no
 * disc. */
static size_t disc_points(const mote_PressureProbe *p, mote_Vec3 points[DISC])
{
    const mote_Vec3 n = vec3_unit(p->normal, vec3(0, 1, 0)), a = vec3_across(n);
    const mote_Vec3 b = vec3_cross(n, a);
    points[0] = p->at;
    if (!(p->radius > 0)) return 1;
    for (int k = 0; k < DISC; ++k) {
        double r = (double)p->radius * sqrt((k / 2 + 0.5) / PAIRS) * (k % 2 == 0 ? 1 : -1);
        double angle = k / 2 * pi * (3 - sqrt(5));
        points[k] = vec3_madd(p->at, (mote_real)(r * math_cos(angle)), a);
        points[k] = vec3_madd(points[k], (mote_real)(r * math_sin(angle)), b);
    }
    return DISC;
}

/* Wendland's C2 kernel over a face: an area, or in two dimensions a line. */
static double face_kernel(double r, double reach, int dimension)
{
    double q = r / reach, far = 1 - q;
    if (dimension == 3) return estimate_kernel(r, reach, 2);
    return q < 1 ? 1.25 / reach * far * far * far * (1 + 3 * q) : 0;
}

static bool is_open(const ProbeSite *site, mote_Vec3 x)
{
    for (size_t i = 0; i < site->collider_count; ++i)
        if (wall_distance(site->colliders[i], 1, x) < 0) return false;
    return true;
}

/* The share of a gauge's kernel that liquid can lie before: a floor beside it takes the rest.
 * Points are on circles, or on both sides of a line, a quarter of the depth off the wall. */
static double open_share(const ProbeSite *site, const mote_PressureProbe *p, mote_Vec3 n,
                         mote_real deep, mote_real across)
{
    enum { RINGS = 8, ANGLES = 16 };
    const mote_Vec3 foot = vec3_madd(p->at, deep / 4, n);
    const mote_Vec3 a = site->dimension == 2 ? vec3(-n.y, n.x, 0) : vec3_across(n);
    const mote_Vec3 b = vec3_cross(n, a);
    const int angles = site->dimension == 2 ? 2 : ANGLES;
    double open = 0, all = 0;
    for (int k = 0; k < RINGS; ++k) {
        double r = (double)across * (k + 0.5) / RINGS;
        double weight = face_kernel(r, (double)across, site->dimension);
        if (site->dimension == 3) weight *= r;
        for (int j = 0; j < angles; ++j) {
            double angle = 2 * pi * j / angles;
            mote_Vec3 x = vec3_madd(foot, (mote_real)(r * math_cos(angle)), a);
            if (site->dimension == 3) x = vec3_madd(x, (mote_real)(r * math_sin(angle)), b);
            all += weight;
            open += is_open(site, x) ? weight : 0;
        }
    }
    return open / all;
}

/* Force of walls on the particles before them, along the disc's normal, over area: by a kernel
 * around the middle, across the normal. Momentum is what a wall feels, also of a liquid that hits
 * it in lumps; pressures of particles are not. */
static double wall_pressure(const Probe *probe, const ProbeSite *site)
{
    const double least = 0.1; /* of the kernel; a gauge that is walled in feels nothing */
    const mote_PressureProbe *p = probe->object.params;
    const mote_System *system = probe->system;
    const mote_Column *force = mote_system_column(system, "wall_force");
    const mote_Column *position = &system->columns[COLUMN_POSITION];
    const mote_Vec3 n = vec3_unit(p->normal, vec3(0, 1, 0));
    const mote_real deep = system->support, across = p->radius > deep ? p->radius : deep;
    const mote_real far = deep + across, *along_x = column_real(position, 0);
    Limbs all = {.odd = 0};
    for (size_t i = 0; i < system->count; ++i) {
        if (site->period.x == 0 && REAL_ABS(along_x[i] - p->at.x) > far) continue; /* most are */
        mote_Vec3 x = vec3(along_x[i], column_real(position, 1)[i], column_real(position, 2)[i]);
        mote_Vec3 way = estimate_way(site, p->at, x);
        mote_real along = vec3_dot(way, n);
        if (!(REAL_ABS(along) < deep)) continue;
        double r = (double)vec3_length(vec3_madd(way, -along, n));
        mote_Vec3 f =
            vec3(column_real(force, 0)[i], column_real(force, 1)[i], column_real(force, 2)[i]);
        limbs_add(&all, (double)vec3_dot(f, n) * face_kernel(r, (double)across, site->dimension));
    }
    probe_sum(site, &all, 1);
    const double sum = limbs_value(&all);
    if (sum == 0) return 0;
    double share = open_share(site, p, n, deep, across);
    return sum / (share > least ? share : least);
}

static double pressure_now(const Probe *probe, const ProbeSite *site)
{
    const mote_PressureProbe *p = probe->object.params;
    if (p->wall) return wall_pressure(probe, site);
    const mote_Column *column = mote_system_column(probe->system, "pressure");
    mote_Vec3 points[DISC];
    Estimate estimates[DISC];
    const size_t count = disc_points(p, points);
    const EstimatePlace place = {p->at, p->radius, estimate_reach(probe, p->reach), points, count};
    estimate_around(probe, site, column, &place, estimates);
    double sum = 0;
    for (size_t k = 0; k < count; ++k) sum += pressure_of(&estimates[k]);
    return sum / (double)count;
}

enum { SAVED_INTEGRAL, SAVED_TIME };

static void watch_pressure(Probe *probe, const ProbeSite *site, double dt)
{
    const mote_PressureProbe *p = probe->object.params;
    if (!p->mean) return;
    probe->saved[SAVED_INTEGRAL] += dt * pressure_now(probe, site);
    probe->saved[SAVED_TIME] += dt;
}

/* Before any time has passed, a mean is that of the moment. */
static bool sample_pressure(Probe *probe, const ProbeSite *site, double *values)
{
    const mote_PressureProbe *p = probe->object.params;
    double *saved = probe->saved;
    if (!p->mean || !(saved[SAVED_TIME] > 0)) return values[0] = pressure_now(probe, site), true;
    values[0] = saved[SAVED_INTEGRAL] / saved[SAVED_TIME];
    saved[SAVED_INTEGRAL] = saved[SAVED_TIME] = 0;
    return true;
}

const ProbeRow probe_pressure = {
    .head = ROW_HEAD("pressure", "pressure of a liquid at a point, or its mean over a disc",
                     pressure_params, mote_PressureProbe),
    PROBE_COLUMNS(pressure_columns),
    .open = open_pressure,
    .sample = sample_pressure,
    .watch = watch_pressure,
};

/* ---- velocity ---- */

static const mote_Param velocity_params[] = {
    PARAM_NAME(mote_VelocityProbe, system, "the system", system_kind),
    PARAM_VEC3(mote_VelocityProbe, at, "m", "where", 0, 0, 0),
    REACH_PARAM(mote_VelocityProbe),
};
static const mote_ProbeColumn velocity_columns[] = {{"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}};

static mote_Status open_velocity(Probe *probe, const char *where, mote_Error *error)
{
    const mote_VelocityProbe *p = probe->object.params;
    return estimate_check_reach(probe, p->reach, where, error);
}

static void put_estimate(const Estimate *estimate, size_t count, double *values)
{
    for (size_t c = 0; c < count; ++c)
        values[c] = estimate->filled > 0 ? estimate->value[c] : (double)NAN;
}

static bool sample_velocity(Probe *probe, const ProbeSite *site, double *values)
{
    const mote_VelocityProbe *p = probe->object.params;
    Estimate estimate = estimate_at(probe, site, &probe->system->columns[COLUMN_VELOCITY], p->at,
                                    estimate_reach(probe, p->reach));
    put_estimate(&estimate, 3, values);
    return true;
}

const ProbeRow probe_velocity = {
    .head = ROW_HEAD("velocity", "mean velocity of the particles around a point, by a kernel",
                     velocity_params, mote_VelocityProbe),
    PROBE_COLUMNS(velocity_columns),
    .open = open_velocity,
    .sample = sample_velocity,
};

/* ---- any column ---- */

static const mote_Param column_params[] = {
    PARAM_NAME(mote_ColumnProbe, system, "the system", system_kind),
    PARAM_NAME(mote_ColumnProbe, column, "name of a column of its particles", column_kind),
    PARAM_VEC3(mote_ColumnProbe, at, "m", "where", 0, 0, 0),
    REACH_PARAM(mote_ColumnProbe),
};
static const mote_ProbeColumn column_columns[] = {{"value", ""}, {"value_y", ""}, {"value_z", ""}};

static mote_Status open_column(Probe *probe, const char *where, mote_Error *error)
{
    const mote_ColumnProbe *p = probe->object.params;
    const char *name = probe->column_name != NULL ? probe->column_name : "";
    const mote_Column *column = mote_system_column(probe->system, name);
    if (column == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "%s: system %s has no column `%s`", where,
                           probe->system->name, name);
    probe->column_count = column->components < 3 ? (size_t)column->components : 3;
    return estimate_check_reach(probe, p->reach, where, error);
}

static bool sample_column(Probe *probe, const ProbeSite *site, double *values)
{
    const mote_ColumnProbe *p = probe->object.params;
    const mote_Column *column = mote_system_column(probe->system, probe->column_name);
    Estimate estimate = estimate_at(probe, site, column, p->at, estimate_reach(probe, p->reach));
    put_estimate(&estimate, probe->column_count, values);
    return true;
}

const ProbeRow probe_column = {
    .head = ROW_HEAD("column", "mean of a column of the particles around a point, by a kernel",
                     column_params, mote_ColumnProbe),
    PROBE_COLUMNS(column_columns),
    .open = open_column,
    .sample = sample_column,
};
