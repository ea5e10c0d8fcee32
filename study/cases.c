/* What the studies of liquids share. */
#include "study/cases.h"

#include "base/row.h"
#include "base/status.h"
#include "solvers/sph/sph.h"
#include "study/files.h"
#include "text/text_buffer.h"

#include <string.h>

const char *case_pressure(size_t i)
{
    size_t count, seen = 0;
    const mote_Row *const *rows = mote_family_rows("pressures", &count);
    for (size_t k = 0; k < count; ++k)
        if (!((const PressureRow *)rows[k])->compared && seen++ == i) return rows[k]->name;
    return NULL;
}

bool pressure_has(const char *pressure, const char *key)
{
    size_t count;
    const mote_Row *const *rows = mote_family_rows("pressures", &count);
    const mote_Row *row = row_named(rows, count, pressure);
    for (size_t i = 0; i < row->param_count; ++i)
        if (strcmp(row->params[i].name, key) == 0) return true;
    return false;
}

enum { MOST_CASES = 32 };

static const char *cases_met[MOST_CASES + 1]; /* by case_wanted; behind the last there is NULL */
static const char *solver_met;                /* of the last */

static void meet_case(const char *name)
{
    size_t i = 0;
    while (i < MOST_CASES && cases_met[i] != NULL && strcmp(cases_met[i], name) != 0) ++i;
    if (i < MOST_CASES) cases_met[i] = name;
}

mote_Status cases_check(const StudyOptions *options, const Findings *findings, mote_Error *error)
{
    char names[300];
    if (options->only == NULL || findings->count > 0) return MOTE_OK;
    name_list_text(name_list(cases_met), names, sizeof names);
    return status_fail(error, MOTE_BAD_VALUE,
                       "--case: there is no `%.60s`; the cases are %s, alone or with a solver, as "
                       "in %s/%s",
                       options->only, names, cases_met[0], solver_met);
}

bool case_wanted(const StudyOptions *options, const char *name, const char *pressure)
{
    meet_case(name), solver_met = pressure;
    const char *only = options->only, *slash = only != NULL ? strchr(only, '/') : NULL;
    if (only == NULL) return true;
    size_t length = slash != NULL ? (size_t)(slash - only) : strlen(only);
    if (strlen(name) != length || strncmp(name, only, length) != 0) return false;
    return slash == NULL || strcmp(slash + 1, pressure) == 0;
}

void case_begin(const char *scene, const char *pressure)
{
    fprintf(stderr, "%s, %s ...\n", scene, pressure);
}

void case_end(const LiquidRun *run)
{
    size_t particles = (size_t)run->report.particles;
    fprintf(stderr, "  %zu particles, %llu sub-steps, %.1f s\n", particles,
            (unsigned long long)run->substeps, run->seconds);
}

mote_Status case_open(LiquidRun *run, const char *name, const char *text, const LiquidBlock *block,
                      const char *pressure, mote_Error *error)
{
    case_begin(name, pressure);
    liquid_set(run, "spacing=%.9g", block->spacing);
    liquid_set(run, "systems.water.solver.pressure=%s", pressure);
    mote_Status status = liquid_open(run, name, text, error);
    return status == MOTE_OK ? liquid_fill(run, "water", block, error) : status;
}

mote_Status cases_study(Cases *cases, const char *name, const StudyOptions *options,
                        mote_Error *error)
{
    Findings findings = {.count = 0};
    mote_Status status = study_make_folder(options, error);
    if (status == MOTE_OK) status = cases(options, &findings, error);
    if (status == MOTE_OK) status = cases_check(options, &findings, error);
    if (findings.count > 0) findings_print(&findings, 0, stdout);
    if (status == MOTE_OK) status = findings_write(&findings, options, name, error);
    return status;
}
