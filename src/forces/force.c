/* The table of forces, groups, and points that move. */
#include "forces/force.h"

#include "base/definition.h"
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"

#include <string.h>

#define DECLARE(row, ...) ISA_EXTERN(ForceRow, row)
MOTE_FORCES(DECLARE)
ISA_ROW_TABLE(force_rows, MOTE_FORCES)
ROW_DEFAULTS_FUNCTIONS(MOTE_FORCES)

static mote_ForceDef force_defaults(void)
{
    return (mote_ForceDef){.type = "gravity"};
}

DEFINITION_MAKER(mote_ForceDef, mote_force_def, force_defaults)

/* The force on all rows of the range, kept only where the group column shares a bit: rows of the
 * table need to know nothing of groups. */
static void apply_to_group(const Force *force, const Range *r, double t)
{
    const uint32_t *group = r->system->columns[COLUMN_GROUP].data;
    mote_real *masked[3] = {r->masked[0], r->masked[1], r->masked[2]};
    for (int c = 0; c < 3; ++c) memset(masked[c], 0, r->count * sizeof(mote_real));
    force->row->accelerate(force, r, t, masked);
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < r->count; ++i)
            if ((group[r->first + i] & force->group) != 0) r->a[c][i] += masked[c][i];
}

void force_apply(const Force *force, const Range *r, double t)
{
    if (force->group != 0)
        apply_to_group(force, r, t);
    else
        force->row->accelerate(force, r, t, r->a);
}

/* A parabola through the three places: exact at the times at which all one-step schemes of fixed
 * nodes up to the classical Runge-Kutta evaluate forces, and of third order between. */
ForcePoint force_point(const Force *force, mote_Vec3 own, double t)
{
    const ForcePlace *place = &force->place;
    if (force->collider == NULL) return (ForcePoint){own, vec3(0, 0, 0)};
    const mote_Vec3 start = pose_apply(&place->at[0], own);
    if (!(place->dt > 0)) return (ForcePoint){start, vec3(0, 0, 0)};
    const mote_Vec3 middle = vec3_sub(pose_apply(&place->at[1], own), start);
    const mote_Vec3 end = vec3_sub(pose_apply(&place->at[2], own), start);
    const double s = (t - place->t) / place->dt, rate = 1 / place->dt;
    mote_Vec3 at = vec3_madd(start, (mote_real)(4 * s * (1 - s)), middle);
    mote_Vec3 velocity = vec3_scale(middle, (mote_real)(rate * (4 - 8 * s)));
    return (ForcePoint){vec3_madd(at, (mote_real)(s * (2 * s - 1)), end),
                        vec3_madd(velocity, (mote_real)(rate * (4 * s - 1)), end)};
}

/* ---- a force of the user's ---- */

static void call_accelerate(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    const mote_CallbackForce *p = force->object.params;
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    const mote_real *x[3] = {r->x[0], r->x[1], r->x[2]}, *v[3] = {r->v[0], r->v[1], r->v[2]};
    p->accelerate(p->context, r->first, r->count, x, v, mass, t, a);
}

static mote_Status check_callback(const void *raw, const char *where, mote_Error *error)
{
    const mote_CallbackForce *p = raw;
    return row_check_given(p->accelerate != NULL, "a callback force needs an accelerate function",
                           where, error);
}

ISA_ONCE(ForceRow, force_callback) = {
    .head = {.name = "callback",
             .doc = "a force computed by a function of the host program",
             .params_size = sizeof(mote_CallbackForce)},
    .uses_velocity = true,
    .accelerate = call_accelerate,
    .check = check_callback,
};

/* ---- derivatives ---- */

enum { PLANES = FORCE_DERIVATIVE_PLANES };

/* Where the derivative of component i by component j goes; off the diagonal both halves meet. */
static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};

typedef struct Differences {
    mote_real saved[BLOCK_ROWS], step[BLOCK_ROWS];
    mote_real up[3][BLOCK_ROWS], down[3][BLOCK_ROWS];
} Differences;

/* The force at the state with plane `plane` moved by `sign` steps. */
static void shifted(const Force *force, const Range *r, double t, int plane, mote_real sign,
                    const Differences *work, mote_real out[3][BLOCK_ROWS])
{
    mote_real *y = range_state(r, plane), *a[3] = {out[0], out[1], out[2]};
    for (size_t i = 0; i < r->count; ++i) y[i] = work->saved[i] + sign * work->step[i];
    for (int c = 0; c < 3; ++c) memset(a[c], 0, r->count * sizeof(mote_real));
    force->row->accelerate(force, r, t, a);
}

/* The cube root of the rounding error is the best step of central differences. */
static mote_real best_step(mote_real y)
{
    const mote_real share = sizeof(mote_real) == 4 ? (mote_real)5e-3 : (mote_real)6e-6;
    mote_real size = REAL_ABS(y);
    return share * (size > 1 ? size : 1);
}

/* (a(y + s) - a(y - s)) / (2 s), of the error s^2. */
static void difference_plane(const Force *force, const Range *r, double t, int plane, mote_real by,
                             mote_real *const d[PLANES])
{
    Differences work;
    mote_real *y = range_state(r, plane);
    memcpy(work.saved, y, r->count * sizeof *y);
    for (size_t i = 0; i < r->count; ++i) work.step[i] = best_step(y[i]);
    shifted(force, r, t, plane, 1, &work, work.up);
    shifted(force, r, t, plane, -1, &work, work.down);
    memcpy(y, work.saved, r->count * sizeof *y);
    for (int c = 0; c < 3; ++c) {
        mote_real share = by * (mote_real)(c == plane % 3 ? 0.5 : 0.25);
        mote_real *to = d[place[c][plane % 3]];
        for (size_t i = 0; i < r->count; ++i)
            to[i] -= share * (work.up[c][i] - work.down[c][i]) / work.step[i];
    }
}

void force_take_differences(const Force *force, const Range *r, double t, const mote_real by[2],
                            mote_real *const d[PLANES])
{
    int planes = force->row->uses_velocity ? 6 : 3;
    for (int plane = 0; plane < planes; ++plane)
        difference_plane(force, r, t, plane, by[plane / 3], d);
}

static void differentiate(const Force *force, const Range *r, double t, const mote_real by[2],
                          mote_real *const d[PLANES])
{
    if (force->row->uniform != NULL) return;
    if (force->row->derivative != NULL)
        force->row->derivative(force, r, t, by, d);
    else
        force_take_differences(force, r, t, by, d);
}

/* A force on one group is taken on all rows of the block, and kept for those of the group: loops
 * over rows have no branches. */
void force_differentiate(const Force *force, const Range *r, double t, const mote_real by[2],
                         mote_real *const d[PLANES])
{
    const uint32_t *group = r->system->columns[COLUMN_GROUP].data;
    mote_real own[PLANES][BLOCK_ROWS], *planes[PLANES];
    if (force->group == 0) {
        differentiate(force, r, t, by, d);
        return;
    }
    for (int p = 0; p < PLANES; ++p) {
        planes[p] = own[p];
        memset(own[p], 0, r->count * sizeof(mote_real));
    }
    differentiate(force, r, t, by, planes);
    for (int p = 0; p < PLANES; ++p)
        for (size_t i = 0; i < r->count; ++i)
            if ((group[r->first + i] & force->group) != 0) d[p][i] += own[p][i];
}
