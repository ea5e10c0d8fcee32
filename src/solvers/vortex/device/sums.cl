/* Sums over vortons at points. The host builds it with
 *
 *   CORE       what a core's functions begin with
 *   QUANTITY   that of induce.h
 *   POINTS     of a work-item: more share what is loaded, and take more registers
 *   FORM       0: they are anywhere; 1: of one line along z, and share what does not depend on z,
 *              too; 2: of a group of a tree
 *
 * A work-group takes a short sum, of SUM_SOURCES vortons, at its points: all its work-items read the
 * same vortons, from local memory. Short sums are kept, and added up in their order by a second
 * kernel, so that many of few points can be taken at once. Sums begin with 0, and not with a part,
 * which makes no difference but to the sign of 0, and that is lost where they are added up. */
#ifdef CORE /* it is what this program is for */

#if QUANTITY == 1
#define PLANES 12
#else
#define PLANES 3
#endif

/* ---- vortons in local memory ---- */

/* Planes for a processor, which loads eight numbers of one; records for a card, which loads four
 * numbers at once. */
#ifdef MOTE_WIDE
typedef mote_real TileNumber;
#define TILE_NUMBERS (7 * SUM_SOURCES)
#else
typedef Real4 TileNumber;
#define TILE_NUMBERS (2 * SUM_SOURCES)
#endif

static inline void tile_put(local TileNumber *tile, uint32_t at, Real4 place, Real4 strength)
{
#ifdef MOTE_WIDE
    const mote_real all[7] = {place.x,    place.y,    place.z, strength.x,
                              strength.y, strength.z, place.w};
    for (int p = 0; p < 7; ++p) tile[p * SUM_SOURCES + at] = all[p];
#else
    tile[2 * at] = place;
    tile[2 * at + 1] = strength;
#endif
}

/* Part p of those from j on. */
static inline EightVortons tile_eight(local const TileNumber *tile, uint32_t j, int p)
{
    EightVortons v;
#ifdef MOTE_WIDE
    for (int c = 0; c < 3; ++c) {
        v.x[c] = vload8(0, tile + c * SUM_SOURCES + j);
        v.alpha[c] = vload8(0, tile + (3 + c) * SUM_SOURCES + j);
    }
    v.core2 = vload8(0, tile + 6 * SUM_SOURCES + j);
#else
    local const TileNumber *at = tile + 2 * (j + p);
    const Real4 place[2] = {at[0], at[2 * PARTS]}, strength[2] = {at[1], at[2 * PARTS + 1]};
    v.x[0] = EIGHT_FROM(place, x), v.x[1] = EIGHT_FROM(place, y), v.x[2] = EIGHT_FROM(place, z);
    v.alpha[0] = EIGHT_FROM(strength, x), v.alpha[1] = EIGHT_FROM(strength, y);
    v.alpha[2] = EIGHT_FROM(strength, z), v.core2 = EIGHT_FROM(place, w);
#endif
    return v;
}

/* `count` sources go to the tile, by all work-items of the group. */
static inline void fill_tile(local TileNumber *tile, uint32_t at, global const Real4 *sources,
                             uint32_t count)
{
    for (uint32_t j = get_local_id(0); j < count; j += get_local_size(0))
        tile_put(tile, at + j, sources[2 * j], sources[2 * j + 1]);
}

/* Filled up to eights with some of no strength at the last one's place. */
static inline uint32_t fill_rest(local TileNumber *tile, uint32_t at, global const Real4 *last)
{
    const uint32_t filled = (at + 7) / 8 * 8;
    for (uint32_t j = at + get_local_id(0); j < filled; j += get_local_size(0))
        tile_put(tile, j, last[0], (Real4)(0));
    return filled;
}

/* ---- a short sum at some points ---- */

typedef mote_real PointPlaces[POINTS][3];
typedef mote_real PointSums[POINTS][PLANES];
typedef Eight PointLanes[POINTS][PLANES];

/* The lanes of a part, added in the order of eight_sum. */
static inline mote_real part_sum(Eight a)
{
#ifdef MOTE_WIDE
    const Parts all = {{a}};
    return parts_sum(&all);
#else
    return a.x + a.y;
#endif
}

/* What eight vortons, or a part of them, induce at the points. */
static inline void add_pairs(const EightVortons *v, PointPlaces x, PointLanes sum)
{
#if FORM == 1
    const EightColumn column = eight_column(v, x[0][0], x[0][1]);
#endif
#pragma unroll
    for (int m = 0; m < POINTS; ++m) {
#if FORM == 1
        const Separation d = column_separation(&column, x[m][2]);
        column_velocity(&column, d.r[2], CORE(d.r2, v->core2), sum[m]);
#else
        const Separation d = separation(v, x[m]);
#if QUANTITY == 0
        induced_velocity(v, d.r, CORE(d.r2, v->core2), sum[m]);
#elif QUANTITY == 1
        Eight g;
        const Eight f = JOIN(CORE, _slope)(d.r2, v->core2, &g);
        induced_gradient(v, d.r, f, g, sum[m]);
#else
        induced_potential(v, JOIN(CORE, _potential)(d.r2, v->core2), sum[m]);
#endif
#endif
    }
}

static inline void sum_part(local const TileNumber *tile, uint32_t filled, int part, PointPlaces x,
                            PointSums more)
{
    PointLanes sum;
#pragma unroll
    for (int m = 0; m < POINTS; ++m)
#pragma unroll
        for (int k = 0; k < PLANES; ++k) sum[m][k] = (Eight)(0);
    for (uint32_t j = 0; j < filled; j += 8) {
        const EightVortons v = tile_eight(tile, j, part);
        add_pairs(&v, x, sum);
    }
#pragma unroll
    for (int m = 0; m < POINTS; ++m)
#pragma unroll
        for (int k = 0; k < PLANES; ++k) more[m][k] += part_sum(sum[m][k]);
}

static inline void clear_sums(PointSums sum)
{
#pragma unroll
    for (int m = 0; m < POINTS; ++m)
#pragma unroll
        for (int k = 0; k < PLANES; ++k) sum[m][k] = 0;
}

/* Parts 0 and 2, and then 1 and 3. */
static inline void sum_points(local const TileNumber *tile, uint32_t filled, PointPlaces x,
                              PointSums total)
{
    clear_sums(total);
    for (int odd = 0; odd < (PARTS + 1) / 2; ++odd) {
        PointSums both;
        clear_sums(both);
        for (int part = odd; part < PARTS; part += 2) sum_part(tile, filled, part, x, both);
#pragma unroll
        for (int m = 0; m < POINTS; ++m)
#pragma unroll
            for (int k = 0; k < PLANES; ++k) total[m][k] += both[m][k];
    }
}

#if FORM != 2 /* all vortons at all points */

/* The short sum that a work-group has. */
static inline uint32_t fill_all(local TileNumber *tile, AllLaw law, global const Real4 *sources)
{
    const uint32_t begin = (law.first + get_group_id(0) / law.blocks) * SUM_SOURCES;
    const uint32_t count = min((uint32_t)SUM_SOURCES, law.sources - begin);
    fill_tile(tile, 0, sources + 2 * (size_t)begin, count);
    return fill_rest(tile, count, sources + 2 * ((size_t)begin + count - 1));
}

/* Points of an item are `apart`, so that those of neighbours stand side by side. What is not there
 * any more is at the last one's place. */
kernel void sum(AllLaw law, global const Real4 *sources, global const Real4 *places,
                    global mote_real *parts)
{
    local TileNumber tile[TILE_NUMBERS];
    const uint32_t filled = fill_all(tile, law, sources);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint32_t item = get_group_id(0) % law.blocks * get_local_size(0) + get_local_id(0);
    const uint32_t apart = (law.line + POINTS - 1) / POINTS; /* items of a line */
    const uint32_t begin = item / apart * law.line, from = begin + item % apart;
    const uint32_t last = begin + law.line - 1;
    PointPlaces x;
    PointSums total;
    if (begin >= law.points) return;
#pragma unroll
    for (int m = 0; m < POINTS; ++m) {
        const Real4 place = places[(size_t)min(from + m * apart, last) * law.stride];
        x[m][0] = place.x, x[m][1] = place.y, x[m][2] = place.z;
    }
    sum_points(tile, filled, x, total);
    parts += (size_t)(get_group_id(0) / law.blocks) * PLANES * law.points + from;
#pragma unroll
    for (int m = 0; m < POINTS; ++m)
#pragma unroll
        for (int k = 0; k < PLANES; ++k)
            if (from + m * apart <= last)
                parts[(size_t)k * law.points + m * apart] = INV_4_PI * total[m][k];
}

#else /* what a group of a tree sees */

kernel void sum(global const SumUnit *units, global const SumRun *runs, uint32_t first,
                       global const Real4 *sources, global const Real4 *places,
                       global mote_real *parts)
{
    local TileNumber tile[TILE_NUMBERS];
    const SumUnit unit = units[first + get_group_id(0)];
    const uint32_t own = get_local_id(0);
    const SumRun end = runs[unit.end - 1];
    uint32_t at = 0;
    PointPlaces x;
    PointSums total;
    for (uint32_t k = unit.run; k < unit.end; ++k) {
        const SumRun run = runs[k];
        fill_tile(tile, at, sources + 2 * (size_t)run.first, run.count);
        at += run.count;
    }
    at = fill_rest(tile, at, sources + 2 * ((size_t)end.first + end.count - 1));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own >= unit.points) return;
    const Real4 place = places[unit.point + own];
    x[0][0] = place.x, x[0][1] = place.y, x[0][2] = place.z;
    sum_points(tile, at, x, total);
    parts += (size_t)get_group_id(0) * PLANES * get_local_size(0) + own;
#pragma unroll
    for (int k = 0; k < PLANES; ++k) parts[k * get_local_size(0)] = INV_4_PI * total[0][k];
}

#endif

#else /* a program of its own */

/* Short sums, in their order, to what is there of others before. */
kernel void add_all(AllLaw law, uint32_t planes, uint32_t sums, global const mote_real *parts,
                    global mote_real *out)
{
    const size_t i = get_global_id(0), all = (size_t)planes * law.points;
    if (i >= all) return;
    mote_real sum = law.first > 0 ? out[i] : 0;
    for (uint32_t k = 0; k < sums; ++k) sum += parts[k * all + i];
    out[i] = sum;
}

/* Those of groups; `points` in all. */
kernel void add_listed(global const SumGroup *groups, uint32_t first_group, uint32_t first,
                       uint32_t planes, uint32_t points, global const mote_real *parts,
                       global mote_real *out)
{
    const SumGroup group = groups[first_group + get_group_id(0)];
    const uint32_t own = get_local_id(0), plane = get_local_size(0);
    if (own >= group.points) return;
    for (uint32_t k = 0; k < planes; ++k) {
        mote_real sum = 0;
        for (uint32_t u = group.unit - first; u < group.end - first; ++u)
            sum += parts[((size_t)u * planes + k) * plane + own];
        out[(size_t)k * points + group.point + own] = sum;
    }
}

#endif
