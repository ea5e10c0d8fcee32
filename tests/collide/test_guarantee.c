/* What starts outside stays outside: random wedges, corners, plates, rooms, paddles and presses, at
 * speeds and steps over many powers of ten, with every algorithm that promises it.
 *
 * A case is a list of numbers in [0, 1). When one fails it is made simpler, number by number, as
 * long as it still fails, and printed. MOTE_CASES multiplies the number of cases; MOTE_SEED=1, 2,
 * ... asks for others. */
#include "collide/concave.h"

enum { MOST_NUMBERS = 64, STEPS = 12 };

typedef struct Draw {
    const double *numbers;
    size_t used;
} Draw;

static double draw(Draw *d, double low, double high)
{
    return low + (high - low) * d->numbers[d->used++ % MOST_NUMBERS];
}

/* Every power of ten is as likely as the next. */
static double draw_log(Draw *d, double low, double high)
{
    return low * pow(high / low, draw(d, 0, 1));
}

static mote_Vec3 draw_direction(Draw *d)
{
    double z = draw(d, -1, 1), angle = draw(d, 0, 6.283185307179586), r = sqrt(1 - z * z);
    return setup_vec(r * cos(angle), r * sin(angle), z);
}

/* First the direction, then the length, whoever compiles. */
static mote_Vec3 draw_vector(Draw *d, double low, double high)
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

static void set_surface(Draw *d, Walls *walls)
{
    double e = draw(d, -0.3, 1), mu = draw(d, -0.3, 1.2);
    for (size_t i = 0; i < walls->count; ++i) {
        walls->colliders[i].def.restitution = (mote_real)(e > 0 ? e : 0);
        walls->colliders[i].def.friction = (mote_real)(mu > 0 ? mu : 0);
    }
}

static void set_ball(Draw *d, Case *c, double reach)
{
    double radius = draw(d, -0.5, 1), speed = draw_log(d, 1e-3, 1e4);
    c->dt = draw_log(d, 1e-5, 1);
    c->ball.radius = (mote_real)(radius > 0 ? 0.2 * radius * reach : 0);
    c->ball.v = vec3_scale(draw_direction(d), (mote_real)speed);
    c->ball.x = draw_vector(d, 0, reach);
    mote_Vec3 direction = draw_direction(d);
    c->gravity = vec3_scale(direction, (mote_real)(draw(d, 0, 1) < 0.3 ? 0 : 9.81));
}

static void describe(Case *c, const char *what, double a, double b)
{
    const Ball *ball = &c->ball;
    snprintf(c->text, sizeof c->text,
             "%s %.9g %.9g: ball at (%.9g, %.9g, %.9g), v (%.9g, %.9g, %.9g), radius %.9g, dt %.9g",
             what, a, b, (double)ball->x.x, (double)ball->x.y, (double)ball->x.z, (double)ball->v.x,
             (double)ball->v.y, (double)ball->v.z, (double)ball->radius, c->dt);
}

/* ---- the families ---- */

/* Two half-spaces with half a degree or more between them. */
static void make_wedge(Draw *d, Case *c)
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

static void make_corner(Draw *d, Case *c)
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

static void add_random(Draw *d, Walls *walls, double thin)
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
static void make_heap(Draw *d, Case *c)
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
static void make_paddles(Draw *d, Case *c)
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
static bool left_room(const Case *c)
{
    mote_Pose pose = wall_pose(&c->walls.colliders[0], 1);
    mote_Vec3 p = pose_invert(&pose, c->ball.x);
    double far = fmax(fabs((double)p.x), fmax(fabs((double)p.y), fabs((double)p.z)));
    return far > c->size + 64 * (double)REAL_EPSILON * (double)vec3_length(pose.position);
}

/* Six plates that share one motion; a plate is shifted in its own frame by turning the axes, so a
 * room is made of boxes whose poses differ: here it stands still. */
static void make_room_of(Draw *d, Case *c, double thinnest)
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

static void make_room(Draw *d, Case *c)
{
    make_room_of(d, c, 1e-4);
}

/* The plates of a room in motion: each keeps its place in the room's frame. */
typedef struct Plate {
    mote_Vec3 offset, shift; /* m; m/s */
    mote_Vec3 turn;          /* rad/s */
} Plate;

static Plate plates[7];

static mote_Status move_plate(void *context, double t, mote_Motion *motion, mote_Error *error)
{
    const Plate *plate = context;
    mote_Quat q = quat_of_turn(vec3_scale(plate->turn, (mote_real)t));
    (void)error;
    motion->at = vec3_madd(quat_rotate(q, plate->offset), (mote_real)t, plate->shift);
    return MOTE_OK;
}

/* A room that flies and turns. Its plates turn about their own middles, which move straight, so in
 * between it is up to an eighth narrower: there is room all the time. */
static void make_shaken(Draw *d, Case *c)
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
static void make_press(Draw *d, Case *c)
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
static void make_concave(Draw *d, Case *c)
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
static void make_container(Draw *d, Case *c)
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
static void set_motion(Draw *d, Case *c)
{
    mote_Motion *m = &c->walls.colliders[0].def.motion;
    m->velocity = vec3_scale(draw_direction(d), (mote_real)(draw_log(d, 1e-3, 1) / c->dt));
    m->spin = vec3_scale(draw_direction(d), (mote_real)(draw_log(d, 1e-2, 100) / c->dt));
    c->closes = c->walls.count > 1; /* against what stands still */
}

static void make_flying(Draw *d, Case *c)
{
    make_concave(d, c);
    set_motion(d, c);
    describe(c, "flying", 0, 0);
}

static void make_shaker(Draw *d, Case *c)
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

/* ---- running a case ---- */

typedef struct Outcome {
    bool failed;
    int step;
    double depth;
    int trapped;
    double escaped;
} Outcome;

static Outcome run_case(const Family *family, const Algorithm *algorithm, const double *numbers)
{
    static Case c;
    Draw d = {numbers, 0};
    Outcome out = {.failed = false};
    mote_CollideDef def = mote_collide_def();
    c = (Case){.closes = false};
    family->make(&d, &c);
    walls_prepare(&c.walls, 0, 0);
    if (walls_depth(&c.walls, &c.ball) > 0 || (c.escaped != NULL && c.escaped(&c))) return out;
    for (out.step = 0; out.step < STEPS; ++out.step) {
        walls_prepare(&c.walls, out.step * c.dt, c.dt);
        RowCase row =
            walls_step(&c.walls, &def, algorithm->resolve, &c.ball, c.gravity, (mote_real)c.dt);
        out.depth = walls_depth(&c.walls, &c.ball);
        out.trapped += row.trapped;
        if (row.trapped && c.closes) { /* counted: this is what was promised */
            double gap = c.gap_start + c.gap_change * (out.step + 1);
            out.failed = c.gap_start > 0 && gap > 1.01 * (double)c.ball.radius + 1e-3;
            return out;
        }
        out.failed = !(out.depth <= 0) || row.trapped || (row.inside && !c.closes) ||
                     (c.escaped != NULL && c.escaped(&c));
        if (out.failed) return out;
    }
    return out;
}

/* Simpler numbers that still fail: 0, a half, then with fewer digits. */
static void shrink(const Family *family, const Algorithm *algorithm, double *numbers)
{
    for (int round = 0; round < 2; ++round)
        for (size_t i = 0; i < MOST_NUMBERS; ++i) {
            double kept = numbers[i];
            const double tries[] = {0, 0.5, floor(kept * 10) / 10, floor(kept * 1000) / 1000};
            for (size_t t = 0; t < COUNT_OF(tries); ++t) {
                numbers[i] = tries[t];
                if (run_case(family, algorithm, numbers).failed) break;
                numbers[i] = kept;
            }
        }
}

static void print_case(const Family *family, const Algorithm *algorithm, const double *numbers)
{
    static Case c;
    Draw d = {numbers, 0};
    Outcome out = run_case(family, algorithm, numbers);
    c = (Case){.closes = false};
    family->make(&d, &c);
    fprintf(stderr, "%s fails in step %d, %g m deep, trapped %d\n  %s\n ", algorithm->name,
            out.step, out.depth, out.trapped, c.text);
    for (size_t i = 0; i < d.used && i < MOST_NUMBERS; ++i) fprintf(stderr, " %.17g", numbers[i]);
    fprintf(stderr, "\n");
}

static double wanted_cases(void)
{
    const char *text = getenv("MOTE_CASES");
    double factor = text != NULL ? atof(text) : 1;
    return factor > 0 ? factor : 1;
}

static uint64_t wanted_seed(void)
{
    const char *text = getenv("MOTE_SEED");
    return 12345 + (text != NULL ? strtoull(text, NULL, 10) : 0) * 0x9e3779b97f4a7c15u;
}

static void check_family(const Family *family)
{
    int count = (int)(family->cases * wanted_cases());
    for (size_t a = 0; a < COUNT_OF(algorithms); ++a) {
        uint64_t state = wanted_seed();
        int failures = 0, trapped = 0;
        for (int i = 0; i < count; ++i) {
            double numbers[MOST_NUMBERS];
            for (int k = 0; k < MOST_NUMBERS; ++k) numbers[k] = setup_uniform(&state, 0, 1);
            Outcome out = run_case(family, &algorithms[a], numbers);
            trapped += out.trapped > 0;
            failures += out.failed;
            if (!out.failed || failures > 1) continue;
            shrink(family, &algorithms[a], numbers);
            print_case(family, &algorithms[a], numbers);
        }
        if (failures > 0 || trapped > 0)
            fprintf(stderr, "%s, %s: %d of %d fail, %d trapped\n", family->name, algorithms[a].name,
                    failures, count, trapped);
        CHECK(failures == 0);
    }
}

/* ---- closing and opening ---- */

/* Half the gap of a press that closes at 1 m/s, past the point where its plates meet, and opens
 * again. */
static double half_gap(double t)
{
    return t < 0.2 ? 0.15 - t : t - 0.25;
}

typedef struct Jaw {
    mote_real side;
} Jaw;

static mote_Status move_jaw(void *context, double t, mote_Motion *motion, mote_Error *error)
{
    const Jaw *jaw = context;
    (void)error;
    motion->at = vec3_scale(setup_vec(0, 0.1 + half_gap(t), 0), jaw->side);
    return MOTE_OK;
}

typedef struct Pressed {
    double fastest, far, depth;
    int trapped;
} Pressed;

/* A ball of 5 cm between plates with an angle between them, until they are wide open again. */
static Pressed press_ball(const Algorithm *algorithm, double angle, double e, double mu)
{
    enum { TIMES = 60 };
    const double dt = 0.01;
    Walls walls = {.count = 0};
    Jaw jaws[2] = {{1}, {-1}};
    Pressed out = {0, 0, 0, 0};
    mote_CollideDef def = mote_collide_def();
    Ball ball = {.radius = (mote_real)0.05};
    for (int i = 0; i < 2; ++i) {
        Collider *c = walls_add(&walls, "box");
        walls.params[i].box.size = setup_vec(4, 0.2, 4);
        c->def.motion.rotate.z = i == 0 ? (mote_real)angle : 0;
        c->def.path = move_jaw, c->def.path_context = &jaws[i];
        c->def.restitution = (mote_real)e, c->def.friction = (mote_real)mu;
    }
    for (int k = 0; k < TIMES; ++k) {
        walls_prepare(&walls, k * dt, dt);
        out.trapped +=
            walls_step(&walls, &def, algorithm->resolve, &ball, vec3(0, 0, 0), (mote_real)dt)
                .trapped;
        out.fastest = fmax(out.fastest, (double)vec3_length(ball.v));
        out.far = fmax(out.far, (double)vec3_length(ball.x));
    }
    out.depth = walls_depth(&walls, &ball);
    return out;
}

/* Of a ball between plates that move at 1 m/s each. One that just gives way leaves with their speed
 * divided by the sine of the angle: `exact` lets it. The others keep it near the speed of the
 * plates, a few bounces apart. */
static double fastest_allowed(const Algorithm *algorithm, double angle)
{
    double thrown = 2 / sin(angle * 0.017453292519943295);
    return algorithm->resolve == row_resolve_exact && angle > 0 ? fmax(10, thrown) : 10;
}

/* Plates that close on a ball count it, and let it go again no faster than that. */
static void closing_walls_throw_nothing(void)
{
    static const double angles[] = {0, 1e-4, 0.01, 0.1, 1, 5, 20}, es[] = {0, 0.5};
    for (size_t a = 0; a < COUNT_OF(algorithms); ++a)
        for (size_t k = 0; k < COUNT_OF(angles); ++k)
            for (int i = 0; i < 4; ++i) {
                Pressed p = press_ball(&algorithms[a], angles[k], es[i % 2], i / 2 * 0.4);
                bool slow = p.fastest <= fastest_allowed(&algorithms[a], angles[k]);
                CHECK(slow);
                CHECK(p.depth <= 0);
                CHECK(angles[k] > 0 || (p.trapped >= 5 && p.far < 0.01));
                if (!slow)
                    fprintf(stderr, "%s, %g degrees: %g m/s\n", algorithms[a].name, angles[k],
                            p.fastest);
            }
}

/* ---- random cases ---- */

static void wedges(void)
{
    check_family(&families[0]);
}

static void corners(void)
{
    check_family(&families[1]);
}

static void heaps(void)
{
    check_family(&families[2]);
}

static void rooms(void)
{
    check_family(&families[3]);
}

static void presses(void)
{
    check_family(&families[4]);
}

static void paddles(void)
{
    check_family(&families[5]);
}

static void shaken_rooms(void)
{
    check_family(&families[6]);
}

static void concaves(void)
{
    check_family(&families[7]);
}

static void containers(void)
{
    check_family(&families[8]);
}

static void flying(void)
{
    check_family(&families[9]);
}

static void shakers(void)
{
    check_family(&families[10]);
}

TESTS({"closing_walls_throw_nothing", closing_walls_throw_nothing}, {"wedges", wedges},
      {"corners", corners}, {"heaps", heaps}, {"rooms", rooms}, {"presses", presses},
      {"paddles", paddles}, {"shaken_rooms", shaken_rooms}, {"concaves", concaves},
      {"containers", containers}, {"flying", flying}, {"shakers", shakers})
