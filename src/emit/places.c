/* Places by number. */
#include "emit/places.h"

mote_Vec3 lattice_at(const SourceLattice *lattice, const uint64_t at[3])
{
    const double first[3] = {(double)lattice->first.x, (double)lattice->first.y,
                             (double)lattice->first.z};
    mote_real x[3];
    for (int c = 0; c < 3; ++c) x[c] = (mote_real)(first[c] + (double)at[c] * lattice->spacing);
    return vec3(x[0], x[1], x[2]);
}

/* Whether the point follows on the last of the last run, be it on the next line. */
static bool goes_on(const SourcePlaces *places, uint64_t point)
{
    if (places->run_count == 0) return false;
    const PlaceRun *last = &places->runs[places->run_count - 1];
    return last->point + (places->count - last->before) == point;
}

bool places_add_run(SourcePlaces *places, Memory *memory, uint64_t point, size_t count)
{
    if (goes_on(places, point)) {
        places->count += count;
        return true;
    }
    if (!memory_reserve(memory, (void **)&places->runs, &places->run_capacity,
                        places->run_count + 1, sizeof *places->runs))
        return false;
    places->runs[places->run_count++] = (PlaceRun){point, places->count};
    places->count += count;
    return true;
}

bool places_take_list(SourcePlaces *places, Memory *memory, size_t count)
{
    places->list = memory_take(memory, count * sizeof *places->list);
    if (places->list != NULL) places->count = count;
    return places->list != NULL;
}

/* The last run that does not begin after the place. */
static const PlaceRun *run_with(const SourcePlaces *places, size_t number)
{
    size_t low = 0, high = places->run_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (places->runs[middle].before <= number)
            low = middle;
        else
            high = middle;
    }
    return &places->runs[low];
}

mote_Vec3 places_at(const SourcePlaces *places, size_t number)
{
    if (places->list != NULL) return places->list[number];
    const PlaceRun *run = run_with(places, number);
    const uint64_t *count = places->lattice.count, point = run->point + (number - run->before);
    const uint64_t line = point / count[0];
    const uint64_t at[3] = {point % count[0], line % count[1], line / count[1]};
    return lattice_at(&places->lattice, at);
}

void places_free(SourcePlaces *places, Memory *memory)
{
    memory_free(memory, places->list,
                places->list != NULL ? places->count * sizeof *places->list : 0);
    memory_free(memory, places->runs, places->run_capacity * sizeof *places->runs);
    *places = (SourcePlaces){.count = 0};
}
