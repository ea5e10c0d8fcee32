/* Every scene that comes with the program, to its end: what its particles and bodies reach stays
 * near what tests/data/scenes.txt says, and nothing in it is not well.
 *
 *     endings            each scene for as many frames as the table's `quick` says; with MOTE_LONG
 * all endings 2/4        the second of four parts of that; or names of scenes endings --measure
 * runs the scenes to their end and prints the table anew */
#include "scene/loading.h"

#include <dirent.h>
#include <time.h>

enum { NAME = 64, MOST = 200 };

/* What a run reached, or what the table says. */
typedef struct Reached {
    char scene[NAME];
    unsigned long long frames, quick; /* of the scene; that the quick suite runs */
    double kinetic, speed;            /* highest of particles and bodies: J, m/s */
} Reached;

/* What else a run says. */
typedef struct Trouble {
    unsigned long long inside, trapped, not_finite, solves, unsolved;
    double seconds; /* of CPU */
    bool stopped;
} Trouble;

static const double margin = 2;           /* how much more than the table says; in all less, too */
static const double most_unsolved = 0.02; /* share of the solves */
static const double quick_seconds = 1.2;  /* of CPU, for one scene in the quick suite */

/* ---- running ---- */

/* Of this process, on however busy a machine. */
static double cpu_clock(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* What is no number is larger than any. */
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double fastest_row(const mote_FrameSystem *system)
{
    const mote_Column *velocity = mote_frame_column(system, "velocity");
    const mote_real *data = velocity->data;
    double most = 0;
    for (size_t i = 0; i < system->count; ++i) {
        double v[3];
        for (size_t k = 0; k < 3; ++k) v[k] = (double)data[k * velocity->stride + i];
        most = larger(most, length(v));
    }
    return most;
}

static double highest_speed(const mote_Frame *frame)
{
    double most = 0;
    for (size_t i = 0; i < frame->system_count; ++i)
        most = larger(most, fastest_row(&frame->systems[i]));
    for (size_t i = 0; i < frame->shape_count; ++i)
        if (frame->shapes[i].body) most = larger(most, length(frame->shapes[i].velocity));
    return most;
}

static void note(const mote_StepReport *r, const mote_Frame *frame, Reached *reached,
                 Trouble *trouble)
{
    reached->kinetic = larger(reached->kinetic, r->kinetic + r->body_kinetic);
    reached->speed = larger(reached->speed, highest_speed(frame));
    trouble->inside += r->inside, trouble->trapped += r->trapped;
    trouble->not_finite += r->not_finite;
    trouble->solves += r->solves, trouble->unsolved += r->unsolved;
}

static void run_world(mote_World *world, unsigned long long frames, Reached *reached,
                      Trouble *trouble)
{
    const double start = cpu_clock();
    for (unsigned long long i = 0; i < frames && !trouble->stopped; ++i) {
        mote_StepReport report;
        mote_Error error;
        trouble->stopped = mote_world_step(world, &report, &error) != MOTE_OK;
        if (trouble->stopped)
            fprintf(stderr, "%s, frame %llu: %s\n", reached->scene, i + 1, error.message);
        else
            note(&report, mote_world_frame(world), reached, trouble);
    }
    trouble->seconds = cpu_clock() - start;
}

/* At most so many frames; reached->quick is those that were run. */
static void run(const char *name, unsigned long long most, mote_Tasks *tasks, Reached *reached,
                Trouble *trouble)
{
    char path[1024];
    mote_SceneDef def = mote_scene_def();
    mote_Scene *scene;
    mote_World *world;
    mote_Error error;
    *reached = (Reached){0}, *trouble = (Trouble){0};
    snprintf(reached->scene, sizeof reached->scene, "%s", name);
    snprintf(path, sizeof path, "%s/scenes/%s.json5", TEST_SOURCE, name);
    def.path = path;
    SETUP_OK(mote_scene_load(&def, &scene, &error), error);
    SETUP_OK(mote_scene_world(scene, tasks, &world, &error), error);
    reached->frames = mote_scene_info(scene).frames;
    reached->quick = most < reached->frames ? most : reached->frames;
    run_world(world, reached->quick, reached, trouble);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

/* ---- the table ---- */

static Reached table[MOST];
static size_t table_count;

static void table_read(void)
{
    FILE *file = fopen(TEST_DATA "/scenes.txt", "r");
    char line[256];
    if (file == NULL) perror(TEST_DATA "/scenes.txt"), exit(2);
    while (table_count < MOST && fgets(line, sizeof line, file) != NULL) {
        Reached *row = &table[table_count];
        if (sscanf(line, "%63s %llu %llu %lf %lf", row->scene, &row->frames, &row->quick,
                   &row->kinetic, &row->speed) == 5 &&
            line[0] != '#')
            ++table_count;
    }
    fclose(file);
}

static const Reached *table_find(const char *name)
{
    for (size_t i = 0; i < table_count; ++i)
        if (strcmp(table[i].scene, name) == 0) return &table[i];
    return NULL;
}

/* ---- the scenes there are ---- */

static char names[MOST][NAME];
static size_t name_count;

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void names_read(void)
{
    DIR *folder = opendir(TEST_SOURCE "/scenes");
    if (folder == NULL) perror(TEST_SOURCE "/scenes"), exit(2);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL && name_count < MOST;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".json5") != 0) continue;
        snprintf(names[name_count++], NAME, "%.*s", (int)(dot - entry->d_name), entry->d_name);
    }
    closedir(folder);
    qsort(names, name_count, NAME, by_name);
}

/* ---- checking ---- */

static bool within(const char *scene, const char *what, double value, double expected, bool whole)
{
    bool good = value <= margin * expected && (!whole || margin * value >= expected);
    if (!good)
        fprintf(stderr, "%s: the highest %s is %.4g, but the table says %.4g\n", scene, what, value,
                expected);
    return good;
}

static bool none(const char *scene, const char *what, unsigned long long count)
{
    if (count > 0) fprintf(stderr, "%s: %llu %s\n", scene, count, what);
    return count == 0;
}

static bool well(const Reached *reached, const Trouble *trouble)
{
    const char *scene = reached->scene;
    bool good = none(scene, "stopped with an error", trouble->stopped);
    good = none(scene, "times a particle inside a collider", trouble->inside) && good;
    good = none(scene, "times no place outside of colliders", trouble->trapped) && good;
    good = none(scene, "rows that are not finite", trouble->not_finite) && good;
    bool solved = (double)trouble->unsolved <= most_unsolved * (double)trouble->solves;
    return none(scene, "solves too many were not solved", solved ? 0 : trouble->unsolved) && good;
}

static bool check(const char *name, mote_Tasks *tasks)
{
    const Reached *row = table_find(name);
    Reached reached;
    Trouble trouble;
    if (row == NULL) {
        fprintf(stderr,
                "%s: tests/data/scenes.txt lacks it; scene-endings --measure %s prints its row\n",
                name, name);
        return false;
    }
    run(name, getenv("MOTE_LONG") != NULL ? row->frames : row->quick, tasks, &reached, &trouble);
    const bool whole = reached.quick == reached.frames;
    bool good = well(&reached, &trouble);
    good = within(name, "kinetic energy (J)", reached.kinetic, row->kinetic, whole) && good;
    good = within(name, "speed (m/s)", reached.speed, row->speed, whole) && good;
    if (reached.frames != row->frames)
        good = !none(name, "frames, not those of the table", reached.frames) && good;
    printf("%s: %llu of %llu frames, up to %.4g J and %.4g m/s, %.1f s of CPU\n",
           good ? name : "FAILED", reached.quick, reached.frames, reached.kinetic, reached.speed,
           trouble.seconds);
    return good;
}

/* The table's row of a whole run. */
static bool measure(const char *name, mote_Tasks *tasks)
{
    Reached reached;
    Trouble trouble;
    run(name, UINT64_MAX, tasks, &reached, &trouble);
    double share = quick_seconds / larger(trouble.seconds, 1e-9);
    unsigned long long quick = (unsigned long long)(share * (double)reached.frames);
    quick = quick < 2 ? 2 : quick < reached.frames ? quick : reached.frames;
    printf("%-16s %4llu %4llu %10.4g %10.4g\n", name, reached.frames, quick, reached.kinetic,
           reached.speed);
    return well(&reached, &trouble);
}

/* Is the i-th scene meant by the arguments: names, or a part as 2/4? */
static bool wanted(size_t i, int argc, char **argv)
{
    size_t part, parts;
    if (argc < 2) return true;
    if (sscanf(argv[1], "%zu/%zu", &part, &parts) == 2) return i % parts == part % parts;
    for (int a = 1; a < argc; ++a)
        if (strcmp(argv[a], names[i]) == 0) return true;
    return false;
}

int main(int argc, char **argv)
{
    const bool anew = argc > 1 && strcmp(argv[1], "--measure") == 0;
    mote_Tasks *tasks = setup_tasks(getenv("MOTE_LONG") != NULL ? 0 : 1);
    int passed = 0, failed = 0;
    names_read();
    if (!anew) table_read();
    if (anew) --argc, ++argv;
    for (size_t i = 0; i < name_count; ++i) {
        if (!wanted(i, argc, argv)) continue;
        if (!anew) printf("%zu/%zu ", i + 1, name_count);
        fflush(stdout);
        bool good = anew ? measure(names[i], tasks) : check(names[i], tasks);
        passed += good, failed += !good;
        fflush(stdout);
    }
    mote_tasks_destroy(tasks);
    if (!anew) printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
