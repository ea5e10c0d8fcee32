/* Parameter tables of rows: declaring, reading, writing and checking parameters.
 *
 * A row's table is written once, with the PARAM macros, next to its callbacks; scene keys, range
 * checks, help and manual come from it. */
#ifndef BASE_ROW_H
#define BASE_ROW_H

#include <mote/base.h>

/* A minimum that excludes zero. */
#define PARAM_POSITIVE 1e-300
#define PARAM_NO_LIMIT __builtin_huge_val()
/* The largest finite value: infinities are wrong nearly everywhere. */
#define PARAM_LARGEST 3.0e38

#define PARAM_AT(S, member) .name = #member, .offset = offsetof(S, member)

/* The same under another key than the member's name. */
#define PARAM_KEY(key, S, member) .name = key, .offset = offsetof(S, member)

#define PARAM_REAL(S, member, unit_, doc_, fallback_, min_, max_)                                  \
    {                                                                                              \
        PARAM_AT(S, member), .unit = unit_, .doc = doc_, .type = MOTE_PARAM_REAL,                  \
                             .fallback = {fallback_}, .min = min_, .max = max_                     \
    }
#define PARAM_REAL_KEY(key, S, member, unit_, doc_, fallback_, min_, max_)                         \
    {                                                                                              \
        PARAM_KEY(key, S, member), .unit = unit_, .doc = doc_, .type = MOTE_PARAM_REAL,            \
                                   .fallback = {fallback_}, .min = min_, .max = max_               \
    }
#define PARAM_DOUBLE(S, member, unit_, doc_, fallback_, min_, max_)                                \
    {                                                                                              \
        PARAM_AT(S, member), .unit = unit_, .doc = doc_, .type = MOTE_PARAM_DOUBLE,                \
                             .fallback = {fallback_}, .min = min_, .max = max_                     \
    }
#define PARAM_COUNT(S, member, doc_, fallback_, min_, max_)                                        \
    {                                                                                              \
        PARAM_AT(S, member), .unit = "", .doc = doc_, .type = MOTE_PARAM_COUNT,                    \
                             .fallback = {fallback_}, .min = min_, .max = max_                     \
    }
#define PARAM_BOOL(S, member, doc_, fallback_)                                                     \
    {                                                                                              \
        PARAM_AT(S, member), .unit = "", .doc = doc_, .type = MOTE_PARAM_BOOL,                     \
                             .fallback = {fallback_}, .min = 0, .max = 1                           \
    }
#define PARAM_VEC3(S, member, unit_, doc_, x_, y_, z_)                                             \
    {                                                                                              \
        PARAM_AT(S, member), .unit = unit_, .doc = doc_, .type = MOTE_PARAM_VEC3,                  \
                             .fallback = {x_, y_, z_}, .min = -PARAM_LARGEST, .max = PARAM_LARGEST \
    }
#define PARAM_COLOR(S, member, doc_, r_, g_, b_)                                                   \
    {                                                                                              \
        PARAM_AT(S, member), .unit = "", .doc = doc_, .type = MOTE_PARAM_COLOR,                    \
                             .fallback = {r_, g_, b_}, .min = 0, .max = PARAM_LARGEST              \
    }
#define PARAM_COLOR_KEY(key, S, member, doc_, r_, g_, b_)                                          \
    {                                                                                              \
        PARAM_KEY(key, S, member), .unit = "", .doc = doc_, .type = MOTE_PARAM_COLOR,              \
                                   .fallback = {r_, g_, b_}, .max = PARAM_LARGEST                  \
    }
/* A choice among a NULL-terminated list; the list's length limits it. */
#define PARAM_CHOICE(S, member, doc_, choices_, fallback_)                                         \
    {                                                                                              \
        PARAM_AT(S, member),                                                                       \
            .unit = "", .doc = doc_, .type = MOTE_PARAM_CHOICE, .fallback = {fallback_}, .min = 0, \
            .max = (double)(sizeof(choices_) / sizeof((choices_)[0])) - 2, .choices = choices_     \
    }
/* The name of another object or row; kind_ is a NULL-terminated list of its kind, for messages, and
 * of the row that is taken when there is no name. */
#define PARAM_NAME(S, member, doc_, kind_)                                                         \
    {                                                                                              \
        PARAM_AT(S, member), .unit = "", .doc = doc_, .type = MOTE_PARAM_NAME, .choices = kind_    \
    }

/* A row of another family, with its parameters in member_params, which stands behind the name;
 * kind_ lists its kind, the row that is taken when there is no name, and the family. */
#define PARAM_METHOD(S, member, doc_, kind_)                                                       \
    {                                                                                              \
        .name = #member, .offset = offsetof(S, member) * PARAM_METHOD_FITS(S, member), .unit = "", \
        .doc = doc_, .type = MOTE_PARAM_METHOD, .choices = kind_                                   \
    }
#define PARAM_METHOD_FITS(S, member)                                                               \
    sizeof(char[offsetof(S, member##_params) == offsetof(S, member) + sizeof(char *) ? 1 : -1])

/* A mesh, const mote_Mesh *. */
#define PARAM_MESH(S, member, doc_)                                                                \
    {                                                                                              \
        PARAM_AT(S, member), .unit = "", .doc = doc_, .type = MOTE_PARAM_MESH                      \
    }
/* Posed shapes, const mote_Shapes *: min_ to max_ of them. */
#define PARAM_SHAPES(S, member, doc_, min_, max_)                                                  \
    {                                                                                              \
        PARAM_AT(S, member), .unit = "", .doc = doc_, .type = MOTE_PARAM_SHAPES, .min = min_,      \
                             .max = max_                                                           \
    }

/* `count_` expressions of names_ (a NULL-terminated list, one a slot), const mote_Formula *[];
 * columns_: and of the columns that the scene's systems have. */
#define PARAM_FORMULA(S, member, unit_, doc_, count_, names_, columns_)                            \
    {                                                                                              \
        PARAM_AT(S, member), .unit = unit_, .doc = doc_, .type = MOTE_PARAM_FORMULA,               \
                             .min = columns_, .max = count_, .choices = names_                     \
    }

/* Points of a function, whose values are in these bounds; there are none at first. */
#define PARAM_TABLE(S, member, unit_, doc_, min_, max_)                                            \
    {                                                                                              \
        PARAM_AT(S, member), .unit = unit_, .doc = doc_, .type = MOTE_PARAM_TABLE, .min = min_,    \
                             .max = max_                                                           \
    }

/* The `head` of a row whose parameters are `table` (an array) in struct S. */
#define ROW_HEAD(name_, doc_, table, S)                                                            \
    {                                                                                              \
        .name = name_, .doc = doc_, .params = table,                                               \
        .param_count = sizeof(table) / sizeof((table)[0]), .params_size = sizeof(S)                \
    }

/* Of a row without parameters. */
#define ROW_PLAIN(name_, doc_)                                                                     \
    {                                                                                              \
        .name = name_, .doc = doc_                                                                 \
    }

/* Of a row whose struct S begins with the definition D. */
#define ROW_DEFINITION(name_, doc_, table, S, D)                                                   \
    {                                                                                              \
        .name = name_, .doc = doc_, .params = table,                                               \
        .param_count = sizeof(table) / sizeof((table)[0]), .params_size = sizeof(S),               \
        .definition = sizeof(D)                                                                    \
    }

/* Defines a public function that returns the defaults of the row with that head. */
#define ROW_DEFAULTS(head, S, function)                                                            \
    S function(void)                                                                               \
    {                                                                                              \
        S def;                                                                                     \
        mote_row_defaults(&head, &def);                                                            \
        return def;                                                                                \
    }
/* Those of a whole list of X(row, struct, function). */
#define ROW_DEFAULTS_FUNCTION(row, S, function) ROW_DEFAULTS(row##_v1.head, S, function)
#define ROW_DEFAULTS_FUNCTIONS(LIST)            LIST(ROW_DEFAULTS_FUNCTION)

struct Memory;

/* What every object of a world starts with. */
typedef struct Object {
    char *name;
    void *params; /* struct of its row */
    size_t params_size;
    const mote_Row *row; /* once it owns what its parameters point to */
    /* Gives back what the object holds beyond these; NULL: nothing. */
    void (*release)(struct Memory *memory, void *object);
} Object;

/* The row of that name, or NULL. */
const mote_Row *row_named(const mote_Row *const *rows, size_t count, const char *name);
/* The same, with a message that names what is near: "where: unknown force `grvity`; did you mean
 * `gravity`?". */
const mote_Row *row_find(const mote_Row *const *rows, size_t count, const char *where,
                         const char *kind, const char *name, mote_Error *error);

/* True for names, methods, meshes, shapes and formulas, which are pointers, and for tables: they
 * have no value in one to three numbers. */
static inline bool param_is_reference(const mote_Param *param)
{
    return param->type == MOTE_PARAM_NAME || param->type == MOTE_PARAM_METHOD ||
           param->type == MOTE_PARAM_MESH || param->type == MOTE_PARAM_SHAPES ||
           param->type == MOTE_PARAM_FORMULA || param->type == MOTE_PARAM_TABLE;
}

static inline int param_components(const mote_Param *param)
{
    return param->type == MOTE_PARAM_VEC3 || param->type == MOTE_PARAM_COLOR ? 3 : 1;
}

/* A reference is set to NULL, a table to no points, and both are read as 0. */
void param_write(const mote_Param *param, const double value[3], void *params);
void param_read(const mote_Param *param, const void *params, double value[3]);
mote_Status param_check(const mote_Param *param, const char *where, const double value[3],
                        mote_Error *error);
/* Whether point i may follow those before it: "viscosities is 0 at 300, but must be ...". */
mote_Status param_check_point(const mote_Param *param, const char *where, const mote_Table *table,
                              size_t i, mote_Error *error);
/* "between 0 and 1", "greater than 0 kg". */
void param_range_text(const mote_Param *param, char *text, size_t size);

/* What the host has to give: `what` is "a callback force needs an accelerate function". */
mote_Status row_check_given(bool given, const char *what, const char *where, mote_Error *error);
/* Fails, naming the key, when a parameter that must be a direction is zero. */
mote_Status row_check_direction(mote_Vec3 value, const char *key, const char *where,
                                mote_Error *error);

#endif
