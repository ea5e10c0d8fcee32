/* What clients are told, as JSON: {"is": "state", ...}. */
#include "view/session_own.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static JsonWriter begin(ViewSession *session, const char *is)
{
    JsonWriter json = json_writer(&session->memory);
    json_begin(&json, NULL, '{');
    json_put_text(&json, "is", is);
    return json;
}

static void send(ViewSession *session, uint64_t client, JsonWriter *json)
{
    json_finish(json, '}');
    if (!json->failed) post_text(session->def.post, client, json->text);
    json_writer_free(json);
}

void tell_state(ViewSession *session, uint64_t client)
{
    uint64_t first, last;
    JsonWriter json = begin(session, "state");
    session->source->span(session, &first, &last);
    json_put_text(&json, "source", session->source->name);
    json_put_text(&json, "name", session->name);
    json_put_bool(&json, "running", session->running);
    json_put_bool(&json, "filming", session->video != NULL);
    json_put_u64(&json, "frame", session->shown);
    json_put_double(&json, "time", session->time);
    json_put_u64(&json, "first", first);
    json_put_u64(&json, "last", last);
    json_put_u64(&json, "planned", session->info.frames);
    json_put_double(&json, "fps", session->info.fps);
    json_put_double(&json, "speed", session->speed);
    json_put_u64(&json, "particles", session->particles);
    json_put_double(&json, "step", session->step_seconds);
    json_put_text(&json, "note", session->note);
    send(session, client, &json);
}

void tell_controls(ViewSession *session, uint64_t client)
{
    JsonWriter json = begin(session, "controls");
    json_begin(&json, "groups", '[');
    if (session->source->change != NULL && session->scene != NULL) controls_put(session, &json);
    json_finish(&json, ']');
    json_put_bool(&json, "changed", session->setting_count > session->given);
    send(session, client, &json);
}

void tell_scene(ViewSession *session, uint64_t client, const char *outcome)
{
    JsonWriter json = begin(session, "scene");
    json_put_text(&json, "name", session->name);
    json_put_text(&json, "path", session->path);
    json_put_text(&json, "text", session->text != NULL ? session->text : "");
    json_put_bool(&json, "editable", session->source == &source_live);
    json_put_bool(&json, "file", session->written != NULL);
    if (outcome != NULL) json_put_text(&json, "outcome", outcome);
    send(session, client, &json);
}

void tell_messages(ViewSession *session, uint64_t client, const char *text, const char *outcome)
{
    JsonWriter json = begin(session, "messages");
    json_put_text(&json, "text", text);
    if (outcome != NULL) json_put_text(&json, "outcome", outcome);
    send(session, client, &json);
}

void tell_note(ViewSession *session, uint64_t client, const char *text)
{
    JsonWriter json = begin(session, "note");
    json_put_text(&json, "text", text);
    send(session, client, &json);
}

void tell_file(ViewSession *session, uint64_t client, const char *name)
{
    JsonWriter json = begin(session, "file");
    json_put_text(&json, "name", name);
    send(session, client, &json);
}

void tell_hash(ViewSession *session, uint64_t client)
{
    JsonWriter json = begin(session, "hash");
    json_put_u64(&json, "frame", session->shown);
    json_put_hash(&json, "hash", session->frame != NULL ? mote_frame_hash(session->frame) : 0);
    send(session, client, &json);
}

/* ---- probes ---- */

enum { PLOT_SAMPLES = 400 };

static void put_number(JsonWriter *json, double value)
{
    if (isfinite(value))
        json_put_double(json, NULL, value);
    else
        json_put_text(json, NULL, isinf(value) ? "∞" : ""); /* what JSON lacks */
}

void put_samples(JsonWriter *json, const mote_ProbeSamples *samples)
{
    const size_t every = samples->count / PLOT_SAMPLES + 1;
    json_begin(json, NULL, '{');
    json_put_text(json, "name", samples->name != NULL ? samples->name : "");
    json_put_text(json, "type", samples->type != NULL ? samples->type : "");
    json_begin(json, "times", '[');
    for (size_t i = 0; i < samples->count; i += every) put_number(json, samples->times[i]);
    json_finish(json, ']');
    json_begin(json, "columns", '[');
    for (size_t c = 0; c < samples->column_count; ++c) {
        json_begin(json, NULL, '{');
        json_put_text(json, "name", samples->columns[c].name);
        json_put_text(json, "unit", samples->columns[c].unit);
        json_begin(json, "values", '[');
        for (size_t i = 0; i < samples->count; i += every)
            put_number(json, samples->values[i * samples->column_count + c]);
        json_finish(json, ']');
        json_finish(json, '}');
    }
    json_finish(json, ']');
    json_finish(json, '}');
}

void tell_probes(ViewSession *session, uint64_t client)
{
    JsonWriter json = begin(session, "probes");
    json_begin(&json, "probes", '[');
    session->source->probes(session, &json);
    json_finish(&json, ']');
    send(session, client, &json);
}

/* ---- the particle that is looked at ---- */

static double value_of(const mote_Column *column, size_t at)
{
    if (column->type == MOTE_COLUMN_REAL) return (double)((const mote_real *)column->data)[at];
    if (column->type == MOTE_COLUMN_DOUBLE) return ((const double *)column->data)[at];
    if (column->type == MOTE_COLUMN_U32) return (double)((const uint32_t *)column->data)[at];
    return (double)((const uint64_t *)column->data)[at];
}

static size_t find_row(const mote_FrameSystem *system, uint64_t id)
{
    const mote_Column *ids = mote_frame_column(system, "id");
    const uint64_t *all = ids != NULL && ids->type == MOTE_COLUMN_U64 ? ids->data : NULL;
    for (size_t i = 0; all != NULL && i < system->count; ++i)
        if (all[i] == id) return i;
    return SIZE_MAX;
}

static void put_columns(JsonWriter *json, const mote_FrameSystem *system, size_t row)
{
    json_begin(json, "columns", '[');
    for (size_t c = 0; c < system->column_count; ++c) {
        const mote_Column *column = &system->columns[c];
        json_begin(json, NULL, '{');
        json_put_text(json, "name", column->name);
        json_put_text(json, "unit", column->unit);
        json_begin(json, "values", '[');
        for (int k = 0; k < column->components; ++k)
            put_number(json, value_of(column, (size_t)k * column->stride + row));
        json_finish(json, ']');
        json_finish(json, '}');
    }
    json_finish(json, ']');
}

void tell_picked(ViewSession *session, uint64_t client)
{
    const bool some = session->picked[0] != '\0' && session->frame != NULL;
    const mote_FrameSystem *system =
        some ? mote_frame_system(session->frame, session->picked) : NULL;
    const size_t row = system != NULL ? find_row(system, session->picked_id) : SIZE_MAX;
    JsonWriter json = begin(session, "picked");
    json_put_text(&json, "system", session->picked);
    json_put_u64(&json, "id", session->picked_id);
    json_put_bool(&json, "there", row != SIZE_MAX);
    if (row != SIZE_MAX) put_columns(&json, system, row);
    send(session, client, &json);
}
