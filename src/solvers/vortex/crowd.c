/* Splitting and merging.
 *
 * A vorton stands for a piece of a vortex tube, and stretching makes the piece longer: its strength
 * is circulation times length. One that is `split` times as long as it was is cut in two, so that
 * pieces stay as near to each other as their cores are wide. Where tubes come together, pieces that
 * turn alike and lie within a part of a core are one as seen from elsewhere, and become one. */
#include "base/loop.h"
#include "solvers/vortex/bins.h"
#include "solvers/vortex/remesh.h"
#include "solvers/vortex/shed.h"

/* A rounding's worth below: a strength that the stretch limit holds there counts as having reached
 * it. */
static bool has_grown(const VortonRows *rows, size_t i, mote_real split)
{
    const mote_real size = vec3_length(row_vector(rows->strength, i));
    return size > 0 && size >= split * (size - rows->stretched[i]) * (mote_real)(1 - 1e-5);
}

size_t *rows_to_split(const VortonRows *rows, const mote_VortexSolver *p, size_t *count,
                      Arena *arena)
{
    size_t *list = arena_take(arena, (rows->count + 1) * sizeof *list);
    *count = 0;
    for (size_t i = 0; i < rows->count && list != NULL; ++i)
        if (rows->count + *count < p->split_most && has_grown(rows, i, p->split))
            list[(*count)++] = i;
    return list;
}

/* The piece is as long as pieces are that fill their volume with tubes of their core's width; its
 * halves have their middles a quarter of that to either side, so that their impulse is the old
 * one's to the second order in that length. */
void split_row(const VortonRows *rows, size_t i, size_t to)
{
    const mote_Vec3 alpha = row_vector(rows->strength, i), x = row_vector(rows->x, i);
    const mote_real r = rows->radius[i], length = vorton_volume(rows, i) / (r * r);
    const mote_Vec3 way = vec3_scale(alpha, length / 4 / vec3_length(alpha));
    set_row(rows->x, i, vec3_sub(x, way)), set_row(rows->x, to, vec3_add(x, way));
    set_row(rows->strength, i, vec3_scale(alpha, (mote_real)0.5));
    set_row(rows->strength, to, vec3_scale(alpha, (mote_real)0.5));
    rows->volume[i] = rows->volume[to] = vorton_volume(rows, i) / 2;
    rows->stretched[i] = rows->stretched[to] = 0;
    rows->radius[to] = r, rows->lifetime[to] = rows->lifetime[i];
    rows->temperature[to] = rows->temperature[i];
    rows->fuel[to] = rows->fuel[i], rows->flame[to] = rows->flame[i];
    rows->smoke[to] = rows->smoke[i];
    for (int c = 0; c < 3; ++c) rows->v[c][to] = rows->v[c][i];
}

/* ---- merging ---- */

typedef struct Merging {
    const VortonRows *rows;
    mote_real near; /* of core radii */
    PointBins bins;
    bool *gone;
} Merging;

/* Whether j may become part of i. Strengths that point apart would cancel, and their energy be
 * lost. */
static bool may_join(const Merging *m, size_t i, size_t j, mote_real *distance2)
{
    const VortonRows *r = m->rows;
    const mote_Vec3 a = row_vector(r->strength, i), b = row_vector(r->strength, j);
    const mote_Vec3 way = vec3_sub(row_vector(r->x, j), row_vector(r->x, i));
    const mote_real reach = m->near * (r->radius[i] < r->radius[j] ? r->radius[i] : r->radius[j]);
    *distance2 = vec3_dot(way, way);
    return *distance2 < reach * reach && vec3_dot(a, b) > 0;
}

/* The nearest row after i that is left in the bins about it; i itself: there is none. */
static size_t find_partner(const Merging *m, size_t i)
{
    const mote_real *const x[3] = {m->rows->x[0], m->rows->x[1], m->rows->x[2]};
    mote_real best = 0, distance2;
    size_t at[3], found = i;
    bins_place(&m->bins, x, i, at);
    for (size_t n = 0; n < 27; ++n) { /* wraps: beyond the last */
        const size_t next[3] = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
        if (next[0] >= m->bins.cells[0] || next[1] >= m->bins.cells[1] ||
            next[2] >= m->bins.cells[2])
            continue;
        const size_t bin = bins_number(&m->bins, next);
        for (size_t k = m->bins.start[bin]; k < m->bins.start[bin + 1]; ++k) {
            const size_t j = m->bins.items[k];
            if (j <= i || m->gone[j] || !may_join(m, i, j, &distance2)) continue;
            if (found == i || distance2 < best || (distance2 == best && j < found))
                best = distance2, found = j;
        }
    }
    return found;
}

/* The mean of a plane, weighted by volumes. */
static void mix(mote_real *plane, size_t i, size_t j, mote_real share)
{
    plane[i] += share * (plane[j] - plane[i]);
}

/* Row j becomes part of row i: volumes, strengths, heat and masses add up. */
static void join(const VortonRows *r, size_t i, size_t j)
{
    const mote_Vec3 a = row_vector(r->strength, i), b = row_vector(r->strength, j);
    const mote_Vec3 x = row_vector(r->x, i);
    const mote_real other = vec3_length(b), share = other / (vec3_length(a) + other);
    const mote_real volume = vorton_volume(r, j), all = vorton_volume(r, i) + volume;
    set_row(r->x, i, vec3_madd(x, share, vec3_sub(row_vector(r->x, j), x)));
    set_row(r->strength, i, vec3_add(a, b));
    r->stretched[i] += r->stretched[j];
    r->volume[i] = all;
    r->lifetime[i] = r->lifetime[i] > r->lifetime[j] ? r->lifetime[i] : r->lifetime[j];
    mote_real *const planes[] = {r->temperature, r->fuel, r->flame, r->smoke};
    for (int k = 0; k < 4; ++k) mix(planes[k], i, j, volume / all);
}

size_t *merge_rows(const VortonRows *rows, const mote_VortexSolver *p, size_t *count, Arena *arena)
{
    Merging m = {.rows = rows, .near = p->merge};
    mote_real widest = 0;
    size_t *list = arena_take(arena, (rows->count + 1) * sizeof *list);
    m.gone = arena_take(arena, rows->count * sizeof *m.gone);
    *count = 0;
    for (size_t i = 0; i < rows->count; ++i)
        widest = rows->radius[i] > widest ? rows->radius[i] : widest;
    const mote_real side = p->merge * widest;
    const BinsRequest request = {.x = {rows->x[0], rows->x[1], rows->x[2]},
                                 .count = rows->count,
                                 .side = {side, side, side},
                                 .arena = arena};
    if (list == NULL || m.gone == NULL || !bins_make(&m.bins, &request)) return NULL;
    for (size_t i = 0; i < rows->count; ++i) m.gone[i] = false;
    for (size_t i = 0; i < rows->count; ++i) {
        const size_t j = m.gone[i] ? i : find_partner(&m, i);
        if (j != i) join(rows, i, j), m.gone[j] = true;
    }
    for (size_t i = 0; i < rows->count; ++i)
        if (m.gone[i]) list[(*count)++] = i;
    return list;
}
