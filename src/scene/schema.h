/* Writing the JSON schema of scenes. */
#ifndef SCENE_SCHEMA_H
#define SCENE_SCHEMA_H

#include "scene/scene.h"

typedef struct Writer {
    TextBuffer *out;
    const mote_Scene *scene; /* for the names of kinds */
} Writer;

void schema_write_text(const Writer *w, const char *text);
/* A member's key, behind a comma unless it is the first. */
void schema_write_key(const Writer *w, const char *key, bool *first);
/* All parameters of a table as members; row NULL: none. */
void schema_write_params(const Writer *w, const mote_Row *row, bool *first);

#endif
