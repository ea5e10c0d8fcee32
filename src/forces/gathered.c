/* Rows of all systems, one after the other, scaled by powers of two: nothing is rounded, and no
 * unit of length leaves the range of a float. */
#include "forces/pull.h"

#include "base/row.h"

#include <math.h>

void *gathered_open(Memory *memory)
{
    Gathered *all = memory_zeroed(memory, sizeof *all);
    if (all != NULL) all->arena = arena_make(memory);
    return all;
}

void gathered_close(Memory *memory, void *state)
{
    Gathered *all = state;
    arena_free(&all->arena);
    memory_free(memory, all, sizeof *all);
}

/* ---- looking at all rows ---- */

typedef struct GatheredLook {
    uint32_t group;
    double G;
} GatheredLook;

/* The columns that are looked at. */
typedef struct GatheredColumns {
    const mote_real *x[3], *mass;
    const uint32_t *group;
} GatheredColumns;

static GatheredColumns columns_of(const mote_System *system)
{
    GatheredColumns columns = {.mass = column_real(&system->columns[COLUMN_MASS], 0),
                               .group = system->columns[COLUMN_GROUP].data};
    for (int c = 0; c < 3; ++c) columns.x[c] = column_real(&system->columns[COLUMN_POSITION], c);
    return columns;
}

/* The power of two above the size of all that is finite; 1 when there is nothing. */
typedef struct Scale {
    double largest;
} Scale;

static void scale_to(Scale *scale, double value)
{
    double size = fabs(value);
    if (size > scale->largest && size <= PARAM_LARGEST) scale->largest = size;
}

static double scale_of(const Scale *scale)
{
    int exponent = 0;
    if (scale->largest > 0) (void)frexp(scale->largest, &exponent);
    return ldexp(1, exponent);
}

/* What row i pulls with: nothing outside of the force's group, or when it is not finite. */
static double gm_of(const GatheredLook *look, const GatheredColumns *of, size_t i)
{
    bool in_group = look->group == 0 || (of->group[i] & look->group) != 0;
    bool finite = isfinite(of->x[0][i]) && isfinite(of->x[1][i]) && isfinite(of->x[2][i]);
    double gm = look->G * (double)of->mass[i];
    return in_group && finite && gm > 0 && gm <= PARAM_LARGEST ? gm : 0;
}

static void set_scales(Gathered *all, const GatheredLook *look)
{
    Scale length = {0}, gm = {0};
    for (size_t s = 0; s < all->system_count; ++s) {
        const GatheredColumns from = columns_of(all->systems[s].system);
        for (size_t i = 0; i < all->systems[s].count; ++i) {
            for (int c = 0; c < 3; ++c) scale_to(&length, (double)from.x[c][i]);
            scale_to(&gm, gm_of(look, &from, i));
        }
    }
    all->length = scale_of(&length), all->gm = scale_of(&gm);
}

static bool take_planes(Gathered *all, size_t rows, mote_real *x[3],
                        mote_real *masses[PULL_MASS_PLANES])
{
    bool room = true;
    for (int p = 0; p < PULL_MASS_PLANES; ++p) {
        masses[p] = arena_take(&all->arena, (rows + 8) * sizeof(mote_real));
        all->request.masses.plane[p] = masses[p];
        room = room && masses[p] != NULL;
    }
    for (int c = 0; c < 3; ++c) {
        x[c] = arena_take(&all->arena, (rows + 8) * sizeof(mote_real));
        all->request.x[c] = x[c];
        all->request.out[c] = arena_take(&all->arena, (rows + 8) * sizeof(double));
        room = room && x[c] != NULL && all->request.out[c] != NULL;
    }
    return room;
}

/* Points: all rows. Masses: those that pull. */
static bool fill_planes(Gathered *all, const GatheredLook *look, size_t rows)
{
    mote_real *x[3], *masses[PULL_MASS_PLANES];
    const double shrink = 1 / all->length, lighten = 1 / all->gm;
    size_t row = 0, mass = 0;
    if (!take_planes(all, rows, x, masses)) return false;
    for (size_t s = 0; s < all->system_count; ++s) {
        const GatheredColumns from = columns_of(all->systems[s].system);
        for (size_t i = 0; i < all->systems[s].count; ++i, ++row) {
            double gm = gm_of(look, &from, i);
            for (int c = 0; c < 3; ++c)
                masses[PULL_X + c][mass] = x[c][row] = (mote_real)((double)from.x[c][i] * shrink);
            masses[PULL_GM][mass] = (mote_real)(gm * lighten);
            mass += gm > 0;
        }
    }
    for (; mass % 8 != 0; ++mass)
        for (int p = 0; p < PULL_MASS_PLANES; ++p) masses[p][mass] = 0;
    all->request.masses.count = mass, all->request.count = rows;
    return true;
}

bool gathered_look(Gathered *all, const Force *force, double G, const ForceCrowd *crowd)
{
    const GatheredLook look = {force->group, G};
    size_t rows = 0;
    arena_reset(&all->arena);
    all->system_count = 0;
    all->systems = arena_take(&all->arena, (crowd->system_count + 1) * sizeof *all->systems);
    if (all->systems == NULL) return false;
    for (size_t s = 0; s < crowd->system_count; ++s) {
        all->systems[all->system_count++] = crowd->systems[s];
        rows += crowd->systems[s].count;
    }
    set_scales(all, &look);
    all->request = (PullRequest){.quantity = crowd->energy ? PULL_POTENTIAL : PULL_ACCELERATION,
                                 .tasks = crowd->tasks,
                                 .arena = &all->arena};
    return fill_planes(all, &look, rows);
}

/* ---- ranges ---- */

size_t gathered_place(const Gathered *all, const Range *r)
{
    size_t first = 0;
    for (size_t s = 0; s < all->system_count; ++s) {
        const ForceRows *rows = &all->systems[s];
        if (rows->system == r->system)
            return r->first + r->count <= rows->count ? first + r->first : SIZE_MAX;
        first += rows->count;
    }
    return SIZE_MAX;
}

void gathered_pull_newcomers(const Gathered *all, const Range *r, Newcomers *to)
{
    PullRequest request = all->request;
    request.count = r->count, request.tasks = NULL;
    for (int c = 0; c < 3; ++c) {
        request.x[c] = to->x[c], request.out[c] = to->out[c];
        for (size_t i = 0; i < r->count; ++i)
            to->x[c][i] = (mote_real)((double)r->x[c][i] / all->length);
    }
    pull_direct(&request);
}
