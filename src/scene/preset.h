/* Presets: parts of a scene that go by a name, written in the language of scenes. */
#ifndef SCENE_PRESET_H
#define SCENE_PRESET_H

#include "scene/scene.h"

#include "base/isa.h"

/* Families: looks ("sparks", "smoke", ...) and skies ("dusk", "day", ...). */
const mote_Row *const *look_presets(Isa isa, size_t *count);
const mote_Row *const *sky_presets(Isa isa, size_t *count);

typedef const mote_Row *const *PresetTable(Isa isa, size_t *count);

/* The object that `node` says: a name of a preset, or an object whose members stand over those of
 * the preset that its `preset` names. NULL: an empty object. *preset: the row, or NULL. */
const Node *preset_object(mote_Scene *scene, const Node *node, PresetTable *table, const char *what,
                          const mote_Row **preset);

/* The look of that name; an empty object for NULL. */
const Node *preset_look(mote_Scene *scene, const char *name);

/* What a sky brings to `render`: its lights and ambient light; an empty object for NULL. */
const Node *preset_render(mote_Scene *scene, const mote_Row *sky);

#endif
