/* The expression compiler's insides: the program under construction, names, errors. */
#ifndef EXPRESSION_COMPILER_H
#define EXPRESSION_COMPILER_H

#include "expression/expression.h"
#include "expression/op.h"

typedef struct Compiler {
    const char *text, *at;
    const ExpressionScope *scope;
    ExpressionError *error;
    ExpressionStep steps[EXPRESSION_STEPS];
    size_t count;
    size_t starts[EXPRESSION_STACK]; /* where the program of each value on the stack starts */
    size_t height;
    int depth;
} Compiler;

/* ---- errors: all functions that return bool return false after one ---- */

__attribute__((format(printf, 4, 5))) bool compiler_fail(Compiler *compiler, const char *at,
                                                         size_t length, const char *format, ...);
__attribute__((format(printf, 2, 3))) void compiler_hint(Compiler *compiler, const char *format,
                                                         ...);
bool compiler_fail_long(Compiler *compiler);

/* ---- the program ---- */

bool compiler_push(Compiler *compiler, ExpressionStep step);
bool compiler_push_constant(Compiler *compiler, double value);
/* Applies an operation to the values on the stack; constants are folded. */
bool compiler_apply(Compiler *compiler, ExpressionOp op);

/* ---- names ---- */

/* pi, tau, e. */
bool compiler_find_constant(const char *at, size_t length, double *value);
/* EXPRESSION_OP_COUNT when there is none. */
ExpressionOp compiler_find_function(const char *at, size_t length);
/* Reports an unknown name or, if called, function. */
bool compiler_fail_unknown(Compiler *compiler, const char *at, size_t length, bool called);

#endif
