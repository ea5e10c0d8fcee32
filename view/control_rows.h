/* Controls by their tables: which objects of a scene have some, the rows that know them, and their
 * values in a scene, as text and in memory. */
#ifndef VIEW_CONTROL_ROWS_H
#define VIEW_CONTROL_ROWS_H

#include "text/json_read.h"

#include <mote/scene.h>

/* Objects of a scene, or parts of them, and the rows that know their parameters. */
typedef struct ControlGroup {
    const char *list;   /* key of the scene */
    const char *part;   /* key of its objects; NULL: themselves */
    const char *family; /* of their rows, by `type` */
    const char *object; /* the row of "objects", where there is no type */
    mote_ObjectKind kind;
    bool live; /* the running world takes new numbers */
} ControlGroup;

extern const ControlGroup control_groups[];
extern const size_t control_group_count;

/* The scene with its settings, as a tree to be freed; false when that fails. */
bool control_read_scene(mote_Scene *scene, Memory *memory, Json *json);
/* The text of an object's key; NULL when there is none. */
const char *control_text(const Node *object, const char *key);
/* An object, or its part; NULL when it has none. */
const Node *control_part(const ControlGroup *group, const Node *object);
/* Its row; NULL when the scene leaves it to a default. */
const mote_Row *control_row(const ControlGroup *group, const Node *part);

/* How the page knows the parameter's type, "number", "vector", ...; NULL: it has no control. */
const char *control_type(const mote_Param *param);
int control_numbers(const mote_Param *param); /* 1 or 3 */

/* What a scene says; false for what is no plain value: an expression, a colour by name. */
bool control_from_node(const mote_Param *param, const Node *node, double v[3]);
/* What a slider says: a number, three in brackets, true or false, or a choice; false for anything
 * else, and for what is out of the table's range. */
bool control_from_text(const mote_Param *param, const char *text, double v[3]);
/* Into the struct that the row describes. */
void control_write(const mote_Param *param, const double v[3], void *object);

#endif
