/* Volumes of particles.
 *
 * A particle is spread over the nodes in a ball around it with the weights (1 - d^2 / R^2)^2, whose
 * sum is made 1. So densities keep what there was: the sum over all nodes of density times the
 * volume of a cell is the mass, whatever the cell. All else is the mean over the particles around a
 * node, which is never outside of their range (Shepard 1968).
 *
 * Of a liquid R is four radii, twice the distance of its particles. Others are spread as they are
 * drawn, R being three standard deviations of their footprint. */
#include "io/volume.h"

#include "base/status.h"
#include "particles/system.h"

#include <math.h>
#include <string.h>

#define LIQUID_REACH 4.0 /* radii */
#define DRAWN_REACH  3.0 /* standard deviations */
#define PLAIN_REACH  2.0 /* radii, where nobody says how it is drawn */
#define LEAST_REACH  1.5 /* cells: no particle falls between the nodes */

/* Of one particle, whose nodes are visited one by one; and of a file. */
enum { MOST_NODES_ACROSS = 1 << 10 };
#define MOST_NUMBERS ((size_t)1 << 31)
#define MOST_LEAVES  (MOST_NUMBERS / VOLUME_NODES)

typedef struct VolumeSource {
    size_t count;
    const mote_Column *position, *mass, *opacity, *spread, *radius;
    bool liquid; /* its particles have a density of their own */
    int flat;    /* axis of one node and one metre, in two dimensions; -1: none */
} VolumeSource;

/* ---- what there is ---- */

static const mote_Column *number_column(const mote_FrameSystem *points, const char *name)
{
    const mote_Column *column = mote_frame_column(points, name);
    return column != NULL && column->components == 1 ? column : NULL;
}

static VolumeSource source_of(const Part *part)
{
    const mote_FrameSystem *points = &part->points;
    return (VolumeSource){.count = points->count,
                          .position = mote_frame_column(points, "position"),
                          .mass = number_column(points, "mass"),
                          .opacity = number_column(points, "opacity"),
                          .spread = number_column(points, "spread"),
                          .radius = number_column(points, "radius"),
                          .liquid = number_column(points, "density") != NULL,
                          .flat = part->flat};
}

static double reach_of(const VolumeSource *source, size_t row)
{
    const double radius = source->radius != NULL ? column_value(source->radius, 0, row) : 0;
    if (source->liquid) return LIQUID_REACH * radius;
    return source->spread != NULL ? DRAWN_REACH * column_value(source->spread, 0, row)
                                  : PLAIN_REACH * radius;
}

/* kg */
static double mass_of(const VolumeSource *source, size_t row)
{
    return column_value(source->mass, 0, row);
}

/* m^2: what a particle takes out of the light, as pictures have it. The integral of opacity times
 * exp(-d^2 / 2 s^2) over the plane: 2 pi s^2. */
static double section_of(const VolumeSource *source, size_t row)
{
    const double spread = column_value(source->spread, 0, row);
    const double opacity = source->opacity != NULL ? column_value(source->opacity, 0, row) : 1;
    return (opacity < 1 ? opacity : 1) * 6.283185307179586 * spread * spread;
}

/* ---- channels ---- */

/* Amounts, which become densities; the rest are means of columns. */
typedef struct VolumeAmount {
    const char *name;
    size_t needs; /* a column of the source */
    double (*of)(const VolumeSource *source, size_t row);
} VolumeAmount;
static const VolumeAmount amounts[] = {{"density", offsetof(VolumeSource, mass), mass_of},
                                       {"extinction", offsetof(VolumeSource, spread), section_of}};
enum { AMOUNTS = sizeof amounts / sizeof amounts[0] };

/* What a mean of which says nothing, and what amounts are made of. */
static const char *const left_out[] = {"position", "radius", "mass",    "birth",
                                       "lifetime", "spread", "opacity", "density"};

static bool has_mean(const mote_Column *column)
{
    const bool real = column->type == MOTE_COLUMN_REAL || column->type == MOTE_COLUMN_DOUBLE;
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; ++i)
        if (strcmp(column->name, left_out[i]) == 0) return false;
    return real && (column->components == 1 || column->components == 3);
}

/* Which numbers a node has, and where those of a row come from. */
typedef struct VolumeFill {
    const VolumeSource *source;
    const VolumeAmount *amounts[AMOUNTS];
    size_t amount_count;
    const mote_Column **means;
    size_t mean_count;
    double *numbers; /* of the row that is spread */
} VolumeFill;

static void add_channel(Volume *volume, const char *name, int components)
{
    volume->channels[volume->channel_count++] = (VolumeChannel){name, components, volume->width};
    volume->width += (size_t)components;
}

static bool choose_channels(const Part *part, VolumeFill *fill, Volume *volume, Arena *arena)
{
    const mote_FrameSystem *points = &part->points;
    const size_t most = points->column_count + AMOUNTS;
    volume->channels = arena_take(arena, most * sizeof *volume->channels);
    fill->means = arena_take(arena, most * sizeof *fill->means);
    if (volume->channels == NULL || fill->means == NULL) return false;
    for (size_t i = 0; i < AMOUNTS; ++i) {
        const mote_Column *needed;
        memcpy(&needed, (const char *)fill->source + amounts[i].needs, sizeof needed);
        if (needed == NULL) continue;
        fill->amounts[fill->amount_count++] = &amounts[i];
        add_channel(volume, amounts[i].name, 1);
    }
    for (size_t i = 0; i < points->column_count; ++i) {
        if (!has_mean(&points->columns[i])) continue;
        fill->means[fill->mean_count++] = &points->columns[i];
        add_channel(volume, points->columns[i].name, points->columns[i].components);
    }
    fill->numbers = arena_take(arena, (volume->width + 1) * sizeof *fill->numbers);
    return fill->numbers != NULL;
}

static void read_row(const VolumeFill *fill, size_t row)
{
    double *to = fill->numbers;
    for (size_t i = 0; i < fill->amount_count; ++i) *to++ = fill->amounts[i]->of(fill->source, row);
    for (size_t i = 0; i < fill->mean_count; ++i)
        for (int c = 0; c < fill->means[i]->components; ++c)
            *to++ = column_value(fill->means[i], c, row);
}

/* ---- the ball of a particle ---- */

/* Where it is; false where the row has no place. Its nodes come when it is known to fit. */
static bool ball_of(const VolumeSource *source, double cell, size_t row, VolumeBall *ball)
{
    const double reach = reach_of(source, row) / cell;
    ball->reach = reach > LEAST_REACH ? reach : LEAST_REACH;
    for (int c = 0; c < 3; ++c) {
        ball->centre[c] = c == source->flat ? 0 : column_value(source->position, c, row) / cell;
        if (!isfinite(ball->centre[c]) || !isfinite(ball->reach)) return false;
    }
    return true;
}

/* Numbers of nodes are integers, which far places are too large for. */
static bool ball_fits(const VolumeBall *ball)
{
    const int64_t most = (int64_t)VOLUME_HALF * VOLUME_SIDE;
    for (int c = 0; c < 3; ++c)
        if (fabs(ball->centre[c]) + ball->reach >= (double)most) return false;
    return ball->reach < MOST_NODES_ACROSS / 2;
}

static void ball_nodes(const VolumeSource *source, VolumeBall *ball)
{
    for (int c = 0; c < 3; ++c) {
        const bool across = c == source->flat;
        ball->low[c] = across ? 0 : (int64_t)ceil(ball->centre[c] - ball->reach);
        ball->high[c] = across ? 0 : (int64_t)floor(ball->centre[c] + ball->reach);
    }
}

static double ball_weight(const VolumeBall *ball, const int64_t at[3])
{
    double d2 = 0;
    for (int c = 0; c < 3; ++c) {
        const double d = (double)at[c] - ball->centre[c];
        d2 += d * d;
    }
    const double t = 1 - d2 / (ball->reach * ball->reach);
    return t > 0 ? t * t : 0;
}

static double ball_total(const VolumeBall *ball)
{
    int64_t at[3] = {ball->low[0], ball->low[1], ball->low[2]};
    double total = 0;
    do total += ball_weight(ball, at);
    while (box_next(ball->low, ball->high, at));
    return total;
}

/* ---- the tree ---- */

static mote_Status too_fine(const Part *part, const Volume *volume, mote_Error *error)
{
    return status_fail(error, MOTE_BAD_VALUE,
                       "export: cells of %g m are too small for %.80s; choose a larger --cell",
                       volume->cell, part->name);
}

static mote_Status make_leaves(const Part *part, const VolumeSource *source, Volume *volume,
                               Arena *arena, mote_Error *error)
{
    LeafList list = {.arena = arena};
    bool first = true;
    for (size_t row = 0; row < source->count; ++row) {
        VolumeBall ball;
        if (!ball_of(source, volume->cell, row, &ball)) continue;
        if (!ball_fits(&ball)) return too_fine(part, volume, error);
        ball_nodes(source, &ball);
        if (!leaves_add(&list, &ball))
            return status_no_memory(error, "a volume", list.room * 4 * sizeof *list.items);
        if (list.count > MOST_LEAVES) leaves_sort(&list); /* each of them once */
        if (list.count > MOST_LEAVES) return too_fine(part, volume, error);
        for (int c = 0; c < 3; ++c) {
            if (first || ball.low[c] < volume->low[c]) volume->low[c] = ball.low[c];
            if (first || ball.high[c] > volume->high[c]) volume->high[c] = ball.high[c];
        }
        first = false;
    }
    if (list.count > 0) leaves_sort(&list);
    volume->leaves = list.items, volume->leaf_count = list.count;
    return MOTE_OK;
}

/* ---- filling ---- */

static void spread_in_leaf(const VolumeFill *fill, const VolumeBall *ball, double total,
                           const int64_t leaf[3], Volume *volume)
{
    const size_t start = VOLUME_NODES * volume_find(volume, leaf);
    int64_t low[3], high[3];
    for (int c = 0; c < 3; ++c) {
        const int64_t begin = leaf[c] * VOLUME_SIDE, end = begin + VOLUME_SIDE - 1;
        low[c] = ball->low[c] > begin ? ball->low[c] : begin;
        high[c] = ball->high[c] < end ? ball->high[c] : end;
    }
    int64_t at[3] = {low[0], low[1], low[2]};
    do {
        const double weight = ball_weight(ball, at) / total;
        const size_t node = start + volume_node(at);
        float *numbers = volume->numbers + volume->width * node;
        if (!(weight > 0)) continue;
        volume->weights[node] += (float)weight;
        for (size_t i = 0; i < volume->width; ++i) numbers[i] += (float)(weight * fill->numbers[i]);
    } while (box_next(low, high, at));
}

static void spread_row(const VolumeFill *fill, size_t row, Volume *volume)
{
    VolumeBall ball;
    int64_t low[3], high[3];
    if (!ball_of(fill->source, volume->cell, row, &ball)) return;
    ball_nodes(fill->source, &ball);
    const double total = ball_total(&ball);
    read_row(fill, row);
    ball_leaves(&ball, low, high);
    int64_t at[3] = {low[0], low[1], low[2]};
    do spread_in_leaf(fill, &ball, total, at, volume);
    while (box_next(low, high, at));
}

/* Amounts become densities, sums of columns means. */
static void divide(const VolumeFill *fill, Volume *volume)
{
    const double cell = volume->cell, depth = fill->source->flat >= 0 ? 1 : cell;
    const float per_volume = (float)(1 / (cell * cell * depth));
    for (size_t node = 0; node < VOLUME_NODES * volume->leaf_count; ++node) {
        float *numbers = volume->numbers + volume->width * node;
        if (!(volume->weights[node] > 0)) continue;
        for (size_t i = 0; i < volume->width; ++i)
            numbers[i] = i < fill->amount_count ? numbers[i] * per_volume
                                                : numbers[i] / volume->weights[node];
    }
}

static bool take_nodes(Volume *volume, Arena *arena)
{
    const size_t nodes = VOLUME_NODES * volume->leaf_count;
    volume->numbers = arena_take(arena, (nodes * volume->width + 1) * sizeof *volume->numbers);
    volume->weights = arena_take(arena, (nodes + 1) * sizeof *volume->weights);
    if (volume->numbers == NULL || volume->weights == NULL) return false;
    memset(volume->numbers, 0, nodes * volume->width * sizeof *volume->numbers);
    memset(volume->weights, 0, nodes * sizeof *volume->weights);
    return true;
}

/* Half the mean reach, as 1, 2 or 5 times a power of ten, so that it stays from frame to frame. */
static double usual_cell(const VolumeSource *source)
{
    double sum = 0, count = 0;
    for (size_t row = 0; row < source->count; ++row) {
        const double reach = reach_of(source, row);
        if (isfinite(reach) && reach > 0) sum += reach, ++count;
    }
    const double wanted = 0.5 * sum / count, least = 1e-30, most = 1e30;
    if (!(wanted > least && wanted < most)) return 0.1; /* no sizes, or such as nothing has */
    double ten = 1;
    while (ten > wanted) ten /= 10;
    while (ten * 10 <= wanted) ten *= 10;
    return ten * (wanted >= 5 * ten ? 5 : wanted >= 2 * ten ? 2 : 1);
}

mote_Status volume_make(const Part *part, const PartView *view, Arena *arena, Volume *volume,
                        mote_Error *error)
{
    const VolumeSource source = source_of(part);
    VolumeFill fill = {.source = &source};
    const double scale = view->scale > 0 ? view->scale : 1; /* of the points, already */
    *volume = (Volume){.cell = view->cell > 0 ? view->cell * scale : usual_cell(&source)};
    if (!choose_channels(part, &fill, volume, arena))
        return status_no_memory(error, "a volume",
                                part->points.column_count * sizeof(VolumeChannel));
    mote_Status status = make_leaves(part, &source, volume, arena, error);
    if (status != MOTE_OK) return status;
    const size_t numbers = VOLUME_NODES * (volume->width + 1) * volume->leaf_count;
    if (numbers > MOST_NUMBERS) return too_fine(part, volume, error);
    if (!take_nodes(volume, arena))
        return status_no_memory(error, "a volume", numbers * sizeof *volume->numbers);
    for (size_t row = 0; row < source.count; ++row) spread_row(&fill, row, volume);
    divide(&fill, volume);
    return MOTE_OK;
}
