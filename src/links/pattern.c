/* The table of patterns, and laying one out. */
#include "links/pattern.h"

#include "base/row.h"
#include "base/status.h"

#define PATTERN_HEAD(row, ...) &row.head,
static const mote_Row *const table[] = {PATTERN_ROWS(PATTERN_HEAD)};

const mote_Row *const *pattern_rows(Isa isa, size_t *count)
{
    (void)isa;
    *count = sizeof table / sizeof table[0];
    return table;
}

#define PATTERN_DEFAULTS(row, S, function)                                                         \
    S function(void)                                                                               \
    {                                                                                              \
        S def = {0};                                                                               \
        if (row.head.param_count > 0) mote_row_defaults(&row.head, &def);                          \
        return def;                                                                                \
    }
PATTERN_ROWS(PATTERN_DEFAULTS)

static bool take(const Pattern *counted, Arena *arena, Pattern *pattern)
{
    bool room = true;
    *pattern = (Pattern){0};
    for (int c = 0; c < 3; ++c) {
        pattern->x[c] = arena_take(arena, (counted->particles + 1) * sizeof(mote_real));
        pattern->corners[c] = arena_take(arena, (counted->triangles + 1) * sizeof(uint64_t));
        room = room && pattern->x[c] != NULL && pattern->corners[c] != NULL;
    }
    for (int e = 0; e < 2; ++e) {
        pattern->ends[e] = arena_take(arena, (counted->links + 1) * sizeof(uint64_t));
        room = room && pattern->ends[e] != NULL;
    }
    pattern->pinned = arena_take(arena, (counted->particles + 1) * sizeof(uint32_t));
    pattern->kind = arena_take(arena, counted->links + 1);
    return room && pattern->pinned != NULL && pattern->kind != NULL;
}

bool pattern_make(const PatternRow *row, const void *params, Arena *arena, Pattern *pattern)
{
    Pattern counted = {0};
    *pattern = counted;
    if (row->lay == NULL) return true;
    row->lay(params, &counted);
    if (!take(&counted, arena, pattern)) return false;
    row->lay(params, pattern);
    return true;
}

/* ---- pairs: no particles of its own ---- */

static mote_Status check_pairs(const void *raw, const char *where, mote_Error *error)
{
    const mote_PairsPattern *p = raw;
    if (p->count > 0 && (p->a == NULL || p->b == NULL))
        return status_fail(error, MOTE_BAD_VALUE, "%s: %zu pairs need the ids of both ends", where,
                           p->count);
    if (p->triangle_count > 0 && p->corner == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "%s: %zu triangles need the ids of their corners",
                           where, p->triangle_count);
    for (size_t i = 0; p->rest != NULL && i < p->count; ++i)
        if (!(p->rest[i] >= 0 && p->rest[i] <= (mote_real)PARAM_LARGEST))
            return status_fail(error, MOTE_BAD_VALUE,
                               "%s: rest length %zu is %g m, but must be 0 or more", where, i,
                               (double)p->rest[i]);
    return MOTE_OK;
}

const PatternRow pattern_pairs = {
    .head = {.name = "pairs",
             .doc = "links between particles that a program names by id",
             .params_size = sizeof(mote_PairsPattern)},
    .check = check_pairs,
};
