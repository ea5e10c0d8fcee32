/* Rays from a place through the walls around it: what kernels/wall_rays.c does, ray by ray. That
 * one keeps where rays go into walls and out of them; here they are cut anew for each sum, because
 * a work-item has no room for them. */
typedef enum RaySumKind { RAYS_HOLLOW, RAYS_BODY, RAYS_SHARED, RAYS_KNOWN } RaySumKind;

static RayInside cut_wall(const RayDirections *d, const RayWall *wall)
{
    const mote_Vec3 none = {0, 0, 0}, p = vec3_scale(wall->centre, -1);
    RayInside r = rays_between(0, RAY_FAR);
    if (wall->round == WALL_CAPSULE) {
        r = rays_between(RAY_FAR, -RAY_FAR);
        for (int i = -1; i <= 1; ++i) rays_add_part(d, wall, p, i, &r);
        return r;
    }
    for (size_t i = 0; i < wall->planes; ++i)
        rays_cut_plane(d, wall->gap[i], wall->normal[i], &r);
    if (wall->round == WALL_SPHERE) rays_cut_round(d, p, none, wall->radius, &r);
    if (wall->round == WALL_CYLINDER) rays_cut_round(d, p, wall->axis, wall->radius, &r);
    return r;
}

/* Beyond the end of the hollows: to the one whose end is the nearest, the first of equal ones. */
static RayInside beyond_hollow(const RowWalls *r, const RayDirections *d, size_t i, Eight *end)
{
    Eight own = eight_all(RAY_FAR);
    *end = eight_all(RAY_FAR);
    for (size_t j = 0; j < r->wall_count; ++j) {
        if (!r->walls[j].hollow) continue;
        const Eight out = cut_wall(d, &r->walls[j]).out;
        if (j == i) own = eight_choose(EIGHT_MASK(out < *end), out, eight_all(RAY_FAR));
        *end = eight_least(out, *end);
    }
    const RayInside beyond = {eight_choose(EIGHT_MASK(own <= *end), *end, eight_all(RAY_FAR)),
                              eight_all(RAY_FAR)};
    return beyond;
}

/* Body i in front of the end, or what of it those before it have covered. */
static RayInside in_body(const RowWalls *r, const RayDirections *d, size_t i, bool shared)
{
    Eight end;
    RayInside own = rays_between(0, 0), covered = rays_between(RAY_FAR, -RAY_FAR), both = own;
    beyond_hollow(r, d, r->wall_count, &end);
    for (size_t j = 0; j <= i; ++j) {
        if (r->walls[j].hollow) continue;
        own = cut_wall(d, &r->walls[j]);
        rays_cover(end, &own, &covered, &both);
    }
    if (shared) return both;
    return own;
}

static RayInside rays_of(const RowWalls *r, const RayDirections *d, RaySumKind kind, size_t i)
{
    Eight end;
    if (kind == RAYS_HOLLOW) return beyond_hollow(r, d, i, &end);
    if (kind != RAYS_KNOWN) return in_body(r, d, i, kind == RAYS_SHARED);
    RayInside known = rays_between(0, RAY_FAR);
    rays_cut_plane(d, r->known[i].gap, r->known[i].normal, &known);
    return known;
}

/* The rays from k on that part p has, of numbers that stand one after another. */
static Eight rays_load(global const mote_real *from, size_t k, int p)
{
#ifdef MOTE_WIDE
    return vload8(0, from + k);
#else
    const Eight a = {from[k + p], from[k + p + 4]};
    return a;
#endif
}

typedef struct RayEntries {
    Eight mass, pull;
} RayEntries;

static RayEntries entries_at(global const WallTable *table, Eight r)
{
    const Eight inside = eight_least(eight_where(EIGHT_MASK(r > 0), r), eight_all(1));
    mote_real at[LANES];
    WallRayEntry e[LANES];
    eight_to(inside * (mote_real)WALL_CELLS, at);
    for (int l = 0; l < LANES; ++l) {
        const int cell = (int)at[l];
        const mote_real f = at[l] - (mote_real)cell;
        const WallRayEntry a = table->ray[cell], b = table->ray[cell + 1];
        e[l].mass = a.mass + f * (b.mass - a.mass);
        e[l].pull = a.pull + f * (b.pull - a.pull);
    }
    const RayEntries entries = {EIGHT_FROM(e, mass), EIGHT_FROM(e, pull)};
    return entries;
}

/* Adds sign times a kind's sum over all rays. `rays`: directions along x, y, z, and weights, with
 * room for WALL_RAYS each. */
static void add_rays(const RowWalls *r, global const WallTable *table, global const mote_real *rays,
                     RaySumKind kind, size_t i, mote_real sign, RaySum *sum)
{
    const size_t count = table->dimension == 2 ? 64 : WALL_RAYS;
    Parts all[4];
    for (int p = 0; p < PARTS; ++p) {
        Eight s[4];
        for (int c = 0; c < 4; ++c) s[c] = eight_all(0);
        for (size_t k = 0; k < count; k += 8) {
            const RayDirections d = {rays_load(rays, k, p), rays_load(rays + WALL_RAYS, k, p),
                                     rays_load(rays + 2 * WALL_RAYS, k, p)};
            const RayInside at = rays_of(r, &d, kind, i);
            const EightBits some = EIGHT_MASK(at.out > at.in);
            const RayEntries from = entries_at(table, at.in), to = entries_at(table, at.out);
            const Eight weight = eight_where(some, rays_load(rays + 3 * WALL_RAYS, k, p));
            const Eight force = weight * (from.pull - to.pull);
            s[0] = s[0] + weight * (from.mass - to.mass);
            s[1] = s[1] + force * d.x;
            s[2] = s[2] + force * d.y;
            s[3] = s[3] + force * d.z;
        }
        for (int c = 0; c < 4; ++c) all[c].part[p] = s[c];
    }
    sum->volume += sign * parts_sum(&all[0]);
    sum->gradient = vec3_madd(
        sum->gradient, sign, vec3(parts_sum(&all[1]), parts_sum(&all[2]), parts_sum(&all[3])));
}

static void ray_sums(const RowWalls *r, global const WallTable *table, global const mote_real *rays,
                     RaySum *sums)
{
    for (size_t i = 0; i < r->wall_count; ++i)
        if (r->walls[i].hollow)
            add_rays(r, table, rays, RAYS_HOLLOW, i, 1, &sums[r->walls[i].share]);
    for (size_t i = 0; i < r->wall_count; ++i) {
        if (r->walls[i].hollow) continue;
        add_rays(r, table, rays, RAYS_BODY, i, 1, &sums[r->walls[i].share]);
        add_rays(r, table, rays, RAYS_SHARED, i, -1, &sums[r->walls[i].share]);
    }
    for (size_t i = 0; i < r->known_count; ++i)
        add_rays(r, table, rays, RAYS_KNOWN, i, -1, &sums[r->known[i].share]);
}
