/* A force that a scene writes down: accelerations, or a potential energy whose slope they are, as
 * expressions of a particle's place, velocity, mass, ... and of time. Compiled once, since its
 * loops are the expressions' own. */
#include "expression/slope.h"
#include "forces/force.h"
#include "particles/quantities.h"

#include "base/row.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

static const char *const field_kind[] = {"field", NULL};

static const mote_Param params[] = {
    PARAM_FORMULA(mote_ExpressionForce, acceleration, "m/s^2", "acceleration of a particle", 3,
                  quantity_names, 1),
    PARAM_FORMULA(mote_ExpressionForce, potential, "J",
                  "potential energy of a particle: the force is its slope downwards", 1,
                  quantity_names, 1),
    PARAM_NAME(mote_ExpressionForce, field, "field whose value at a particle is fx, fy, fz",
               field_kind),
};

enum { FIELD_SLOTS = 7 << QUANTITY_FX };

static bool uses_field(const mote_Formula *formula)
{
    return formula != NULL && (formula->expression.slots & FIELD_SLOTS) != 0;
}

static void sample_field(const Force *force, const Range *r, double t)
{
    const FieldPoints points = {.count = r->count, .x = {r->x[0], r->x[1], r->x[2]}, .t = t};
    for (int c = 0; c < 3; ++c) memset(r->sample[c], 0, r->count * sizeof(mote_real));
    if (force->field != NULL) field_sample(force->field, &points, r->sample);
}

static void add_rows(const mote_Formula *formula, const Range *r, double t, const double *value,
                     mote_real *a)
{
    for (size_t i = 0; i < r->count; ++i) {
        a[i] += (mote_real)value[i];
        if (!isfinite(value[i]))
            quantities_note_wrong(formula, "the acceleration", r, i, t, value[i]);
    }
}

/* The rate at which slots change when plane `plane` of the state does, as a direction. */
static void set_direction(const Quantities *q, const Range *r, int plane, double *speed_slope,
                          ExpressionPlane slopes[EXPRESSION_SLOTS])
{
    memset(slopes, 0, EXPRESSION_SLOTS * sizeof *slopes);
    slopes[(plane < 3 ? QUANTITY_X : QUANTITY_VX) + plane % 3].value = 1;
    if (plane < 3 || q->planes[QUANTITY_SPEED].data == NULL) return;
    for (size_t i = 0; i < r->count; ++i)
        speed_slope[i] = q->speed[i] > 0 ? (double)r->v[plane - 3][i] / q->speed[i] : 0;
    slopes[QUANTITY_SPEED] = (ExpressionPlane){PLANE_DOUBLE, 0, speed_slope};
}

static void slope_along(const mote_Formula *formula, const Quantities *q, const Range *r, int plane,
                        double *slope)
{
    ExpressionPlane slopes[EXPRESSION_SLOTS];
    double value[BLOCK_ROWS], speed_slope[BLOCK_ROWS];
    set_direction(q, r, plane, speed_slope, slopes);
    expression_slope(&formula->expression, q->planes, slopes, r->count, value, slope);
}

static void add_downhill(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    const mote_ExpressionForce *p = force->object.params;
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    Quantities q;
    double slope[BLOCK_ROWS];
    quantities_of(p->potential, r, t, r->sample, &q);
    for (int c = 0; c < 3; ++c) {
        slope_along(p->potential, &q, r, c, slope);
        for (size_t i = 0; i < r->count; ++i) slope[i] = -slope[i] / (double)mass[i];
        add_rows(p->potential, r, t, slope, a[c]);
    }
}

static void accelerate(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    const mote_ExpressionForce *p = force->object.params;
    Quantities q;
    double value[BLOCK_ROWS];
    sample_field(force, r, t);
    for (int c = 0; c < 3; ++c) {
        if (p->acceleration[c] == NULL) continue;
        quantities_of(p->acceleration[c], r, t, r->sample, &q);
        expression_rows(&p->acceleration[c]->expression, q.planes, r->count, value);
        add_rows(p->acceleration[c], r, t, value, a[c]);
    }
    if (p->potential != NULL) add_downhill(force, r, t, a);
}

static void potential(const Force *force, const Range *r, double t, mote_real *energy)
{
    const mote_ExpressionForce *p = force->object.params;
    Quantities q;
    double value[BLOCK_ROWS];
    if (p->potential == NULL) return;
    sample_field(force, r, t);
    quantities_of(p->potential, r, t, r->sample, &q);
    expression_rows(&p->potential->expression, q.planes, r->count, value);
    for (size_t i = 0; i < r->count; ++i) energy[i] += (mote_real)value[i];
}

/* Where the derivative of component i by component j goes; off the diagonal both halves meet. */
static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};

static void add_derivative(const mote_Formula *formula, const Range *r, double t, int component,
                           const mote_real by[2], mote_real *const d[FORCE_DERIVATIVE_PLANES])
{
    Quantities q;
    double slope[BLOCK_ROWS];
    quantities_of(formula, r, t, NULL, &q);
    for (int plane = 0; plane < 6; ++plane) {
        slope_along(formula, &q, r, plane, slope);
        const double share = (double)by[plane / 3] * (plane % 3 == component ? 1 : 0.5);
        mote_real *to = d[place[component][plane % 3]];
        for (size_t i = 0; i < r->count; ++i) to[i] -= (mote_real)(share * slope[i]);
    }
}

/* By dual numbers; differences where a field or a second derivative comes in. */
static void derivative(const Force *force, const Range *r, double t, const mote_real by[2],
                       mote_real *const d[FORCE_DERIVATIVE_PLANES])
{
    const mote_ExpressionForce *p = force->object.params;
    bool exact = p->potential == NULL;
    for (int c = 0; c < 3 && exact; ++c)
        exact =
            p->acceleration[c] == NULL || (p->acceleration[c]->expression.slots & FIELD_SLOTS) == 0;
    if (!exact) force_take_differences(force, r, t, by, d);
    for (int c = 0; c < 3 && exact; ++c)
        if (p->acceleration[c] != NULL) add_derivative(p->acceleration[c], r, t, c, by, d);
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_ExpressionForce *p = raw;
    const mote_Formula *const all[] = {p->acceleration[0], p->acceleration[1], p->acceleration[2],
                                       p->potential};
    for (size_t i = 0; p->field == NULL && i < sizeof all / sizeof all[0]; ++i)
        if (uses_field(all[i]))
            return status_fail(error, MOTE_BAD_VALUE,
                               "%s: fx, fy and fz are of a field, but force %s names none; add "
                               "field: \"NAME\"",
                               all[i]->place, where);
    return MOTE_OK;
}

static void forecast(const void *raw, const Outlook *outlook)
{
    const mote_ExpressionForce *p = raw;
    if (p->potential != NULL || p->acceleration[0] != NULL) return;
    OUTLOOK_WARN(outlook,
                 "forces.%s: it says neither `acceleration`, as [\"=-4*x\", 0, 0], nor "
                 "`potential`, and does nothing\n",
                 outlook->name);
}

static mote_Status check_system(const Force *force, const mote_System *system, mote_Error *error)
{
    const mote_ExpressionForce *p = force->object.params;
    mote_Status status = quantities_check(p->potential, system, force->object.name, error);
    for (int c = 0; c < 3 && status == MOTE_OK; ++c)
        status = quantities_check(p->acceleration[c], system, force->object.name, error);
    return status;
}

ISA_ONCE(ForceRow, force_expression) = {
    .head = ROW_HEAD("expression", "accelerations, or a potential energy, as expressions", params,
                     mote_ExpressionForce),
    .uses_velocity = true,
    .accelerate = accelerate,
    .potential = potential,
    .derivative = derivative,
    .check = check,
    .forecast = forecast,
    .check_system = check_system,
};
