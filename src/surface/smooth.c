/* Laplacian smoothing with feature weights,
 *
 *     x_i <- x_i + w_i (mean of x_j over the neighbours j - x_i),
 *
 * where w is 1 on bulk liquid, which loses its bumps, and goes to 0 where few particles are, so
 * that spray and thin sheets do not shrink. Loeschner, Boettcher, Rhys Jeske and Bender, "Weighted
 * Laplacian smoothing for surface reconstruction of particle-based fluids", VMV 2023. What the
 * passes take from a lump's volume is given back by moving its vertices along their normals, by
 * the same weights. */
#include "surface/lumps.h"

#include "base/status.h"
#include "base/vec.h"

#include <math.h>

enum { GRAIN = 4096 };

typedef struct SurfaceSmoothing {
    SurfaceMesh *mesh;
    const Lumps *lumps;
    uint32_t *starts;      /* of each vertex in next and last; one more than vertices */
    uint32_t *next, *last; /* the other two corners of each triangle of a vertex */
    mote_Vec3 *moved;
    double *volume, *area; /* of each lump: now; and its area by weight */
} SurfaceSmoothing;

/* ---- triangles of vertices ---- */

/* Triangles of each vertex, one after another: counts, sums of counts, then places. From the last
 * triangle to the first, so that each vertex keeps them in their order. */
static void list_corners(SurfaceSmoothing *s)
{
    const SurfaceMesh *mesh = s->mesh;
    for (size_t v = 0; v <= mesh->vertex_count; ++v) s->starts[v] = 0;
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        for (int i = 0; i < 3; ++i) ++s->starts[mesh->triangles[t][i]];
    for (size_t v = 0, sum = 0; v <= mesh->vertex_count; ++v)
        s->starts[v] = (uint32_t)(sum += s->starts[v]); /* where the next vertex begins */
    for (size_t t = mesh->triangle_count; t-- > 0;)
        for (int i = 0; i < 3; ++i) {
            const uint32_t *corner = mesh->triangles[t];
            uint32_t place = --s->starts[corner[i]];
            s->next[place] = corner[(i + 1) % 3], s->last[place] = corner[(i + 2) % 3];
        }
}

/* ---- passes ---- */

/* In a closed mesh each neighbour of a vertex is once the next corner of one of its triangles (and
 * once the last of another), so the mean over `next` is that over the neighbours. */
static void smooth_rows(void *context, size_t begin, size_t end, int worker)
{
    const SurfaceSmoothing *s = context;
    const mote_Vec3 *x = s->mesh->vertices;
    (void)worker;
    for (size_t v = begin; v < end; ++v) {
        mote_Vec3 sum = {0, 0, 0};
        uint32_t first = s->starts[v], beyond = s->starts[v + 1];
        for (uint32_t i = first; i < beyond; ++i) sum = vec3_add(sum, x[s->next[i]]);
        mote_Vec3 mean = vec3_scale(sum, 1 / (mote_real)(beyond - first));
        s->moved[v] = vec3_madd(x[v], (mote_real)s->mesh->bulk[v], vec3_sub(mean, x[v]));
    }
}

static void smooth_once(SurfaceSmoothing *s, mote_Tasks *tasks)
{
    mote_parallel_for(tasks, s->mesh->vertex_count, GRAIN, smooth_rows, s);
    mote_Vec3 *old = s->mesh->vertices;
    s->mesh->vertices = s->moved;
    s->moved = old;
}

/* ---- normals and volume ---- */

/* Sum of the normals of a vertex's triangles times twice their areas. */
static mote_Vec3 face_sum(const SurfaceSmoothing *s, size_t v)
{
    const mote_Vec3 *x = s->mesh->vertices;
    mote_Vec3 sum = {0, 0, 0};
    for (uint32_t i = s->starts[v]; i < s->starts[v + 1]; ++i)
        sum =
            vec3_add(sum, vec3_cross(vec3_sub(x[s->next[i]], x[v]), vec3_sub(x[s->last[i]], x[v])));
    return sum;
}

static void normal_rows(void *context, size_t begin, size_t end, int worker)
{
    const SurfaceSmoothing *s = context;
    (void)worker;
    for (size_t v = begin; v < end; ++v)
        s->mesh->normals[v] = vec3_unit(face_sum(s, v), s->mesh->normals[v]);
}

/* Moving vertices outward by w_i d changes the volume by d times the sum of w_i A_i, with a third
 * of its triangles' areas, seen along the normal, for A_i. */
static void sum_areas(const SurfaceSmoothing *s)
{
    for (size_t i = 0; i < s->lumps->count; ++i) s->area[i] = 0;
    for (size_t v = 0; v < s->mesh->vertex_count; ++v)
        s->area[s->lumps->of[v]] +=
            (double)s->mesh->bulk[v] * (double)vec3_length(face_sum(s, v)) / 6;
}

static void inflate_rows(void *context, size_t begin, size_t end, int worker)
{
    const SurfaceSmoothing *s = context;
    (void)worker;
    for (size_t v = begin; v < end; ++v) {
        uint32_t lump = s->lumps->of[v];
        mote_real by = (mote_real)(s->volume[lump] * (double)s->mesh->bulk[v]);
        s->mesh->vertices[v] = vec3_madd(s->mesh->vertices[v], by, s->mesh->normals[v]);
    }
}

/* What is not much larger than the reach of the passes would shrink to nothing. */
static void spare_small_pieces(SurfaceSmoothing *s, double bulk)
{
    for (size_t v = 0; v < s->mesh->vertex_count; ++v) {
        double size = fabs(s->lumps->volume[s->lumps->of[v]]) / bulk;
        if (size < 1) s->mesh->bulk[v] *= (float)size;
    }
}

/* To first order in the distance, which is enough: passes take a small part of the volume. The
 * bound keeps a piece of which only few vertices are bulk from growing spikes there. */
static void restore_volume(SurfaceSmoothing *s, const SmoothDef *def)
{
    lumps_measure(s->lumps, s->mesh, s->volume);
    sum_areas(s);
    for (size_t i = 0; i < s->lumps->count; ++i) {
        double lost = s->lumps->volume[i] - s->volume[i];
        double by = s->area[i] > 0 ? lost / s->area[i] : 0;
        s->volume[i] = fmax(-def->most, fmin(by, def->most)); /* how far to move */
    }
    mote_parallel_for(def->tasks, s->mesh->vertex_count, GRAIN, inflate_rows, s);
}

/* ---- all of it ---- */

static bool take_room(SurfaceSmoothing *s, size_t vertices, size_t corners)
{
    Memory *memory = s->mesh->memory;
    size_t lumps = s->lumps->count * sizeof(double);
    s->starts = memory_take(memory, (vertices + 1) * sizeof *s->starts);
    s->next = memory_take(memory, corners * sizeof *s->next);
    s->last = memory_take(memory, corners * sizeof *s->last);
    s->volume = memory_take(memory, lumps);
    s->area = memory_take(memory, lumps);
    s->moved = memory_take(memory, s->mesh->vertex_room[0] * sizeof *s->moved);
    return s->starts != NULL && s->next != NULL && s->last != NULL && s->volume != NULL &&
           s->area != NULL && s->moved != NULL;
}

static void free_room(SurfaceSmoothing *s, size_t vertices, size_t corners)
{
    Memory *memory = s->mesh->memory;
    size_t lumps = s->lumps->count * sizeof(double);
    memory_free(memory, s->starts, (vertices + 1) * sizeof *s->starts);
    memory_free(memory, s->next, corners * sizeof *s->next);
    memory_free(memory, s->last, corners * sizeof *s->last);
    memory_free(memory, s->volume, lumps);
    memory_free(memory, s->area, lumps);
    memory_free(memory, s->moved, s->mesh->vertex_room[0] * sizeof *s->moved);
}

mote_Status surface_smooth(SurfaceMesh *mesh, const Lumps *lumps, const SmoothDef *def,
                           mote_Error *error)
{
    size_t vertices = mesh->vertex_count, corners = 3 * mesh->triangle_count;
    SurfaceSmoothing s = {.mesh = mesh, .lumps = lumps};
    if (vertices == 0) return MOTE_OK;
    bool good = take_room(&s, vertices, corners);
    if (good) {
        list_corners(&s);
        spare_small_pieces(&s, def->bulk);
        for (int pass = 0; pass < def->passes; ++pass) smooth_once(&s, def->tasks);
        /* Vertices are moved along normals of the smoothed mesh. */
        mote_parallel_for(def->tasks, vertices, GRAIN, normal_rows, &s);
        restore_volume(&s, def);
        mote_parallel_for(def->tasks, vertices, GRAIN, normal_rows, &s);
    }
    free_room(&s, vertices, corners);
    return good ? MOTE_OK
                : status_no_memory(error, "smoothing a surface",
                                   corners * 2 * sizeof *s.next + vertices * sizeof *s.moved);
}
