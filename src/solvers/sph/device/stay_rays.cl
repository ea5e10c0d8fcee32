/* Rays from a place through the walls around it: what kernels/wall_rays.c does. That one keeps where
 * rays go into walls and out of them; here a group of work-items has a place, each of them a few
 * rays, and rays are cut anew for each sum. */
typedef enum RaySumKind { RAYS_HOLLOW, RAYS_BODY, RAYS_SHARED, RAYS_KNOWN } RaySumKind;

/* Rays of an Eight each. */
#define RAY_ITEMS (WALL_RAYS / 8 * PARTS)

/* A sum over all rays, which goes to a share with its sign. */
typedef struct RayTerm {
    RaySumKind kind;
    uint32_t wall; /* of the walls, or of the known half-spaces */
    int share;
    mote_real sign;
} RayTerm;

static RayInside cut_wall(const RayDirections *d, local const RayWall *wall)
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
static RayInside beyond_hollow(local const RowWalls *r, const RayDirections *d, size_t i, Eight *end)
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
static RayInside in_body(local const RowWalls *r, const RayDirections *d, size_t i, bool shared)
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

static RayInside rays_of(local const RowWalls *r, const RayDirections *d, RaySumKind kind, size_t i)
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

/* The rays of an item, of a term: what they add to the volume and along x, y, z. `rays`: directions
 * along x, y, z, and weights, with room for WALL_RAYS each. */
static void cut_rays(local const RowWalls *r, global const WallTable *table,
                     global const mote_real *rays, local const RayTerm *term, uint32_t item,
                     local Eight to[4])
{
    const size_t k = item / PARTS * 8;
    const int p = item % PARTS;
    const RayDirections d = {rays_load(rays, k, p), rays_load(rays + WALL_RAYS, k, p),
                             rays_load(rays + 2 * WALL_RAYS, k, p)};
    const RayInside at = rays_of(r, &d, term->kind, term->wall);
    const EightBits some = EIGHT_MASK(at.out > at.in);
    const RayEntries from = entries_at(table, at.in), end = entries_at(table, at.out);
    const Eight weight = eight_where(some, rays_load(rays + 3 * WALL_RAYS, k, p));
    const Eight force = weight * (from.pull - end.pull);
    to[0] = weight * (from.mass - end.mass);
    to[1] = force * d.x;
    to[2] = force * d.y;
    to[3] = force * d.z;
}

/* One of the four sums of a part, over its items in their order; it goes where the first was. */
static void add_cuts(local Eight (*cut)[4], uint32_t items, uint32_t own)
{
    const uint32_t c = own / PARTS, p = own % PARTS;
    Eight sum = eight_all(0);
    for (uint32_t item = p; item < items; item += PARTS) sum = sum + cut[item][c];
    cut[p][c] = sum;
}

static mote_real cut_sum(local Eight (*cut)[4], int c)
{
    Parts all;
    for (int p = 0; p < PARTS; ++p) all.part[p] = cut[p][c];
    return parts_sum(&all);
}

static void add_ray_term(local Eight (*cut)[4], local const RayTerm *term, local RaySum *sum)
{
    const mote_Vec3 gradient = sum->gradient;
    sum->volume += term->sign * cut_sum(cut, 0);
    sum->gradient =
        vec3_madd(gradient, term->sign, vec3(cut_sum(cut, 1), cut_sum(cut, 2), cut_sum(cut, 3)));
}

static void push_ray_term(local RayTerm *terms, uint32_t *count, RaySumKind kind, uint32_t wall,
                          int share)
{
    const mote_real sign = kind == RAYS_HOLLOW || kind == RAYS_BODY ? 1 : -1;
    const RayTerm term = {kind, wall, share, sign};
    terms[(*count)++] = term;
}

/* In the order in which the processor adds them. */
static uint32_t list_ray_terms(local const RowWalls *r, local RayTerm *terms)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->wall_count; ++i)
        if (r->walls[i].hollow) push_ray_term(terms, &count, RAYS_HOLLOW, i, r->walls[i].share);
    for (uint32_t i = 0; i < r->wall_count; ++i) {
        if (r->walls[i].hollow) continue;
        push_ray_term(terms, &count, RAYS_BODY, i, r->walls[i].share);
        push_ray_term(terms, &count, RAYS_SHARED, i, r->walls[i].share);
    }
    for (uint32_t i = 0; i < r->known_count; ++i)
        push_ray_term(terms, &count, RAYS_KNOWN, i, r->known[i].share);
    return count;
}
