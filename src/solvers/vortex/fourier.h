/* Meshes whose flow is had by Fourier transforms, in free space. */
#ifndef SOLVERS_VORTEX_FOURIER_H
#define SOLVERS_VORTEX_FOURIER_H

#include "fft/fft.h"
#include "solvers/vortex/induce.h"

enum { FOURIER_AXES = 3 };

/* Nodes at most, of all that are transformed. */
#define FOURIER_MOST_NODES 3e7

/* A complex array of the doubled mesh. */
typedef struct Wave {
    float *re, *im;
} Wave;

/* Numbers of transforms are floats in both precisions: the mesh's own error, by M4' and by its
 * cells, is above their rounding. */
typedef struct FourierMesh {
    const InduceRequest *request;   /* core, quantity, tasks, arena; points and sources, if any */
    double low[FOURIER_AXES], side; /* m: first node; cell */
    size_t nodes[FOURIER_AXES];     /* that are used */
    size_t length[FOURIER_AXES];    /* doubled; the last runs fastest */
    mote_real core2;                /* m^2 */
    Wave wave[FOURIER_AXES], kernel[2]; /* strengths, then what they induce */
    size_t *first, *order;              /* sources by their cell along the first axis */
    Fft *fft;
} FourierMesh;

/* Whether there are not too many nodes; sets `length`. */
bool fourier_lengths(FourierMesh *mesh);
/* Empty waves; then strengths are put into wave[0 to 2].re, m^3/s. False when out of memory. */
bool fourier_take(FourierMesh *mesh);
/* The transforms of what one vorton induces: of K, u = alpha x K, in kernel[0] and kernel[1].re; of
 * the potential in kernel[0].re. False when out of memory. */
bool fourier_fill_kernels(const FourierMesh *mesh);
/* What they induce, times the number of nodes: its components are wave[0].re, wave[0].im and
 * wave[1].re. False when out of memory. */
bool fourier_convolve(FourierMesh *mesh);
void fourier_give_back(FourierMesh *mesh);

static inline size_t fourier_size(const FourierMesh *mesh)
{
    return mesh->length[0] * mesh->length[1] * mesh->length[2];
}

/* Of a node that is used. */
static inline size_t fourier_node(const FourierMesh *mesh, size_t i, size_t j, size_t k)
{
    return (i * mesh->length[1] + j) * mesh->length[2] + k;
}

static inline bool fourier_of_potential(const FourierMesh *mesh)
{
    return mesh->request->quantity == QUANTITY_POTENTIAL;
}

#endif
