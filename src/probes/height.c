/* The height of a liquid above a point. Along the vertical line the filling, the sum of V W over
 * the particles, is laid out in samples; a place is in the liquid where it is at least 1/2, which
 * is its value at a flat surface. Counted from the bottom of the line, a mirror image below which
 * stands for the floor. */
#include "base/status.h"
#include "base/vec.h"
#include "probes/estimate.h"

#include <math.h>
#include <string.h>

enum { PER_REACH = 16, MOST_SAMPLES = 1 << 20 };

static const char *const system_kind[] = {"system", NULL};
static const char *const measures[] = {"top", "wetted", NULL};

static const mote_Param params[] = {
    PARAM_NAME(mote_HeightProbe, system, "the liquid", system_kind),
    PARAM_VEC3(mote_HeightProbe, at, "m", "bottom of the line, where heights count from", 0, 0, 0),
    PARAM_CHOICE(mote_HeightProbe, measure,
                 "highest liquid above it, or how much of the line is in liquid", measures, 0),
    PARAM_REAL(mote_HeightProbe, reach, "m",
               "radius within which particles count; 0: that of the liquid", 0, 0, PARAM_LARGEST),
};
static const mote_ProbeColumn columns[] = {{"height", "m"}};

/* The line above `at`: filling at heights k step. */
typedef struct HeightLine {
    const ProbeSite *site;
    mote_Vec3 at;
    double reach, step;
    Limbs *filling; /* in no order of the rows */
    size_t count;
} HeightLine;

static double along(const ProbeSite *site, mote_Vec3 d)
{
    const mote_real c[3] = {d.x, d.y, d.z};
    return (double)c[site->up];
}

/* Where a particle is, seen from the line: its height, and its distance. */
static bool place_of(const HeightLine *line, mote_Vec3 x, double *height, double *across2)
{
    mote_Vec3 d = estimate_way(line->site, line->at, x);
    *height = along(line->site, d);
    *across2 = (double)vec3_dot(d, d) - *height * *height;
    return *across2<line->reach * line->reach && * height> - line->reach;
}

static void add_particle(const HeightLine *line, double height, double across2, double volume)
{
    double first = ceil((height - line->reach) / line->step);
    size_t k = first > 0 ? (size_t)first : 0;
    for (; k < line->count; ++k) {
        double d = (double)k * line->step - height;
        if (d >= line->reach) break;
        double r = sqrt(across2 + d * d);
        limbs_add(&line->filling[k],
                  volume * estimate_kernel(r, line->reach, line->site->dimension));
    }
}

static mote_Vec3 position_of(const mote_System *system, size_t row)
{
    const mote_Column *position = &system->columns[COLUMN_POSITION];
    return vec3(column_real(position, 0)[row], column_real(position, 1)[row],
                column_real(position, 2)[row]);
}

/* The upper end of the highest particle; below 0 when there is none. */
static double highest(const HeightLine *line, const mote_System *system)
{
    const mote_real *radius = column_real(&system->columns[COLUMN_RADIUS], 0);
    double most = -1, height, across2;
    for (size_t i = 0; i < system->count; ++i)
        if (place_of(line, position_of(system, i), &height, &across2) &&
            height + (double)radius[i] > most)
            most = height + (double)radius[i];
    probe_most(line->site, &most, 1);
    return most;
}

static void lay_out(const HeightLine *line, const mote_System *system)
{
    const Volumes volumes = estimate_volumes(system);
    double height, across2;
    memset(line->filling, 0, line->count * sizeof *line->filling);
    for (size_t i = 0; i < system->count; ++i) {
        if (!place_of(line, position_of(system, i), &height, &across2)) continue;
        add_particle(line, height, across2, volume_of(&volumes, i));
        if (height > 0 && height < line->reach)
            add_particle(line, -height, across2, volume_of(&volumes, i)); /* the mirror image */
    }
    probe_sum(line->site, line->filling, line->count);
}

/* How much of the piece between two samples is in the liquid. Linear between two samples, for the
 * level 1/2. */
static double wet_share(double below, double above)
{
    const double edge = 0.5;
    if (below >= edge && above >= edge) return 1;
    if (below < edge && above < edge) return 0;
    double share = (edge - below) / (above - below);
    return below >= edge ? share : 1 - share;
}

static double filling_at(const HeightLine *line, size_t k)
{
    return limbs_value(&line->filling[k]);
}

static double wetted(const HeightLine *line)
{
    double sum = 0;
    for (size_t k = 0; k + 1 < line->count; ++k)
        sum += wet_share(filling_at(line, k), filling_at(line, k + 1));
    return sum * line->step;
}

static double top(const HeightLine *line)
{
    for (size_t k = line->count - 1; k > 0; --k) {
        double share = wet_share(filling_at(line, k - 1), filling_at(line, k));
        if (share > 0) return ((double)(k - 1) + share) * line->step;
    }
    return 0;
}

static mote_Status open(Probe *probe, const char *where, mote_Error *error)
{
    const mote_HeightProbe *p = probe->object.params;
    if (p->measure == MOTE_HEIGHT_WETTED && !(probe->system->rest_density > 0))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: system %s is no liquid, so nothing is wetted; measure the top",
                           where, probe->system->name);
    return estimate_check_reach(probe, p->reach, where, error);
}

static bool sample(Probe *probe, const ProbeSite *site, double *values)
{
    const mote_HeightProbe *p = probe->object.params;
    HeightLine line = {.site = site,
                       .at = p->at,
                       .reach = (double)estimate_reach(probe, p->reach),
                       .step = (double)estimate_reach(probe, p->reach) / PER_REACH};
    double most = highest(&line, probe->system);
    values[0] = most > 0 ? most : 0;
    if (!(most > 0) || !estimate_has_volumes(probe->system)) return true;
    most += line.reach;
    if (most / line.step > MOST_SAMPLES - 3) line.step = most / (MOST_SAMPLES - 3);
    line.count = (size_t)(most > 0 ? most / line.step : 0) + 2;
    const bool room = memory_reserve(site->memory, (void **)&probe->line, &probe->line_capacity,
                                     line.count, sizeof *probe->line);
    if (!probe_has_room(site, room)) return false;
    line.filling = probe->line;
    lay_out(&line, probe->system);
    values[0] = p->measure == MOTE_HEIGHT_WETTED ? wetted(&line) : top(&line);
    return true;
}

const ProbeRow probe_height = {
    .head = ROW_HEAD("height", "height of a liquid above a point", params, mote_HeightProbe),
    PROBE_COLUMNS(columns),
    .open = open,
    .sample = sample,
};
