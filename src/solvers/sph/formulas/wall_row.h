/* Walls around one place: half-spaces whose integral is known, and what rays are cut by. Formulas:
 * they include nothing, and are compiled for the processor (wall_integral.c) and for devices. */
#ifndef SOLVERS_SPH_FORMULAS_WALL_ROW_H
#define SOLVERS_SPH_FORMULAS_WALL_ROW_H

enum {
    WALL_RAYS = 216,       /* most directions: 6 x 6 for each face of a cube; a circle has 64 */
    WALL_NEAR_PLANES = 24, /* of a body, within reach of a particle */
    WALL_NEAR = 6,         /* walls within reach of a particle */
    WALL_KNOWN = WALL_NEAR + WALL_NEAR_PLANES
};

/* The least distance that no-slip extrapolates over, in supports: half of it at a spacing of half a
 * support. */
#define LEAST_DISTANCE ((mote_real)0.125)

typedef enum WallRound { WALL_FLAT, WALL_SPHERE, WALL_CYLINDER, WALL_CAPSULE } WallRound;

/* A body bounded by planes and at most one round surface, in the world's frame. */
typedef struct WallForm {
    uint32_t hollow;        /* the wall is everything outside */
    uint32_t half_space;    /* a plane, or seen as one: only the nearest point counts */
    uint32_t plane, planes; /* first and number, of all; outward of the body */
    WallRound round;
    uint32_t unused; /* records of walls are compared byte by byte: there is no padding */
    mote_Vec3 centre, axis;
    mote_real radius, half_span; /* m; the latter: the capsule's segment */
} WallForm;

/* A wall in reach of a row: its surface there. */
typedef struct WallNear {
    mote_real distance;
    mote_Vec3 normal;
} WallNear;

/* A wall near a particle, which is at the origin; lengths in units of the support. */
typedef struct RayWall {
    bool hollow;
    int share; /* which sum it goes to */
    size_t planes;
    mote_real gap[WALL_NEAR_PLANES]; /* of the particle, positive outside the body */
    mote_Vec3 normal[WALL_NEAR_PLANES];
    WallRound round;
    mote_Vec3 centre, axis;
    mote_real radius, half_span;
} RayWall;

/* A half-space whose integral is known exactly: what the rays give for it is taken off. */
typedef struct RayPlane {
    int share;
    mote_real gap;
    mote_Vec3 normal;
} RayPlane;

typedef struct RaySum {
    mote_real volume;
    mote_Vec3 gradient; /* towards the wall, per support */
} RaySum;

typedef struct RowWalls {
    RayWall walls[WALL_NEAR];
    RayPlane known[WALL_KNOWN];
    mote_real distance[WALL_KNOWN]; /* of the known planes; may be negative */
    size_t wall_count, known_count;
    bool is_plain; /* half-spaces alone */
} RowWalls;

/* What a wall's integrals come to at a place. */
typedef struct WallFelt {
    mote_real volume;
    mote_Vec3 gradient;
    mote_real drag;
} WallFelt;

/* A half-space of the wall; rays take a row that is in it as one at its surface. */
static inline void add_known(DEVICE_LOCAL RowWalls *r, int share, mote_real distance,
                             mote_Vec3 normal, bool clamps)
{
    if (r->known_count == WALL_KNOWN || !(distance < 1)) return;
    r->distance[r->known_count] = distance;
    mote_real gap = clamps && distance < 0 ? 0 : distance;
    r->known[r->known_count++] = (RayPlane){share, gap, normal};
}

static inline void add_half_space(DEVICE_LOCAL RowWalls *r, DEVICE_LOCAL RayWall *wall,
                                  const WallNear *near, mote_real scale)
{
    mote_real s = near->distance * scale;
    wall->hollow = true;
    wall->planes = 1;
    wall->gap[0] = s > 0 ? -s : 0;
    wall->normal[0] = vec3_scale(near->normal, -1);
    add_known(r, wall->share, s, near->normal, true);
}

/* The planes of the body that pass through the ball. */
static inline void add_planes(DEVICE_LOCAL RowWalls *r, DEVICE_LOCAL RayWall *wall,
                              const WallForm *form, DEVICE_GLOBAL const MeshPlane *planes,
                              mote_real scale, mote_Vec3 x)
{
    for (size_t i = 0; i < form->planes; ++i) {
        const mote_Vec3 normal = planes[i].normal;
        mote_real gap = (vec3_dot(normal, x) - planes[i].offset) * scale;
        if (!(gap > -1) || wall->planes == WALL_NEAR_PLANES) continue;
        if (form->hollow) add_known(r, wall->share, -gap, vec3_scale(normal, -1), true);
        if (form->hollow && gap > 0) gap = 0;
        wall->gap[wall->planes] = gap;
        wall->normal[wall->planes++] = normal;
    }
}

/* The side of a hollow cylinder; other round hollows have their nearest point alone. */
static inline void add_round_hollow(DEVICE_LOCAL RowWalls *r, DEVICE_LOCAL const RayWall *wall,
                                    const WallNear *near, mote_real scale)
{
    if (wall->round == WALL_CYLINDER) {
        mote_Vec3 p = vec3_scale(wall->centre, -1);
        p = vec3_madd(p, -vec3_dot(p, wall->axis), wall->axis);
        mote_real away = vec3_length(p);
        mote_Vec3 n = vec3_unit(vec3_scale(p, -1), vec3_across(wall->axis));
        add_known(r, wall->share, wall->radius - away, n, true);
    } else {
        add_known(r, wall->share, near->distance * scale, near->normal, true);
    }
}

/* `planes`: those of the form. */
static inline void add_wall(DEVICE_LOCAL RowWalls *r, const WallForm *form,
                            DEVICE_GLOBAL const MeshPlane *planes, const WallNear *near,
                            mote_real scale, mote_Vec3 x)
{
    DEVICE_LOCAL RayWall *wall = &r->walls[r->wall_count - 1];
    wall->hollow = form->hollow, wall->planes = 0, wall->round = WALL_FLAT;
    if (form->half_space) {
        add_half_space(r, wall, near, scale);
        return;
    }
    wall->round = form->round;
    wall->centre = vec3_scale(vec3_sub(form->centre, x), scale);
    wall->axis = form->axis;
    wall->radius = form->radius * scale, wall->half_span = form->half_span * scale;
    add_planes(r, wall, form, planes, scale, x);
    bool is_face = wall->planes == 1 && form->round == WALL_FLAT;
    r->is_plain = r->is_plain && is_face;
    if (!form->hollow) add_known(r, wall->share, near->distance * scale, near->normal, false);
    if (form->hollow && form->round != WALL_FLAT) add_round_hollow(r, wall, near, scale);
}

/* Whether a wall, if it is the only one, is a flat face to a place: add_wall would make one known
 * half-space of it, and rays would have nothing to say. */
static inline bool wall_is_face(const WallForm *form, DEVICE_GLOBAL const MeshPlane *planes,
                                const WallNear *near, mote_real scale, mote_Vec3 x, RayPlane *known,
                                mote_real *distance)
{
    uint32_t reached = 0;
    known->share = 0, known->normal = near->normal, *distance = near->distance * scale;
    if (!form->half_space && form->round != WALL_FLAT) return false;
    for (uint32_t i = 0; i < form->planes && !form->half_space; ++i) {
        const mote_Vec3 normal = planes[i].normal;
        const mote_real gap = (vec3_dot(normal, x) - planes[i].offset) * scale;
        if (!(gap > -1)) continue;
        ++reached;
        if (form->hollow) known->normal = vec3_scale(normal, -1), *distance = -gap;
    }
    return (form->half_space || reached == 1) && *distance < 1;
}

static inline void add_known_share(DEVICE_GLOBAL const WallTable *table, mote_real scale,
                                   const RayPlane *known, mote_real distance, WallFelt *felt)
{
    WallPlaneEntry e = wall_plane_at(table, distance);
    mote_real away = distance > LEAST_DISTANCE ? distance : LEAST_DISTANCE;
    felt->volume += e.volume;
    felt->gradient = vec3_madd(felt->gradient, -e.slope * scale, known->normal);
    felt->drag += (e.drag + e.depth_drag / away) * scale * scale;
}

/* What rays add to it. */
static inline void add_ray_sum(const RaySum *sum, mote_real scale, WallFelt *felt)
{
    mote_real volume = felt->volume + sum->volume;
    felt->volume = volume > 0 ? volume : 0;
    felt->gradient = vec3_madd(felt->gradient, scale, sum->gradient);
}

/* ---- walls that move ---- */

/* How fast a collider's surface is at the start of a sub-step. */
typedef struct SurfaceMotion {
    uint32_t runs;         /* it has a belt */
    uint32_t moves, turns; /* it does */
    uint32_t unused;
    mote_Vec3 belt; /* m/s, in the world's frame */
    mote_Vec3 linear, angular, origin;
} SurfaceMotion;

static inline mote_Vec3 wall_velocity_at(const SurfaceMotion *m, mote_Vec3 x, mote_Vec3 normal)
{
    mote_Vec3 belt = m->belt;
    if (m->runs) belt = vec3_madd(belt, -vec3_dot(belt, normal), normal);
    if (!m->moves) return belt;
    if (!m->turns) return vec3_add(belt, m->linear);
    mote_Vec3 arm = vec3_sub(x, m->origin);
    return vec3_add(belt, vec3_add(m->linear, vec3_cross(m->angular, arm)));
}

#endif
