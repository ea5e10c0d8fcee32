/* Notes of a system: what is derived per block. */
#include "particles/system.h"

#include <math.h>

/* The least of birth + lifetime, and the largest radius, in several chains side by side: one alone
 * would wait for itself. */
static void note_block(mote_System *system, size_t first, size_t end, double *earliest)
{
    enum { CHAINS = 4 };
    const double *birth = system->columns[COLUMN_BIRTH].data;
    const mote_real *lifetime = column_real(&system->columns[COLUMN_LIFETIME], 0);
    const mote_real *radius = column_real(&system->columns[COLUMN_RADIUS], 0);
    double least[CHAINS] = {*earliest, *earliest, *earliest, *earliest};
    mote_real most[CHAINS] = {0};
    for (; first + CHAINS <= end; first += CHAINS)
        for (size_t k = 0; k < CHAINS; ++k) {
            double death = birth[first + k] + (double)lifetime[first + k];
            least[k] = death < least[k] ? death : least[k];
            most[k] = radius[first + k] > most[k] ? radius[first + k] : most[k];
        }
    for (; first < end; ++first) {
        double death = birth[first] + (double)lifetime[first];
        least[0] = death < least[0] ? death : least[0];
        most[0] = radius[first] > most[0] ? radius[first] : most[0];
    }
    for (int k = 0; k < CHAINS; ++k) {
        if (least[k] < *earliest) *earliest = least[k];
        if (most[k] > system->radius_max) system->radius_max = most[k];
    }
}

static void note_rows(mote_System *system, size_t first)
{
    while (first < system->count) {
        size_t block = first / BLOCK_ROWS, end = (block + 1) * BLOCK_ROWS;
        BlockNote *note = &system->notes[block];
        if (end > system->count) end = system->count;
        if (first % BLOCK_ROWS == 0) *note = (BlockNote){.earliest_death = (double)INFINITY};
        note_block(system, first, end, &note->earliest_death);
        first = end;
    }
}

bool system_note_new_rows(mote_System *system, size_t first)
{
    if (!memory_reserve(system->memory, (void **)&system->notes, &system->note_capacity,
                        system_blocks(system), sizeof *system->notes))
        return false;
    if (!system->notes_valid) first = 0, system->radius_max = 0;
    note_rows(system, first);
    system->notes_valid = true;
    return true;
}

bool system_refresh_notes(mote_System *system)
{
    return system->notes_valid || system_note_new_rows(system, 0);
}
