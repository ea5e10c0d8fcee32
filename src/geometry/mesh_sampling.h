/* Points on and in meshes. */
#ifndef GEOMETRY_MESH_SAMPLING_H
#define GEOMETRY_MESH_SAMPLING_H

#include "geometry/mesh.h"
#include "geometry/sampling.h"

enum { SAMPLE_TRIES = 1900 }; /* purposes of one draw are below 2^11 */

/* The first triangle whose area sum exceeds the share `word` of all area. */
static inline size_t mesh_pick_triangle(const mote_Mesh *mesh, uint32_t word)
{
    size_t low = 0, high = mesh->triangle_count - 1;
    double wanted = mesh->area_sums[high] * ((double)word / 4294967296.0);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (mesh->area_sums[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static inline bool mesh_sample_surface(const mote_Mesh *mesh, const ShapeRandom *random,
                                       ShapePoint *point)
{
    Random4 u = shape_draw(random, 0);
    const MeshFace *face = &mesh->faces[mesh_pick_triangle(mesh, u.word[0])];
    mote_real a = random_unit(u.word[1]), b = random_unit(u.word[2]);
    bool over = a + b > 1; /* the other half of the parallelogram */
    a = over ? 1 - a : a, b = over ? 1 - b : b;
    mote_Vec3 p = vec3_madd(face->corner[0], a, vec3_sub(face->corner[1], face->corner[0]));
    p = vec3_madd(p, b, vec3_sub(face->corner[2], face->corner[0]));
    *point = (ShapePoint){p, face->normal};
    return true;
}

/* A uniform point of the bounds that is inside, by rejection. */
static inline bool mesh_sample_volume(SurfaceAt (*surface)(const void *params, mote_Vec3 x),
                                      const void *raw, const Aabb *box, const ShapeRandom *random,
                                      ShapePoint *point)
{
    mote_Vec3 size = vec3_sub(box->high, box->low);
    for (uint32_t k = 0; k < SAMPLE_TRIES; ++k) {
        Random4 u = shape_draw(random, k);
        mote_Vec3 p = vec3(box->low.x + size.x * random_unit(u.word[0]),
                           box->low.y + size.y * random_unit(u.word[1]),
                           box->low.z + size.z * random_unit(u.word[2]));
        SurfaceAt at = surface(raw, p);
        if (!(at.distance < 0)) continue;
        *point = (ShapePoint){p, at.normal};
        return true;
    }
    return false;
}

#endif
