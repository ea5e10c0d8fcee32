/* Dense output: an orbit by steps under error control, seen more and more often. Steps that end
 * with every frame become as many as the frames; steps that reach over them stay as many as they
 * were. */
#include "study/dense.h"

#include "study/files.h"
#include "study/motions.h"

#include <math.h>

typedef struct DenseCount {
    uint64_t steps;
    double error; /* m: the largest of all frames */
} DenseCount;

static mote_Status count_steps(double fps, bool dense, DenseCount *count, mote_Error *error)
{
    const KnownMotion *motion = &motions[MOTION_KEPLER];
    mote_PointsSolver solver = mote_points_solver_def();
    mote_StepReport report;
    MotionRun run;
    solver.integrator = "dormand-prince", solver.dense = dense;
    solver.relative_tolerance = solver.absolute_tolerance = sizeof(mote_real) == 4 ? 1e-5 : 1e-8;
    mote_Status status = motion_begin_by(&run, motion, &solver, 1 / fps, 1e3, error);
    if (status != MOTE_OK) return status;
    *count = (DenseCount){0, 0};
    for (int i = 1; i <= (int)(motion->duration * fps) && status == MOTE_OK; ++i) {
        status = mote_world_step(run.world, &report, error);
        const MotionState now = motion_state(&run), exact = motion->exact(i / fps);
        double square = 0;
        for (int c = 0; c < 3; ++c) square += pow(now.x[c] - exact.x[c], 2);
        count->steps += report.accepted;
        count->error = fmax(count->error, sqrt(square));
    }
    motion_end(&run);
    return status;
}

static mote_Status print_dense(FILE *csv, mote_Error *error)
{
    static const double rates[] = {1, 10, 60, 250, 1000};
    printf("\nDense output: dormand-prince on the Kepler orbit for %g s, seen so many times a "
           "second.\n"
           "Cut: every frame ends a step. Dense: frames lie within steps, and are interpolated.\n\n"
           "%-6s %12s %12s   %12s %12s\n",
           motions[MOTION_KEPLER].duration, "fps", "steps, cut", "error (m)", "steps, dense",
           "error (m)");
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; ++i) {
        DenseCount cut, dense;
        mote_Status status = count_steps(rates[i], false, &cut, error);
        if (status == MOTE_OK) status = count_steps(rates[i], true, &dense, error);
        if (status != MOTE_OK) return status;
        printf("%-6g %12llu %12.1e   %12llu %12.1e\n", rates[i], (unsigned long long)cut.steps,
               cut.error, (unsigned long long)dense.steps, dense.error);
        if (csv != NULL)
            fprintf(csv, "%g,%llu,%.6g,%llu,%.6g\n", rates[i], (unsigned long long)cut.steps,
                    cut.error, (unsigned long long)dense.steps, dense.error);
    }
    return MOTE_OK;
}

mote_Status study_dense(const StudyOptions *options, mote_Error *error)
{
    return study_table(options, "dense", "fps,steps_cut,error_cut,steps_dense,error_dense",
                       print_dense, error);
}
