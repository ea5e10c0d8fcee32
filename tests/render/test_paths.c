/* What paths do side by side: where rays cross panes, planes and bounds against crossings in double
 * precision, where they start against the view, laws of light against the same for one path, light
 * of a sun against Lambert; by every instruction set the same bits. */
#include "check.h"

#include "base/isa.h"
#include "render/ahead.h"
#include "render/kernels/paths.h"
#include "render/scene.h"
#include "render/shade.h"
#include "render/trace_optics.h"

enum { TURNS = 400, EIGHT = TRACE_TOGETHER };

static float random_float(uint64_t i, double from, double to)
{
    return (float)(from + (to - from) * scene_random(i));
}

static void random_direction(uint64_t i, float out[3])
{
    for (uint64_t k = 0; k < 3; ++k) out[k] = random_float(3 * i + k, -1, 1);
    unit3(out);
}

/* ---- what rays have before them ---- */

static const SplatPlane planes[2] = {{{0, 1, 0}, -3}, {{0.6f, 0.8f, 0}, -4}};

/* Two tanks, one of them turned and open above. */
static AheadScene two_tanks(void)
{
    AheadScene s = {.bounds = {{-1, -1, -1}, {1, 0.5f, 1}},
                    .whole = {{-3, -3, -3}, {6, 3, 3}},
                    .planes = planes,
                    .plane_count = 2,
                    .box_count = 2};
    s.boxes[0] = (AheadBox){.middle = {0, 0, 0},
                            .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                            .half = {1.5f, 1, 1.2f},
                            .refraction = 1.5f,
                            .missing = 1u << 3};
    s.boxes[1] = (AheadBox){.middle = {4, 0, 0.3f},
                            .axis = {{0.8f, 0, 0.6f}, {0, 1, 0}, {-0.6f, 0, 0.8f}},
                            .half = {0.7f, 1.1f, 0.9f},
                            .refraction = 1.4f};
    return s;
}

/* What a ray crosses, one side after the other. */
typedef struct Crossed {
    double first, clear;
    int pane; /* the first */
} Crossed;

static void cross_side(const AheadBox *box, int pane, const TraceRay *ray, Crossed *out)
{
    const int axis = pane % 6 / 2;
    double speed = 0, ahead = pane & 1 ? (double)box->half[axis] : -(double)box->half[axis];
    for (int k = 0; k < 3; ++k) {
        speed += (double)box->axis[axis][k] * (double)ray->direction[k];
        ahead += (double)box->axis[axis][k] * (double)(box->middle[k] - ray->origin[k]);
    }
    const double t = ahead / speed;
    if (!(t > 0) || (box->missing >> pane % 6 & 1)) return;
    for (int other = 0; other < 3; ++other) {
        double at = 0;
        for (int k = 0; k < 3; ++k)
            at += (double)box->axis[other][k] *
                  ((double)ray->origin[k] - (double)box->middle[k] + t * (double)ray->direction[k]);
        if (other != axis && fabs(at) > (double)box->half[other]) return;
    }
    out->clear *= 1 - (double)pane_reflectance((float)fabs(speed), box->refraction);
    if (t < out->first) out->first = t, out->pane = pane;
}

static Crossed cross_all(const AheadScene *scene, const TraceRay *ray)
{
    Crossed out = {.first = 1e8, .clear = 1, .pane = -1};
    for (int pane = 0; pane < 12; ++pane) cross_side(&scene->boxes[pane / 6], pane, ray, &out);
    return out;
}

static double nearest_plane(const TraceRay *ray)
{
    double depth = HUGE_VAL;
    for (int p = 0; p < 2; ++p) {
        const double toward = -(double)dot3(planes[p].normal, ray->direction);
        const double height = (double)(dot3(planes[p].normal, ray->origin) - planes[p].offset);
        if (toward > 1e-7 && height > 0 && height / toward < depth) depth = height / toward;
    }
    return depth;
}

/* How deep a ray comes into the bounds, m; < 0: how far it stays away. */
static double depth_in_bounds(const AheadScene *s, const TraceRay *ray, double reach)
{
    double most = -HUGE_VAL;
    for (double t = 0; t < reach && t < 20; t += 0.004) {
        double inside = HUGE_VAL;
        for (int k = 0; k < 3; ++k) {
            const double at = (double)ray->origin[k] + t * (double)ray->direction[k];
            inside = fmin(inside, fmin(at - (double)s->bounds[0][k], (double)s->bounds[1][k] - at));
        }
        most = fmax(most, inside);
    }
    return most;
}

static void look_ahead(const AheadScene *s, const TraceRay rays[EIGHT], float chance, Isa isa,
                       Ahead *a)
{
    for (int i = 0; i < EIGHT; ++i)
        a->rays[i] = rays[i].origin, a->reach[i] = FAR_AWAY, a->chance[i] = chance;
    render_kernels_of(isa)->ahead(s, a);
}

static void random_rays(uint64_t turn, TraceRay rays[EIGHT])
{
    for (uint64_t i = 0; i < EIGHT; ++i) {
        const uint64_t n = turn * EIGHT + i;
        rays[i] = (TraceRay){.start = 0};
        for (uint64_t k = 0; k < 3; ++k) rays[i].origin[k] = random_float(3 * n + k, -2.5, 5);
        rays[i].origin[1] *= 0.5f;
        random_direction(n + 77777, rays[i].direction);
    }
}

static void check_ray(const AheadScene *s, const TraceRay *ray, const Ahead *all,
                      const Ahead *first, int i)
{
    const Crossed truth = cross_all(s, ray);
    const double plane = nearest_plane(ray), mirror = (double)first->mirror[i];
    if (truth.first > 1e-4) {
        CHECK_NEAR((double)all->clear[i], truth.clear, 2e-4);
        CHECK_NEAR((double)all->passed[i] / truth.first, 1, 1e-3);
        CHECK_NEAR(mirror / truth.first, 1, 1e-3);
        CHECK(truth.pane < 0 || first->pane[i] == truth.pane);
    }
    CHECK(isinf(plane) ? isinf(all->ground[i]) : fabs((double)all->ground[i] / plane - 1) < 1e-3);
    const double depth = depth_in_bounds(s, ray, fmin(plane, mirror));
    CHECK(first->near[i] ? depth > -0.02 : depth < 0.02);
}

static void rays_cross_what_they_cross(void)
{
    const AheadScene s = two_tanks();
    for (uint64_t turn = 0; turn < TURNS; ++turn) {
        TraceRay rays[EIGHT];
        Ahead all, first;
        random_rays(turn, rays);
        look_ahead(&s, rays, 2, isa_pick(), &all), look_ahead(&s, rays, 0, isa_pick(), &first);
        for (int i = 0; i < EIGHT; ++i) check_ray(&s, &rays[i], &all, &first, i);
    }
}

/* ---- where paths start ---- */

/* A view from the origin along -z. */
static View some_view(void)
{
    return (View){.width = 64,
                  .height = 48,
                  .axis = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
                  .focal = 50,
                  .center = {32, 24},
                  .near = 0.1f,
                  .shutter = 1,
                  .aperture = 0.5f,
                  .focus = 4};
}

static void start(const View *view, uint32_t from, Isa isa, TraceStart starts[EIGHT])
{
    StartJob job = {.view = view, .hash = 5, .row = 17, .starts = starts};
    for (uint32_t i = 0; i < EIGHT; ++i) job.columns[i] = 40, job.samples[i] = from + i;
    render_kernels_of(isa)->start(&job);
}

/* Through their pixel where it is sharp, by a tent of one and a half pixels' width, from all of the
 * lens, at all moments. */
static void paths_start_in_their_pixel(void)
{
    enum { N = 4096 };
    const View view = some_view();
    double mean[3] = {0, 0, 0}, square = 0, moments = 0, lens = 0;
    for (uint32_t s = 0; s < N; s += EIGHT) {
        TraceStart starts[EIGHT];
        start(&view, s, isa_pick(), starts);
        for (int i = 0; i < EIGHT; ++i) {
            const TraceRay *r = &starts[i].ray;
            const double far = (-4 - (double)r->origin[2]) / (double)r->direction[2];
            const double x = (double)r->origin[0] + far * (double)r->direction[0];
            const double y = (double)r->origin[1] + far * (double)r->direction[1];
            const double right = 50 * x / 4 + 32 - 40.5, down = 24 - 50 * y / 4 - 17.5;
            CHECK(fabs(right) < 0.76 && fabs(down) < 0.76);
            CHECK_NEAR((double)length3(r->direction), 1, 1e-6);
            const double back = -(double)r->origin[2] / (double)r->direction[2];
            const double at = (double)r->origin[0] + back * (double)r->direction[0];
            CHECK(fabs(at) < 0.2501 && r->moment >= 0 && r->moment < 1);
            mean[0] += right / N, mean[1] += down / N, mean[2] += at / N;
            square += right * right / N, lens += at * at / N, moments += (double)r->moment / N;
            CHECK(r->without == NO_WISP && starts[i].seed.pair == 3);
        }
    }
    for (int k = 0; k < 3; ++k) CHECK_NEAR(mean[k], 0, 1e-3);
    CHECK_NEAR(square, 0.75 * 0.75 / 6, 1e-3); /* of a tent */
    CHECK_NEAR(lens, 0.25 * 0.25 / 4, 1e-4);   /* of a disc */
    CHECK_NEAR(moments, 0.5, 1e-3);
}

/* ---- laws ---- */

static void laws_are_those_of_one(void)
{
    for (uint64_t n = 0; n < TURNS; ++n) {
        const float cosine = random_float(n, 0, 1), eta = random_float(n + 1000, 0.6, 1.6);
        float normal[3], eye[3], u[2], one[3], sine[2];
        V8 normals[3], eyes[3], numbers[2], facets[3], sines[2];
        random_direction(n, normal), random_direction(n + 5000, eye);
        if (dot3(normal, eye) < 0) madd3(eye, -2 * dot3(normal, eye), normal, eye);
        sample_pair(7, (uint32_t)n << 20, 3, u);
        const Seeds seeds = {words_all(7), words_all((uint32_t)n << 20), words_all(3)};
        draw_pairs(&seeds, seeds.pair, numbers);
        for (int k = 0; k < 2; ++k) CHECK(numbers[k][n % EIGHT] == u[k]);
        CHECK(draw_firsts(&seeds, seeds.pair)[0] == u[0]);
        CHECK(fresnel8(all8(cosine), eta)[n % EIGHT] == fresnel(cosine, eta));
        turn_sincos(u[1], &sine[0], &sine[1]);
        turn_sincos8(all8(u[1]), &sines[0], &sines[1]);
        for (int k = 0; k < 2; ++k) CHECK(sines[k][n % EIGHT] == sine[k]);
        all_vectors(normal, normals), all_vectors(eye, eyes);
        facet_normal(normal, eye, 0.4f, u, one);
        facet_normals(normals, eyes, all8(0.4f), numbers, facets);
        for (int k = 0; k < 3; ++k) CHECK_NEAR((double)facets[k][n % EIGHT], (double)one[k], 1e-6);
    }
}

/* ---- surfaces ---- */

/* Eight paths that meet something. */
typedef struct Meeting {
    TracePath paths[EIGHT];
    TraceHit hits[EIGHT];
} Meeting;

static void random_meeting(uint64_t turn, Meeting *m)
{
    static const TraceMatter matters[] = {TRACE_SOLID, TRACE_METAL};
    memset(m, 0, sizeof *m);
    for (uint64_t i = 0; i < EIGHT; ++i) {
        const uint64_t n = turn * EIGHT + i;
        TraceHit *hit = &m->hits[i];
        *hit = (TraceHit){.matter = matters[n % 2], .wisp = NO_WISP, .distance = 2};
        random_direction(n, m->paths[i].ray.direction), random_direction(n + 9999, hit->normal);
        memcpy(hit->smooth, hit->normal, sizeof hit->smooth);
        hit->gloss = random_float(n + 1, 0, 1);
        hit->roughness = n % 3 == 0 ? 0 : random_float(n + 2, 0.05, 0.9);
        for (uint64_t k = 0; k < 3; ++k) {
            hit->place[k] = random_float(n + k + 3, -9, 9);
            hit->color[k] = random_float(n + k + 6, 0, 1);
            m->paths[i].weight[k] = random_float(n + k + 11, 0, 1);
        }
        m->paths[i].seed = (TraceSeed){(uint32_t)n, reverse_bits((uint32_t)turn), 3};
    }
}

static void set_jobs(Meeting *m, TurnJob *turn, LitJob *lit)
{
    memset(turn, 0, sizeof *turn), memset(lit, 0, sizeof *lit);
    for (int i = 0; i < EIGHT; ++i) {
        turn->paths[i] = lit->paths[i] = &m->paths[i];
        turn->hits[i] = lit->hits[i] = &m->hits[i];
        lit->turns[i] = &turn->turns[i];
    }
}

static Light some_light(bool point)
{
    Light light = {.point = point,
                   .toward = {0.48f, 0.6f, 0.64f},
                   .at = {3, 20, -2},
                   .color = {3, 2, 1},
                   .size = 0.1f,
                   .cosine = 1 / sqrtf(1.01f)};
    across3(light.toward, light.across[0], light.across[1]);
    return light;
}

/* On the side that the path came from; what is dull and not rough shows Lambert's cosine of a sun,
 * less what the coat mirrors. */
static void check_surface(const Meeting *m, const TurnJob *turn, const LitJob *lit, int i)
{
    const TraceHit *hit = &m->hits[i];
    const PathTurn *t = &turn->turns[i];
    const float *from = m->paths[i].ray.direction, *way = lit->ways[i];
    CHECK(dot3(from, t->normal) <= 0 && fabsf(dot3(t->normal, hit->normal)) > 0.999f);
    CHECK(dot3(t->direction, t->normal) > 0);
    CHECK_NEAR((double)length3(t->direction), 1, 1e-5);
    CHECK(hit->matter != TRACE_METAL || t->shines);
    CHECK(dot3(way + 4, lit->light->toward) > lit->light->cosine - 1e-5f);
    CHECK_NEAR((double)dot3(way, hit->normal) - (double)dot3(hit->place, hit->normal),
               dot3(way + 4, hit->normal) > 0 ? 1e-4 : -1e-4, 1.8e-4);
    const double cosine = fmax(0, (double)dot3(way + 4, t->normal));
    const double coat = (double)(hit->gloss * fresnel(fabsf(dot3(from, t->normal)), 1 / 1.5f));
    for (int k = 0; k < 3 && hit->roughness < ROUGH; ++k) {
        const double all = (double)(lit->light->color[k] * m->paths[i].weight[k] * hit->color[k]);
        CHECK_NEAR((double)lit->lights[i][k],
                   hit->matter == TRACE_METAL ? 0 : all * (1 - coat) * cosine, 1e-5);
    }
}

static void surfaces_obey_their_laws(void)
{
    const Light sun = some_light(false);
    for (uint64_t n = 0; n < TURNS; ++n) {
        const RenderKernels *kernels = render_kernels();
        Meeting m;
        TurnJob turn;
        LitJob lit;
        random_meeting(n, &m), set_jobs(&m, &turn, &lit);
        lit.light = &sun;
        kernels->turn(&turn), kernels->lit(&lit);
        for (int i = 0; i < EIGHT; ++i) check_surface(&m, &turn, &lit, i);
    }
}

/* ---- bits ---- */

/* All that eight paths get. */
typedef struct Everything {
    TraceStart starts[EIGHT];
    V8 ahead[5];
    I8 panes[2];
    PathTurn turns[EIGHT];
    float ways[2][EIGHT][8], lights[2][EIGHT][4], reaches[2][EIGHT];
} Everything;

static void do_all(uint64_t n, Isa isa, Everything *out)
{
    const AheadScene s = two_tanks();
    const View view = some_view();
    TraceRay rays[EIGHT];
    Ahead a;
    Meeting m;
    TurnJob turn;
    LitJob lit;
    memset(out, 0, sizeof *out);
    start(&view, 8 * (uint32_t)n, isa, out->starts);
    random_rays(n, rays), look_ahead(&s, rays, random_float(n, 0, 0.5), isa, &a);
    const V8 ahead[] = {a.ground, a.mirror, a.passed, a.clear, (V8)a.near};
    memcpy(out->ahead, ahead, sizeof ahead);
    out->panes[0] = a.plane, out->panes[1] = a.pane;
    random_meeting(n, &m), set_jobs(&m, &turn, &lit);
    render_kernels_of(isa)->turn(&turn);
    memcpy(out->turns, turn.turns, sizeof out->turns);
    for (int point = 0; point < 2; ++point) {
        const Light light = some_light(point);
        lit.light = &light;
        render_kernels_of(isa)->lit(&lit);
        memcpy(out->ways[point], lit.ways, sizeof lit.ways);
        memcpy(out->lights[point], lit.lights, sizeof lit.lights);
        memcpy(out->reaches[point], lit.reaches, sizeof lit.reaches);
    }
}

static void instruction_sets_do_not_matter(void)
{
    for (uint64_t n = 0; n < TURNS; ++n) {
        Everything first, other;
        do_all(n, ISA_V1, &first);
        for (int isa = 1; isa <= (int)isa_pick(); ++isa) {
            do_all(n, (Isa)isa, &other);
            CHECK(memcmp(&first, &other, sizeof first) == 0);
        }
    }
}

TESTS({"rays cross what they cross", rays_cross_what_they_cross},
      {"paths start in their pixel", paths_start_in_their_pixel},
      {"laws are those of one", laws_are_those_of_one},
      {"surfaces obey their laws", surfaces_obey_their_laws},
      {"instruction sets do not matter", instruction_sets_do_not_matter})
