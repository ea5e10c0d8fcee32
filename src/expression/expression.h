/* Expressions: the texts that start with "=" in a scene.
 *
 *     condition ? a : b      lowest; right to left
 *     ||   &&                1 or 0
 *     == !=   < <= > >=      1 or 0; not chained
 *     + -   * / %            % is C's fmod; mod() is x - y floor(x / y)
 *     -x +x !x
 *     ^                      power, right to left: -2^2 is -4, 2^-1 is 0.5
 *
 * Everything is a double; both sides of ?:, && and || are computed. Division by zero gives
 * infinity. Compiled once to a stack program with constants folded, run over blocks of rows. */
#ifndef EXPRESSION_EXPRESSION_H
#define EXPRESSION_EXPRESSION_H

#include "text/store.h"

enum {
    EXPRESSION_LONGEST = 4096, /* bytes of text */
    EXPRESSION_DEEPEST = 64,   /* nested brackets, signs, powers, conditions */
    EXPRESSION_STEPS = 512,    /* of the program */
    EXPRESSION_STACK = 32,     /* values at a time */
    EXPRESSION_SLOTS = 64
};

/* A name that an expression may use: a constant, a text, or the value of a slot. Names may hold
 * dots between words: position.x */
typedef struct ExpressionName {
    const char *name;
    double value;     /* of a constant */
    const char *text; /* not NULL: a text, which no arithmetic may use */
    int slot;         /* 0 to EXPRESSION_SLOTS - 1, or EXPRESSION_CONSTANT */
} ExpressionName;

enum { EXPRESSION_CONSTANT = -1 };

/* The slots of the variables that every expression of a scene may use; columns of particles come
 * behind them. */
enum { SLOT_T, SLOT_FRAME, SLOT_FIRST_COLUMN };

/* Names; where one occurs in both, the inner scope's counts. */
typedef struct ExpressionScope {
    const ExpressionName *names;
    size_t count;
    const struct ExpressionScope *outer; /* NULL: none */
} ExpressionScope;

const ExpressionName *expression_name(const ExpressionScope *scope, const char *name,
                                      size_t length);
/* True for functions and for pi, tau and e, which no name can replace. */
bool expression_is_reserved(const char *name);

typedef struct ExpressionStep {
    uint16_t op;   /* see op.h */
    uint16_t slot; /* of EXPRESSION_OP_SLOT */
    double value;  /* of EXPRESSION_OP_CONSTANT */
} ExpressionStep;

typedef struct Expression {
    const ExpressionStep *steps;
    size_t count;
    uint64_t slots; /* bit i: slot i is used */
    double value;   /* of a constant expression */
    bool constant;
} Expression;

/* What is wrong with an expression: bytes [at, at + length) of its text. */
typedef struct ExpressionError {
    size_t at, length;
    char message[160];
    char hint[320]; /* "": none */
} ExpressionError;

/* Compiles `text`, without its "=". The expression lives in the store. MOTE_BAD_VALUE with `error`
 * filled, or MOTE_NO_MEMORY. */
mote_Status expression_compile(Store *store, const char *text, const ExpressionScope *scope,
                               Expression *expression, ExpressionError *error);

/* The value for values[i] in slot i. */
double expression_value(const Expression *expression, const double *values);

/* The values of one slot for rows. */
typedef enum PlaneType { PLANE_ONE_VALUE, PLANE_FLOAT, PLANE_DOUBLE, PLANE_U64 } PlaneType;

typedef struct ExpressionPlane {
    PlaneType type;
    double value;     /* PLANE_ONE_VALUE: the same in every row */
    const void *data; /* the others: one number a row */
} ExpressionPlane;

/* count rows of a plane, from `first` on, as doubles. */
void expression_load(const ExpressionPlane *plane, size_t first, size_t count, double *out);

/* out[i] for rows 0 to count - 1, with planes[s] for slot s. Bit for bit what expression_value
 * gives for each row. May be called for the same expression from several threads. */
void expression_rows(const Expression *expression, const ExpressionPlane *planes, size_t count,
                     double *out);

#endif
