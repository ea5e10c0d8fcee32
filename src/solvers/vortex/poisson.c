/* Velocity as Gourlay's part 6 has it: the vector potential by Poisson's equation on a mesh, lap A
 * = - omega, then u = curl A by differences; at the mesh's faces A is that of free space, by the
 * tree (his parts 19 and 20). For comparison: `fourier` has the same without a Laplacian. */
#include "solvers/vortex/poisson.h"

#include "solvers/vortex/induce.h"
#include "solvers/vortex/lattice.h"

#include <string.h>

/* Cells to a core's radius, as `fourier` has them. */
#define CELLS_A_CORE 2
#define MOST_NODES   1e7
#define TOLERANCE    1e-4
/* Nodes beyond the last vorton or point, so that M4' and the central difference have all of theirs.
 */
enum { MARGIN = 3, POINTS_A_TASK = 1024, MOST_CYCLES = 20, LEAST_CELLS = 4 };

typedef struct PoissonMesh {
    const InduceRequest *request;
    Lattice lattice;
    size_t stride[3];
    double *potential[3], *made[3]; /* m^3/s / m; what is read: it, or its curl */
} PoissonMesh;

/* ---- the mesh ---- */

static void extend(const mote_real *x, size_t count, double *low, double *high)
{
    for (size_t i = 0; i < count; ++i) {
        *low = (double)x[i] < *low ? (double)x[i] : *low;
        *high = (double)x[i] > *high ? (double)x[i] : *high;
    }
}

/* The next multiple of the power of two by which the cells are halved down to a few. Multigrid
 * halves the mesh only as long as the cells of every axis are even. */
static size_t round_cells(size_t cells, size_t fewest)
{
    size_t unit = 1;
    while (fewest / (2 * unit) >= LEAST_CELLS) unit *= 2;
    return (cells + unit - 1) / unit * unit;
}

static bool shape_mesh(PoissonMesh *mesh)
{
    const InduceRequest *r = mesh->request;
    Lattice *l = &mesh->lattice;
    double sum = 0, all = 1;
    size_t cells[3], fewest = 1 << 20;
    for (size_t i = 0; i < r->sources.count; ++i) sum += (double)r->sources.plane[SOURCE_CORE2][i];
    if (!(sum > 0 && __builtin_isfinite(sum))) return false;
    l->side = __builtin_sqrt(sum / (double)r->sources.count) / CELLS_A_CORE;
    for (int c = 0; c < 3; ++c) {
        double low = (double)r->sources.plane[c][0], high = low;
        extend(r->sources.plane[c], r->sources.count, &low, &high);
        extend(r->x[c], r->count, &low, &high);
        const double margin = MARGIN + LATTICE_PASSES, first = __builtin_floor(low / l->side);
        const double last = __builtin_floor(high / l->side) + 1;
        if (!(first > -1e9 && last < 1e9)) return false;
        l->low[c] = (ptrdiff_t)(first - margin);
        cells[c] = (size_t)(last - first + 2 * margin);
        fewest = cells[c] < fewest ? cells[c] : fewest;
    }
    for (int c = 0; c < 3; ++c) {
        l->nodes[c] = round_cells(cells[c], fewest) + 1;
        all *= (double)l->nodes[c];
    }
    mesh->stride[2] = 1, mesh->stride[1] = l->nodes[2], mesh->stride[0] = l->nodes[1] * l->nodes[2];
    return all <= MOST_NODES;
}

static bool take_planes(const PoissonMesh *mesh, double *planes[3])
{
    return lattice_planes(&mesh->lattice, mesh->request->arena, mesh->request->tasks, planes);
}

/* Strengths, as wide as their cores. What a core is wider than a point is put in as variance: the
 * nodes then carry the smooth omega whose potential is wanted. */
static double *deal_vorticity(const PoissonMesh *mesh)
{
    const InduceRequest *r = mesh->request;
    const size_t n = r->sources.count;
    double *numbers = arena_take(r->arena, n * DEALT_NUMBERS * sizeof *numbers);
    double *excess = arena_take(r->arena, n * sizeof *excess);
    const LatticeDeal deal = {r->sources.plane, n, numbers, excess};
    if (numbers == NULL || excess == NULL) return NULL;
    memset(numbers, 0, n * DEALT_NUMBERS * sizeof *numbers);
    for (size_t i = 0; i < n; ++i) {
        const double side = mesh->lattice.side;
        excess[i] = r->core->variance * (double)r->sources.plane[SOURCE_CORE2][i] / (side * side);
        for (size_t c = 0; c < 3; ++c)
            numbers[i * DEALT_NUMBERS + c] = (double)r->sources.plane[SOURCE_ALPHA + c][i];
    }
    return lattice_deal(&mesh->lattice, &deal, r->arena, r->tasks);
}

/* ---- faces ---- */

static bool on_face(const Lattice *l, size_t i, size_t j, size_t k)
{
    return i == 0 || j == 0 || k == 0 || i + 1 == l->nodes[0] || j + 1 == l->nodes[1] ||
           k + 1 == l->nodes[2];
}

/* Calls for every node of the faces, in order. */
static size_t walk_faces(const PoissonMesh *mesh, mote_real *const x[3], mote_real *const out[3])
{
    const Lattice *l = &mesh->lattice;
    size_t count = 0;
    for (size_t i = 0; i < l->nodes[0]; ++i)
        for (size_t j = 0; j < l->nodes[1]; ++j)
            for (size_t k = 0; k < l->nodes[2]; ++k) {
                if (!on_face(l, i, j, k)) continue;
                const size_t at[3] = {i, j, k};
                const size_t node = i * mesh->stride[0] + j * mesh->stride[1] + k;
                for (int c = 0; c < 3 && x != NULL; ++c)
                    x[c][count] = (mote_real)lattice_place(l, c, at[c]);
                for (int c = 0; c < 3 && out != NULL; ++c)
                    mesh->potential[c][node] = (double)out[c][count];
                ++count;
            }
    return count;
}

/* The potential in free space at the faces. This is what makes it free space: A on the faces is not
 * 0 or flat, as in the article's part 6, which confines the flow and slows a ring down, but the sum
 * over all vortons (Dirichlet). */
static bool set_faces(const PoissonMesh *mesh)
{
    InduceRequest r = *mesh->request;
    const size_t count = walk_faces(mesh, NULL, NULL);
    mote_real *planes = arena_take(r.arena, 6 * count * sizeof *planes);
    mote_real *x[3], *out[3];
    if (planes == NULL) return false;
    for (size_t c = 0; c < 3; ++c) {
        x[c] = planes + c * count, out[c] = planes + (3 + c) * count;
        r.x[c] = x[c], r.out[c] = out[c];
    }
    r.count = count, r.line = 0, r.quantity = QUANTITY_POTENTIAL;
    walk_faces(mesh, x, NULL);
    if (!induce_tree.induce(&r)) return false;
    walk_faces(mesh, NULL, out);
    return true;
}

/* ---- solving ---- */

static bool solve(const PoissonMesh *mesh)
{
    const Lattice *l = &mesh->lattice;
    const size_t count = lattice_count(l);
    const double *dealt = deal_vorticity(mesh);
    double *b = arena_take(mesh->request->arena, count * sizeof *b);
    PoissonReport report;
    if (dealt == NULL || b == NULL || !set_faces(mesh)) return false;
    for (size_t c = 0; c < 3; ++c) {
        const PoissonJob job = {.nodes = {l->nodes[0], l->nodes[1], l->nodes[2]},
                                .side = l->side,
                                .a = mesh->potential[c],
                                .b = b,
                                .tolerance = TOLERANCE,
                                .most_cycles = MOST_CYCLES,
                                .arena = mesh->request->arena,
                                .tasks = mesh->request->tasks};
        for (size_t k = 0; k < count; ++k) b[k] = dealt[k * DEALT_NUMBERS + c] / lattice_volume(l);
        if (!poisson_solve(&job, &report)) return false;
    }
    return true;
}

/* u = curl A, by central differences. */
static void curl_body(void *context, size_t begin, size_t end, int worker)
{
    const PoissonMesh *mesh = context;
    const Lattice *l = &mesh->lattice;
    (void)worker;
    for (size_t i = begin + 1; i < end + 1; ++i)
        for (size_t j = 1; j + 1 < l->nodes[1]; ++j)
            for (size_t k = 1; k + 1 < l->nodes[2]; ++k) {
                const size_t at = i * mesh->stride[0] + j * mesh->stride[1] + k;
                for (int c = 0; c < 3; ++c) {
                    const int d = (c + 1) % 3, e = (c + 2) % 3;
                    const double *ad = mesh->potential[d], *ae = mesh->potential[e];
                    mesh->made[c][at] = (ae[at + mesh->stride[d]] - ae[at - mesh->stride[d]] -
                                         ad[at + mesh->stride[e]] + ad[at - mesh->stride[e]]) /
                                        (2 * l->side);
                }
            }
}

/* ---- points ---- */

static void read_nodes(const PoissonMesh *mesh, const ptrdiff_t first[3], const double *const w[3],
                       double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (size_t n = 0; n < M4_NODES * M4_NODES * M4_NODES; ++n) {
        const size_t s[3] = {n / 16, n / 4 % 4, n % 4};
        const double share = w[0][s[0]] * w[1][s[1]] * w[2][s[2]];
        size_t at = 0;
        for (int c = 0; c < 3; ++c) at += ((size_t)first[c] + s[c]) * mesh->stride[c];
        for (int c = 0; c < 3; ++c) out[c] += share * mesh->made[c][at];
    }
}

static void read_body(void *context, size_t begin, size_t end, int worker)
{
    const PoissonMesh *mesh = context;
    const InduceRequest *r = mesh->request;
    const Lattice *l = &mesh->lattice;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        double w[3][M4_NODES], slope[3][M4_NODES], u[3];
        const double *weights[3] = {w[0], w[1], w[2]};
        ptrdiff_t first[3];
        for (int c = 0; c < 3; ++c) {
            const double at = (double)r->x[c][i] / l->side - (double)l->low[c];
            first[c] = m4_weights(at, w[c]);
            m4_slopes(at, slope[c]);
        }
        read_nodes(mesh, first, weights, u);
        for (int c = 0; c < 3; ++c) r->out[c][i] = (mote_real)u[c];
        for (int a = 0; a < 3 && r->quantity == QUANTITY_GRADIENT; ++a) {
            weights[a] = slope[a];
            read_nodes(mesh, first, weights, u);
            weights[a] = w[a];
            for (int c = 0; c < 3; ++c) r->out[3 + 3 * c + a][i] = (mote_real)(u[c] / l->side);
        }
    }
}

/* ---- all ---- */

/* Columns along z have no potential that falls off, and go by the tree. */
static bool by_poisson(const InduceRequest *request)
{
    PoissonMesh mesh = {.request = request};
    const bool flat = request->core->potential == NULL;
    if (request->sources.count == 0 || flat || !shape_mesh(&mesh))
        return induce_tree.induce(request);
    if (!take_planes(&mesh, mesh.potential) || !take_planes(&mesh, mesh.made) || !solve(&mesh))
        return false;
    if (request->quantity == QUANTITY_POTENTIAL)
        memcpy(mesh.made, mesh.potential, sizeof mesh.made);
    else
        mote_parallel_for(request->tasks, mesh.lattice.nodes[0] - 2, 1, curl_body, &mesh);
    mote_parallel_for(request->tasks, request->count, POINTS_A_TASK, read_body, &mesh);
    return true;
}

const InduceRow induce_poisson = {
    .head = {.name = "poisson",
             .doc = "Poisson's equation on a mesh by multigrid, with free space at its faces; for "
                    "comparison"},
    .induce = by_poisson,
    .off_device = true,
};
