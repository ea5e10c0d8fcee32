/* Chunks of a solid: cutting them by planes, their volumes, the points of their hulls. */
#include "geometry/decompose.h"

#include "base/status.h"
#include "geometry/shapes.h"

double mesh_depth(const mote_Mesh *mesh, D3 x)
{
    const mote_MeshShape shape = {mesh, MOTE_INSIDE_CLOSED};
    mote_Vec3 at = d3_real(x);
    mote_real distance, *const place[3] = {&at.x, &at.y, &at.z};
    shape_named("mesh")->distance(&shape, 1, place, &distance);
    return (double)distance;
}

void chunk_free(Decomposer *d, Chunk *chunk)
{
    memory_free(&d->memory, chunk->triangles, chunk->capacity * sizeof *chunk->triangles);
    mote_mesh_release(chunk->hull);
    *chunk = (Chunk){.triangles = NULL};
}

static bool add_triangle(Decomposer *d, Chunk *chunk, const D3 corner[3], bool cap)
{
    if (!memory_reserve(&d->memory, (void **)&chunk->triangles, &chunk->capacity, chunk->count + 1,
                        sizeof *chunk->triangles))
        return false;
    chunk->triangles[chunk->count++] = (ChunkTriangle){{corner[0], corner[1], corner[2]}, cap};
    return true;
}

/* By the divergence theorem, about the mesh's middle. */
static double volume_of(const Decomposer *d, const Chunk *chunk)
{
    double sum = 0;
    for (size_t i = 0; i < chunk->count; ++i) {
        const D3 *c = chunk->triangles[i].corner;
        D3 a = d3_sub(c[0], d->middle), b = d3_sub(c[1], d->middle);
        sum += d3_dot(a, d3_cross(b, d3_sub(c[2], d->middle)));
    }
    return sum / 6;
}

bool chunk_whole(Decomposer *d, Chunk *chunk)
{
    const mote_Mesh *mesh = d->mesh;
    *chunk = (Chunk){.triangles = NULL};
    for (size_t i = 0; i < mesh->triangle_count; ++i) {
        const mote_Vec3 *c = mesh->faces[i].corner;
        if (!add_triangle(d, chunk, (D3[3]){d3_of(c[0]), d3_of(c[1]), d3_of(c[2])}, false))
            return false;
    }
    chunk->volume = volume_of(d, chunk);
    return true;
}

/* ---- cutting ---- */

/* A cut in progress: what is kept, and the first point of the fan over the cut. */
typedef struct Cut {
    Decomposer *d;
    Chunk *part;
    CutPlane plane;
    D3 apex;
    bool begun;
} Cut;

/* Nearer than rounding is on the plane. */
static double height(const Cut *cut, D3 x)
{
    double h = d3_dot(cut->plane.n, x) - cut->plane.offset;
    return h > -cut->d->close && h < cut->d->close ? 0 : h;
}

typedef struct Polygon {
    D3 x[4];
    double h[4];
    size_t count;
} Polygon;

/* The part of a triangle behind the plane; nothing when it only touches it. */
static Polygon clip(const Cut *cut, const D3 corner[3])
{
    Polygon out = {.count = 0};
    double h[3], least = 0;
    for (int k = 0; k < 3; ++k) h[k] = height(cut, corner[k]), least = h[k] < least ? h[k] : least;
    for (int k = 0; k < 3 && least < 0; ++k) {
        int next = (k + 1) % 3;
        if (h[k] <= 0) out.x[out.count] = corner[k], out.h[out.count++] = h[k];
        if (h[k] * h[next] >= 0) continue;
        int from = h[k] < 0 ? k : next, to = from == k ? next : k; /* neighbours do the same */
        D3 way = d3_sub(corner[to], corner[from]);
        out.x[out.count] = d3_madd(corner[from], h[from] / (h[from] - h[to]), way);
        out.h[out.count++] = 0;
    }
    return out;
}

/* The fan has every edge of the section, the other way round. */
static bool close_edge(Cut *cut, D3 a, D3 b)
{
    if (!cut->begun) cut->apex = a, cut->begun = true;
    return add_triangle(cut->d, cut->part, (D3[3]){cut->apex, b, a}, true);
}

static bool keep_polygon(Cut *cut, const Polygon *p, bool cap)
{
    for (size_t k = 2; k < p->count; ++k)
        if (!add_triangle(cut->d, cut->part, (D3[3]){p->x[0], p->x[k - 1], p->x[k]}, cap))
            return false;
    for (size_t k = 0; k < p->count; ++k) {
        size_t next = (k + 1) % p->count;
        if (p->h[k] == 0 && p->h[next] == 0 && !close_edge(cut, p->x[k], p->x[next])) return false;
    }
    return true;
}

bool chunk_cut(Decomposer *d, const Chunk *chunk, const CutPlane *plane, Chunk *part)
{
    Cut cut = {.d = d, .part = part, .plane = *plane};
    *part = (Chunk){.plane_count = chunk->plane_count};
    for (size_t i = 0; i < chunk->plane_count; ++i) part->planes[i] = chunk->planes[i];
    part->planes[part->plane_count++] = *plane;
    for (size_t i = 0; i < chunk->count; ++i) {
        Polygon kept = clip(&cut, chunk->triangles[i].corner);
        if (!keep_polygon(&cut, &kept, chunk->triangles[i].cap)) return false;
    }
    part->volume = volume_of(d, part);
    return true;
}

/* ---- points of the hull ---- */

bool chunk_add_point(Decomposer *d, D3 x)
{
    if (!memory_reserve(&d->memory, (void **)&d->points, &d->point_capacity,
                        3 * (d->point_count + 1), sizeof *d->points))
        return false;
    double *to = d->points + 3 * d->point_count++;
    to[0] = x.x, to[1] = x.y, to[2] = x.z;
    return true;
}

/* Where three planes meet. */
static bool meeting(const CutPlane *a, const CutPlane *b, const CutPlane *c, D3 *x)
{
    D3 bc = d3_cross(b->n, c->n), ca = d3_cross(c->n, a->n), ab = d3_cross(a->n, b->n);
    double det = d3_dot(a->n, bc);
    if (!(det > 1e-9 || det < -1e-9)) return false;
    D3 sum = d3_madd(d3_madd(d3_scale(bc, a->offset), b->offset, ca), c->offset, ab);
    *x = d3_scale(sum, 1 / det);
    return true;
}

static bool is_behind_all(const Decomposer *d, const Chunk *chunk, D3 x)
{
    for (size_t i = 0; i < chunk->plane_count; ++i)
        if (d3_dot(chunk->planes[i].n, x) > chunk->planes[i].offset + d->close) return false;
    return true;
}

/* A corner of the cuts is one of the chunk when it is inside the mesh, or on it: two cuts may meet
 * in an inward edge, of whose faces the chunk has nothing. */
static bool add_corner(Decomposer *d, const Chunk *chunk, size_t i, size_t j, size_t k)
{
    const CutPlane *p = chunk->planes;
    D3 x;
    if (!meeting(&p[i], &p[j], &p[k], &x) || !is_behind_all(d, chunk, x)) return true;
    return mesh_depth(d->mesh, x) > d->close || chunk_add_point(d, x);
}

/* The chunk's corners are the mesh's own, cut edges and faces, and corners of the cuts. */
bool chunk_points(Decomposer *d, const Chunk *chunk)
{
    d->point_count = 0;
    for (size_t i = 0; i < chunk->count; ++i)
        for (int k = 0; k < 3 && !chunk->triangles[i].cap; ++k)
            if (!chunk_add_point(d, chunk->triangles[i].corner[k])) return false;
    for (size_t i = 0; i < chunk->plane_count; ++i)
        for (size_t j = i + 1; j < chunk->plane_count; ++j)
            for (size_t k = j + 1; k < chunk->plane_count; ++k)
                if (!add_corner(d, chunk, i, j, k)) return false;
    return true;
}

/* Points along edges and in faces would make triangles without area: they go first. */
mote_Status chunk_set_hull(Decomposer *d, Chunk *chunk, mote_Error *error)
{
    const size_t points = d->point_count;
    bool *corners = memory_take(&d->memory, points);
    if (corners == NULL) return status_no_memory(error, "corners of a hull", points);
    d->point_count = mesh_hull_corners(d->points, points, 4 * d->close, corners);
    memory_free(&d->memory, corners, points);
    mote_Status status =
        mote_mesh_hull(d->points, d->point_count, d->mesh->memory.allocator, &chunk->hull, error);
    if (status == MOTE_OK) chunk_measure(d, chunk);
    return status;
}
