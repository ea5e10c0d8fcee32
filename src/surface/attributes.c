/* What particles carry, at the vertices of a mesh: the value there of the linear function that fits
 * the particles around best, by weights w = (1 - r^2 / R^2)^2. A vertex stands half a spacing
 * outside of its outermost particles, where a plain mean would be that of a place half a spacing
 * and more inside.
 *
 * With u = (1, (x_j - x) / R) and M = sum w u u^T the value is sum_j w_j (u_j . c) f_j, M c = e_1.
 * What the particles do not say (across a sheet, beside a drop of one) is taken as flat: M gets a
 * little of the identity on its slopes, and the weights are made to sum to 1.
 *
 * This is a moving least squares fit of first order (Lancaster and Salkauskas 1981), taken at the
 * vertex itself, where the linear function is its constant term. */
#include "surface/attributes.h"

#include "base/status.h"
#include "particles/system.h"
#include "surface/near.h"

#define REACH   2.0f  /* spacings */
#define FLAT    1e-4f /* share of the identity */
#define FARTHER 6     /* times that the reach is doubled where there is no particle */

enum { GRAIN = 2048, MOST = 512 /* particles around a vertex that are looked at */ };

typedef struct AttributesAround {
    size_t row[MOST];
    float weight[MOST];
    size_t count;
} AttributesAround;

/* ---- the fit ---- */

typedef struct LinearFit {
    float m[4][4]; /* symmetric */
    float c[4];
} LinearFit;

static void fit_add(LinearFit *fit, const float u[4], float weight)
{
    for (int i = 0; i < 4; ++i)
        for (int j = i; j < 4; ++j) fit->m[i][j] += weight * u[i] * u[j];
}

/* M = U D U^T with ones on the diagonal of U, from the last row to the first; M is positive
 * definite. Then U D U^T c = e_1 up to a factor, which the sum of the weights takes out again: U y
 * = e_1 has y = e_1, and U^T c = e_1 / D_1 is solved from the first to the last. */
static void fit_solve(LinearFit *fit)
{
    float factor[4][4] = {{0}}, pivot[4];
    for (int i = 1; i < 4; ++i) fit->m[i][i] += FLAT * fit->m[0][0];
    for (int i = 3; i >= 0; --i) {
        pivot[i] = fit->m[i][i];
        for (int k = i + 1; k < 4; ++k) pivot[i] -= factor[i][k] * factor[i][k] * pivot[k];
        for (int j = i - 1; j >= 0; --j) {
            float sum = fit->m[j][i];
            for (int k = i + 1; k < 4; ++k) sum -= factor[i][k] * factor[j][k] * pivot[k];
            factor[j][i] = sum / pivot[i];
        }
    }
    fit->c[0] = 1;
    for (int i = 1; i < 4; ++i) {
        fit->c[i] = 0;
        for (int k = 0; k < i; ++k) fit->c[i] -= factor[k][i] * fit->c[k];
    }
}

/* ---- particles around a vertex ---- */

typedef struct VertexPlace {
    const SurfaceBlock *block;
    float at[3];
} VertexPlace;

/* Shares of the particles around a vertex. One walk finds them, their weights and M; then M c = e_1
 * is solved once for all columns, since shares depend only on places. */
static void gather(const Blocks *b, const VertexPlace *v, float reach, AttributesAround *around)
{
    LinearFit fit = {.m = {{0}}};
    float u[MOST][4], sum = 0;
    const float inverse = 1 / reach;
    NearWalk walk = near_walk(b, v->block, v->at, v->at, reach);
    around->count = 0;
    for (NearRun run; near_next(&walk, &run);)
        for (size_t i = 0; i < run.count && around->count < MOST; ++i) {
            const SurfaceParticle *p = &run.particles[i];
            float *to = u[around->count], t = 1;
            to[0] = 1;
            for (int k = 0; k < 3; ++k) {
                to[k + 1] = (p->at[k] - (v->at[k] - run.shift[k])) * inverse;
                t -= to[k + 1] * to[k + 1];
            }
            if (t <= 0) continue;
            fit_add(&fit, to, t * t);
            around->row[around->count] = b->rows[p - b->particles];
            around->weight[around->count++] = t * t;
        }
    if (around->count == 0) return;
    fit_solve(&fit);
    for (size_t i = 0; i < around->count; ++i) {
        float share = fit.c[0];
        for (int k = 1; k < 4; ++k) share += fit.c[k] * u[i][k];
        sum += around->weight[i] *= share;
    }
    for (size_t i = 0; i < around->count; ++i) around->weight[i] /= sum;
}

/* ---- all vertices ---- */

typedef struct Carrying {
    const Blocks *blocks;
    const mote_SurfacePoints *points;
    const SurfaceMesh *mesh;
    mote_Column *columns;
    float reach;
} Carrying;

static double mean_of(const mote_Column *column, int component, const AttributesAround *around)
{
    double sum = 0;
    if (column->type == MOTE_COLUMN_REAL) {
        const mote_real *plane = column_real(column, component);
        for (size_t n = 0; n < around->count; ++n)
            sum += (double)around->weight[n] * (double)plane[around->row[n]];
    } else {
        for (size_t n = 0; n < around->count; ++n)
            sum += (double)around->weight[n] * column_value(column, component, around->row[n]);
    }
    return sum;
}

static void carry_vertex(const Carrying *c, size_t vertex, const AttributesAround *around)
{
    for (size_t i = 0; i < c->points->column_count; ++i) {
        const mote_Column *from = &c->points->columns[i];
        for (int k = 0; k < from->components; ++k) {
            column_real(&c->columns[i], k)[vertex] = (mote_real)mean_of(from, k, around);
        }
    }
}

static void carry_rows(void *context, size_t begin, size_t end, int worker)
{
    const Carrying *c = context;
    (void)worker;
    for (size_t v = begin; v < end; ++v) {
        const mote_Vec3 x = c->mesh->vertices[v];
        AttributesAround around;
        VertexPlace place;
        place.block =
            blocks_at(c->blocks, (double[3]){(double)x.x, (double)x.y, (double)x.z}, place.at);
        float reach = c->reach;
        around.count = 0;
        /* A vertex may be farther away than that from every particle (large spheres, much
         * smoothing): then a wider look finds some. */
        for (int i = 0; place.block != NULL && around.count == 0 && i < FARTHER; ++i, reach *= 2)
            gather(c->blocks, &place, reach, &around);
        carry_vertex(c, v, &around);
    }
}

void attributes_free(SurfaceColumns *columns, Memory *memory)
{
    memory_free(memory, columns->columns, columns->room * sizeof *columns->columns);
    memory_free(memory, columns->values, columns->value_room * sizeof *columns->values);
}

static mote_Status make_columns(SurfaceColumns *columns, const mote_SurfacePoints *points,
                                const SurfaceMesh *mesh, mote_Error *error)
{
    Memory *memory = mesh->memory;
    size_t values = 0, used = 0;
    for (size_t i = 0; i < points->column_count; ++i)
        values += (size_t)points->columns[i].components * mesh->vertex_count;
    if (!memory_reserve(memory, (void **)&columns->columns, &columns->room, points->column_count,
                        sizeof *columns->columns) ||
        !memory_reserve(memory, (void **)&columns->values, &columns->value_room, values,
                        sizeof *columns->values))
        return status_no_memory(error, "a surface's columns", values * sizeof *columns->values);
    for (size_t i = 0; i < points->column_count; ++i) {
        mote_Column *to = &columns->columns[i];
        *to = points->columns[i];
        to->type = MOTE_COLUMN_REAL, to->stride = mesh->vertex_count;
        to->data = columns->values + used;
        used += (size_t)to->components * mesh->vertex_count;
    }
    return MOTE_OK;
}

mote_Status attributes_carry(SurfaceColumns *columns, const mote_SurfacePoints *points,
                             const Blocks *blocks, const SurfaceMesh *mesh, mote_Error *error)
{
    mote_Status status = make_columns(columns, points, mesh, error);
    if (status != MOTE_OK) return status;
    Carrying carrying = {blocks, points, mesh, columns->columns, REACH * blocks->spacing};
    mote_parallel_for(blocks->tasks, mesh->vertex_count, GRAIN, carry_rows, &carrying);
    return MOTE_OK;
}
