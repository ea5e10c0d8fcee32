/* Slices: the quantity between the particles. */
#include "render/slice.h"

#include "base/status.h"
#include "base/text.h"
#include "particles/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ASKED = 48, NEAR = 8 }; /* particles whose neighbours are looked for; which of these */
enum { BINS = 1000 };          /* of values, for their range */

/* ---- what is asked for ---- */

static const char speed_of[] = "velocity"; /* whose length it is */

static const char *column_name(const void *context, size_t i)
{
    const mote_FrameSystem *system = context;
    return i < system->column_count ? system->columns[i].name : NULL;
}

static const char *system_name(const void *context, size_t i)
{
    const mote_Frame *frame = context;
    return i < frame->system_count ? frame->systems[i].name : NULL;
}

static void list_names(const char *(*name)(const void *, size_t), const void *context, char *text,
                       size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; name(context, i) != NULL && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%.40s", i > 0 ? ", " : "",
                                 name(context, i));
}

static mote_Status no_system(const mote_Frame *frame, const char *name, mote_Error *error)
{
    char names[240];
    const char *near = text_nearest(name, system_name, frame);
    list_names(system_name, frame, names, sizeof names);
    return status_fail(error, MOTE_BAD_VALUE,
                       "slice: there is no system `%.60s`%s%s%s; there are: %s", name,
                       near != NULL ? "; did you mean `" : "", near != NULL ? near : "",
                       near != NULL ? "`?" : "", names[0] != '\0' ? names : "none");
}

static mote_Status no_column(const mote_FrameSystem *system, const char *name, mote_Error *error)
{
    char names[240];
    list_names(column_name, system, names, sizeof names);
    return status_fail(error, MOTE_BAD_VALUE,
                       "slice: particles of %.60s have no `%.60s`; they have speed, %s",
                       system->name, name, names);
}

/* ".x", ".y", ".z" or nothing behind a name. */
static int read_component(const char *name, size_t *length)
{
    *length = strlen(name);
    if (*length < 3 || name[*length - 2] != '.') return -1;
    const int part = name[*length - 1] - 'x';
    if (part < 0 || part > 2) return -1;
    *length -= 2;
    return part;
}

/* Without a name, the first system that has the column. */
static const mote_FrameSystem *find_system(const mote_Frame *frame, const char *name,
                                           const char *column)
{
    if (name != NULL) return mote_frame_system(frame, name);
    for (size_t i = 0; i < frame->system_count; ++i)
        if (frame->systems[i].count > 0 && mote_frame_column(&frame->systems[i], column) != NULL)
            return &frame->systems[i];
    return frame->system_count > 0 ? &frame->systems[0] : NULL;
}

mote_Status slice_quantity(const mote_Frame *frame, const mote_Slice *slice, SliceQuantity *out,
                           mote_Error *error)
{
    char column[64];
    size_t length;
    const char *wanted = slice->column != NULL ? slice->column : "speed";
    if (strcmp(wanted, "speed") == 0) wanted = speed_of;
    out->component = read_component(wanted, &length);
    snprintf(column, sizeof column, "%.*s", (int)(length < 60 ? length : 60), wanted);
    out->system = find_system(frame, slice->system, column);
    if (out->system == NULL)
        return no_system(frame, slice->system != NULL ? slice->system : "", error);
    out->column = mote_frame_column(out->system, column);
    if (out->column == NULL || out->component >= out->column->components)
        return no_column(out->system, slice->column != NULL ? slice->column : wanted, error);
    if (out->column->components == 1) out->component = 0;
    if (mote_frame_column(out->system, "position") != NULL) return MOTE_OK;
    return no_column(out->system, "position", error);
}

static double value_at(const SliceQuantity *q, size_t row)
{
    return q->component >= 0 ? column_value(q->column, q->component, row)
                             : column_length(q->column, row);
}

/* ---- how far particles speak ---- */

/* The square of the distance of a particle's eighth neighbour. */
static double eighth(const mote_Column *position, size_t count, size_t row)
{
    double nearest[NEAR];
    for (int n = 0; n < NEAR; ++n) nearest[n] = HUGE_VAL;
    for (size_t i = 0; i < count; ++i) {
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            const double d = column_value(position, k, i) - column_value(position, k, row);
            square += d * d;
        }
        if (i == row || !(square < nearest[NEAR - 1])) continue;
        int n = NEAR - 1;
        for (; n > 0 && nearest[n - 1] > square; --n) nearest[n] = nearest[n - 1];
        nearest[n] = square;
    }
    return nearest[NEAR - 1];
}

/* The middle one of some particles, so that those which fly alone do not count. */
double slice_reach(const mote_FrameSystem *system)
{
    const mote_Column *position = mote_frame_column(system, "position");
    const size_t count = system->count, asked = count < ASKED ? count : ASKED;
    double sorted[ASKED];
    if (count <= NEAR) return 1;
    for (size_t n = 0; n < asked; ++n) {
        const double square = eighth(position, count, n * count / asked);
        size_t at = n;
        for (; at > 0 && sorted[at - 1] > square; --at) sorted[at] = sorted[at - 1];
        sorted[at] = square;
    }
    const double middle = sqrt(sorted[asked / 2]);
    return middle > 0 && middle < HUGE_VAL ? 1.7 * middle : 1;
}

/* ---- sums ---- */

/* Of weights, and of weights times offsets d of the particles and their values v: w, w d, w d d
 * (xx, yy, zz, yz, xz, xy), w v, w v d. */
typedef struct SliceSums {
    double w, wd[3], wdd[6], wv, wvd[3];
} SliceSums;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add_particle(SliceSums *s, const double d[3], double reach, double value)
{
    const double q2 = dot(d, d) / (reach * reach);
    if (!(q2 < 1)) return;
    const double w = (1 - q2) * (1 - q2);
    s->w += w, s->wv += w * value;
    for (int k = 0; k < 3; ++k) {
        const int a = k == 0 ? 1 : 0, b = k == 2 ? 1 : 2; /* the other two */
        s->wd[k] += w * d[k], s->wvd[k] += w * value * d[k];
        s->wdd[k] += w * d[k] * d[k], s->wdd[3 + k] += w * d[a] * d[b];
    }
}

/* Samples from which a particle is nearer than its reach. */
static void spread(const SliceGrid *g, const double at[3], double reach, double value,
                   SliceSums *sums)
{
    double to[3], u[2];
    for (int k = 0; k < 3; ++k) to[k] = at[k] - g->corner[k];
    u[0] = dot(to, g->across) / (g->step * g->step), u[1] = dot(to, g->down) / (g->step * g->step);
    const double flat2 = (u[0] * u[0] + u[1] * u[1]) * g->step * g->step;
    const double room2 = reach * reach - (dot(to, to) - flat2);
    if (!(room2 > 0) || !isfinite(value)) return;
    const double room = sqrt(room2) / g->step;
    const double ends[4] = {ceil(u[0] - room), floor(u[0] + room), ceil(u[1] - room),
                            floor(u[1] + room)};
    const int left = ends[0] > 0 ? (int)fmin(ends[0], g->columns) : 0;
    const int top = ends[2] > 0 ? (int)fmin(ends[2], g->rows) : 0;
    for (int j = top; j < g->rows && j <= ends[3]; ++j)
        for (int i = left; i < g->columns && i <= ends[1]; ++i) {
            double d[3];
            for (int k = 0; k < 3; ++k) d[k] = to[k] - i * g->across[k] - j * g->down[k];
            add_particle(&sums[(size_t)j * (size_t)g->columns + (size_t)i], d, reach, value);
        }
}

/* x of m x = b for a symmetric matrix with positive eigenvalues (xx, yy, zz, yz, xz, xy), by
 * Cramer's rule. */
static void solve3(const double m[6], const double b[3], double x[3])
{
    const double c[6] = {m[1] * m[2] - m[3] * m[3], m[0] * m[2] - m[4] * m[4],
                         m[0] * m[1] - m[5] * m[5], m[4] * m[5] - m[0] * m[3],
                         m[3] * m[5] - m[1] * m[4], m[3] * m[4] - m[2] * m[5]};
    const double whole = m[0] * c[0] + m[5] * c[5] + m[4] * c[4];
    x[0] = (c[0] * b[0] + c[5] * b[1] + c[4] * b[2]) / whole;
    x[1] = (c[5] * b[0] + c[1] * b[1] + c[3] * b[2]) / whole;
    x[2] = (c[4] * b[0] + c[3] * b[1] + c[2] * b[2]) / whole;
}

/* The fit at the sample itself. A little is added to the second moments, so that particles in one
 * plane, or few of them, give a mean instead of a guess. */
static double fit(const SliceSums *s, double reach, double *covered)
{
    double m[6], x[3];
    *covered = 0;
    if (!(s->w > 0)) return 0;
    for (int k = 0; k < 6; ++k) m[k] = s->wdd[k] + (k < 3 ? 1e-6 * s->w * reach * reach : 0);
    solve3(m, s->wd, x);
    const double rest = s->w - dot(s->wd, x);
    *covered = rest / s->w;
    return rest > 1e-9 * s->w ? (s->wv - dot(s->wvd, x)) / rest : s->wv / s->w;
}

bool slice_sample(const SliceGrid *grid, const SliceQuantity *q, double reach, Arena *arena,
                  double *values, double *covered)
{
    const size_t samples = (size_t)grid->columns * (size_t)grid->rows;
    const mote_Column *position = mote_frame_column(q->system, "position");
    SliceSums *sums = arena_take(arena, samples * sizeof *sums);
    if (sums == NULL) return false;
    memset(sums, 0, samples * sizeof *sums);
    for (size_t i = 0; i < q->system->count; ++i) {
        double at[3];
        for (int k = 0; k < 3; ++k) at[k] = column_value(position, k, i);
        spread(grid, at, reach, value_at(q, i), sums);
    }
    for (size_t i = 0; i < samples; ++i) values[i] = fit(&sums[i], reach, &covered[i]);
    return true;
}

/* Whether a particle is near the plane and knows its value. */
static bool is_near(const mote_Slice *slice, const SliceQuantity *q, double reach, size_t row,
                    double *value)
{
    const mote_Column *position = mote_frame_column(q->system, "position");
    *value = value_at(q, row);
    return fabs(column_value(position, slice->axis, row) - (double)slice->at) < reach / 2 &&
           isfinite(*value);
}

/* Narrows the range to all but a two-hundredth at each end: one drop that is hit must not take all
 * colours. */
static void trim(const mote_Slice *slice, const SliceQuantity *q, double reach, double *low,
                 double *high)
{
    size_t counts[BINS] = {0}, all = 0, below = 0;
    const double least = *low, width = (*high - *low) / BINS;
    double value;
    for (size_t i = 0; i < q->system->count; ++i) {
        if (!is_near(slice, q, reach, i, &value)) continue;
        const double bin = (value - least) / width;
        ++counts[bin < BINS ? (int)bin : BINS - 1], ++all;
    }
    for (int b = 0; b < BINS; ++b) {
        if (200 * below <= all) *low = least + b * width;
        below += counts[b];
        if (200 * (all - below) <= all) {
            *high = least + (b + 1) * width;
            return;
        }
    }
}

void slice_range(const mote_Slice *slice, const SliceQuantity *q, double reach, double *low,
                 double *high)
{
    double value;
    *low = HUGE_VAL, *high = -HUGE_VAL;
    for (size_t i = 0; i < q->system->count; ++i)
        if (is_near(slice, q, reach, i, &value))
            *low = fmin(*low, value), *high = fmax(*high, value);
    if (!(*low <= *high)) *low = 0, *high = 1;
    if (!(*low < *high)) *high = *low + (*low != 0 ? fabs(*low) : 1);
    trim(slice, q, reach, low, high);
}
