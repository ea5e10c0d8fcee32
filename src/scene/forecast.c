/* How many particles, how much memory and disk: estimates from rates, lifetimes and sizes. */
#include "scene/forecast.h"

#include "emit/emitter.h"

#include "base/status.h"
#include "particles/system.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

mote_Status forecast_bind(const Forecast *forecast, const char *kind, const char *name, double t,
                          void *params, mote_Error *error)
{
    const mote_Scene *scene = forecast->scene;
    const SceneBinding *all = scene->bindings.items;
    double values[EXPRESSION_SLOTS] = {
        [SLOT_T] = t, [SLOT_FRAME] = floor(t * scene->world.def.fps)};
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < scene->bindings.count; ++i) {
        if (strcmp(mote_kind_name(all[i].kind), kind) != 0 || strcmp(all[i].name, name) != 0)
            continue;
        for (const ParamBinding *b = all[i].bindings.first; b != NULL; b = b->next) {
            mote_Status bound = binding_apply(b, values, params, status == MOTE_OK ? error : NULL);
            if (status == MOTE_OK) status = bound;
        }
    }
    return status;
}

mote_EmitterDef forecast_emitter(const Forecast *forecast, size_t i, double t)
{
    mote_EmitterDef def = ((const mote_EmitterDef *)forecast->scene->emitters.items)[i];
    forecast_bind(forecast, "emitter", def.name, t, &def, NULL);
    if (forecast->laid != NULL && forecast->laid[i].count > 0)
        def.burst = forecast->laid[i].count, def.burst_every = forecast->laid[i].every;
    return def;
}

/* ---- particles ---- */

static double sample_time(const Forecast *forecast, int k)
{
    return forecast->scene->world.duration * k / FORECAST_SAMPLES;
}

/* Length of the overlap of [a, b] and [c, d]. */
static double overlap(double a, double b, double c, double d)
{
    double from = a > c ? a : c, to = b < d ? b : d;
    return to > from ? to - from : 0;
}

/* Bursts after `from`, up to and with `to`. */
static double bursts_between(const mote_EmitterDef *def, double from, double to)
{
    double first = def->start > 0 ? def->start : 0, last = to < def->stop ? to : def->stop;
    if (def->burst == 0 || last < first) return 0;
    if (def->burst_every <= 0) return first > from ? 1 : 0;
    double upto = floor((last - first) / def->burst_every) + 1;
    double before = from < first ? 0 : floor((from - first) / def->burst_every) + 1;
    return upto - before;
}

/* Adds the emitter's living particles at every sample to `alive`. Particles that live at time t:
 * the integral of the rate from t - lifetime to t, with the rate constant between two samples, and
 * all bursts in that time. */
static void add_alive(const Forecast *forecast, size_t emitter, double *alive)
{
    mote_EmitterDef defs[FORECAST_SAMPLES + 1];
    for (int k = 0; k <= FORECAST_SAMPLES; ++k)
        defs[k] = forecast_emitter(forecast, emitter, sample_time(forecast, k));
    for (int k = 0; k <= FORECAST_SAMPLES; ++k) {
        double now = sample_time(forecast, k), from = now - (double)defs[k].lifetime;
        for (int j = 0; j < k; ++j) {
            double a = sample_time(forecast, j), b = sample_time(forecast, j + 1);
            double begin = a > defs[j].start ? a : defs[j].start;
            double end = b < defs[j].stop ? b : defs[j].stop;
            alive[k] += (double)defs[j].rate * overlap(begin, end, from, now);
        }
        alive[k] += (double)defs[k].burst * bursts_between(&defs[k], from, now);
    }
}

static void count_particles(Forecast *forecast)
{
    double alive[FORECAST_SAMPLES + 1] = {0};
    double linked = forecast_linked(forecast);
    for (size_t i = 0; i < forecast->scene->systems.count; ++i)
        linked += forecast_facts(forecast, &forecast_systems(forecast)[i]).born;
    for (size_t i = 0; i < forecast->scene->emitters.count; ++i) add_alive(forecast, i, alive);
    for (int k = 0; k <= FORECAST_SAMPLES; ++k) {
        alive[k] += linked;
        forecast->particles = fmax(forecast->particles, alive[k]);
        forecast->mean += alive[k] / (FORECAST_SAMPLES + 1);
    }
}

/* ---- bytes ---- */

static double row_bytes(void)
{
#define COLUMN_BYTES(enumerator, name, unit, stage, type, components, fallback)                    \
    +(double)(components) * (double)column_item_size(type)
    return 0 SYSTEM_COLUMNS(COLUMN_BYTES);
}

/* Rough figures, for scenes such as those that come with the program. */
enum {
    PIXEL_BYTES = 64, /* the image, its glow, and the picture's bytes */
    SPLAT_BYTES = 160 /* a particle on its way into the picture, with columns of a look */
};
static const double growth = 1.5;      /* columns have room for more */
static const double png_share = 1.0;   /* bytes of a PNG a pixel: the noise of dithering */
static const double video_share = 0.1; /* the same for a frame of the video */

/* Bytes a particle that solvers take beyond its columns: the most of them. */
static double solver_bytes(const Forecast *f)
{
    double most = 0;
    for (size_t i = 0; i < f->scene->systems.count; ++i)
        most = fmax(most, forecast_facts(f, &forecast_systems(f)[i]).bytes);
    return most;
}

/* Least spacing of a liquid, m; 0: there is none. */
static double least_spacing(const Forecast *f)
{
    double least = 0;
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        double own = forecast_facts(f, &forecast_systems(f)[i]).spacing;
        if (own > 0 && (least == 0 || own < least)) least = own;
    }
    return least;
}

static void count_bytes(Forecast *forecast)
{
    mote_SceneInfo info = mote_scene_info(forecast->scene);
    double pixels = (double)info.width * (double)info.height;
    double every = (double)(info.checkpoint_every > 0 ? info.checkpoint_every : 1);
    bool pictures = info.pictures || info.video;
    forecast->row_disk = row_bytes();
    forecast->row_memory = forecast->row_disk * growth;
    forecast->solver_memory = solver_bytes(forecast);
    if (pictures)
        forecast->picture_memory = pixels * PIXEL_BYTES + forecast->particles * SPLAT_BYTES;
    forecast->memory = forecast->particles * (forecast->row_memory + forecast->solver_memory) +
                       forecast->picture_memory;
    if (info.cache) forecast->frame_disk = forecast->mean * row_bytes() * (1 + 1 / every);
    if (info.pictures) forecast->drawn_disk += pixels * png_share;
    if (info.video) forecast->drawn_disk += pixels * video_share;
}

/* Particles of a source that are laid out: for checks, and where only numbers are wanted. */
enum { LAID_AT_MOST = 20000000, LAID_QUICKLY = 10000 };

uint64_t forecast_whole(double value)
{
    return value < 1.8e19 ? (uint64_t)ceil(value) : UINT64_MAX;
}

/* As the world lays out a frame, where no solver asks for less. */
static double substep(const mote_WorldDef *def)
{
    double frame = 1 / def->fps;
    return frame / world_substeps(frame, def->max_step);
}

static mote_Status refuse_errors(const mote_Scene *scene, mote_Error *error)
{
    if (scene->document->root != NULL && scene->document->diagnostics.errors == 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: a scene with errors has no forecast",
                       scene->name);
}

/* Particles and bytes. */
static void count(Forecast *forecast)
{
    forecast->dt = substep(&forecast->scene->world.def);
    forecast_lay(forecast);
    count_particles(forecast);
    count_bytes(forecast);
}

static mote_Status forecast_scene(mote_Scene *scene, bool checks, mote_SceneForecast *out,
                                  mote_Error *error)
{
    /* Laying out is the dear part: only checks need the places. */
    Forecast forecast = {.scene = scene,
                         .out = &scene->report,
                         .lay_most = checks ? LAID_AT_MOST : LAID_QUICKLY,
                         .longest = &out->max_step};
    *out = (mote_SceneForecast){.warnings = ""};
    mote_Status status = refuse_errors(scene, error);
    if (status != MOTE_OK) return status;
    if (checks) scene_empty_text(&scene->report);
    count(&forecast);
    if (checks) forecast_check(&forecast);
    forecast_free_laid(&forecast);
    if (checks && scene->report.failed)
        return status_no_memory(error, "a forecast", scene->report.size);
    if (checks) out->warnings = scene_text(&scene->report);
    out->particles = forecast_whole(forecast.particles);
    out->mean = forecast_whole(forecast.mean);
    out->memory = forecast_whole(forecast.memory);
    out->frame_disk = forecast.frame_disk;
    out->drawn_disk = forecast.drawn_disk;
    out->disk = forecast_whole((forecast.frame_disk + forecast.drawn_disk) *
                               ((double)mote_scene_info(scene).frames + 1));
    out->spacing = least_spacing(&forecast);
    out->dimension = scene->world.def.dimension == 2 ? 2 : 3;
    return MOTE_OK;
}

mote_Status mote_scene_forecast(mote_Scene *scene, mote_SceneForecast *out, mote_Error *error)
{
    return forecast_scene(scene, true, out, error);
}

mote_Status scene_refuse(mote_Scene *scene, size_t *at, mote_Error *error)
{
    const Forecast forecast = {.scene = scene, .dt = substep(&scene->world.def)};
    return forecast_refuse(&forecast, at, error);
}

mote_Status mote_scene_needs(mote_Scene *scene, mote_SceneForecast *out, mote_Error *error)
{
    return forecast_scene(scene, false, out, error);
}

mote_Status mote_scene_share(mote_Scene *scene, int ranks, mote_SceneShare *out, mote_Error *error)
{
    Forecast forecast = {.scene = scene, .out = &scene->report, .lay_most = LAID_QUICKLY};
    *out = (mote_SceneShare){.most = 1};
    mote_Status status = refuse_errors(scene, error);
    if (status == MOTE_OK && ranks < 1)
        status = status_fail(error, MOTE_BAD_VALUE, "ranks: expected 1 or more, found %d", ranks);
    if (status != MOTE_OK) return status;
    count(&forecast);
    forecast_free_laid(&forecast);
    forecast_share(&forecast, ranks, out);
    return MOTE_OK;
}
