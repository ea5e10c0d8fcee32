/* Neighbours of every place, and the kernel's sum over them: what space/kernels/neighbours.c does,
 * one work-item a place. The places of a row of cells stand one after another, so what is around a
 * cell are a few runs of places; they are gone through in the order of the processor. */
#ifdef SHAPE_KIND /* it is what this program is for */

/* What was found of a place so far. */
typedef struct Found {
    uint32_t count;
    Real8 squares; /* the last distances, until there are eight */
    Parts sums;
} Found;

static void add_shapes(const SearchLaw *law, Found *found)
{
    for (int p = 0; p < PARTS; ++p)
        found->sums.part[p] =
            found->sums.part[p] +
            smoothing_shape_of_square(SHAPE_KIND, part_of(found->squares, p), law->sharp);
}

static void push_square(Found *found, mote_real square)
{
    found->squares = found->squares.s12345670;
    found->squares.s7 = square;
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

/* The places [begin, end), moved by shift. */
static void look_at(const SearchLaw *law, global const mote_real *x, uint32_t i, const mote_real at[3],
                    uint32_t begin, uint32_t end, const mote_real shift[3],
                    global uint32_t *lists, Found *found)
{
    const bool moved = shift[0] != 0 || shift[1] != 0 || shift[2] != 0;
    for (uint32_t j = begin; j < end; ++j) {
        const mote_real dx = x[j] + shift[0] - at[0];
        const mote_real dy = x[law->stride + j] + shift[1] - at[1];
        mote_real r2 = dx * dx + dy * dy;
        if (!law->flat) {
            const mote_real dz = x[2 * law->stride + j] + shift[2] - at[2];
            r2 = r2 + dz * dz;
        }
        if (!(r2 < law->limit) || (j == i && !moved)) continue;
        if (found->count < law->room) lists[LIST_AT(i, found->count, law->room)] = j;
        push_square(found, r2);
        if ((++found->count & 7) == 0) add_shapes(law, found);
    }
}

/* Fills the list up to eights with the place itself, and the last eight distances. */
static void fill_up(const SearchLaw *law, uint32_t i, global uint32_t *lists, Found *found)
{
    if ((found->count & 7) == 0) return;
    for (uint32_t k = found->count; (k & 7) != 0; ++k) {
        if (k < law->room) lists[LIST_AT(i, k, law->room)] = i;
        push_square(found, law->beyond);
    }
    add_shapes(law, found);
}

kernel void search(SearchLaw law, global const mote_real *x, global const uint32_t *bounds,
                   global const uint64_t *keys, global uint32_t *counts, global uint32_t *lists,
                   global mote_real *sums)
{
    const uint32_t i = get_global_id(0);
    if (i >= law.points) return;
    Found found = {.count = 0, .squares = (Real8)(0)};
    for (int p = 0; p < PARTS; ++p) found.sums.part[p] = (Eight)(0);
    mote_real at[3];
    int cell[3];
    for (int c = 0; c < 3; ++c) {
        at[c] = x[c * law.stride + i];
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
            look_at(&law, x, i, at, begins_at(&law, bounds, keys, row + low),
                    begins_at(&law, bounds, keys, row + high + 1), shift, lists, &found);
            for (int by = -1; by <= 1 && law.period[0] > 0; by += 2) {
                if (cell[0] + by >= 0 && cell[0] + by < side) continue;
                step_axis(&law, 0, cell[0], by, &to[0], &shift[0]);
                look_at(&law, x, i, at, begins_at(&law, bounds, keys, row + to[0]),
                        begins_at(&law, bounds, keys, row + to[0] + 1), shift, lists, &found);
            }
        }
    fill_up(&law, i, lists, &found);
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
