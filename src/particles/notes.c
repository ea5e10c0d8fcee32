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

/* Of the block's rows from `first` on. */
static void note_rows(mote_System *system, size_t block, size_t first)
{
    size_t end = (block + 1) * BLOCK_ROWS;
    if (end > system->count) end = system->count;
    note_block(system, first, end, &system->notes[block].earliest_death);
}

void system_note_block(mote_System *system, size_t block)
{
    system->notes[block].earliest_death = (double)INFINITY;
    note_rows(system, block, block * BLOCK_ROWS);
}

bool system_note_new_rows(mote_System *system, size_t first)
{
    if (!memory_reserve(system->memory, (void **)&system->notes, &system->note_capacity,
                        system_blocks(system), sizeof *system->notes))
        return false;
    if (!system->notes_valid) first = 0, system->radius_max = 0;
    for (; first < system->count; first = (first / BLOCK_ROWS + 1) * BLOCK_ROWS) {
        const size_t block = first / BLOCK_ROWS;
        if (first % BLOCK_ROWS == 0)
            system->notes[block] = (BlockNote){.earliest_death = (double)INFINITY};
        note_rows(system, block, first);
    }
    system->notes_valid = true;
    return true;
}

bool system_refresh_notes(mote_System *system)
{
    return system->notes_valid || system_note_new_rows(system, 0);
}

/* Whether one of the rows that stay has it. Of equal ones the first has. */
static bool keeps_radius(const mote_System *system, const size_t *rows, size_t count)
{
    const mote_real *radius = column_real(&system->columns[COLUMN_RADIUS], 0);
    for (size_t i = 0, gone = 0; i < system->count; ++i) {
        if (gone < count && rows[gone] == i)
            ++gone;
        else if (radius[i] == system->radius_max)
            return true;
    }
    return false;
}

/* The row that stands at `row` once those listed are out; `gone` of them stand before it. */
static size_t row_before(const size_t *rows, size_t count, size_t row, size_t *gone)
{
    while (*gone < count && rows[*gone] <= row + *gone) ++*gone;
    return row + *gone;
}

void system_shift_notes(mote_System *system, const size_t *rows, size_t count)
{
    const size_t left = system->count - count;
    size_t gone = 0;
    system->notes_valid = system->notes_valid && keeps_radius(system, rows, count);
    for (size_t first = 0; first < left && system->notes_valid; first += BLOCK_ROWS) {
        const size_t last = first + BLOCK_ROWS < left ? first + BLOCK_ROWS - 1 : left - 1;
        size_t block = row_before(rows, count, first, &gone) / BLOCK_ROWS;
        const size_t end = row_before(rows, count, last, &gone) / BLOCK_ROWS;
        BlockNote note = system->notes[block];
        while (++block <= end) {
            const BlockNote *more = &system->notes[block];
            note.suspect = note.suspect || more->suspect;
            if (more->earliest_death < note.earliest_death)
                note.earliest_death = more->earliest_death;
        }
        system->notes[first / BLOCK_ROWS] = note;
    }
}
