/* mote mesh: what is good and what is wrong about a mesh file; its convex parts. */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/json_print.h"
#include "cli/mesh_check.h"
#include "cli/mesh_decompose.h"

#include <mote/mesh.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct MeshOptions {
    const char *form, *size, *spacing, *folder, *concavity;
    int64_t most_parts;
    bool json, force;
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
/* What may stand before the file. */
typedef struct MeshVerb {
    const char *name, *example;
    int (*run)(const mote_Mesh *mesh, const char *path, const MeshOptions *options);
} MeshVerb;

static int look(const mote_Mesh *mesh, const char *path, const MeshOptions *options)
{
    const mote_MeshFacts *facts = mote_mesh_facts(mesh);
    int code = EXIT_DONE;
    (void)path;
    if (options->json)
        code = print_json(facts);
    else
        print_facts(facts);
    if (code != EXIT_DONE) return code;
    return facts->closed && !facts->inverted ? EXIT_DONE : EXIT_FAILED;
}

static int check(const mote_Mesh *mesh, const char *path, const MeshOptions *options)
{
    mote_MeshCheckDef def;
    (void)path;
    if (!mesh_check_def(options->form, options->size, options->spacing, &def)) return EXIT_USAGE;
    return mesh_check_print(mesh, &def, options->json);
}

static int decompose(const mote_Mesh *mesh, const char *path, const MeshOptions *options)
{
    const MeshDecompose given = {.input = path,
                                 .folder = options->folder,
                                 .concavity = options->concavity,
                                 .most_parts = (size_t)options->most_parts,
                                 .force = options->force,
                                 .json = options->json};
    return mesh_decompose(mesh, &given);
}

static const MeshVerb verbs[] = {{"check", "check water.ply", check},
                                 {"decompose", "decompose cup.obj -o parts", decompose}};
static const MeshVerb no_verb = {NULL, NULL, look};

/* NULL when the words are wrong, with a message. */
static const MeshVerb *verb_of(Given given)
{
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; ++i) {
        if (strcmp(given[0], verbs[i].name) != 0) continue;
        if (given[1] != NULL) return &verbs[i];
        if (access(given[0], F_OK) == 0) return &no_verb; /* a file of that name */
        message_usage("mesh %s needs a mesh file, as in: " PROGRAM " mesh %s", verbs[i].name,
                      verbs[i].example);
        return NULL;
    }
    if (given[1] == NULL) return &no_verb;
    message_usage("mesh: expected `check` or `decompose` before the file, found `%s`", given[0]);
    return NULL;
}

static int mesh_run(const void *values, Given given)
{
    const MeshVerb *verb = verb_of(given);
    const char *path = given[1] != NULL ? given[1] : given[0];
    mote_Mesh *mesh;
    mote_Error error = {0};
    size_t size;
    if (verb == NULL) return EXIT_USAGE;
    char *bytes = load(path, &size);
    if (bytes == NULL) return EXIT_IO;
    mote_Status status = mote_mesh_parse(bytes, size, path, 1, (mote_Allocator){0}, &mesh, &error);
    free(bytes);
    if (status != MOTE_OK) return message_failure(status, &error);
    int code = verb->run(mesh, path, values);
    mote_mesh_release(mesh);
    return code;
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
    TEXT("concavity", "M", concavity,
         "decompose: no part is farther from the mesh; else a fiftieth of its size"),
    {"most-parts", .argument = "N", .doc = "decompose: no more parts than that; else 64",
     .type = OPTION_COUNT, OPTION_HERE(MeshOptions, most_parts), .min = 1, .max = 4096},
    {"output", 'o', "FOLDER", "decompose: where parts and a scene go", OPTION_TEXT,
     OPTION_HERE(MeshOptions, folder), .words = WORDS_FOLDER},
    {"force", .doc = "decompose: write over files that are there", .type = OPTION_FLAG,
     OPTION_HERE(MeshOptions, force)},
    {"json", .doc = "print one JSON object", .type = OPTION_FLAG, OPTION_HERE(MeshOptions, json)},
    {0}};
static const MeshOptions defaults = {0};
static const Example examples[] = {
    {"mesh rock.obj", "is it closed, is it convex, what is wrong with it"},
    {"mesh check water.ply", "watertight, manifold, Euler numbers, angles, bumps"},
    {"mesh check ball.ply --form sphere --json", "how far its normals are from a sphere's"},
    {"mesh decompose cup.obj -o parts",
     "convex parts as OBJ files, and a scene with a body of them"},
    {"mesh decompose cup.obj -o parts --concavity 0.005", "closer to the mesh, by more parts"},
    {0}};
static const Argument arguments[] = {
    {"FILE", "an OBJ, PLY or STL file, or `check` or `decompose` and a file", WORDS_ANY, false},
    {"FILE", "the file, behind `check` or `decompose`", WORDS_ANY, true},
    {0}};
const Command command_mesh = {
    .name = "mesh",
    .doc = "Look at a mesh file: holes, flat triangles, volume.",
    .details =
        "`mesh check` measures its quality; `mesh decompose` takes a concave one apart into "
        "convex parts. Exits with 0 when it encloses a volume (check: and is manifold), with "
        "1 when not (decompose: also when the parts are too few).",
    .examples = examples,
    .arguments = arguments,
    .options = options,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .run = mesh_run};
