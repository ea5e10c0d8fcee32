/* mote mesh: what is good and what is wrong about a mesh file. */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/json_print.h"
#include "cli/mesh_check.h"

#include <mote/mesh.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct MeshOptions {
    const char *form, *size, *spacing;
    bool json;
} MeshOptions;

/* All bytes of a file; NULL with a message. */
static char *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    size_t room = 1 << 16;
    char *bytes = file != NULL ? malloc(room) : NULL;
    *size = 0;
    while (bytes != NULL && !feof(file) && !ferror(file)) {
        *size += fread(bytes + *size, 1, room - *size, file);
        if (*size < room) continue;
        char *more = realloc(bytes, room *= 2);
        if (more == NULL) free(bytes);
        bytes = more;
    }
    if (file != NULL && ferror(file)) free(bytes), bytes = NULL;
    if (bytes == NULL) message("cannot read %s: %s", path, strerror(errno));
    if (file != NULL) fclose(file);
    return bytes;
}

typedef struct Finding {
    const char *what;
    size_t count;
    const double *at; /* the first place; NULL: none */
} Finding;

enum { FINDINGS = 5 };

static void list_findings(const mote_MeshFacts *f, Finding findings[FINDINGS])
{
    findings[0] = (Finding){"triangles without area (left out)", f->degenerate, f->degenerate_at};
    findings[1] = (Finding){"open edges (holes)", f->open_edges, f->open_at};
    findings[2] = (Finding){"edges of three or more triangles", f->crowded_edges, f->crowded_at};
    findings[3] = (Finding){"edges where orientations disagree", f->flipped_edges, f->flipped_at};
    findings[4] = (Finding){"inside out (say flip: true)", f->inverted, NULL};
}

static void print_facts(const mote_MeshFacts *f)
{
    Finding findings[FINDINGS];
    printf("vertices   %zu (%zu joined with equal ones, or unused)\n", f->vertices, f->joined);
    printf("triangles  %zu\n", f->triangles);
    printf("parts      %zu\n", f->parts);
    printf("bounds     (%g, %g, %g) to (%g, %g, %g) m\n", f->low[0], f->low[1], f->low[2],
           f->high[0], f->high[1], f->high[2]);
    printf("area       %g m2\n", f->area);
    if (f->closed) printf("volume     %g m3\n", f->volume);
    printf("closed     %s\n", f->closed ? "yes" : "no");
    printf("convex     %s\n", f->convex ? "yes" : "no");
    list_findings(f, findings);
    for (int i = 0; i < FINDINGS; ++i) {
        if (findings[i].count == 0) continue;
        printf("found      %zu %s", findings[i].count, findings[i].what);
        const double *at = findings[i].at;
        if (at != NULL) printf(", the first at (%g, %g, %g)", at[0], at[1], at[2]);
        putchar('\n');
    }
}

static int print_json(const mote_MeshFacts *f)
{
    JsonPrint print;
    JsonWriter *writer = json_print_begin(&print);
    json_put_u64(writer, "vertices", f->vertices);
    json_put_u64(writer, "triangles", f->triangles);
    json_put_u64(writer, "parts", f->parts);
    json_put_u64(writer, "joined", f->joined);
    json_put_u64(writer, "degenerate", f->degenerate);
    json_put_u64(writer, "open_edges", f->open_edges);
    json_put_u64(writer, "crowded_edges", f->crowded_edges);
    json_put_u64(writer, "flipped_edges", f->flipped_edges);
    json_put_bool(writer, "closed", f->closed);
    json_put_bool(writer, "convex", f->convex);
    json_put_bool(writer, "inverted", f->inverted);
    json_put_double(writer, "area", f->area);
    json_put_double(writer, "volume", f->volume);
    return json_print_end(&print);
}

/* The word behind `mesh` may be `check`, a file, or a file of that name. */
static int check_words(Given given)
{
    bool check = strcmp(given[0], "check") == 0;
    if (given[1] != NULL && !check)
        return message_usage("mesh: expected `check` before the file, found `%s`", given[0]);
    if (check && given[1] == NULL && access("check", F_OK) != 0)
        return message_usage("mesh check needs a mesh file, as in: " PROGRAM
                             " mesh check water.ply");
    return EXIT_DONE;
}

static int mesh_run(const void *values, Given given)
{
    const MeshOptions *options = values;
    bool check = given[1] != NULL && strcmp(given[0], "check") == 0;
    const char *path = check ? given[1] : given[0];
    mote_MeshCheckDef def;
    mote_Mesh *mesh;
    mote_Error error = {0};
    size_t size;
    if (check_words(given) != EXIT_DONE) return EXIT_USAGE;
    if (!mesh_check_def(options->form, options->size, options->spacing, &def)) return EXIT_USAGE;
    char *bytes = load(path, &size);
    if (bytes == NULL) return EXIT_IO;
    mote_Status status = mote_mesh_parse(bytes, size, path, 1, (mote_Allocator){0}, &mesh, &error);
    free(bytes);
    if (status != MOTE_OK) return message_failure(status, &error);
    const mote_MeshFacts *facts = mote_mesh_facts(mesh);
    int code = EXIT_DONE;
    if (check) {
        code = mesh_check_print(mesh, &def, options->json);
        mote_mesh_release(mesh);
        return code;
    }
    if (options->json)
        code = print_json(facts);
    else
        print_facts(facts);
    bool good = facts->closed && !facts->inverted;
    mote_mesh_release(mesh);
    return code != EXIT_DONE ? code : good ? EXIT_DONE : EXIT_FAILED;
}

#define TEXT(name_, argument_, member, doc_)                                                       \
    {                                                                                              \
        .name = name_, .argument = argument_, .doc = doc_, .type = OPTION_TEXT,                    \
        OPTION_HERE(MeshOptions, member)                                                           \
    }
static const Option options[] = {
    TEXT("form", "NAME", form, "check: compare with a sphere, a cube or a torus"),
    TEXT("size", "M[,M]", size, "check: radius, half side, or ring and tube; else it is fitted"),
    TEXT("spacing", "M", spacing, "check: bumps are measured in this; else in mean edges"),
    {"json", .doc = "print one JSON object", .type = OPTION_FLAG, OPTION_HERE(MeshOptions, json)},
    {0}};
static const MeshOptions defaults = {0};
static const Example examples[] = {
    {"mesh rock.obj", "is it closed, is it convex, what is wrong with it"},
    {"mesh check water.ply", "watertight, manifold, Euler numbers, angles, bumps"},
    {"mesh check ball.ply --form sphere --json", "how far its normals are from a sphere's"},
    {0}};
static const Argument arguments[] = {
    {"FILE", "an OBJ, PLY or STL file, or `check` and a file", WORDS_ANY, false},
    {"FILE", "the file, behind `check`", WORDS_ANY, true},
    {0}};
const Command command_mesh = {
    .name = "mesh",
    .doc = "Look at a mesh file: holes, flat triangles, volume.",
    .details = "`mesh check` measures its quality. Exits with 0 when it encloses a "
               "volume (check: and is manifold), with 1 when not.",
    .examples = examples,
    .arguments = arguments,
    .options = options,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .run = mesh_run};
