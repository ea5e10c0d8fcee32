/* What a device did, compared with the processor (--check-device). */
#include "solvers/sph/device.h"

#include "base/status.h"

#include <string.h>

/* Every bit; but what is no number is none, whatever its bits. */
static bool same(const mote_real *a, const mote_real *b, size_t count)
{
    if (memcmp(a, b, count * sizeof *a) == 0) return true;
    for (size_t i = 0; i < count; ++i)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && (a[i] == a[i] || b[i] == b[i])) return false;
    return true;
}

static mote_Status differs(const SphStep *step, const char *what, mote_Error *error)
{
    const SolverStep *outer = step->outer;
    return status_fail(error, MOTE_UNAVAILABLE,
                       "system %s: device `%s` has other bits than the processor in %s of sub-step "
                       "%llu (t = %g s); frames since the last comparison may be wrong, too: run "
                       "them again with --device cpu",
                       sph_name(step), mote_device_info(step->state->device->device)->name, what,
                       (unsigned long long)outer->number, outer->t);
}

static bool is_due(const SphStep *step)
{
    return device_is_verified(step->state->device->device, step->outer->number);
}

mote_Status sph_verify_find(const SphStep *step, mote_Error *error)
{
    SphStep host = *step;
    if (!is_due(step)) return MOTE_OK;
    const mote_Status status = sph_host_backend.find(&host, error);
    if (status != MOTE_OK) return status;
    if (host.pairs != step->pairs || !same(host.sums, step->sums, step->rows))
        return differs(step, "neighbours", error);
    return MOTE_OK;
}

/* A plane of its own, with what is there. */
static mote_real *copied(const SphStep *step, const mote_real *plane)
{
    mote_real *copy = sph_plane(step);
    if (copy != NULL) memcpy(copy, plane, step->rows * sizeof *plane);
    return copy;
}

mote_Status sph_begin_check(SphStep *step, const ForceInput *input, ForceCheck *check,
                            mote_Error *error)
{
    ForceInput *own = &check->input;
    *check = (ForceCheck){.input = *input, .due = is_due(step)};
    if (!check->due) return MOTE_OK;
    bool room = true;
    own->largest = NULL;
    for (int c = 0; c < 3; ++c) {
        own->a[c] = copied(step, input->a[c]);
        own->excess[c] = sph_plane(step);
        room = room && own->a[c] != NULL && own->excess[c] != NULL;
    }
    if (input->rate != NULL) own->rate = sph_plane(step), room = room && own->rate != NULL;
    return room ? sph_host_backend.forces(step, own, error) : sph_no_memory(step, error);
}

mote_Status sph_end_check(SphStep *step, const ForceInput *input, const ForceCheck *check,
                          mote_Error *error)
{
    const ForceInput *own = &check->input;
    const size_t rows = step->rows;
    bool good = true;
    if (!check->due) return MOTE_OK;
    for (int c = 0; c < 3; ++c) {
        good = good && same(own->a[c], input->a[c], rows);
        if (input->law.xsph > 0) good = good && same(own->excess[c], input->excess[c], rows);
    }
    if (input->rate != NULL) good = good && same(own->rate, input->rate, rows);
    return good ? MOTE_OK : differs(step, "accelerations", error);
}
