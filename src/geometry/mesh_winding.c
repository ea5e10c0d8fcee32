/* What the winding number needs of a mesh: dipoles of the tree's nodes (Barill, Dickson, Schmidt,
 * Levin, Jacobson, ACM TOG 37, 2018). */
#include "geometry/mesh.h"

#include "base/status.h"

typedef struct WindingSum {
    double area, centre[3], moment[3]; /* centre times area */
} WindingSum;

/* Centres are weighed by area, so that the second term of the expansion is small. */
static void add(WindingSum *sum, double area, mote_Vec3 centre, mote_Vec3 moment)
{
    const double c[3] = {(double)centre.x, (double)centre.y, (double)centre.z};
    const double m[3] = {(double)moment.x, (double)moment.y, (double)moment.z};
    sum->area += area;
    for (int i = 0; i < 3; ++i) sum->centre[i] += area * c[i], sum->moment[i] += m[i];
}

static void add_triangle(WindingSum *sum, const MeshFace *face)
{
    mote_Vec3 ab = vec3_sub(face->corner[1], face->corner[0]);
    mote_Vec3 ac = vec3_sub(face->corner[2], face->corner[0]);
    mote_real area = vec3_length(vec3_cross(ab, ac)) / 2;
    mote_Vec3 middle = vec3_madd(face->corner[0], (mote_real)(1.0 / 3.0), vec3_add(ab, ac));
    add(sum, (double)area, middle, vec3_scale(face->normal, area));
}

/* How far the child's box reaches from the centre. */
static mote_real reach_of(const TreeNode *node, int k, mote_Vec3 c)
{
    mote_Vec3 r = vec3(real_max(c.x - node->low[0][k], node->high[0][k] - c.x),
                       real_max(c.y - node->low[1][k], node->high[1][k] - c.y),
                       real_max(c.z - node->low[2][k], node->high[2][k] - c.z));
    return vec3_length(r);
}

static mote_Vec3 vec3_of(const double v[3], double scale)
{
    return vec3((mote_real)(v[0] * scale), (mote_real)(v[1] * scale), (mote_real)(v[2] * scale));
}

/* Children come behind their parents: going backwards meets them first. */
static void set_dipoles(mote_Mesh *mesh, double *areas)
{
    for (size_t i = mesh->tree.node_count; i-- > 0;) {
        const TreeNode *node = &mesh->tree.nodes[i];
        for (int k = 0; k < TREE_WIDTH; ++k) {
            WindingSum sum = {0};
            if (node->count[k] == TREE_NOTHING) continue;
            for (uint32_t n = 0; n < node->count[k]; ++n)
                add_triangle(&sum, &mesh->faces[node->first[k] + n]);
            for (int c = 0; c < TREE_WIDTH && node->count[k] == 0; ++c) {
                size_t child = (size_t)node->first[k] * TREE_WIDTH + (size_t)c;
                if (mesh->tree.nodes[node->first[k]].count[c] != TREE_NOTHING)
                    add(&sum, areas[child], mesh->dipoles[child].centre,
                        mesh->dipoles[child].moment);
            }
            mote_Vec3 centre = vec3_of(sum.centre, 1 / sum.area);
            areas[i * TREE_WIDTH + (size_t)k] = sum.area;
            mesh->dipoles[i * TREE_WIDTH + (size_t)k] =
                (MeshDipole){centre, vec3_of(sum.moment, 1), reach_of(node, k, centre)};
        }
    }
}

mote_Status mesh_set_dipoles(mote_Mesh *mesh, mote_Error *error)
{
    size_t count = mesh->tree.node_count * TREE_WIDTH;
    double *areas = memory_take(&mesh->memory, count * sizeof *areas);
    mesh->dipoles = memory_zeroed(&mesh->memory, count * sizeof *mesh->dipoles);
    if (areas != NULL && mesh->dipoles != NULL) set_dipoles(mesh, areas);
    bool good = areas != NULL && mesh->dipoles != NULL;
    memory_free(&mesh->memory, areas, count * sizeof *areas);
    return good ? MOTE_OK : status_no_memory(error, "a mesh", count * sizeof *mesh->dipoles);
}
