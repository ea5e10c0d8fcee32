/* mote mesh check: the quality of a mesh, in text or JSON. */
#include "cli/mesh_check.h"

#include "cli/exit.h"
#include "cli/json_print.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_SHOWN = 8 };

static const char *const forms[] = {"none", "sphere", "cube", "torus"};

/* "0.8" or "0.7,0.3" */
static bool read_sizes(const char *text, double size[3])
{
    char part[64];
    for (int i = 0; i < 3 && text != NULL && *text != '\0'; ++i) {
        size_t length = strcspn(text, ",");
        if (length >= sizeof part) return false;
        memcpy(part, text, length);
        part[length] = '\0';
        if (!number_parse(part, &size[i]) || !(size[i] > 0) || !isfinite(size[i])) return false;
        text += length + (text[length] == ',');
    }
    return true;
}

bool mesh_check_def(const char *form, const char *size, const char *spacing, mote_MeshCheckDef *def)
{
    size_t i = 0;
    *def = mote_mesh_check_def();
    while (form != NULL && i < 4 && strcmp(forms[i], form) != 0) ++i;
    if (i == 4) message("--form: expected sphere, cube or torus, found `%s`", form);
    if (i == 4) return false;
    def->form = form != NULL ? (mote_MeshForm)i : MOTE_FORM_NONE;
    if (!read_sizes(size, def->form_size)) {
        message("--size: expected positive numbers as 0.8 or 0.7,0.3, found `%s`", size);
        return false;
    }
    if (spacing != NULL && (!number_parse(spacing, &def->spacing) || !(def->spacing > 0))) {
        message("--spacing: expected a positive number, found `%s`", spacing);
        return false;
    }
    return true;
}

static const char *yes(bool is)
{
    return is ? "yes" : "no";
}

static void print_text(const mote_MeshFacts *f, const mote_MeshCheckDef *def,
                       const mote_MeshPart *parts, const mote_MeshCheck *c)
{
    printf("vertices    %zu, triangles %zu, parts %zu\n", f->vertices, f->triangles, f->parts);
    printf("watertight  %s (%zu open edges, %zu that disagree)\n", yes(c->watertight),
           f->open_edges, f->flipped_edges);
    printf("manifold    %s (%zu edges of three or more triangles, %zu vertices of more than one "
           "fan)\n",
           yes(c->manifold), f->crowded_edges, c->bad_fans);
    printf("outward     %s\n", yes(c->outward));
    printf("degenerate  %zu triangles\n", c->degenerate);
    printf("Euler       %ld\n", c->euler);
    printf("area        %g m2\n", f->area);
    printf("volume      %g m3\n", f->volume);
    printf("edges       %g m on average\n", c->edge);
    printf("angles      %.3g degrees at least, the least of a triangle %.3g on average\n",
           c->least_angle, c->mean_least_angle);
    printf("bumpiness   %.4g %s\n", c->bumpiness, def->spacing > 0 ? "spacings" : "mean edges");
    if (def->form != MOTE_FORM_NONE) {
        printf("%-11s %.6g %.6g %.6g m\n", forms[def->form], c->form_size[0], c->form_size[1],
               c->form_size[2]);
        printf("normals     %.3g degrees off on average, 99 %% below %.3g, at most %.3g\n",
               c->normal_mean, c->normal_99, c->normal_most);
        printf("distance    %.4g m rms, at most %.4g m\n", c->distance_rms, c->distance_most);
    }
    for (size_t i = 0; i < f->parts && i < PARTS_SHOWN && f->parts > 1; ++i)
        printf("part %-6zu %zu vertices, %zu triangles, Euler %ld, %g m2, %g m3\n", i + 1,
               parts[i].vertices, parts[i].triangles, parts[i].euler, parts[i].area,
               parts[i].volume);
    if (f->parts > PARTS_SHOWN)
        printf("            and %zu smaller parts\n", f->parts - PARTS_SHOWN);
}

static void put_part(JsonWriter *writer, const mote_MeshPart *part)
{
    json_begin(writer, NULL, '{');
    json_put_u64(writer, "vertices", part->vertices);
    json_put_u64(writer, "triangles", part->triangles);
    json_put_double(writer, "euler", (double)part->euler);
    json_put_double(writer, "area", part->area);
    json_put_double(writer, "volume", part->volume);
    json_finish(writer, '}');
}

static void put_form(JsonWriter *writer, const mote_MeshCheckDef *def, const mote_MeshCheck *c)
{
    if (def->form == MOTE_FORM_NONE) return;
    json_put_text(writer, "form", forms[def->form]);
    json_begin(writer, "form_size", '[');
    for (int k = 0; k < 3; ++k) json_put_double(writer, NULL, c->form_size[k]);
    json_finish(writer, ']');
    json_put_double(writer, "normal_mean", c->normal_mean);
    json_put_double(writer, "normal_99", c->normal_99);
    json_put_double(writer, "normal_most", c->normal_most);
    json_put_double(writer, "distance_rms", c->distance_rms);
    json_put_double(writer, "distance_most", c->distance_most);
}

static int print_json(const mote_MeshFacts *f, const mote_MeshCheckDef *def,
                      const mote_MeshPart *parts, const mote_MeshCheck *c)
{
    JsonPrint print;
    JsonWriter *writer = json_print_begin(&print);
    json_put_u64(writer, "vertices", f->vertices);
    json_put_u64(writer, "triangles", f->triangles);
    json_put_bool(writer, "watertight", c->watertight);
    json_put_bool(writer, "manifold", c->manifold);
    json_put_bool(writer, "outward", c->outward);
    json_put_u64(writer, "open_edges", f->open_edges);
    json_put_u64(writer, "crowded_edges", f->crowded_edges);
    json_put_u64(writer, "flipped_edges", f->flipped_edges);
    json_put_u64(writer, "bad_fans", c->bad_fans);
    json_put_u64(writer, "degenerate", c->degenerate);
    json_put_double(writer, "euler", (double)c->euler);
    json_put_double(writer, "area", f->area);
    json_put_double(writer, "volume", f->volume);
    json_put_double(writer, "edge", c->edge);
    json_put_double(writer, "least_angle", c->least_angle);
    json_put_double(writer, "mean_least_angle", c->mean_least_angle);
    json_put_double(writer, "bumpiness", c->bumpiness);
    put_form(writer, def, c);
    json_begin(writer, "parts", '[');
    for (size_t i = 0; i < f->parts; ++i) put_part(writer, &parts[i]);
    json_finish(writer, ']');
    return json_print_end(&print);
}

int mesh_check_print(const mote_Mesh *mesh, const mote_MeshCheckDef *def, bool json)
{
    const mote_MeshFacts *facts = mote_mesh_facts(mesh);
    mote_MeshPart *parts = calloc(facts->parts + 1, sizeof *parts);
    mote_MeshCheck check;
    mote_Error error = {.message = "out of memory"};
    mote_Status status = MOTE_NO_MEMORY;
    int code = EXIT_DONE;
    if (parts != NULL) status = mote_mesh_check(mesh, def, parts, facts->parts, &check, &error);
    if (status != MOTE_OK)
        code = message_failure(status, &error);
    else if (json)
        code = print_json(facts, def, parts, &check);
    else
        print_text(facts, def, parts, &check);
    free(parts);
    if (code != EXIT_DONE) return code;
    bool good = check.watertight && check.manifold && check.outward && check.degenerate == 0;
    return good ? EXIT_DONE : EXIT_FAILED;
}
