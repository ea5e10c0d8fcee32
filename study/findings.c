/* Findings: keeping and printing them. */
#include "study/findings.h"

#include "study/files.h"

Finding finding_make(const char *scene, const char *pressure, const char *quantity,
                     double tolerance)
{
    return (Finding){
        .scene = scene, .pressure = pressure, .quantity = quantity, .tolerance = tolerance};
}

/* Runs take long, so a finding is told at once, too. */
void findings_add(Findings *findings, Finding finding)
{
    fprintf(stderr, "  %s: %.5g (%.5g), off by %.2f %%\n", finding.quantity, finding.measured,
            finding.reference, 100 * finding.off);
    if (findings->count < MOST_FINDINGS) findings->items[findings->count++] = finding;
}

static bool finding_is_good(const Finding *finding)
{
    return finding->off <= finding->tolerance; /* NaN is not */
}

size_t findings_missed(const Findings *findings)
{
    size_t missed = 0;
    for (size_t i = 0; i < findings->count; ++i) missed += !finding_is_good(&findings->items[i]);
    return missed;
}

void findings_print(const Findings *findings, size_t first, FILE *file)
{
    fprintf(file, "%-16s %-8s %-44s %11s %11s %8s %8s\n", "", "", "", "measured", "reference",
            "off", "at most");
    for (size_t i = first; i < findings->count; ++i) {
        const Finding *f = &findings->items[i];
        fprintf(file, "%-16s %-8s %-44s %11.5g %11.5g %7.2f%% %7.2f%%%s\n", f->scene, f->pressure,
                f->quantity, f->measured, f->reference, 100 * f->off, 100 * f->tolerance,
                finding_is_good(f) ? "" : "  missed");
    }
    fflush(file);
}

void findings_print_markdown(const Findings *findings, FILE *file)
{
    fprintf(file, "| case | pressure | quantity | measured | reference | off | at most | |\n"
                  "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < findings->count; ++i) {
        const Finding *f = &findings->items[i];
        fprintf(file, "| %s | %s | %s | %.5g | %.5g | %.2f %% | %.2f %% | %s |\n", f->scene,
                f->pressure, f->quantity, f->measured, f->reference, 100 * f->off,
                100 * f->tolerance, finding_is_good(f) ? "met" : "**missed**");
    }
}

mote_Status findings_write(const Findings *findings, const StudyOptions *options, const char *name,
                           mote_Error *error)
{
    FILE *file;
    if (!study_keeps_numbers(options)) return MOTE_OK;
    mote_Status status = study_open_csv(options, name, &file, error);
    if (status != MOTE_OK) return status;
    fprintf(file, "case,pressure,quantity,measured,reference,off,tolerance\n");
    for (size_t i = 0; i < findings->count; ++i) {
        const Finding *f = &findings->items[i];
        fprintf(file, "%s,%s,\"%s\",%.9g,%.9g,%.6g,%.6g\n", f->scene, f->pressure, f->quantity,
                f->measured, f->reference, f->off, f->tolerance);
    }
    return study_close_csv(options, name, file, error);
}
