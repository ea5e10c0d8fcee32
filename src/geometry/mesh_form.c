/* Meshes beside shapes that have a formula: sphere, cube and torus, of a given size or fitted. */
#include "geometry/mesh.h"

#include "base/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES 57.29577951308232

typedef struct Form {
    mote_MeshForm form;
    double centre[3], size[3];
    int axis; /* of a torus */
} Form;

/* Signed distance of a point from the form, and the direction in which it grows. */
typedef double FormDistance(const Form *form, const double p[3], double normal[3]);

static double unit(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3 && length > 0; ++k) v[k] /= length;
    return length;
}

static double sphere_distance(const Form *form, const double p[3], double normal[3])
{
    memcpy(normal, p, 3 * sizeof *normal);
    return unit(normal) - form->size[0];
}

static double cube_distance(const Form *form, const double p[3], double normal[3])
{
    double beyond[3], most = -(double)INFINITY;
    int face = 0;
    for (int k = 0; k < 3; ++k) {
        double d = fabs(p[k]) - form->size[k];
        beyond[k] = d > 0 ? (p[k] > 0 ? d : -d) : 0;
        if (d > most) most = d, face = k;
        normal[k] = 0;
    }
    if (most <= 0) {
        normal[face] = p[face] > 0 ? 1 : -1;
        return most;
    }
    memcpy(normal, beyond, sizeof beyond);
    return unit(normal);
}

/* As in rows/torus.c, about any axis. */
static double torus_distance(const Form *form, const double p[3], double normal[3])
{
    int a = form->axis, u = (a + 1) % 3, v = (a + 2) % 3;
    double across = sqrt(p[u] * p[u] + p[v] * p[v]),
           scale = across > 0 ? form->size[0] / across : 0;
    normal[a] = p[a], normal[u] = p[u] * (1 - scale), normal[v] = p[v] * (1 - scale);
    return unit(normal) - form->size[1];
}

static FormDistance *const distances[] = {[MOTE_FORM_SPHERE] = sphere_distance,
                                          [MOTE_FORM_CUBE] = cube_distance,
                                          [MOTE_FORM_TORUS] = torus_distance};

/* ---- fitting ---- */

static void place(const Form *form, mote_Vec3 v, double p[3])
{
    p[0] = (double)v.x - form->centre[0], p[1] = (double)v.y - form->centre[1];
    p[2] = (double)v.z - form->centre[2];
}

/* The cube that has the mesh's volume among those with the bounds' proportions. */
static void fit_cube(const mote_Mesh *mesh, const double half[3], Form *form)
{
    double box = 8 * half[0] * half[1] * half[2];
    double scale = mesh->facts.closed && box > 0 ? math_pow(mesh->facts.volume / box, 1.0 / 3) : 1;
    for (int k = 0; k < 3; ++k) form->size[k] = half[k] * scale;
}

/* The mean distance from the centre. */
static void fit_sphere(const mote_Mesh *mesh, Form *form)
{
    double sum = 0, p[3];
    for (size_t i = 0; i < mesh->vertex_count; ++i) {
        place(form, mesh->vertices[i], p);
        sum += unit(p);
    }
    form->size[0] = sum / (double)mesh->vertex_count;
}

static void fit(const MeshCheckWork *w, Form *form)
{
    const mote_MeshFacts *facts = &w->mesh->facts;
    double half[3];
    for (int k = 0; k < 3; ++k) {
        half[k] = 0.5 * (facts->high[k] - facts->low[k]);
        form->centre[k] = 0.5 * (facts->high[k] + facts->low[k]);
        if (half[k] < half[form->axis]) form->axis = k;
        form->size[k] = w->def->form_size[k];
    }
    if (form->form == MOTE_FORM_CUBE && form->size[1] <= 0) form->size[1] = form->size[0];
    if (form->form == MOTE_FORM_CUBE && form->size[2] <= 0) form->size[2] = form->size[0];
    if (form->size[0] > 0) return;
    if (form->form == MOTE_FORM_SPHERE) fit_sphere(w->mesh, form);
    if (form->form == MOTE_FORM_CUBE) fit_cube(w->mesh, half, form);
    if (form->form == MOTE_FORM_TORUS) {
        form->size[1] = half[form->axis];
        form->size[0] =
            fmax(half[(form->axis + 1) % 3], half[(form->axis + 2) % 3]) - form->size[1];
    }
}

/* ---- comparing ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double face_angle(const Form *form, const MeshFace *face)
{
    double p[3], sum[3] = {0, 0, 0}, normal[3];
    for (int k = 0; k < 3; ++k) {
        place(form, face->corner[k], p);
        for (int i = 0; i < 3; ++i) sum[i] += p[i] / 3;
    }
    distances[form->form](form, sum, normal);
    double cosine = normal[0] * (double)face->normal.x + normal[1] * (double)face->normal.y +
                    normal[2] * (double)face->normal.z;
    double sine = sqrt(fmax(0, 1 - cosine * cosine));
    return math_atan2(sine, cosine) * DEGREES;
}

bool mesh_check_form(MeshCheckWork *w)
{
    const mote_Mesh *mesh = w->mesh;
    mote_MeshCheck *out = w->out;
    Form form = {.form = w->def->form};
    if (form.form == MOTE_FORM_NONE) return true;
    double *angles = arena_take(&w->arena, mesh->triangle_count * sizeof *angles), squares = 0;
    if (angles == NULL) return false;
    fit(w, &form);
    memcpy(out->form_size, form.size, sizeof form.size);
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        angles[t] = face_angle(&form, &mesh->faces[t]);
        out->normal_mean += angles[t] / (double)mesh->triangle_count;
    }
    qsort(angles, mesh->triangle_count, sizeof *angles, by_size);
    out->normal_99 = angles[mesh->triangle_count * 99 / 100];
    out->normal_most = angles[mesh->triangle_count - 1];
    for (size_t v = 0; v < mesh->vertex_count; ++v) {
        double p[3], normal[3];
        place(&form, mesh->vertices[v], p);
        double d = distances[form.form](&form, p, normal);
        squares += d * d;
        out->distance_most = fmax(out->distance_most, fabs(d));
    }
    out->distance_rms = sqrt(squares / (double)mesh->vertex_count);
    return true;
}
