/* Neighbours of every place, and the kernel's sum over them: what space/kernels/neighbours.c does,
 * one work-item a place. The places of a row of cells stand one after another, so what is around a
 * cell are a few runs of places; they are gone through in the order of the processor. */
#ifdef SHAPE_KIND /* it is what this program is for */

/* What was found of a place so far. */
typedef struct Found {
    uint32_t count, room;
    global uint32_t *list; /* entries are LIST_STEP from each other */
#ifdef MOTE_WIDE
    Parts sums;
    Real8 squares; /* the last distances, until there are eight */
#else
    local mote_real *lanes; /* sums, LANE_STEP from each other: registers have no numbers */
#endif
} Found;

/* The kernel at a distance, into the lane whose turn it is. */
#ifdef MOTE_WIDE
static void add_square(const SearchLaw *law, mote_real square, Found *found)
{
    found->squares = found->squares.s12345670;
    found->squares.s7 = square;
    if ((++found->count & 7) == 0)
        found->sums.part[0] = found->sums.part[0] +
                              smoothing_shape_of_square(SHAPE_KIND, found->squares, law->sharp);
}

static mote_real sum_of(const Found *found)
{
    return parts_sum(&found->sums);
}
#else
enum { LANE_STEP = 64 }; /* work-items of a group */

static void add_square(const SearchLaw *law, mote_real square, Found *found)
{
    const Eight shape = smoothing_shape_of_square(SHAPE_KIND, eight_all(square), law->sharp);
    found->lanes[(found->count++ & 7) * LANE_STEP] += shape.x;
}

static mote_real sum_of(const Found *found)
{
    Parts all;
    for (int p = 0; p < PARTS; ++p)
        all.part[p] =
            (Eight)(found->lanes[p * LANE_STEP], found->lanes[(p + PARTS) * LANE_STEP]);
    return parts_sum(&all);
}
#endif

static void add_entry(uint32_t j, Found *found)
{
    if (found->count < found->room) found->list[found->count * LIST_STEP] = j;
}

/* The first cell whose key is not below `key`. */
static uint32_t seek(const SearchLaw *law, global const uint64_t *keys, uint64_t key)
{
    uint32_t low = 0, high = law->cells;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first place of cells from `key` on; `bounds` are ends by key, or first places by cell. */
static uint32_t begins_at(const SearchLaw *law, global const uint32_t *bounds,
                          global const uint64_t *keys, uint64_t key)
{
    if (law->cells > 0) return bounds[seek(law, keys, key)];
    return key > 0 ? bounds[key - 1] : 0;
}

/* The cell `by` cells on along an axis, and by how much its places are moved. */
static bool step_axis(const SearchLaw *law, int c, int from, int by, int *to, mote_real *shift)
{
    const int side = (int)law->side[c], next = from + by;
    *shift = 0, *to = next;
    if (next >= 0 && next < side) return true;
    *shift = next < 0 ? -law->period[c] : law->period[c];
    *to = next < 0 ? next + side : next - side;
    return law->period[c] > 0;
}

static mote_real square_of(mote_real dx, mote_real dy, mote_real dz)
{
    return dx * dx + dy * dy + dz * dz;
}

/* To a place that is moved by shift, if it is. */
static mote_real square_to(Real4 place, bool moved, const mote_real shift[3],
                           const mote_real at[3])
{
    if (!moved) return square_of(place.x - at[0], place.y - at[1], place.z - at[2]);
    return square_of(place.x + shift[0] - at[0], place.y + shift[1] - at[1],
                     place.z + shift[2] - at[2]);
}

/* Which of at most 32 places are near, a bit each: what is found is handled apart, since few are,
 * and work-items that stand side by side would wait for each other at every one. They are looked at
 * by fours; behind the last place there is room for three. */
static uint32_t near_bits(const SearchLaw *law, global const Real4 *places, uint32_t count,
                          bool moved, const mote_real shift[3], const mote_real at[3])
{
    uint32_t bits = 0;
    for (uint32_t k = 0; k < count; k += 4)
        for (uint32_t l = 0; l < 4; ++l)
            bits |= (uint32_t)(square_to(places[k + l], moved, shift, at) < law->limit) << (k + l);
    return count < 32 ? bits & ((1u << count) - 1) : bits;
}

/* The places [begin, end). */
static void look_at(const SearchLaw *law, global const Real4 *places, uint32_t i,
                    const mote_real at[3], uint32_t begin, uint32_t end, bool moved,
                    const mote_real shift[3], Found *found)
{
    for (uint32_t first = begin; first < end; first += 32) {
        uint32_t bits =
            near_bits(law, places + first, min(end - first, 32u), moved, shift, at);
        if (!moved && i >= first && i - first < 32) bits &= ~(1u << (i - first));
        for (; bits != 0; bits &= bits - 1) {
            const uint32_t j = first + 31 - clz(bits & -bits);
            add_entry(j, found);
            add_square(law, square_to(places[j], moved, shift, at), found);
        }
    }
}

static void look_around(const SearchLaw *law, global const Real4 *places, uint32_t i,
                        const mote_real at[3], uint32_t begin, uint32_t end,
                        const mote_real shift[3], Found *found)
{
    if (shift[0] != 0 || shift[1] != 0 || shift[2] != 0)
        look_at(law, places, i, at, begin, end, true, shift, found);
    else
        look_at(law, places, i, at, begin, end, false, shift, found);
}

/* Fills the list up to eights with the place itself, and the last eight distances. */
static void fill_up(const SearchLaw *law, uint32_t i, Found *found)
{
    const uint32_t count = found->count;
    while ((found->count & 7) != 0) {
        add_entry(i, found);
        add_square(law, law->beyond, found);
    }
    found->count = count;
}

/* For places that came from the processor. */
kernel void search_pack(global const mote_real *x, uint32_t points, uint32_t stride, uint32_t flat,
                        global Real4 *places)
{
    const uint32_t i = get_global_id(0);
    if (i < points) places[i] = (Real4)(x[i], x[stride + i], flat ? 0 : x[2 * stride + i], 0);
}

kernel void search(SearchLaw law, global const Real4 *places, global const uint32_t *bounds,
                   global const uint64_t *keys, global uint32_t *counts, global uint32_t *lists,
                   global mote_real *sums)
{
    const uint32_t i = get_global_id(0);
    if (i >= law.points) return;
    Found found = {.count = 0, .room = law.room, .list = lists + LIST_AT(i, 0, law.room)};
#ifndef MOTE_WIDE
    local mote_real lanes[8 * LANE_STEP];
    found.lanes = lanes + get_local_id(0);
    for (int l = 0; l < 8; ++l) found.lanes[l * LANE_STEP] = 0;
#endif
    const Real4 own = places[i];
    const mote_real at[3] = {own.x, own.y, own.z};
    int cell[3];
    for (int c = 0; c < 3; ++c) {
        cell[c] = (int)cell_in_window(cell_of_axis(at[c], law.anchor[c], law.inverse[c]),
                                      law.low[c], law.last[c]);
    }
    const int depth = law.flat ? 0 : 1, side = (int)law.side[0];
    const int low = cell[0] > 0 ? cell[0] - 1 : 0;
    const int high = cell[0] + 1 < side ? cell[0] + 1 : cell[0];
    for (int dz = -depth; dz <= depth && i < law.placed; ++dz)
        for (int dy = -1; dy <= 1; ++dy) {
            int to[3];
            mote_real shift[3];
            if (!step_axis(&law, 2, cell[2], dz, &to[2], &shift[2]) ||
                !step_axis(&law, 1, cell[1], dy, &to[1], &shift[1]))
                continue;
            const uint64_t row = ((uint64_t)to[2] * law.side[1] + (uint64_t)to[1]) * law.side[0];
            shift[0] = 0;
            look_around(&law, places, i, at, begins_at(&law, bounds, keys, row + low),
                    begins_at(&law, bounds, keys, row + high + 1), shift, &found);
            for (int by = -1; by <= 1 && law.period[0] > 0; by += 2) {
                if (cell[0] + by >= 0 && cell[0] + by < side) continue;
                step_axis(&law, 0, cell[0], by, &to[0], &shift[0]);
                look_around(&law, places, i, at, begins_at(&law, bounds, keys, row + to[0]),
                        begins_at(&law, bounds, keys, row + to[0] + 1), shift, &found);
            }
        }
    fill_up(&law, i, &found);
    counts[i] = found.count;
    sums[i] = law.middle + law.scale * sum_of(&found);
}

/* What all lists come to, in as many parts as there are work-items. */
kernel void tally(global const uint32_t *counts, uint32_t points, global uint64_t *notes)
{
    const uint32_t own = get_global_id(0), all = get_global_size(0);
    uint64_t pairs = 0;
    uint32_t most = 0;
    for (uint32_t i = own; i < points; i += all) {
        pairs += counts[i];
        most = counts[i] > most ? counts[i] : most;
    }
    notes[2 * own] = pairs;
    notes[2 * own + 1] = most;
}

#endif
