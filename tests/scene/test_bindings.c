/* Expressions over time: emitters, forces and cameras follow them; looks compute columns from a
 * particle's own. Expected values are computed here, from the formulas. */
#include "scene/loading.h"

static mote_StepReport step(Loading *loading)
{
    return setup_step(loading->world);
}

/* The births by t are the integral of the rate, up to one. */
static void rates_follow_time(void)
{
    Loading loading = loading_world(
        "{mote: 1, params: {r: 300}, world: {fps: 20, max_step: 0.0005}, systems: [{name: 's'}],"
        " emitters: [{system: 's', rate: '=r*(1+sin(tau*t))'}]}");
    const double pi = 3.14159265358979323846;
    uint64_t born = 0;
    for (int i = 1; i <= 40; ++i) {
        double t = i / 20.0;
        born += step(&loading).emitted;
        double expected = 300 * (t + (1 - cos(2 * pi * t)) / (2 * pi));
        CHECK_NEAR(born, expected, 1.5); /* one owed, and sub-steps of a left rule */
    }
    loading_end(&loading);
}

static void constants_stay(void)
{
    Loading loading = loading_world(
        "{mote: 1, params: {g: 3}, world: {gravity: [0, '=-g', 0], fps: 10, max_step: 0.1},"
        " systems: [{name: 's'}], emitters: [{system: 's', rate: '=g*100', jitter: 0}]}");
    uint64_t born = 0;
    for (int i = 1; i <= 5; ++i) {
        born += step(&loading).emitted;
        CHECK_NEAR(born, 30 * i, 1); /* the last may fall on the other side of the frame's end */
    }
    loading_end(&loading);
}

/* a = t along x in sub-steps of h (symplectic Euler): v after n of them is the sum of h (k h). */
static void forces_follow_time(void)
{
    Loading loading =
        loading_world("{mote: 1, world: {gravity: [0, 0, 0], fps: 4, max_step: 0.0625},"
                      " systems: [{name: 's'}],"
                      " forces: [{type: 'gravity', name: 'push', acceleration: ['=t', 0, 0]}]}");
    mote_System *system = mote_world_system(loading.world, "s");
    setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    double v = 0;
    for (int frame = 0; frame < 8; ++frame) {
        step(&loading);
        for (int k = 0; k < 4; ++k) v += 0.0625 * (frame * 4 + k) * 0.0625;
        CHECK_NEAR(setup_at(system, "velocity", 0, 0), v, 1e-6);
    }
    loading_end(&loading);
}

static void parts_follow_time(void)
{
    Loading loading = loading_world(
        "{mote: 1, world: {gravity: [0, 0, 0], fps: 10, max_step: 1}, systems: [{name: 's'}],"
        " fields: [{name: 'w', type: 'uniform', value: [0, '=2*t', 0]}],"
        " emitters: [{name: 'e', system: 's', rate: 1, from: {type: 'disc', radius: '=1+t'}}],"
        " colliders: [{name: 'c', restitution: '=t/10',"
        "              shape: {type: 'plane', offset: '=-frame'}}]}");
    for (int i = 0; i < 4; ++i) step(&loading); /* the last sub-step started at 0.3 s, frame 3 */
    const mote_UniformField *w = mote_world_find(loading.world, MOTE_KIND_FIELD, "w");
    const mote_DiscSource *disc = mote_world_find(loading.world, MOTE_KIND_SOURCE, "e");
    const mote_ColliderDef *c = mote_world_find(loading.world, MOTE_KIND_COLLIDER, "c");
    const mote_PlaneShape *plane = mote_world_find(loading.world, MOTE_KIND_SHAPE, "c");
    CHECK_NEAR(w->value.y, 0.6, 1e-6);
    CHECK_NEAR(disc->radius, 1.3, 1e-6);
    CHECK_NEAR(c->restitution, 0.03, 1e-6);
    CHECK(plane->offset == -3);
    loading_end(&loading);
}

/* 0.5 + t reaches 1 at 0.5 s: frame 0 to 5 are done, the next one stops. */
static void leaving_the_range_stops(void)
{
    Loading loading =
        loading_world("{mote: 1, world: {fps: 10, max_step: 1}, systems: [{name: 's'}],\n"
                      " colliders: [{name: 'c', shape: {type: 'plane'}, restitution: '=0.5+t'}]}");
    mote_Error error = {0};
    mote_Status status = MOTE_OK;
    int frames = 0;
    while (status == MOTE_OK && frames < 20) {
        status = mote_world_step(loading.world, NULL, &error);
        frames += status == MOTE_OK;
    }
    CHECK(status == MOTE_BAD_VALUE && (frames == 6 || frames == 5));
    CHECK_MESSAGE(error, "scene.json5:2:");
    CHECK_MESSAGE(error, "restitution is 1.");
    CHECK_MESSAGE(error, "but must be between 0 and 1");
    CHECK_NEAR(mote_world_time(loading.world), frames / 10.0, 1e-12);
    loading_end(&loading);
}

static void not_a_number_stops(void)
{
    Loading loading = loading_world("{mote: 1, world: {fps: 10}, systems: [{name: 's'}],"
                                    " emitters: [{system: 's', rate: '=sqrt(0.25-t)'}]}");
    mote_Error error = {0};
    mote_Status status = MOTE_OK;
    for (int i = 0; i < 10 && status == MOTE_OK; ++i)
        status = mote_world_step(loading.world, NULL, &error);
    CHECK(status == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "rate is nan");
    loading_end(&loading);
}

/* ---- looks ---- */

static const mote_Column *drawn_column(const mote_Frame *frame, const char *name)
{
    return mote_frame_column(mote_frame_system(frame, "s"), name);
}

static double drawn_at(const mote_Frame *frame, const char *name, int c, size_t row)
{
    const mote_Column *column = drawn_column(frame, name);
    return (double)((const mote_real *)column->data)[(size_t)c * column->stride + row];
}

static void looks_compute_columns(void)
{
    Loading loading = loading_world(
        "{mote: 1, params: {k: 2}, world: {gravity: [0, 0, 0], fps: 10, max_step: 1},"
        " systems: [{name: 's', look: {size: '=k*radius*(1+age/life)', blend: 'add',"
        "   opacity: '=speed/10', color: ['=id/100', '=x', '=t+frame'], brightness: 3}}],"
        " emitters: [{system: 's', rate: 50, lifetime: 2, radius: 0.5, speed_jitter: 0.5,"
        "             velocity: [3, 4, 0]}]}");
    mote_System *system = mote_world_system(loading.world, "s");
    mote_RenderDef def;
    const mote_Frame *drawn;
    loading_step(&loading, 5);
    const mote_Frame *frame = mote_world_frame(loading.world);
    uint64_t before = mote_frame_hash(frame);
    CHECK_OK(mote_scene_picture(loading.scene, frame, &def, &drawn, &loading.error), loading.error);
    CHECK(mote_frame_hash(frame) == before && drawn != frame);
    CHECK(drawn_column(drawn, "radius") != drawn_column(frame, "radius"));
    CHECK(drawn_column(drawn, "position")->data == drawn_column(frame, "position")->data);
    const double *birth = mote_system_column(system, "birth")->data;
    const uint64_t *id = mote_system_column(system, "id")->data;
    CHECK(mote_system_count(system) >= 24);
    for (size_t i = 0; i < mote_system_count(system); ++i) {
        double vx = setup_at(system, "velocity", 0, i), vy = setup_at(system, "velocity", 1, i);
        CHECK_NEAR(drawn_at(drawn, "radius", 0, i), 1 + (0.5 - birth[i]) / 2, 1e-6);
        CHECK_NEAR(drawn_at(drawn, "opacity", 0, i), sqrt(vx * vx + vy * vy) / 10, 1e-6);
        CHECK_NEAR(drawn_at(drawn, "color", 0, i), (double)id[i] / 100, 1e-6);
        CHECK_NEAR(drawn_at(drawn, "color", 1, i), setup_at(system, "position", 0, i), 1e-6);
        CHECK_NEAR(drawn_at(drawn, "color", 2, i), 0.5 + 5, 1e-6);
        CHECK(setup_at(system, "radius", 0, i) == 0.5);
    }
    CHECK(def.looks[0].blend == MOTE_BLEND_ADD && def.looks[0].brightness == 3);
    loading_end(&loading);
}

static void plain_looks_copy_nothing(void)
{
    Loading loading = loading_world("{mote: 1, systems: [{name: 's', look: {color: '#ff0000'}},"
                                    " {name: 'u'}],"
                                    " emitters: [{system: 's', burst: 3}, {system: 'u', burst: 2,"
                                    "             color: [0, 1, 0]}]}");
    mote_RenderDef def;
    const mote_Frame *drawn;
    loading_step(&loading, 1);
    const mote_Frame *frame = mote_world_frame(loading.world);
    CHECK_OK(mote_scene_picture(loading.scene, frame, &def, &drawn, &loading.error), loading.error);
    CHECK(mote_frame_system(drawn, "u")->columns == mote_frame_system(frame, "u")->columns);
    for (size_t i = 0; i < 3; ++i) {
        CHECK_NEAR(drawn_at(drawn, "color", 0, i), 1, 1e-7);
        CHECK(drawn_at(drawn, "color", 1, i) == 0);
        CHECK(drawn_at(frame, "color", 1, i) == 1);
    }
    loading_end(&loading);
}

static void cameras_follow_time(void)
{
    Loading loading = loading_world("{mote: 1, world: {fps: 10}, camera: {"
                                    "from: ['=5*sin(t)', 2, '=5*cos(t)'], fov: '=30+frame'}}");
    for (int i = 0; i < 4; ++i) {
        mote_RenderDef def;
        const mote_Frame *drawn;
        CHECK_OK(mote_scene_picture(loading.scene, mote_world_frame(loading.world), &def, &drawn,
                                    &loading.error),
                 loading.error);
        CHECK_NEAR(def.camera.from.x, 5 * sin(i / 10.0), 1e-6);
        CHECK_NEAR(def.camera.from.z, 5 * cos(i / 10.0), 1e-6);
        CHECK(def.camera.from.y == 2 && def.camera.fov == (mote_real)(30 + i) &&
              def.camera.to.y == 1);
        loading_step(&loading, 1);
    }
    loading_end(&loading);
}

/* The camera at a time of a scene with keys. */
static mote_Camera camera_at(Loading *loading, double time)
{
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Frame frame = *mote_world_frame(loading->world);
    frame.time = time;
    CHECK_OK(mote_scene_picture(loading->scene, &frame, &def, &drawn, &loading->error),
             loading->error);
    return def.camera;
}

/* Through every key, still before the first and after the last, as steep on both sides of a key,
 * and never beyond two keys: an aperture that opens and closes again is never less than 0. */
static void cameras_follow_keys(void)
{
    Loading loading =
        loading_world("{mote: 1, world: {fps: 10}, camera: { fov: 30, keys: ["
                      "{ t: 1, from: [0, 2, 4], to: [0, 1, 0] },"
                      "{ t: 2, from: [4, 2, 4], aperture: 0.2 }, { t: 4, from: [10, 2, 0] },"
                      "{ t: 5, from: [11, 2, 0], aperture: 0 }] } }");
    static const double times[] = {0, 1, 2, 4, 5, 9}, x[] = {0, 0, 4, 10, 11, 11};
    for (int i = 0; i < 6; ++i) CHECK_NEAR(camera_at(&loading, times[i]).from.x, x[i], 1e-6);
    CHECK(camera_at(&loading, 2).aperture == (mote_real)0.2 && camera_at(&loading, 3).fov == 30);
    CHECK(camera_at(&loading, 3).from.y == 2 && camera_at(&loading, 3).to.y == 1);
    mote_real before = camera_at(&loading, 0).from.x;
    for (int i = 1; i <= 600; ++i) {
        const mote_Camera now = camera_at(&loading, i / 100.0);
        CHECK(now.from.x >= before && now.aperture >= 0 && now.aperture <= (mote_real)0.2);
        before = now.from.x;
    }
    for (int i = 1; i < 4; ++i) { /* slopes by differences */
        const double h = 0.01, at = times[i];
        const double left =
            (double)(camera_at(&loading, at).from.x - camera_at(&loading, at - h).from.x) / h;
        const double right =
            (double)(camera_at(&loading, at + h).from.x - camera_at(&loading, at).from.x) / h;
        CHECK_NEAR(left, right, 0.15);
    }
    const double slope = (4.0 * 2 + 3.0 * 1) / 3; /* at t = 2: of a parabola through three keys */
    CHECK_NEAR((double)(camera_at(&loading, 2.01).from.x - camera_at(&loading, 1.99).from.x) / 0.02,
               slope, 0.05);
    loading_end(&loading);
}

static void cameras_out_of_range_fail(void)
{
    Loading loading = loading_world("{mote: 1, world: {fps: 10}, camera: {fov: '=170+100*t'}}");
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Error error = {0};
    loading_step(&loading, 5);
    CHECK(mote_scene_picture(loading.scene, mote_world_frame(loading.world), &def, &drawn,
                             &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "fov is 220");
    loading_end(&loading);
}

TESTS({"rates_follow_time", rates_follow_time}, {"constants_stay", constants_stay},
      {"forces_follow_time", forces_follow_time}, {"parts_follow_time", parts_follow_time},
      {"leaving_the_range_stops", leaving_the_range_stops},
      {"not_a_number_stops", not_a_number_stops}, {"looks_compute_columns", looks_compute_columns},
      {"plain_looks_copy_nothing", plain_looks_copy_nothing},
      {"cameras_follow_time", cameras_follow_time}, {"cameras_follow_keys", cameras_follow_keys},
      {"cameras_out_of_range_fail", cameras_out_of_range_fail})
