/* Making pieces from shapes, and what the kinds of cores answer. */
#include "bodies/piece.h"

#include "base/status.h"
#include "geometry/shapes.h"

#include <math.h>
#include <string.h>

/* Everything in the piece's own frame. */
struct Core {
    D3 (*support)(const Piece *piece, D3 direction);
    void (*face)(const Piece *piece, D3 direction, PieceFace *face);
    bool (*normal)(const Piece *piece, size_t i, D3 *normal);
    bool (*corner)(const Piece *piece, size_t i, D3 *corner);
    bool (*hull)(Memory *memory, Piece *piece); /* NULL: no polytope */
    bool turned;                                /* round about y */
};

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

static const Core point_core = {point_support, point_face, no_normal,
                                point_corner,  point_hull, false};

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

static const Core segment_core = {segment_support, segment_face, no_normal,
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

static const Core box_core = {box_support, box_face, box_normal, box_corner, box_hull, false};

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

static const Core cylinder_core = {cylinder_support, cylinder_face, cylinder_normal,
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

static const Core mesh_core = {mesh_support, mesh_face, mesh_normal, mesh_corner, mesh_hull, false};

/* ---- making ---- */

static void make_plane(Piece *piece)
{
    const mote_PlaneShape *p = piece->params;
    piece->kind = PIECE_PLANE;
    piece->normal = d3_unit(d3_of(p->normal), d3(0, 1, 0));
    piece->offset = (double)p->offset;
}

static void make_sphere(Piece *piece)
{
    piece->core = &point_core;
    piece->radius = (double)((const mote_SphereShape *)piece->params)->radius;
}

static void make_capsule(Piece *piece)
{
    const mote_CapsuleShape *p = piece->params;
    piece->core = &segment_core;
    piece->radius = (double)p->radius;
    piece->half.y = 0.5 * (double)p->length;
}

static void make_box(Piece *piece)
{
    const mote_Vec3 size = ((const mote_BoxShape *)piece->params)->size;
    piece->core = &box_core;
    piece->half = d3_scale(d3_of(size), 0.5);
    if (!(size.x > 0 && size.y > 0 && size.z > 0)) piece->kind = PIECE_FIELD;
}

static void make_cylinder(Piece *piece)
{
    const mote_CylinderShape *p = piece->params;
    piece->core = &cylinder_core;
    piece->half = d3((double)p->radius, 0.5 * (double)p->height, (double)p->radius);
}

static void make_convex(Piece *piece)
{
    piece->core = &mesh_core;
    piece->mesh = ((const mote_ConvexShape *)piece->params)->mesh;
}

static void make_mesh(Piece *piece)
{
    piece->core = &mesh_core;
    piece->mesh = ((const mote_MeshShape *)piece->params)->mesh;
    if (!piece->mesh->facts.convex) piece->kind = PIECE_FIELD;
}

static const struct {
    const char *shape;
    void (*make)(Piece *piece);
} kinds[] = {{"plane", make_plane},      {"sphere", make_sphere}, {"capsule", make_capsule},
             {"box", make_box},          {"convex", make_convex}, {"mesh", make_mesh},
             {"cylinder", make_cylinder}};

static void set_bounds(Piece *piece)
{
    const Aabb box = piece->row->bounds(piece->params);
    bool ends = aabb_is_finite(&box);
    piece->middle = ends ? d3_of(aabb_centre(&box)) : d3(0, 0, 0);
    piece->extent = ends ? d3_scale(d3_sub(d3_of(box.high), d3_of(box.low)), 0.5)
                         : d3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
}

static bool add_piece(Memory *memory, const ShapeRow *row, const void *params, const DPose *pose,
                      PieceList *pieces)
{
    Piece piece = {.row = row, .params = params, .pose = *pose, .kind = PIECE_CONVEX};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        if (strcmp(kinds[i].shape, row->head.name) == 0) kinds[i].make(&piece);
    if (piece.kind == PIECE_CONVEX && piece.core == NULL) piece.kind = PIECE_FIELD;
    set_bounds(&piece);
    if (!memory_reserve(memory, (void **)&pieces->items, &pieces->capacity, pieces->count + 1,
                        sizeof *pieces->items))
        return false;
    if (pieces->count < pieces->made) piece.hull = pieces->items[pieces->count].hull;
    piece.hull.known = false;
    Piece *kept = &pieces->items[pieces->count++];
    *kept = piece;
    if (pieces->made < pieces->count) pieces->made = pieces->count;
    bool has_hull = piece.kind == PIECE_CONVEX && piece.core->hull != NULL;
    return !has_hull || piece.core->hull(memory, kept);
}

mote_Status pieces_make(Memory *memory, const ShapeRow *row, const void *params,
                        const DPose *in_solid, PieceList *pieces, mote_Error *error)
{
    if (strcmp(row->head.name, "compound") != 0)
        return add_piece(memory, row, params, in_solid, pieces)
                   ? MOTE_OK
                   : status_no_memory(error, "pieces of a body", sizeof(Piece));
    const mote_Shapes *shapes = ((const mote_CompoundShape *)params)->parts;
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < shapes->count && status == MOTE_OK; ++i) {
        const PosedShape *part = &shapes->parts[i];
        DPose own = dpose_of(&part->pose), pose = dpose_product(in_solid, &own);
        status = pieces_make(memory, part->row, part->params, &pose, pieces, error);
    }
    return status;
}

void pieces_free(Memory *memory, PieceList *pieces)
{
    for (size_t i = 0; i < pieces->made; ++i) hull_free(memory, &pieces->items[i].hull);
    memory_free(memory, pieces->items, pieces->capacity * sizeof *pieces->items);
    *pieces = (PieceList){0};
}

void pieces_measure(const PieceList *pieces, double *reach, double *smallest)
{
    *reach = 0, *smallest = HUGE_VAL;
    for (size_t i = 0; i < pieces->count; ++i) {
        const Piece *p = &pieces->items[i];
        double far = d3_length(dpose_apply(&p->pose, p->middle)) + d3_length(p->extent);
        double thin = fmin(p->extent.x, fmin(p->extent.y, p->extent.z));
        if (far > *reach || far != far) *reach = far;
        if (thin < *smallest) *smallest = thin;
    }
}

/* ---- in the world ---- */

Placed piece_place(const Piece *piece, const DPose *solid)
{
    Placed out = {.piece = piece, .pose = dpose_product(solid, &piece->pose)};
    const D3 e = piece->extent, middle = dpose_apply(&out.pose, piece->middle);
    D3 half = d3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    if (e.x < HUGE_VAL) {
        D3 a = dquat_rotate(out.pose.orientation, d3(e.x, 0, 0)),
           b = dquat_rotate(out.pose.orientation, d3(0, e.y, 0)),
           c = dquat_rotate(out.pose.orientation, d3(0, 0, e.z));
        half = d3(fabs(a.x) + fabs(b.x) + fabs(c.x), fabs(a.y) + fabs(b.y) + fabs(c.y),
                  fabs(a.z) + fabs(b.z) + fabs(c.z));
    }
    out.low = d3_sub(middle, half), out.high = d3_add(middle, half);
    return out;
}

D3 placed_support(const Placed *placed, D3 direction)
{
    const Piece *piece = placed->piece;
    D3 own = dquat_rotate_back(placed->pose.orientation, direction);
    return dpose_apply(&placed->pose, piece->core->support(piece, own));
}

void placed_face(const Placed *placed, D3 direction, PieceFace *face)
{
    const Piece *piece = placed->piece;
    piece->core->face(piece, dquat_rotate_back(placed->pose.orientation, direction), face);
    for (size_t i = 0; i < face->count; ++i)
        face->corners[i] = dpose_apply(&placed->pose, face->corners[i]);
    face->normal = dquat_rotate(placed->pose.orientation, face->normal);
}

bool placed_normal(const Placed *placed, size_t i, D3 *normal)
{
    const Piece *piece = placed->piece;
    if (!piece->core->normal(piece, i, normal)) return false;
    *normal = dquat_rotate(placed->pose.orientation, *normal);
    return true;
}

bool placed_corner(const Placed *placed, size_t i, D3 *corner)
{
    const Piece *piece = placed->piece;
    bool known = piece->core != NULL && (piece->kind == PIECE_CONVEX || piece->mesh != NULL);
    if (!known || !piece->core->corner(piece, i, corner)) return false;
    *corner = dpose_apply(&placed->pose, *corner);
    return true;
}

/* Flat on its cap within 3 degrees, a cylinder stands on it: no place of the rim is the lowest. */
#define LEAST_TILT 0.05

Round placed_round(const Placed *placed, D3 direction)
{
    const Piece *piece = placed->piece;
    Round round = {.radius = piece->radius};
    if (piece->core == NULL || !piece->core->turned) return round;
    D3 axis = dquat_rotate(placed->pose.orientation, d3(0, 1, 0));
    if (d3_length(d3_cross(axis, direction)) > LEAST_TILT)
        round = (Round){.radius = piece->half.x, .axis = axis};
    return round;
}

double placed_distance(const Placed *placed, D3 x, D3 *normal)
{
    const Piece *piece = placed->piece;
    mote_Vec3 p = d3_real(dpose_invert(&placed->pose, x)), n;
    mote_real distance;
    mote_real *const at[3] = {&p.x, &p.y, &p.z}, *const out[3] = {&n.x, &n.y, &n.z};
    piece->row->distance(piece->params, 1, at, &distance);
    piece->row->normal(piece->params, 1, at, out);
    *normal = dquat_rotate(placed->pose.orientation, d3_of(n));
    return (double)distance;
}
