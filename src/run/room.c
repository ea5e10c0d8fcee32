/* Whether a run fits, and what would. */
#include "run/folder.h"

#include "base/definition.h"
#include "base/machine.h"
#include "base/math.h"
#include "base/status.h"
#include "base/text.h"
#include "run/cache.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double margin = 0.9; /* of what there is, where something smaller is advised */

static uint64_t whole(double value)
{
    return value < 1.8e19 ? (uint64_t)value : UINT64_MAX;
}

typedef struct Size {
    char text[SIZE_TEXT];
} Size;

static Size size_of(double bytes)
{
    Size size;
    size_text(whole(bytes), size.text);
    return size;
}

/* With two digits, on the side that fits. A little less than the value, or ceil would go past one
 * that is whole but for rounding. */
static double two_digits(double value, double (*side)(double))
{
    if (!(value > 0)) return 0;
    double unit = 1;
    while (value / unit >= 100) unit *= 10;
    while (value / unit < 10) unit /= 10;
    return side(value / unit * (1 - 1e-12)) * unit;
}

/* ---- what there is, and what is needed ---- */

static uint64_t disk_free(const mote_RunDef *def)
{
    return def->disk_free != NULL ? def->disk_free(def->context) : machine_disk_free(def->folder);
}

/* Frames that are still to be written; a run that is thrown away leaves its room. */
static double frames_left(const mote_RunDef *def, uint64_t last, uint64_t *freed)
{
    Folder folder;
    Manifest *manifest = NULL;
    double left = (double)last + 1;
    *freed = 0;
    if (folder_open(&folder, def->folder, NULL) != MOTE_OK || !folder_has(&folder, MANIFEST_NAME) ||
        cache_find(def->folder, &folder, &manifest, NULL) != MOTE_OK)
        return left;
    for (size_t i = 0; i < manifest->frame_count; ++i) {
        if (manifest->frames[i].index <= last) left -= 1;
        if (def->force) *freed += manifest->frames[i].file.bytes;
    }
    manifest_destroy(manifest);
    return def->force ? (double)last + 1 : left;
}

/* Of ranks, what those on this machine need, the first among them. */
static mote_Status share_memory(mote_Scene *scene, const mote_RunDef *def,
                                mote_SceneForecast *needs, mote_Error *error)
{
    mote_SceneShare share;
    if (def->ranks == NULL || def->ranks->count < 2) return MOTE_OK;
    mote_Status status = mote_scene_share(scene, def->ranks->count, &share, error);
    const double others = (mote_ranks_here() - 1) * (double)share.memory;
    const double drawing = def->no_pictures ? 0 : (double)share.drawing;
    if (status == MOTE_OK) needs->memory = whole((double)share.first + drawing + others);
    return status;
}

mote_Status mote_run_room(mote_Scene *scene, const mote_RunDef *given, mote_RunRoom *room,
                          mote_Error *error)
{
    DEFINITION_TAKE(mote_RunDef, mote_run_def);
    const mote_SceneInfo info = mote_scene_info(scene);
    uint64_t freed, free;
    *room = (mote_RunRoom){0};
    mote_Status status = mote_scene_needs(scene, &room->needs, error);
    if (status != MOTE_OK) return status;
    if (def->no_pictures) room->needs.drawn_disk = 0;
    status = share_memory(scene, def, &room->needs, error);
    if (status != MOTE_OK) return status;
    room->frames = frames_left(def, def->last >= 0 ? (uint64_t)def->last : info.frames, &freed);
    room->memory = machine_memory();
    room->disk_needed = whole(room->frames * (room->needs.frame_disk + room->needs.drawn_disk));
    free = disk_free(def);
    room->disk = free < UINT64_MAX - freed ? free + freed : UINT64_MAX;
    return MOTE_OK;
}

/* ---- what would fit ---- */

typedef struct Advice {
    char text[300];
} Advice;

__attribute__((format(printf, 2, 3))) static void advise(Advice *advice, const char *format, ...)
{
    const size_t used = strlen(advice->text);
    va_list values;
    va_start(values, format);
    vsnprintf(advice->text + used, sizeof advice->text - used, format, values);
    va_end(values);
}

/* Particles go with the third power of the spacing, or with the second. */
static mote_Status refuse_memory(const mote_RunRoom *room, mote_Error *error)
{
    Advice advice = {""};
    const double times = (double)room->needs.memory / (margin * (double)room->memory);
    const int power = room->needs.dimension;
    if (room->needs.spacing > 0)
        advise(&advice, "a spacing of %.6g m (it is %g m) would fit",
               two_digits(room->needs.spacing * math_pow(times, 1.0 / power), ceil),
               room->needs.spacing);
    else
        advise(&advice, "a rate, burst or lifetime less by a factor of %.6g would fit",
               two_digits(times, ceil));
    return status_fail(error, MOTE_NO_MEMORY,
                       "memory: about %s are needed for %.3g particles, and %s may be used here; "
                       "%s; --anyway goes on",
                       size_of((double)room->needs.memory).text, (double)room->needs.particles,
                       size_of((double)room->memory).text, advice.text);
}

/* Every advice is one that would be enough by itself: what would still not fit is not proposed. */
static mote_Status refuse_disk(const mote_Scene *scene, const mote_RunDef *def,
                               const mote_RunRoom *room, mote_Error *error)
{
    Advice advice = {""};
    const mote_SceneInfo info = mote_scene_info(scene);
    const double there = margin * (double)room->disk, part = there / (double)room->disk_needed;
    const double drawn = room->frames * room->needs.drawn_disk;
    const double kept = room->frames * room->needs.frame_disk;
    if (part > 0)
        advise(&advice, "world.duration=%.6g (it is %g s) or world.fps=%.6g (it is %g) would fit",
               two_digits(info.duration * part, floor), info.duration,
               two_digits(info.fps * part, floor), info.fps);
    else
        advise(&advice, "nothing would fit");
    if (drawn > 0 && kept <= there) advise(&advice, ", or --no-pictures");
    if (kept > 0 && drawn <= there) advise(&advice, ", or output.cache=false");
    if (kept > there && room->needs.spacing > 0)
        advise(&advice, ", or a spacing of %.6g m",
               two_digits(room->needs.spacing *
                              math_pow(kept / (there + 1), 1.0 / room->needs.dimension),
                          ceil));
    return status_fail(error, MOTE_IO_FAILED,
                       "disk: about %s are needed in %.60s for %.0f frames, and %s are free; %s; "
                       "--anyway goes on",
                       size_of((double)room->disk_needed).text, file_label(def->folder),
                       room->frames, size_of((double)room->disk).text, advice.text);
}

mote_Status mote_run_judge(const mote_Scene *scene, const mote_RunDef *given,
                           const mote_RunRoom *room, mote_Error *error)
{
    DEFINITION_TAKE(mote_RunDef, mote_run_def);
    if (room->needs.memory > room->memory) return refuse_memory(room, error);
    if (room->disk_needed > room->disk) return refuse_disk(scene, def, room, error);
    return MOTE_OK;
}

mote_Status room_check(mote_Scene *scene, const mote_RunDef *def, mote_Error *error)
{
    mote_RunRoom room;
    if (def->anyway) return MOTE_OK;
    mote_Status status = mote_run_room(scene, def, &room, error);
    return status == MOTE_OK ? mote_run_judge(scene, def, &room, error) : status;
}

/* ---- while it runs ---- */

/* This is no forecast but what is there, so `anyway` changes nothing: a disk that is full would
 * cost the frame at hand and every other program's files. */
mote_Status room_left(const mote_RunDef *def, const Manifest *manifest, double picture,
                      mote_Error *error)
{
    enum { SMALL = 1 << 20 }; /* tables, manifest, video */
    const size_t frames = manifest->frame_count, checkpoints = manifest->checkpoint_count;
    double frame = frames > 0 ? (double)manifest->frames[frames - 1].file.bytes : 0;
    double state =
        checkpoints > 0 ? (double)manifest->checkpoints[checkpoints - 1].sum.bytes : 2 * frame;
    /* one checkpoint now, and then a frame, a picture and a checkpoint, which may be larger */
    const double needed = 2.5 * (frame + picture + state) + SMALL;
    const uint64_t free = disk_free(def);
    if ((double)free >= needed) return MOTE_OK;
    return status_fail(error, MOTE_IO_FAILED,
                       "%s: the disk is nearly full: %s are free, and the next frame and "
                       "checkpoint need about %s; make room and go on",
                       file_label(def->folder), size_of((double)free).text, size_of(needed).text);
}
