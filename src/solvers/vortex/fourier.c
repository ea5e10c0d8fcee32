/* Velocity on a mesh by Fourier transforms, in free space.
 *
 * Strengths are dealt out to the nodes of a mesh (m4.h), whose flow is their convolution with that
 * of one vorton; both are transformed, multiplied, and transformed back. A mesh of twice as many
 * nodes along each axis keeps what leaves at one end from coming in at the other (Hockney, Methods
 * in Computational Physics 9, 1970): that solves Poisson's equation without a wall. All vortons
 * have one core, the root of the mean of squares. Cost is that of nodes, not of vortons. */
#include "solvers/vortex/fourier.h"

#include "base/loop.h"
#include "solvers/vortex/m4.h"
#include "tasks/copy.h"

#include <string.h>

/* Cells to a core's radius. With 1.5 errors are 0.9 % of the velocity, most of it aliasing. */
#define CELLS_A_CORE 2

/* Fewer points than one for so many vortons are asked of the tree. */
enum { AXES = FOURIER_AXES, POINTS_A_TASK = 1024, VORTONS_A_POINT = 20 };

/* ---- shape ---- */

static void extend(const mote_real *x, size_t count, double *low, double *high)
{
    for (size_t i = 0; i < count; ++i) {
        *low = (double)x[i] < *low ? (double)x[i] : *low;
        *high = (double)x[i] > *high ? (double)x[i] : *high;
    }
}

/* 2 n - 1 nodes hold every distance from -(n - 1) to n - 1 once, so that the cyclic convolution is
 * the plain one; the next length above is a product of small primes. */
bool fourier_lengths(FourierMesh *mesh)
{
    double all = 1;
    for (int c = 0; c < AXES; ++c) {
        mesh->length[c] = fft_length_above(2 * mesh->nodes[c] - 1);
        all *= (double)mesh->length[c];
    }
    return all <= FOURIER_MOST_NODES;
}

/* Whether the mesh is small enough for cells that resolve the cores. */
static bool shape_mesh(FourierMesh *mesh)
{
    const InduceRequest *r = mesh->request;
    double sum = 0;
    for (size_t i = 0; i < r->sources.count; ++i) sum += (double)r->sources.plane[SOURCE_CORE2][i];
    if (!(sum > 0 && __builtin_isfinite(sum))) return false;
    mesh->core2 = (mote_real)(sum / (double)r->sources.count);
    mesh->side = __builtin_sqrt((double)mesh->core2) / CELLS_A_CORE;
    for (int c = 0; c < AXES; ++c) {
        double low = (double)r->sources.plane[c][0], high = low;
        extend(r->sources.plane[c], r->sources.count, &low, &high);
        extend(r->x[c], r->count, &low, &high);
        double cells = (high - low) / mesh->side;
        if (!(cells < FOURIER_MOST_NODES)) return false;
        mesh->low[c] = low - 1.5 * mesh->side;
        mesh->nodes[c] = (size_t)cells + M4_NODES + 1;
    }
    return fourier_lengths(mesh);
}

static bool take_wave(const FourierMesh *mesh, Wave *wave)
{
    size_t bytes = fourier_size(mesh) * sizeof(float);
    wave->re = arena_take(mesh->request->arena, bytes);
    wave->im = arena_take(mesh->request->arena, bytes);
    if (wave->re == NULL || wave->im == NULL) return false;
    tasks_clear(mesh->request->tasks, wave->re, bytes);
    tasks_clear(mesh->request->tasks, wave->im, bytes);
    return true;
}

bool fourier_take(FourierMesh *mesh)
{
    const InduceRequest *r = mesh->request;
    const FftShape shape = {.axes = AXES,
                            .length = {mesh->length[0], mesh->length[1], mesh->length[2]}};
    bool room = true;
    mote_Error error;
    for (int c = 0; c < AXES; ++c) room = room && take_wave(mesh, &mesh->wave[c]);
    for (int k = 0; k < 2; ++k) room = room && take_wave(mesh, &mesh->kernel[k]);
    if (!room) return false;
    return fft_open(&shape, r->arena->memory, r->tasks, isa_pick(), &mesh->fft, &error) == MOTE_OK;
}

/* ---- strengths ---- */

static double in_cells(const FourierMesh *mesh, int axis, mote_real x)
{
    return ((double)x - mesh->low[axis]) / mesh->side;
}

/* Sources in the order of their cells along the first axis, then their own. */
static bool sort_sources(FourierMesh *mesh)
{
    const Sources *s = &mesh->request->sources;
    Arena *arena = mesh->request->arena;
    mesh->first = arena_take(arena, (mesh->nodes[0] + 1) * sizeof *mesh->first);
    mesh->order = arena_take(arena, (s->count + 1) * sizeof *mesh->order);
    if (mesh->first == NULL || mesh->order == NULL) return false;
    memset(mesh->first, 0, (mesh->nodes[0] + 1) * sizeof *mesh->first);
    for (size_t i = 0; i < s->count; ++i)
        ++mesh->first[(size_t)in_cells(mesh, 0, s->plane[0][i]) + 1];
    for (size_t k = 0; k < mesh->nodes[0]; ++k) mesh->first[k + 1] += mesh->first[k];
    for (size_t i = s->count; i-- > 0;)
        mesh->order[--mesh->first[(size_t)in_cells(mesh, 0, s->plane[0][i]) + 1]] = i;
    for (size_t k = 0; k < mesh->nodes[0]; ++k) mesh->first[k] = mesh->first[k + 1];
    mesh->first[mesh->nodes[0]] = s->count;
    return true;
}

/* wave += W(x - x_n) alpha, W being M4' of each axis. */
static void deal_out(const FourierMesh *mesh, size_t plane, size_t i)
{
    const Sources *s = &mesh->request->sources;
    double w[AXES][M4_NODES];
    ptrdiff_t at[AXES];
    for (int c = 0; c < AXES; ++c) at[c] = m4_weights(in_cells(mesh, c, s->plane[c][i]), w[c]);
    const double share = w[0][(ptrdiff_t)plane - at[0]];
    for (int j = 0; j < M4_NODES; ++j) {
        size_t line = (plane * mesh->length[1] + (size_t)(at[1] + j)) * mesh->length[2];
        for (int k = 0; k < M4_NODES; ++k) {
            const double part = share * w[1][j] * w[2][k];
            for (int c = 0; c < AXES; ++c)
                mesh->wave[c].re[line + (size_t)(at[2] + k)] +=
                    (float)(part * (double)s->plane[SOURCE_ALPHA + c][i]);
        }
    }
}

/* A plane of nodes takes of the sources in the four cells about it. */
static void deal_body(void *context, size_t begin, size_t end, int worker)
{
    const FourierMesh *mesh = context;
    (void)worker;
    for (size_t plane = begin; plane < end; ++plane) {
        const size_t from = plane < 2 ? 0 : plane - 2;
        const size_t to = plane + 2 < mesh->nodes[0] ? plane + 2 : mesh->nodes[0];
        for (size_t k = mesh->first[from]; k < mesh->first[to]; ++k)
            deal_out(mesh, plane, mesh->order[k]);
    }
}

/* ---- products ---- */

enum { PRODUCT_NODES = 1 << 14 };

/* Transforms of odd kernels are i k: those of (K_x, K_y), one real and one imaginary, are - k_y + i
 * k_x. What is real in the end goes back in pairs: u_x + i u_y, and u_z. The convolution theorem:
 * u^ = alpha^ x K^. */
static void multiply_velocity(const FourierMesh *mesh, size_t at)
{
    const float k[3] = {mesh->kernel[0].im[at], -mesh->kernel[0].re[at], mesh->kernel[1].im[at]};
    float re[3], im[3];
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        re[c] = -(mesh->wave[d].im[at] * k[e] - mesh->wave[e].im[at] * k[d]);
        im[c] = mesh->wave[d].re[at] * k[e] - mesh->wave[e].re[at] * k[d];
    }
    mesh->wave[0].re[at] = re[0] - im[1], mesh->wave[0].im[at] = im[0] + re[1];
    mesh->wave[1].re[at] = re[2], mesh->wave[1].im[at] = im[2];
}

/* A^ = alpha^ p^, p^ being real since the kernel is even. */
static void multiply_potential(const FourierMesh *mesh, size_t at)
{
    const float k = mesh->kernel[0].re[at];
    const Wave *w = mesh->wave;
    const float x = w[0].re[at] - w[1].im[at], y = w[0].im[at] + w[1].re[at];
    w[0].re[at] = x * k, w[0].im[at] = y * k;
    w[1].re[at] = w[2].re[at] * k, w[1].im[at] = w[2].im[at] * k;
}

static void multiply_body(void *context, size_t begin, size_t end, int worker)
{
    const FourierMesh *mesh = context;
    (void)worker;
    for (size_t at = begin; at < end; ++at)
        (fourier_of_potential(mesh) ? multiply_potential : multiply_velocity)(mesh, at);
}

/* ---- points ---- */

/* The sum over the 64 nodes about a point, weights being those of each axis. */
static void read_nodes(const FourierMesh *mesh, const ptrdiff_t at[AXES],
                       const double *const w[AXES], double out[3])
{
    const float *planes[3] = {mesh->wave[0].re, mesh->wave[0].im, mesh->wave[1].re};
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < M4_NODES; ++i)
        for (int j = 0; j < M4_NODES; ++j) {
            const double share = w[0][i] * w[1][j];
            size_t line =
                ((size_t)(at[0] + i) * mesh->length[1] + (size_t)(at[1] + j)) * mesh->length[2] +
                (size_t)at[2];
            for (size_t k = 0; k < M4_NODES; ++k)
                for (int c = 0; c < 3; ++c) out[c] += share * w[2][k] * (double)planes[c][line + k];
        }
}

static void read_point(const FourierMesh *mesh, size_t i)
{
    const InduceRequest *r = mesh->request;
    const double scale = 1 / (double)fourier_size(mesh);
    double w[AXES][M4_NODES], slope[AXES][M4_NODES], u[3];
    const double *weights[AXES] = {w[0], w[1], w[2]};
    ptrdiff_t at[AXES];
    for (int c = 0; c < AXES; ++c) {
        const double x = in_cells(mesh, c, r->x[c][i]);
        at[c] = m4_weights(x, w[c]);
        m4_slopes(x, slope[c]);
    }
    read_nodes(mesh, at, weights, u);
    for (int c = 0; c < 3; ++c) r->out[c][i] = (mote_real)(scale * u[c]);
    for (int l = 0; l < AXES && r->quantity == QUANTITY_GRADIENT; ++l) {
        weights[l] = slope[l];
        read_nodes(mesh, at, weights, u);
        weights[l] = w[l];
        for (int c = 0; c < 3; ++c)
            r->out[3 + 3 * c + l][i] = (mote_real)(scale / mesh->side * u[c]);
    }
}

static void read_body(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t i = begin; i < end; ++i) read_point(context, i);
}

/* ---- all ---- */

/* In two dimensions there is one node along z, and strengths are along it. */
static bool is_flat(const FourierMesh *mesh)
{
    return mesh->length[2] == 1;
}

bool fourier_convolve(FourierMesh *mesh)
{
    const bool flat = is_flat(mesh);
    if (!fourier_fill_kernels(mesh)) return false;
    for (int c = flat ? 2 : 0; c < AXES; ++c)
        fft_forward(mesh->fft, mesh->wave[c].re, mesh->wave[c].im);
    mote_parallel_for(mesh->request->tasks, fourier_size(mesh), PRODUCT_NODES, multiply_body, mesh);
    for (int c = 0; c < (flat ? 1 : 2); ++c)
        fft_backward(mesh->fft, mesh->wave[c].re, mesh->wave[c].im);
    return true;
}

void fourier_give_back(FourierMesh *mesh)
{
    fft_close(mesh->fft);
}

static bool induce_on_mesh(FourierMesh *mesh)
{
    const InduceRequest *r = mesh->request;
    if (!fourier_take(mesh) || !sort_sources(mesh)) return false;
    induce_for(r, mesh->nodes[0], 1, deal_body, mesh);
    if (!fourier_convolve(mesh)) return false;
    mote_parallel_for(r->tasks, r->count, POINTS_A_TASK, read_body, mesh);
    return true;
}

static bool by_fourier(const InduceRequest *request)
{
    FourierMesh mesh = {.request = request};
    const bool few = request->count < request->sources.count / VORTONS_A_POINT;
    if (request->sources.count == 0 || few || !shape_mesh(&mesh))
        return induce_tree.induce(request);
    const bool room = induce_on_mesh(&mesh);
    fourier_give_back(&mesh);
    return room;
}

const InduceRow induce_fourier = {
    .head = {.name = "fourier",
             .doc = "on a mesh by Fourier transforms, in free space; where cores are too small for "
                    "one, or points few, tree"},
    .induce = by_fourier,
    .off_device = true,
};
