/* Links: parameters, laying out, and what a frame shows of them. */
#include "links/links.h"

#include "base/definition.h"
#include "base/sort.h"
#include "base/status.h"
#include "base/vec.h"

#include "expression/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ISA_KERNELS(link_kernels, LinkKernels, links_table)

static const char *const forms[] = {"linear", "strain", NULL};
static const char *const field_kind[] = {"field", NULL};

static const mote_Param params[] = {
    PARAM_CHOICE(mote_LinksDef, form, "force by length, or by strain", forms, 0),
    PARAM_REAL(mote_LinksDef, stiffness, "N/m",
               "of structural links; N in the strain form, for any number of pieces", 100, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_LinksDef, damping, "N s/m",
               "against changes of a link's length; N s in the strain form", 0, 0, PARAM_LARGEST),
    PARAM_REAL(mote_LinksDef, shear, "", "factor on both for shear links", 0.5, 0, PARAM_LARGEST),
    PARAM_REAL(mote_LinksDef, bend, "", "factor on both for bending links", 0.05, 0, PARAM_LARGEST),
    PARAM_REAL(mote_LinksDef, rest, "", "rest length as a share of the length at the start", 1, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_LinksDef, breaking, "", "strain above which a link breaks", (double)INFINITY,
               PARAM_POSITIVE, PARAM_NO_LIMIT),
    PARAM_REAL(mote_LinksDef, air, "kg/m^3", "pressure of the wind on triangles", 0, 0,
               PARAM_LARGEST),
    PARAM_NAME(mote_LinksDef, wind, "field that blows on the triangles", field_kind),
    PARAM_VEC3(mote_LinksDef, anchor, "m", "how far pinned particles are from where they started",
               0, 0, 0),
};

const mote_Row links_row =
    ROW_DEFINITION("links", "springs between particles, with the triangles of a cloth", params,
                   mote_LinksDef, mote_LinksDef);

static mote_LinksDef links_defaults(void)
{
    mote_LinksDef def = {0};
    mote_row_defaults(&links_row, &def);
    def.pattern = "chain";
    return def;
}

DEFINITION_MAKER(mote_LinksDef, mote_links_def, links_defaults)

/* ---- memory ---- */

static bool take_arrays(Links *links)
{
    Memory *memory = links->memory;
    size_t n = links->count, t = links->triangle_count, p = links->pinned_count;
    links->ends = memory_take(memory, 2 * n * sizeof *links->ends);
    links->corners = memory_take(memory, 3 * t * sizeof *links->corners);
    links->pinned = memory_take(memory, p * sizeof *links->pinned);
    links->kind = memory_take(memory, n);
    links->broken = memory_zeroed(memory, n);
    links->rest = memory_take(memory, n * sizeof *links->rest);
    links->factor = memory_zeroed(memory, n * sizeof *links->factor);
    bool link_room = links->ends != NULL && links->kind != NULL && links->broken != NULL &&
                     links->rest != NULL && links->factor != NULL;
    return (link_room || n == 0) && (links->corners != NULL || t == 0) &&
           (links->pinned != NULL || p == 0);
}

static void free_list(Links *links, SegmentList *list, size_t item)
{
    memory_free(links->memory, list->segments, list->capacity * item);
    memory_free(links->memory, list->starts, links->block_capacity * sizeof *list->starts);
    memory_free(links->memory, list->splits, links->block_capacity * sizeof *list->splits);
    *list = (SegmentList){NULL, 0, NULL, NULL};
}

/* Sizes of blocks that were never taken are harmless: freeing NULL does nothing. */
static void free_block(Memory *memory, void *block, size_t size)
{
    if (block != NULL) memory_free(memory, block, size);
}

void links_release(Links *links)
{
    Memory *memory = links->memory;
    size_t n = links->count, t = links->triangle_count;
    if (memory == NULL) return;
    free_block(memory, links->ends, 2 * n * sizeof *links->ends);
    free_block(memory, links->corners, 3 * t * sizeof *links->corners);
    free_block(memory, links->pinned, links->pinned_count * sizeof *links->pinned);
    free_block(memory, links->kind, n);
    free_block(memory, links->broken, n);
    free_block(memory, links->rest, n * sizeof *links->rest);
    free_block(memory, links->factor, n * sizeof *links->factor);
    free_block(memory, links->share, n * sizeof *links->share);
    free_block(memory, links->derivative, LINK_DERIVATIVE_PLANES * n * sizeof *links->derivative);
    free_block(memory, links->view, (2 * n + 3 * t) * sizeof *links->view);
    free_list(links, &links->links, sizeof(LinkSegment));
    free_list(links, &links->triangles, sizeof(TriangleSegment));
    links->memory = NULL;
}

bool links_reserve_derivative(Links *links)
{
    if (links->derivative != NULL || links->count == 0) return true;
    links->derivative = memory_zeroed(links->memory, LINK_DERIVATIVE_PLANES * links->count *
                                                         sizeof *links->derivative);
    return links->derivative != NULL;
}

/* ---- laying out ---- */

static mote_Status ensure_pinned_column(mote_System *system, mote_Error *error)
{
    const mote_Column column = {
        .name = "pinned", .unit = "", .stage = "user", .type = MOTE_COLUMN_U32, .components = 1};
    if (mote_system_column(system, "pinned") != NULL) return MOTE_OK;
    return mote_system_add_column(system, &column, error);
}

static mote_Status add_particles(mote_System *system, const Pattern *pattern, uint64_t *first_id,
                                 mote_Error *error)
{
    size_t first;
    *first_id = system->next_id;
    mote_Status status = mote_system_add_rows(system, pattern->particles, &first, error);
    if (status != MOTE_OK) return status;
    uint32_t *pinned = mote_system_column(system, "pinned")->data;
    mote_real *mass = column_real(&system->columns[COLUMN_MASS], 0);
    mote_real *radius = column_real(&system->columns[COLUMN_RADIUS], 0);
    const mote_real velocity[3] = {pattern->velocity.x, pattern->velocity.y, pattern->velocity.z};
    for (size_t i = 0; i < pattern->particles; ++i) {
        mass[first + i] = pattern->mass, radius[first + i] = pattern->radius;
        pinned[first + i] = pattern->pinned[i];
        for (int c = 0; c < 3; ++c) {
            column_real(&system->columns[COLUMN_POSITION], c)[first + i] = pattern->x[c][i];
            column_real(&system->columns[COLUMN_VELOCITY], c)[first + i] =
                pattern->pinned[i] != 0 ? 0 : velocity[c];
        }
    }
    return MOTE_OK;
}

static mote_real distance_between(const mote_System *system, size_t a, size_t b)
{
    mote_real d[3];
    for (int c = 0; c < 3; ++c) {
        const mote_real *x = column_real(&system->columns[COLUMN_POSITION], c);
        d[c] = x[b] - x[a];
    }
    return vec3_length(vec3(d[0], d[1], d[2]));
}

/* "scene.json5:12:20: ", where a scene says the link. */
static void place_of(const mote_PairsPattern *pairs, size_t link, char place[200])
{
    place[0] = '\0';
    if (pairs != NULL && pairs->places != NULL)
        snprintf(place, 200, "%.180s: ", pairs->places[link]);
}

static mote_Status missing(const Links *links, const mote_System *system, size_t link, uint64_t id,
                           const char *place, mote_Error *error)
{
    return status_fail(error, MOTE_BAD_VALUE,
                       "%slinks %s: link %zu joins particle %llu, but system %s has no such "
                       "particle%s",
                       place, links->object.name, link, (unsigned long long)id, system->name,
                       place[0] != '\0' ? " when links are laid out" : "");
}

/* Rest lengths from where the ends are, unless they are given. */
static mote_Status set_rest(Links *links, mote_System *system, const mote_PairsPattern *pairs,
                            mote_Error *error)
{
    const mote_LinksDef *def = links_def(links);
    const mote_real *given = pairs != NULL ? pairs->rest : NULL;
    char place[200];
    for (size_t i = 0; i < links->count; ++i) {
        uint64_t a = links->ends[i], b = links->ends[links->count + i];
        size_t ra = mote_system_find(system, a), rb = mote_system_find(system, b);
        place_of(pairs, i, place);
        if (ra == SIZE_MAX || rb == SIZE_MAX)
            return missing(links, system, i, ra == SIZE_MAX ? a : b, place, error);
        if (ra == rb)
            return status_fail(error, MOTE_BAD_VALUE,
                               "%slinks %s: link %zu joins particle %llu to itself", place,
                               links->object.name, i, (unsigned long long)a);
        links->rest[i] = given != NULL ? given[i] : def->rest * distance_between(system, ra, rb);
        if (def->form == MOTE_LINKS_STRAIN && !(links->rest[i] > 0))
            return status_fail(
                error, MOTE_BAD_VALUE,
                "links %s: link %zu has rest length 0, which the strain form divides "
                "by; use form: \"linear\" or a rest length above 0",
                links->object.name, i);
    }
    return MOTE_OK;
}

static mote_Status check_corners(const Links *links, mote_System *system, mote_Error *error)
{
    for (size_t i = 0; i < 3 * links->triangle_count; ++i)
        if (mote_system_find(system, links->corners[i]) == SIZE_MAX)
            return status_fail(error, MOTE_BAD_VALUE,
                               "links %s: triangle %zu has particle %llu as a corner, but system "
                               "%s has no such particle",
                               links->object.name, i % links->triangle_count,
                               (unsigned long long)links->corners[i], system->name);
    return MOTE_OK;
}

static void copy_pattern(Links *links, const Pattern *pattern, uint64_t first)
{
    size_t n = pattern->links, t = pattern->triangles, pinned = 0;
    for (size_t i = 0; i < n; ++i) {
        links->ends[i] = first + pattern->ends[0][i];
        links->ends[n + i] = first + pattern->ends[1][i];
        links->kind[i] = pattern->kind[i];
    }
    for (size_t c = 0; c < 3; ++c)
        for (size_t i = 0; i < t; ++i) links->corners[c * t + i] = first + pattern->corners[c][i];
    for (size_t i = 0; i < pattern->particles; ++i)
        if (pattern->pinned[i] != 0) links->pinned[pinned++] = first + i;
}

static mote_Status copy_pairs(Links *links, const mote_PairsPattern *pairs, mote_Error *error)
{
    size_t n = pairs->count;
    for (size_t i = 0; i < n; ++i) {
        links->ends[i] = pairs->a[i], links->ends[n + i] = pairs->b[i];
        links->kind[i] = pairs->kind != NULL ? pairs->kind[i] : LINK_STRUCTURAL;
        if (links->kind[i] >= LINK_KINDS)
            return status_fail(error, MOTE_BAD_VALUE,
                               "links %s: link %zu is of kind %d, but must be 0, 1 or 2",
                               links->object.name, i, (int)links->kind[i]);
    }
    if (pairs->triangle_count > 0)
        memcpy(links->corners, pairs->corner, 3 * pairs->triangle_count * sizeof *pairs->corner);
    return MOTE_OK;
}

/* What each link's factor is, by its number and its length now. */
static mote_Status set_share(Links *links, mote_System *system, const mote_PairsPattern *pairs,
                             mote_Error *error)
{
    double values[EXPRESSION_SLOTS] = {0};
    if (pairs == NULL || pairs->factor == NULL || links->count == 0) return MOTE_OK;
    links->share = memory_take(links->memory, links->count * sizeof *links->share);
    if (links->share == NULL) return status_no_memory(error, links->object.name, links->count);
    for (size_t i = 0; i < links->count; ++i) {
        const size_t a = mote_system_find(system, links->ends[i]);
        const size_t b = mote_system_find(system, links->ends[links->count + i]);
        values[0] = (double)i, values[1] = (double)distance_between(system, a, b);
        const double share = expression_value(&pairs->factor->expression, values);
        links->share[i] = (mote_real)share;
        if (share >= 0 && share <= PARAM_LARGEST) continue;
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: factor of link %zu of links %s, %g m long, is %g, but must be 0 or "
                           "more",
                           pairs->factor->place, i, links->object.name, values[1], share);
    }
    return MOTE_OK;
}

/* Particles that pairs make, as a pattern without links. */
static bool pairs_points(const mote_PairsPattern *pairs, Arena *arena, Pattern *pattern)
{
    const size_t n = pairs->point_count;
    bool room = true;
    for (int c = 0; c < 3; ++c) {
        pattern->x[c] = arena_take(arena, (n + 1) * sizeof(mote_real));
        room = room && pattern->x[c] != NULL;
    }
    pattern->pinned = arena_take(arena, (n + 1) * sizeof(uint32_t));
    pattern->mass = pairs->mass > 0 ? pairs->mass : 1;
    pattern->radius = pairs->radius;
    for (size_t i = 0; room && pattern->pinned != NULL && i < n; ++i)
        pattern_particle(pattern, pairs->points[i], pairs->pinned != NULL && pairs->pinned[i] != 0);
    return room && pattern->pinned != NULL;
}

static size_t count_pinned(const Pattern *pattern)
{
    size_t pinned = 0;
    for (size_t i = 0; i < pattern->particles; ++i) pinned += pattern->pinned[i] != 0;
    return pinned;
}

/* Pairs tie particles that are there; every other pattern brings its own. */
static mote_Status lay_with(Links *links, mote_System *system, const PatternRow *row,
                            const void *raw, Arena *arena, mote_Error *error)
{
    const mote_PairsPattern *pairs = row == &pattern_pairs ? raw : NULL;
    Pattern pattern;
    uint64_t first = 0;
    if (!pattern_make(row, raw, arena, &pattern) ||
        (pairs != NULL && !pairs_points(pairs, arena, &pattern)))
        return status_no_memory(error, links->object.name, 1);
    links->count = pairs != NULL ? pairs->count : pattern.links;
    links->triangle_count = pairs != NULL ? pairs->triangle_count : pattern.triangles;
    links->pinned_count = count_pinned(&pattern);
    if (links->count > UINT32_MAX / 2 || !take_arrays(links))
        return status_no_memory(error, links->object.name, links->count * 40);
    mote_Status status = ensure_pinned_column(system, error);
    if (status == MOTE_OK) status = add_particles(system, &pattern, &first, error);
    if (status != MOTE_OK) return status;
    copy_pattern(links, &pattern, first);
    if (pairs != NULL) status = copy_pairs(links, pairs, error);
    if (status == MOTE_OK) status = set_rest(links, system, pairs, error);
    if (status == MOTE_OK) status = set_share(links, system, pairs, error);
    return status == MOTE_OK ? check_corners(links, system, error) : status;
}

mote_Status links_lay(Links *links, mote_System *system, const PatternRow *row, const void *raw,
                      mote_Error *error)
{
    links->memory = system->memory;
    Arena arena = arena_make(links->memory);
    mote_Status status = lay_with(links, system, row, raw, &arena, error);
    arena_free(&arena);
    if (status != MOTE_OK) links_release(links);
    return status;
}

/* ---- for kernels ---- */

LinkView links_view(const Links *links, const mote_System *system, const mote_real period[3])
{
    const mote_LinksDef *def = links_def(links);
    LinkView view = {.factor = links->factor,
                     .rest = links->rest,
                     .stiffness = def->stiffness,
                     .damping = def->damping};
    for (int c = 0; c < 3; ++c) {
        view.x[c] = column_real(&system->columns[COLUMN_POSITION], c);
        view.v[c] = column_real(&system->columns[COLUMN_VELOCITY], c);
        view.period[c] = period[c];
        view.half[c] = period[c] > 0 ? period[c] / 2 : (mote_real)INFINITY;
        view.periodic = view.periodic || period[c] > 0;
    }
    return view;
}
