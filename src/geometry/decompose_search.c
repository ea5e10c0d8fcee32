/* How concave a chunk is, where, and by which planes it may be cut. */
#include "geometry/decompose.h"

/* ---- concavity ---- */

/* The search for the point of the hull that is farthest from the mesh, by halving boxes: distances
 * change no faster than places, so a box whose middle is d away has no point beyond d + its reach.
 */
typedef struct Dig {
    const Decomposer *d;
    const mote_Mesh *hull;
    double most;   /* found so far; what is within a tenth of it is not looked for */
    double enough; /* less does not matter */
    D3 at;
} Dig;

/* How far x is out of the hull; inside it is negative. */
static double out_of_hull(const mote_Mesh *hull, D3 x)
{
    double most = -1e300;
    for (size_t i = 0; i < hull->plane_count; ++i) {
        double h = d3_dot(d3_of(hull->planes[i].normal), x) - (double)hull->planes[i].offset;
        most = h > most ? h : most;
    }
    return most;
}

/* Branch and bound: the depth changes by no more than the way (it is 1-Lipschitz), so a box whose
 * middle is at `depth` holds nothing deeper than depth + reach, and boxes that cannot beat what is
 * known are not opened. */
static void dig_box(Dig *dig, D3 middle, D3 half)
{
    const double reach = d3_length(half), depth = mesh_depth(dig->d->mesh, middle);
    const double known = 1.1 * dig->most > dig->enough ? 1.1 * dig->most : dig->enough;
    if (depth + reach <= known) return;
    double out = out_of_hull(dig->hull, middle);
    if (out > reach) return;
    bool small = reach < dig->enough / 4; /* then its bound counts, inside or not */
    double found = small ? depth + reach : depth;
    if ((small || out <= 0) && found > dig->most) dig->most = found, dig->at = middle;
    if (small) return;
    D3 quarter = d3_scale(half, 0.5);
    for (int k = 0; k < 8; ++k) {
        D3 to = d3(k & 1 ? quarter.x : -quarter.x, k & 2 ? quarter.y : -quarter.y,
                   k & 4 ? quarter.z : -quarter.z);
        dig_box(dig, d3_add(middle, to), quarter);
    }
}

void chunk_measure(const Decomposer *d, Chunk *chunk)
{
    const Aabb *box = &chunk->hull->tree.bounds;
    D3 low = d3_of(box->low), high = d3_of(box->high), middle = d3_scale(d3_add(low, high), 0.5);
    Dig dig = {d, chunk->hull, 0, d->bound / 2, middle};
    dig_box(&dig, middle, d3_scale(d3_sub(high, low), 0.5));
    double surely = 1.1 * dig.most;
    chunk->concavity = surely > dig.enough ? surely : dig.enough;
    chunk->deepest = dig.at;
}

/* ---- candidates ---- */

typedef struct CandidateList {
    const Decomposer *d;
    CutPlane *planes;
    size_t count;
} CandidateList;

static void propose(CandidateList *list, D3 n, D3 through)
{
    CutPlane plane = {n, d3_dot(n, through)};
    if (list->count == CANDIDATES_MOST || !(d3_dot(n, n) > 0.5)) return;
    for (size_t i = 0; i < list->count; ++i) {
        double same = d3_dot(list->planes[i].n, n), side = same > 0 ? 1 : -1;
        double apart = list->planes[i].offset - side * plane.offset;
        if (side * same > 1 - 1e-6 && apart * apart < 1e-6 * list->d->size * list->d->size) return;
    }
    list->planes[list->count++] = plane;
}

/* An edge at which a mesh bends inward, and how much: its length times the sine of the bend. */
typedef struct DentEdge {
    size_t triangle;
    int edge;
    double weight;
} DentEdge;

static double bend_inward(const Decomposer *d, size_t i, int k)
{
    const mote_Mesh *mesh = d->mesh;
    const uint32_t other = mesh->neighbours[i][k];
    const MeshFace *a = &mesh->faces[i], *b = &mesh->faces[other];
    if (other < i) return 0; /* the other one tells it */
    D3 along = d3_sub(d3_of(a->corner[(k + 1) % 3]), d3_of(a->corner[k]));
    double bend = -d3_dot(d3_cross(d3_of(a->normal), d3_of(b->normal)), along);
    return bend > 1e-3 * d3_length(along) ? bend : 0;
}

static D3 edge_middle(const mote_Mesh *mesh, size_t i, int k)
{
    const MeshFace *face = &mesh->faces[i];
    return d3_scale(d3_add(d3_of(face->corner[k]), d3_of(face->corner[(k + 1) % 3])), 0.5);
}

static bool has_inside(const Decomposer *d, const Chunk *chunk, D3 x)
{
    for (size_t p = 0; p < chunk->plane_count; ++p)
        if (d3_dot(chunk->planes[p].n, x) > chunk->planes[p].offset - d->close) return false;
    return true;
}

static bool comes_after(const DentEdge *a, const DentEdge *b)
{
    if (a->weight < b->weight || a->weight > b->weight) return a->weight < b->weight;
    return a->triangle != b->triangle ? a->triangle > b->triangle : a->edge > b->edge;
}

/* The edge that comes next after `last` by weight, and by number where weights are equal; weight 0:
 * there is none. */
static DentEdge next_dent(const Decomposer *d, const Chunk *chunk, const DentEdge *last)
{
    DentEdge best = {.weight = 0};
    for (size_t i = 0; i < d->mesh->triangle_count; ++i)
        for (int k = 0; k < 3; ++k) {
            const DentEdge dent = {i, k, bend_inward(d, i, k)};
            if (dent.weight <= best.weight || !comes_after(&dent, last)) continue;
            if (has_inside(d, chunk, edge_middle(d->mesh, i, k))) best = dent;
        }
    return best;
}

/* Through an edge: in line with either face, and halfway between. */
static void propose_dent(CandidateList *list, const DentEdge *dent)
{
    const mote_Mesh *mesh = list->d->mesh;
    D3 a = d3_of(mesh->faces[dent->triangle].normal),
       middle = edge_middle(mesh, dent->triangle, dent->edge);
    D3 b = d3_of(mesh->faces[mesh->neighbours[dent->triangle][dent->edge]].normal);
    propose(list, a, middle);
    propose(list, b, middle);
    propose(list, d3_unit(d3_sub(a, b), d3(0, 0, 0)), middle);
}

size_t chunk_candidates(const Decomposer *d, const Chunk *chunk, CutPlane *out)
{
    enum { DENTS = 12 };
    static const D3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    CandidateList list = {d, out, 0};
    const Aabb *box = &chunk->hull->tree.bounds;
    D3 middle = d3_scale(d3_add(d3_of(box->low), d3_of(box->high)), 0.5);
    DentEdge dent = {.weight = 1e300};
    for (int k = 0; k < DENTS && dent.weight > 0; ++k) {
        dent = next_dent(d, chunk, &dent);
        if (dent.weight > 0) propose_dent(&list, &dent);
    }
    for (int k = 0; k < 3; ++k) propose(&list, axes[k], chunk->deepest);
    for (int k = 0; k < 3; ++k) propose(&list, axes[k], middle);
    return list.count;
}
