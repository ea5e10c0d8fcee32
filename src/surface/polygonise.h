/* From blocks of particles to a mesh. */
#ifndef SURFACE_POLYGONISE_H
#define SURFACE_POLYGONISE_H

#include "base/memory.h"
#include "surface/window.h"

#include <pthread.h>

/* ---- memory that workers take side by side and that goes back all at once ---- */

typedef struct Pool {
    Memory *memory;
    pthread_mutex_t lock;
    struct PoolChunk *chunks; /* newest first */
    size_t used, size;        /* bytes of the newest */
    bool exhausted;           /* something was refused */
} Pool;

bool pool_make(Pool *pool, Memory *memory);
/* 64-byte aligned; NULL when there is none. */
void *pool_take(Pool *pool, size_t bytes);
/* Gives everything back; pool_free ends the pool, too. */
void pool_reset(Pool *pool);
void pool_free(Pool *pool);

/* A mesh in memory of its own that grows and stays. */
typedef struct SurfaceMesh {
    Memory *memory;
    mote_Vec3 *vertices, *normals;
    float *bulk;
    size_t vertex_count, vertex_room[3]; /* of vertices, normals, bulk */
    uint32_t (*triangles)[3];
    size_t triangle_count, triangle_room;
} SurfaceMesh;

void surface_mesh_free(SurfaceMesh *mesh);

/* What one worker needs. */
typedef struct SurfaceWorker {
    Window window;
    FieldGrid grid;
    float *planes;
    uint64_t signs[POINT_ROWS * POINT_ROWS];
    uint32_t ranks[POINT_ROWS * POINT_ROWS][3];
    EdgeVertex vertices[MOST_VERTICES];
    uint64_t histogram[1024]; /* of field values, where the volume decides */
    size_t deep;              /* particles left out of their own block */
} SurfaceWorker;

typedef struct Polygoniser {
    Blocks *blocks;
    const SurfaceFieldRow *row;
    const SurfaceKernels *kernels;
    const CaseTable *cases;
    const void *params;
    FieldScale scale;
    float spacing; /* cells */
    double volume; /* of all particles, in cells */
    bool bulk;     /* weights for smoothing are wanted */
    bool whole;    /* nothing is left out where it is deep */
    bool uniform;  /* all particles have one size */
    mote_Tasks *tasks;
    Memory *memory;
    SurfaceWorker **workers; /* all that follows is its own */
    int worker_count;
    Shell *shells;        /* of each block */
    SurfaceShape *shapes; /* of each particle; NULL where kernels are round */
    Pool pool;
} Polygoniser;

mote_Status polygoniser_open(Polygoniser *polygoniser, mote_Error *error);
void polygoniser_close(Polygoniser *polygoniser);

/* Steps, in this order: weights of isolated particles (false: out of memory), shapes of kernels,
 * then the mesh, as often as isovalues are tried until it has the particles' volume. */
bool polygoniser_find_spray(Polygoniser *polygoniser);
mote_Status polygoniser_find_shapes(Polygoniser *polygoniser, mote_Error *error);
mote_Status polygoniser_make(Polygoniser *polygoniser, SurfaceMesh *mesh, mote_Error *error);

/* The field of round kernels at a particle. */
float polygoniser_round_field(const Polygoniser *polygoniser, const SurfaceBlock *block,
                              const SurfaceParticle *particle);

/* The mesh at the present isovalue. */
mote_Status polygoniser_run(Polygoniser *polygoniser, SurfaceMesh *mesh, mote_Error *error);

/* The field of one block in worker->grid; false when there is nothing of a surface in it. */
bool polygoniser_field(const Polygoniser *polygoniser, SurfaceWorker *worker,
                       const SurfaceBlock *block);

#endif
