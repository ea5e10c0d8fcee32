/* Normals, area, volume, centre and inertia of meshes.
 *
 * Vertex normals are the faces' normals weighted by their angle there: with them the sign of the
 * distance is right at vertices too (Baerentzen and Aanaes, IEEE TVCG 11, 2005). Volume, centre and
 * inertia are sums over tetrahedra from one point to each triangle (Tonon 2004). */
#include "geometry/mesh.h"

static mote_Vec3 corner(const mote_Mesh *mesh, size_t triangle, int k)
{
    return mesh->vertices[mesh->triangles[triangle][k]];
}

void mesh_set_faces(mote_Mesh *mesh)
{
    double sum = 0;
    for (size_t i = 0; i < mesh->triangle_count; ++i) {
        MeshFace *face = &mesh->faces[i];
        for (int k = 0; k < 3; ++k) face->corner[k] = corner(mesh, i, k);
        mote_Vec3 across = vec3_cross(vec3_sub(face->corner[1], face->corner[0]),
                                      vec3_sub(face->corner[2], face->corner[0]));
        face->normal = vec3_unit(across, vec3(0, 1, 0));
        sum += 0.5 * (double)vec3_length(across);
        mesh->area_sums[i] = sum;
    }
    mesh->facts.area = mesh->measure.area = sum;
}

/* atan2 keeps its digits near 0 and pi, where acos loses half of them. */
static mote_real angle_between(mote_Vec3 a, mote_Vec3 b)
{
    return real_atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b));
}

void mesh_set_vertex_normals(mote_Mesh *mesh)
{
    for (size_t i = 0; i < mesh->triangle_count; ++i) {
        const MeshFace *face = &mesh->faces[i];
        for (int k = 0; k < 3; ++k) {
            mote_Vec3 *n = &mesh->vertex_normals[mesh->triangles[i][k]];
            mote_Vec3 at = face->corner[k];
            mote_real angle = angle_between(vec3_sub(face->corner[(k + 1) % 3], at),
                                            vec3_sub(face->corner[(k + 2) % 3], at));
            *n = vec3_madd(*n, angle, face->normal);
        }
    }
    for (size_t i = 0; i < mesh->vertex_count; ++i)
        mesh->vertex_normals[i] = vec3_unit(mesh->vertex_normals[i], vec3(0, 1, 0));
}

/* ---- volume integrals ---- */

typedef struct Integrals {
    double volume;
    double first[3];     /* of x */
    double second[3][3]; /* of x x^T */
} Integrals;

static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* The tetrahedron from the origin to a, b, c. With the origin as the fourth corner: V = det(a, b,
 * c) / 6, the integral of x is V s / 4 and that of x x^T is V / 20 (a a^T + b b^T + c c^T + s s^T),
 * s = a + b + c. */
static void add_tetrahedron(Integrals *sum, const double v[3][3])
{
    double volume = determinant(v[0], v[1], v[2]) / 6, total[3];
    sum->volume += volume;
    for (int i = 0; i < 3; ++i) {
        total[i] = v[0][i] + v[1][i] + v[2][i];
        sum->first[i] += volume / 4 * total[i];
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double own = v[0][i] * v[0][j] + v[1][i] * v[1][j] + v[2][i] * v[2][j];
            sum->second[i][j] += volume / 20 * (own + total[i] * total[j]);
        }
}

/* Steiner's theorem leads to the centre, and I = trace(S) 1 - S from the second moments S to the
 * inertia of density 1. */
static void set_measure(ShapeMeasure *m, const Integrals *sum, const double origin[3])
{
    double c[3], about[3][3];
    m->volume = sum->volume;
    for (int i = 0; i < 3; ++i) c[i] = sum->volume != 0 ? sum->first[i] / sum->volume : 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) about[i][j] = sum->second[i][j] - sum->volume * c[i] * c[j];
    double trace = about[0][0] + about[1][1] + about[2][2];
    for (int i = 0; i < 3; ++i) {
        m->centre[i] = origin[i] + c[i];
        for (int j = 0; j < 3; ++j) m->inertia[i][j] = (i == j ? trace : 0) - about[i][j];
    }
}

/* About the middle of the bounds, so that nothing cancels. */
void mesh_measure(mote_Mesh *mesh)
{
    Integrals sum = {0};
    const mote_Vec3 middle = aabb_centre(&mesh->tree.bounds);
    const double origin[3] = {(double)middle.x, (double)middle.y, (double)middle.z};
    for (size_t i = 0; i < mesh->triangle_count; ++i) {
        double v[3][3];
        for (int k = 0; k < 3; ++k) {
            mote_Vec3 p = corner(mesh, i, k);
            v[k][0] = (double)p.x - origin[0], v[k][1] = (double)p.y - origin[1],
            v[k][2] = (double)p.z - origin[2];
        }
        add_tetrahedron(&sum, (const double(*)[3])v);
    }
    set_measure(&mesh->measure, &sum, origin);
    mesh->facts.volume = mesh->facts.closed ? sum.volume : 0;
    mesh->facts.inverted = mesh->facts.closed && sum.volume < 0;
}
