/* Derivatives of forces for implicit schemes: by the row's own formula, or by central differences,
 * which do for any force, because a row's acceleration depends on its own state alone. */
#include "forces/force.h"

#include <string.h>

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

static void differentiate(const Force *force, const Range *r, double t, const mote_real by[2],
                          mote_real *const d[PLANES])
{
    if (force->row->uniform != NULL) return;
    if (force->row->derivative != NULL) {
        force->row->derivative(force, r, t, by, d);
        return;
    }
    int planes = force->row->uses_velocity ? 6 : 3;
    for (int plane = 0; plane < planes; ++plane)
        difference_plane(force, r, t, plane, by[plane / 3], d);
}

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
