/* Neighbours of every place, and the kernel's sum over them: what space/kernels/neighbours.c does,
 * one work-item a place. The places of a row of cells stand one after another, so what is around a
 * cell are a few runs of places; they are gone through in the order of the processor. */
#ifdef SHAPE_KIND /* it is what this program is for */

/* What was found of a place so far: neighbours that are listed, and a queue of those that are not,
 * as bits of places that stand one after another. A card waits for the slowest of 32 work-items at
 * every turn of a loop, and the bits of one run differ much in number, those of all hardly: so what
 * is found is handled by eights when the queue is full or the search is over. */
enum {
    QUEUE = 12,
    QUEUE_STEP = 64, /* work-items of a group */
    STILL = 13       /* shift_code of 0 */
};

typedef struct Found {
    uint32_t count, room;
    global uint32_t *list;
    Parts sums;
    uint32_t queued;                /* words in the queue */
    uint32_t waiting;               /* neighbours in it */
    local uint32_t *first, *bits;   /* QUEUE_STEP from each other: registers have no numbers */
    local uint32_t *shift;          /* how those of a word are moved (shift_code) */
} Found;

/* A sum's lanes have the distances l, l + 8, ... */
static void add_squares(const SearchLaw *law, const mote_real squares[8], Parts *sums)
{
    for (int p = 0; p < PARTS; ++p) {
#ifdef MOTE_WIDE
        const Eight part = vload8(0, squares);
#else
        const Eight part = (Eight)(squares[p], squares[p + PARTS]);
#endif
        sums->part[p] =
            sums->part[p] + smoothing_shape_of_square(SHAPE_KIND, part, law->sharp);
    }
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

/* How places are moved, as a number: along x, y, z by -1, 0 or 1 periods. */
static uint32_t shift_code(const mote_real shift[3])
{
    uint32_t code = 0;
    for (int c = 2; c >= 0; --c)
        code = 3 * code + (shift[c] < 0 ? 0 : shift[c] > 0 ? 2 : 1);
    return code;
}

static void shift_of_code(const SearchLaw *law, uint32_t code, mote_real shift[3])
{
    for (int c = 0; c < 3; ++c, code /= 3)
        shift[c] = code % 3 == 0 ? -law->period[c] : code % 3 == 2 ? law->period[c] : 0;
}

/* Which of at most 32 places are near, a bit each. They are looked at by eights; behind the
 * last place there is room for seven. */
static uint32_t near_bits(const SearchLaw *law, global const Real4 *places, uint32_t count,
                          bool moved, const mote_real shift[3], const mote_real at[3])
{
    uint32_t bits = 0;
    for (uint32_t k = 0; k < count; k += 8) {
        uint32_t eight = 0;
        Real4 place[8];
        for (uint32_t l = 0; l < 8; ++l) place[l] = places[k + l];
        for (uint32_t l = 0; l < 8; ++l)
            eight |= square_to(place[l], moved, shift, at) < law->limit ? 1u << l : 0;
        bits |= eight << k;
    }
    return count < 32 ? bits & ((1u << count) - 1) : bits;
}

/* Where the queue is read. */
typedef struct Reader {
    uint32_t word; /* the next one */
    uint32_t bits, first, shift;
} Reader;

/* The next neighbour, and the square of its distance; false: there is none. */
static bool take_next(const SearchLaw *law, global const Real4 *places, const mote_real at[3],
                      const Found *found, Reader *r, uint32_t *j, mote_real *square)
{
    if (r->bits == 0 && r->word < found->queued) {
        const uint32_t own = QUEUE_STEP * r->word++;
        r->bits = found->bits[own], r->first = found->first[own], r->shift = found->shift[own];
    }
    if (r->bits == 0) return false;
    mote_real shift[3] = {0, 0, 0};
    *j = r->first + 31 - clz(r->bits & -r->bits);
    r->bits &= r->bits - 1;
    if (r->shift != STILL) shift_of_code(law, r->shift, shift);
    *square = square_to(places[*j], r->shift != STILL, shift, at);
    return true;
}

/* Entries of a list from this one on. */
static void put_eight(global uint32_t *list, const uint32_t j[8])
{
    global uint4 *fours = (global uint4 *)list;
    fours[0] = (uint4)(j[0], j[1], j[2], j[3]);
    fours[LIST_STEP] = (uint4)(j[4], j[5], j[6], j[7]);
}

/* The next eight of the queue go into the list and the sums. Where it has fewer, the list is filled
 * up with the place itself, and the sums with what is too far away to count. */
static void take_eight(const SearchLaw *law, global const Real4 *places, uint32_t i,
                       const mote_real at[3], Reader *r, Found *found)
{
    mote_real squares[8];
    uint32_t j[8];
    for (uint32_t l = 0; l < 8; ++l) {
        j[l] = i, squares[l] = law->beyond;
        take_next(law, places, at, found, r, &j[l], &squares[l]);
    }
    if (found->count < found->room) put_eight(found->list + found->count * LIST_STEP, j);
    add_squares(law, squares, &found->sums);
}

/* Handles what waits, but for less than eight where more may come. */
static void drain(const SearchLaw *law, global const Real4 *places, uint32_t i,
                  const mote_real at[3], bool all, Found *found)
{
    Reader r = {.bits = 0};
    uint32_t left = 0;
    while (found->waiting >= (all ? 1 : 8)) {
        const uint32_t some = min(found->waiting, 8u);
        take_eight(law, places, i, at, &r, found);
        found->count += some, found->waiting -= some;
    }
    if (r.bits != 0) found->bits[QUEUE_STEP * --r.word] = r.bits;
    for (; r.word < found->queued; ++r.word, ++left) {
        found->bits[QUEUE_STEP * left] = found->bits[QUEUE_STEP * r.word];
        found->first[QUEUE_STEP * left] = found->first[QUEUE_STEP * r.word];
        found->shift[QUEUE_STEP * left] = found->shift[QUEUE_STEP * r.word];
    }
    found->queued = left;
}

static void look_around(const SearchLaw *law, global const Real4 *places, uint32_t i,
                        const mote_real at[3], uint32_t begin, uint32_t end,
                        const mote_real shift[3], Found *found)
{
    const uint32_t code = shift_code(shift);
    for (uint32_t first = begin; first < end; first += 32) {
        const uint32_t count = min(end - first, 32u);
        uint32_t bits = code != STILL ? near_bits(law, places + first, count, true, shift, at)
                                      : near_bits(law, places + first, count, false, shift, at);
        if (code == STILL && i >= first && i - first < 32) bits &= ~(1u << (i - first));
        if (bits == 0) continue;
        if (found->queued == QUEUE) drain(law, places, i, at, false, found);
        const uint32_t word = QUEUE_STEP * found->queued++;
        found->first[word] = first, found->bits[word] = bits, found->shift[word] = code;
        found->waiting += popcount(bits);
    }
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
    local uint32_t queue[3][QUEUE * QUEUE_STEP];
    const uint32_t item = get_local_id(0);
    Found found = {.count = 0,
                   .room = law.room,
                   .list = lists + LIST_AT(i, 0, law.room),
                   .first = queue[0] + item,
                   .bits = queue[1] + item,
                   .shift = queue[2] + item};
    for (int p = 0; p < PARTS; ++p) found.sums.part[p] = (Eight)(0);
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
    drain(&law, places, i, at, true, &found);
    counts[i] = found.count;
    sums[i] = law.middle + law.scale * parts_sum(&found.sums);
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
