/* Volumes: what is on the nodes beside sums over all particles, what is kept, and what is refused.
 */
#include "sample.h"

#include "io/volume.h"

enum { ROWS = 60, NUMBERS = 13 };

/* A cloud, some of it at negative places; one row has no place at all. */
typedef struct Cloud {
    mote_real data[NUMBERS][ROWS];
    mote_Column columns[8];
    mote_FrameSystem system;
    mote_Frame frame;
    size_t used;
} Cloud;

static double chance(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

static mote_real *add(Cloud *cloud, const char *name, const char *unit, int components)
{
    mote_real *data = cloud->data[cloud->used];
    cloud->columns[cloud->system.column_count++] = (mote_Column){.name = name,
                                                                 .unit = unit,
                                                                 .type = MOTE_COLUMN_REAL,
                                                                 .components = components,
                                                                 .stride = ROWS,
                                                                 .data = data};
    cloud->used += (size_t)components;
    return data;
}

static Cloud *cloud_make(bool liquid)
{
    unsigned seed = 7;
    Cloud *cloud = calloc(1, sizeof *cloud);
    cloud->system = (mote_FrameSystem){.name = "cloud", .count = ROWS, .columns = cloud->columns};
    cloud->frame = (mote_Frame){
        .dimension = 3, .up_axis = 1, .systems = &cloud->system, .system_count = 1, .dt = 1};
    mote_real *x = add(cloud, "position", "m", 3), *radius = add(cloud, "radius", "m", 1),
              *mass = add(cloud, "mass", "kg", 1), *v = add(cloud, "velocity", "m/s", 3),
              *heat = add(cloud, "temperature", "K", 1), *same = add(cloud, "smoke", "", 1);
    mote_real *last = add(cloud, liquid ? "density" : "spread", liquid ? "kg/m^3" : "m", 1);
    for (size_t i = 0; i < ROWS; ++i) {
        for (size_t c = 0; c < 3; ++c) {
            x[c * ROWS + i] = (mote_real)(chance(&seed) - 0.4);
            v[c * ROWS + i] = (mote_real)(chance(&seed) - 0.5);
        }
        radius[i] = (mote_real)(0.02 + 0.03 * chance(&seed));
        mass[i] = (mote_real)(0.1 + chance(&seed));
        heat[i] = (mote_real)(300 + 900 * chance(&seed));
        same[i] = (mote_real)0.625;
        last[i] = (mote_real)(0.02 + 0.02 * chance(&seed));
    }
    x[5] = (mote_real)NAN;
    mass[5] = 0;
    return cloud;
}

static mote_Status make(const Cloud *cloud, PartView view, Arena *arena, Volume *volume,
                        mote_Error *error)
{
    Part *parts;
    size_t count;
    CHECK(parts_list(&cloud->frame, arena, &parts, &count) && count == 1);
    CHECK(part_make(&cloud->frame, &view, &parts[0], arena));
    return volume_make(&parts[0], &view, arena, volume, error);
}

static const VolumeChannel *channel(const Volume *volume, const char *name)
{
    size_t i = 0;
    while (i < volume->channel_count && strcmp(volume->channels[i].name, name) != 0) ++i;
    CHECK(i < volume->channel_count); /* there is such a channel */
    return &volume->channels[i < volume->channel_count ? i : 0];
}

static double number(const Volume *volume, size_t node, const char *name, size_t component)
{
    return (double)volume->numbers[volume->width * node + channel(volume, name)->first + component];
}

/* ---- */

static void keys_are_in_the_order_of_trees(void)
{
    unsigned seed = 3;
    for (int n = 0; n < 2000; ++n) {
        int64_t a[3], b[3], back[3], key[2][3][3];
        for (int c = 0; c < 3; ++c) {
            a[c] = (int64_t)(chance(&seed) * 2097152) - VOLUME_HALF;
            b[c] =
                n % 2 ? a[c] + (int64_t)(chance(&seed) * 40) : a[c] + (int64_t)(chance(&seed) * 3);
            b[c] = b[c] < VOLUME_HALF ? b[c] : VOLUME_HALF - 1;
            const int64_t both[] = {a[c] + VOLUME_HALF, b[c] + VOLUME_HALF};
            for (int k = 0; k < 2; ++k)
                key[k][0][c] = both[k] / 512, key[k][1][c] = both[k] / 16 % 32,
                key[k][2][c] = both[k] % 16;
        }
        volume_leaf(volume_key(a), back);
        CHECK(memcmp(a, back, sizeof a) == 0);
        int order = 0;
        for (int i = 0; i < 9 && order == 0; ++i)
            order = (key[0][i / 3][i % 3] > key[1][i / 3][i % 3]) -
                    (key[0][i / 3][i % 3] < key[1][i / 3][i % 3]);
        CHECK((volume_key(a) > volume_key(b)) - (volume_key(a) < volume_key(b)) == order);
    }
}

/* What is spread over a node by definition: sums over all rows, in cells. */
static double weight_by_hand(const Cloud *cloud, double reach, double cell, size_t row,
                             const double at[3])
{
    double d2 = 0;
    for (size_t c = 0; c < 3; ++c) d2 += pow((double)cloud->data[c][row] / cell - at[c], 2);
    const double r = fmax(reach / cell, 1.5);
    return d2 < r * r ? pow(1 - d2 / (r * r), 2) : 0;
}

static double total_by_hand(const Cloud *cloud, double reach, double cell, size_t row)
{
    const int wide = (int)fmax(reach / cell, 1.5) + 2;
    double total = 0;
    for (int i = -wide; i <= wide; ++i)
        for (int j = -wide; j <= wide; ++j)
            for (int k = -wide; k <= wide; ++k) {
                const double at[3] = {floor((double)cloud->data[0][row] / cell) + i,
                                      floor((double)cloud->data[1][row] / cell) + j,
                                      floor((double)cloud->data[2][row] / cell) + k};
                total += weight_by_hand(cloud, reach, cell, row, at);
            }
    return total;
}

static void nodes_by_hand(bool liquid, double cell)
{
    Memory memory = memory_make(mote_default_allocator());
    Arena arena = arena_make(&memory);
    Cloud *cloud = cloud_make(liquid);
    Volume volume;
    mote_Error error;
    double reach[ROWS], total[ROWS], mass = 0, all = 0;
    CHECK_OK(make(cloud, (PartView){.up = -1, .cell = cell}, &arena, &volume, &error), error);
    for (size_t i = 0; i < ROWS; ++i) {
        reach[i] = liquid ? 4 * (double)cloud->data[3][i] : 3 * (double)cloud->data[10][i];
        total[i] = i == 5 ? 1 : total_by_hand(cloud, reach[i], cell, i);
        mass += (double)cloud->data[4][i];
    }
    for (size_t node = 0; node < VOLUME_NODES * volume.leaf_count; ++node) {
        int64_t leaf[3];
        double at[3], w = 0, m = 0, s = 0, vy = 0, heat = 0;
        volume_leaf(volume.leaves[node / VOLUME_NODES].key, leaf);
        for (int c = 0; c < 3; ++c)
            at[c] = (double)(8 * leaf[c] + (int64_t)(node % VOLUME_NODES >> 3 * (2 - c) & 7));
        for (size_t i = 0; i < ROWS; ++i) {
            const double part =
                i == 5 ? 0 : weight_by_hand(cloud, reach[i], cell, i, at) / total[i];
            w += part, m += part * (double)cloud->data[4][i],
                vy += part * (double)cloud->data[6][i];
            heat += part * (double)cloud->data[8][i];
            s += part * 6.283185307179586 * pow((double)cloud->data[10][i], 2);
        }
        CHECK_NEAR(volume.weights[node], w, 2e-6);
        CHECK((volume.weights[node] > 0) == (w > 1e-12) || w < 1e-9);
        if (w < 1e-7) continue;
        all += number(&volume, node, "density", 0) * cell * cell * cell;
        CHECK_NEAR(number(&volume, node, "density", 0) * cell * cell * cell, m, 3e-6);
        CHECK_NEAR(number(&volume, node, "velocity", 1), vy / w, 1e-4);
        CHECK_NEAR(number(&volume, node, "temperature", 0), heat / w, 0.1);
        CHECK_NEAR(number(&volume, node, "smoke", 0), 0.625, 1e-6);
        if (!liquid)
            CHECK_NEAR(number(&volume, node, "extinction", 0) * cell * cell * cell, s, 1e-8);
    }
    CHECK_NEAR(all, mass, 1e-4);
    free(cloud);
    arena_free(&arena);
}

static void spread_as_drawn(void)
{
    nodes_by_hand(false, 0.05);
    nodes_by_hand(false, 0.2);
}

static void spread_of_liquids(void)
{
    nodes_by_hand(true, 0.04);
}

/* Two dimensions are one node and one metre thick, whatever is up. */
static void flat_worlds(void)
{
    Memory memory = memory_make(mote_default_allocator());
    Arena arena = arena_make(&memory);
    Cloud *cloud = cloud_make(true);
    mote_Error error;
    cloud->frame.dimension = 2;
    memset(cloud->data[2], 0, sizeof cloud->data[2]);
    for (int up = 0; up < 3; ++up) {
        Volume volume;
        double all = 0, mass = 0;
        const int flat = up == 2 ? 1 : 2;
        CHECK_OK(
            make(cloud, (PartView){.up = up, .scale = 10, .cell = 0.05}, &arena, &volume, &error),
            error);
        CHECK_NEAR(volume.cell, 0.5, 1e-12);
        CHECK(volume.low[flat] == 0 && volume.high[flat] == 0);
        for (size_t i = 0; i < ROWS; ++i) mass += (double)cloud->data[4][i];
        for (size_t node = 0; node < VOLUME_NODES * volume.leaf_count; ++node)
            all += number(&volume, node, "density", 0) * 0.25;
        CHECK_NEAR(all, mass, 1e-4);
    }
    free(cloud);
    arena_free(&arena);
}

/* Without a cell: half the mean reach, rounded down to 1, 2 or 5. */
static void cells_by_themselves(void)
{
    Memory memory = memory_make(mote_default_allocator());
    Arena arena = arena_make(&memory);
    Cloud *cloud = cloud_make(true);
    Volume volume;
    mote_Error error;
    CHECK_OK(make(cloud, (PartView){.up = -1}, &arena, &volume, &error), error);
    CHECK_NEAR(volume.cell, 0.05, 1e-12); /* radii are 0.035 on average */
    CHECK_OK(make(cloud, (PartView){.up = -1, .scale = 1000}, &arena, &volume, &error), error);
    CHECK_NEAR(volume.cell, 50, 1e-9);
    for (size_t i = 0; i < ROWS; ++i) cloud->data[3][i] = (mote_real)1e-310;
    CHECK_OK(make(cloud, (PartView){.up = -1}, &arena, &volume, &error), error);
    CHECK_NEAR(volume.cell, 0.1, 1e-12);
    for (size_t i = 0; i < ROWS; ++i) cloud->data[3][i] = (mote_real)4e306; /* whose sum is none */
    CHECK((make(cloud, (PartView){.up = -1}, &arena, &volume, &error) == MOTE_OK) ==
          (sizeof(mote_real) == 4)); /* there they have no size at all */
    cloud->system.count = 0;
    CHECK_OK(make(cloud, (PartView){.up = -1}, &arena, &volume, &error), error);
    CHECK(volume.leaf_count == 0 && volume.cell > 0);
    free(cloud);
    arena_free(&arena);
}

static void what_is_too_fine(void)
{
    Memory memory = memory_make(mote_default_allocator());
    Arena arena = arena_make(&memory);
    Cloud *cloud = cloud_make(true);
    Volume volume;
    mote_Error error;
    CHECK(make(cloud, (PartView){.up = -1, .cell = 1e-5}, &arena, &volume, &error) ==
          MOTE_BAD_VALUE);
    CHECK_MESSAGE(error,
                  "export: cells of 1e-05 m are too small for cloud; choose a larger --cell");
    cloud->data[0][3] = (mote_real)1e20;
    CHECK(make(cloud, (PartView){.up = -1, .cell = 0.1}, &arena, &volume, &error) ==
          MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "choose a larger --cell");
    free(cloud);
    arena_free(&arena);
}

TESTS({"keys are in the order of trees", keys_are_in_the_order_of_trees},
      {"spread as drawn", spread_as_drawn}, {"spread of liquids", spread_of_liquids},
      {"flat worlds", flat_worlds}, {"cells by themselves", cells_by_themselves},
      {"what is too fine", what_is_too_fine})
