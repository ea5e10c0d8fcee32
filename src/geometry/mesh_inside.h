/* The generalised winding number of a mesh about a point: 1 inside, 0 outside, in between near
 * holes (Jacobson, Kavan, Sorkine-Hornung, ACM TOG 32, 2013); far nodes count as dipoles. */
#ifndef GEOMETRY_MESH_INSIDE_H
#define GEOMETRY_MESH_INSIDE_H

#include "geometry/mesh_query.h"

/* The solid angle of a triangle over 4 pi (van Oosterom and Strackee 1983). */
static inline mote_real winding_of_triangle(const MeshFace *face, mote_Vec3 p)
{
    mote_Vec3 a = vec3_sub(face->corner[0], p), b = vec3_sub(face->corner[1], p),
              c = vec3_sub(face->corner[2], p);
    mote_real la = vec3_length(a), lb = vec3_length(b), lc = vec3_length(c);
    /* tan(solid angle / 2) = a . (b x c) / (|a| |b| |c| + (a . b) |c| + (b . c) |a| + (c . a) |b|);
     * atan2, for an angle of more than pi. */
    mote_real up = vec3_dot(a, vec3_cross(b, c));
    mote_real down = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
    return real_atan2(up, down) * (mote_real)0.15915494309189535; /* 1 / (2 pi) */
}

/* The first term of the multipole expansion: the sum of area times normal (`moment`), seen from p,
 * as m . r / (4 pi r^3). */
static inline mote_real winding_of_dipole(const MeshDipole *dipole, mote_Vec3 p)
{
    mote_Vec3 r = vec3_sub(dipole->centre, p);
    mote_real d = vec3_length(r);
    return vec3_dot(r, dipole->moment) * (mote_real)0.07957747154594767 / (d * d * d);
}

/* The walk of Barnes and Hut's tree codes: what is small as seen from p counts as one. */
static inline bool mesh_winds_around(const mote_Mesh *mesh, mote_Vec3 p)
{
    const mote_real far = 3; /* reaches from which a dipole will do */
    uint32_t stack[TREE_STACK];
    size_t depth = 0;
    mote_real sum = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        uint32_t number = stack[--depth];
        const TreeNode *node = &mesh->tree.nodes[number];
        for (int k = 0; k < TREE_WIDTH; ++k) {
            if (node->count[k] == TREE_NOTHING) continue;
            const MeshDipole *dipole = &mesh->dipoles[(size_t)number * TREE_WIDTH + (size_t)k];
            bool afar = vec3_length(vec3_sub(p, dipole->centre)) > far * dipole->reach;
            if (afar) sum += winding_of_dipole(dipole, p);
            if (!afar && node->count[k] == 0) stack[depth++] = node->first[k];
            for (uint32_t n = 0; n < node->count[k] && !afar; ++n)
                sum += winding_of_triangle(&mesh->faces[node->first[k] + n], p);
        }
    }
    return sum > (mote_real)0.5;
}

#endif
