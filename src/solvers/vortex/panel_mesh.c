/* Panels of shapes: boxes by their faces, meshes by their triangles, and what has neither and
 * bulges (balls, capsules, cylinders) as a cube blown up onto its surface. */
#include "base/math.h"
#include "geometry/mesh.h"
#include "solvers/vortex/panels.h"

/* ---- room ---- */

static bool reserve(Panels *p, size_t corners, size_t panels, Memory *memory)
{
    p->corners = memory_take(memory, corners * sizeof *p->corners);
    p->panels = memory_take(memory, panels * sizeof *p->panels);
    p->edges = memory_take(memory, 4 * panels * sizeof *p->edges);
    p->corner_count = corners, p->count = panels;
    return p->corners != NULL && p->panels != NULL && p->edges != NULL;
}

void panels_free(Panels *p, Memory *memory)
{
    size_t square = p->count * p->count * sizeof(double);
    memory_free(memory, p->corners, p->corner_count * sizeof *p->corners);
    memory_free(memory, p->panels, p->count * sizeof *p->panels);
    memory_free(memory, p->edges, 4 * p->count * sizeof *p->edges);
    for (int c = 0; c < 3; ++c) memory_free(memory, p->flow[c], square);
    memory_free(memory, p->factors, square);
    memory_free(memory, p->pivots, p->count * sizeof *p->pivots);
    *p = (Panels){.count = 0};
}

/* ---- a cube's surface ---- */

/* Of the least size to the others: a box with four thin faces as thick as a panel shed at its blunt
 * nose all the time, and had 0.64 of a wing's lift. */
#define THIN 0.2

/* A cube of cells[0] x cells[1] x cells[2] cells. */
typedef struct PanelCube {
    size_t cells[3];
    const PosedShape *shape;
    const ShapeForm *form;
    Aabb box;
    int thin;         /* the axis along which there are no cells; 3: none */
    uint32_t *number; /* of each lattice point, once it is a corner */
} PanelCube;

static double box_size(const Aabb *box, int axis)
{
    const mote_Vec3 d = vec3_sub(box->high, box->low);
    const double size[3] = {(double)d.x, (double)d.y, (double)d.z};
    return size[axis];
}

/* -1 to 1 along an axis; blown up, cells are as wide as they look from the centre. tan(pi/4 x):
 * cells of equal angle. Equal steps on the cube would make panels at its corners much smaller than
 * those in the middle of its faces. */
static double cube_place(const PanelCube *cube, int axis, size_t i, bool blown)
{
    double x = 2 * (double)i / (double)cube->cells[axis] - 1, s, c;
    if (!blown) return x;
    math_sincos(0.7853981633974483 * x, &s, &c);
    return s / c;
}

/* Where a ray from the middle of the box leaves the shape, by halving. Fifty halvings are about a
 * double's bits; distances alone are asked for, so any shape that bulges will do. */
static D3 leave_shape(const PanelCube *cube, D3 along)
{
    double near = 0, far = 1;
    D3 middle = d3_of(aabb_centre(&cube->box));
    for (int k = 0; k < 50; ++k) {
        double half = (near + far) / 2;
        mote_Vec3 x = d3_real(d3_madd(middle, half, along));
        mote_real distance, *place[3] = {&x.x, &x.y, &x.z};
        posed_distance(cube->shape, 1, place, &distance);
        if (distance < 0)
            near = half;
        else
            far = half;
    }
    return d3_madd(middle, near, along);
}

/* Of the middle of a thin body: rays from its centre reach to the rim, in its plane. */
static D3 middle_corner(const PanelCube *cube, const size_t at[3])
{
    const D3 middle = d3_of(aabb_centre(&cube->box));
    const mote_Vec3 half = vec3_scale(vec3_sub(cube->box.high, cube->box.low), (mote_real)0.5);
    const double sizes[3] = {(double)half.x, (double)half.y, (double)half.z};
    double share = 0, along[3] = {0, 0, 0}, size = 0;
    for (int c = 0; c < 3; ++c) {
        if (c == cube->thin) continue;
        double x = cube_place(cube, c, at[c], false);
        share = __builtin_fabs(x) > share ? __builtin_fabs(x) : share;
        along[c] = x * sizes[c], size += along[c] * along[c];
    }
    if (!(share > 0)) return middle;
    const D3 ray = d3(along[0], along[1], along[2]);
    if (cube->form->core == CORE_BOX) return d3_add(middle, ray);
    D3 rim = leave_shape(cube, d3_scale(ray, 2 * d3_length(d3_of(half)) / __builtin_sqrt(size)));
    return d3_madd(middle, share, d3_sub(rim, middle));
}

static D3 cube_corner(const PanelCube *cube, const size_t at[3])
{
    if (cube->thin < 3) return middle_corner(cube, at);
    const D3 half = d3_scale(d3_of(vec3_sub(cube->box.high, cube->box.low)), 0.5);
    const bool blown = cube->form->core != CORE_BOX || cube->form->radius > 0;
    D3 x =
        d3(cube_place(cube, 0, at[0], blown) * half.x, cube_place(cube, 1, at[1], blown) * half.y,
           cube_place(cube, 2, at[2], blown) * half.z);
    if (!blown) return d3_add(d3_of(aabb_centre(&cube->box)), x);
    return leave_shape(cube, d3_scale(x, 1.001 * d3_length(half) / d3_length(x)));
}

static uint32_t cube_number(PanelCube *cube, const size_t at[3], Panels *p)
{
    size_t k = (at[2] * (cube->cells[1] + 1) + at[1]) * (cube->cells[0] + 1) + at[0];
    if (cube->number[k] == UINT32_MAX) {
        cube->number[k] = (uint32_t)p->corner_count;
        p->corners[p->corner_count++] = cube_corner(cube, at);
    }
    return cube->number[k];
}

/* The cells of the face at the low or the high end of an axis. */
static void cube_face(PanelCube *cube, int axis, bool high, Panels *p)
{
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    for (size_t i = 0; i < cube->cells[a]; ++i)
        for (size_t j = 0; j < cube->cells[b]; ++j) {
            Panel *panel = &p->panels[p->count++];
            for (int k = 0; k < 4; ++k) {
                const int turn = high ? k : 3 - k;
                size_t at[3];
                at[axis] = high ? cube->cells[axis] : 0;
                at[a] = i + (size_t)(turn == 1 || turn == 2), at[b] = j + (size_t)(turn >= 2);
                panel->corner[k] = cube_number(cube, at, p);
            }
        }
}

/* Half of what is wanted: each has two sides. */
static size_t count_middle(PanelCube *cube, const double size[3], size_t wanted)
{
    const int a = (cube->thin + 1) % 3, b = (cube->thin + 2) % 3;
    double side = __builtin_sqrt(2 * size[a] * size[b] / (double)wanted);
    for (int c = 0; c < 3; ++c) {
        double cells = __builtin_floor(size[c] / side + 0.5);
        cube->cells[c] = c == cube->thin ? 0 : cells < 2 ? 2 : (size_t)cells;
    }
    return cube->cells[a] * cube->cells[b];
}

/* As many cells along each axis as make about `wanted` panels. */
static size_t count_cells(PanelCube *cube, size_t wanted)
{
    const mote_Vec3 d = vec3_sub(cube->box.high, cube->box.low);
    const double size[3] = {(double)d.x, (double)d.y, (double)d.z};
    if (cube->thin < 3) return count_middle(cube, size, wanted);
    double area = 2 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
    double side = __builtin_sqrt(area / (double)wanted);
    for (int c = 0; c < 3; ++c) {
        double cells = __builtin_floor(size[c] / side + 0.5);
        cube->cells[c] = cells < 1 ? 1 : (size_t)cells;
    }
    const size_t *n = cube->cells;
    return 2 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]);
}

/* The axis along which a body is a fifth as large as along both others; 3: there is none. A mesh
 * that bends has no flat middle. */
static int thin_axis(const ShapeForm *form, const Aabb *box)
{
    if (form->core == CORE_NONE) return 3;
    for (int c = 0; c < 3; ++c) {
        double a = box_size(box, (c + 1) % 3), b = box_size(box, (c + 2) % 3);
        if (box_size(box, c) <= THIN * (a < b ? a : b)) return c;
    }
    return 3;
}

static bool make_cube(Panels *p, const PosedShape *shape, const ShapeForm *form, size_t wanted,
                      Memory *memory)
{
    PanelCube cube = {.shape = shape, .form = form, .box = posed_bounds(shape)};
    cube.thin = thin_axis(form, &cube.box);
    p->open = cube.thin < 3;
    size_t panels = count_cells(&cube, wanted);
    size_t points = (cube.cells[0] + 1) * (cube.cells[1] + 1) * (cube.cells[2] + 1);
    size_t corners = p->open ? points : panels + 2; /* Euler */
    cube.number = memory_take(memory, points * sizeof *cube.number);
    bool room = cube.number != NULL && reserve(p, corners, panels, memory);
    for (size_t k = 0; k < points && room; ++k) cube.number[k] = UINT32_MAX;
    p->count = p->corner_count = 0;
    for (int axis = 0; axis < 3 && room; ++axis)
        for (int high = 0; high < 2; ++high)
            if (!p->open || (axis == cube.thin && high == 1)) cube_face(&cube, axis, high == 1, p);
    p->thick = p->open ? box_size(&cube.box, cube.thin) / 2 : 0;
    memory_free(memory, cube.number, points * sizeof *cube.number);
    p->count = panels, p->corner_count = corners;
    return room;
}

/* ---- meshes ---- */

/* Each triangle in pieces^2, of corners of its own; corners at one place become one. */
static void split_triangle(const MeshFace *face, size_t pieces, Panels *p)
{
    const D3 a = d3_of(face->corner[0]), u = d3_sub(d3_of(face->corner[1]), a),
             v = d3_sub(d3_of(face->corner[2]), a);
    for (size_t i = 0; i < pieces; ++i)
        for (size_t j = 0; j < 2 * (pieces - i) - 1; ++j) {
            Panel *panel = &p->panels[p->count++];
            const size_t m = j / 2, down = j % 2;
            const size_t at[3][2] = {{m + down, i}, {m + 1, i + down}, {m, i + 1}};
            for (int k = 0; k < 3; ++k) {
                D3 x = d3_madd(d3_madd(a, (double)at[k][0] / (double)pieces, u),
                               (double)at[k][1] / (double)pieces, v);
                panel->corner[k] = (uint32_t)p->corner_count;
                p->corners[p->corner_count++] = x;
            }
            panel->corner[3] = panel->corner[2];
        }
}

/* A millionth of the mesh's size: corners of neighbouring triangles differ by rounding. */
static void weld_corners(Panels *p, double near)
{
    for (size_t i = 0; i < p->count; ++i)
        for (int k = 0; k < 4; ++k) {
            D3 x = p->corners[p->panels[i].corner[k]];
            uint32_t first = 0;
            while (d3_length(d3_sub(p->corners[first], x)) > near) ++first;
            p->panels[i].corner[k] = first;
        }
}

static bool make_mesh(Panels *p, const mote_Mesh *mesh, size_t wanted, Memory *memory)
{
    size_t triangles = mesh->triangle_count, pieces = 1;
    if (!mote_mesh_facts(mesh)->closed || triangles > PANELS_MOST) return true;
    while (triangles * (pieces + 1) * (pieces + 1) <= wanted + wanted / 2) ++pieces;
    size_t count = triangles * pieces * pieces;
    if (!reserve(p, 3 * count, count, memory)) return false;
    p->count = p->corner_count = 0;
    for (size_t i = 0; i < triangles; ++i) split_triangle(&mesh->faces[i], pieces, p);
    mote_Vec3 d = vec3_sub(mesh->tree.bounds.high, mesh->tree.bounds.low);
    weld_corners(p, 1e-6 * (double)vec3_length(d));
    return true;
}

/* ---- all ---- */

/* V = 1/3 sum A c . n, the theorem of Gauss. */
static void measure_panels(Panels *p)
{
    double area = 0;
    for (size_t i = 0; i < p->count; ++i) {
        Panel *panel = &p->panels[i];
        const uint32_t *at = panel->corner;
        double weight = at[3] == at[2] ? 3 : 4;
        D3 sum = d3_add(d3_add(p->corners[at[0]], p->corners[at[1]]), p->corners[at[2]]);
        if (weight > 3) sum = d3_add(sum, p->corners[at[3]]);
        panel->centre = d3_scale(sum, 1 / weight);
        D3 twice = d3_cross(d3_sub(p->corners[at[2]], p->corners[at[0]]),
                            d3_sub(p->corners[at[3]], p->corners[at[1]]));
        panel->area = d3_length(twice) / 2;
        panel->normal = d3_unit(twice, d3(0, 1, 0));
        area += panel->area;
        p->volume += panel->area * d3_dot(panel->centre, panel->normal) / 3;
    }
    p->side = __builtin_sqrt(area / (double)p->count);
}

/* A cube blown up is smaller than what its corners are on: as large as that again. */
static void scale_panels(Panels *p, const PosedShape *shape)
{
    ShapeMeasure measure;
    shape->row->measure(shape->params, &measure);
    D3 middle = d3(measure.centre[0], measure.centre[1], measure.centre[2]);
    double larger = math_exp(math_log(measure.volume / p->volume) / 3);
    for (size_t k = 0; k < p->corner_count; ++k)
        p->corners[k] = d3_madd(middle, larger, d3_sub(p->corners[k], middle));
    p->volume = 0;
    measure_panels(p);
}

/* Two panels meet at an edge, with opposite senses. Whether every edge has two, or they may have
 * rims. */
static bool find_edges(Panels *p)
{
    for (size_t i = 0; i < 4 * p->count; ++i) {
        const uint32_t *at = p->panels[i / 4].corner;
        PanelEdge edge = {at[i % 4], at[(i + 1) % 4], (uint32_t)(i / 4), PANEL_NONE};
        size_t k = 0;
        if (edge.from == edge.to) continue;
        while (k < p->edge_count && !(p->edges[k].from == edge.to && p->edges[k].to == edge.from))
            ++k;
        if (k == p->edge_count)
            p->edges[p->edge_count++] = edge;
        else
            p->edges[k].right = edge.left;
    }
    for (size_t k = 0; k < p->edge_count && !p->open; ++k)
        if (p->edges[k].right == PANEL_NONE) return false;
    return true;
}

bool panels_make(Panels *p, const PosedShape *shape, size_t wanted, Memory *memory)
{
    const ShapeForm form = shape_form(shape->row, shape->params);
    const Aabb box = posed_bounds(shape);
    *p = (Panels){.count = 0};
    if (form.hollow != NULL || form.parts != NULL || shape->row->measure == NULL ||
        !aabb_is_finite(&box))
        return true;
    const bool mesh = form.mesh != NULL && thin_axis(&form, &box) == 3;
    bool room =
        mesh ? make_mesh(p, form.mesh, wanted, memory) : make_cube(p, shape, &form, wanted, memory);
    if (!room || p->count == 0) return room;
    measure_panels(p);
    if (p->volume > 0 && !mesh && !p->open) scale_panels(p, shape);
    if (p->open) p->volume = 0;
    if ((p->volume > 0 || p->open) && find_edges(p)) return panels_factor(p, memory);
    panels_free(p, memory);
    return true;
}
