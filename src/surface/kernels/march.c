/* Marching cubes on rows of signs: 33 points are the bits of a word, cut edges are the bits that
 * differ, and a vertex is found by counting bits (the rows of Schroeder et al., "Flying edges",
 * LDAV 2015, as bit sets). Vertices are kept at least 1/1000 of a cell away from points, so no
 * triangle is degenerate.
 *
 * Names: a shell is what stays of a block; its `signs` are rows of bits, and `ranks` the number of
 * vertices before a row, so a vertex has the number first + rank + bits below it, without any
 * search for an edge that two cells share. */
#include "surface/kernels.h"

#include "base/vec.h"

#include <string.h>

/* ---- signs ---- */

/* Bit i is set where value[i] > 0, for 40 values. */
static uint64_t row_signs(const float *value)
{
    uint8_t inside[40];
    uint64_t signs = 0;
    FOR_ROWS (i, 40) inside[i] = value[i] > 0;
    for (int k = 0; k < 5; ++k) {
        uint64_t eight;
        memcpy(&eight, inside + 8 * k, sizeof eight);
        signs |= (eight * 0x0102040810204080u >> 56) << 8 * k; /* gathers the lowest bits */
    }
    return signs & (((uint64_t)1 << POINT_ROWS) - 1);
}

/* Each block has the edges that begin at its points: the points at 32 are those of its neighbours,
 * and nothing is counted twice. */
static bool ISA(find_signs)(const float *value, Shell *shell)
{
    uint32_t count = 0;
    for (int z = shell->low[1]; z <= shell->high[1]; ++z)
        for (int y = shell->low[0]; y <= shell->high[0]; ++y)
            shell->signs[shell_row(shell, y, z)] = row_signs(value + grid_at(0, y, z));
    for (int z = shell->low[1]; z <= shell->high[1]; ++z)
        for (int y = shell->low[0]; y <= shell->high[0]; ++y)
            for (int axis = 0; axis < 3; ++axis) {
                bool own = y < BLOCK_CELLS && z < BLOCK_CELLS;
                uint32_t cut = own ? shell_edges(shell, axis, y, z) : 0;
                shell->ranks[shell_row(shell, y, z)][axis] = count;
                count += (uint32_t)__builtin_popcount(cut);
            }
    shell->vertex_count = count;
    return count > 0;
}

/* ---- vertices ---- */

static const size_t steps[3] = {1, GRID_PITCH, GRID_SLAB};

static float mix(float a, float b, float t)
{
    return a + (b - a) * t;
}

/* The field falls from inside to outside: outward is against its gradient, by central differences.
 */
static EdgeVertex vertex_on(const float *low, size_t step)
{
    const float *high = low + step;
    EdgeVertex v = {.t = low[0] / (low[0] - high[0])};
    v.t = v.t > 1e-3f ? v.t : 1e-3f;
    v.t = v.t < 0.999f ? v.t : 0.999f;
    float square = 0;
    for (int k = 0; k < 3; ++k) {
        size_t s = steps[k];
        v.normal[k] = mix(low[-(ptrdiff_t)s] - low[s], high[-(ptrdiff_t)s] - high[s], v.t);
        square += v.normal[k] * v.normal[k];
    }
    float length = __builtin_sqrtf(square);
    for (int k = 0; k < 3; ++k)
        v.normal[k] = length > 0 ? v.normal[k] / length
                                 : (step == steps[k] ? (low[0] > high[0] ? 1.f : -1.f) : 0.f);
    return v;
}

static void ISA(find_vertices)(const float *value, const Shell *shell, EdgeVertex *vertices)
{
    for (int z = shell->low[1]; z <= shell->high[1] && z < BLOCK_CELLS; ++z)
        for (int y = shell->low[0]; y <= shell->high[0] && y < BLOCK_CELLS; ++y)
            for (int axis = 0; axis < 3; ++axis) {
                const float *row = value + grid_at(0, y, z);
                uint32_t cut = shell_edges(shell, axis, y, z);
                for (; cut != 0; cut &= cut - 1)
                    *vertices++ = vertex_on(row + __builtin_ctz(cut), steps[axis]);
            }
}

static void ISA(write_vertices)(const MarchOutput *output, size_t block)
{
    const Shell *shell = &output->shells[block];
    const int32_t *at = output->blocks->blocks[block].at;
    const EdgeVertex *v = shell->vertices;
    double cell = output->blocks->cell;
    size_t n = shell->first_vertex;
    for (int z = shell->low[1]; z <= shell->high[1] && z < BLOCK_CELLS; ++z)
        for (int y = shell->low[0]; y <= shell->high[0] && y < BLOCK_CELLS; ++y)
            for (int axis = 0; axis < 3; ++axis) {
                uint32_t cut = shell_edges(shell, axis, y, z);
                for (; cut != 0; cut &= cut - 1, ++v, ++n) {
                    double p[3] = {__builtin_ctz(cut), y, z};
                    p[axis] += (double)v->t;
                    for (int k = 0; k < 3; ++k) p[k] = (p[k] + at[k] * (double)BLOCK_CELLS) * cell;
                    output->vertices[n] = vec3((mote_real)p[0], (mote_real)p[1], (mote_real)p[2]);
                    output->normals[n] = vec3((mote_real)v->normal[0], (mote_real)v->normal[1],
                                              (mote_real)v->normal[2]);
                    if (output->bulk != NULL) output->bulk[n] = v->bulk;
                }
            }
}

/* ---- triangles ---- */

/* The signs of the four rows of points around a row of cells, by corner: y, then z. */
typedef struct CellRow {
    uint64_t signs[4];
} CellRow;

static CellRow cell_row(const Shell *shell, int y, int z)
{
    return (CellRow){{shell_signs(shell, y, z), shell_signs(shell, y + 1, z),
                      shell_signs(shell, y, z + 1), shell_signs(shell, y + 1, z + 1)}};
}

/* Bits of the cells whose corners differ. A cell x has corners x and x + 1 of four rows: neither
 * all inside nor all outside. */
static uint32_t mixed_cells(const CellRow *row)
{
    uint64_t all = row->signs[0] & row->signs[1] & row->signs[2] & row->signs[3];
    uint64_t any = row->signs[0] | row->signs[1] | row->signs[2] | row->signs[3];
    return (uint32_t)((any | any >> 1) & ~(all & all >> 1));
}

/* Bit x + 2 y + 4 z of the case is corner (x, y, z): two bits of each row. */
static int case_at(const CellRow *row, int x)
{
    return (int)((row->signs[0] >> x & 3) | (row->signs[1] >> x & 3) << 2 |
                 (row->signs[2] >> x & 3) << 4 | (row->signs[3] >> x & 3) << 6);
}

/* The rows of points at both ends are outside, or at the end of the block. */
#define FOR_CELL_ROWS(shell, y, z)                                                                 \
    for (int z = (shell)->low[1]; z <= (shell)->high[1] && z < BLOCK_CELLS; ++z)                   \
        for (int y = (shell)->low[0]; y <= (shell)->high[0] && y < BLOCK_CELLS; ++y)

static uint32_t ISA(count_triangles)(const CaseTable *cases, const Shell *shell)
{
    uint32_t count = 0;
    FOR_CELL_ROWS(shell, y, z)
    {
        CellRow row = cell_row(shell, y, z);
        for (uint32_t cells = mixed_cells(&row); cells != 0; cells &= cells - 1)
            count += cases->count[case_at(&row, __builtin_ctz(cells))];
    }
    return count;
}

/* Cut edges of one axis that begin in one row of points, here and at x = 32 in the next block. */
typedef struct EdgeRow {
    uint32_t cut;
    uint32_t first;  /* number of its first vertex */
    uint32_t beyond; /* number of the vertex at x = 32 */
} EdgeRow;

static const Shell *shell_at(const MarchOutput *output, size_t block, int dx, int dy, int dz)
{
    uint32_t other = output->blocks->blocks[block].neighbour[13 + dx + 3 * dy + 9 * dz];
    return other == BLOCK_NONE ? NULL : &output->shells[other];
}

static uint32_t first_number(const Shell *shell, int axis, int y, int z)
{
    if (shell == NULL || !shell_has_row(shell, y, z)) return 0;
    return (uint32_t)shell->first_vertex + shell->ranks[shell_row(shell, y, z)][axis];
}

/* Rows at y = 32 or z = 32 are row 0 of a neighbour. */
static EdgeRow edge_row(const MarchOutput *output, size_t block, int axis, int y, int z)
{
    int dy = y / BLOCK_CELLS, dz = z / BLOCK_CELLS;
    const Shell *shell = shell_at(output, block, 0, dy, dz);
    const Shell *right = shell_at(output, block, 1, dy, dz);
    y -= dy * BLOCK_CELLS, z -= dz * BLOCK_CELLS;
    return (EdgeRow){.cut = shell != NULL ? shell_edges(shell, axis, y, z) : 0,
                     .first = first_number(shell, axis, y, z),
                     .beyond = first_number(right, axis, y, z)};
}

static uint32_t vertex_number(const EdgeRow *row, int x)
{
    if (x == BLOCK_CELLS) return row->beyond;
    return row->first + (uint32_t)__builtin_popcount(row->cut & ((1u << x) - 1));
}

/* The rows in which the edges of a row of cells begin, by edge of the cell. */
static void edge_rows(const MarchOutput *output, size_t block, int y, int z,
                      EdgeRow rows[CELL_EDGES])
{
    for (int edge = 0; edge < CELL_EDGES; ++edge) {
        int start = case_edge_start(edge);
        bool again = edge > 0 && (case_edge_start(edge - 1) ^ start) == 1 && edge % 4 != 0;
        if (again)
            rows[edge] = rows[edge - 1];
        else
            rows[edge] = edge_row(output, block, edge / 4, y + (start >> 1 & 1), z + (start >> 2));
    }
}

static void ISA(write_triangles)(const MarchOutput *output, size_t block)
{
    const Shell *shell = &output->shells[block];
    uint32_t *to = output->triangles[shell->first_triangle];
    FOR_CELL_ROWS(shell, y, z)
    {
        CellRow row = cell_row(shell, y, z);
        EdgeRow rows[CELL_EDGES];
        uint32_t cells = mixed_cells(&row);
        if (cells != 0) edge_rows(output, block, y, z, rows);
        for (; cells != 0; cells &= cells - 1) {
            int x = __builtin_ctz(cells), number = case_at(&row, x);
            const uint8_t *corner = output->cases->corner[number];
            for (int i = 0; i < 3 * output->cases->count[number]; ++i)
                *to++ = vertex_number(&rows[corner[i]], x + (case_edge_start(corner[i]) & 1));
        }
    }
}

extern void ISA(box_sums)(SurfaceCube cube, float *values, float *scratch);
extern void ISA(all_of)(SurfaceCube cube, uint8_t *bytes, uint8_t *scratch);
extern void ISA(any_of)(SurfaceCube cube, uint8_t *bytes, uint8_t *scratch);
extern void ISA(at_least)(SurfaceCube cube, const float *values, float least, uint8_t *bytes);

extern void ISA(find_shapes)(const ShapesAsked *ask, const uint32_t *which, size_t count);

extern const SurfaceKernels ISA(surface_kernel_table);
const SurfaceKernels ISA(surface_kernel_table) = {
    .box_sums = ISA(box_sums),
    .all_of = ISA(all_of),
    .any_of = ISA(any_of),
    .at_least = ISA(at_least),
    .find_signs = ISA(find_signs),
    .find_vertices = ISA(find_vertices),
    .count_triangles = ISA(count_triangles),
    .write_vertices = ISA(write_vertices),
    .write_triangles = ISA(write_triangles),
    .find_shapes = ISA(find_shapes),
};
