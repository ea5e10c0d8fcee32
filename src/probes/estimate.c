/* Smoothed quantities at a point. All rows are looked at: a probe is one point, and a pass over the
 * positions costs less than any table of neighbours. Those near are summed as integers: the order
 * of rows does not count.
 *
 * The quantity is sum V f W / sum V W (Shepard's normalised form), so that a constant is itself
 * also beside a wall or a surface, where the kernel is not full; `filled` is the sum below. */
#include "probes/estimate.h"

#include "base/status.h"
#include "base/vec.h"

#include <math.h>

/* The nearest image: d less the whole periods next to it. */
static mote_real wrap(mote_real d, mote_real period)
{
    if (period <= 0) return d;
    return d - period * (mote_real)floor((double)(d / period) + 0.5);
}

mote_Vec3 estimate_way(const ProbeSite *site, mote_Vec3 from, mote_Vec3 to)
{
    mote_Vec3 d = vec3_sub(to, from);
    return vec3(wrap(d.x, site->period.x), wrap(d.y, site->period.y), wrap(d.z, site->period.z));
}

mote_real estimate_reach(const Probe *probe, mote_real given)
{
    return given > 0 ? given : probe->system->support;
}

mote_Status estimate_check_reach(const Probe *probe, mote_real given, const char *where,
                                 mote_Error *error)
{
    if (given > 0 || probe->system->support > 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: system %s is no liquid and has no kernel of its own; set reach, the "
                       "radius in m within which particles count",
                       where, probe->system->name);
}

bool estimate_has_volumes(const mote_System *system)
{
    const mote_Column *density = mote_system_column(system, "density");
    return density != NULL && density->type == MOTE_COLUMN_REAL && system->rest_density > 0;
}

Volumes estimate_volumes(const mote_System *system)
{
    const mote_Column *density = mote_system_column(system, "density");
    if (!estimate_has_volumes(system)) return (Volumes){NULL, NULL};
    return (Volumes){column_real(&system->columns[COLUMN_MASS], 0), column_real(density, 0)};
}

typedef struct EstimateSums {
    Limbs filled, value[3];
} EstimateSums;

enum { SUMS_EACH = sizeof(EstimateSums) / sizeof(Limbs) };

/* Adds one particle. */
static void add_row(EstimateSums *sum, const mote_Column *column, size_t row, double weight)
{
    int components = column->components < 3 ? column->components : 3;
    limbs_add(&sum->filled, weight);
    for (int c = 0; c < components; ++c)
        limbs_add(&sum->value[c], weight * column_value(column, c, row));
}

static Estimate estimate_of(const EstimateSums *sums)
{
    Estimate estimate = {limbs_value(&sums->filled), {0}};
    for (int c = 0; c < 3; ++c) {
        estimate.value[c] = limbs_value(&sums->value[c]);
        if (estimate.filled > 0) estimate.value[c] /= estimate.filled;
    }
    return estimate;
}

void estimate_around(const Probe *probe, const ProbeSite *site, const mote_Column *column,
                     const EstimatePlace *place, Estimate *estimates)
{
    const mote_System *system = probe->system;
    const mote_Column *position = &system->columns[COLUMN_POSITION];
    const mote_real *x = column_real(position, 0), *y = column_real(position, 1),
                    *z = column_real(position, 2);
    const Volumes volumes = estimate_volumes(system);
    const mote_real reach = place->reach, far = (reach + place->radius) * (mote_real)1.001;
    EstimateSums sums[ESTIMATE_POINTS] = {{.filled = {.odd = 0}}};
    for (size_t i = 0; i < system->count; ++i) {
        mote_Vec3 at = vec3(x[i], y[i], z[i]), way = estimate_way(site, place->at, at);
        if (!(vec3_dot(way, way) < far * far)) continue;
        for (size_t k = 0; k < place->count; ++k) {
            mote_Vec3 d = estimate_way(site, place->points[k], at);
            mote_real r2 = vec3_dot(d, d);
            if (!(r2 < reach * reach)) continue;
            double w = estimate_kernel(sqrt((double)r2), (double)reach, site->dimension);
            add_row(&sums[k], column, i, volume_of(&volumes, i) * w);
        }
    }
    probe_sum(site, &sums[0].filled, place->count * SUMS_EACH);
    for (size_t k = 0; k < place->count; ++k) estimates[k] = estimate_of(&sums[k]);
}

Estimate estimate_at(const Probe *probe, const ProbeSite *site, const mote_Column *column,
                     mote_Vec3 at, mote_real reach)
{
    const EstimatePlace place = {at, 0, reach, &at, 1};
    Estimate estimate;
    estimate_around(probe, site, column, &place, &estimate);
    return estimate;
}
