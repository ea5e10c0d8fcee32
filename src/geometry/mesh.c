/* Making, sharing and ending meshes. */
#include "geometry/mesh.h"

#include "base/definition.h"
#include "base/hash.h"
#include "base/row.h"
#include "base/shared.h"
#include "base/status.h"

#include <string.h>

/* ---- memory ---- */

static void free_mesh(mote_Mesh *mesh)
{
    Memory *memory = &mesh->memory;
    size_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
    memory_free(memory, mesh->vertices, mesh->vertex_capacity * sizeof *mesh->vertices);
    memory_free(memory, mesh->vertex_normals, vertices * sizeof *mesh->vertex_normals);
    memory_free(memory, mesh->triangles, mesh->triangle_capacity * sizeof *mesh->triangles);
    if (mesh->uvs != NULL)
        memory_free(memory, mesh->uvs, mesh->triangle_capacity * sizeof *mesh->uvs);
    memory_free(memory, mesh->neighbours, triangles * sizeof *mesh->neighbours);
    memory_free(memory, mesh->faces, triangles * sizeof *mesh->faces);
    memory_free(memory, mesh->area_sums, triangles * sizeof *mesh->area_sums);
    memory_free(memory, mesh->planes, mesh->plane_count * sizeof *mesh->planes);
    memory_free(memory, mesh->sides.cells, mesh->sides.bytes);
    memory_free(memory, mesh->dipoles, mesh->tree.node_count * TREE_WIDTH * sizeof *mesh->dipoles);
    bounds_tree_free(&mesh->tree);
    Memory last = *memory;
    memory_free(&last, mesh, sizeof *mesh);
}

SHARED_OBJECT(mote_Mesh, mote_mesh_keep, mote_mesh_release, free_mesh)

/* ---- vertices: equal ones are joined ---- */

typedef struct Weld {
    const mote_MeshDef *def;
    uint32_t *slots; /* hash table of new numbers plus one; 0: free */
    size_t slot_count;
} Weld;

static mote_Vec3 old_vertex(const mote_MeshDef *def, size_t i)
{
    const double *v = def->vertices + 3 * i;
    return vec3((mote_real)v[0] + 0, (mote_real)v[1] + 0, (mote_real)v[2] + 0); /* -0 is 0 */
}

static bool is_finite(mote_Vec3 v)
{
    const mote_real most = AABB_ENDLESS / 1000;
    return REAL_ABS(v.x) < most && REAL_ABS(v.y) < most && REAL_ABS(v.z) < most;
}

static bool same(mote_Vec3 a, mote_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The number of the vertex in the mesh; it is added when it is new. */
static uint32_t place_vertex(mote_Mesh *mesh, const Weld *weld, mote_Vec3 v)
{
    size_t slot = (size_t)hash_bytes(0, &v, sizeof v) & (weld->slot_count - 1);
    for (; weld->slots[slot] != 0; slot = (slot + 1) & (weld->slot_count - 1))
        if (same(mesh->vertices[weld->slots[slot] - 1], v)) return weld->slots[slot] - 1;
    mesh->vertices[mesh->vertex_count] = v;
    weld->slots[slot] = (uint32_t)++mesh->vertex_count;
    return (uint32_t)mesh->vertex_count - 1;
}

static mote_Status check_vertices(const mote_MeshDef *def, mote_Error *error)
{
    for (size_t i = 0; i < def->vertex_count; ++i)
        if (!is_finite(old_vertex(def, i)))
            return status_fail(error, MOTE_BAD_VALUE,
                               "mesh: vertex %zu is not finite or too far away", i);
    for (size_t i = 0; i < 3 * def->triangle_count; ++i)
        if (def->triangles[i] >= def->vertex_count)
            return status_fail(error, MOTE_BAD_VALUE,
                               "mesh: triangle %zu names vertex %u, but there are %zu", i / 3,
                               (unsigned)def->triangles[i], def->vertex_count);
    return MOTE_OK;
}

/* ---- triangles ---- */

/* Its height is nothing beside its longest edge, or two corners are one. */
static bool is_degenerate(mote_Vec3 a, mote_Vec3 b, mote_Vec3 c)
{
    mote_Vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), bc = vec3_sub(c, b);
    mote_real longest = real_max(real_max(vec3_dot(ab, ab), vec3_dot(ac, ac)), vec3_dot(bc, bc));
    return !(vec3_length(vec3_cross(ab, ac)) > 4 * REAL_EPSILON * longest);
}

static void keep_place(double at[3], mote_Vec3 place)
{
    at[0] = (double)place.x, at[1] = (double)place.y, at[2] = (double)place.z;
}

/* Triangles with new numbers, only vertices that a good triangle uses. */
static void add_triangles(mote_Mesh *mesh, const Weld *weld)
{
    const mote_MeshDef *def = weld->def;
    for (size_t i = 0; i < def->triangle_count; ++i) {
        const uint32_t *old = def->triangles + 3 * i;
        mote_Vec3 v[3];
        for (int k = 0; k < 3; ++k) v[k] = old_vertex(def, old[def->flip ? 2 - k : k]);
        if (is_degenerate(v[0], v[1], v[2])) {
            if (mesh->facts.degenerate++ == 0) keep_place(mesh->facts.degenerate_at, v[0]);
            continue;
        }
        for (int k = 0; def->uvs != NULL && k < 3; ++k)
            memcpy(mesh->uvs[mesh->triangle_count][k],
                   def->uvs + 6 * i + 2 * (def->flip ? 2 - k : k), sizeof **mesh->uvs);
        uint32_t *triangle = mesh->triangles[mesh->triangle_count++];
        for (int k = 0; k < 3; ++k) triangle[k] = place_vertex(mesh, weld, v[k]);
    }
    mesh->facts.joined = def->vertex_count - mesh->vertex_count;
}

static mote_Status take_data(mote_Mesh *mesh, const mote_MeshDef *def, mote_Error *error)
{
    Memory *memory = &mesh->memory;
    Weld weld = {.def = def, .slot_count = 16};
    while (weld.slot_count < 2 * def->vertex_count) weld.slot_count *= 2;
    size_t slot_bytes = weld.slot_count * sizeof *weld.slots;
    weld.slots = memory_zeroed(memory, slot_bytes);
    mesh->vertices = memory_take(memory, def->vertex_count * sizeof *mesh->vertices);
    mesh->triangles = memory_take(memory, def->triangle_count * sizeof *mesh->triangles);
    if (def->uvs != NULL) mesh->uvs = memory_take(memory, def->triangle_count * sizeof *mesh->uvs);
    mesh->vertex_capacity = def->vertex_count, mesh->triangle_capacity = def->triangle_count;
    bool room = weld.slots != NULL && mesh->vertices != NULL && mesh->triangles != NULL &&
                (def->uvs == NULL || mesh->uvs != NULL);
    if (room) add_triangles(mesh, &weld);
    memory_free(memory, weld.slots, slot_bytes);
    if (!room) return status_no_memory(error, "a mesh", def->vertex_count * sizeof *mesh->vertices);
    if (mesh->triangle_count > 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "mesh: it has no triangle with an area (%zu without)",
                       mesh->facts.degenerate);
}

/* ---- all steps ---- */

static mote_Status take_arrays(mote_Mesh *mesh, mote_Error *error)
{
    Memory *memory = &mesh->memory;
    size_t n = mesh->triangle_count;
    mesh->vertex_normals = memory_zeroed(memory, mesh->vertex_count * sizeof(mote_Vec3));
    mesh->neighbours = memory_take(memory, n * sizeof *mesh->neighbours);
    mesh->faces = memory_take(memory, n * sizeof *mesh->faces);
    mesh->area_sums = memory_take(memory, n * sizeof *mesh->area_sums);
    bool room = mesh->vertex_normals != NULL && mesh->neighbours != NULL && mesh->faces != NULL &&
                mesh->area_sums != NULL;
    return room ? MOTE_OK : status_no_memory(error, "a mesh", n * sizeof *mesh->faces);
}

static uint64_t hash_of(const mote_Mesh *mesh)
{
    uint64_t hash = hash_bytes(0, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
    return hash_bytes(hash, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles);
}

static void set_bounds(mote_Mesh *mesh)
{
    const Aabb *b = &mesh->tree.bounds;
    keep_place(mesh->facts.low, b->low);
    keep_place(mesh->facts.high, b->high);
    mesh->facts.vertices = mesh->vertex_count;
    mesh->facts.triangles = mesh->triangle_count;
}

static mote_Status finish(mote_Mesh *mesh, mote_Error *error)
{
    mote_Status status = take_arrays(mesh, error);
    if (status == MOTE_OK) status = mesh_sort_triangles(mesh, error);
    if (status == MOTE_OK) status = mesh_find_neighbours(mesh, error);
    if (status != MOTE_OK) return status;
    set_bounds(mesh);
    mesh_set_faces(mesh);
    mesh_set_vertex_normals(mesh);
    mesh_measure(mesh);
    status = mesh_find_planes(mesh, error);
    if (status == MOTE_OK && !mesh->facts.closed) status = mesh_set_dipoles(mesh, error);
    if (status == MOTE_OK && mesh->facts.closed) status = mesh_set_sides(mesh, error);
    mesh->hash = hash_of(mesh);
    return status;
}

static mote_MeshDef mesh_defaults(void)
{
    return (mote_MeshDef){.vertices = NULL};
}

DEFINITION_MAKER(mote_MeshDef, mote_mesh_def, mesh_defaults)

mote_Status mote_mesh_create(const mote_MeshDef *given, mote_Mesh **out, mote_Error *error)
{
    *out = NULL;
    DEFINITION_TAKE(mote_MeshDef, mote_mesh_def);
    Memory memory = memory_make(def->allocator);
    if (def->vertex_count >= UINT32_MAX / 4 || def->triangle_count >= UINT32_MAX / 4)
        return status_fail(error, MOTE_BAD_VALUE, "mesh: more than %u vertices or triangles",
                           (unsigned)(UINT32_MAX / 4));
    if (def->vertex_count == 0 || def->triangle_count == 0)
        return status_fail(error, MOTE_BAD_VALUE, "mesh: it has no triangles");
    mote_Status status = check_vertices(def, error);
    if (status != MOTE_OK) return status;
    mote_Mesh *mesh = memory_zeroed(&memory, sizeof *mesh);
    if (mesh == NULL) return status_no_memory(error, "a mesh", sizeof *mesh);
    mesh->memory = memory;
    mesh->tree = bounds_tree_make(&mesh->memory);
    atomic_init(&mesh->owners, 1);
    status = take_data(mesh, def, error);
    if (status == MOTE_OK) status = finish(mesh, error);
    if (status == MOTE_OK)
        *out = mesh;
    else
        free_mesh(mesh);
    return status;
}

/* ---- asking ---- */

const mote_MeshFacts *mote_mesh_facts(const mote_Mesh *mesh)
{
    return &mesh->facts;
}

const mote_Vec3 *mote_mesh_vertices(const mote_Mesh *mesh, size_t *count)
{
    *count = mesh->vertex_count;
    return mesh->vertices;
}

const uint32_t *mote_mesh_triangles(const mote_Mesh *mesh, size_t *count)
{
    *count = mesh->triangle_count;
    return &mesh->triangles[0][0];
}

uint64_t mote_mesh_hash(const mote_Mesh *mesh)
{
    return mesh->hash;
}
