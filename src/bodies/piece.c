/* Making pieces from shapes, and where they stand. */
#include "bodies/piece.h"

#include "base/status.h"
#include "geometry/shapes.h"

#include <math.h>

/* ---- making ---- */

static const Core *const cores[CORES] = {
    [CORE_POINT] = &point_core,       [CORE_SEGMENT] = &segment_core, [CORE_BOX] = &box_core,
    [CORE_CYLINDER] = &cylinder_core, [CORE_POLYTOPE] = &mesh_core,
};

static bool has_end(mote_Vec3 half)
{
    return half.x < AABB_ENDLESS && half.y < AABB_ENDLESS && half.z < AABB_ENDLESS;
}

static void set_form(Piece *piece, const ShapeForm *form)
{
    const bool is_plane = form->core == CORE_HALF_SPACE;
    piece->mesh = form->mesh;
    piece->core = cores[form->core];
    if (form->mesh != NULL && form->core == CORE_NONE) piece->core = &mesh_core;
    piece->half = d3_of(form->half);
    piece->radius = (double)form->radius;
    piece->normal = d3_unit(d3_of(form->normal), d3(0, 1, 0));
    piece->offset = (double)form->offset;
    const bool convex = piece->core != NULL && has_end(form->half) &&
                        (form->mesh == NULL || form->mesh->facts.convex);
    piece->kind = is_plane ? PIECE_PLANE : convex ? PIECE_CONVEX : PIECE_FIELD;
}

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
    const ShapeForm form = shape_form(row, params);
    Piece piece = {.row = row, .params = params, .pose = *pose};
    set_form(&piece, &form);
    set_bounds(&piece);
    if (!memory_reserve(memory, (void **)&pieces->items, &pieces->capacity, pieces->count + 1,
                        sizeof *pieces->items))
        return false;
    /* A body of another shape may have stood here: its hull's memory serves again. */
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
    const mote_Shapes *shapes = shape_form(row, params).parts;
    if (shapes == NULL)
        return add_piece(memory, row, params, in_solid, pieces)
                   ? MOTE_OK
                   : status_no_memory(error, "pieces of a body", sizeof(Piece));
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
        if (far > *reach || isnan(far)) *reach = far; /* and stays no number */
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

/* Corners that the shape tells itself, as it has no core. */
static bool own_corner(const Piece *piece, size_t i, D3 *corner)
{
    mote_Vec3 own;
    if (piece->row->corner == NULL || !piece->row->corner(piece->params, i, &own)) return false;
    *corner = d3_of(own);
    return true;
}

bool placed_corner(const Placed *placed, size_t i, D3 *corner)
{
    const Piece *piece = placed->piece;
    bool own = piece->core == NULL && own_corner(piece, i, corner);
    bool known = piece->core != NULL && (piece->kind == PIECE_CONVEX || piece->mesh != NULL);
    if (!own && (!known || !piece->core->corner(piece, i, corner))) return false;
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
