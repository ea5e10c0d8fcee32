/* An inflow: layers of a square lattice across the velocity, as deep as the lattice is wide, so
 * that what comes in is a lattice of liquid. In two dimensions a layer is a row. */
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"
#include "emit/emitter.h"

#include <math.h>

static const mote_Param params[] = {
    PARAM_REAL(mote_InflowSource, spacing, "m", "distance between neighbours", 0.02, PARAM_POSITIVE,
               PARAM_LARGEST),
    PARAM_REAL(mote_InflowSource, radius, "m", "radius of a round nozzle; 0: width and height", 0.1,
               0, PARAM_LARGEST),
    PARAM_REAL(mote_InflowSource, width, "m", "width of a rectangular nozzle, level", 0.2, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_InflowSource, height, "m", "its other side", 0.2, 0, PARAM_LARGEST),
};

/* Half of the nozzle's sides, in spacings. */
static void half_sides(const mote_InflowSource *p, double half[2])
{
    bool round = p->radius > 0;
    half[0] = (double)(round ? p->radius : p->width / 2) / (double)p->spacing;
    half[1] = (double)(round ? p->radius : p->height / 2) / (double)p->spacing;
}

/* Number of points across, and where the first is: symmetric, half a spacing from the sides. */
static int across(double half, double *first)
{
    double count = floor(2 * half + 1e-3);
    *first = -(count - 1) / 2;
    return count < 30000 ? (int)count : 30000;
}

static size_t lay_layer(const mote_InflowSource *p, const SourceSite *site, mote_Vec3 *points)
{
    const mote_Vec3 n = vec3_unit(site->velocity, vec3(0, 1, 0));
    const mote_Vec3 a = site->flat ? vec3(-n.y, n.x, 0) : vec3_across(n), b = vec3_cross(n, a);
    double half[2], first[2];
    half_sides(p, half);
    int columns = across(half[0], &first[0]), lines = across(half[1], &first[1]);
    size_t count = 0;
    if (site->flat) lines = 1, first[1] = 0;
    for (int j = 0; j < lines; ++j)
        for (int i = 0; i < columns; ++i) {
            double u = first[0] + i, v = first[1] + j;
            if (p->radius > 0 && u * u + v * v > half[0] * half[0]) continue;
            mote_Vec3 at = vec3_scale(a, (mote_real)u * p->spacing);
            if (points != NULL) points[count] = vec3_madd(at, (mote_real)v * p->spacing, b);
            ++count;
        }
    return count;
}

static mote_Status lay(const void *raw, const SourceSite *site, SourcePlaces *places,
                       mote_Error *error)
{
    const mote_InflowSource *p = raw;
    const size_t count = lay_layer(p, site, NULL);
    if (count == 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: no particle fits through its nozzle at a spacing of %g m; use a "
                           "smaller spacing or a wider nozzle",
                           site->where, (double)p->spacing);
    if (!places_take_list(places, site->memory, count))
        return status_no_memory(error, site->where, count * sizeof *places->list);
    lay_layer(p, site, places->list);
    return MOTE_OK;
}

static double stride(const void *raw)
{
    return (double)((const mote_InflowSource *)raw)->spacing;
}

static Aabb bounds(const void *raw)
{
    const mote_InflowSource *p = raw;
    mote_real side = real_max(p->radius, real_max(p->width, p->height) / 2);
    return (Aabb){{-side, -side, -side}, {side, side, side}};
}

ISA_ONCE(SourceRow, source_inflow) = {
    .head = ROW_HEAD("inflow",
                     "layers of liquid through a nozzle, that never overlap what is there", params,
                     mote_InflowSource),
    .lay = lay,
    .bounds = bounds,
    .stride = stride,
    .spacing = stride,
    .apart = 0.8,
};
