/* Runs that do not fit into memory or onto the disk, and disks that fill up while they run. */
#include "run/scenario.h"
#include "scene_text.h"

#include "base/machine.h"

/* ---- memory ---- */

/* A cube of liquid. */
static mote_Scene *cube(double spacing)
{
    char text[600];
    snprintf(text, sizeof text,
             "{ mote: 1, world: { duration: 0.1 }, systems: [{ name: 'w', solver: { type: 'sph', "
             "spacing: %.9g } }], emitters: [{ name: 'e', system: 'w', from: { type: 'fill', "
             "spacing: %.9g, shape: { type: 'box', size: [1, 1, 1] } } }], "
             "output: { cache: false, frames: 'none', video: 'none' } }",
             spacing, spacing);
    return scene_of_text(text);
}

/* One that needs a few times the memory of this machine is refused at once, with a spacing that
 * fits. */
static void liquids_too_large_for_the_memory(void)
{
    const double particles = 6 * (double)machine_memory() / 500, spacing = 1 / cbrt(particles);
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_Error error = {MOTE_OK, ""};
    mote_RunRoom room;
    mote_Scene *scene = cube(spacing);
    CHECK_OK(mote_run_room(scene, &def, &room, &error), error);
    CHECK(room.needs.memory > room.memory && room.memory == machine_memory());
    CHECK(mote_run(scene, &def, NULL, &error) == MOTE_NO_MEMORY);
    CHECK_MESSAGE(error, "; a spacing of ");
    CHECK_MESSAGE(error, "--anyway");
    CHECK(place_count(&place, "frames") == -1); /* nothing is made */
    mote_scene_destroy(scene);
    const char *at = strstr(error.message, "a spacing of ");
    const double advised = at != NULL ? strtod(at + 13, NULL) : 1;
    CHECK(advised > spacing && advised < 4 * spacing);
    scene = cube(advised);
    CHECK_OK(mote_run_room(scene, &def, &room, &error), error);
    CHECK_OK(mote_run_judge(scene, &def, &room, &error), error);
    mote_scene_destroy(scene);
    place_end(&place);
}

static void particles_too_many_for_the_memory(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_Error error = {MOTE_OK, ""};
    mote_Scene *scene =
        scene_of_text("{ mote: 1, systems: [{ name: 's' }],"
                      "  emitters: [{ name: 'e', system: 's', burst: 900000000000 }] }");
    CHECK(mote_run(scene, &def, NULL, &error) == MOTE_NO_MEMORY);
    CHECK_MESSAGE(error, "memory: about");
    CHECK_MESSAGE(error, "a rate, burst or lifetime less by a factor of");
    mote_scene_destroy(scene);
    place_end(&place);
}

/* ---- disk ---- */

typedef struct Disk {
    uint64_t free;
    const Place *place;
    uint64_t size; /* > 0: of a disk that holds the frames and checkpoints alone */
} Disk;

static uint64_t used(const Place *place, const char *inner)
{
    char path[500];
    uint64_t bytes = 0;
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", place->path, inner);
    DIR *list = opendir(path);
    if (list == NULL) return 0;
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s/%s", place->path, inner, entry->d_name);
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) bytes += (uint64_t)about.st_size;
    }
    closedir(list);
    return bytes;
}

static uint64_t disk_free(void *context)
{
    const Disk *disk = context;
    if (disk->size == 0) return disk->free;
    const uint64_t bytes = used(disk->place, "frames") + used(disk->place, "checkpoints");
    return bytes < disk->size ? disk->size - bytes : 0;
}

static void runs_too_large_for_the_disk(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_Scene *scene = scenario_scene("output.frames=png");
    mote_RunRoom room;
    mote_Error error = {MOTE_OK, ""};
    Disk disk = {.free = UINT64_MAX};
    def.disk_free = disk_free, def.context = &disk;
    CHECK_OK(mote_run_room(scene, &def, &room, &error), error);
    CHECK(room.frames == SCENARIO_FRAMES + 1 && room.disk_needed > 48 * 36 * 21);
    disk.free = room.disk_needed / 2;
    CHECK(mote_run(scene, &def, NULL, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "disk: about");
    CHECK_MESSAGE(error, "for 21 frames");
    CHECK_MESSAGE(error, "world.duration=0.44 (it is 1 s) or world.fps=8.9 (it is 20) would fit");
    CHECK_MESSAGE(error, "or output.cache=false");
    CHECK_MESSAGE(error, "--anyway");
    CHECK(place_count(&place, "frames") == -1);
    def.last = 9; /* a part fits */
    CHECK_OK(mote_run_room(scene, &def, &room, &error), error);
    CHECK_OK(mote_run_judge(scene, &def, &room, &error), error);
    disk.free = UINT64_MAX;
    CHECK_OK(mote_run(scene, &def, NULL, &error), error);
    def.last = -1, def.resume = true; /* and going on needs the rest alone */
    CHECK_OK(mote_run_room(scene, &def, &room, &error), error);
    CHECK(room.frames == SCENARIO_FRAMES - 9);
    mote_scene_destroy(scene);
    place_end(&place);
}

static void disk_fills_up(bool anyway)
{
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole), def = run_in(&place);
    mote_Error error = {MOTE_OK, ""};
    mote_RunReport report;
    Disk disk = {.place = &place, .size = (1 << 20) + 150000};
    run_well(&whole_def);
    def.disk_free = disk_free, def.context = &disk, def.anyway = anyway;
    CHECK(run_setting(NULL, &def, &report, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "the disk is nearly full");
    CHECK(report.last > 3 && report.last < SCENARIO_FRAMES);
    CHECK(used(&place, "frames") + used(&place, "checkpoints") < disk.size);
    CHECK(manifest_says(&place, "\"stopped\""));
    char name[64];
    snprintf(name, sizeof name, "checkpoints/checkpoint_%06llu.npz",
             (unsigned long long)report.last);
    CHECK(place_has(&place, name));
    def.resume = true;
    disk.size = 1 << 24;
    run_well(&def);
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    place_end(&whole), place_end(&place);
}

/* The disk is filled by others: the run stops in time, with a checkpoint, and goes on. */
static void disks_that_fill_up(void)
{
    disk_fills_up(false);
}

/* A forecast may be wrong, so a run may be wanted against it; what is left on the disk is no
 * forecast. */
static void anyway_stops_before_the_disk_is_full(void)
{
    disk_fills_up(true);
}

/* None before the run starts, enough from then on. */
static uint64_t disk_free_later(void *context)
{
    bool *asked = context;
    const uint64_t bytes = *asked ? UINT64_MAX : 0;
    *asked = true;
    return bytes;
}

static void anyway_goes_on(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_Error error = {MOTE_OK, ""};
    bool asked = false;
    def.disk_free = disk_free_later, def.context = &asked;
    CHECK(run_setting(NULL, &def, NULL, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "--anyway goes on");
    def.anyway = true;
    run_well(&def);
    CHECK(place_count(&place, "frames") == SCENARIO_FRAMES + 1);
    place_end(&place);
}

TESTS({"liquids_too_large_for_the_memory", liquids_too_large_for_the_memory},
      {"particles_too_many_for_the_memory", particles_too_many_for_the_memory},
      {"runs_too_large_for_the_disk", runs_too_large_for_the_disk},
      {"disks_that_fill_up", disks_that_fill_up},
      {"anyway_stops_before_the_disk_is_full", anyway_stops_before_the_disk_is_full},
      {"anyway_goes_on", anyway_goes_on})
