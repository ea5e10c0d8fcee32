/* Reading values out of nodes: types, ranges and units are checked, and what is wrong is added to
 * the diagnostics. Every function returns true when it gave a value; false when it reported an
 * error (or ran out of memory: reader_failed). So a caller may go on and collect all errors. */
#ifndef SCENE_READER_H
#define SCENE_READER_H

#include "base/memory.h"
#include "base/row.h"
#include "expression/formula.h"
#include "text/json5.h"

#include <mote/render.h>
#include <mote/shapes.h>

/* Meshes, shapes and pictures that a scene's parameters point to; they live as long as the
 * document. */

typedef struct Share {
    const mote_Mesh *mesh; /* or */
    const mote_Shapes *shapes;
    mote_Image *image;
    const char *file;  /* the mesh's; NULL: none */
    const char *how;   /* with what the file was read */
    uint64_t contents; /* hash of the file */
    struct Share *next;
} Share;

/* A text that names a file. */
typedef struct FileName {
    const Node *node;
    const char *path; /* where the file is, from the root */
    struct FileName *next;
} FileName;

typedef struct Shares {
    Memory *memory;
    Share *first;
    FileName *names;
} Shares;

/* The path of the file that the node names; NULL: it names none. */
const char *shares_path(const Shares *shares, const Node *node);

void shares_release(Shares *shares);

typedef struct Reader {
    Store *store;             /* texts and compiled expressions; lives as long as the document */
    Diagnostics *diagnostics; /* where errors go */
    const ExpressionScope *scope;
    int dimension;              /* of the world: with 2, a vector may have two numbers */
    Shares *shares;             /* what parameters point to */
    const char *const *columns; /* that systems have beside the built-in ones, for formulas; ended
                                   by NULL. NULL: none */
} Reader;

/* True after an allocation failed: values read since then may be missing. */
bool reader_failed(const Reader *reader);

/* ---- one value; the node may be a constant expression "=..." ---- */

/* `unit`: shown when something else is found; "" for none. */
bool node_number(const Reader *reader, const Node *node, const char *unit, double *value);
/* A whole number from 0 to 2^53. */
bool node_count(const Reader *reader, const Node *node, uint64_t *value);
bool node_bool(const Reader *reader, const Node *node, bool *value);
/* Text that lives as long as the document; "=name" gives a param that is a text. */
bool node_text(const Reader *reader, const Node *node, const char **value);
/* One of the names, as its index; `what` is the noun for messages: "integrator". */
bool node_choice(const Reader *reader, const Node *node, const char *what, NameList names,
                 size_t *index);
/* A list of `least` to `most` numbers. */
bool node_numbers(const Reader *reader, const Node *node, const char *unit, size_t least,
                  size_t most, double *values, size_t *count);
/* [r, g, b], linear, or "#rrggbb", sRGB (IEC 61966-2-1), which becomes linear. */
bool node_color(const Reader *reader, const Node *node, double value[3]);

/* A mesh: a file's name, relative to the file that says it, or an object with `file`, `points`,
 * `planes`, or `vertices` and `triangles`, and options. It lives as long as the document. */
bool node_mesh(const Reader *reader, const Node *node, const mote_Mesh **mesh);
/* Shapes with their places, as many as the parameter allows; an object is a list of one. */
bool node_shapes(const Reader *reader, const Node *node, const mote_Param *param,
                 const mote_Shapes **shapes);
/* A picture in linear light: the name of an OpenEXR file, relative to the file that says it. It
 * lives as long as the document. */
bool node_image(const Reader *reader, const Node *node, const mote_Image **image);
/* The document becomes an owner instead of the caller. */
bool reader_keep_shapes(const Reader *reader, const mote_Shapes *shapes);

/* ---- expressions ---- */

/* True for a text that starts with "=". */
bool node_is_expression(const Node *node);
/* Compiles a number or an expression; a number becomes a constant. */
bool node_expression(const Reader *reader, const Node *node, const char *unit,
                     Expression *expression);
/* The same as a formula of the parameter's names, which rows compute while they run. */
bool node_formula(const Reader *reader, const Node *node, const mote_Param *param,
                  const mote_Formula **formula);

/* ---- objects ---- */

/* Reports a node of another type. */
bool node_expect(const Reader *reader, const Node *node, NodeType type);
/* The member, or NULL with a report that it is missing. */
const Node *node_require(const Reader *reader, const Node *object, const char *key);
/* Reports the keys of an object that are in neither list; either may be empty (name NULL). */
bool node_check_keys(const Reader *reader, const Node *object, const char *what, NameList allowed,
                     NameList also);

/* ---- parameter tables ---- */

/* The i-th key that an object of this row may have: its own parameters, then those of the rows that
 * its methods choose from, each name once; NULL behind the last. */
const mote_Param *row_key(const mote_Row *row, size_t i);

/* A component of a parameter that is computed at every sub-step. */
typedef struct ParamBinding {
    const mote_Param *param;
    int component;
    Expression expression;
    Place place;
    struct ParamBinding *next;
} ParamBinding;

typedef struct ParamBindings {
    ParamBinding *first, *last;
    size_t count;
} ParamBindings;

/* Fills the parameter struct of `row` (row->params_size bytes at `params`): the defaults, then what
 * the object says. Keys in `others` (NULL-terminated, may be NULL) belong to somebody else. Names
 * point into the document. Expressions that are not constant are appended to `bindings`, in REAL,
 * DOUBLE, VEC3 and COLOR parameters; bindings NULL: nothing may vary. */
bool params_from_node(const Reader *reader, const mote_Row *row, const Node *object,
                      const char *const *others, void *params, ParamBindings *bindings);

/* Computes the value for values[i] in slot i, checks its range and writes it to `params`. */
mote_Status binding_apply(const ParamBinding *binding, const double *values, void *params,
                          mote_Error *error);

#endif
