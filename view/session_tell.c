/* What clients are told, as JSON: {"is": "state", ...}. */
#include "view/session_own.h"

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
    const Controls controls = session_controls(session);
    if (session->source->change != NULL && session->scene != NULL) controls_put(&controls, &json);
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

void put_samples(JsonWriter *json, const mote_ProbeSamples *samples)
{
    const size_t every = samples->count / PLOT_SAMPLES + 1;
    json_begin(json, NULL, '{');
    json_put_text(json, "name", samples->name != NULL ? samples->name : "");
    json_put_text(json, "type", samples->type != NULL ? samples->type : "");
    json_begin(json, "times", '[');
    for (size_t i = 0; i < samples->count; i += every) picked_put_number(json, samples->times[i]);
    json_finish(json, ']');
    json_begin(json, "columns", '[');
    for (size_t c = 0; c < samples->column_count; ++c) {
        json_begin(json, NULL, '{');
        json_put_text(json, "name", samples->columns[c].name);
        json_put_text(json, "unit", samples->columns[c].unit);
        json_begin(json, "values", '[');
        for (size_t i = 0; i < samples->count; i += every)
            picked_put_number(json, samples->values[i * samples->column_count + c]);
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

void tell_picked(ViewSession *session, uint64_t client)
{
    JsonWriter json = begin(session, "picked");
    picked_put(&session->picked, session->frame, &json);
    send(session, client, &json);
}
