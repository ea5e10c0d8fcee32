/* Base types of mote: numbers, vectors, status and errors, memory, parameter tables.
 *
 * Two libraries come from one source: libmote computes in float, libmote-double in double. Define
 * MOTE_DOUBLE before including any header to use the second; every function is then renamed from
 * mote_... to moted_..., so a mix of header and library fails at link time. */
#ifndef MOTE_BASE_H
#define MOTE_BASE_H

#ifdef MOTE_DOUBLE
#include <mote/double_names.h>
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MOTE_API __attribute__((visibility("default")))
#else
#define MOTE_API
#endif

/* The version of these headers. */
#define MOTE_VERSION_MAJOR 0
#define MOTE_VERSION_MINOR 2
#define MOTE_VERSION_PATCH 1

/* The number type of the simulation: float, or double with MOTE_DOUBLE. */
#ifdef MOTE_DOUBLE
typedef double mote_real; /* with MOTE_DOUBLE */
#else
typedef float mote_real; /* without */
#endif

/* A vector in the scene's units, right-handed; plain data. */
typedef struct mote_Vec3 {
    mote_real x, y, z;
} mote_Vec3;

/* What came of a call that can fail for reasons outside the program. */
typedef enum mote_Status {
    MOTE_OK = 0,     /* all is well */
    MOTE_NO_MEMORY,  /* the allocator returned NULL */
    MOTE_BAD_VALUE,  /* a definition, a scene or a file holds a value that cannot be right */
    MOTE_DIVERGED,   /* the watchdog stopped the simulation: not finite, or runaway energy */
    MOTE_IO_FAILED,  /* a file could not be read or written */
    MOTE_CANCELLED,  /* the caller's cancel callback asked to stop */
    MOTE_UNAVAILABLE /* this build or this machine lacks what was asked for */
} mote_Status;

/* The longest message, with its end. */
enum { MOTE_MESSAGE_SIZE = 512 };

/* One sentence that says where, what and what would be right. Filled only on failure. */
typedef struct mote_Error {
    mote_Status status;
    char message[MOTE_MESSAGE_SIZE];
} mote_Error;

/* Definitions, mote_...Def, begin with their own size, so that the library knows which fields the
 * program's header had: begin with what the maker returns and change what differs. A definition of
 * an older header has defaults for what came later, and one that cannot be understood gives
 * MOTE_BAD_VALUE. A maker is compiled into the program and asks the library for as many bytes as
 * the program's struct has. */
#define MOTE_MAKER(Type, name)                                                                     \
    static inline Type name(void)                                                                  \
    {                                                                                              \
        Type def;                                                                                  \
        name##_init(&def, sizeof def);                                                             \
        return def;                                                                                \
    }

/* Memory. `resize` works like realloc with known sizes: old_size 0 allocates, new_size 0 frees and
 * returns NULL. Blocks are aligned to 64 bytes. It is called from one thread at a time per world,
 * and may return NULL, which becomes MOTE_NO_MEMORY. */
typedef struct mote_Allocator {
    void *(*resize)(void *context, void *block, size_t old_size, size_t new_size);
    void *context;
} mote_Allocator;

/* The allocator used where a definition leaves `resize` NULL: the C library's aligned memory. */
MOTE_API mote_Allocator mote_default_allocator(void);

/* Version of the library in use, for example "0.2.1"; lives as long as the program. */
MOTE_API const char *mote_version(void);

/* Number of bytes of mote_real in the library in use: 4 or 8. */
MOTE_API int mote_real_size(void);

/* The instruction set of the kernels that this machine and the MOTE_ISA environment variable
 * select: "baseline", "x86-64-v3" or "x86-64-v4". An unknown or unsupported MOTE_ISA is ignored
 * here and reported by mote_isa_check. */
MOTE_API const char *mote_isa_name(void);

/* MOTE_OK, or MOTE_UNAVAILABLE with a sentence when MOTE_ISA names a set this machine lacks. */
MOTE_API mote_Status mote_isa_check(mote_Error *error);

/* An expression of a scene that a row computes while it runs; see MOTE_PARAM_FORMULA. */
typedef struct mote_Formula mote_Formula;

/* ---- parameter tables: what a row of any family can be told --------------------------------- */

/* What a parameter is, and how it lies in the struct. */
typedef enum mote_ParamType {
    MOTE_PARAM_REAL,   /* mote_real */
    MOTE_PARAM_DOUBLE, /* double */
    MOTE_PARAM_COUNT,  /* uint64_t */
    MOTE_PARAM_BOOL,   /* bool */
    MOTE_PARAM_VEC3,   /* mote_Vec3 */
    MOTE_PARAM_COLOR,  /* mote_Vec3, linear RGB; a scene may write "#rrggbb" */
    MOTE_PARAM_CHOICE, /* int: index into `choices` */
    MOTE_PARAM_NAME, /* const char *: name of an object of kind `choices[0]`, or NULL, which stands
                        for `choices[1]`, where that is not NULL */
    MOTE_PARAM_MESH, /* const mote_Mesh *, or NULL; whoever copies it keeps the mesh */
    MOTE_PARAM_SHAPES,  /* const mote_Shapes *, or NULL: `min` to `max` shapes; kept likewise */
    MOTE_PARAM_FORMULA, /* const mote_Formula *, `max` of them one after another, each NULL or an
                           expression of `choices`; a scene's, and it lives as long as that */
    MOTE_PARAM_METHOD,  /* a row of the family `choices[2]`, named as by MOTE_PARAM_NAME, and behind
                         the  name a const void *: its parameters, or NULL, its defaults. In a scene
                         they  stand beside the name */
    MOTE_PARAM_TABLE    /* mote_Table; `min` and `max` are of its values. In a scene a list of
                         points, [[x, y], ...] */
} mote_ParamType;

enum { MOTE_TABLE_POINTS = 32 /* the most that a mote_Table has */ };

/* A function by some of its points: between them it is interpolated, beyond it is what it is at the
 * first and at the last. */
typedef struct mote_Table {
    uint64_t count;               /* of points, at most MOTE_TABLE_POINTS; 0: no table is meant */
    double at[MOTE_TABLE_POINTS]; /* ascending */
    double value[MOTE_TABLE_POINTS]; /* there */
} mote_Table;

/* One parameter: a key of the scene file, a line of the manual, a slider. */
typedef struct mote_Param {
    const char *name;
    const char *unit;           /* "" when it has none */
    const char *doc;            /* one sentence */
    mote_ParamType type;        /* what it is */
    double fallback[3];         /* default; [0] for scalars, booleans and choices */
    double min, max;            /* inclusive; a vector's components each; NaN is never allowed */
    const char *const *choices; /* NULL-terminated; see the types */
    size_t offset;              /* of the value inside the row's parameter struct */
} mote_Param;

/* What every row of every family has. */
typedef struct mote_Row {
    const char *name;
    const char *doc;          /* one sentence with its reference */
    const mote_Param *params; /* its table */
    size_t param_count;
    size_t params_size; /* bytes of the parameter struct */
    size_t definition;  /* bytes of the definition that it begins with; 0: it is none */
} mote_Row;

/* A parameter table's defaults, written to the struct at `params` (row->params_size bytes). */
MOTE_API void mote_row_defaults(const mote_Row *row, void *params);

/* MOTE_OK when every value at `params` lies in its range. `where` starts the message. */
MOTE_API mote_Status mote_row_check(const mote_Row *row, const char *where, const void *params,
                                    mote_Error *error);

#ifdef __cplusplus
}
#endif
#endif
