/* The kinds of cores: points, segments, boxes, cylinders, polytopes. */
#include "bodies/piece.h"

#include <math.h>

static double sign_of(double x)
{
    return x < 0 ? -1 : 1;
}

static bool no_normal(const Piece *piece, size_t i, D3 *normal)
{
    (void)piece, (void)i, (void)normal;
    return false;
}

/* ---- point ---- */

static D3 point_support(const Piece *piece, D3 direction)
{
    (void)piece, (void)direction;
    return d3(0, 0, 0);
}

static void point_face(const Piece *piece, D3 direction, PieceFace *face)
{
    (void)piece, (void)direction;
    face->corners[0] = d3(0, 0, 0), face->count = 1;
}

static bool point_corner(const Piece *piece, size_t i, D3 *corner)
{
    (void)piece;
    *corner = d3(0, 0, 0);
    return i == 0;
}

static bool point_hull(Memory *memory, Piece *piece)
{
    return hull_of_segment(memory, 0, &piece->hull);
}

const Core point_core = {point_support, point_face, no_normal, point_corner, point_hull, false};

/* ---- segment along y ---- */

static D3 segment_support(const Piece *piece, D3 direction)
{
    return d3(0, sign_of(direction.y) * piece->half.y, 0);
}

static void segment_face(const Piece *piece, D3 direction, PieceFace *face)
{
    (void)direction;
    face->corners[0] = d3(0, -piece->half.y, 0);
    face->corners[1] = d3(0, piece->half.y, 0);
    face->count = 2;
}

static bool segment_corner(const Piece *piece, size_t i, D3 *corner)
{
    *corner = d3(0, ((double)i - 1) * piece->half.y, 0);
    return i < 3;
}

static bool segment_hull(Memory *memory, Piece *piece)
{
    return hull_of_segment(memory, piece->half.y, &piece->hull);
}

const Core segment_core = {segment_support, segment_face, no_normal,
                           segment_corner,  segment_hull, false};

/* ---- box ---- */

static D3 box_support(const Piece *piece, D3 d)
{
    const D3 h = piece->half;
    return d3(sign_of(d.x) * h.x, sign_of(d.y) * h.y, sign_of(d.z) * h.z);
}

static D3 from_axes(const double v[3])
{
    return d3(v[0], v[1], v[2]);
}

static void box_face(const Piece *piece, D3 direction, PieceFace *face)
{
    static const double ring[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const double d[3] = {direction.x, direction.y, direction.z};
    const double h[3] = {piece->half.x, piece->half.y, piece->half.z};
    int k = fabs(d[1]) > fabs(d[0]) ? 1 : 0;
    if (fabs(d[2]) > fabs(d[k])) k = 2;
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double side = sign_of(d[k]), n[3] = {0, 0, 0};
    n[k] = side;
    for (int c = 0; c < 4; ++c) {
        double p[3];
        p[k] = side * h[k], p[i] = ring[c][0] * h[i], p[j] = side * ring[c][1] * h[j];
        face->corners[c] = from_axes(p);
    }
    face->count = 4;
    face->normal = from_axes(n);
}

static bool box_normal(const Piece *piece, size_t i, D3 *normal)
{
    double n[3] = {0, 0, 0};
    (void)piece;
    if (i >= 6) return false;
    n[i / 2] = i % 2 == 0 ? 1 : -1;
    *normal = from_axes(n);
    return true;
}

static bool box_corner(const Piece *piece, size_t i, D3 *corner)
{
    const D3 h = piece->half;
    *corner = d3((i & 1) != 0 ? h.x : -h.x, (i & 2) != 0 ? h.y : -h.y, (i & 4) != 0 ? h.z : -h.z);
    return i < 8;
}

static bool box_hull(Memory *memory, Piece *piece)
{
    return hull_of_box(memory, piece->half, &piece->hull);
}

const Core box_core = {box_support, box_face, box_normal, box_corner, box_hull, false};

/* ---- cylinder about y ---- */

enum { RIM = 8 }; /* points that stand for a rim */

/* cos and sin of the multiples of an eighth turn. */
static const double rim[RIM][2] = {{1, 0},  {0.70710678118654752, 0.70710678118654752},
                                   {0, 1},  {-0.70710678118654752, 0.70710678118654752},
                                   {-1, 0}, {-0.70710678118654752, -0.70710678118654752},
                                   {0, -1}, {0.70710678118654752, -0.70710678118654752}};

/* The unit direction across the axis. */
static D3 radial(D3 d)
{
    return d3_unit(d3(d.x, 0, d.z), d3(1, 0, 0));
}

static D3 cylinder_support(const Piece *piece, D3 d)
{
    D3 out = d3_scale(radial(d), piece->half.x);
    return d3(out.x, sign_of(d.y) * piece->half.y, out.z);
}

/* A cap as a polygon whose first corner is the deepest point of the rim, or a line of the side. */
static void cylinder_face(const Piece *piece, D3 d, PieceFace *face)
{
    D3 out = d3_scale(radial(d), piece->half.x);
    double y = sign_of(d.y) * piece->half.y;
    if (d.y * d.y < d.x * d.x + d.z * d.z) {
        face->corners[0] = d3(out.x, -piece->half.y, out.z);
        face->corners[1] = d3(out.x, piece->half.y, out.z);
        face->count = 2;
        return;
    }
    for (int i = 0; i < RIM; ++i) {
        double c = rim[i][0], s = -sign_of(d.y) * rim[i][1];
        face->corners[i] = d3(c * out.x - s * out.z, y, s * out.x + c * out.z);
    }
    face->count = RIM;
    face->normal = d3(0, sign_of(d.y), 0);
}

static bool cylinder_normal(const Piece *piece, size_t i, D3 *normal)
{
    (void)piece;
    *normal = d3(0, i == 0 ? 1 : -1, 0);
    return i < 2;
}

static bool cylinder_corner(const Piece *piece, size_t i, D3 *corner)
{
    const double *at = rim[i % RIM], r = piece->half.x, h = piece->half.y;
    *corner = d3(at[0] * r, i < RIM ? -h : h, at[1] * r);
    return i < 2 * RIM;
}

const Core cylinder_core = {cylinder_support, cylinder_face, cylinder_normal,
                            cylinder_corner,  NULL,          true};

/* ---- polytope ---- */

static D3 mesh_support(const Piece *piece, D3 direction)
{
    const mote_Mesh *mesh = piece->mesh;
    D3 best = d3_of(mesh->vertices[0]);
    double most = d3_dot(best, direction);
    for (size_t i = 1; i < mesh->vertex_count; ++i) {
        D3 p = d3_of(mesh->vertices[i]);
        double far = d3_dot(p, direction);
        if (far > most) most = far, best = p;
    }
    return best;
}

/* Grows from 0 to 4 with the angle of (x, y), without trigonometry. */
static double angle_order(double x, double y)
{
    double size = fabs(x) + fabs(y);
    if (!(size > 0)) return 0;
    double t = y / size;
    return x < 0 ? 2 - t : t < 0 ? 4 + t : t;
}

/* Corners counterclockwise about the normal. */
static void sort_face(PieceFace *face)
{
    double order[MOST_FACE];
    D3 middle = d3(0, 0, 0), u = d3_across(face->normal), v = d3_cross(face->normal, u);
    for (size_t i = 0; i < face->count; ++i) middle = d3_add(middle, face->corners[i]);
    middle = d3_scale(middle, 1 / (double)face->count);
    for (size_t i = 0; i < face->count; ++i) {
        D3 corner = face->corners[i], arm = d3_sub(corner, middle);
        double key = angle_order(d3_dot(arm, u), d3_dot(arm, v));
        size_t k = i;
        for (; k > 0 && order[k - 1] > key; --k)
            order[k] = order[k - 1], face->corners[k] = face->corners[k - 1];
        order[k] = key, face->corners[k] = corner;
    }
}

static void mesh_face(const Piece *piece, D3 direction, PieceFace *face)
{
    const mote_Mesh *mesh = piece->mesh;
    size_t best = 0;
    double most = -2, slack = 1e-5 * d3_length(piece->extent);
    for (size_t i = 0; i < mesh->plane_count; ++i) {
        double along = d3_dot(d3_of(mesh->planes[i].normal), direction);
        if (along > most) most = along, best = i;
    }
    const D3 n = d3_of(mesh->planes[best].normal);
    face->normal = n;
    face->count = 0;
    for (size_t i = 0; i < mesh->vertex_count && face->count < MOST_FACE; ++i) {
        D3 p = d3_of(mesh->vertices[i]);
        if (d3_dot(n, p) - (double)mesh->planes[best].offset > -slack)
            face->corners[face->count++] = p;
    }
    sort_face(face);
}

static bool mesh_normal(const Piece *piece, size_t i, D3 *normal)
{
    if (i >= piece->mesh->plane_count) return false;
    *normal = d3_of(piece->mesh->planes[i].normal);
    return true;
}

static bool mesh_corner(const Piece *piece, size_t i, D3 *corner)
{
    if (i >= piece->mesh->vertex_count) return false;
    *corner = d3_of(piece->mesh->vertices[i]);
    return true;
}

static bool mesh_hull(Memory *memory, Piece *piece)
{
    return hull_of_mesh(memory, piece->mesh, &piece->hull);
}

const Core mesh_core = {mesh_support, mesh_face, mesh_normal, mesh_corner, mesh_hull, false};
