/* What one vorton induces at the nodes of a doubled mesh, for convolutions.
 *
 * It is asked for at nodes of one eighth of the mesh, those above the vorton along every axis; the
 * others are its mirror images. Planes across the first axis are filled side by side.
 *
 * The kernel is asked of the core itself, node by node, and not of a formula in wave numbers:
 * Green's function of the free Laplacian has a pole at k = 0, a sampled and regularised core has
 * none. K is odd along its own axis and even along the others, p is even along all. */
#include "solvers/vortex/fourier.h"

#include <string.h>

enum { AXES = FOURIER_AXES };

/* Nodes of a line along z, from one at the vorton's height on: places and what is induced. */
typedef struct KernelLine {
    mote_real *x[3], *out[3];
} KernelLine;

typedef struct KernelPlanes {
    const FourierMesh *mesh;
    float *plane[AXES]; /* K_x, K_y, K_z, or the potential in the first */
    bool odd;           /* whether component c changes its sign in a mirror along axis c */
    mote_real *scratch; /* a line for each plane of nodes */
} KernelPlanes;

static KernelLine line_at(const KernelPlanes *p, size_t i)
{
    const size_t count = p->mesh->nodes[2];
    KernelLine line;
    for (size_t c = 0; c < 3; ++c) {
        line.x[c] = p->scratch + (6 * i + c) * count;
        line.out[c] = p->scratch + (6 * i + 3 + c) * count;
    }
    return line;
}

static void place_line(const FourierMesh *mesh, const KernelLine *line, size_t i, size_t j)
{
    for (size_t k = 0; k < mesh->nodes[2]; ++k) {
        line->x[0][k] = (mote_real)((double)i * mesh->side);
        line->x[1][k] = (mote_real)((double)j * mesh->side);
        line->x[2][k] = (mote_real)((double)k * mesh->side);
    }
}

/* What a vorton at the first node, of unit strength along an axis, induces on a line. */
static void induce_line(const FourierMesh *mesh, const KernelLine *line, int axis)
{
    const mote_real zero = 0, one = 1;
    InduceJob job = {.sources = {.count = 1}, .count = mesh->nodes[2]};
    for (int p = 0; p < SOURCE_PLANES; ++p) job.sources.plane[p] = &zero;
    job.sources.plane[SOURCE_ALPHA + axis] = &one;
    job.sources.plane[SOURCE_CORE2] = &mesh->core2;
    for (int c = 0; c < 3; ++c) {
        job.x[c] = line->x[c], job.out[c] = line->out[c];
        memset(job.out[c], 0, job.count * sizeof *job.out[c]);
    }
    induce_kernel(mesh->request->core,
                  fourier_of_potential(mesh) ? QUANTITY_POTENTIAL : QUANTITY_VELOCITY)(&job);
}

/* u = alpha x K: of alpha along z K is (u_y, -u_x, .), along x it is (., ., -u_y). The potential
 * has one number. */
static void fill_line(const KernelPlanes *p, const KernelLine *line, size_t at)
{
    const size_t count = p->mesh->nodes[2];
    induce_line(p->mesh, line, 2);
    if (fourier_of_potential(p->mesh)) {
        for (size_t k = 0; k < count; ++k) p->plane[0][at + k] = (float)line->out[2][k];
        return;
    }
    for (size_t k = 0; k < count; ++k) {
        p->plane[0][at + k] = (float)line->out[1][k];
        p->plane[1][at + k] = (float)-line->out[0][k];
    }
    induce_line(p->mesh, line, 0);
    for (size_t k = 0; k < count; ++k) p->plane[2][at + k] = (float)-line->out[1][k];
}

/* Images of `count` numbers, the same or of the other sign. */
static void copy_image(float *to, const float *from, size_t count, bool odd)
{
    if (!odd) memcpy(to, from, count * sizeof *to);
    for (size_t k = 0; odd && k < count; ++k) to[k] = -from[k];
}

/* Nodes from the end on are those before the first. */
static void mirror_line(const FourierMesh *mesh, float *line, bool odd)
{
    for (size_t k = 1; k < mesh->nodes[2]; ++k)
        line[mesh->length[2] - k] = odd ? -line[k] : line[k];
}

/* A plane of nodes, with its images along the second and third axis. */
static void fill_plane(void *context, size_t begin, size_t end, int worker)
{
    const KernelPlanes *p = context;
    const FourierMesh *mesh = p->mesh;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const KernelLine line = line_at(p, i);
        for (size_t j = 0; j < mesh->nodes[1]; ++j) {
            place_line(mesh, &line, i, j);
            fill_line(p, &line, fourier_node(mesh, i, j, 0));
        }
        for (int c = 0; c < (fourier_of_potential(mesh) ? 1 : AXES); ++c)
            for (size_t j = 0; j < mesh->nodes[1]; ++j) {
                float *from = p->plane[c] + fourier_node(mesh, i, j, 0);
                mirror_line(mesh, from, p->odd && c == 2);
                if (j > 0)
                    copy_image(p->plane[c] + fourier_node(mesh, i, mesh->length[1] - j, 0), from,
                               mesh->length[2], p->odd && c == 1);
            }
    }
}

/* Whole planes along the first axis. */
static void mirror_planes(void *context, size_t begin, size_t end, int worker)
{
    const KernelPlanes *p = context;
    const FourierMesh *mesh = p->mesh;
    const size_t count = mesh->length[1] * mesh->length[2];
    (void)worker;
    for (size_t i = begin + 1; i < end + 1; ++i)
        for (int c = 0; c < (fourier_of_potential(mesh) ? 1 : AXES); ++c)
            copy_image(p->plane[c] + (mesh->length[0] - i) * count, p->plane[c] + i * count, count,
                       p->odd && c == 0);
}

bool fourier_fill_kernels(const FourierMesh *mesh)
{
    const KernelPlanes p = {
        .mesh = mesh,
        .plane = {mesh->kernel[0].re, mesh->kernel[0].im, mesh->kernel[1].re},
        .odd = !fourier_of_potential(mesh),
        .scratch = arena_take(mesh->request->arena,
                              6 * mesh->nodes[0] * mesh->nodes[2] * sizeof(mote_real))};
    if (p.scratch == NULL) return false;
    mote_Tasks *tasks = mesh->request->tasks;
    mote_parallel_for(tasks, mesh->nodes[0], 1, fill_plane, (void *)(uintptr_t)&p);
    mote_parallel_for(tasks, mesh->nodes[0] - 1, 1, mirror_planes, (void *)(uintptr_t)&p);
    const int waves = fourier_of_potential(mesh) || mesh->length[2] == 1 ? 1 : 2;
    for (int k = 0; k < waves; ++k) fft_forward(mesh->fft, mesh->kernel[k].re, mesh->kernel[k].im);
    return true;
}
