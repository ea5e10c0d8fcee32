/* A field's value at a point. */
#include "probes/probe.h"

static const char *const field_kind[] = {"field", NULL};

static const mote_Param params[] = {
    PARAM_NAME(mote_FieldProbe, field, "the field", field_kind),
    PARAM_VEC3(mote_FieldProbe, at, "m", "where", 0, 0, 0),
};
static const mote_ProbeColumn scalar[] = {{"value", ""}};
static const mote_ProbeColumn vector[] = {{"x", ""}, {"y", ""}, {"z", ""}};

static mote_Status open(Probe *probe, const char *where, mote_Error *error)
{
    (void)where, (void)error;
    bool flat = probe->field->row->components == 1;
    probe->columns = flat ? scalar : vector;
    probe->column_count = flat ? 1 : 3;
    return MOTE_OK;
}

static bool sample(Probe *probe, const ProbeSite *site, double *values)
{
    const mote_FieldProbe *p = probe->object.params;
    mote_real out[3] = {0};
    const FieldPoints points = {.count = 1, .x = {&p->at.x, &p->at.y, &p->at.z}, .t = site->t};
    field_sample(probe->field, &points, (mote_real *const[3]){&out[0], &out[1], &out[2]});
    for (size_t c = 0; c < probe->column_count; ++c) values[c] = (double)out[c];
    return true;
}

const ProbeRow probe_field = {
    .head = ROW_HEAD("field", "a field's value at a point", params, mote_FieldProbe),
    PROBE_COLUMNS(vector),
    .open = open,
    .sample = sample,
};
