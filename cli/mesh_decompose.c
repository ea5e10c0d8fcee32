/* mote mesh decompose: OBJ files of the parts, and a scene in which a body of them falls. */
#include "cli/mesh_decompose.h"

#include "base/number.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/json_print.h"
#include "cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64, PATH_ROOM = 4096 };

static bool part_path(const MeshDecompose *o, size_t i, char path[PATH_ROOM])
{
    return snprintf(path, PATH_ROOM, "%s/part-%03zu.obj", o->folder, i + 1) < PATH_ROOM;
}

static bool scene_path(const MeshDecompose *o, char path[PATH_ROOM])
{
    return snprintf(path, PATH_ROOM, "%s/scene.json5", o->folder) < PATH_ROOM;
}

/* ---- files ---- */

static int close_file(FILE *file, const char *path)
{
    bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed) return EXIT_DONE;
    message("cannot write %s: %s", path, strerror(errno));
    return EXIT_IO;
}

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) message("cannot write %s: %s", path, strerror(errno));
    return file;
}

static int write_part(const MeshDecompose *o, size_t i, const mote_Mesh *part)
{
    char path[PATH_ROOM];
    size_t vertices, triangles;
    const mote_Vec3 *v = mote_mesh_vertices(part, &vertices);
    const uint32_t *t = mote_mesh_triangles(part, &triangles);
    const int digits = sizeof(mote_real) == 4 ? 9 : 17;
    FILE *file = part_path(o, i, path) ? open_file(path) : NULL;
    if (file == NULL) return EXIT_IO;
    fprintf(file, "# convex part %zu of %s\n", i + 1, o->input);
    for (size_t k = 0; k < vertices; ++k)
        fprintf(file, "v %.*g %.*g %.*g\n", digits, (double)v[k].x, digits, (double)v[k].y, digits,
                (double)v[k].z);
    for (size_t k = 0; k < triangles; ++k)
        fprintf(file, "f %u %u %u\n", t[3 * k] + 1, t[3 * k + 1] + 1, t[3 * k + 2] + 1);
    return close_file(file, path);
}

/* The body starts half its height above the floor. */
static int write_scene(const MeshDecompose *o, const mote_MeshFacts *f, size_t parts)
{
    char path[PATH_ROOM];
    FILE *file = scene_path(o, path) ? open_file(path) : NULL;
    if (file == NULL) return EXIT_IO;
    fprintf(file,
            "{ // scene.json5: %s as a compound of %zu convex parts, a body that falls on a floor\n"
            "  mote: 1,\n"
            "  world: { duration: 3, fps: 30 },\n"
            "  bodies: [\n"
            "    { name: \"body\", density: 1000, motion: { at: [0, %.6g, 0] },\n"
            "      shape: { type: \"compound\", parts: [\n",
            o->input, parts, -f->low[1] + (f->high[1] - f->low[1]) / 2);
    for (size_t i = 0; i < parts; ++i)
        fprintf(file, "        { type: \"convex\", mesh: \"part-%03zu.obj\" },\n", i + 1);
    fprintf(file, "      ] } },\n"
                  "  ],\n"
                  "  colliders: [{ name: \"floor\", shape: { type: \"plane\" } }],\n"
                  "}\n");
    return close_file(file, path);
}

static int check_files(const MeshDecompose *o, size_t parts)
{
    char path[PATH_ROOM];
    int code = EXIT_DONE;
    for (size_t i = 0; i <= parts && code == EXIT_DONE; ++i) {
        bool fits = i < parts ? part_path(o, i, path) : scene_path(o, path);
        code =
            fits ? output_check(path, o->force) : message_usage("--output: the name is too long");
    }
    return code;
}

static int write_all(const MeshDecompose *o, const mote_Mesh *mesh, mote_Mesh *const *parts,
                     size_t count)
{
    int code = check_files(o, count);
    if (code == EXIT_DONE) code = output_make_folder(o->folder);
    for (size_t i = 0; i < count && code == EXIT_DONE; ++i) code = write_part(o, i, parts[i]);
    return code == EXIT_DONE ? write_scene(o, mote_mesh_facts(mesh), count) : code;
}

/* ---- what came of it ---- */

static int print_facts(const MeshDecompose *o, const mote_DecomposeFacts *f)
{
    if (o->json) {
        JsonPrint print;
        JsonWriter *writer = json_print_begin(&print);
        json_put_u64(writer, "parts", f->parts);
        json_put_double(writer, "concavity", f->concavity);
        json_put_double(writer, "bound", f->bound);
        json_put_double(writer, "volume", f->volume);
        json_put_double(writer, "mesh_volume", f->mesh_volume);
        return json_print_end(&print);
    }
    printf("parts      %zu, and a scene with a body of them, in %s\n", f->parts, o->folder);
    printf("concavity  %.3g m at most (asked for: %.3g)\n", f->concavity, f->bound);
    printf("volume     %.6g m3, of the mesh %.6g\n", f->volume, f->mesh_volume);
    return EXIT_DONE;
}

static int finish(const MeshDecompose *o, const mote_Mesh *mesh, mote_Mesh *const *parts,
                  const mote_DecomposeFacts *facts)
{
    int code = write_all(o, mesh, parts, facts->parts);
    if (code == EXIT_DONE) code = print_facts(o, facts);
    if (code != EXIT_DONE || facts->reached) return code;
    message("%zu parts are not enough: hulls are up to %.3g m off; --most-parts allows more, "
            "--concavity asks for less",
            facts->parts, facts->concavity);
    return EXIT_FAILED;
}

static bool read_length(const char *text, double *value)
{
    char *rest;
    *value = 0;
    if (text == NULL) return true;
    *value = strtod(text, &rest);
    if (rest != text && *rest == '\0' && *value > 0 && *value < 1e30) return true;
    message_usage("--concavity: expected a length in metres above 0, found `%s`", text);
    return false;
}

int mesh_decompose(const mote_Mesh *mesh, const MeshDecompose *o)
{
    mote_DecomposeDef def = mote_decompose_def();
    mote_DecomposeFacts facts = {.parts = 0};
    mote_Error error = {.message = "out of memory"};
    if (o->folder == NULL)
        return message_usage("mesh decompose needs a folder, as in: " PROGRAM
                             " mesh decompose cup.obj -o parts");
    if (!read_length(o->concavity, &def.concavity)) return EXIT_USAGE;
    def.most_parts = o->most_parts > 0 ? o->most_parts : MOST_PARTS;
    mote_Mesh **parts = calloc(def.most_parts, sizeof *parts);
    mote_Status status = parts == NULL ? MOTE_NO_MEMORY : MOTE_OK;
    if (status == MOTE_OK) status = mote_mesh_decompose(mesh, &def, parts, &facts, &error);
    int code = status == MOTE_OK ? finish(o, mesh, parts, &facts) : message_failure(status, &error);
    for (size_t i = 0; i < facts.parts; ++i) mote_mesh_release(parts[i]);
    free(parts);
    return code;
}
