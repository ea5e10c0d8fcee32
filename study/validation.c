/* All cases of fluids, and a report of them. */
#include "study/cases.h"

#include "base/status.h"
#include "study/files.h"

#include <errno.h>
#include <string.h>

static mote_Status write_report(const StudyOptions *options, const Findings *findings,
                                mote_Error *error)
{
    char path[1024];
    if (options->folder == NULL) return MOTE_OK;
    snprintf(path, sizeof path, "%.900s/findings-%s.md", options->folder, study_precision);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return status_fail(error, MOTE_IO_FAILED, "%.200s: cannot be written: %s", path,
                           strerror(errno));
    findings_print_markdown(findings, file);
    fclose(file);
    return MOTE_OK;
}

/* A case that fails to run is a finding too; the others go on. */
mote_Status study_validation(const StudyOptions *options, mote_Error *error)
{
    static Cases *const all[] = {hydrostatic_cases, dambreak_cases, poiseuille_cases,
                                 flow_cases,        floating_cases, vortex_cases};
    Findings findings = {.count = 0};
    mote_Status status = study_make_folder(options, error);
    mote_Status worst = MOTE_OK;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && status == MOTE_OK; ++i) {
        mote_Status one = all[i](options, &findings, error);
        if (one != MOTE_OK) fprintf(stderr, "mote: %s\n", error->message), worst = one;
    }
    if (status == MOTE_OK) status = cases_check(options, &findings, error);
    if (status != MOTE_OK) return status;
    printf("Fluids beside experiments and exact solutions, in %s.\n\n", study_precision);
    findings_print(&findings, 0, stdout);
    printf("\n%zu of %zu are within their limits.\n", findings.count - findings_missed(&findings),
           findings.count);
    status = findings_write(&findings, options, "validation", error);
    if (status == MOTE_OK) status = write_report(options, &findings, error);
    return status == MOTE_OK ? worst : status;
}
