/* Names in expressions: constants, functions, and did-you-mean. */
#include "expression/compiler.h"

#include "text/text_buffer.h"

#include <stdio.h>
#include <string.h>

typedef struct Constant {
    const char *name;
    double value;
} Constant;

static const Constant constants[] = {
    {"pi", 3.14159265358979323846}, {"tau", 6.28318530717958647693}, {"e", 2.71828182845904523536}};
enum { CONSTANTS = sizeof constants / sizeof constants[0] };

static bool same_name(const char *name, const char *at, size_t length)
{
    return strncmp(name, at, length) == 0 && name[length] == '\0';
}

bool compiler_find_constant(const char *at, size_t length, double *value)
{
    size_t i = 0;
    while (i < CONSTANTS && !same_name(constants[i].name, at, length)) ++i;
    if (i < CONSTANTS) *value = constants[i].value;
    return i < CONSTANTS;
}

ExpressionOp compiler_find_function(const char *at, size_t length)
{
    int op = EXPRESSION_OP_FIRST_FUNCTION;
    while (op < EXPRESSION_OP_COUNT && !same_name(expression_ops[op].name, at, length)) ++op;
    return (ExpressionOp)op;
}

bool expression_is_reserved(const char *name)
{
    size_t length = strlen(name);
    double value;
    return compiler_find_constant(name, length, &value) ||
           compiler_find_function(name, length) < EXPRESSION_OP_COUNT;
}

static const char *function_name(const void *context, size_t i)
{
    (void)context;
    size_t op = EXPRESSION_OP_FIRST_FUNCTION + i;
    return op < EXPRESSION_OP_COUNT ? expression_ops[op].name : NULL;
}

/* All names that could be meant: the scopes', then the constants. */
static const char *known_name(const void *context, size_t i)
{
    for (const ExpressionScope *scope = context; scope != NULL; scope = scope->outer) {
        if (i < scope->count) return scope->names[i].name;
        i -= scope->count;
    }
    return i < CONSTANTS ? constants[i].name : NULL;
}

static void hint_names(Compiler *compiler, const char *what, const char *word, NameList names)
{
    char list[240];
    const char *nearest = name_nearest(word, names);
    if (nearest != NULL)
        compiler_hint(compiler, "did you mean `%s`?", nearest);
    else if (name_list_text(names, list, sizeof list))
        compiler_hint(compiler, "known %s: %s", what, list);
}

bool compiler_fail_unknown(Compiler *compiler, const char *at, size_t length, bool called)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), at);
    if (called && expression_name(compiler->scope, at, length) != NULL)
        return compiler_fail(compiler, at, length, "`%s` is no function", word);
    compiler_fail(compiler, at, length, "unknown %s `%s`", called ? "function" : "name", word);
    NameList names = {called ? function_name : known_name, compiler->scope};
    hint_names(compiler, called ? "functions" : "names", word, names);
    return false;
}
