/* Verlet lists. */
#include "space/verlet.h"

#include <string.h>

Verlet verlet_make(Memory *memory)
{
    return (Verlet){.arena = arena_make(memory), .lists = neighbours_make(memory)};
}

void verlet_free(Verlet *verlet)
{
    neighbours_free(&verlet->lists);
    arena_free(&verlet->arena);
    verlet->valid = false;
}

bool verlet_restore(Verlet *verlet, const CellSpace *space, mote_real reach, mote_real skin,
                    const mote_real *const reference[3], size_t points, Isa isa, mote_Tasks *tasks)
{
    verlet->valid = false;
    arena_reset(&verlet->arena);
    if (!cells_make(&verlet->cells, space, reach + skin, reference, points, &verlet->arena,
                    tasks) ||
        !neighbours_find(&verlet->lists, &verlet->cells, NULL, isa, &verlet->arena, tasks))
        return false;
    for (int c = 0; c < 3; ++c) {
        verlet->reference[c] = arena_take(&verlet->arena, (points + 1) * sizeof(mote_real));
        if (verlet->reference[c] == NULL) return false;
        if (points > 0) memcpy(verlet->reference[c], reference[c], points * sizeof(mote_real));
    }
    verlet->skin = skin;
    verlet->valid = true;
    ++verlet->made;
    return true;
}

/* The nearest image of a way along an axis. */
static mote_real way(mote_real d, mote_real period)
{
    if (period > 0 && d > period / 2) d -= period;
    if (period > 0 && d < -period / 2) d += period;
    return d;
}

/* True when every point is within half the skin of where it was; what is not a number is not. */
static bool still_good(const Verlet *verlet, const CellSpace *space, const mote_real *const x[3],
                       size_t points)
{
    const mote_real limit = verlet->skin * verlet->skin / 4;
    bool good = true;
    for (size_t i = 0; i < points; ++i) {
        mote_real sum = 0;
        for (int c = 0; c < (space->flat ? 2 : 3); ++c) {
            mote_real d = way(x[c][i] - verlet->reference[c][i], space->period[c]);
            sum += d * d;
        }
        good = good && sum <= limit;
    }
    return good;
}

bool verlet_update(Verlet *verlet, const CellSpace *space, mote_real reach, mote_real skin,
                   const mote_real *const x[3], size_t points, Isa isa, mote_Tasks *tasks)
{
    if (verlet->valid && verlet->cells.points == points && verlet->skin == skin &&
        verlet->cells.reach == reach + skin && still_good(verlet, space, x, points))
        return true;
    return verlet_restore(verlet, space, reach, skin, x, points, isa, tasks);
}
