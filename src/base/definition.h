/* Definitions of programs that were built against other headers than the library.
 *
 * Every public definition struct begins with its own size, which its maker sets. Fields are only
 * ever appended, so the struct of an older header is the start of the present one. */
#ifndef BASE_DEFINITION_H
#define BASE_DEFINITION_H

#include <mote/base.h>

typedef struct Definition {
    const char *name; /* "mote_WorldDef" */
    size_t size;      /* bytes, now */
    size_t oldest;    /* bytes that it had when it began with its size first: less is refused */
} Definition;

#define DEFINITION(Type) ((Definition){#Type, sizeof(Type), sizeof(Type)})
/* Of a struct that has grown: `member` is the first that was appended. */
#define DEFINITION_SINCE(Type, member) ((Definition){#Type, sizeof(Type), offsetof(Type, member)})

/* Defines the function behind a public maker; defaults() gives the whole struct. */
#define DEFINITION_MAKER(Type, maker, defaults)                                                    \
    void maker##_init(Type *def, size_t size)                                                      \
    {                                                                                              \
        const Type own = defaults();                                                               \
        definition_make(DEFINITION(Type), &own, def, size);                                        \
    }

/* Begins a public function that takes a definition `given`: declares `def`, which is whole, or
 * returns why there is none. */
#define DEFINITION_TAKE(Type, maker)                                                               \
    Type complete = maker();                                                                       \
    const Type *const def = &complete;                                                             \
    const mote_Status taken = definition_take(DEFINITION(Type), given, &complete, error);          \
    if (taken != MOTE_OK) return taken

/* Writes `size` bytes, those of the program's struct, and no more. */
void definition_make(Definition kind, const void *defaults, void *def, size_t size);

/* Lays what the program gave (NULL: nothing) over `whole`, which holds the defaults. MOTE_BAD_VALUE
 * when the size is none that this library knows; the message says which side is older. */
mote_Status definition_take(Definition kind, const void *given, void *whole, mote_Error *error);

#endif
