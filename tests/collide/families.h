/* Families of random cases: wedges, corners, heaps, rooms, paddles, presses, shapes that are not
 * convex. A case is a list of numbers in [0, 1). */
#ifndef TESTS_COLLIDE_FAMILIES_H
#define TESTS_COLLIDE_FAMILIES_H

#include "collide/concave.h"

enum { MOST_NUMBERS = 64, STEPS = 12 };

typedef struct Draw {
    const double *numbers;
    size_t used;
} Draw;

static inline double draw(Draw *d, double low, double high)
{
    return low + (high - low) * d->numbers[d->used++ % MOST_NUMBERS];
}

/* Every power of ten is as likely as the next. */
static inline double draw_log(Draw *d, double low, double high)
{
    return low * pow(high / low, draw(d, 0, 1));
}

static inline mote_Vec3 draw_direction(Draw *d)
{
    double z = draw(d, -1, 1), angle = draw(d, 0, 6.283185307179586), r = sqrt(1 - z * z);
    return setup_vec(r * cos(angle), r * sin(angle), z);
}

/* First the direction, then the length, whoever compiles. */
static inline mote_Vec3 draw_vector(Draw *d, double low, double high)
{
    mote_Vec3 direction = draw_direction(d);
    return vec3_scale(direction, (mote_real)draw(d, low, high));
}

typedef struct Case {
    Walls walls;
    Ball ball;
    mote_Vec3 gravity;
    double dt;
    bool closes;                  /* walls may leave no room */
    double gap_start, gap_change; /* of a press: half the gap, and its change per step */
    bool (*escaped)(const struct Case *c);
    double size; /* of a room */
    char text[400];
} Case;

static inline void set_surface(Draw *d, Walls *walls)
{
    double e = draw(d, -0.3, 1), mu = draw(d, -0.3, 1.2);
    for (size_t i = 0; i < walls->count; ++i) {
        walls->colliders[i].def.restitution = (mote_real)(e > 0 ? e : 0);
        walls->colliders[i].def.friction = (mote_real)(mu > 0 ? mu : 0);
    }
}

static inline void set_ball(Draw *d, Case *c, double reach)
{
    double radius = draw(d, -0.5, 1), speed = draw_log(d, 1e-3, 1e4);
    c->dt = draw_log(d, 1e-5, 1);
    c->ball.radius = (mote_real)(radius > 0 ? 0.2 * radius * reach : 0);
    c->ball.v = vec3_scale(draw_direction(d), (mote_real)speed);
    c->ball.x = draw_vector(d, 0, reach);
    mote_Vec3 direction = draw_direction(d);
    c->gravity = vec3_scale(direction, (mote_real)(draw(d, 0, 1) < 0.3 ? 0 : 9.81));
}

static inline void describe(Case *c, const char *what, double a, double b)
{
    const Ball *ball = &c->ball;
    snprintf(c->text, sizeof c->text,
             "%s %.9g %.9g: ball at (%.9g, %.9g, %.9g), v (%.9g, %.9g, %.9g), radius %.9g, dt %.9g",
             what, a, b, (double)ball->x.x, (double)ball->x.y, (double)ball->x.z, (double)ball->v.x,
             (double)ball->v.y, (double)ball->v.z, (double)ball->radius, c->dt);
}

/* ---- the families ---- */

/* Two half-spaces with half a degree or more between them. */
static inline void make_wedge(Draw *d, Case *c)
{
    double angle = draw_log(d, 0.0087266, 3.1);
    mote_Vec3 n = draw_direction(d), across = vec3_across(n);
    Collider *a = walls_add(&c->walls, "plane"), *b = walls_add(&c->walls, "plane");
    mote_real s = (mote_real)sin(angle), k = (mote_real)-cos(angle);
    c->walls.params[0].plane.normal = n;
    c->walls.params[1].plane.normal = vec3_madd(vec3_scale(n, k), s, across);
    (void)a, (void)b;
    set_surface(d, &c->walls);
    set_ball(d, c, 3);
    describe(c, "wedge", angle, 0);
}

static inline void make_corner(Draw *d, Case *c)
{
    for (int i = 0; i < 3; ++i) {
        walls_add(&c->walls, "plane");
        c->walls.params[i].plane.normal = draw_direction(d);
        c->walls.params[i].plane.offset = (mote_real)draw(d, -0.5, 0);
    }
    set_surface(d, &c->walls);
    set_ball(d, c, 1);
    describe(c, "corner", 0, 0);
}

static inline void add_random(Draw *d, Walls *walls, double thin)
{
    static const char *const shapes[] = {"box", "sphere", "capsule", "cylinder"};
    size_t which = (size_t)draw(d, 0, 3.999), i = walls->count;
    Collider *c = walls_add(walls, shapes[which]);
    c->def.motion.at = draw_vector(d, 0, 2);
    c->def.motion.rotate = vec3_scale(draw_direction(d), 180);
    double wide = draw(d, 0.2, 3), high = draw(d, 0.2, 3);
    if (which == 0) walls->params[i].box.size = setup_vec(thin, wide, high);
}

/* A few shapes that may overlap, one of them a thin plate. */
static inline void make_heap(Draw *d, Case *c)
{
    int count = 2 + (int)draw(d, 0, 3);
    double thin = draw_log(d, 1e-3, 1);
    for (int i = 0; i < count; ++i) add_random(d, &c->walls, thin);
    set_surface(d, &c->walls);
    set_ball(d, c, 3);
    c->ball.radius /= 10;
    describe(c, "heap", thin, count);
}

/* Shapes that fly and turn. */
static inline void make_paddles(Draw *d, Case *c)
{
    int count = 1 + (int)draw(d, 0, 3);
    double thin = draw_log(d, 1e-2, 1);
    for (int i = 0; i < count; ++i) add_random(d, &c->walls, thin);
    set_surface(d, &c->walls);
    set_ball(d, c, 3);
    c->ball.radius /= 10;
    for (int i = 0; i < count; ++i) {
        mote_Motion *m = &c->walls.colliders[i].def.motion;
        m->velocity = vec3_scale(draw_direction(d), (mote_real)(draw_log(d, 1e-3, 1) / c->dt));
        m->spin = vec3_scale(draw_direction(d), (mote_real)(draw_log(d, 1e-2, 100) / c->dt));
    }
    c->closes = count > 1; /* one alone leaves room */
    describe(c, "paddles", thin, count);
}

/* Where the ball is in the room's own frame, as a share of the way to its walls. */
static inline bool left_room(const Case *c)
{
    mote_Pose pose = wall_pose(&c->walls.colliders[0], 1);
    mote_Vec3 p = pose_invert(&pose, c->ball.x);
    double far = fmax(fabs((double)p.x), fmax(fabs((double)p.y), fabs((double)p.z)));
    return far > c->size + 64 * (double)REAL_EPSILON * (double)vec3_length(pose.position);
}

/* Six plates that share one motion; a plate is shifted in its own frame by turning the axes, so a
 * room is made of boxes whose poses differ: here it stands still. */
static inline void make_room_of(Draw *d, Case *c, double thinnest)
{
    double thin = draw_log(d, thinnest, 0.1), half = 1 + thin / 2;
    mote_Vec3 turn = draw_vector(d, 0, 180);
    mote_Pose pose = mote_pose_turned(vec3(0, 0, 0), vec3_scale(turn, (mote_real)0.0174532925));
    walls_add(&c->walls, "sphere"); /* something in the middle; its pose is the room's */
    c->walls.params[0].sphere.radius = (mote_real)draw(d, 0.01, 0.4);
    c->walls.colliders[0].def.motion.rotate = turn;
    for (int i = 0; i < 6; ++i) {
        Collider *plate = walls_add(&c->walls, "box");
        mote_real at[3] = {0, 0, 0}, size[3] = {3, 3, 3};
        at[i / 2] = (mote_real)(i % 2 == 0 ? half : -half), size[i / 2] = (mote_real)thin;
        c->walls.params[i + 1].box.size = vec3(size[0], size[1], size[2]);
        plate->def.motion.at = pose_rotate(&pose, vec3(at[0], at[1], at[2]));
        plate->def.motion.rotate = turn;
    }
    set_surface(d, &c->walls);
    set_ball(d, c, 1);
    c->size = 1 + 1e-4;
    c->escaped = left_room;
    describe(c, "room", thin, 0);
}

static inline void make_room(Draw *d, Case *c)
{
    make_room_of(d, c, 1e-4);
}

/* The plates of a room in motion: each keeps its place in the room's frame. */
typedef struct Plate {
    mote_Vec3 offset, shift; /* m; m/s */
    mote_Vec3 turn;          /* rad/s */
} Plate;

static Plate plates[7];

static inline mote_Status move_plate(void *context, double t, mote_Motion *motion,
                                     mote_Error *error)
{
    const Plate *plate = context;
    mote_Quat q = quat_of_turn(vec3_scale(plate->turn, (mote_real)t));
    (void)error;
    motion->at = vec3_madd(quat_rotate(q, plate->offset), (mote_real)t, plate->shift);
    return MOTE_OK;
}

/* A room that flies and turns. Its plates turn about their own middles, which move straight, so in
 * between it is up to an eighth narrower: there is room all the time. */
static inline void make_shaken(Draw *d, Case *c)
{
    /* A plate can be told from rounding: the room flies up to 36 m away. */
    make_room_of(d, c, sizeof(mote_real) == 4 ? 4e-3 : 1e-4);
    double flies = draw_log(d, 1e-3, 3) / c->dt, turns = draw_log(d, 1e-3, 1) / c->dt;
    mote_Vec3 shift = vec3_scale(draw_direction(d), (mote_real)flies);
    mote_Vec3 turn = vec3_scale(draw_direction(d), (mote_real)turns);
    for (size_t i = 0; i < c->walls.count; ++i) {
        mote_ColliderDef *def = &c->walls.colliders[i].def;
        plates[i] = (Plate){def->motion.at, shift, turn};
        def->motion.spin = vec3_scale(turn, (mote_real)57.29577951308232);
        def->path = move_plate, def->path_context = &plates[i];
    }
    describe(c, "shaken room", flies * c->dt, turns * c->dt);
}

/* Two plates that come together, perhaps too near. */
static inline void make_press(Draw *d, Case *c)
{
    mote_Vec3 turn = draw_vector(d, 0, 180);
    mote_Pose pose = mote_pose_turned(vec3(0, 0, 0), vec3_scale(turn, (mote_real)0.0174532925));
    for (int i = 0; i < 2; ++i) {
        Collider *plate = walls_add(&c->walls, "box");
        c->walls.params[i].box.size = setup_vec(20, 0.2, 20);
        plate->def.motion.rotate = turn;
        plate->def.motion.at = pose_rotate(&pose, setup_vec(0, i == 0 ? 0.6 : -0.6, 0));
    }
    set_surface(d, &c->walls);
    set_ball(d, c, 0.45);
    double last = draw(d, -0.1, 0.6); /* half the gap at the end of all steps */
    for (int i = 0; i < 2; ++i) {
        double speed = (0.5 - last) / (c->dt * STEPS);
        c->walls.colliders[i].def.motion.velocity =
            pose_rotate(&pose, setup_vec(0, i == 0 ? -speed : speed, 0));
    }
    c->closes = true;
    c->gap_start = 0.5, c->gap_change = (last - 0.5) / STEPS;
    describe(c, "press", last, 0);
}

/* ---- shapes that are not convex ---- */

/* One of them, and sometimes a second or a thin plate beside it. */
static inline void make_concave(Draw *d, Case *c)
{
    int kind = (int)draw(d, 0, CONCAVE_SOLIDS - 0.001), more = (int)draw(d, 0, 2.999);
    double thin = draw_log(d, 1e-2, 1);
    Collider *first = concave_add(&c->walls, kind);
    first->def.motion.rotate = draw_vector(d, 0, 180);
    first->def.motion.at = draw_vector(d, 0, 1);
    if (more == 1) add_random(d, &c->walls, thin);
    if (more == 2) concave_add(&c->walls, (kind + 1) % CONCAVE_SOLIDS);
    set_surface(d, &c->walls);
    set_ball(d, c, 2);
    c->ball.radius /= 10;
    describe(c, "concave", kind, more);
}

/* A ball in a container, perhaps with something in it. */
static inline void make_container(Draw *d, Case *c)
{
    int kind = (int)draw(d, HOLLOW_BOX, CONCAVE_KINDS - 0.001);
    bool filled = draw(d, 0, 1) < 0.3;
    double thin = draw_log(d, 1e-2, 1);
    concave_add(&c->walls, kind)->def.motion.rotate = draw_vector(d, 0, 180);
    if (filled) add_random(d, &c->walls, thin);
    set_surface(d, &c->walls);
    set_ball(d, c, 1);
    c->ball.radius /= 2;
    describe(c, "container", kind, filled);
}

/* The same in motion. */
static inline void set_motion(Draw *d, Case *c)
{
    mote_Motion *m = &c->walls.colliders[0].def.motion;
    m->velocity = vec3_scale(draw_direction(d), (mote_real)(draw_log(d, 1e-3, 1) / c->dt));
    m->spin = vec3_scale(draw_direction(d), (mote_real)(draw_log(d, 1e-2, 100) / c->dt));
    c->closes = c->walls.count > 1; /* against what stands still */
}

static inline void make_flying(Draw *d, Case *c)
{
    make_concave(d, c);
    set_motion(d, c);
    describe(c, "flying", 0, 0);
}

static inline void make_shaker(Draw *d, Case *c)
{
    make_container(d, c);
    set_motion(d, c);
    describe(c, "shaker", 0, 0);
}

typedef struct Family {
    const char *name;
    void (*make)(Draw *d, Case *c);
    int cases;
} Family;

static const Family families[] = {
    {"wedge", make_wedge, 3000},        {"corner", make_corner, 3000},
    {"heap", make_heap, 3000},          {"room", make_room, 1000},
    {"press", make_press, 1000},        {"paddles", make_paddles, 1000},
    {"shaken", make_shaken, 600},       {"concave", make_concave, 600},
    {"container", make_container, 600}, {"flying", make_flying, 200},
    {"shaker", make_shaker, 200}};

typedef struct Algorithm {
    const char *name;
    void (*resolve)(RowCase *row);
} Algorithm;

static const Algorithm algorithms[] = {{"contact", row_resolve_contact},
                                       {"micro-safe", row_resolve_micro_safe},
                                       {"exact", row_resolve_exact}};

#endif
