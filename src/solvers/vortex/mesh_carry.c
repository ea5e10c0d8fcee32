/* Vortons and the mesh of boundary `penalised`: what happens there becomes theirs, they go by its
 * flow, and others read it. */
#include "solvers/vortex/penalise.h"

#include "solvers/vortex/shed.h"
#include "solvers/vortex/solver.h"

#include <string.h>

/* ---- what vortons take over ---- */

/* Rows that stand on nodes: of each node the row's number and one more, 0 where there is none. */
static uint32_t *rows_at_nodes(const MeshFlow *flow, const VortonRows *rows)
{
    const Lattice *l = &flow->lattice;
    const size_t count = lattice_count(l);
    uint32_t *at = arena_take(flow->work->arena, count * sizeof *at);
    if (at == NULL) return NULL;
    memset(at, 0, count * sizeof *at);
    for (size_t i = 0; i < rows->count; ++i) {
        size_t node = 0;
        bool on = true;
        for (int c = 0; c < 3; ++c) {
            const double place = (double)rows->x[c][i] / l->side - (double)l->low[c];
            const double whole = __builtin_floor(place + 0.5);
            on = on && place - whole < 0.01 && whole - place < 0.01;
            node = node * l->nodes[c] + (size_t)whole;
        }
        if (on) at[node] = (uint32_t)i + 1;
    }
    return at;
}

static mote_Vec3 vector_at(double *const plane[3], size_t node, double scale)
{
    return vec3((mote_real)(scale * plane[0][node]), (mote_real)(scale * plane[1][node]),
                (mote_real)(scale * plane[2][node]));
}

static mote_Vec3 node_place(const Lattice *l, size_t node)
{
    return vec3((mote_real)lattice_place(l, 0, node / l->nodes[2] / l->nodes[1]),
                (mote_real)lattice_place(l, 1, node / l->nodes[2] % l->nodes[1]),
                (mote_real)lattice_place(l, 2, node % l->nodes[2]));
}

/* The largest of vectors, squared. */
static double largest_square(const MeshFlow *f, double *const plane[3])
{
    double largest = 0;
    for (size_t k = 0; k < lattice_count(&f->lattice); ++k) {
        double square = 0;
        for (int c = 0; c < 3; ++c) square += plane[c][k] * plane[c][k];
        largest = square > largest ? square : largest;
    }
    return largest;
}

/* Who takes what is at nodes. */
typedef struct MeshTakers {
    const uint32_t *at; /* rows */
    double least;       /* 1/s^2: below it no new row does */
} MeshTakers;

/* Vorticity at nodes becomes that of the rows there, and of new ones where there is none but where
 * it is too little. `moved`: new ones go with the flow. `remesh_cut` keeps rows from being made
 * where there is next to no vorticity: without it rows would spread by the two nodes of M4' on
 * either side in every sub-step. */
static bool hand_over(const MeshFlow *f, double *const plane[3], const VortonRows *rows,
                      const MeshTakers *takers, bool moved)
{
    Vortex *vortex = f->work->vortex;
    const Lattice *l = &f->lattice;
    const double volume = lattice_volume(l), least = takers->least;
    const double core = l->side * (double)f->work->params->remesh_overlap;
    const uint32_t *at = takers->at;
    for (size_t k = 0; k < lattice_count(l); ++k) {
        const mote_Vec3 alpha = vector_at(plane, k, volume);
        if (at[k] > 0) {
            const size_t row = at[k] - 1;
            set_row(rows->strength, row, vec3_add(row_vector(rows->strength, row), alpha));
            continue;
        }
        double square = 0;
        for (int c = 0; c < 3; ++c) square += plane[c][k] * plane[c][k];
        if (!(square > least)) continue;
        mote_Vec3 x = node_place(l, k);
        if (moved) x = vec3_madd(x, f->work->dt, vector_at(f->velocity, k, 1));
        if (!shed_row(&vortex->sheets, vortex->memory, x, alpha, core)) return false;
    }
    return true;
}

/* ---- how they move ---- */

/* A point reads 64 nodes, which takes some 100 ns. */
enum { CARRIED_ROWS = 128 };

/* Rows that go with a flow from where they started, for a part of the sub-step. */
typedef struct MeshCarry {
    const MeshFlow *flow;
    mote_real *const *from, *const *at,
                                *const *to; /* places: at the start; where the flow is read */
    const VortonRows *rows;
    mote_real time;
} MeshCarry;

static void carry_body(void *context, size_t begin, size_t end, int worker)
{
    const MeshCarry *c = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const mote_Vec3 u = mesh_flow_at(c->flow, c->flow->velocity, row_vector(c->at, i));
        set_row(c->rows->v, i, u);
        set_row(c->to, i, vec3_madd(row_vector(c->from, i), c->time, u));
    }
}

/* The midpoint rule with a mesh of its own: what is dealt out by M4' and read back by it moves
 * itself with no impulse, which a rule that keeps the first flow would not. */
static bool carry_rows(const VortexWork *work, const VortonRows *rows)
{
    VortonRows middle = *rows;
    double low[3], high[3];
    MeshCarry c = {.flow = work->mesh, .from = rows->x, .at = rows->x, .rows = rows};
    for (int a = 0; a < 3; ++a) {
        middle.x[a] = arena_take(work->arena, (rows->count + 1) * sizeof(mote_real));
        if (middle.x[a] == NULL) return false;
    }
    c.to = middle.x, c.time = work->dt / 2;
    mote_parallel_for(work->tasks, rows->count, CARRIED_ROWS, carry_body, &c);
    for (int a = 0; a < 3; ++a) low[a] = high[a] = (double)middle.x[a][0];
    MeshFlow *flow = mesh_flow_make(work, &middle, work->mesh->lattice.side, low, high);
    if (flow == NULL || !mesh_flow_induce(flow)) return false;
    c.flow = flow, c.at = middle.x, c.to = rows->x, c.time = work->dt;
    mote_parallel_for(work->tasks, rows->count, CARRIED_ROWS, carry_body, &c);
    return true;
}

bool penalise_carry(const VortexWork *work, const VortonRows *rows)
{
    MeshFlow *flow = work->mesh;
    const double cut = (double)work->params->remesh_cut;
    const MeshTakers takers = {rows_at_nodes(flow, rows),
                               cut * cut * largest_square(flow, flow->vorticity)};
    if (takers.at == NULL || !hand_over(flow, flow->change, rows, &takers, true)) return false;
    if (!hand_over(flow, flow->shed, rows, &takers, false)) return false;
    return rows->count == 0 || carry_rows(work, rows);
}

/* ---- for others ---- */

/* The sum over all vortons at the points that no mesh covers. */
static bool induce_outside(const VortexWork *work, const InduceRequest *all, size_t count,
                           const size_t *list)
{
    InduceRequest r = *all;
    mote_real *planes = arena_take(work->arena, 6 * count * sizeof *planes);
    if (planes == NULL) return false;
    for (size_t c = 0; c < 3; ++c) {
        mote_real *x = planes + c * count;
        for (size_t n = 0; n < count; ++n) x[n] = all->x[c][list[n]];
        r.x[c] = x, r.out[c] = planes + (3 + c) * count;
    }
    r.count = count, r.line = 0;
    if (!induce_auto.induce(&r)) return false;
    for (int c = 0; c < 3; ++c)
        for (size_t n = 0; n < count; ++n) all->out[c][list[n]] = r.out[c][n];
    return true;
}

typedef struct MeshReading {
    const VortexWork *work;
    const InduceRequest *request;
    bool *outside; /* is the point? */
} MeshReading;

static void read_body(void *context, size_t begin, size_t end, int worker)
{
    const MeshReading *m = context;
    const MeshFlow *mesh = m->work->mesh;
    const InduceRequest *r = m->request;
    const mote_Vec3 wind = m->work->params->wind;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const mote_Vec3 x = vec3(r->x[0][i], r->x[1][i], r->x[2][i]);
        m->outside[i] = !mesh_flow_covers(mesh, x);
        if (m->outside[i]) continue;
        const mote_Vec3 free = mesh_flow_at(mesh, mesh->velocity, x);
        const mote_Vec3 u = vec3_add(free, vec3_sub(mesh_flow_at(mesh, mesh->push, x), wind));
        r->out[0][i] = u.x, r->out[1][i] = u.y, r->out[2][i] = u.z;
    }
}

bool mesh_velocity(const VortexWork *work, const InduceRequest *r)
{
    size_t outside = 0, *list = arena_take(work->arena, (r->count + 1) * sizeof *list);
    MeshReading reading = {work, r, arena_take(work->arena, r->count + 1)};
    if (list == NULL || reading.outside == NULL) return false;
    induce_for(r, r->count, CARRIED_ROWS, read_body, &reading);
    for (size_t i = 0; i < r->count; ++i)
        if (reading.outside[i]) list[outside++] = i;
    return outside == 0 || induce_outside(work, r, outside, list);
}
