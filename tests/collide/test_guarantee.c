/* What starts outside stays outside: random wedges, corners, plates, rooms, paddles and presses, at
 * speeds and steps over many powers of ten, with every algorithm that promises it.
 *
 * A case is a list of numbers in [0, 1). When one fails it is made simpler, number by number, as
 * long as it still fails, and printed. MOTE_CASES multiplies the number of cases; MOTE_SEED=1, 2,
 * ... asks for others. */
#include "collide/families.h"

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
